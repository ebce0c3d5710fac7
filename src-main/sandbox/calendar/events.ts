import type { Event, Events } from '#shared/wire/calendar/types'
import { instantOf } from '#shared/time/event-time'
import { listEtag, requireMatch, stampEtag } from '../etags'
import { pageToken, readCursor } from '../cursors'
import type { Call, HandlersOf } from '../operation'
import { Problem, deleted, invalid, notFound } from '../problems'
import type { Store } from '../store'
import { minWriter, openCalendar, requireRole, type OpenCalendar } from './access'
import { entryOf } from './calendar-list'
import { boundsOf, instancesOf, lastChange, listEvents } from './event-list'
import {
  exceptionsOf,
  findEvent,
  foundException,
  docOf,
  seriesOf,
  type EventDoc,
  type EventRow,
  type Found,
} from './event-row'
import { noteSchedule, writeEvent } from './event-store'
import { cancelEvent, deliver, entryOfGuest, saveEvent } from './invitations'
import { hidesDetails, viewEvent } from './event-view'
import { changeEvent, insertEvent, organizerOf } from './event-write'
import { guestsOf, mail } from './mails'
import { readQuickText } from './quick-add'
import { occurrenceBySuffix } from '#shared/time/recurrence'
import { compactUtc } from '#shared/time/zones'
import { Channels } from '../channels'

/** @throws Problem 404 */
function existing(call: Call, calendar: OpenCalendar, id: string): Found {
  const found = findEvent(call.service.store, calendar.id, id)
  if (!found) throw notFound()
  return found
}

/**
 * Finds an event that the caller may write. Hidden events require a writer who sees them.
 * @throws Problem 404, 403
 */
function writable(call: Call, calendar: OpenCalendar, id: string): Found {
  const found = existing(call, calendar, id)
  if (hidesDetails(found.doc, calendar)) requireRole(calendar, 'writer')
  return found
}

const etagOf = (found: Found): string => stampEtag((found.row ?? found.master!).changed)

function head(call: Call, calendar: OpenCalendar): Events {
  const { updated } = lastChange(call.service.store, calendar.id)
  const entry = entryOf(call.service.store, call.person, calendar.id)
  return {
    kind: 'calendar#events',
    summary: calendar.data.summary,
    ...(calendar.data.description ? { description: calendar.data.description } : {}),
    updated: new Date(updated).toISOString(),
    timeZone: (call.params as { timeZone?: string }).timeZone ?? calendar.data.timeZone,
    accessRole: calendar.role,
    defaultReminders: entry?.defaultReminders ?? [],
  }
}

const tagged = (list: Events): Events => ({ ...list, etag: listEtag(list) })

function show(call: Call, calendar: OpenCalendar, found: Found): Event {
  return viewEvent(found, calendar, call.person, call.params as { maxAttendees?: number; timeZone?: string })
}

