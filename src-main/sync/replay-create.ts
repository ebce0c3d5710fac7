import { collections } from '#shared/domain/collections'
import { isJsonObject, sameJson, type JsonObject } from '#shared/json'
import { alreadyHolds } from '#shared/merge/merge'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { mostPages, pageWeight, readRecord, repeatsPages, tableCall } from './pull'
import { accepted, isFault, writeParams, type Ending, type Meter, type PushDeps } from './replay'
import { placeParams, recordOf, sameRecord } from './record'
import { replayChange } from './replay-change'

/**
 * Replays a creation so that there is never a second copy: with a client id a repeat answers 409 and the stored record
 * is compared and adopted; without one, an attempt whose outcome is unknown is looked for before it is repeated.
 */
export async function replayCreate(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Ending> {
  const facts = collections[entry.collection]
  if (!facts.insert) throw new RangeError(`${entry.collection} cannot be created`)
  if (entry.unknownOutcome) {
    const found = await findEarlier(deps, entry, meter)
    if (found) return adopt(deps, entry, found, meter)
  }
  try {
    return { kind: 'confirmed', records: [await insert(deps, entry, meter)] }
  } catch (error) {
    if (!facts.clientId || !isFault(error, 'duplicate')) throw error
    meter.units += 1
    const remote = await readRecord(deps.client, entry.collection, entry.parent, entry.recordId)
    if (remote.value === null) return { kind: 'conflict', remote, fields: [], merged: entry.patch }
    return adopt(deps, entry, remote, meter)
  }
}

async function insert(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<RemoteRecord> {
  const facts = collections[entry.collection]
  meter.units += 1
  const params = {
    ...accepted(facts.insert!, { ...writeParams(entry), ...entry.place }),
    ...placeParams(entry.collection, entry.parent),
  }
  const body: JsonObject = { ...entry.patch, ...(facts.clientId ? { id: entry.recordId } : {}) }
  const answer = await tableCall(deps.client)(facts.insert!, params, { body: body as never })
  const record = recordOf(entry.collection, entry.parent, answer.body)
  return sameRecord(facts.clientId ? entry.recordId : (record?.id ?? ''), record)
}

/** The stored record is ours: if later edits are not in it yet, they are written as a change of it. */
async function adopt(deps: PushDeps, entry: OutboxEntry, found: RemoteRecord, meter: Meter): Promise<Ending> {
  const facts = collections[entry.collection]
  const value = found.value ?? {}
  if (alreadyHolds(facts.schema, value, entry.patch)) return { kind: 'confirmed', records: [found] }
  const missing = Object.fromEntries(
    Object.entries(entry.patch).filter(([field, mine]) => !alreadyHolds(facts.schema, value, { [field]: mine })),
  )
  return replayChange(
    deps,
    {
      ...entry,
      kind: 'change',
      recordId: found.id,
      patch: missing,
      base: value,
      etag: found.etag,
      complete: true,
      unknownOutcome: false,
    },
    meter,
  )
}

async function findEarlier(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<RemoteRecord | undefined> {
  const facts = collections[entry.collection]
  if (facts.clientId) {
    meter.units += 1
    const remote = await readRecord(deps.client, entry.collection, entry.parent, entry.recordId)
    return remote.value === null ? undefined : remote
  }
  const twins = new Set(entry.twins ?? [])
  // New calendars show in the caller's list; they have no list of their own.
  const list = facts.list ?? collections.calendarList.list!
  const params: JsonObject = { ...list.params, ...placeParams(entry.collection, entry.parent) }
  for (let pageToken: string | undefined, number = 0; ;) {
    meter.units += 1
    const answer = await tableCall(deps.client)(list.operation, pageToken ? { ...params, pageToken } : params)
    const items = answer.body?.['items']
    number += pageWeight(Array.isArray(items) ? items.length : 0)
    for (const item of Array.isArray(items) ? items : []) {
      if (!isJsonObject(item) || typeof item['id'] !== 'string' || twins.has(item['id']) || item['deleted'] === true)
        continue
      if (isOurs(entry, item)) return readRecord(deps.client, entry.collection, entry.parent, item['id'])
    }
    const next = answer.body?.['nextPageToken']
    if (typeof next !== 'string' || next === '') return undefined
    if (next === pageToken || number >= mostPages) throw repeatsPages(list.operation)
    pageToken = next
  }
}

/** Equal in everything people would see; a task also in its place under a parent. */
function isOurs(entry: OutboxEntry, item: JsonObject): boolean {
  const seen =
    entry.collection === 'tasks'
      ? ['title', 'notes', 'due']
      : entry.collection === 'calendars'
        ? ['summary', 'description']
        : ['title']
  const text = (value: unknown): unknown => (value === '' || value === null ? undefined : value)
  const equal = seen.every((field) =>
    sameJson(dateOnly(field, text(item[field])), dateOnly(field, text(entry.patch[field]))),
  )
  return equal && (entry.collection !== 'tasks' || sameJson(item['parent'], entry.place?.parent))
}

/** Tasks keep only the date of `due`. */
const dateOnly = (field: string, value: unknown): unknown =>
  field === 'due' && typeof value === 'string' ? value.slice(0, 10) : value
