import { createContext, tick } from 'svelte'
import { recordKey } from '#shared/domain/collections'
import { byUrgency, logbookDays, upcomingDays } from '#shared/domain/task-days'
import { isTag } from '#shared/domain/task-tags'
import { instantOfWall, wallOfInstant } from '#shared/time/zones'
import type { AppContext } from '../../context/context'
import { blocksByTask, blockShown } from '../../context/time-blocks'
import type { Row } from '../../replica/api'
import { dayMs, dayOf, longDate, yearOf } from '../../ui/dates'
import { eventsByDay, type DayEvent } from './day-events'
import { DefaultList } from './default-list.svelte'
import {
  asCompleted,
  asTree,
  byDue,
  hasTag,
  linesOf,
  numbered,
  openTags,
  withOpenBelow,
  withTag,
  type TaskLine,
} from './tree'

export interface ListInfo {
  id: string
  title: string
  open: number
  overdue: number
  row: Row
}

/** Views that combine all lists, so they have no order of their own. */
export const smartViews = ['today', 'upcoming', 'logbook'] as const
export type SmartView = (typeof smartViews)[number]
export const smartTitles: Readonly<Record<SmartView, string>> = {
  today: 'Today',
  upcoming: 'Upcoming',
  logbook: 'Completed',
}
const isSmart = (view: string): view is SmartView => smartViews.some((smart) => smart === view)

/** Days that Upcoming shows even if nothing is due. */
export const upcomingCount = 14

/** Days around today whose time blocks tasks show. */
const blocksAround = { back: 1, ahead: 62 }

/** Tasks below a heading of their own. */
export interface TaskSection {
  id: 'open' | 'overdue' | `day-${number}`
  lines: readonly TaskLine[]
  /** The day (wall midnight) that its tasks are due, or were completed. */
  day?: number
  events?: readonly DayEvent[]
}

export const rowsAtOnce = 120

/** Shown tasks and the selection in the Tasks view. */
export class TasksModel {
  readonly app: AppContext
  #view = $state('')
  /** domKey of the row that has, or last had, the keyboard. */
  currentKey = $state<string | null>(null)
  #anchor: string | null = null
  chosen = $state.raw<ReadonlySet<string>>(new Set())
  editing = $state<string | null>(null)
  /** domKey of the task in the inspector. */
  inspected = $state<string | null>(null)
  completedOpen = $state(false)
  /** Number of rows drawn. Grows with scrolling and keyboard navigation. */
  drawn = $state(rowsAtOnce)

  readonly defaultList: DefaultList

  constructor(app: AppContext) {
    this.app = app
    this.defaultList = new DefaultList(app)
  }

