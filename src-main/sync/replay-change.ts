import { collections } from '#shared/domain/collections'
import { alreadyHolds, withRemovals } from '#shared/merge/arrived'
import { changedFields, merge, withPatch } from '#shared/merge/merge'
import type { JsonObject } from '#shared/json'
import type { MergeReceipt, OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { unitsOf } from '#shared/wire/quotas'
import { readRecord, tableCall } from './pull'
import { accepted, isFault, writeParams, type Ending, type Meter, type PushDeps } from './replay'
import { placeParams, recordOf, sameRecord } from './record'

/** Rounds of read, merge and write before a record that keeps moving is left to the person. */
const mostRounds = 3

/** How one write of a change is made. */
interface Write {
  /** What the service is believed to hold. */
  current: JsonObject
  etag?: string
  patch: JsonObject
  /** Whether `current` is the complete record, so that a PUT says it all. */
  complete: boolean
}

/**
 * Replays a field edit: PUT where the copy is complete and has an etag, otherwise PATCH of the touched fields, always
 * under If-Match. A base that moved is merged three ways; only true conflicts reach the person.
 */
export async function replayChange(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Ending> {
  const facts = collections[entry.collection]
  const base = entry.base ?? {}
  let receipt: MergeReceipt | undefined
  let write: Write = { current: base, etag: entry.etag, patch: entry.patch, complete: entry.complete }

  for (let round = 0; round <= mostRounds; round++) {
    const lookFirst = round > 0 || write.etag === undefined || entry.unknownOutcome
    if (lookFirst) {
      meter.units += 1
      const remote = await readRecord(deps.client, entry.collection, entry.parent, entry.recordId)
      meter.looked = true
      if (remote.value === null && restores(entry)) {
        return settled(
          await writeChange(deps, entry, { current: {}, patch: entry.patch, complete: false }, meter),
          receipt,
        )
      }
      if (remote.value === null) return { kind: 'conflict', remote, fields: [], merged: entry.patch }
      if (alreadyHolds(facts.schema, base, remote.value, entry.patch)) return settled(remote, receipt)
      const merged = merge(facts.schema, base, entry.patch, remote.value)
      if (merged.conflicts.length > 0) {
        return { kind: 'conflict', remote, fields: merged.conflicts, merged: merged.patch }
      }
      if (changedFields(facts.schema, base, remote.value).length > 0 && entry.complete) receipt = merged.receipt
      if (Object.keys(merged.patch).length === 0) return settled(remote, receipt)
      write = { current: remote.value, etag: remote.etag, patch: merged.patch, complete: true }
    }
    try {
      return settled(await writeChange(deps, entry, write, meter), receipt)
    } catch (error) {
      if (isFault(error, 'notFound', 'gone')) {
        return { kind: 'conflict', remote: { ...whose(entry), value: null }, fields: [], merged: entry.patch }
      }
      if (!isFault(error, 'preconditionFailed', 'conflict') || round === mostRounds) throw error
    }
  }
  throw new Error('unreachable')
}

/** Writing status confirmed on a cancelled occurrence brings it back (calendar behaviour, status). */
const restores = (entry: OutboxEntry): boolean => entry.collection === 'events' && entry.patch['status'] === 'confirmed'

async function writeChange(deps: PushDeps, entry: OutboxEntry, write: Write, meter: Meter): Promise<RemoteRecord> {
  const facts = collections[entry.collection]
  const whole = write.complete && write.etag !== undefined && facts.update !== undefined
  const id = whole ? facts.update : facts.patch
  if (!id) throw new RangeError(`${entry.collection} cannot be changed`)
  meter.units += unitsOf(facts.service, whole ? 'PUT' : 'PATCH')
  const params = { ...accepted(id, writeParams(entry)), ...placeParams(entry.collection, entry.parent, entry.recordId) }
  const body = whole ? withPatch(write.current, write.patch) : withRemovals(write.current, write.patch)
  const answer = await tableCall(deps.client)(id, params, { body: body as never, ifMatch: write.etag })
  return sameRecord(entry.recordId, recordOf(entry.collection, entry.parent, answer.body))
}

const whose = (entry: OutboxEntry): Omit<RemoteRecord, 'value'> => ({
  collection: entry.collection,
  parent: entry.parent,
  id: entry.recordId,
})

function settled(record: RemoteRecord, receipt: MergeReceipt | undefined): Ending {
  return receipt ? { kind: 'merged', records: [record], receipt } : { kind: 'confirmed', records: [record] }
}
