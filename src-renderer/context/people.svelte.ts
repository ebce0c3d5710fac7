import { peopleOf, type Encounter, type Person } from '#shared/domain/people'
import type { JsonObject } from '#shared/json'
import type { Event } from '#shared/wire/calendar/types'
import type { CalendarItem } from '../replica/api'
import { dayMs } from '../ui/dates'
import type { AppContext } from './context'
import { instantsOf } from './item-times'

/** How far from now events are read for their guests. */
const reach = { back: 365 * dayMs, ahead: 120 * dayMs }
/** Events that are read at most, those nearest to now. */
const mostEvents = 500

/** People from events, calendars, and shares on this computer. Needs no network. */
export class People {
  /** Most frequent and most recent contacts first. */
  list = $state.raw<readonly Person[]>([])
  readonly #byEmail = $derived.by(() => new Map(this.list.map((person) => [person.email, person])))
  #loading: Promise<void> | undefined
  /** Events that were read, by the addresses of their guests. */
  #events: ReadonlyMap<string, readonly CalendarItem[]> = new Map()

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

  /** Events with someone, in no order. Occurrences of a series are one by one. */
  eventsWith(email: string): readonly CalendarItem[] {
    return this.#events.get(email) ?? []
  }

  async #read(): Promise<void> {
    const { replica, account, clock, preferences } = this.app
    const now = clock.now
    const items = new Map<string, CalendarItem[]>()
    const near = [...replica.items(now - reach.back, now + reach.ahead)].sort(
      (a, b) => Math.abs(a.start - now) - Math.abs(b.start - now),
    )
    for (const item of near) {
      const own = items.get(item.rowKey)
      if (own) own.push(item)
      else if (items.size < mostEvents) items.set(item.rowKey, [item])
    }
    const rows = await replica.readAll([...items.keys()])
    const events = new Map<string, CalendarItem[]>()
    const encounters: Encounter[] = []
    for (const [key, own] of items) {
      const event = rows.get(key)?.value
      const guests = event ? guestsOf(event) : []
      for (const item of own) {
        const at = instantsOf(item, preferences.zone).start
        encounters.push(...guests.map((guest) => ({ ...guest, at })))
      }
      for (const email of new Set(guests.map((guest) => guest.email.trim().toLowerCase())))
        events.set(email, [...(events.get(email) ?? []), ...own])
    }
    for (const { id, value } of replica.rows('calendarList'))
      encounters.push({ email: id, name: textOf(value?.['summary']) })
    for (const { value } of replica.rows('acl')) {
      const scope = value?.['scope'] as { type?: unknown; value?: unknown } | undefined
      if (scope?.type === 'user') encounters.push({ email: textOf(scope.value) ?? '' })
    }
    const own = new Set([account.email.toLowerCase()])
    for (const { id, value } of replica.rows('calendarList')) if (value?.['primary'] === true) own.add(id.toLowerCase())
    this.#events = events
    this.list = peopleOf(encounters, now, own)
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function guestsOf(event: JsonObject): Encounter[] {
  const { attendees = [], organizer } = event as Event
  const people = [...(Array.isArray(attendees) ? attendees : []), ...(organizer ? [organizer] : [])]
  return people.flatMap((one) => {
    const { self, email, displayName } = one
    const isRoom = 'resource' in one && one.resource === true
    return self || isRoom || typeof email !== 'string' ? [] : [{ email, name: textOf(displayName) }]
  })
}
