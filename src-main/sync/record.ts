import { collections, type CollectionName } from '#shared/domain/collections'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { FaultError } from '#shared/fault'
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

/** Control characters, a line break among them, make an id that no address can name again. */
const unusable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|^\s*$/

/** A record as the service sent it; undefined for a body without a usable id, which is nobody's record. */
export function recordOf(
  collection: CollectionName,
  parent: string | null,
  body: Json | undefined,
): RemoteRecord | undefined {
  if (!isJsonObject(body) || typeof body['id'] !== 'string' || unusable.test(body['id'])) return undefined
  const etag = body['etag']
  return {
    collection,
    parent,
    id: body['id'],
    ...(typeof etag === 'string' ? { etag } : {}),
    value: isTombstone(collection, body) ? null : body,
  }
}

/** Names that the services give another id for. */
const aliases = new Set(['primary', '@default'])

/** The answer about one record, made sure to be about that one. @throws FaultError `badAnswer` */
export function sameRecord(id: string, record: RemoteRecord | undefined): RemoteRecord {
  if (!record) throw new FaultError({ code: 'badAnswer', message: 'The record has no id.' })
  if (record.id === id || aliases.has(id)) return record
  throw new FaultError({ code: 'badAnswer', message: 'The service answered about another record.' })
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
