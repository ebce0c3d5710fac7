import type { Event } from '#shared/wire/calendar/types'
import { instantOf, isAllDay } from '#shared/time/event-time'
import { occurrenceBySuffix, occurrences, seriesEnd, type Occurrence, type Series } from '#shared/time/recurrence'
import { rfc3339 } from '#shared/time/zones'
import type { Store } from '../store'

/** A stored event. An exception's `data` only holds differences from its series, with `null` for missing fields. */
export interface EventRow {
  calendar: string
  id: string
  /** ID of the recurring event, for an exception. */
  master: string | null
  suffix: string | null
  starts: number
  ends: number
  all_day: number
  repeats: number
  type: string
  uid: string
  cancelled: number
  /** Set for an exception whose series was deleted or no longer has its occurrence. */
  gone: number
  /** Set for the tombstone left by a move to another calendar. */
  moved: number
  imported: number
  created: number
  updated: number
  changed: number
  data: string
  /** Reminders by person. */
  reminders: string | null
}

/** Stored part of an event: the fields clients write, without those that differ by reader. */
export type EventDoc = Omit<Event, 'kind' | 'etag' | 'id' | 'htmlLink' | 'created' | 'updated' | 'reminders'> & {
  start: NonNullable<Event['start']>
  end: NonNullable<Event['end']>
}

/** Ends of a series without end. */
export const endless = 8.64e15

const byId = 'SELECT * FROM events WHERE calendar = ? AND id = ?'

export const findRow = (store: Store, calendar: string, id: string): EventRow | undefined =>
  store.get<EventRow>(byId, calendar, id)

export const exceptionsOf = (store: Store, calendar: string, master: string): EventRow[] =>
  store.all<EventRow>('SELECT * FROM events WHERE calendar = ? AND master = ?', calendar, master)

export const docOf = (row: EventRow): EventDoc => JSON.parse(row.data) as EventDoc

export const seriesOf = (doc: EventDoc): Series => ({
  start: doc.start,
  end: doc.end,
  recurrence: doc.recurrence ?? [],
})

const trialMs = 9 * 366 * 86_400_000

/** End of a series. A series without occurrences, or with an unsupported rule, ends with its first event. */
function endOfSeries(doc: EventDoc): number {
  const series = seriesOf(doc)
  const first = instantOf(doc.start)
  try {
    const happens =
      series.recurrence.some((line) => /^RDATE/i.test(line)) ||
      occurrences(series, first, first + trialMs, 1).length > 0
    return happens ? (seriesEnd(series) ?? endless) : instantOf(doc.end)
  } catch {
    return instantOf(doc.end)
  }
}

/** Searchable columns of an event. */
export function columnsOf(doc: EventDoc): Pick<EventRow, 'starts' | 'ends' | 'all_day' | 'repeats'> {
  const repeats = (doc.recurrence?.length ?? 0) > 0
  return {
    starts: instantOf(doc.start),
    ends: repeats ? endOfSeries(doc) : instantOf(doc.end),
    all_day: isAllDay(doc.start) ? 1 : 0,
    repeats: repeats ? 1 : 0,
  }
}

/** The untouched instance of a series at one of its occurrences. */
export function instanceDoc(master: EventDoc, masterId: string, at: Occurrence): EventDoc {
  const { recurrence: _, ...shared } = master
  const zone = master.start.timeZone ?? 'UTC'
  const timed = (instant: number, own: string | undefined): EventDoc['start'] => ({
    dateTime: rfc3339(instant, own ?? zone),
    timeZone: own ?? zone,
  })
  const day = (instant: number): EventDoc['start'] => ({ date: new Date(instant).toISOString().slice(0, 10) })
  const allDay = isAllDay(master.start)
  return {
    ...shared,
    start: allDay ? day(at.start) : timed(at.start, master.start.timeZone),
    end: allDay ? day(at.end) : timed(at.end, master.end.timeZone),
    recurringEventId: masterId,
    originalStartTime: at.originalStart,
  }
}

/** Splits an instance ID, `<series id>_<suffix>`. */
export function splitInstanceId(id: string): { master: string; suffix: string } | undefined {
  const match = /^(.+)_(\d{8}(?:T\d{6}Z)?)$/.exec(id)
  return match ? { master: match[1]!, suffix: match[2]! } : undefined
}

/** An event with its content, from its row, its series, or both. */
export interface Found {
  id: string
  doc: EventDoc
  /** Absent for an instance that was never changed. */
  row?: EventRow
  master?: EventRow
  occurrence?: Occurrence
  cancelled: boolean
}

/** The event with this ID, including deleted ones and unchanged instances. Undefined if there is none. */
export function findEvent(store: Store, calendar: string, id: string): Found | undefined {
  const row = findRow(store, calendar, id)
  if (row && !row.master) return { id, row, doc: docOf(row), cancelled: row.cancelled === 1 }
  const parts = splitInstanceId(id)
  const master = parts && findRow(store, calendar, parts.master)
  if (!parts || !master || master.master) return undefined
  if (row) return foundException(row, master)
  if (!master.repeats) return undefined
  const doc = docOf(master)
  const occurrence = occurrenceBySuffix(seriesOf(doc), parts.suffix)
  if (!occurrence) return undefined
  return { id, doc: instanceDoc(doc, master.id, occurrence), master, occurrence, cancelled: master.cancelled === 1 }
}

/** Combines an exception with its series. */
export function foundException(row: EventRow, master: EventRow, masterDoc = docOf(master)): Found {
  const occurrence = masterDoc.recurrence?.length
    ? occurrenceBySuffix(seriesOf(masterDoc), row.suffix ?? '')
    : undefined
  const own = JSON.parse(row.data) as Partial<EventDoc>
  const base: Partial<EventDoc> = occurrence
    ? instanceDoc(masterDoc, master.id, occurrence)
    : { ...masterDoc, recurrence: undefined }
  const doc: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(own)) {
    if (value === null) delete doc[name]
    else doc[name] = value
  }
  return {
    id: row.id,
    doc: doc as unknown as EventDoc,
    row,
    master,
    occurrence,
    cancelled: row.cancelled === 1 || row.gone === 1 || master.cancelled === 1,
  }
}
