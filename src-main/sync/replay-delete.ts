import type { Collection } from '#shared/facts/collection'
import type { JsonObject } from '#shared/json'
import { fieldsLeftEmpty } from '#shared/domain/writable'
import { changedFields } from '#shared/merge/merge'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { tableCall } from './pull'
import { readRecord } from './read'
import { goneRecord } from './record'
import { factsFor, isFault, mayWriteAgain, writeParams, type Ending, type Meter, type PushDeps } from './replay'

/**
 * Replays a deletion. A record that is already gone counts as success. A record that users changed is a conflict that asks
 * once. Changes by the service are ignored.
 */
export async function replayDelete(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Ending> {
  const facts = factsFor(deps, entry)
  if (!facts.delete) throw new RangeError(`${entry.collection} can’t be deleted`)
  const without = goneRecord(entry.collection, entry.parent, entry.recordId)
  const alreadyGone: Ending = { kind: 'confirmed', records: [without], alreadyGone: true }
  const began = deps.now()
  let etag = entry.etag
  let seen: JsonObject | undefined
  for (let round = 0; round < 3; round++) {
    if (etag === undefined || round > 0) {
      const remote = (round === 0 && deps.seen) || (await read(deps, entry, meter))
      if (remote.value === null) return alreadyGone
      if (changedSince(facts, entry, remote.value) || wasRestored(entry, remote)) {
        return { kind: 'conflict', remote, fields: [], merged: {} }
      }
      etag = remote.etag
      seen = remote.value
    }
    try {
      meter.units += 1
      const params = writeParams(deps, facts.delete, entry, { record: entry.recordId })
      await tableCall(deps.client)(facts.delete, params, facts.etag ? { ifMatch: etag } : {})
      const unguarded = !facts.etag && seen ? { seen, sent: {} } : undefined
      return {
        kind: 'confirmed',
        records: [{ ...without, value: leftOf(facts, entry) }],
        ...(unguarded && { unguarded }),
      }
    } catch (error) {
      if (isFault(error, 'notFound', 'gone')) return alreadyGone
      if (!mayWriteAgain(error, deps, began)) throw error
    }
  }
  return {
    kind: 'refused',
    fault: {
      code: 'preconditionFailed',
      message: 'This record keeps changing on the server, so it couldn’t be deleted.',
    },
  }
}

/** Form of a record in lists after its deletion. A part of another record stays in its deleted form. */
function leftOf({ gone }: Collection, { base }: OutboxEntry): JsonObject | null {
  const whole = gone?.unless === undefined ? undefined : base?.[gone.unless]
  return whole === undefined ? null : { [gone!.field]: gone!.is, [gone!.unless!]: whole }
}

/**
 * True if someone changed a record since its deletion. Of a partial record, compares only known fields, and additions to a part
 * that had no version of its own yet.
 */
function changedSince(facts: Collection, { base, complete, etag }: OutboxEntry, now: JsonObject): boolean {
  if (base === null) return false
  const whole = facts.gone?.unless
  const isDerived = etag === undefined && whole !== undefined && base[whole] !== undefined
  const known = new Set([...Object.keys(base), ...(isDerived ? fieldsLeftEmpty(facts, now) : [])])
  return changedFields(facts.rules, base, now).some((field) => complete || known.has(field))
}

/** True if a deletion whose answer was lost may have arrived: someone has written the record since, as restoring it does. */
const wasRestored = ({ unknownOutcome, etag }: OutboxEntry, remote: RemoteRecord): boolean =>
  unknownOutcome === true && etag !== undefined && remote.etag !== undefined && remote.etag !== etag

function read(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<RemoteRecord> {
  meter.units += 1
  return readRecord(deps.client, entry.collection, entry.parent, entry.recordId)
}
