import { factsOf } from '#shared/facts/facts'
import { logOf, placeOfLog } from '#shared/facts/log'
import { sameJson, type JsonObject } from '#shared/json'
import { changedFields } from '#shared/merge/merge'
import { isServerOwned } from '#shared/merge/rules'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { pagesOf } from './read'
import { factsFor, type Meter, type PushDeps } from './replay'

/**
 * Returns the fields of a change that arrived, although its answer was lost, and that someone then reverted. The change would
 * otherwise look as if it had never arrived, and the retry would overwrite the revert. The change log proves a revert. Without
 * a log, a record with the old content and a new etag counts as reverted.
 * @throws FaultError
 */
export async function revertedFields(
  deps: PushDeps,
  entry: OutboxEntry,
  remote: RemoteRecord,
  meter: Meter,
): Promise<string[]> {
  const facts = factsFor(deps, entry)
  const base = entry.base ?? {}
  const value = remote.value ?? {}
  const asBefore = Object.keys(entry.patch).filter(
    (field) => !isServerOwned(facts.rules, field) && sameJson(value[field] ?? null, base[field] ?? null),
  )
  if (asBefore.length === 0) return []
  const log = logOf(factsOf(deps.client.versions), facts)
  if (!log) {
    const written = entry.etag !== undefined && remote.etag !== undefined && remote.etag !== entry.etag
    return written && entry.complete && changedFields(facts.rules, base, value).length === 0 ? asBefore : []
  }
  const by = log.log!
  const profile = placeOfLog(log, facts, entry.parent)
  const since = lastChange(base)
  const narrowed = { objectIds: [entry.recordId], [by.type]: facts.objectType!, userProfileIds: [profile] }
  const arrived = new Set<string>()
  for await (const { records } of pagesOf(deps.client, log, profile, narrowed)) {
    meter.units += 1
    for (const { body } of records) {
      const field = String(body[by.field])
      const own = body[by.id] === entry.recordId && body[by.whoId] === profile
      const later = Date.parse(String(body[by.at])) > since
      if (own && later && isPlain(entry.patch[field]) && String(entry.patch[field]) === body[by.after])
        arrived.add(field)
    }
  }
  return asBefore.filter((field) => arrived.has(field))
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** Time of the last change of the record that the author saw, in epoch milliseconds. -Infinity if unknown. */
function lastChange(base: JsonObject): number {
  const { time } = (base['lastModifiedInfo'] ?? {}) as JsonObject
  return time === undefined ? -Infinity : Number(time)
}
