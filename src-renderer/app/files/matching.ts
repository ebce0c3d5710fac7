import { parseInstanceId, seriesOf } from '#shared/domain/instances'
import { occurrenceMeant } from '#shared/domain/original-start'
import { eventField, eventFieldsWith } from '#shared/facts/event-fields'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { instantOf, type EventTime } from '#shared/time/event-time'
import { parseRecurrenceLine } from '#shared/time/recurrence-lines'
import { compactUtc } from '#shared/time/zones'

/**
 * `changed` means a newer SEQUENCE. `differs` means the same or an older SEQUENCE with other content, which isn't
 * selected by default.
 */
export type Match = 'new' | 'changed' | 'differs' | 'same' | 'cannot'

export interface Proposal {
  kind: Match
  event: JsonObject
  /** The event here that it is, with its fields that differ. */
  local?: JsonObject
  fields: string[]
  /** Why the event can't be imported. */
  reason?: string
}

/** Fields that an iCalendar file carries. Fields that the service sets aren't compared. */
const compared = eventFieldsWith(({ file, compared = true }) => file !== undefined && compared)

const isTime = (value: Json | undefined): value is JsonObject =>
  isJsonObject(value) && ('date' in value || 'dateTime' in value)

/** Returns the date or instant of the occurrence that an exception replaces. */
export function occurrenceOf(time: EventTime, zone: string): string {
  return time.date ? time.date.replaceAll('-', '') : compactUtc(instantOf(time, zone))
}

function normal(field: string, value: Json | undefined, zone: string): Json {
  if (value === undefined || value === null || value === '') return eventField(field)?.usual ?? null
  if (isTime(value))
    return value['date'] !== undefined ? `${String(value['date'])}` : instantOf(value as EventTime, zone)
  if (field === 'attendees' && Array.isArray(value)) {
    return value
      .filter(isJsonObject)
      .map(
        (guest) =>
          `${String(guest['email']).toLowerCase()} ${String(guest['responseStatus'] ?? 'needsAction')} ${guest['optional'] === true}`,
      )
      .sort()
  }
  if (field === 'reminders' && isJsonObject(value)) {
    const overrides = Array.isArray(value['overrides']) ? value['overrides'].filter(isJsonObject) : []
    return value['useDefault'] === true
      ? null
      : overrides.map((one) => `${String(one['method'])} ${String(one['minutes'])}`).sort()
  }
  return value
}

/** Rules unchanged, and excluded dates as one sorted list, including occurrences canceled here. */
function normalRecurrence(event: JsonObject, cancelled: ReadonlySet<string>, zone: string): Json {
  const own = (event['start'] as EventTime | undefined)?.timeZone ?? zone
  const rules: string[] = []
  const excluded = new Set(cancelled)
  for (const line of Array.isArray(event['recurrence']) ? event['recurrence'].map(String) : []) {
    try {
      const parsed = parseRecurrenceLine(line)
      if ('rule' in parsed) rules.push(`${parsed.kind}:${parsed.rule.split(';').sort().join(';')}`.toUpperCase())
      else
        for (const value of parsed.values) {
          const text = value.dateOnly
            ? new Date(value.wall).toISOString().slice(0, 10).replaceAll('-', '')
            : compactUtc(
                value.instant ??
                  instantOf({ dateTime: new Date(value.wall).toISOString().slice(0, 19), timeZone: own }),
              )
          if (parsed.kind === 'EXDATE') excluded.add(text)
          else rules.push(`RDATE:${text}`)
        }
    } catch {
      rules.push(line)
    }
  }
  return [...rules.sort(), ...[...excluded].sort().map((text) => `EXDATE:${text}`)]
}

/** Fields in which two versions of an event truly differ; times by instant, defaults filled in. */
export function differences(
  local: JsonObject,
  file: JsonObject,
  cancelled: ReadonlySet<string>,
  zone: string,
): string[] {
  return compared.filter((field) => {
    if (field === 'recurrence')
      return !sameJson(normalRecurrence(local, cancelled, zone), normalRecurrence(file, new Set(), zone))
    return !sameJson(normal(field, local[field], zone), normal(field, file[field], zone))
  })
}

