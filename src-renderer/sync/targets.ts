import { keyBeside, type Collection, type CollectionName } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import { parentOf, placeIds } from '#shared/facts/ids'
import type { Account } from '#shared/ipc/account-questions'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ServiceName } from '#shared/wire/services'
import type { Memory } from '../replica/memory'
import type { Row } from '../replica/api'
import { chosenTargets } from './download-targets'
import { pulledIn, pulledOf, type PulledCollection } from './pulled-collections'
import { targetOf, type Target } from './target'

export { targetOf, type Target }

/** Services that have something to sync. */
export const syncedServices = (facts: Facts): readonly ServiceName[] => [
  ...new Set(pulledOf(facts).map(({ service }) => service)),
]

/**
 * Targets that a service's other targets depend on. Empty if the account doesn't have the service. The sandbox has all of
 * them, even before it started.
 */
export function rootsOf(
  facts: Facts,
  { kind, services }: Pick<Account, 'kind' | 'services'>,
  service: ServiceName,
): Target[] {
  if (kind !== 'sandbox' && services[service] === undefined) return []
  return pulledIn(facts, service)
    .filter(({ pull }) => pull.when === 'root')
    .map(({ name }) => targetOf(name))
}

/** All targets of a service, in the order in which users need them. */
export function targets(memory: Memory, service: ServiceName, roots: readonly Target[]): Target[] {
  if (roots.length === 0) return []
  const found = [...roots]
  for (const facts of pulledIn(memory.facts, service))
    if (facts.pull.when !== 'root') found.push(...insideOf(memory, facts))
  return found
}

/** Collections that determine a service's targets: those whose records contain others, and downloads. */
export function holdersIn(facts: Facts, service: ServiceName): ReadonlySet<CollectionName | 'downloads'> {
  const pulled = pulledIn(facts, service)
  const holders = pulled.flatMap((one) => [holderOf(one) ?? [], one.cuts.map(({ by }) => by)].flat())
  return new Set([...holders, ...(pulled.some(isByChoice) ? (['downloads'] as const) : [])])
}

/** The collection of the records that a collection's lists, or its records, belong to. */
const holderOf = ({ pull, parent, listedIn, recordsOf }: PulledCollection): CollectionName | undefined =>
  pull.when === 'perParent' ? parent?.collection : (listedIn ?? recordsOf)

/** True if a collection is only read for downloads. */
export const isByChoice = ({ pull }: Collection): boolean =>
  pull === undefined || !['root', 'perParent', 'perRecord'].includes(pull.when)

function insideOf(memory: Memory, facts: PulledCollection): Target[] {
  const { name, pull } = facts
  if (isByChoice(facts)) return chosenTargets(memory, facts)
  const holder = holderOf(facts)
  if (!holder) return []
  const { only } = pull
  const rows = holdersOf(memory, holder).filter((row) => !only || only.values.includes(String(row.base![only.field])))
  return rows.map((row) =>
    pull.when === 'perParent' ? targetOf(name, placeInside(facts, row)) : targetOf(name, row.parent, row.id),
  )
}

/** Parent key of a record's children. */
export const placeInside = ({ parents }: Collection, { parent, id }: Pick<Row, 'parent' | 'id'>): string | null =>
  parentOf([...placeIds(parents.length - 1, parent), id])

/** Calendars, task lists, and others whose contents are read. Most visible ones first. */
function holdersOf(memory: Memory, collection: CollectionName): Row[] {
  const { holds } = memory.facts.of(collection)
  // Changes by others in a record to be deleted must be seen first.
  const rows = memory
    .everyRow(collection)
    .filter(({ base }) => base !== null && (!holds || base[holds.unless] !== true))
  if (!holds) return rows
  const rank = ({ base }: Row): number => {
    const found = holds.first.findIndex((field) => base![field])
    return found < 0 ? holds.first.length : found
  }
  return rows.sort((a, b) => rank(a) - rank(b))
}

/** Target of the list that contains a record. */
export function listOf(facts: Facts, { collection, parent }: Pick<Target, 'collection' | 'parent'>): Target {
  const { list, listedIn } = facts.of(collection)
  return list || !listedIn ? targetOf(collection, parent) : targetOf(listedIn)
}

/** Keys of targets that may contain something relevant to an entry: its record's place and destination, its effects, and its contents. */
export function keysFor(
  facts: Facts,
  { collection, parent, recordId, kind, action, shows = [] }: OutboxEntry,
): Set<string> {
  const destination = action && 'destination' in action ? action.destination : undefined
  const keys = new Set([
    listOf(facts, { collection, parent }).key,
    targetOf(collection, parent, recordId).key,
    ...(destination === undefined ? [] : [targetOf(collection, destination).key]),
    ...shows.map(({ key }) => keyBeside(key, '')),
  ])
  if (kind === 'delete' || kind === 'action')
    for (const { key } of contentsOf(facts, collection, parent, recordId)) keys.add(key)
  return keys
}

/** Targets that the service changes after a write: order of siblings, occurrences, lists that name the record, contents. */
export function sideEffectsOf(
  facts: Facts,
  { collection, parent, recordId, kind, action, patch, base, place }: OutboxEntry,
): Set<string> {
  const { sideEffects, listedIn } = facts.of(collection)
  const destination = action && 'destination' in action ? action.destination : undefined
  const others =
    sideEffects === 'place' ? kind !== 'change' || place : sideEffects?.some((field) => patch[field] || base?.[field])
  return new Set([
    ...logsOf(facts, collection, parent),
    ...(listedIn ? [targetOf(listedIn).key] : []),
    ...(others ? [targetOf(collection, parent).key] : []),
    ...(destination ? [targetOf(collection, destination).key] : []),
    ...(kind === 'action' ? contentsOf(facts, collection, parent, recordId).map(({ key }) => key) : []),
  ])
}

/** Lists inside one record. */
function contentsOf(facts: Facts, collection: CollectionName, parent: string | null, id: string): Target[] {
  const holder = facts.of(collection).listedIn ?? collection
  const inside = pulledOf(facts).filter((one) => one.parent?.collection === holder)
  return inside.map((one) => targetOf(one.name, placeInside(one, { parent, id })))
}

/** Keys of the logs that record who changed a collection. */
export function logsOf(facts: Facts, collection: CollectionName, parent: string | null): string[] {
  const { service, objectType, parents } = facts.of(collection)
  if (objectType === undefined || parent === null) return []
  const [outermost] = placeIds(parents.length, parent)
  const logs = facts.all.filter((one) => one.log !== undefined && one.service === service)
  return logs.map(({ name }) => targetOf(name, outermost ?? null).key)
}
