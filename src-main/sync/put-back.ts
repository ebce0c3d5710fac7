import { factsOf } from '#shared/facts/facts'
import { logOf, placeOfLog } from '#shared/facts/log'
import { sameJson, type JsonObject } from '#shared/json'
import { changedFields } from '#shared/merge/merge'
import { isServerOwned } from '#shared/merge/rules'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { pagesOf } from './read'
import { factsFor, type Meter, type PushDeps } from './replay'

/**
 * Fields of a change whose answer was lost that did arrive, and that someone then put back to what was there before. Without
 * this, the change would be taken for one that never arrived, and be written over their word. The log of a service proves
 * it; without a log, only a record that is the same in everything and yet was written since looks like it.
 * @throws FaultError
 */
export async function putBack(
  deps: PushDeps,
  entry: OutboxEntry,
  remote: RemoteRecord,
  meter: Meter,
): Promise<string[]> {
  const facts = factsFor(deps, entry)
  const base = entry.base ?? {}
  const value = remote.value ?? {}
  const asBefore = Object.keys(entry.patch).filter(
    (field) => !isServerOwned(facts.rules, field) && sameJson(value[field], base[field]),
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

/** When the record was last changed by what its author saw, in epoch milliseconds; -Infinity where it doesn't say. */
function lastChange(base: JsonObject): number {
  const { time } = (base['lastModifiedInfo'] ?? {}) as JsonObject
  return time === undefined ? -Infinity : Number(time)
}
