import { isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { Memory } from './memory'

/** What names a record that will never be made, and how it says again what it said before. */
export function referencesLeft(memory: Memory, key: string): { key: string; patch: JsonObject }[] {
  const { id } = parseRecordKey(key)
  if (!isLocalId(id)) return []
  return memory.outbox.find('local', id).flatMap(({ collection, parent, recordId, patch }) => {
    const other = recordKey(collection, parent, recordId)
    const { references } = memory.facts.of(collection)
    const fields = references ? Object.keys(patch).filter((field) => names(patch[field], id)) : []
    const row = memory.row(other)
    if (other === key || fields.length === 0 || !row?.value) return []
    const { value, base } = row
    const left = fields.map((field) => [field, without(value[field], base?.[field], id) ?? null])
    return [{ key: other, patch: Object.fromEntries(left) as JsonObject }]
  })
}

const names = (value: Json | undefined, id: string): boolean => localIdsIn(value).includes(id)

/** A value without what names a record; in lists the entry goes, elsewhere what was there before comes back. */
function without(value: Json | undefined, before: Json | undefined, id: string): Json | undefined {
  if (!names(value, id)) return value
  if (Array.isArray(value)) return value.filter((item) => !names(item, id))
  if (!isJsonObject(value)) return before
  const parts = Object.entries(value).flatMap(([name, part]): [string, Json][] => {
    const left = without(part, isJsonObject(before) ? before[name] : undefined, id)
    return left === undefined ? [] : [[name, left]]
  })
  return parts.length > 0 ? Object.fromEntries(parts) : before
}
