import type { Json } from '#shared/json'
import type { Deleted } from './api'
import type { Write } from './store'

/** Begins the keys of deleted records in the store. */
export const deletedPrefix = 'deleted '

/** The write that keeps a deleted record, or no longer. */
export const deletedWrite = (key: string, deleted: Deleted | null): Write =>
  deleted
    ? { table: 'meta', put: { key: deletedPrefix + key, value: deleted as unknown as Json } }
    : { table: 'meta', remove: deletedPrefix + key }
