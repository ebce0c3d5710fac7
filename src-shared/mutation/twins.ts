import { sameJson, type JsonObject } from '#shared/json'
import type { OutboxEntry, RemoteRecord } from './entry'

/** What people see of a record of a collection that takes no ids of ours. */
const seenFields: Partial<Record<OutboxEntry['collection'], readonly string[]>> = {
  tasks: ['title', 'notes', 'due'],
  tasklists: ['title'],
}

/**
 * Whether a record on the service is the one that this creation, whose outcome is unknown, has made: equal in everything
 * people see, and not there before.
 */
export function isMadeBy(entry: OutboxEntry, record: RemoteRecord): boolean {
  const fields = seenFields[entry.collection]
  if (entry.kind !== 'create' || !fields || !record.value) return false
  if (record.collection !== entry.collection || record.parent !== entry.parent) return false
  if (entry.twins?.includes(record.id)) return false
  const { value } = record
  const equal = fields.every((field) => sameJson(plain(field, value), plain(field, entry.patch)))
  return equal && (entry.collection !== 'tasks' || sameJson(value.parent, entry.place?.parent))
}

/** Empty and absent are one; of a due date only the day is kept. */
function plain(field: string, value: JsonObject): unknown {
  const text = value[field]
  if (text === '' || text === null) return undefined
  return field === 'due' && typeof text === 'string' ? text.slice(0, 10) : text
}
