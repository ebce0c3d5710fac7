import { collectionOf, parseRecordKey, recordKey } from '#shared/domain/collections'
import { alreadyHolds } from '#shared/merge/arrived'
import { changedFields } from '#shared/merge/merge'
import { fold, keysOf, ownKey } from '#shared/mutation/fold'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import type { Behaviors, Reach } from './collection-behavior'
import type { Memory } from './memory'
import { ownEntries, renewed, waitInstead } from './pending'
import type { Tx } from './tx'

/** Describes the further records that an entry removes. Undefined if there are none. */
export function reachOf(behaviors: Pick<Behaviors, 'of' | 'action'>, entry: OutboxEntry): Reach | undefined {
  const { kind, action, collection } = entry
  const reach = action
    ? behaviors.action(action.name).reach
    : kind === 'create'
      ? undefined
      : behaviors.of(collection).reach
  return reach && (reach.when?.(entry) ?? kind !== 'change') ? reach : undefined
}

/** Parents of the further records that an entry removes, by which the outbox finds the entry. */
export function reachedPlaces(behaviors: Pick<Behaviors, 'of' | 'action'>, entry: OutboxEntry): readonly string[] {
  const reach = reachOf(behaviors, entry)
  const place = reach && (reach.lies === 'inside' ? entry.recordId : entry.parent)
  return place === undefined || place === null ? [] : [place]
}

/** Returns waiting entries that remove records of this parent besides their own. */
export const reaching = ({ outbox }: Memory, parent: string | null): readonly OutboxEntry[] =>
  parent === null ? [] : outbox.find('reaches', parent)

/**
 * Puts pending entries in conflict if they would remove this record, which someone else added or changed since their
 * authors saw it. Call this before the record is stored.
 * @param known the record as this computer had it
 */
export function askAboutReach(tx: Tx, record: RemoteRecord, known: RemoteRecord['value'] | undefined): void {
  const { memory } = tx
  const { collection, parent, id, value } = record
  if (!value) return
  const key = recordKey(collection, parent, id)
  for (const entry of reaching(memory, parent)) {
    const reach = reachOf(memory.behaviors, entry)
    if (!reach || entry.state === 'sending' || entry.conflict?.unseen?.includes(key)) continue
    const changed = changedByOthers(memory, key, value, known, entry)
    if (changed?.length === 0 && !comesIntoReach(memory, reach, entry, record, known)) continue
    if (hasArrived(memory, entry, key === ownKey(entry) ? value : memory.stored.get(ownKey(entry))?.base)) continue
    if (wasSeen(entry, key, record.etag, changed !== undefined)) continue
    if (!reach.has({ memory, entry, record, ...(changed && { changed }) })) continue
    const row = memory.stored.get(ownKey(entry))
    const etag = row?.etag ?? entry.etag
    const unseen = [...(entry.conflict?.unseen ?? []), key]
    const asked = entry.conflict
      ? { state: 'needsYou' as const, conflict: { ...entry.conflict, unseen } }
      : reachQuestion({ ...entry, ...(etag !== undefined && { etag }) }, row?.base ?? entry.base ?? {}, { unseen })
    tx.putEntry({ ...renewed(entry), ...asked })
  }
}

/**
 * Puts a new entry in conflict if it would remove records that its author sees in another place, because the entries that move
 * them there were rejected or are in conflict. Moves that are only pending are sent first.
 */
export function askAboutStaying(tx: Tx, entry: OutboxEntry): void {
  const { behaviors, outbox, stored } = tx.memory
  const moves = reachedPlaces(behaviors, entry)
    .flatMap((place) => outbox.find('parent', place))
    .filter(({ kind, state }) => kind === 'action' && state === 'needsYou')
  const moved = moves.flatMap((move) => {
    const key = ownKey(move)
    return [...keysOf(move), ...(behaviors.of(move.collection).children?.(tx.memory, key) ?? [])]
  })
  const unseen = moved.filter((key) => !wasSeen(entry, key, stored.get(key)?.etag, true))
  askAbout(tx, entry, unseen)
}

/**
 * Keeps pending entries from removing a record whose deletion was discarded, because their authors saw it as deleted. The
 * entries wait for a move of the record to another place, or are put in conflict.
 */
export function guardUndeleted(tx: Tx, key: string): void {
  const { memory } = tx
  const entries = reaching(memory, memory.stored.get(key)?.parent ?? null)
  if (entries.length === 0) return
  const keys = [key, ...(memory.behaviors.of(collectionOf(key)).children?.(memory, key) ?? [])]
  const isLeaving = ownEntries(memory, key).some(({ kind, state }) => kind === 'action' && state !== 'needsYou')
  for (const entry of entries) {
    if (entry.state === 'sending' || removedBy(memory, entry, keys).length === 0) continue
    if (isLeaving) waitInstead(tx, [entry], key)
    else askAbout(tx, entry, keys)
  }
}

/** Puts pending entries in conflict if they would remove records whose edit, or restoration, has just followed them there. */
export function askAboutFollowed(tx: Tx, parent: string, keys: readonly string[]): void {
  for (const entry of reaching(tx.memory, parent)) if (entry.state !== 'sending') askAbout(tx, entry, keys)
}

/** Puts an entry in conflict over the records among these that it removes. */
export function askAbout(tx: Tx, entry: OutboxEntry, keys: readonly string[]): void {
  const removed = removedBy(tx.memory, entry, keys)
  if (removed.length === 0) return
  const unseen = [...new Set([...(entry.conflict?.unseen ?? []), ...removed])]
  const question = entry.conflict
    ? { state: 'needsYou' as const, conflict: { ...entry.conflict, unseen } }
    : reachQuestion(entry, entry.base ?? {}, { unseen })
  tx.putEntry({ ...renewed(entry), ...question })
}

