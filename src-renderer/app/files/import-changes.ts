import { collections, recordKey } from '#shared/domain/collections'
import { instanceId } from '#shared/domain/instances'
import { writableFields } from '#shared/domain/writable'
import type { Json, JsonObject } from '#shared/json'
import type { EventTime } from '#shared/time/event-time'
import type { Change } from '../../replica/api'
import { occurrenceOf, type Proposal } from './matching'

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

/** One edit that imports the selected proposals, each series before its changed occurrences. Sends no invitations. */
export function importChanges(
  chosen: readonly Proposal[],
  here: readonly JsonObject[],
  calendarId: string,
  zone: string,
  newId: () => string,
  primary = true,
): Change[] {
  const masters = new Map<string, string>()
  for (const event of here)
    if (event['recurringEventId'] === undefined) masters.set(String(event['iCalUID']), String(event['id']))
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
      const key = recordKey('events', calendarId, instanceId(master, occurrenceOf(original, zone)))
      if (event['status'] === 'cancelled') changes.push({ kind: 'delete', key })
      else {
        const { iCalUID: _uid, sequence: _sequence, recurrence: _rule, ...patch } = content(event)
        changes.push({ kind: 'change', key, patch: plain(patch) })
      }
    } else if (local) {
      const key = recordKey('events', calendarId, String(local['id']))
      if (event['status'] === 'cancelled') changes.push({ kind: 'delete', key })
      else
        changes.push({
          kind: 'change',
          key,
          patch: Object.fromEntries(fields.map((field): [string, Json] => [field, event[field] ?? null])),
        })
    } else {
      const id = newId()
      masters.set(uid, id)
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
