import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { partsOf } from '#shared/facts/ids'
import { referencesIn } from '#shared/facts/references'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { applyPatch, ownKey } from '#shared/mutation/fold'
import type { Replica, Row } from '../replica/api'

/** Fields of the records that hold others, by the collection of what they name. */
export const holders = { campaigns: 'campaignId', advertisers: 'advertiserId' } as const
type Holder = keyof typeof holders
const holderNames = Object.keys(holders) as Holder[]

/** IDs of a profile's records that hold what entries touch. */
type Scope = Record<Holder, Set<string>>

/** The record that an entry leads to. */
const valueOf = ({ base, patch }: OutboxEntry): JsonObject => applyPatch(base ?? {}, patch)

/** ID of the campaign or advertiser of a record, which may be the record itself. */
export function holderOf(entry: OutboxEntry, holder: Holder): string | undefined {
  if (entry.collection === holder) return entry.recordId
  const id = valueOf(entry)[holders[holder]]
  return typeof id === 'string' ? id : undefined
}

function scopeOf(replica: Replica, profile: string, entries: readonly OutboxEntry[]): Scope {
  const scope: Scope = { campaigns: new Set(), advertisers: new Set() }
  for (const entry of entries)
    for (const holder of holderNames) {
      const id = holderOf(entry, holder)
      if (id !== undefined) scope[holder].add(id)
    }
  for (const id of scope.campaigns) {
    const advertiser = replica.peekField(recordKey('campaigns', profile, id), holders.advertisers)
    if (typeof advertiser === 'string') scope.advertisers.add(advertiser)
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
  const rows = await replica.table(kind.name, { columns: Object.values(holders) }, signal)
  const columns = holderNames.map((holder) => [holder, rows.columns.indexOf(holders[holder])] as const)
  const isScoped = columns.some(([, column]) => column >= 0)
  for (let row = 0; row < rows.length; row++) {
    const key = rows.key(row)
    const [own, ...around] = partsOf(parseRecordKey(key).parent ?? '', kind.parents.length)
    if (own !== profile) continue
    const inPlace = kind.parents.slice(1).map(({ collection }, at) => [collection, around[at]!] as const)
    const held = [
      ...columns.flatMap(([holder, column]) => (column >= 0 ? [[holder, rows.cell(row, column)] as const] : [])),
      ...inPlace.filter(([collection]) => collection in holders),
    ].filter(([, id]) => typeof id === 'string' && id !== '')
    // What belongs to neither is only needed if it has rules, such as unique names.
    const isNeeded =
      held.length > 0 ? scope?.[held[0]![0] as Holder].has(String(held[0]![1])) : isScoped || kind.writable
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
