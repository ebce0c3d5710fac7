import { z } from 'zod'
import type { Collection, CollectionName } from '#shared/facts/collection'
import { factsOf } from '#shared/facts/facts'
import { placeParams } from '#shared/facts/ids'
import { FaultError } from '#shared/fault'
import type { Json, JsonObject } from '#shared/json'
import type { Cursor } from '#shared/ipc/cursor'
import type { PullPage } from '#shared/ipc/sync-questions'
import type { RemoteRecord } from '#shared/mutation/entry'
import { operation, type OperationId, type Versions } from '#shared/wire/services'
import { repeatsPages, type CallAnswer, type CallOptions, type Client } from '../services/client'
import { recordOf } from './record'

export interface PullRequest {
  collection: CollectionName
  parent: string | null
  cursor: Cursor | null
  page: string | null
  id?: string
  /** Parameters that select a part of the list, such as `{ advertiserIds: ['12'] }`. */
  within?: Record<string, string | number | string[]>
  turn?: number
}

/** Overlap of `updatedMin` pulls: service clocks have whole seconds, so the second of the last pull is read again. */
const clockOverlap = 2_000
/** Overlap of log pulls: a busy service writes entries long after their changes. The daily read finds even later ones. */
const logOverlap = 30 * 60_000

/** Content of the page token for the renderer. Main stores nothing between two pages. */
const pageSchema = z.object({ token: z.string(), since: z.number().optional(), number: z.number().optional() })

/**
 * Maximum number of pages. No collection has more (the largest has 20,000 tasks, 100 per page), so more means an
 * endless loop. Pages without records count double, because services may send some.
 */
export const maxPages = 2_000
export const pageWeight = (records: number): number => (records > 0 ? 1 : 2)

/** Call by collection. Its parameters are checked by the table, not by the compiler. */
type TableCall = (
  id: OperationId,
  params: JsonObject,
  options?: CallOptions,
) => Promise<CallAnswer<JsonObject | undefined>>
export const tableCall = (client: Client): TableCall => client.call as unknown as TableCall

/**
 * One page of changes since a cursor, or of everything without one.
 * @throws FaultError. `cursorExpired` means to start over without the cursor
 */
export async function pull(client: Client, request: PullRequest): Promise<PullPage> {
  const facts = factsOf(client.versions).of(request.collection)
  if (facts.cursor === 'etag') return pullOne(client, facts, request)
  if (!facts.list) throw new FaultError({ code: 'invalid', message: `${request.collection} can’t be listed.` })
  const page = request.page === null ? undefined : readPage(request.page)
  const { list } = facts
  const params: JsonObject = {
    ...list.params,
    ...within(list.operation, request.within, client.versions),
    ...uncached(facts, request.turn),
    ...placeParams(facts, list.operation, request.parent),
  }
  if (request.cursor && facts.cursor !== 'snapshot') params[facts.cursor] = request.cursor.value
  if (page) params['pageToken'] = page.token
  const dates = datesOf(client)
  // Read before the call, because a slow answer may be older than the answer to a later request.
  const last = dates.get(facts.service) ?? -Infinity
  const answer = await tableCall(client)(list.operation, params).catch((error: unknown) => {
    throw request.cursor || page ? tokenExpired(error) : nothingExpired(error)
  })
  const { date = Infinity } = answer
  // `no-store` was ignored, and few other URLs ask for the same list.
  if (request.turn !== undefined && date < last - clockTolerance) throw comesFromCache(list.operation)
  if (date !== Infinity) dates.set(facts.service, Math.max(dates.get(facts.service) ?? date, date))
  const body = answer.body ?? {}
  const since = page?.since ?? answer.date
  const next =
    typeof body['nextPageToken'] === 'string' && body['nextPageToken'] !== '' ? body['nextPageToken'] : undefined
  const { records, unreadable } = recordsOf(facts, request, client.versions, body)
  for (const { id, path } of answer.unreadable ?? []) unreadable.push({ id: id ?? null, path })
  const number = (page?.number ?? 0) + pageWeight(records.length)
  if (next !== undefined && (next === page?.token || number > maxPages)) throw repeatsPages(list.operation)
  return {
    records,
    ...(next === undefined
      ? {}
      : { nextPage: JSON.stringify({ token: next, number, ...(since === undefined ? {} : { since }) }) }),
    ...(next === undefined ? withCursor(facts.cursor, body, since) : {}),
    full: request.cursor === null || facts.cursor === 'snapshot',
    ...(unreadable.length > 0 && { unreadable }),
    units: 1,
  }
}

/** Treats 410 as an expired token, whatever its reason (calendar behavior, sync). If the list is gone, the next request says so. */
function tokenExpired(error: unknown): unknown {
  if (!(error instanceof FaultError) || error.fault.code !== 'gone') return error
  return new FaultError({ ...error.fault, code: 'cursorExpired' }, { cause: error })
}

