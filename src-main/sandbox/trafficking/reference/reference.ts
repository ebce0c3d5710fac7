import type { Stored } from '../objects'

const tables: Record<string, () => readonly Stored[]> = {}

/** Rows of a read-only collection, each with an `id` whatever the wire calls its key; empty for any other collection. */
export function referenceRows(collection: string): readonly Stored[] {
  return tables[collection]?.() ?? []
}
