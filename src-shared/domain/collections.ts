import type { Collection, CollectionName } from '../facts/collection'
import { factsOf } from '../facts/facts'

export type { Collection, CollectionName }

/** Collections by name, in the newest version of their services. For an account's own versions, use `factsOf`. */
export const collections = Object.fromEntries(
  factsOf().all.map((collection) => [collection.name, collection]),
) as Readonly<Record<CollectionName, Collection>>

export const collectionNames = Object.keys(collections) as [CollectionName, ...CollectionName[]]

/** Prefix of IDs assigned offline until the service assigns the real one. */
export const localPrefix = 'local:'
export const isLocalId = (id: string): boolean => id.startsWith(localPrefix)

/** Local key of a record, unique within an account. Neither part may contain a newline. */
export function recordKey(collection: CollectionName, parent: string | null, id: string): string {
  return `${collection}\n${parent ?? ''}\n${id}`
}

/** The parts of a record's key. Rows carry them. */
export interface RecordRef {
  collection: CollectionName
  /** ID of the record that contains it, such as a calendar's. Null if nothing does. */
  parent: string | null
  id: string
}

/** Splits a text at the separators of record keys. A text that isn't a key has one part. */
export const keyParts = (text: string): string[] => text.split('\n')

/** Inverse of `keyParts`. */
export const joinKeyParts = (parts: readonly string[]): string => parts.join('\n')

export const collectionOf = (key: string): CollectionName => key.slice(0, key.indexOf('\n')) as CollectionName

/** Key of another record of the same collection and parent. With an empty ID, the prefix of their keys. */
export const keyBeside = (key: string, id: string): string => key.slice(0, key.lastIndexOf('\n') + 1) + id

export function parseRecordKey(key: string): RecordRef {
  const inside = key.indexOf('\n')
  const last = key.indexOf('\n', inside + 1)
  const parent = key.slice(inside + 1, last)
  return {
    collection: key.slice(0, inside) as CollectionName,
    parent: parent === '' ? null : parent,
    id: key.slice(last + 1),
  }
}
