import type { Event } from '#shared/wire/calendar/types'
import { instantOf, isAllDay } from '#shared/time/event-time'
import { occurrences, type Occurrence, type Series } from '#shared/time/recurrence'
import { wallOfInstant } from '#shared/time/zones'
import { pageToken, readCursor, syncToken, type Cursor, type Window } from '../cursors'
import type { Call, Person } from '../operation'
import { Problem, badRequest } from '../problems'
import type { Store } from '../store'
import type { OpenCalendar } from './access'
import {
  columnsOf,
  docOf,
  foundException,
  instanceDoc,
  seriesOf,
  type EventDoc,
  type EventRow,
  type Found,
} from './event-row'
import { goneEvent, viewEvent } from './event-view'

type Params = Call<'calendar.events.list'>['params']
type Key = [number, string]

/** An entry of a list before it is shown. */
interface Entry {
  key: Key
  found?: Found
  /** Set for events that the reader can no longer see. Returned unchanged. */
  tombstone?: Event
}

const dayMs = 86_400_000
/** Expansion limit of endless series if the caller gives no `timeMax`. */
const horizonMs = 2 * 366 * dayMs
const oldestUpdatedMin = 28 * dayMs
const ever = 8.64e15

export interface EventPage {
  items: Event[]
  nextPageToken?: string
  nextSyncToken?: string
}

export function listEvents(call: Call<'calendar.events.list'>, calendar: OpenCalendar): EventPage {
  const { params } = call
  const { store } = call.service
  if (params.orderBy === 'startTime' && !params.singleEvents) {
    throw badRequest('The requested ordering is not available for the particular query.')
  }
  if (params.updatedMin && Date.parse(params.updatedMin) < store.now - oldestUpdatedMin) {
    const message = 'The requested minimum modification time lies too far in the past.'
    throw new Problem(410, 'updatedMinTooLongAgo', message, { domain: 'calendar', location: 'updatedMin' })
  }
  const scope = `events:${calendar.id}`
  const cursor = readCursor<Key>(call, scope, () => lastChange(store, calendar.id).changed)
  const window = boundsOf(cursor.window ?? params, calendar)
  const source = cursor.since !== undefined ? changedEntries : params.singleEvents ? singleEntries : seriesEntries
  const size = params.maxResults ?? 250
  const keep = filterOf(params, calendar, call.person)
  const items: Event[] = []
  let last: Key | undefined
  for (const entry of source(call, calendar, cursor, window)) {
    if (entry.found && !keep(entry.found, cursor.since !== undefined)) continue
    if (items.length === size) return { items, nextPageToken: pageToken(call, scope, cursor, last!) }
    items.push(entry.tombstone ?? viewEvent(entry.found!, calendar, call.person, params))
    last = entry.key
  }
  return syncable(params) ? { items, nextSyncToken: syncToken(call, scope, cursor) } : { items }
}

export function lastChange(store: Store, calendar: string): { changed: number; updated: number } {
  const sql = 'SELECT changed, updated FROM events WHERE calendar = ? ORDER BY changed DESC LIMIT 1'
  return store.get<{ changed: number; updated: number }>(sql, calendar) ?? { changed: 0, updated: 0 }
}

/** Returns false for restrictions that a sync can't repeat. Such lists get no sync token. */
function syncable(params: Params): boolean {
  const { iCalUID, orderBy, privateExtendedProperty, q, sharedExtendedProperty, updatedMin } = params
  return !(iCalUID || orderBy || privateExtendedProperty || q || sharedExtendedProperty || updatedMin)
}

export interface Bounds {
  min: number
  max: number
  /** The same bounds for all-day events, whose days are in the calendar's zone. */
  dayMin: number
  dayMax: number
}

const wholeSeconds = (text: string): number => Math.floor(Date.parse(text) / 1000) * 1000

export function boundsOf(window: Window, calendar: OpenCalendar): Bounds {
  const zone = calendar.data.timeZone
  const min = window.timeMin ? wholeSeconds(window.timeMin) : -ever
  const max = window.timeMax ? wholeSeconds(window.timeMax) : ever
  return {
    min,
    max,
    dayMin: window.timeMin ? wallOfInstant(min, zone) : -ever,
    dayMax: window.timeMax ? wallOfInstant(max, zone) : ever,
  }
}

const within = (bounds: Bounds, allDay: boolean, start: number, end: number): boolean =>
  allDay ? end > bounds.dayMin && start < bounds.dayMax : end > bounds.min && start < bounds.max

