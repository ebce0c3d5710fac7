import { createHash } from 'node:crypto'
import { instanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'
import { instantOf, type EventTime } from '#shared/time/event-time'
import { compactUtc } from '#shared/time/zones'
import { services } from '#shared/wire/services'
import { schemaMismatch } from '#shared/wire/shape'

/** Reminders of an event without its own: those of its calendar. */
const noneOwn = { useDefault: true }

/** Events whose own reminders don't count. */
export const withoutAlarms = (records: readonly RemoteRecord[]): RemoteRecord[] =>
  records.map((record) =>
    record.value?.['reminders'] ? { ...record, value: { ...record.value, reminders: noneOwn } } : record,
  )

/** What is taken from an event on the web. Others could refer to this account's records, such as tasks. */
const fields = [
  'iCalUID',
  'sequence',
  'start',
  'end',
  'summary',
  'description',
  'location',
  'recurrence',
  'transparency',
  'visibility',
  'organizer',
  'attendees',
] as const

/** Events of a calendar file as records of a subscribed calendar. Their IDs stay the same from one copy to the next. */
export function recordsOf(calendarId: string, events: readonly JsonObject[], zone: string): RemoteRecord[] {
  const series = new Set(events.filter((event) => !event['originalStartTime']).map((event) => String(event['iCalUID'])))
  const records = new Map<string, RemoteRecord>()
  for (const event of events) {
    const record = recordOf(calendarId, event, series, zone)
    if (record) records.set(record.id, record)
  }
  return [...records.values()]
}

function recordOf(
  calendarId: string,
  event: JsonObject,
  series: ReadonlySet<string>,
  zone: string,
): RemoteRecord | undefined {
  const uid = String(event['iCalUID'])
  const original = event['originalStartTime'] as EventTime | undefined
  const suffix = original && (original.date ? original.date.replace(/-/g, '') : compactUtc(instantOf(original, zone)))
  const isException = suffix !== undefined && series.has(uid)
  const cancelled = event['status'] === 'cancelled'
  if (cancelled && !isException) return undefined
  const master = hash(uid)
  const id = isException ? instanceId(master, suffix) : suffix === undefined ? master : hash(`${uid}\n${suffix}`)
  const place: JsonObject = {
    id,
    status: cancelled ? 'cancelled' : event['status'] === 'tentative' ? 'tentative' : 'confirmed',
    ...(isException && { recurringEventId: master, originalStartTime: event['originalStartTime']! }),
  }
  const content: JsonObject = {}
  for (const field of fields) if (event[field] !== undefined) content[field] = event[field]
  const value: JsonObject = cancelled ? place : { ...content, ...place, reminders: event['reminders'] ?? noneOwn }
  if (schemaMismatch(services.calendar, 'Event', value)) return undefined
  return { collection: 'events', parent: calendarId, id, value, etag: hash(JSON.stringify(value)) }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
