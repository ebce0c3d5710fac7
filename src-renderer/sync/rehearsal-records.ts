import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { partsOf } from '#shared/facts/ids'
import { referencesIn } from '#shared/facts/references'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { applyPatch, ownKey } from '#shared/mutation/fold'
import type { Replica, Row } from '../replica/api'

/** IDs of the records that hold what entries touch, by collection. */
type Scope = ReadonlyMap<CollectionName, ReadonlySet<string>>

/** The record after an entry. */
const valueOf = ({ base, patch }: OutboxEntry): JsonObject => applyPatch(base ?? {}, patch)

/** Fields that name the records that hold one of a kind, narrowest first. */
const holdersOf = ({ cuts }: Collection): { by: CollectionName; field: string }[] =>
  cuts.flatMap(({ by, field }) => (field === undefined ? [] : { by, field })).reverse()

/** Records that hold an entry's, by collection and ID. */
export const heldBy = (kind: Collection, entry: OutboxEntry): (readonly [CollectionName, string])[] =>
  holdersOf(kind).flatMap(({ by, field }) => {
    const id = valueOf(entry)[field]
    return typeof id === 'string' ? [[by, id] as const] : []
  })

function scopeOf(replica: Replica, profile: string, entries: readonly OutboxEntry[]): Scope {
  const { facts } = replica
  const scope = new Map<CollectionName, Set<string>>()
  const add = (collection: CollectionName, id: string): void => {
    const known = scope.get(collection)
    if (known) known.add(id)
    else scope.set(collection, new Set([id]))
    // What holds it, in turn.
    for (const { by, field } of holdersOf(facts.of(collection))) {
      const outer = replica.peekField(recordKey(collection, profile, id), field)
      if (typeof outer === 'string' && scope.get(by)?.has(outer) !== true) add(by, outer)
    }
  }
  for (const entry of entries) {
    add(entry.collection, entry.recordId)
    for (const [collection, id] of heldBy(facts.of(entry.collection), entry)) add(collection, id)
  }
  return scope
}

/**
 * Keys of the records of one profile that decide whether its service accepts entries, as far as they're on this computer: the
 * contents of their campaigns and advertisers, what belongs to neither, and what they refer to. A deletion depends on
 * everything that may refer to the record.
 * @throws the signal's reason
 */
export async function rehearsedKeys(
  replica: Replica,
  profile: string,
  entries: readonly OutboxEntry[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const { facts } = replica
  const keys = new Set(entries.filter(({ kind }) => kind !== 'create').map(ownKey))
  const scope = scopeOf(replica, profile, entries)
  const everything = entries.some(({ kind }) => kind === 'delete')
  const { service } = facts.of(entries[0]!.collection)
  for (const kind of facts.all)
    if (kind.service === service && kind.parents.length > 0)
      await addKeys(replica, profile, kind, everything ? undefined : scope, keys, signal)
  for (const entry of entries) {
    const { table, schema } = facts.of(entry.collection)
    for (const { collection, id } of referencesIn(table, schema, valueOf(entry)))
      if (facts.find(collection) && !isLocalId(id)) keys.add(recordKey(collection as CollectionName, profile, id))
  }
  return keys
}

async function addKeys(
  replica: Replica,
  profile: string,
  kind: Collection,
  scope: Scope | undefined,
  keys: Set<string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const holders = holdersOf(kind)
  const rows = await replica.table(kind.name, { columns: holders.map(({ field }) => field) }, signal)
  const columns = holders.map(({ by, field }) => [by, rows.columns.indexOf(field)] as const)
  const isScoped = kind.cuts.length > 0
  for (let row = 0; row < rows.length; row++) {
    const key = rows.key(row)
    const [own, ...around] = partsOf(parseRecordKey(key).parent ?? '', kind.parents.length)
    if (own !== profile) continue
    const inPlace = kind.parents.slice(1).map(({ collection }, at) => [collection, around[at]!] as const)
    const held = [
      ...columns.flatMap(([by, column]) => (column >= 0 ? [[by, rows.cell(row, column)] as const] : [])),
      ...inPlace.filter(([collection]) => kind.cuts.some(({ by }) => by === collection)),
    ].filter(([, id]) => typeof id === 'string' && id !== '')
    // What belongs to neither is only needed if it has rules, such as unique names.
    const isNeeded = held.length > 0 ? scope?.get(held[0]![0])?.has(String(held[0]![1])) : isScoped || kind.writable
    if (scope === undefined || isNeeded) keys.add(key)
  }
}

/** A record for the sandbox, with the parents that its path names. Undefined if the service never had it. */
export function rehearsedRecord(
  kind: Collection,
  { id, parent, base }: Row,
): { collection: CollectionName; id: string; value: JsonObject } | undefined {
  if (base === null) return undefined
  const around = partsOf(parent ?? '', kind.parents.length).slice(1)
  const named = Object.fromEntries(kind.parents.slice(1).map(({ param }, at) => [param, around[at]!]))
  return { collection: kind.name, id, value: { ...named, ...base } }
}
