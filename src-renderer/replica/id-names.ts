import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import type { Facts } from '#shared/facts/facts'
import { parentOf, placeIds } from '#shared/facts/ids'
import { renameId } from '#shared/mutation/rename'
import type { DeletedItem } from './api'

/** Place of a record, or of plain data about one. */
export interface Place {
  collection: CollectionName
  parent: string | null
}

/**
 * Name under which a record's new ID is noted. If a record's author chooses the ID, the name is the key, because a copy in
 * another place may have the same ID, such as an event in another calendar. All other IDs are unique.
 */
export function idName(facts: Facts, key: string): string {
  const { collection, id } = parseRecordKey(key)
  return facts.of(collection).ids === 'client' && !isLocalId(id) ? key : id
}

/** Names under which the new ID of a record may be noted. */
export const idNames = (id: string, place: Place | undefined): string[] =>
  place ? [recordKey(place.collection, place.parent, id), id] : [id]

/** Key of the record that contains rows with this parent. */
export function keyOfParent({ parents }: Collection, parent: string | null): string | undefined {
  const around = placeIds(parents.length, parent)
  const id = around.pop()
  return id === undefined ? undefined : recordKey(parents.at(-1)!.collection, parentOf(around), id)
}

/** The value that a map has under one of these names. */
export function namedIn<T>(map: ReadonlyMap<string, T>, id: string, place: Place | undefined): T | undefined {
  const found = place && map.get(recordKey(place.collection, place.parent, id))
  return found === undefined ? map.get(id) : found
}

/** Place of the record that plain data is about, if any. */
export function placeIn(data: unknown): Place | undefined {
  const { key, collection, parent } = data as Partial<Place & { key: string }>
  if (typeof key === 'string' && key.includes('\n')) return parseRecordKey(key)
  return collection === undefined || parent === undefined ? undefined : { collection, parent }
}

/** IDs of a deleted record and of what contained it. If one of them was created again, the service can't restore the record. */
export const ownIds = ({ id, parent, place }: DeletedItem): string[] => [id, parent ?? '', place?.parent ?? '']

/** Replaces a record's ID in plain data, except in data about another record with the same ID. */
export function renameRecord<T>(facts: Facts, data: T, key: string, to: string): T {
  const { collection, parent, id } = parseRecordKey(key)
  const place = idName(facts, key) === key ? placeIn(data) : undefined
  const isElsewhere = place && (place.collection !== collection || place.parent !== parent)
  return isElsewhere ? data : renameId(data, id, to)
}
