import type { Event, EventAttendee } from '#shared/wire/calendar/types'
import { instantOfWall, rfc3339 } from '#shared/time/zones'
import { occurrenceBySuffix, type Occurrence } from '#shared/time/recurrence'
import { sameJson } from '#shared/json'
import { columnsOf, instanceDoc, seriesOf, type EventDoc, type EventRow } from '../calendar/event-row'
import { meetingCode } from '../calendar/conferences'
import { newId, type Person, type Service } from '../operation'
import type { Chance } from './chance'

export const dayMs = 86_400_000
export const homeZone = 'Europe/Berlin'

/** Writes seed events directly to the store without validation, because there may be many. */
export class Book {
  readonly #service: Service
  readonly #chance: Chance
  count = 0

  constructor(service: Service, chance: Chance) {
    this.#service = service
    this.#chance = chance
  }

  add(
    calendar: string,
    creator: Person,
    event: Omit<Event, 'start' | 'end'> & Pick<EventDoc, 'start' | 'end'>,
  ): { id: string; doc: EventDoc } {
    const id = newId(this.#chance.next)
    const { reminders, ...content } = event
    // The owner of a calendar isn't a guest of its events, or would get copies of them when they're next written.
    const attendees = event.attendees?.filter(({ email }) => calendar === creator.email || email !== creator.email)
    const doc: EventDoc = {
      status: 'confirmed',
      eventType: 'default',
      sequence: 0,
      organizer: { email: calendar },
      creator: { email: creator.email, displayName: creator.name },
      iCalUID: `${id}@flightplan.example`,
      ...content,
      ...(attendees && { attendees }),
    }
    this.#put(calendar, { id, doc, reminders: reminders ? JSON.stringify({ [creator.id]: reminders }) : null })
    return { id, doc }
  }

  /** Adds an exception to a series: `change` overrides the instance, `cancelled` removes it. */
  except(
    calendar: string,
    series: { id: string; doc: EventDoc },
    at: Occurrence,
    change: Partial<EventDoc> | 'cancelled',
  ): void {
    const base = instanceDoc(series.doc, series.id, at)
    const own: Record<string, unknown> = {}
    const given = change === 'cancelled' ? {} : change
    for (const [name, value] of Object.entries(given)) {
      if (!sameJson(value, base[name as keyof EventDoc])) own[name] = value
    }
    this.#put(calendar, {
      id: `${series.id}_${at.idSuffix}`,
      doc: { ...base, ...given },
      reminders: null,
      master: { id: series.id, suffix: at.idSuffix },
      own,
      cancelled: change === 'cancelled',
    })
  }

  occurrence(series: { doc: EventDoc }, suffix: string): Occurrence | undefined {
    return occurrenceBySuffix(seriesOf(series.doc), suffix)
  }

  #put(
    calendar: string,
    entry: {
      id: string
      doc: EventDoc
      reminders: string | null
      master?: { id: string; suffix: string }
      own?: Record<string, unknown>
      cancelled?: boolean
    },
  ): void {
    const { store } = this.#service
    const { id, doc, master } = entry
    const age = this.#chance.int(60 * 24 * 60) * 60_000
    const row: EventRow = {
      calendar,
      id,
      master: master?.id ?? null,
      suffix: master?.suffix ?? null,
      ...columnsOf(doc),
      type: doc.eventType ?? 'default',
      uid: doc.iCalUID!,
      cancelled: entry.cancelled ? 1 : 0,
      gone: 0,
      moved: 0,
      imported: 0,
      created: store.now - age - dayMs,
      updated: store.now - Math.floor(age / 2),
      changed: store.stamp(),
      data: JSON.stringify(entry.own ?? doc),
      reminders: entry.reminders,
    }
    store.put('events', row as unknown as Record<string, string | number | null>)
    this.count++
  }
}

/** Wall-clock minutes of a day (a UTC midnight) in a zone, as start and end. */
export function timed(day: number, minutes: number, length: number, zone = homeZone): Pick<EventDoc, 'start' | 'end'> {
  const instant = instantOfWall(day + minutes * 60_000, zone)
  const at = (time: number): EventDoc['start'] => ({ dateTime: rfc3339(time, zone), timeZone: zone })
  return { start: at(instant), end: at(instant + length * 60_000) }
}

/** Whole days from a UTC midnight. */
export function wholeDays(day: number, days = 1): Pick<EventDoc, 'start' | 'end'> {
  const date = (time: number): EventDoc['start'] => ({ date: new Date(time).toISOString().slice(0, 10) })
  return { start: date(day), end: date(day + days * dayMs) }
}

export function videoCall(chance: Chance): Pick<Event, 'conferenceData' | 'videoLink'> {
  const conferenceId = meetingCode(chance.next)
  const uri = `https://meet.flightplan.example/${conferenceId}`
  return {
    videoLink: uri,
    conferenceData: {
      entryPoints: [{ entryPointType: 'video', uri, label: uri.slice('https://'.length) }],
      conferenceSolution: {
        key: { type: 'videoMeet' },
        name: 'Flightplan Meet',
        iconUri: 'https://meet.flightplan.example/icon.png',
      },
      conferenceId,
      signature: Buffer.from(conferenceId).toString('base64'),
    },
  }
}

const answers = ['accepted', 'accepted', 'accepted', 'needsAction', 'tentative', 'declined'] as const

export function guests(
  chance: Chance,
  self: string,
  people: ReadonlyArray<readonly [string, string]>,
): EventAttendee[] {
  const others = people.map(([displayName, email]): EventAttendee => ({
    email,
    displayName,
    responseStatus: chance.pick(answers),
  }))
  return [{ email: self, responseStatus: 'accepted' }, ...others]
}