/**
 * Compares an iCalendar file with a calendar. `here` holds the calendar's events in the service's format, including
 * canceled occurrences. Matches by iCalUID, and occurrences also by RECURRENCE-ID, so importing the same file twice
 * proposes nothing.
 */
export function propose(file: readonly JsonObject[], here: readonly JsonObject[], zone: string): Proposal[] {
  const byUid = new Map<string, JsonObject>()
  const uidOf = new Map<string, string>()
  const cancelled = new Map<string, Set<string>>()
  for (const event of here) {
    if (event['recurringEventId'] !== undefined) continue
    if (typeof event['iCalUID'] === 'string') byUid.set(event['iCalUID'], event)
    uidOf.set(String(event['id']), String(event['iCalUID']))
  }
  const exceptions = new Map<string, JsonObject>()
  for (const event of here) {
    const master = event['recurringEventId']
    if (typeof master !== 'string' || !isJsonObject(event['originalStartTime'])) continue
    const suffix =
      parseInstanceId(String(event['id']))?.suffix ?? occurrenceOf(event['originalStartTime'] as EventTime, zone)
    if (event['status'] === 'cancelled') cancelled.set(master, (cancelled.get(master) ?? new Set()).add(suffix))
    exceptions.set(`${uidOf.get(master) ?? String(event['iCalUID'])}\n${suffix}`, event)
  }
  const inFile = new Set(file.filter((event) => !event['originalStartTime']).map((event) => event['iCalUID']))
  return file.map((given): Proposal => {
    const { event, reason } = placed(
      given,
      inFile.has(given['iCalUID']) ? undefined : byUid.get(String(given['iCalUID'])),
    )
    const proposal = proposed(event)
    return reason ? { ...proposal, reason } : proposal
  })

  /** Attaches a changed occurrence to the local series. Without one, it becomes a separate event with a stable ID. */
  function placed(event: JsonObject, master: JsonObject | undefined): { event: JsonObject; reason?: string } {
    const original = event['originalStartTime'] as EventTime | undefined
    if (!original || inFile.has(event['iCalUID'])) return { event }
    const series = seriesOf(master)
    const occurrence = series && occurrenceMeant(series, original, zone)
    if (occurrence) return { event: { ...event, originalStartTime: { ...occurrence.originalStart } } }
    if (event['status'] === 'cancelled') return { event }
    const { originalStartTime: _original, ...own } = event
    return {
      event: { ...own, iCalUID: `${occurrenceOf(original, zone)}-${String(event['iCalUID'])}` },
      reason: master
        ? 'Changes an occurrence that the series doesn’t have, so it becomes a separate event.'
        : 'The series is neither in the calendar nor in the file, so it becomes a separate event.',
    }
  }

  function proposed(event: JsonObject): Proposal {
    const uid = String(event['iCalUID'])
    const original = event['originalStartTime'] as EventTime | undefined
    const master = byUid.get(uid)
    if (original && !master && !inFile.has(event['iCalUID']))
      return {
        kind: 'cannot',
        event,
        fields: [],
        reason: 'Cancels an occurrence of a series that is neither in the calendar nor in the file.',
      }
    const local = original ? exceptions.get(`${uid}\n${occurrenceOf(original, zone)}`) : master
    const gone = event['status'] === 'cancelled'
    if (!local || (local['status'] === 'cancelled' && !gone)) {
      if (gone && !original) return { kind: 'cannot', event, fields: [], reason: 'Canceled, and not in this calendar.' }
      if (gone) return { kind: master ? 'changed' : 'new', event, fields: ['status'], ...(master && { local: master }) }
      return { kind: original && master ? 'changed' : 'new', event, fields: [] }
    }
    if (gone)
      return local['status'] === 'cancelled'
        ? { kind: 'same', event, local, fields: [] }
        : { kind: 'differs', event, local, fields: ['status'] }
    const fields = differences(local, event, cancelled.get(String(local['id'])) ?? new Set(), zone)
    if (fields.length === 0) return { kind: 'same', event, local, fields }
    const newer = Number(event['sequence'] ?? 0) > Number(local['sequence'] ?? 0)
    return { kind: newer ? 'changed' : 'differs', event, local, fields }
  }
}
