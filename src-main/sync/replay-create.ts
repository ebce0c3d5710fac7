import { collections } from '#shared/domain/collections'
import { isJsonObject, type JsonObject } from '#shared/json'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { adopted, isMadeBy } from '#shared/mutation/made'
import { mostPages, pageWeight, readRecord, repeatsPages, tableCall, unreadableEntry } from './pull'
import { accepted, isFault, writeParams, type Ending, type Meter, type PushDeps } from './replay'
import { placeParams, recordOf, sameRecord } from './record'

/**
 * Replays a creation so that there is never a second copy: with a client id a repeat answers 409 and the stored record
 * is compared and adopted; without one, an attempt whose outcome is unknown is looked for before it is repeated.
 */
export async function replayCreate(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Ending> {
  const facts = collections[entry.collection]
  if (!facts.insert) throw new RangeError(`${entry.collection} cannot be created`)
  if (entry.unknownOutcome) {
    const found = await findEarlier(deps, entry, meter)
    meter.looked = true
    if (found) return adopt(entry, found)
  }
  try {
    return { kind: 'confirmed', records: [await insert(deps, entry, meter)] }
  } catch (error) {
    if (facts.ids === 'service' || !isFault(error, 'duplicate')) throw error
    meter.units += 1
    const remote = await readRecord(deps.client, entry.collection, entry.parent, entry.recordId)
    if (remote.value === null) return { kind: 'conflict', remote, fields: [], merged: entry.patch }
    return adopt(entry, remote)
  }
}

/** A record whose id comes from its content may be somebody else's doing: where it differs, the person decides. */
function adopt(entry: OutboxEntry, found: RemoteRecord): Ending {
  const ending = adopted(entry, found)
  if (ending.kind === 'confirmed' || collections[entry.collection].ids !== 'content') return ending
  return { kind: 'conflict', remote: found, fields: ending.receipt.theirs, merged: {} }
}

async function insert(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<RemoteRecord> {
  const facts = collections[entry.collection]
  meter.units += 1
  const params = {
    ...accepted(facts.insert!, { ...writeParams(entry), ...entry.place }),
    ...placeParams(entry.collection, entry.parent),
  }
  const body: JsonObject = { ...entry.patch, ...(facts.ids === 'service' ? {} : { id: entry.recordId }) }
  const answer = await tableCall(deps.client)(facts.insert!, params, { body: body as never })
  const record = recordOf(entry.collection, entry.parent, answer.body)
  return sameRecord(facts.ids === 'service' ? (record?.id ?? '') : entry.recordId, record)
}

async function findEarlier(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<RemoteRecord | undefined> {
  const facts = collections[entry.collection]
  if (facts.ids !== 'service') {
    meter.units += 1
    const remote = await readRecord(deps.client, entry.collection, entry.parent, entry.recordId)
    return remote.value === null ? undefined : remote
  }
  // New calendars show in the caller's list; they have no list of their own.
  const list = facts.list ?? collections.calendarList.list!
  const params: JsonObject = { ...list.params, ...placeParams(entry.collection, entry.parent) }
  for (let pageToken: string | undefined, number = 0; ;) {
    meter.units += 1
    const answer = await tableCall(deps.client)(list.operation, pageToken ? { ...params, pageToken } : params)
    const items = answer.body?.['items']
    number += pageWeight(Array.isArray(items) ? items.length : 0)
    for (const item of Array.isArray(items) ? items : []) {
      if (!isJsonObject(item) || typeof item['id'] !== 'string' || item['deleted'] === true) continue
      const { collection, parent } = entry
      if (isMadeBy(entry, { collection, parent, id: item['id'], value: item }))
        return readRecord(deps.client, collection, parent, item['id'])
    }
    // Ours may be the one that cannot be read: made again, it would be there twice.
    const [odd] = answer.unreadable ?? []
    if (odd) throw unreadableEntry(list.operation, odd)
    const next = answer.body?.['nextPageToken']
    if (typeof next !== 'string' || next === '') return undefined
    if (next === pageToken || number >= mostPages) throw repeatsPages(list.operation)
    pageToken = next
  }
}
