import { recordKey, type CollectionName } from '#shared/domain/collections'

/**
 * A pending change written by a newer version that this one doesn't understand. It stays unchanged and unsent, like later
 * changes of its record, until a version runs that understands it.
 */
export interface UnknownEntry {
  id: string
  /** Absent if even the account can't be read. */
  accountId?: string
  /** Key of its record, if this version can determine it. */
  key?: string
}

/** Reads the known parts of a well-formed entry that doesn't parse. Undefined if the value isn't an entry. */
export function unknownEntry(value: unknown): UnknownEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id, accountId, collection, parent, recordId, kind } = value as Record<string, unknown>
  if (!isName(id) || !isName(accountId) || !isName(kind)) return undefined
  const place = isName(collection) && isName(recordId) && (parent === null || typeof parent === 'string')
  return { id, accountId, ...(place && { key: recordKey(collection as CollectionName, parent, recordId) }) }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
