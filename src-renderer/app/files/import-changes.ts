import { collections, recordKey } from '#shared/domain/collections'
import { deriveInstance, instanceId, seriesOf } from '#shared/domain/instances'
import { writableFields } from '#shared/domain/writable'
import type { Json, JsonObject } from '#shared/json'
import type { EventTime } from '#shared/time/event-time'
import { occurrenceBySuffix } from '#shared/time/recurrence'
import type { Change, Upon } from '../../replica/api'
import { differences, occurrenceOf, type Proposal } from './matching'

const content = (event: JsonObject): JsonObject => {
  const {
    id: _id,
    originalStartTime: _original,
    recurringEventId: _master,
    organizer: _organizer,
    ...value
  } = writableFields(collections.events, event)
  return value
}

const ofSpecialTypes = [
  'eventType',
  'outOfOfficeProperties',
  'focusTimeProperties',
  'workingLocationProperties',
  'birthdayProperties',
]

/**
 * Only primary calendars support focus time, out of office, and working locations. Elsewhere they become plain events.
 */
const plain = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([field]) => !ofSpecialTypes.includes(field)))

/** Values of the fields that differ. null clears those that the file doesn’t have. */
const taken = (event: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.map((field): [string, Json] => [field, event[field] ?? null]))

/** What was compared. The row’s value may lack the ID. */
const uponOf = ({ id: _id, ...record }: JsonObject): Upon => ({ record })

/** One edit that imports the selected proposals, each series before its changed occurrences. Sends no invitations. */
export function importChanges(
  chosen: readonly Proposal[],
  here: readonly JsonObject[],
  calendarId: string,
  zone: string,
  newId: () => string,
  primary = true,
): Change[] {
  const masters = new Map<string, JsonObject>()
  const known = new Map(here.map((event) => [String(event['id']), event]))
  for (const event of here) if (event['recurringEventId'] === undefined) masters.set(String(event['iCalUID']), event)
  const changes: Change[] = []
  const ordered = [...chosen].sort(
    (a, b) => Number(a.event['originalStartTime'] !== undefined) - Number(b.event['originalStartTime'] !== undefined),
  )
  for (const { event, local, fields } of ordered) {
    const uid = String(event['iCalUID'])
    const original = event['originalStartTime'] as EventTime | undefined
    if (original) {
      const master = masters.get(uid)
      if (master === undefined) continue
      const suffix = occurrenceOf(original, zone)
      const id = instanceId(String(master['id']), suffix)
      const key = recordKey('events', calendarId, id)
      const seen = known.get(id) ?? derived(master, suffix)
      // A series of the file has nothing that someone else could change.
      const upon = seen && known.has(String(master['id'])) && uponOf(seen)
      if (event['status'] === 'cancelled') changes.push({ kind: 'delete', key, ...(upon && { upon }) })
      else {
        const { iCalUID: _uid, sequence: _sequence, recurrence: _rule, ...all } = content(event)
        const cleared = seen ? differences(seen, event, new Set(), zone).filter((field) => !(field in event)) : []
        const patch = fields.length > 0 ? taken(event, fields) : { ...plain(all), ...taken(event, cleared) }
        changes.push({ kind: 'change', key, patch, ...(upon && { upon }) })
      }
    } else if (local) {
      const key = recordKey('events', calendarId, String(local['id']))
      const upon = uponOf(local)
      if (event['status'] === 'cancelled') changes.push({ kind: 'delete', key, upon })
      else changes.push({ kind: 'change', key, patch: taken(event, fields), upon })
    } else {
      const id = newId()
      masters.set(uid, { ...event, id })
      const { sequence: _sequence, ...value } = content(event)
      changes.push({
        kind: 'create',
        collection: 'events',
        parent: calendarId,
        id,
        value: { ...(primary ? value : plain(value)), iCalUID: uid },
      })
    }
  }
  return changes
}

/** An occurrence that is as its series. */
function derived(master: JsonObject, suffix: string): JsonObject | undefined {
  const series = seriesOf(master)
  const occurrence = series && occurrenceBySuffix(series, suffix)
  return occurrence && deriveInstance(master, occurrence)
}
