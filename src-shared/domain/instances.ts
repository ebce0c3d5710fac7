import type { JsonObject } from '#shared/json'
import type { EventTime } from '#shared/time/event-time'
import type { Occurrence, Series } from '#shared/time/recurrence'
import { timeAtInstant } from '#shared/time/event-time'
import { dateOfWall } from '#shared/time/zones'

/** Instances of recurring events: `<master id>_<original start in UTC>`, all-day `<master id>_<date>`. */
export interface InstanceId {
  masterId: string
  suffix: string
  /** Original start in epoch milliseconds, of an all-day event the UTC midnight of its date. */
  instant: number
  allDay: boolean
}

const form = /^(.+)_(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/

export function parseInstanceId(id: string): InstanceId | undefined {
  const match = form.exec(id)
  if (!match) return undefined
  const [, masterId, year, month, day, hour, minute, second] = match
  const instant = Date.UTC(+year!, +month! - 1, +day!, +(hour ?? 0), +(minute ?? 0), +(second ?? 0))
  return { masterId: masterId!, suffix: id.slice(masterId!.length + 1), instant, allDay: hour === undefined }
}

export const instanceId = (masterId: string, suffix: string): string => `${masterId}_${suffix}`

/** The recurring event in the form for `time/recurrence`. Undefined without a recurrence or times. */
export function seriesOf(event: JsonObject | null | undefined): Series | undefined {
  if (!event || !Array.isArray(event.recurrence) || event.recurrence.length === 0) return undefined
  if (!event.start || !event.end) return undefined
  return event as unknown as Series
}

const notInherited = new Set(['recurrence', 'id', 'etag', 'start', 'end', 'updated', 'created', 'htmlLink'])

/** An unchanged occurrence as the service would show it: the master's content at the occurrence's own times. */
export function deriveInstance(master: JsonObject, occurrence: Occurrence): JsonObject {
  const instance: JsonObject = {}
  for (const [field, value] of Object.entries(master)) if (!notInherited.has(field)) instance[field] = value
  const start = master.start as unknown as EventTime
  const end = master.end as unknown as EventTime
  instance.id = instanceId(String(master.id), occurrence.idSuffix)
  instance.recurringEventId = String(master.id)
  instance.originalStartTime = { ...occurrence.originalStart }
  instance.start = { ...timeLike(occurrence.start, start, start) }
  instance.end = { ...timeLike(occurrence.end, end, start) }
  return instance
}

function timeLike(instant: number, like: EventTime, fallback: EventTime): EventTime {
  if (like.date) return { date: dateOfWall(instant) }
  return timeAtInstant(instant, like.timeZone ?? fallback.timeZone ?? 'UTC')
}

/** Stored part of a canceled occurrence: enough to hide it. */
export function cancelledInstance(id: InstanceId): JsonObject {
  const originalStartTime: JsonObject = id.allDay
    ? { date: dateOfWall(id.instant) }
    : { dateTime: new Date(id.instant).toISOString() }
  return {
    id: instanceId(id.masterId, id.suffix),
    status: 'cancelled',
    recurringEventId: id.masterId,
    originalStartTime,
  }
}
