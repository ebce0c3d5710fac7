import { z } from 'zod'
import { collections, type CollectionName } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import { isJsonObject, type JsonObject } from '#shared/json'
import type { Cursor, PullPage } from '#shared/ipc/contract'
import type { RemoteRecord } from '#shared/mutation/entry'
import { operation, type OperationId } from '#shared/wire/services'
import type { CallAnswer, CallOptions, Client, UnreadableEntry } from '../services/client'
import { placeParams, recordOf, sameRecord } from './record'

export interface PullRequest {
  collection: CollectionName
  parent: string | null
  cursor: Cursor | null
  page: string | null
  id?: string
}

/** A service clock has whole seconds: what changed in the second of the last pull is asked for again. */
const clockOverlap = 2_000

/** What the page token given to the renderer holds: main remembers nothing between two pages. */
const pageSchema = z.object({ token: z.string(), since: z.number().optional(), number: z.number().optional() })

/**
 * More pages than any collection has (the largest are 20,000 tasks at 100 a page): the service goes round in a circle.
 * A page without records counts double; a service may send some, but not mostly those.
 */
export const mostPages = 2_000
export const pageWeight = (records: number): number => (records > 0 ? 1 : 2)

/** Calls by collection: the table, not the compiler, knows which parameters an operation has. */
type TableCall = (
  id: OperationId,
  params: JsonObject,
  options?: CallOptions,
) => Promise<CallAnswer<JsonObject | undefined>>
export const tableCall = (client: Client): TableCall => client.call as unknown as TableCall

/**
 * One page of what changed in a collection since a cursor, or of everything when there is none.
 * @throws FaultError; `cursorExpired` means: start over without the cursor.
 */
export async function pull(client: Client, request: PullRequest): Promise<PullPage> {
  const facts = collections[request.collection]
  if (facts.cursor === 'etag') return pullOne(client, request)
  if (!facts.list) throw new FaultError({ code: 'invalid', message: `${request.collection} cannot be listed.` })
  const page = request.page === null ? undefined : readPage(request.page)
  const params: JsonObject = { ...facts.list.params, ...placeParams(request.collection, request.parent) }
  if (request.cursor && facts.cursor !== 'snapshot') params[facts.cursor] = request.cursor.value
  if (page) params['pageToken'] = page.token
  const answer = await tableCall(client)(facts.list.operation, params).catch((error: unknown) => {
    throw request.cursor || page ? error : nothingExpired(error)
  })
  const body = answer.body ?? {}
  const since = page?.since ?? answer.date
  const next =
    typeof body['nextPageToken'] === 'string' && body['nextPageToken'] !== '' ? body['nextPageToken'] : undefined
  const records = recordsOf(request, facts.list.operation, body)
  const number = (page?.number ?? 0) + pageWeight(records.length)
  if (next !== undefined && (next === page?.token || number > mostPages)) throw repeatsPages(facts.list.operation)
  return {
    records,
    ...(next === undefined
      ? {}
      : { nextPage: JSON.stringify({ token: next, number, ...(since === undefined ? {} : { since }) }) }),
    ...(next === undefined ? withCursor(facts.cursor, body, since) : {}),
    full: request.cursor === null || facts.cursor === 'snapshot',
    ...(request.collection === 'events' ? { head: headOf(body) } : {}),
    ...(answer.unreadable && { unreadable: answer.unreadable.map(({ id, path }) => ({ id: id ?? null, path })) }),
    units: 1,
  }
}

/** Where no token was sent, starting over without one would only ask the same again. */
function nothingExpired(error: unknown): unknown {
  if (!(error instanceof FaultError) || error.fault.code !== 'cursorExpired') return error
  return new FaultError({ ...error.fault, code: 'invalid' }, { cause: error })
}

export const repeatsPages = (operation: OperationId): FaultError =>
  new FaultError({ code: 'badAnswer', operation, message: 'The service repeats its pages without end.' })

export const unreadableEntry = (operation: OperationId, { path }: UnreadableEntry): FaultError =>
  new FaultError({ code: 'badAnswer', operation, message: `A record of the list could not be read (${path}).` })

function readPage(text: string): z.infer<typeof pageSchema> {
  try {
    return pageSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new FaultError({ code: 'cursorExpired', message: 'This page token is not one of ours.' }, { cause: error })
  }
}

function recordsOf(request: PullRequest, id: OperationId, body: JsonObject): RemoteRecord[] {
  const { method } = operation(id)
  const items = body[method.items ?? 'items']
  if (items === undefined && typeof body['kind'] !== 'string' && body['nextPageToken'] === undefined) {
    throw new FaultError({ code: 'badAnswer', operation: id, message: 'The answer is no list.' })
  }
  if (items === undefined) return []
  if (!Array.isArray(items))
    throw new FaultError({ code: 'badAnswer', operation: id, message: 'The list is not a list.' })
  return items.flatMap((item) => recordOf(request.collection, request.parent, item) ?? [])
}

function withCursor(
  kind: Cursor['kind'] | 'snapshot',
  body: JsonObject,
  since: number | undefined,
): { cursor?: Cursor } {
  if (kind === 'syncToken') {
    const token = body['nextSyncToken']
    return typeof token === 'string' ? { cursor: { kind, value: token } } : {}
  }
  if (kind === 'updatedMin' && since !== undefined) {
    return { cursor: { kind, value: new Date(since - clockOverlap).toISOString() } }
  }
  return {}
}

/** The head of an events list: what the calendar itself says about its events. */
function headOf(body: JsonObject): JsonObject {
  const { summary, description, timeZone, accessRole, defaultReminders } = body
  return { summary, description, timeZone, accessRole, defaultReminders }
}

async function pullOne(client: Client, request: PullRequest): Promise<PullPage> {
  if (!request.id) throw new FaultError({ code: 'invalid', message: `${request.collection} is asked for by id.` })
  const facts = collections[request.collection]
  const known = request.cursor?.kind === 'etag' ? request.cursor.value : undefined
  const answer = await tableCall(client)(facts.get, placeParams(request.collection, request.parent, request.id), {
    ifNoneMatch: known,
  })
  if (answer.status === 304) return { records: [], cursor: { kind: 'etag', value: known! }, full: false, units: 1 }
  const record = recordOf(request.collection, request.parent, answer.body)
  if (!record) throw new FaultError({ code: 'badAnswer', operation: facts.get, message: 'The record has no id.' })
  return {
    records: [record],
    ...(record.etag === undefined ? {} : { cursor: { kind: 'etag' as const, value: record.etag } }),
    full: false,
    units: 1,
  }
}

/** What the service says about one record now; value null when it is gone. @throws FaultError for all but 404 and 410. */
export async function readRecord(
  client: Client,
  collection: CollectionName,
  parent: string | null,
  id: string,
): Promise<RemoteRecord> {
  try {
    const answer = await tableCall(client)(collections[collection].get, placeParams(collection, parent, id))
    const record = sameRecord(id, recordOf(collection, parent, answer.body))
    // Only as an instance is a cancelled event a record worth keeping; asked for by id it is simply deleted.
    return isJsonObject(record.value) && record.value['status'] === 'cancelled' ? { ...record, value: null } : record
  } catch (error) {
    if (error instanceof FaultError && (error.fault.code === 'notFound' || error.fault.code === 'gone')) {
      return { collection, parent, id, value: null }
    }
    throw error
  }
}
