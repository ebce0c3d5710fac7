import { parseRecordKey, type Collection } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import type { RemoteRecord } from '#shared/mutation/entry'
import type { Memory } from '../replica/memory'
import type { Engine } from './engine'
import { placeInside, type Target } from './targets'

/**
 * Reads by ID records that a full list omits although pending changes need them, because the list may come from a
 * cache, and forgetting a record also loses how far its contents were read.
 * @returns the service's versions of those records
 * @throws FaultError
 */
export async function readUnlisted(
  { memory, bridge, account, spend }: Engine,
  { collection, parent }: Target,
  gone: readonly string[],
): Promise<RemoteRecord[]> {
  if (gone.length === 0 || memory.outbox.size === 0) return []
  const inside = memory.facts.all.filter((facts) => facts.parent?.collection === collection)
  const ids = gone.filter((key) => isNeeded(memory, inside, key)).map((key) => parseRecordKey(key).id)
  if (ids.length === 0) return []
  const answer = await bridge.ask('sync/read-many', { accountId: account.id, collection, parent, ids })
  if (!answer.ok) throw new FaultError(answer.fault)
  spend(answer.value.units)
  return answer.value.records.filter(({ value }) => value !== null)
}

/** True if a pending change is about a record or its contents. */
function isNeeded({ outbox }: Memory, inside: readonly Collection[], key: string): boolean {
  const places = inside.map((facts) => placeInside(facts, parseRecordKey(key)))
  return outbox.any('own', key) || places.some((place) => place !== null && outbox.any('parent', place))
}