/** Returns the records among these that an entry removes. Some may exist only by their own pending creation or change. */
function removedBy(memory: Memory, entry: OutboxEntry, keys: readonly string[]): string[] {
  const reach = reachOf(memory.behaviors, entry)
  return keys.filter((key) => {
    const { collection, parent, id } = parseRecordKey(key)
    const [first] = ownEntries(memory, key)
    const made = first?.kind === 'create' || first?.kind === 'change' ? (memory.row(key)?.value ?? first.base) : null
    const value = memory.stored.get(key)?.base ?? made
    return !!value && reach?.has({ memory, entry, record: { collection, parent, id, value } }) === true
  })
}

/** True if a change whose answer was lost has arrived, according to its record. The change itself then removed the others. */
function hasArrived({ facts }: Memory, entry: OutboxEntry, record: JsonObject | undefined): boolean {
  if (entry.kind !== 'change' || !entry.unknownOutcome || !record) return false
  return alreadyHolds(facts.of(entry.collection).rules, entry.base, record, entry.patch)
}

/** True if the author of an entry saw a record's current state. Entries of older versions record this only for unknown records. */
const wasSeen = ({ shows }: OutboxEntry, key: string, etag: string | undefined, isKnown: boolean): boolean =>
  shows?.some(
    (one) => one.key === key && one.patch === null && (one.etag === undefined ? !isKnown : one.etag === etag),
  ) ?? false

/**
 * Notes the service's first version of a record that its author created and hid before it was sent. Only that version counts
 * as seen.
 */
export function noteHidden(tx: Tx, { collection, parent, id, etag }: RemoteRecord): void {
  const key = recordKey(collection, parent, id)
  const isUnnoted = (one: { key: string; patch: unknown; etag?: string }): boolean =>
    one.key === key && one.patch === null && one.etag === undefined
  for (const entry of etag === undefined ? [] : tx.memory.outbox.find('shows', key))
    if (entry.shows?.some(isUnnoted))
      tx.putEntry({ ...entry, shows: entry.shows.map((one) => (isUnnoted(one) ? { ...one, etag: etag! } : one)) })
}

/** Version of a record that only a pending move or deletion has brought here. Differs from every version of the service. */
const unknownVersion = ''

/** Entry part that hides a row in the version its author sees. The version of a new record is unknown until it's sent. */
export function hides(memory: Memory, key: string): { key: string; patch: null; etag?: string } {
  const row = memory.stored.get(key)
  const isNew = ownEntries(memory, key).some(({ kind }) => kind === 'create' || kind === 'change')
  const etag = row ? row.etag : isNew ? undefined : unknownVersion
  return { key, patch: null, ...(etag !== undefined && { etag }) }
}

/**
 * Returns the fields that someone else changed, or undefined for a record that was unknown here. For a record that was only
 * implied by another, a pending edit has the previous state. The author of `entry` hasn't seen edits after it.
 */
function changedByOthers(
  memory: Memory,
  key: string,
  value: JsonObject,
  known: JsonObject | null | undefined,
  entry: OutboxEntry,
): string[] | undefined {
  const { rules } = memory.facts.of(collectionOf(key))
  if (known) return changedFields(rules, known, value)
  const own = ownEntries(memory, key).filter(({ kind }) => kind === 'change')
  const base = own[0]?.base
  if (!base) return undefined
  const before = own.filter(({ id }) => id < entry.id)
  const since = new Set(changedFields(rules, fold(key, base, before) ?? base, value))
  return changedFields(rules, base, value).filter((field) => since.has(field))
}

/**
 * True if someone else moved a record to where an entry removes it. Places, such as the parent of a task, are server-owned, so
 * the change isn't one of its fields.
 */
function comesIntoReach(
  memory: Memory,
  reach: Reach,
  entry: OutboxEntry,
  record: RemoteRecord,
  known: JsonObject | null | undefined,
): boolean {
  if (!known) return false
  const key = recordKey(record.collection, record.parent, record.id)
  const before = [known, fold(key, known, ownEntries(memory, key))]
  return !before.some((value) => value && reach.has({ memory, entry, record: { ...record, value } }))
}

/** Puts a pending entry in conflict, because lists that it removes records from can't be read. */
export function askAboutUnread(tx: Tx, entry: OutboxEntry, unread: readonly string[]): void {
  const { base, etag = entry.etag } = tx.memory.stored.get(ownKey(entry)) ?? {}
  const question = reachQuestion(etag === undefined ? {} : { etag }, base ?? entry.base ?? {}, { unread })
  tx.putEntry({ ...renewed(entry), ...question })
}

/** Conflict that asks whether to send an entry although it removes, or may remove, records that its author hasn't seen. */
export const reachQuestion = (
  { etag }: Pick<OutboxEntry, 'etag'>,
  remote: JsonObject,
  { unseen, unread }: { unseen?: readonly string[]; unread?: readonly string[] },
): Pick<OutboxEntry, 'state' | 'conflict'> => ({
  state: 'needsYou',
  conflict: {
    remote,
    ...(etag !== undefined && { remoteEtag: etag }),
    fields: [],
    merged: {},
    ...(unseen && { unseen: [...unseen] }),
    ...(unread && { unread: [...unread] }),
  },
})