/** Filters deleted events of a plain list by the service's rules for showDeleted and singleEvents. */
function filterOf(params: Params, calendar: OpenCalendar, person: Person): (found: Found, sync: boolean) => boolean {
  const since = params.updatedMin ? Date.parse(params.updatedMin) : undefined
  const words = params.q?.toLowerCase().split(/\s+/).filter(Boolean)
  const searches = words ?? params.privateExtendedProperty ?? params.sharedExtendedProperty
  return (found, sync) => {
    const version = found.row ?? found.master!
    if (since !== undefined && version.updated < since) return false
    if (found.cancelled && !sync && !params.showDeleted && since === undefined) {
      const cancelledException = found.row?.cancelled === 1 && found.row.gone === 0 && found.master?.cancelled === 0
      if (params.singleEvents || !cancelledException) return false
    }
    if (params.eventTypes && !params.eventTypes.includes(found.doc.eventType ?? 'default')) return false
    if (params.iCalUID && found.doc.iCalUID !== params.iCalUID) return false
    if (!searches) return true
    // The search uses the event as this person sees it, so that hidden text can't be found.
    const { maxAttendees: _cut, ...options } = params
    const shown = viewEvent(found, calendar, person, options)
    if (!hasProperties(shown.extendedProperties?.private, params.privateExtendedProperty)) return false
    if (!hasProperties(shown.extendedProperties?.shared, params.sharedExtendedProperty)) return false
    return !words || matches(shown, words, calendar)
  }
}

function hasProperties(map: Record<string, string> | undefined, wanted: readonly string[] | undefined): boolean {
  return (wanted ?? []).every((pair) => {
    const at = pair.indexOf('=')
    return at > 0 && map?.[pair.slice(0, at)] === pair.slice(at + 1)
  })
}

