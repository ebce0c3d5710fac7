import type { Collection } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import type { ServiceName } from '#shared/wire/services'

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

const knownIn = new WeakMap<Facts, Map<ServiceName, readonly PulledCollection[]>>()

/** Those of one service. Every step of a sync asks for them. */
export function pulledIn(facts: Facts, service: ServiceName): readonly PulledCollection[] {
  const byService = knownIn.get(facts) ?? new Map<ServiceName, readonly PulledCollection[]>()
  knownIn.set(facts, byService)
  let pulled = byService.get(service)
  if (!pulled) byService.set(service, (pulled = pulledOf(facts).filter((one) => one.service === service)))
  return pulled
}
