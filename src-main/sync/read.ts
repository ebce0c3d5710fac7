import type { Collection, CollectionName } from '#shared/facts/collection'
import { factsOf } from '#shared/facts/facts'
import { fieldsOfId, placeParams } from '#shared/facts/ids'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'
import { operation, type OperationId } from '#shared/wire/services'
import { repeatsPages, type Client, type UnreadableEntry } from '../services/client'
import { itemsOf, maxPages, pageWeight, tableCall } from './pull'
import { goneRecord, recordOf, sameRecord } from './record'

export interface Listed {
  record: RemoteRecord
  body: JsonObject
}

/** Reads a record's current state. The value is null if the record is gone. @throws FaultError except for 404 and 410 */
export async function readRecord(
  client: Client,
  collection: CollectionName,
  parent: string | null,
  id: string,
): Promise<RemoteRecord> {
  const facts = factsOf(client.versions).of(collection)
  if (!facts.get) return readFromList(client, facts, parent, id)
  try {
    const answer = await tableCall(client)(facts.get, placeParams(facts, facts.get, parent, id, client.versions))
    const record = sameRecord(id, recordOf(facts, parent, answer.body))
    // In a list, the deleted form may describe something else. For a record read by ID, it means deleted.
    return facts.gone && record.value?.[facts.gone.field] === facts.gone.is ? { ...record, value: null } : record
  } catch (error) {
    if (error instanceof FaultError && (error.fault.code === 'notFound' || error.fault.code === 'gone')) {
      return goneRecord(collection, parent, id)
    }
    throw error
  }
}

/**
 * Reads several records of one parent with as few list calls as possible. Records that aren't listed are gone.
 * @throws FaultError
 */
export async function readMany(
  client: Client,
  collection: CollectionName,
  parent: string | null,
  ids: readonly string[],
): Promise<{ records: RemoteRecord[]; units: number }> {
  const facts = factsOf(client.versions).of(collection)
  const { list, readMany: most } = facts
  if (!list || !most) {
    const records: RemoteRecord[] = []
    for (const id of ids) records.push(await readRecord(client, collection, parent, id))
    return { records, units: ids.length }
  }
  const found = new Map<string, RemoteRecord>()
  let units = 0
  for (const part of piecesOf(ids, most)) {
    const params = { ids: part }
    for await (const { records, odd } of pagesOf(client, facts, parent, params)) {
      units++
      // The unreadable record may be one of the requested ones, so don't treat those as deleted.
      if (odd) throw unreadableEntry(list.operation, odd)
      for (const { record } of records) found.set(record.id, record)
    }
  }
  return { records: ids.map((id) => found.get(id) ?? goneRecord(collection, parent, id)), units }
}

/** Maximum length of an address. Proxies may reject longer ones. */
const maxUrlLength = 6_000

function* piecesOf(ids: readonly string[], most: number): Generator<string[]> {
  let piece: string[] = []
  let length = 0
  for (const id of ids) {
    const more = 'ids='.length + encodeURIComponent(id).length + 1
    if (piece.length === most || (piece.length > 0 && length + more > maxUrlLength)) {
      yield piece
      piece = []
      length = 0
    }
    piece.push(id)
    length += more
  }
  if (piece.length > 0) yield piece
}

/** Pages of a list, filtered by parameters that the operation has. Ignores others. @throws FaultError */
export async function* pagesOf(
  client: Client,
  facts: Collection,
  parent: string | null,
  narrowed: JsonObject,
): AsyncGenerator<{ records: Listed[]; odd?: UnreadableEntry }> {
  const { operation: id, params: usual } = facts.list!
  const { queryParams } = operation(id, client.versions).method
  const known = Object.fromEntries(Object.entries(narrowed).filter(([name]) => name in queryParams))
  const params = { ...usual, ...known, ...placeParams(facts, id, parent) }
  for (let pageToken: string | undefined, number = 0; ;) {
    const answer = await tableCall(client)(id, pageToken ? { ...params, pageToken } : params)
    const items = itemsOf(id, client.versions, answer.body)
    const bodies = (Array.isArray(items) ? items : []) as JsonObject[]
    number += pageWeight(bodies.length)
    const records = bodies.flatMap((body) => {
      const record = recordOf(facts, parent, body)
      return record ? [{ record, body }] : []
    })
    const [odd] = answer.unreadable ?? []
    yield { records, ...(odd && { odd }) }
    const next = answer.body?.['nextPageToken']
    if (typeof next !== 'string' || next === '') return
    if (next === pageToken || number >= maxPages) throw repeatsPages(id)
    pageToken = next
  }
}

/** Reads a record of a collection that only has a list operation. */
async function readFromList(
  client: Client,
  facts: Collection,
  parent: string | null,
  id: string,
): Promise<RemoteRecord> {
  if (!facts.list) throw new RangeError(`${facts.name} can’t be read`)
  for await (const { records, odd } of pagesOf(client, facts, parent, narrowedTo(facts, id))) {
    const found = records.find(({ record }) => record.id === id)
    if (found) return found.record
    if (odd) throw unreadableEntry(facts.list.operation, odd)
  }
  return goneRecord(facts.name, parent, id)
}

/** Filters that limit a list to one record, as far as possible. */
function narrowedTo(facts: Collection, id: string): JsonObject {
  const fields = fieldsOfId(facts, id)
  return { ...fields, ...(fields['name'] !== undefined && { names: [fields['name']] }) }
}

export const unreadableEntry = (id: OperationId, { path }: UnreadableEntry): FaultError =>
  new FaultError({ code: 'badAnswer', operation: id, message: `Couldn’t read a record of the list (${path}).` })