  readonly today = $derived.by(() => this.app.clock.today(this.app.preferences.zone))
  readonly everything = $derived.by(() => {
    const { replica } = this.app
    return linesOf(replica.rows('tasks'), (key) => replica.firstKey(key))
  })
  readonly lists = $derived.by((): ListInfo[] => {
    const counts = new Map<string, { open: number; overdue: number }>()
    for (const line of this.everything) {
      if (line.done) continue
      const count = counts.get(line.list) ?? { open: 0, overdue: 0 }
      count.open++
      if (line.due !== null && line.due < this.today) count.overdue++
      counts.set(line.list, count)
    }
    return this.app.replica
      .rows('tasklists')
      .filter((row) => row.value)
      .map((row) => ({
        id: row.id,
        title: String(row.value?.['title'] ?? '') || '(No title)',
        ...(counts.get(row.id) ?? { open: 0, overdue: 0 }),
        row,
      }))
  })
  /** A smart view, a tag, or the ID of a list that is there. */
  readonly view = $derived.by(() => {
    if (isSmart(this.#view) || isTag(this.#view)) return this.#view
    const wanted = this.#view && this.app.replica.peek(recordKey('tasklists', null, this.#view))?.id
    return this.lists.some((list) => list.id === wanted) ? wanted! : (this.lists[0]?.id ?? 'today')
  })
  /** The tag that all shown tasks have, or null. */
  readonly tag = $derived(isTag(this.view) ? this.view : null)
  readonly smart = $derived(isSmart(this.view) ? this.view : this.tag === null ? null : 'tag')
  readonly tags = $derived.by(() => openTags(this.everything))
  readonly list = $derived(this.lists.find((list) => list.id === this.view))
  readonly title = $derived(isSmart(this.view) ? smartTitles[this.view] : (this.tag ?? this.list?.title ?? 'Tasks'))
  readonly todayCount = $derived(
    this.everything.filter((line) => !line.done && line.due !== null && line.due <= this.today).length,
  )
  readonly overdue = $derived(byUrgency(this.everything, this.today).overdue)
  readonly upcomingCount = $derived(
    this.everything.filter((line) => !line.done && line.due !== null && line.due > this.today).length,
  )

  /** The groups of a smart view. A list has one, without a heading. */
  readonly sections = $derived.by(() => this.#pinned(this.#sections))
  /** The row whose title is being edited, and where it is. */
  #edited: { line: TaskLine; section: TaskSection; at: number; index: number } | null = null
  /**
   * Keeps that row in its place, so that what's being typed stays, even if someone has moved, completed, or deleted the
   * task.
   */
  #pinned(sections: readonly TaskSection[]): readonly TaskSection[] {
    const key = this.editing
    if (key === null || this.#edited?.line.domKey !== key) this.#edited = null
    const last = this.#edited
    const at = sections.findIndex(({ lines }) => lines.some(({ domKey }) => domKey === key))
    const section = sections[at]
    if (section && (!last || last.section.id === section.id)) {
      const index = section.lines.findIndex(({ domKey }) => domKey === key)
      this.#edited = { line: section.lines[index]!, section, at, index }
      return sections
    }
    if (!last || key === null) return sections
    const { level, place, of, children } = last.line
    const now = this.#current(last.line)
    const others = sections.map(({ lines, ...rest }) => ({ ...rest, lines: lines.filter(({ id }) => id !== now.id) }))
    if (!others.some(({ id }) => id === last.section.id)) others.splice(last.at, 0, { ...last.section, lines: [] })
    const home = others.find(({ id }) => id === last.section.id)!
    home.lines = [...home.lines]
    home.lines.splice(last.index, 0, { ...now, domKey: key, level, place, of, children })
    return others
  }
  /** The current state of a task, in any list, or the last known one if it's gone. */
  #current(line: TaskLine): TaskLine {
    return (
      this.everything.find(({ domKey }) => domKey === line.domKey) ??
      this.everything.find(({ id }) => id === line.id) ??
      line
    )
  }
  readonly #sections = $derived.by((): readonly TaskSection[] => {
    if (this.smart === 'today') {
      const { overdue, today } = byUrgency(byDue(this.everything), this.today)
      return [
        { id: 'overdue' as const, lines: numbered(overdue) },
        { id: `day-${this.today}` as const, day: this.today, lines: numbered(today) },
      ].filter(({ lines }) => lines.length > 0)
    }
    if (this.smart === 'upcoming')
      return upcomingDays(byDue(this.everything), this.today, upcomingCount).map(({ day, tasks }) => ({
        id: `day-${day}`,
        day,
        lines: numbered(tasks),
        events: this.#events.get(day) ?? [],
      }))
    if (this.smart === 'logbook')
      return logbookDays(this.everything, (instant) => dayOf(wallOfInstant(instant, this.app.preferences.zone))).map(
        ({ day, tasks }) => ({ id: `day-${day}`, day, lines: numbered(tasks) }),
      )
    if (this.tag !== null) {
      const lines = withTag(this.everything, this.tag)
      return lines.length > 0 ? [{ id: 'open', lines }] : []
    }
    const open = asTree(withOpenBelow(this.everything.filter((line) => line.list === this.view)))
    return open.length > 0 ? [{ id: 'open', lines: open }] : []
  })
  readonly open = $derived.by(() => this.sections.flatMap(({ lines }) => lines))
  /** Completed tasks below the open ones: all of a list, or today’s. */
  readonly completed = $derived.by(() => {
    const shown = new Set(this.open.map((line) => line.key))
    const done = this.everything.filter((line) => line.done && !shown.has(line.key))
    if (this.smart === 'today')
      return asCompleted(
        done.filter(
          ({ completedAt }) =>
            completedAt !== null && dayOf(wallOfInstant(completedAt, this.app.preferences.zone)) === this.today,
        ),
      )
    if (this.tag !== null) return asCompleted(done.filter((line) => hasTag(line, this.tag!)))
    if (this.smart) return []
    return asCompleted(done.filter((line) => line.list === this.view))
  })
  /** Events of the upcoming days in the calendars that the calendar shows. */
  readonly #events = $derived.by(() => {
    const { zone } = this.app.preferences
    const [first, last] = [this.today + dayMs, this.today + upcomingCount * dayMs]
    // A time block isn’t listed in addition to its task.
    const ids = new Set(this.everything.map(({ id }) => id))
    const hidden = new Set(this.app.settings.values.hiddenCalendars)
    const calendars = new Set(
      this.app.replica
        .rows('calendarList')
        .filter(({ id, value }) => value && value['deleted'] !== true && value['hidden'] !== true && !hidden.has(id))
        .map(({ id }) => id),
    )
    const items = this.app.replica
      .items(instantOfWall(first, zone), instantOfWall(last + dayMs, zone), { calendars, zone })
      .filter(({ response, taskId }) => response !== 'declined' && (taskId === undefined || !ids.has(taskId)))
    return eventsByDay(items, first, last, zone)
  })
  /** Time blocks around today, by task. */
  readonly #blocks = $derived.by(() =>
    blocksByTask(this.app.replica, this.today - blocksAround.back * dayMs, this.today + blocksAround.ahead * dayMs),
  )
  /** When a task is planned, as wall time. Null if it isn't, or only earlier. */
  plannedFor(line: TaskLine): number | null {
    const { now } = this.app.clock
    const block = blockShown(this.#blocks.get(line.id), now)
    return block && block.end > now && !block.allDay ? wallOfInstant(block.start, this.app.preferences.zone) : null
  }
  /** The day that Upcoming adds tasks to, if one was chosen. */
  chosenDay = $state<number | null>(null)
  /** The due date of a new task without one, or null. */
  readonly addDay = $derived.by(() => {
    if (this.smart === 'today') return this.today
    if (this.smart !== 'upcoming') return null
    return this.chosenDay !== null && this.chosenDay > this.today ? this.chosenDay : this.today + dayMs
  })
  /** Every row on screen, in order. */
  readonly lines = $derived(this.completedOpen ? [...this.open, ...this.completed] : this.open)
  readonly #byKey = $derived(new Map(this.lines.map((line) => [line.domKey, line])))
  readonly current = $derived(this.currentKey === null ? undefined : this.#byKey.get(this.currentKey))
  /** True while the details have input that isn't saved. */
  unsaved = $state(false)
  #lastDetail: { inspected: string; line: TaskLine } | null = null
  /** The task in the inspector, also after someone moved it to another list, or deleted it while input isn't saved. */
  readonly detail = $derived.by(() => {
    const { inspected } = this
    if (inspected === null) return undefined
    const last = this.#lastDetail?.inspected === inspected ? this.#lastDetail.line : undefined
    const line =
      this.everything.find(({ domKey }) => domKey === inspected) ??
      (last && (this.everything.find(({ id }) => id === last.id) ?? (this.unsaved ? last : undefined)))
    if (line) this.#lastDetail = { inspected, line }
    return line
  })
  /** The row that Tab reaches. */
  readonly stopKey = $derived(this.current?.domKey ?? this.lines[0]?.domKey ?? null)
  /** Selected rows that are shown: others may have gone, and completed ones may be hidden. */
  readonly selected = $derived(this.lines.filter((line) => this.chosen.has(line.domKey)))
  /** Rows that an action applies to: the selection, or the current row. */
  readonly targets = $derived(this.selected.length > 0 ? this.selected : this.current ? [this.current] : [])

  sectionTitle({ id, day }: TaskSection): string {
    if (id === 'overdue') return 'Overdue'
    if (day === undefined) return this.title
    const days = Math.round((day - this.today) / dayMs)
    const near = { '-1': 'Yesterday', 0: 'Today', 1: 'Tomorrow' }[days]
    return near ?? longDate(day, yearOf(this.today))
  }

  listName(id: string): string {
    return this.lists.find((list) => list.id === id)?.title ?? ''
  }

  show(view: string): void {
    if (view !== this.#view) this.drawn = rowsAtOnce
    this.#view = view
    this.chosenDay = null
    this.currentKey = null
    this.chosen = new Set()
    this.editing = null
    this.inspected = null
  }

  /** Focuses a row. `extend` selects everything from the anchor, `add` toggles the row. */
  moveTo(domKey: string, how: { extend?: boolean; add?: boolean; quiet?: boolean } = {}): void {
    this.currentKey = domKey
    const index = this.lines.findIndex((line) => line.domKey === domKey)
    if (index >= this.drawn) this.drawn = index + rowsAtOnce
    if (how.extend) {
      this.#anchor ??= domKey
      const keys = this.lines.map((line) => line.domKey)
      const [from, to] = [keys.indexOf(this.#anchor), keys.indexOf(domKey)].sort((a, b) => a - b) as [number, number]
      this.chosen = new Set(keys.slice(Math.max(0, from), to + 1))
    } else if (how.add) {
      const chosen = new Set(this.chosen)
      // The row that a click opened looks selected, too.
      if (chosen.size === 0 && this.inspected !== null && this.inspected !== domKey) chosen.add(this.inspected)
      if (!chosen.delete(domKey)) chosen.add(domKey)
      this.chosen = chosen
      this.#anchor = domKey
    } else {
      this.chosen = new Set()
      this.#anchor = domKey
    }
    if (this.inspected !== null) this.inspected = domKey
    if (!how.quiet) void this.focusRow()
  }

  chooseAll(): void {
    this.chosen = new Set(this.open.map((line) => line.domKey))
  }

  step(by: number, extend = false): void {
    const keys = this.lines.map((line) => line.domKey)
    const at = this.currentKey === null ? -1 : keys.indexOf(this.currentKey)
    const next = keys[Math.min(keys.length - 1, Math.max(0, at + by))]
    if (next !== undefined) this.moveTo(next, { extend })
  }

  /** The row to focus when these are removed. */
  neighbour(going: readonly TaskLine[]): string | null {
    const gone = new Set(going.map((line) => line.domKey))
    const first = this.lines.findIndex((line) => gone.has(line.domKey))
    const after = this.lines.slice(first).find((line) => !gone.has(line.domKey))
    return (after ?? this.lines.slice(0, Math.max(0, first)).at(-1))?.domKey ?? null
  }

  /** Focuses the current row, or `next` if that's gone. */
  async focusRow(next: string | null = null): Promise<void> {
    await tick()
    const row = document.querySelector<HTMLElement>(`[data-task="${CSS.escape(this.currentKey ?? '')}"]`)
    if (!row && next !== null) this.moveTo(next)
    else row?.focus()
  }

  /** True if row shortcuts apply: a row, nothing, or a dialog that closes first has the focus. */
  get rowKeys(): boolean {
    if (!this.current) return false
    const active = document.activeElement
    if (!active || active.matches('body, main')) return true
    // A title that is edited has keys of its own.
    return active.closest('[data-task], [data-keys]') !== null && !active.matches('[data-task] .control')
  }
}

export const [useTasks, provideTasks] = createContext<TasksModel>()
