import type { Collection } from '#shared/facts/collection'
import { contentToCreate } from '#shared/domain/writable'
import { alreadyHolds, withRemovals } from '#shared/merge/arrived'
import { changedFields, merge, withPatch } from '#shared/merge/merge'
import { FaultError } from '#shared/fault'
import type { Json, JsonObject } from '#shared/json'
import type { MergeReceipt, OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { unitsOf } from '#shared/wire/quotas'
import { operation } from '#shared/wire/services'
import { tableCall } from './pull'
import { revertedFields } from './reverted'
import { readRecord } from './read'
import { recordOf, sameRecord } from './record'
import { factsFor, isFault, mayWriteAgain, writeParams, type Ending, type Meter, type PushDeps } from './replay'

/** Number of read-merge-write rounds before the user decides about a record that keeps changing. */
const maxRounds = 3

/** One write of a change. */
interface Write {
  /** State of the record on the service, as far as known. */
  current: JsonObject
  etag?: string
  patch: JsonObject
  /** True if `current` is the complete record, so that a PUT loses nothing. */
  complete: boolean
}

/**
 * Replays a field edit: PUT if the copy is complete and has an etag, otherwise PATCH of the touched fields, always with
 * If-Match. Merges a changed base three ways, and leaves only true conflicts to the user.
 */
export async function replayChange(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Ending> {
  const facts = factsFor(deps, entry)
  const base = entry.base ?? {}
  const began = deps.now()
  let receipt: MergeReceipt | undefined
  let write: Write = { current: base, etag: entry.etag, patch: entry.patch, complete: entry.complete }

  for (let round = 0; round <= maxRounds; round++) {
    // The etag of a record to restore is from the last read, not from the base.
    const lookFirst = round > 0 || write.etag === undefined || entry.unknownOutcome || restores(facts, entry)
    if (lookFirst) {
      const remote = (round === 0 && deps.seen) || (await read(deps, entry, meter))
      meter.looked = true
      if (remote.value === null && restores(facts, entry)) {
        const { etag } = remote
        const isChanged = etag !== entry.etag
        // An attempt whose outcome is unknown may have restored it before it was deleted again.
        if (entry.unknownOutcome && isChanged) return { kind: 'conflict', remote, fields: [], merged: entry.patch }
        if (etag !== undefined) meter.restored = etag
        // It may have been moved since it was looked for elsewhere.
        if (entry.etag !== undefined && isChanged)
          throw new FaultError({ code: 'conflict', message: 'The record changed while this was being sent' })
        const whole = { current: {}, patch: restoring(facts, entry), complete: false, ...(etag && { etag }) }
        try {
          const record = await writeChange(deps, entry, whole, meter)
          return leftDeleted(facts, entry, record) ?? settled(record, receipt)
        } catch (error) {
          // Someone else restored it first.
          if (round < maxRounds && mayWriteAgain(error, deps, began)) continue
          // The service no longer keeps it. It can be created again, unless it was a part of another record.
          if (!isFault(error, 'notFound', 'gone') || base[facts.gone?.unless ?? ''] !== undefined) throw error
          return { kind: 'conflict', remote, fields: [], merged: entry.patch }
        }
      }
      if (remote.value === null) return { kind: 'conflict', remote, fields: [], merged: entry.patch }
      if (alreadyHolds(facts.rules, base, remote.value, entry.patch))
        return { ...settled(remote, receipt), unwritten: true }
      const merged = merge(facts.rules, base, entry.patch, remote.value)
      const back = entry.unknownOutcome ? await revertedFields(deps, entry, remote, meter) : []
      if (back.length > 0) {
        const rest = Object.entries(merged.patch).filter(([field]) => !back.includes(field))
        const fields = [...new Set([...back, ...merged.conflicts])]
        return { kind: 'conflict', remote, fields, merged: Object.fromEntries(rest) }
      }
      if (merged.conflicts.length > 0) {
        return { kind: 'conflict', remote, fields: merged.conflicts, merged: merged.patch }
      }
      if (changedFields(facts.rules, base, remote.value).length > 0 && entry.complete) receipt = merged.receipt
      if (Object.keys(merged.patch).length === 0) return { ...settled(remote, receipt), unwritten: true }
      write = { current: remote.value, etag: remote.etag, patch: merged.patch, complete: true }
    }
    try {
      const record = await writeChange(deps, entry, write, meter)
      const stays = leftDeleted(facts, entry, record)
      if (stays) return stays
      const unguarded = !facts.etag && meter.looked ? { seen: touched(write), sent: write.patch } : undefined
      return { ...settled(record, receipt), ...(unguarded && { unguarded }) }
    } catch (error) {
      if (isFault(error, 'notFound', 'gone')) {
        return { kind: 'conflict', remote: { ...whose(entry), value: null }, fields: [], merged: entry.patch }
      }
      if (round === maxRounds || !mayWriteAgain(error, deps, began)) throw error
    }
  }
  throw new Error('unreachable')
}

type Settled = Extract<Ending, { kind: 'confirmed' | 'merged' }>

const touched = ({ current, patch }: Write): JsonObject =>
  Object.fromEntries(
    Object.keys(patch).flatMap((field) => (Object.hasOwn(current, field) ? [[field, current[field]]] : [])),
  )

function read(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<RemoteRecord> {
  meter.units += 1
  return readRecord(deps.client, entry.collection, entry.parent, entry.recordId)
}

/**
 * True if a patch restores a record that its author knew as deleted, or an occurrence whose deleted form it overwrites
 * (calendar behavior, status).
 */
function restores({ gone }: Collection, { patch, base }: OutboxEntry): boolean {
  if (!gone || (gone.unless === undefined && base?.[gone.field] !== gone.is)) return false
  const said = patch[gone.field]
  return said !== undefined && said !== null && said !== gone.is
}

/** Returns a question if the service stored a change but left the record deleted, such as an occurrence with its series. */
function leftDeleted(facts: Collection, entry: OutboxEntry, record: RemoteRecord): Ending | undefined {
  const { gone } = facts
  if (!gone || !restores(facts, entry) || (record.value && record.value[gone.field] !== gone.is)) return undefined
  return { kind: 'conflict', remote: { ...record, value: null }, fields: [], merged: entry.patch }
}

/** Content to send for a restored record: its change, or all of it if the service may have only its ID. */
function restoring(facts: Collection, { base, patch }: OutboxEntry): JsonObject {
  if (!facts.gone?.bare) return patch
  return { ...contentToCreate(facts, base ?? {}), ...patch }
}

/**
 * False if a record has numbers that were rounded when it was read. Sending it back whole would change fields that no one
 * touched.
 */
function isExact(value: Json | undefined): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

async function writeChange(deps: PushDeps, entry: OutboxEntry, write: Write, meter: Meter): Promise<RemoteRecord> {
  const facts = factsFor(deps, entry)
  // Without an etag, nothing guards the fields this change doesn't touch, so only send those it does.
  const guarded = facts.etag ? write.etag !== undefined : facts.patch === undefined
  const exact = facts.patch === undefined || isExact(write.current)
  const isPart = facts.partial !== undefined && write.current[facts.partial.field] === facts.partial.is
  const whole = write.complete && !isPart && guarded && exact && facts.update !== undefined
  const id = whole ? facts.update : facts.patch
  if (!id) throw new RangeError(`${entry.collection} can’t be changed`)
  meter.units += unitsOf(facts.service, operation(id, deps.client.versions).method.httpMethod)
  const params = writeParams(deps, id, entry, { record: entry.recordId })
  const body = whole ? withPatch(write.current, write.patch) : withRemovals(write.current, write.patch)
  const options = { body: body as never, ...(facts.etag && { ifMatch: write.etag }) }
  const answer = await tableCall(deps.client)(id, params, options)
  return sameRecord(entry.recordId, recordOf(facts, entry.parent, answer.body))
}

const whose = (entry: OutboxEntry): Omit<RemoteRecord, 'value'> => ({
  collection: entry.collection,
  parent: entry.parent,
  id: entry.recordId,
})

function settled(record: RemoteRecord, receipt: MergeReceipt | undefined): Settled {
  return receipt ? { kind: 'merged', records: [record], receipt } : { kind: 'confirmed', records: [record] }
}
