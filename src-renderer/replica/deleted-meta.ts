import type { Json } from '#shared/json'
import type { Deleted } from './api'
import type { Write } from './store'

/** Prefix of the keys of deleted records in the store. */
export const deletedPrefix = 'deleted '

/** The write that stores a deleted record, or removes it if null. */
export const deletedWrite = (key: string, deleted: Deleted | null): Write =>
  deleted
    ? { table: 'meta', put: { key: deletedPrefix + key, value: deleted as unknown as Json } }
    : { table: 'meta', remove: deletedPrefix + key }
