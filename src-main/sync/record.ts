import { collections, type CollectionName } from '#shared/domain/collections'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'

/** Whether a wire body is the form its collection uses for "deleted" (calendar and tasks behaviour, lists). */
function isTombstone(collection: CollectionName, body: JsonObject): boolean {
  switch (collection) {
    case 'events':
      // A cancelled instance is an exception of a living series: it must be kept, or the occurrence comes back.
      return body['status'] === 'cancelled' && !body['recurringEventId']
    case 'acl':
      return body['role'] === 'none'
    default:
      return body['deleted'] === true
  }
}

/** A record as the service sent it; undefined for a body without an id, which is nobody's record. */
export function recordOf(
  collection: CollectionName,
  parent: string | null,
  body: Json | undefined,
): RemoteRecord | undefined {
  if (!isJsonObject(body) || typeof body['id'] !== 'string' || body['id'] === '') return undefined
  const etag = body['etag']
  return {
    collection,
    parent,
    id: body['id'],
    ...(typeof etag === 'string' ? { etag } : {}),
    value: isTombstone(collection, body) ? null : body,
  }
}

export const goneRecord = (collection: CollectionName, parent: string | null, id: string): RemoteRecord => ({
  collection,
  parent,
  id,
  value: null,
})

/** The path parameters that name a record, or its parent when `id` is absent. */
export function placeParams(collection: CollectionName, parent: string | null, id?: string): Record<string, string> {
  const facts = collections[collection]
  const params: Record<string, string> = {}
  if (facts.parent && parent !== null) params[facts.parent.param] = parent
  if (id !== undefined) params[facts.idParam] = id
  return params
}
