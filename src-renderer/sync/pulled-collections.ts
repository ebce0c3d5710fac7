import type { Collection } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'

export type PulledCollection = Collection & Required<Pick<Collection, 'pull'>>

const known = new WeakMap<Facts, readonly PulledCollection[]>()

/** Collections that are read, automatically or as downloads, in the order in which users need them. */
export function pulledOf(facts: Facts): readonly PulledCollection[] {
  let pulled = known.get(facts)
  if (!pulled) {
    const wanted = facts.all.filter((one): one is PulledCollection => one.pull !== undefined)
    known.set(facts, (pulled = wanted.sort((a, b) => a.pull.order - b.pull.order)))
  }
  return pulled
}
