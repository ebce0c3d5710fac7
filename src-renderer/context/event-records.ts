import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { cancelledInstance, parseInstanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import type { Replica, Row } from '../replica/api'

const atOnce = 200

/** Events for these keys, with canceled occurrences as the service represents them. Reports its progress. */
export async function readEvents(
  replica: Replica,
  keys: readonly string[],
  progress?: (done: number) => void,
): Promise<JsonObject[]> {
  const events: JsonObject[] = []
  for (let at = 0; at < keys.length; at += atOnce) {
    const rows = await Promise.all(keys.slice(at, at + atOnce).map((key) => replica.read(key)))
    rows.forEach((row, index) => {
      const event = eventOf(row, keys[at + index]!)
      if (event) events.push(event)
    })
    progress?.(Math.min(keys.length, at + atOnce))
  }
  return events
}

function eventOf(row: Row | undefined, key: string): JsonObject | undefined {
  if (row?.value && row.value['status'] !== 'cancelled') return { ...row.value, id: row.id }
  const instance = parseInstanceId(parseRecordKey(key).id)
  return instance ? cancelledInstance(instance) : undefined
}

/** Keys of an event, or of its whole series with changed and canceled occurrences. */
export function wholeKeys(
  replica: Replica,
  item: { rowKey: string; calendarId: string; masterId?: string; recurring: boolean },
): string[] {
  const masterKey = item.masterId !== undefined ? recordKey('events', item.calendarId, item.masterId) : item.rowKey
  if (item.masterId === undefined && !item.recurring) return [item.rowKey]
  const exceptions = replica.exceptions(masterKey).map((row) => row.key)
  return [
    ...(replica.peek(masterKey) ? [masterKey] : []),
    ...exceptions,
    ...(replica.peek(masterKey) ? [] : [item.rowKey]),
  ]
}