export const eventHandlers: HandlersOf<'calendar.events'> = {
  'calendar.events.list': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'freeBusyReader')
    return tagged({ ...head(call, calendar), ...listEvents(call, calendar) })
  },

  'calendar.events.get': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'freeBusyReader')
    return show(call, calendar, existing(call, calendar, call.params.eventId))
  },

  'calendar.events.insert': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, minWriter)
    return show(call, calendar, insertEvent(call, calendar, call.body))
  },

  'calendar.events.update': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, minWriter)
    const found = writable(call, calendar, call.params.eventId)
    requireMatch(call.ifMatch, etagOf(found))
    return show(call, calendar, changeEvent(call, calendar, found, call.body, false))
  },

  'calendar.events.patch': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, minWriter)
    const found = writable(call, calendar, call.params.eventId)
    requireMatch(call.ifMatch, etagOf(found))
    return show(call, calendar, changeEvent(call, calendar, found, call.body, true))
  },

  'calendar.events.delete': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, minWriter)
    const found = writable(call, calendar, call.params.eventId)
    if (found.cancelled) throw deleted()
    requireMatch(call.ifMatch, etagOf(found))
    cancelEvent(call.service, calendar.id, found)
    const organizes = found.doc.organizer?.email === calendar.id
    const recipients = organizes ? guestsOf(found.doc) : [found.doc.organizer?.email ?? calendar.id]
    mail(call, calendar, found.id, found.doc, organizes ? 'Cancelled' : 'Declined', recipients)
  },

  'calendar.events.instances': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'freeBusyReader')
    const master = existing(call, calendar, call.params.eventId)
    if (!master.row?.repeats) throw invalid('The event is not a recurring event.', 'eventId')
    return tagged({ ...head(call, calendar), ...listInstances(call, calendar, master) })
  },

  'calendar.events.import': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, minWriter)
    return show(call, calendar, importEvent(call, calendar))
  },

  'calendar.events.move': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, minWriter)
    const destination = openCalendar(call, call.params.destination, minWriter)
    const found = writable(call, calendar, call.params.eventId)
    requireMatch(call.ifMatch, etagOf(found))
    return show(call, destination, moveEvent(call, calendar, destination, found))
  },

  'calendar.events.quickAdd': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, minWriter)
    const event = readQuickText(call.params.text, call.service.store.now, calendar.data.timeZone)
    return show(call, calendar, insertEvent(call, calendar, event))
  },

  'calendar.events.watch': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'freeBusyReader')
    const uri = `${call.service.baseUrl()}/calendar/v3/calendars/${encodeURIComponent(calendar.id)}/events?alt=json`
    return call.service.of(Channels).open(call, `events:${calendar.id}`, uri)
  },
}

type InstanceKey = [number, string]

function listInstances(
  call: Call<'calendar.events.instances'>,
  calendar: OpenCalendar,
  master: Found,
): Pick<Events, 'items' | 'nextPageToken'> {
  const { store } = call.service
  const { showDeleted, originalStart, maxResults = 250 } = call.params
  const scope = `instances:${calendar.id}:${master.id}`
  const cursor = readCursor<InstanceKey>(call, scope, () => 0)
  // The lower bound is inclusive here, unlike in events.list.
  const bounds = boundsOf(call.params, calendar)
  const wide = { ...bounds, min: bounds.min - 1, dayMin: bounds.dayMin - 1 }
  const row = master.row!
  const masterDoc = docOf(row)
  const found = new Map<string, Found>()
  for (const instance of instancesOf(row, wide, store.now)) found.set(instance.id, instance)
  for (const exception of exceptionsOf(store, calendar.id, master.id)) {
    if (exception.gone && !exception.cancelled && !master.cancelled) continue
    const [min, max] = exception.all_day ? [wide.dayMin, wide.dayMax] : [wide.min, wide.max]
    if (exception.ends > min && exception.starts < max)
      found.set(exception.id, foundException(exception, row, masterDoc))
    else found.delete(exception.id)
  }
  const wanted = [...found.values()]
    .filter((instance) => (showDeleted || !instance.cancelled) && isOriginal(instance.doc, originalStart))
    .map((instance) => ({ instance, key: [instantOf(instance.doc.start), instance.id] as InstanceKey }))
    .filter(
      ({ key }) =>
        !cursor.after || key[0] > cursor.after[0] || (key[0] === cursor.after[0] && key[1] > cursor.after[1]),
    )
    .sort((a, b) => a.key[0] - b.key[0] || (a.key[1] < b.key[1] ? -1 : 1))
  const page = wanted.slice(0, maxResults)
  const last = page.at(-1)
  const items = page.map(({ instance }) => show(call, calendar, instance))
  return last && wanted.length > page.length
    ? { items, nextPageToken: pageToken(call, scope, cursor, last.key) }
    : { items }
}

function isOriginal(doc: EventDoc, wanted: string | undefined): boolean {
  if (wanted === undefined) return true
  const original = doc.originalStartTime
  if (!original) return false
  const time = Date.parse(wanted)
  return original.date ? original.date === wanted.slice(0, 10) : instantOf(original) === time
}

