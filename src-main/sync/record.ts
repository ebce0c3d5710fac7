import type { Collection, CollectionName } from '#shared/facts/collection'
import { recordIdOf } from '#shared/facts/ids'
import { FaultError } from '#shared/fault'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'

/** True if a wire body has its collection's form of “deleted”. */
function isTombstone({ gone }: Collection, body: JsonObject): boolean {
  return gone !== undefined && body[gone.field] === gone.is && !(gone.unless && body[gone.unless])
}

/** Etags that a header can carry. With another one, a record is read and compared before each write. */
const sendable = /^[\x20-\x7e\x80-\xff]+$/

/** A record in the service's format. Undefined without an ID. */
export function recordOf(facts: Collection, parent: string | null, body: Json | undefined): RemoteRecord | undefined {
  const id = recordIdOf(facts, body)
  if (!isJsonObject(body) || id === undefined) return undefined
  const etag = facts.etag ? body['etag'] : undefined
  const isGone = isTombstone(facts, body)
  return {
    collection: facts.name,
    parent,
    id,
    ...(typeof etag === 'string' && sendable.test(etag) ? { etag } : {}),
    value: isGone ? null : body,
    ...(isGone && typeof body.updated === 'string' && { goneAt: body.updated }),
  }
}

/** Aliases for which the services return another ID. */
const aliases = new Set(['primary', '@default'])

/**
 * Checks that a response is about the requested record.
 * @throws FaultError `badAnswer`
 */
export function sameRecord(id: string, record: RemoteRecord | undefined): RemoteRecord {
  if (!record) throw new FaultError({ code: 'badAnswer', message: 'The record has no ID.' })
  if (record.id === id || aliases.has(id)) return record
  throw new FaultError({ code: 'badAnswer', message: 'The service returned another record.' })
}

export const goneRecord = (collection: CollectionName, parent: string | null, id: string): RemoteRecord => ({
  collection,
  parent,
  id,
  value: null,
})
