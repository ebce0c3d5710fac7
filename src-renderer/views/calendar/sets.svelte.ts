import type { AppContext } from '../../context/context'
import {
  findSet,
  hiddenWith,
  isShown,
  maxSets,
  readSets,
  setNameProblem,
  unreadSets,
  withSet,
  type CalendarSet,
  type Shown,
} from './calendar-sets'
import { currentCalendarId } from './calendars'

interface Calendars {
  readonly app: Pick<AppContext, 'settings' | 'account' | 'toasts' | 'announce' | 'replica'>
  readonly calendars: readonly { id: string }[]
  readonly shown: ReadonlySet<string>
}

/** Named sets of calendars of this account. */
export class CalendarSets {
  readonly #of: Calendars

  constructor(calendars: Calendars) {
    this.#of = calendars
  }

  readonly list = $derived.by(() => readSets(this.#stored[this.#of.app.account.id]).map((set) => this.#current(set)))
  readonly isFull = $derived.by(() => this.list.length >= maxSets)
  /** Calendars shown now. */
  readonly now = $derived.by((): Shown => {
    const { shown, app } = this.#of
    return { calendars: [...shown], tasks: app.settings.values.showTasks }
  })

  isCurrent(set: CalendarSet): boolean {
    return isShown(set, this.now, this.#ids)
  }

  /** Shows the calendars of a set, and no others. */
  apply(set: CalendarSet): void {
    const { settings, announce, toasts } = this.#of.app
    if (set.calendars.length > 0 && !set.calendars.some((id) => this.#ids.includes(id)))
      return void toasts.show(`The calendars of “${set.name}” no longer exist. Nothing changed.`)
    const hiddenCalendars = hiddenWith(set, this.#ids, settings.values.hiddenCalendars)
    settings.set({ hiddenCalendars, showTasks: set.tasks })
    announce(`Showing “${set.name}”`)
  }

  /** Saves what is shown under a new name. */
  save(name: string): void {
    const set = { name: name.trim(), ...this.now }
    this.#store(withSet(this.list, set))
    this.#tell(`Saved calendar set “${set.name}”`, () => {
      this.#store(this.list.filter((one) => one.name !== set.name))
    })
  }
  /** Saves what is shown in a set. */
  update(set: CalendarSet): void {
    this.#store(withSet(this.list, { ...set, ...this.now }))
    this.#tell(`Updated calendar set “${set.name}”`, () => {
      if (findSet(this.list, set.name)) this.#store(withSet(this.list, set))
    })
  }
  rename(set: CalendarSet, name: string): void {
    this.#store(withSet(this.list, { ...set, name }, set.name))
    this.#tell(`Renamed calendar set “${set.name}” to “${name.trim()}”`, () => {
      const now = findSet(this.list, name)
      if (!now || setNameProblem(this.list, set.name, now.name)) return
      this.#store(withSet(this.list, { ...now, name: set.name }, now.name))
    })
  }
  remove(set: CalendarSet): void {
    this.#store(this.list.filter(({ name }) => name !== set.name))
    this.#tell(`Deleted calendar set “${set.name}”`, () => {
      if (!findSet(this.list, set.name)) this.#store(withSet(this.list, set))
    })
  }

  get #ids(): string[] {
    return this.#of.calendars.map(({ id }) => id)
  }
  get #stored(): Readonly<Record<string, unknown>> {
    const stored = this.#of.app.settings.values.calendarSets
    return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? { ...stored } : {}
  }
  #current(set: CalendarSet): CalendarSet {
    return { ...set, calendars: set.calendars.map((id) => currentCalendarId(this.#of.app.replica, id)) }
  }
  #tell(text: string, run: () => void): void {
    this.#of.app.toasts.show(text, { action: { label: 'Undo', run } })
  }
  /** Keeps sets of other accounts, and sets that only a newer version can read. */
  #store(sets: readonly CalendarSet[]): void {
    const { settings, account } = this.#of.app
    const all = [...sets, ...unreadSets(this.#stored[account.id])]
    settings.set({ calendarSets: { ...this.#stored, [account.id]: all } })
  }
}