/** Imports a copy by iCalUID: a new event, an existing one, or one instance of a series. Never sends email. */
function importEvent(call: Call<'calendar.events.import'>, calendar: OpenCalendar): Found {
  const { store } = call.service
  const body: Event = { ...call.body, eventType: 'default' }
  for (const name of [
    'outOfOfficeProperties',
    'focusTimeProperties',
    'workingLocationProperties',
    'birthdayProperties',
  ] as const)
    delete body[name]
  const sql = 'SELECT id FROM events WHERE calendar = ? AND uid = ? AND master IS NULL AND moved = 0'
  const known = store.get<{ id: string }>(sql, calendar.id, body.iCalUID!)
  const series = known && writable(call, calendar, known.id)
  if (body.originalStartTime && series?.row?.repeats) {
    const original = body.originalStartTime
    const suffix = original.date
      ? original.date.replace(/-/g, '')
      : compactUtc(instantOf(original, calendar.data.timeZone))
    if (!occurrenceBySuffix(seriesOf(series.doc), suffix))
      throw invalid('The series has no such occurrence.', 'originalStartTime')
    const { originalStartTime: _original, recurringEventId: _master, ...content } = body
    return changeEvent(call, calendar, writable(call, calendar, `${series.id}_${suffix}`), content, false)
  }
  if (!series) return insertEvent(call, calendar, { ...body, id: undefined }, true)
  const { originalStartTime: _original, recurringEventId: _master, ...content } = body
  const result = changeEvent(call, calendar, series, content, false)
  if (!body.organizer?.email || result.doc.organizer?.email === body.organizer.email) return result
  return saveEvent(call.service, calendar.id, result, { ...result.doc, organizer: body.organizer }, { imported: true })
}

const cannotMove = (message: string, reason: string): Problem =>
  new Problem(400, reason, message, { domain: 'calendar' })

/** Moves an event, with its exceptions, to another calendar, which becomes its organizer. */
function moveEvent(call: Call, from: OpenCalendar, to: OpenCalendar, found: Found): Found {
  const { store } = call.service
  if (found.cancelled) throw notFound()
  const type = found.doc.eventType ?? 'default'
  if (type !== 'default') throw cannotMove(`Events of type ${type} cannot be moved.`, 'eventTypeRestriction')
  if (found.master) throw cannotMove('Cannot change the organizer of an instance.', 'cannotChangeOrganizerOfInstance')
  if (from.id === to.id) throw cannotMove('The event is already on this calendar.', 'cannotChangeOrganizer')
  if (found.doc.organizer?.email !== from.id && found.row?.imported !== 1) {
    throw new Problem(403, 'forbiddenForNonOrganizer', 'Only the organizer can move the event.', { domain: 'calendar' })
  }
  const taken = findEvent(store, to.id, found.id)
  const isGuest = taken?.doc.iCalUID === found.doc.iCalUID && taken?.doc.organizer?.email === from.id
  if (taken && !taken.row?.moved && !taken.cancelled && !isGuest)
    throw new Problem(409, 'duplicate', 'The requested identifier already exists.')
  const exceptions = exceptionsOf(store, from.id, found.id)
  const { master: _, ...own } = found
  const doc = { ...found.doc, organizer: organizerOf(to) }
  const moved = writeEvent(call.service, to.id, own, doc, { reminders: found.row?.reminders ?? null })
  for (const exception of exceptions) put(store, { ...exception, calendar: to.id, changed: store.stamp() })
  // A previous organizer who is still a guest keeps the event as a copy.
  if (entryOfGuest(found.doc, from.id)) writeEvent(call.service, from.id, found, doc)
  else {
    for (const row of [found.row!, ...exceptions]) {
      const changed = store.stamp()
      const left = { ...row, cancelled: 1, moved: 1, changed, updated: Math.floor(changed / 1000) }
      put(store, left)
      if (row.repeats) noteSchedule(call.service, left, found.doc)
    }
  }
  deliver(call.service, to.id, found.id, [doc])
  call.service.of(Channels).changed(`events:${from.id}`)
  mail(call, to, found.id, found.doc, 'Updated', guestsOf(found.doc))
  return moved
}

const put = (store: Store, row: EventRow): void =>
  store.put('events', row as unknown as Record<string, string | number | null>)