function matches(doc: Event, words: readonly string[], calendar: OpenCalendar): boolean {
  const { officeLocation, customLocation } = doc.workingLocationProperties ?? {}
  const place = [officeLocation?.label, officeLocation?.buildingId, customLocation?.label]
  const guests = (doc.attendees ?? []).flatMap((attendee) => [attendee.displayName, attendee.email])
  const organizer =
    doc.organizer?.email === calendar.id
      ? [doc.organizer.displayName]
      : [doc.organizer?.displayName, doc.organizer?.email]
  const text = [doc.summary, doc.description, doc.location, ...guests, ...organizer, ...place].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

const chunk = 1000

/** Series, single events, and exceptions, ordered by ID, or by `updated` if requested. */
function* seriesEntries(
  call: Call<'calendar.events.list'>,
  calendar: OpenCalendar,
  cursor: Cursor<Key>,
  bounds: Bounds,
): Generator<Entry> {
  const { store } = call.service
  const byUpdated = call.params.orderBy === 'updated'
  const masters = masterCache(store, calendar.id)
  let after = cursor.after
  for (;;) {
    const rows: EventRow[] = byUpdated
      ? store.all(
          'SELECT * FROM events WHERE calendar = ? AND (updated, id) > (?, ?) ORDER BY updated, id LIMIT ?',
          calendar.id,
          after?.[0] ?? -1,
          after?.[1] ?? '',
          chunk,
        )
      : store.all(
          'SELECT * FROM events WHERE calendar = ? AND id > ? ORDER BY id LIMIT ?',
          calendar.id,
          after?.[1] ?? '',
          chunk,
        )
    for (const row of rows) {
      const key: Key = [byUpdated ? row.updated : 0, row.id]
      const found = foundRow(row, masters)
      if (found && touches(found, bounds)) yield { key, found }
    }
    const last = rows.at(-1)
    if (!last || rows.length < chunk) return
    after = [last.updated, last.id]
  }
}

function touches(found: Found, bounds: Bounds): boolean {
  const row = found.row!
  if (!within(bounds, row.all_day === 1, row.starts, row.ends)) return false
  if (!row.repeats || bounds.min === -ever || bounds.max === ever) return true
  const [from, to] = row.all_day ? [bounds.dayMin, bounds.dayMax] : [bounds.min, bounds.max]
  return expand(seriesOf(found.doc), from, to, 1).length > 0
}

type MasterOf = (id: string) => { row: EventRow; doc: EventDoc } | undefined

function masterCache(store: Store, calendar: string): MasterOf {
  const known = new Map<string, { row: EventRow; doc: EventDoc } | undefined>()
  return (id) => {
    if (!known.has(id)) {
      const row = store.get<EventRow>('SELECT * FROM events WHERE calendar = ? AND id = ?', calendar, id)
      known.set(id, row && { row, doc: docOf(row) })
    }
    return known.get(id)
  }
}

function foundRow(row: EventRow, masters: MasterOf): Found | undefined {
  if (!row.master) return { id: row.id, row, doc: docOf(row), cancelled: row.cancelled === 1 }
  const master = masters(row.master)
  return master && foundException(row, master.row, master.doc)
}

const order = (a: { key: Key }, b: { key: Key }): number =>
  a.key[0] - b.key[0] || (a.key[1] < b.key[1] ? -1 : a.key[1] > b.key[1] ? 1 : 0)

function isAfter(key: Key, after: Key | undefined): boolean {
  return !after || key[0] > after[0] || (key[0] === after[0] && key[1] > after[1])
}

/** Single events and instances instead of series, by start (or by `updated`). */
function* singleEntries(
  call: Call<'calendar.events.list'>,
  calendar: OpenCalendar,
  cursor: Cursor<Key>,
  bounds: Bounds,
): Generator<Entry> {
  const { store } = call.service
  const byUpdated = call.params.orderBy === 'updated'
  // Only load the events of the page completely.
  const entries: Array<{ key: Key; read: () => Found | undefined }> = []
  const add = (id: string, start: number, updated: number, read: () => Found | undefined): void => {
    const key: Key = [byUpdated ? updated : start, id]
    if (isAfter(key, cursor.after)) entries.push({ key, read })
  }
  const masters = masterCache(store, calendar.id)
  const sql = `SELECT * FROM events WHERE calendar = ? AND repeats = 0 AND starts < ? AND ends > ?`
  const rows = store.all<EventRow>(
    sql,
    calendar.id,
    Math.max(bounds.max, bounds.dayMax),
    Math.min(bounds.min, bounds.dayMin),
  )
  const overridden = new Set<string>()
  for (const row of store.all<{ id: string }>(
    'SELECT id FROM events WHERE calendar = ? AND master IS NOT NULL AND (gone = 0 OR cancelled = 1)',
    calendar.id,
  )) {
    overridden.add(row.id)
  }
  for (const row of rows) {
    if (!within(bounds, row.all_day === 1, row.starts, row.ends) || row.gone) continue
    add(row.id, sortStart(row, calendar), row.updated, () => foundRow(row, masters))
  }
  const series = store.all<EventRow>(
    'SELECT * FROM events WHERE calendar = ? AND repeats = 1 AND starts < ? AND ends > ?',
    calendar.id,
    Math.max(bounds.max, bounds.dayMax),
    Math.min(bounds.min, bounds.dayMin),
  )
  for (const master of series) {
    if (master.cancelled && !call.params.showDeleted) continue
    for (const found of instancesOf(master, bounds, store.now)) {
      if (overridden.has(found.id)) continue
      const start = sortStart({ all_day: master.all_day, starts: found.occurrence!.start }, calendar)
      add(found.id, start, master.updated, () => found)
    }
  }
  for (const { key, read } of entries.sort(order)) {
    const found = read()
    if (found) yield { key, found }
  }
}

/** All-day events sort by midnight in the calendar's zone. */
const sortStart = (row: Pick<EventRow, 'all_day' | 'starts'>, calendar: OpenCalendar): number =>
  row.all_day ? row.starts - (wallOfInstant(row.starts, calendar.data.timeZone) - row.starts) : row.starts

/** Expands a series. A rule that can't be expanded that far returns nothing instead of failing the whole list. */
function expand(series: Series, from: number, to: number, limit?: number): Occurrence[] {
  try {
    return occurrences(series, from, to, limit)
  } catch {
    return []
  }
}

/** Expands a series within bounds. Endless series without an upper bound end at the horizon. */
function expandIn(series: Series, bounds: Bounds, now: number): Occurrence[] {
  const start = instantOf(series.start)
  const [from, to] = isAllDay(series.start) ? [bounds.dayMin, bounds.dayMax] : [bounds.min, bounds.max]
  return expand(series, Math.max(from, start - dayMs), to === ever ? Math.max(now, start) + horizonMs : to)
}

export function instancesOf(master: EventRow, bounds: Bounds, now: number): Found[] {
  const doc = docOf(master)
  return expandIn(seriesOf(doc), bounds, now).map((occurrence) => ({
    id: `${master.id}_${occurrence.idSuffix}`,
    doc: instanceDoc(doc, master.id, occurrence),
    master,
    occurrence,
    cancelled: master.cancelled === 1,
  }))
}

/** Changes since the token, in order of change. Always includes deleted entries. */
function* changedEntries(
  call: Call<'calendar.events.list'>,
  calendar: OpenCalendar,
  cursor: Cursor<Key>,
  bounds: Bounds,
): Generator<Entry> {
  const { store } = call.service
  const masters = masterCache(store, calendar.id)
  const sql = 'SELECT * FROM events WHERE calendar = ? AND (changed, id) > (?, ?) ORDER BY changed, id'
  if (!call.params.singleEvents) {
    let after: Key = cursor.after ?? [cursor.since!, '\uffff']
    for (;;) {
      const rows = store.all<EventRow>(`${sql} LIMIT ?`, calendar.id, after[0], after[1], chunk)
      for (const row of rows) {
        const found = foundRow(row, masters)
        const entry = found && changedEntry(call, calendar, found, cursor.since!, bounds)
        if (entry) yield entry
      }
      const last = rows.at(-1)
      if (!last || rows.length < chunk) return
      after = [last.changed, last.id]
    }
  }
  for (const row of store.all<EventRow>(sql, calendar.id, cursor.since!, '\uffff')) {
    for (const entry of singleChanges(call, calendar, row, masters, cursor.since!, bounds))
      if (isAfter(entry.key, cursor.after)) yield entry
  }
}

/** A changed event for a sync. It appears deleted once it leaves the range of the first list. */
function changedEntry(
  call: Call<'calendar.events.list'>,
  calendar: OpenCalendar,
  found: Found,
  since: number,
  bounds: Bounds,
): Entry | undefined {
  const row = found.row!
  const key: Key = [row.changed, row.id]
  if (found.cancelled || touches(found, bounds)) return { key, found }
  const [before] = schedulesSince(call.service.store, row, since)
  if (!before) return undefined
  const doc: EventDoc = { ...found.doc, ...before, recurrence: [...before.recurrence] }
  if (!touches({ ...found, doc, row: { ...row, ...columnsOf(doc) } }, bounds)) return undefined
  return { key, found, tombstone: goneEvent(row.id, row.changed, found.doc, zoneOf(call, calendar)) }
}

const zoneOf = (call: Call<'calendar.events.list'>, calendar: OpenCalendar): string =>
  call.params.timeZone ?? calendar.data.timeZone

/** When an event was since a stamp, the earliest first. */
const schedulesSince = (store: Store, row: EventRow, since: number): Series[] =>
  store
    .all<{ data: string }>(
      'SELECT data FROM schedules WHERE calendar = ? AND id = ? AND until > ? ORDER BY until',
      row.calendar,
      row.id,
      since,
    )
    .map(({ data }) => JSON.parse(data) as Series)

function* singleChanges(
  call: Call<'calendar.events.list'>,
  calendar: OpenCalendar,
  row: EventRow,
  masters: MasterOf,
  since: number,
  bounds: Bounds,
): Generator<Entry> {
  const { store } = call.service
  const key = (id: string): Key => [row.changed, id]
  const entries = new Map<string, Entry>()
  if (!row.master) {
    // Instances that an earlier schedule had are gone, unless the present one has them too.
    for (const series of schedulesSince(store, row, since)) {
      if (series.recurrence.length === 0) continue
      for (const at of expandIn(series, bounds, store.now)) {
        const id = `${row.id}_${at.idSuffix}`
        const gone = { recurringEventId: row.id, originalStartTime: at.originalStart }
        entries.set(id, { key: key(id), tombstone: goneEvent(id, row.changed, gone, zoneOf(call, calendar)) })
      }
    }
    // An exception that was removed with its occurrence has changed itself, and is listed separately.
    const fallen = 'SELECT id FROM events WHERE calendar = ? AND master = ? AND gone = 1 AND changed > ?'
    for (const { id } of store.all<{ id: string }>(fallen, row.calendar, row.id, since)) entries.delete(id)
  }
  if (row.repeats) {
    const [before] = schedulesSince(store, row, since)
    if (before?.recurrence.length === 0) {
      const gone = goneEvent(row.id, row.changed, {}, zoneOf(call, calendar))
      entries.set(row.id, { key: key(row.id), tombstone: gone })
    }
    if (!row.cancelled) {
      const own = new Set(
        store
          .all<{ id: string }>(
            'SELECT id FROM events WHERE calendar = ? AND master = ? AND gone = 0',
            row.calendar,
            row.id,
          )
          .map(({ id }) => id),
      )
      for (const found of instancesOf(row, bounds, store.now)) {
        if (own.has(found.id)) entries.delete(found.id)
        else entries.set(found.id, { key: key(found.id), found })
      }
    }
  } else {
    const found = foundRow(row, masters)
    const entry = found && changedEntry(call, calendar, found, since, bounds)
    if (entry) entries.set(row.id, entry)
  }
  yield* [...entries.values()].sort(order)
}
