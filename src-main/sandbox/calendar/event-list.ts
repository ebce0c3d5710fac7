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
  const listing = new Listing(call, calendar, cursor, window)
  const size = params.maxResults ?? 250
  const keep = filterOf(params, calendar, call.person)
  const items: Event[] = []
  let last: Key | undefined
  for (const entry of listing.entries()) {
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
  /** Bounds for all-day events, whose days are in the calendar's zone. */
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

/** Number of rows to read at once. */
const chunk = 1000

/** One request for a list: reads its entries after the key of the previous page. */
class Listing {
  readonly #store: Store
  readonly #masters: MasterOf
  /** Zone in which deleted events are shown. */
  readonly #zone: string
  readonly #byUpdated: boolean

  constructor(
    private readonly call: Call<'calendar.events.list'>,
    private readonly calendar: OpenCalendar,
    private readonly cursor: Cursor<Key>,
    private readonly bounds: Bounds,
  ) {
    this.#store = call.service.store
    this.#masters = masterCache(this.#store, calendar.id)
    this.#zone = call.params.timeZone ?? calendar.data.timeZone
    this.#byUpdated = call.params.orderBy === 'updated'
  }

  /** Changes since the token, single events, or series, after the previous page. */
  entries(): Iterable<Entry> {
    const { since } = this.cursor
    const { singleEvents } = this.call.params
    if (since === undefined) return singleEvents ? this.#singles() : this.#series()
    return singleEvents ? this.#singleChanges(since) : this.#changes(since)
  }

  /** Rows after a key, in chunks. `columns`: columns of the key. */
  *#rowsAfter(columns: 'id' | 'updated, id' | 'changed, id', after: Key | undefined): Generator<EventRow> {
    const number = columns === 'id' ? undefined : columns === 'updated, id' ? 'updated' : 'changed'
    const where = number ? `(${columns}) > (?, ?)` : 'id > ?'
    const sql = `SELECT * FROM events WHERE calendar = ? AND ${where} ORDER BY ${columns} LIMIT ?`
    let [at, id]: Key = after ?? [-1, '']
    for (;;) {
      const rows = this.#store.all<EventRow>(sql, this.calendar.id, ...(number ? [at] : []), id, chunk)
      yield* rows
      const last = rows.at(-1)
      if (!last || rows.length < chunk) return
      ;[at, id] = [number ? last[number] : 0, last.id]
    }
  }

  /** Events that overlap the bounds. */
  #rowsWithin(repeats: 0 | 1): EventRow[] {
    const { min, max, dayMin, dayMax } = this.bounds
    const sql = 'SELECT * FROM events WHERE calendar = ? AND repeats = ? AND starts < ? AND ends > ?'
    return this.#store.all(sql, this.calendar.id, repeats, Math.max(max, dayMax), Math.min(min, dayMin))
  }

  /** Series, single events, and exceptions, ordered by ID, or by `updated` if requested. */
  *#series(): Generator<Entry> {
    for (const row of this.#rowsAfter(this.#byUpdated ? 'updated, id' : 'id', this.cursor.after)) {
      const found = foundRow(row, this.#masters)
      if (found && touches(found, this.bounds)) yield { key: [this.#byUpdated ? row.updated : 0, row.id], found }
    }
  }

  /** Single events and instances instead of series, by start (or by `updated`). */
  *#singles(): Generator<Entry> {
    const { bounds, calendar } = this
    // Only load the events of the page completely.
    const entries: Array<{ key: Key; read: () => Found | undefined }> = []
    const add = (id: string, start: number, updated: number, read: () => Found | undefined): void => {
      const key: Key = [this.#byUpdated ? updated : start, id]
      if (isAfter(key, this.cursor.after)) entries.push({ key, read })
    }
    for (const row of this.#rowsWithin(0)) {
      if (!within(bounds, row.all_day === 1, row.starts, row.ends) || row.gone) continue
      add(row.id, sortStart(row, calendar), row.updated, () => foundRow(row, this.#masters))
    }
    const overridden = this.#ids('master IS NOT NULL AND (gone = 0 OR cancelled = 1)')
    for (const master of this.#rowsWithin(1)) {
      const { showDeleted, updatedMin } = this.call.params
      if (master.cancelled && !showDeleted && !updatedMin) continue
      for (const found of instancesOf(master, bounds, this.#store.now)) {
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

  /** Changed events, in order of change. Always includes deleted ones. */
  *#changes(since: number): Generator<Entry> {
    for (const row of this.#rowsAfter('changed, id', this.cursor.after ?? [since, '\uffff'])) {
      const entry = this.#changed(row, since)
      if (entry) yield entry
    }
  }

  /** A changed event for a sync. It appears deleted once it leaves the range of the first list. */
  #changed(row: EventRow, since: number): Entry | undefined {
    const found = foundRow(row, this.#masters)
    if (!found) return undefined
    const key: Key = [row.changed, row.id]
    if (found.cancelled || touches(found, this.bounds)) return { key, found }
    const [before] = schedulesSince(this.#store, row, since)
    if (!before) return undefined
    const doc: EventDoc = { ...found.doc, ...before, recurrence: [...before.recurrence] }
    if (!touches({ ...found, doc, row: { ...row, ...columnsOf(doc) } }, this.bounds)) return undefined
    return { key, found, tombstone: goneEvent(row.id, row.changed, found.doc, this.#zone) }
  }

  /** Changed single events and instances. A page may end among the instances of one series. */
  *#singleChanges(since: number): Generator<Entry> {
    for (const row of this.#rowsAfter('changed, id', [since, '\uffff']))
      for (const entry of this.#singlesOf(row, since)) if (isAfter(entry.key, this.cursor.after)) yield entry
  }

  /** Changes of an event, or of a series' instances. */
  #singlesOf(row: EventRow, since: number): Entry[] {
    const entries = new Map<string, Entry>()
    const put = (id: string, entry: Omit<Entry, 'key'>): unknown =>
      entries.set(id, { key: [row.changed, id], ...entry })
    if (!row.master) {
      // Instances of an earlier schedule are gone, unless the current one has them, too.
      for (const series of schedulesSince(this.#store, row, since)) {
        if (series.recurrence.length === 0) continue
        for (const at of expandIn(series, this.bounds, this.#store.now)) {
          const id = `${row.id}_${at.idSuffix}`
          const gone = { recurringEventId: row.id, originalStartTime: at.originalStart }
          put(id, { tombstone: goneEvent(id, row.changed, gone, this.#zone) })
        }
      }
      // An exception that was removed with its occurrence counts as changed, and is listed separately.
      for (const id of this.#ids('master = ? AND gone = 1 AND changed > ?', row.id, since)) entries.delete(id)
    }
    if (row.repeats) {
      const [before] = schedulesSince(this.#store, row, since)
      if (before?.recurrence.length === 0) put(row.id, { tombstone: goneEvent(row.id, row.changed, {}, this.#zone) })
      if (!row.cancelled) {
        const own = this.#ids('master = ? AND gone = 0', row.id)
        for (const found of instancesOf(row, this.bounds, this.#store.now)) {
          if (own.has(found.id)) entries.delete(found.id)
          else put(found.id, { found })
        }
      }
    } else {
      const entry = this.#changed(row, since)
      if (entry) entries.set(row.id, entry)
    }
    return [...entries.values()].sort(order)
  }

  #ids(where: string, ...values: (string | number)[]): ReadonlySet<string> {
    const sql = `SELECT id FROM events WHERE calendar = ? AND ${where}`
    return new Set(this.#store.all<{ id: string }>(sql, this.calendar.id, ...values).map(({ id }) => id))
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

/** Schedules that an event has had since a stamp, the earliest first. */
const schedulesSince = (store: Store, row: EventRow, since: number): Series[] =>
  store
    .all<{ data: string }>(
      'SELECT data FROM schedules WHERE calendar = ? AND id = ? AND until > ? ORDER BY until',
      row.calendar,
      row.id,
      since,
    )
    .map(({ data }) => JSON.parse(data) as Series)
