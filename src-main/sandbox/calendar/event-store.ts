import type { Event } from '#shared/wire/calendar/types'
import { sameJson } from '#shared/json'
import { occurrenceBySuffix } from '#shared/time/recurrence'
import type { Service } from '../operation'
import { columnsOf, docOf, exceptionsOf, findEvent, foundException, instanceDoc, seriesOf } from './event-row'
import type { EventDoc, EventRow, Found } from './event-row'
import { Channels } from '../channels'

export interface Saving {
  cancelled?: boolean
  imported?: boolean
  /** Creation time of the event, for a copy of an older one. */
  created?: number
  /** The reminders column. Unchanged if absent. */
  reminders?: string | null
  /** True if only the caller's reminders changed, so that `updated` stays. */
  silent?: boolean
}

/**
 * Writes an event of one calendar: a row of its own, or the differences from its series. Exceptions of a changed series
 * follow it, and watchers are notified. Runs inside a transaction. Users' writes go through `saveEvent` of
 * `invitations.ts`, which updates the other calendars.
 */
export function writeEvent(
  service: Service,
  calendar: string,
  found: Omit<Found, 'cancelled'>,
  doc: EventDoc,
  how: Saving = {},
): Found {
  const { store } = service
  const { row, master, occurrence } = found
  const cancelled = how.cancelled ? 1 : 0
  const changed = store.stamp()
  const updated = how.silent && row ? row.updated : Math.floor(changed / 1000)
  const columns = columnsOf(doc)
  const next: EventRow = {
    calendar,
    id: found.id,
    master: master?.id ?? null,
    suffix: master ? (row?.suffix ?? occurrence?.idSuffix ?? null) : null,
    ...columns,
    type: doc.eventType ?? 'default',
    uid: doc.iCalUID ?? '',
    cancelled,
    gone: 0,
    moved: cancelled && row?.calendar === calendar ? row.moved : 0,
    imported: how.imported ? 1 : (row?.imported ?? master?.imported ?? 0),
    created: how.created ?? row?.created ?? master?.created ?? updated,
    updated,
    changed,
    data: JSON.stringify(
      master && occurrence ? differences(doc, instanceDoc(docOf(master), master.id, occurrence)) : doc,
    ),
    reminders: how.reminders !== undefined ? how.reminders : (row?.reminders ?? null),
  }
  if (row || master) keepSchedule(service, next, row?.cancelled === 1, found.doc, doc)
  store.put('events', next as unknown as Record<string, string | number | null>)
  if (!master && (row?.repeats || columns.repeats)) followSeries(service, calendar, next, doc)
  service.of(Channels).changed(`events:${calendar}`)
  return findEvent(store, calendar, found.id)!
}

function differences(doc: EventDoc, base: EventDoc): Record<string, unknown> {
  const own: Record<string, unknown> = {}
  const a = doc as unknown as Record<string, unknown>
  const b = base as unknown as Record<string, unknown>
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (!sameJson(a[name], b[name])) own[name] = a[name] ?? null
  }
  return own
}

/**
 * Records the event's earlier times, so that a sync can list instances that no longer exist, and events that left the
 * range of its first list.
 */
function keepSchedule(service: Service, next: EventRow, wasCancelled: boolean, before: EventDoc, doc: EventDoc): void {
  if (wasCancelled) return
  const falls = next.cancelled === 1 && before.recurrence !== undefined
  if (falls || !sameJson(seriesOf(before), seriesOf(doc))) noteSchedule(service, next, before)
}

/** Records the schedule that an event had until a change. */
export function noteSchedule(service: Service, { calendar, id, changed }: EventRow, before: EventDoc): void {
  service.store.put('schedules', { calendar, id, until: changed, data: JSON.stringify(seriesOf(before)) })
}

/** Updates the exceptions of a series, which exist only with their series and occurrences, and inherit its content. */
function followSeries(service: Service, calendar: string, master: EventRow, doc: EventDoc): void {
  const { store } = service
  for (const exception of exceptionsOf(store, calendar, master.id)) {
    const occurs = master.repeats === 1 && occurrenceBySuffix(seriesOf(doc), exception.suffix ?? '') !== undefined
    const gone = !occurs || master.cancelled === 1 ? 1 : 0
    if (gone && exception.gone) continue
    if (exception.cancelled && gone === exception.gone) continue
    const changed = store.stamp()
    const columns = gone ? {} : columnsOf(foundException(exception, master, doc).doc)
    const next = { ...exception, ...columns, gone, changed, updated: Math.floor(changed / 1000) }
    store.put('events', next as unknown as Record<string, string | number | null>)
  }
}

export function withReminders(
  stored: string | null | undefined,
  person: string,
  reminders: NonNullable<Event['reminders']>,
): string {
  const all = stored ? (JSON.parse(stored) as Record<string, unknown>) : {}
  return JSON.stringify({ ...all, [person]: reminders })
}