/** Without a token, starting over would only repeat the request. */
function nothingExpired(error: unknown): unknown {
  if (!(error instanceof FaultError) || error.fault.code !== 'cursorExpired') return error
  return new FaultError({ ...error.fault, code: 'invalid' }, { cause: error })
}

/**
 * Parameters that change only the URL, for caches that ignore `no-store`: another page size, or explicit defaults where
 * a sync token depends on its parameters.
 */
function uncached({ list, cursor }: Collection, turn = 0): JsonObject {
  if (turn === 0) return {}
  if (cursor === 'syncToken')
    return { prettyPrint: turn % 2 === 0, ...(turn % 4 > 1 && { alt: 'json' }), ...(turn % 8 > 3 && { fields: '*' }) }
  const most = list?.params['maxResults']
  return typeof most === 'number' ? { maxResults: most - (turn % Math.ceil(most / 2)) } : {}
}

/** Maximum difference between the clocks of a service's machines, in milliseconds. */
const clockTolerance = 60_000
const newestDates = new WeakMap<Client, Map<string, number>>()

/** The newest date of each service's answers to a client, in epoch milliseconds. Services may have different clocks. */
function datesOf(client: Client): Map<string, number> {
  const known = newestDates.get(client) ?? new Map<string, number>()
  newestDates.set(client, known)
  return known
}

const comesFromCache = (operation: OperationId): FaultError =>
  new FaultError({ code: 'badAnswer', operation, message: 'The response came from a cache.' })

function readPage(text: string): z.infer<typeof pageSchema> {
  try {
    return pageSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new FaultError({ code: 'cursorExpired', message: 'Unknown page token.' }, { cause: error })
  }
}

/** Filters of a download that the operation knows. @throws RangeError for an unknown parameter */
function within(id: OperationId, cut: PullRequest['within'], versions: Versions): NonNullable<PullRequest['within']> {
  const { queryParams } = operation(id, versions).method
  for (const name of Object.keys(cut ?? {}))
    if (!(name in queryParams)) throw new RangeError(`${id} can’t be filtered by ${name}`)
  return cut ?? {}
}

/** @returns the records of a page, and entries without an ID */
function recordsOf(
  facts: Collection,
  { parent }: PullRequest,
  versions: Versions,
  body: JsonObject,
): { records: RemoteRecord[]; unreadable: { id: string | null; path: string }[] } {
  const id = facts.list!.operation
  const items = itemsOf(id, versions, body)
  if (items === undefined && typeof body['kind'] !== 'string' && body['nextPageToken'] === undefined) {
    throw new FaultError({ code: 'badAnswer', operation: id, message: 'The response isn’t a list.' })
  }
  if (items !== undefined && !Array.isArray(items))
    throw new FaultError({ code: 'badAnswer', operation: id, message: 'The response has no list of records.' })
  const read = (items ?? []).map((item) => recordOf(facts, parent, item))
  return {
    records: read.filter((record) => record !== undefined),
    unreadable: read.filter((record) => record === undefined).map(() => ({ id: null, path: facts.idFields[0]! })),
  }
}

/** The list in a list response. */
export const itemsOf = (id: OperationId, versions: Versions, body: JsonObject | undefined): Json | undefined =>
  body?.[operation(id, versions).method.items ?? 'items']

function withCursor(
  kind: Cursor['kind'] | 'snapshot',
  body: JsonObject,
  since: number | undefined,
): { cursor?: Cursor } {
  if (kind === 'syncToken') {
    const token = body['nextSyncToken']
    return typeof token === 'string' ? { cursor: { kind, value: token } } : {}
  }
  if ((kind === 'updatedMin' || kind === 'minChangeTime') && since !== undefined) {
    const overlap = kind === 'updatedMin' ? clockOverlap : logOverlap
    return { cursor: { kind, value: new Date(since - overlap).toISOString() } }
  }
  return {}
}

async function pullOne(client: Client, facts: Collection, request: PullRequest): Promise<PullPage> {
  const { get } = facts
  if (!request.id || !get)
    throw new FaultError({ code: 'invalid', message: `${request.collection} can only be read by ID.` })
  const known = request.cursor?.kind === 'etag' ? request.cursor.value : undefined
  const params = placeParams(facts, get, request.parent, request.id, client.versions)
  const answer = await tableCall(client)(get, params, facts.etag ? { ifNoneMatch: known } : {})
  if (answer.status === 304) return { records: [], cursor: { kind: 'etag', value: known! }, full: false, units: 1 }
  const record = recordOf(facts, request.parent, answer.body)
  if (!record) throw new FaultError({ code: 'badAnswer', operation: get, message: 'The record has no ID.' })
  return {
    records: [record],
    ...(record.etag === undefined ? {} : { cursor: { kind: 'etag' as const, value: record.etag } }),
    full: false,
    units: 1,
  }
}
