import type { Memory } from './memory'
import type { Store, StoredRow } from './store'

/**
 * The service's versions of records, in the order of their keys, from memory or else from the store. Ignores rows that are
 * removed in memory but still in the store.
 */
export async function readStored(
  { memory, store }: { memory: Memory; store: Store },
  keys: readonly string[],
): Promise<(StoredRow | undefined)[]> {
  const missing = keys.filter((key) => !memory.stored.has(key))
  const rows = missing.length > 0 ? await store.get('rows', missing) : []
  const read = new Map(missing.map((key, at) => [key, rows[at]]))
  return keys.map((key) => memory.stored.get(key) ?? (memory.removed.has(key) ? undefined : read.get(key)))
}
