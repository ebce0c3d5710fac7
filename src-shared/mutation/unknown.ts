import { recordKey, type CollectionName } from '#shared/domain/collections'

/**
 * A waiting change that a newer version made and this one does not understand: it is kept as it is and not sent, and so
 * is what comes after it, until a version that understands it runs.
 */
export interface UnknownEntry {
  id: string
  /** Absent where not even that can be told. */
  accountId?: string
  /** The key of its record, where it names one in the way of this version. */
  key?: string
}

/** What can be told of a well-formed entry that does not parse; undefined for what is none. */
export function unknownEntry(value: unknown): UnknownEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id, accountId, collection, parent, recordId, kind } = value as Record<string, unknown>
  if (!isName(id) || !isName(accountId) || !isName(kind)) return undefined
  const place = isName(collection) && isName(recordId) && (parent === null || typeof parent === 'string')
  return { id, accountId, ...(place && { key: recordKey(collection as CollectionName, parent, recordId) }) }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
