import { peopleOf, type Encounter, type Person } from '#shared/domain/people'
import type { JsonObject } from '#shared/json'
import type { Event } from '#shared/wire/calendar/types'
import type { AppContext } from '../../context/context'
import { dayMs } from '../../ui/dates'

/** How far from now events are read for their guests. */
const reach = { back: 365 * dayMs, ahead: 120 * dayMs }
/** Events that are read at most, those nearest to now. */
const mostEvents = 500

/** People from events, calendars, and shares on this computer. Needs no network. */
export class People {
  /** Those met most often and most recently first. */
  list = $state.raw<readonly Person[]>([])
  readonly #byEmail = $derived.by(() => new Map(this.list.map((person) => [person.email, person])))
  #loading: Promise<void> | undefined

  constructor(private readonly app: AppContext) {}

  /** Reads events once, when names are first needed. */
  load(): Promise<void> {
    return (this.#loading ??= this.#read())
  }

  /** Reads them again. Until then, those known remain. */
  refresh(): Promise<void> {
    return (this.#loading = this.#read())
  }

  /** The name of someone that an event names only by address. */
  nameOf(email: string | undefined): string | undefined {
    return email === undefined ? undefined : this.#byEmail.get(email.toLowerCase())?.name || undefined
  }

  async #read(): Promise<void> {
    const { replica, account, clock } = this.app
    const now = clock.now
    const times = new Map<string, number[]>()
    const near = [...replica.items(now - reach.back, now + reach.ahead)].sort(
      (a, b) => Math.abs(a.start - now) - Math.abs(b.start - now),
    )
    for (const { rowKey, start } of near) {
      const own = times.get(rowKey)
      if (own) own.push(start)
      else if (times.size < mostEvents) times.set(rowKey, [start])
    }
    const rows = await replica.readAll([...times.keys()])
    const encounters: Encounter[] = []
    for (const [key, starts] of times) {
      const event = rows.get(key)?.value
      if (event) for (const at of starts) encounters.push(...guestsOf(event, at))
    }
    for (const { id, value } of replica.rows('calendarList'))
      encounters.push({ email: id, name: textOf(value?.['summary']) })
    for (const { value } of replica.rows('acl')) {
      const scope = value?.['scope'] as { type?: unknown; value?: unknown } | undefined
      if (scope?.type === 'user') encounters.push({ email: textOf(scope.value) ?? '' })
    }
    const own = new Set([account.email.toLowerCase()])
    for (const { id, value } of replica.rows('calendarList')) if (value?.['primary'] === true) own.add(id.toLowerCase())
    this.list = peopleOf(encounters, now, own)
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function guestsOf(event: JsonObject, at: number): Encounter[] {
  const { attendees = [], organizer } = event as Event
  const people = [...(Array.isArray(attendees) ? attendees : []), ...(organizer ? [organizer] : [])]
  return people.flatMap((one) => {
    const { self, email, displayName } = one
    const isRoom = 'resource' in one && one.resource === true
    return self || isRoom || typeof email !== 'string' ? [] : [{ email, name: textOf(displayName), at }]
  })
}
