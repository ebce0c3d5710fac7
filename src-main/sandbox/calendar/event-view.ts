import type { Event, EventAttendee } from '#shared/wire/calendar/types'
import { instantOf } from '#shared/time/event-time'
import { rfc3339 } from '#shared/time/zones'
import { stampEtag } from '../etags'
import type { Person } from '../operation'
import { atLeast, type OpenCalendar } from './access'
import type { EventDoc, Found } from './event-row'

export interface ViewOptions {
  maxAttendees?: number
  timeZone?: string
}

const iso = (time: number): string => new Date(time).toISOString()

/** The event as a person sees it in a calendar. */
export function viewEvent(found: Found, calendar: OpenCalendar, person: Person, options: ViewOptions = {}): Event {
  const { doc } = found
  const version = found.row ?? found.master!
  const head = { kind: 'calendar#event', etag: stampEtag(version.changed), id: found.id }
  if (found.cancelled && found.row?.moved) return { ...head, status: 'cancelled' }
  const zone = options.timeZone ?? calendar.data.timeZone
  if (found.cancelled && (found.master || !found.row)) return goneEvent(found.id, version.changed, doc, zone)
  const times = inZone(doc, zone)
  const status = found.cancelled ? 'cancelled' : (doc.status ?? 'confirmed')
  if (hidesDetails(doc, calendar)) {
    return {
      ...head,
      status,
      created: iso(version.created),
      updated: iso(version.updated),
      ...times,
      ...(doc.recurrence ? { recurrence: doc.recurrence } : {}),
      ...(doc.recurringEventId ? { recurringEventId: doc.recurringEventId } : {}),
      visibility: doc.visibility === 'confidential' ? 'confidential' : 'private',
      iCalUID: doc.iCalUID,
      sequence: doc.sequence ?? 0,
      eventType: doc.eventType ?? 'default',
    } as Event
  }
  const view: Event = {
    ...head,
    status,
    htmlLink: `https://calendar.flightplan.example/event?eid=${Buffer.from(`${found.id} ${calendar.id}`).toString('base64url')}`,
    created: iso(version.created),
    updated: iso(version.updated),
    ...doc,
    ...times,
    reminders: remindersOf(version.reminders, person),
    eventType: doc.eventType ?? 'default',
    sequence: doc.sequence ?? 0,
  }
  view.status = status
  if (doc.creator) view.creator = { ...doc.creator, ...(isSelf(doc.creator.email, calendar) ? { self: true } : {}) }
  if (doc.organizer)
    view.organizer = { ...doc.organizer, ...(isSelf(doc.organizer.email, calendar) ? { self: true } : {}) }
  if (doc.source && doc.creator?.email !== person.email) delete view.source
  if (doc.attendees) viewAttendees(view, doc, doc.attendees, calendar, options.maxAttendees)
  return view
}

/** The identity of a deleted occurrence, or of an event outside a list's window. */
export function goneEvent(
  id: string,
  changed: number,
  { recurringEventId, originalStartTime }: Pick<Event, 'recurringEventId' | 'originalStartTime'>,
  zone: string,
): Event {
  return {
    kind: 'calendar#event',
    etag: stampEtag(changed),
    id,
    status: 'cancelled',
    ...(recurringEventId && { recurringEventId }),
    ...(originalStartTime && { originalStartTime: readIn(originalStartTime, zone) }),
  }
}

/** True if the caller sees only the time of an event. */
export function hidesDetails(doc: EventDoc, calendar: OpenCalendar): boolean {
  if (!atLeast(calendar.role, 'reader')) return true
  return (doc.visibility === 'private' || doc.visibility === 'confidential') && !atLeast(calendar.role, 'writer')
}

const isSelf = (email: string | undefined, calendar: OpenCalendar): boolean => email?.toLowerCase() === calendar.id

function viewAttendees(view: Event, doc: EventDoc, list: EventAttendee[], calendar: OpenCalendar, max?: number): void {
  const organizer = doc.organizer?.email
  const all = list.map((attendee) => {
    const shown: EventAttendee = { ...attendee, responseStatus: attendee.responseStatus ?? 'needsAction' }
    if (organizer && attendee.email === organizer) shown.organizer = true
    if (isSelf(attendee.email, calendar)) shown.self = true
    return shown
  })
  const hidden = doc.guestsCanSeeOtherGuests === false && !isSelf(organizer, calendar)
  if (hidden || (max !== undefined && all.length > max)) {
    view.attendees = all.filter((attendee) => attendee.self)
    view.attendeesOmitted = true
  } else view.attendees = all
}

export function remindersOf(stored: string | null, person: Person): NonNullable<Event['reminders']> {
  if (!stored) return { useDefault: true }
  const all = JSON.parse(stored) as Record<string, NonNullable<Event['reminders']>>
  return all[person.id] ?? { useDefault: true }
}

const readIn = (time: EventDoc['start'], zone: string): EventDoc['start'] =>
  time.dateTime ? { ...time, dateTime: rfc3339(instantOf(time), zone) } : time

/** Converts times to the zone of the response. Each keeps the name of its own zone. */
function inZone(doc: EventDoc, zone: string): Pick<Event, 'start' | 'end' | 'originalStartTime'> {
  const original = doc.originalStartTime
  return {
    start: readIn(doc.start, zone),
    end: readIn(doc.end, zone),
    ...(original && { originalStartTime: readIn(original, zone) }),
  }
}
