import { isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { sameJson, valuesOf, type JsonObject } from '#shared/json'
import { alreadyHolds } from '#shared/merge/arrived'
import { fieldsWithGivenKeys } from '#shared/merge/entries'
import { changedFields } from '#shared/merge/merge'
import { isServerOwned, type Rules } from '#shared/merge/rules'
import { applyPatch, fold, ownKey } from '#shared/mutation/fold'
import { faults, type FaultCode } from '#shared/fault'
import { renameId } from '#shared/mutation/rename'
import type { IdSource } from '#shared/mutation/ids'
import type { OutboxEntry, Outcome, RemoteRecord } from '#shared/mutation/entry'
import { noteMade } from './deleted'
import type { Memory } from './memory'
import { derivedRecord, expectedDerived, ownEntries, release, rename } from './pending'
import { askAboutReach, noteHidden, reachOf } from './reach'
import { takeAnswered, takeRecord } from './records'
import type { Tx } from './tx'
import { bringBack } from './undone-deletion'

export interface SettleContext {
  tx: Tx
  ids: IdSource
  now: () => number
  /** Milliseconds before the next attempt, from the number of attempts and the wait that main requested. */
  backOff: (attempts: number, asked: number) => number
  /** Milliseconds to let other entries go first, after a fault unrelated to the entry. */
  letsPass?: number
}

/** Number of attempts after which these faults need attention. */
const senselessLimit = 5
const senselessFaults = new Set<FaultCode>(['badAnswer', 'conflict', 'limitReached'])

/** Records the outcome of an attempt to send an entry. */
export function settle(context: SettleContext, entryId: string, outcome: Outcome): void {
  const { tx, now } = context
  const entry = tx.memory.outbox.get(entryId)
  if (!entry) return
  switch (outcome.kind) {
    case 'confirmed':
    case 'merged':
      return confirm(context, entry, outcome)
    case 'conflict': {
      askAboutReach(tx, outcome.remote, tx.memory.stored.get(keyOf(outcome.remote))?.base)
      takeAnswered(tx, outcome.remote, true)
      if (bringBack(context, entry)) return
      const { value, etag } = outcome.remote
      const conflict = {
        remote: value,
        ...(etag && { remoteEtag: etag }),
        fields: outcome.fields,
        merged: outcome.merged,
        ...(outcome.made && { made: keyOf(outcome.remote) }),
      }
      const { fault: _fault, notBefore: _notBefore, ...rest } = entry
      const unknownOutcome = outcome.made === true && entry.unknownOutcome
      tx.putEntry({ ...rest, state: 'needsYou', attempts: entry.attempts + 1, unknownOutcome, conflict })
      return
    }
    case 'refused':
      if (bringBack(context, entry)) return
      tx.putEntry({
        ...entry,
        state: 'needsYou',
        attempts: entry.attempts + 1,
        unknownOutcome: outcome.unknown ?? false,
        fault: outcome.fault,
      })
      return
    case 'retry': {
      const { fault, etag = entry.etag } = outcome
      const tried = { ...entry, ...(etag !== undefined && { etag }) }
      if (faults[fault.code].concerns !== 'entry') {
        // The error doesn't concern the entry, so it doesn't count as an attempt.
        tx.putEntry({
          ...tried,
          state: 'waiting',
          unknownOutcome: entry.unknownOutcome || outcome.unknown,
          ...(context.letsPass !== undefined && { notBefore: now() + context.letsPass }),
          fault,
        })
        return
      }
      const attempts = entry.attempts + 1
      const unknownOutcome = entry.unknownOutcome || outcome.unknown
      const senseless = senselessFaults.has(fault.code) && attempts >= senselessLimit
      if (senseless) tx.putEntry({ ...tried, state: 'needsYou', attempts, unknownOutcome, fault })
      else {
        const notBefore = now() + context.backOff(attempts, outcome.wait)
        tx.putEntry({ ...tried, state: 'waiting', attempts, unknownOutcome, notBefore, fault })
      }
      return
    }
    case 'frozen':
      tx.putEntry({ ...entry, state: 'waiting', fault: outcome.fault })
      return
  }
}

/** Records that the service has what an entry asked for. */
export function confirm(
  context: Pick<SettleContext, 'tx' | 'ids' | 'now'>,
  entry: OutboxEntry,
  outcome: Extract<Outcome, { kind: 'confirmed' | 'merged' }>,
): void {
  const { tx } = context
  const { memory } = tx
  const id = entry.recordId
  const { behaviors } = memory
  const made = entry.kind === 'create' || (entry.action && behaviors.action(entry.action.name).creates)
  const real = made
    ? outcome.records.find((record) => record.collection === entry.collection && record.value !== null)?.id
    : undefined
  const before = memory.row(ownKey(entry))?.base ?? entry.base
  const historyId = context.ids.ulid()
  const ended = real !== undefined && real !== id ? renameId(entry, id, real) : entry
  tx.endEntry(entry, {
    id: historyId,
    // With its real ID, so that the record finds its creation after a restart.
    entry: ended,
    how: outcome.kind,
    at: context.now(),
    ...(outcome.kind === 'merged' && { receipt: outcome.receipt }),
    ...(outcome.unguarded && { unguarded: outcome.unguarded }),
  })
  if (ended !== entry) rename(tx, ownKey(entry), real!, historyId)
  if (real !== undefined) claim(tx, ended, real)
  const key = ownKey(ended)
  if (real !== undefined) noteMade(tx, ended)
  absorb(tx, ended, outcome.records)
  const named = new Set(outcome.records.map(keyOf))
  if (!named.has(key) && entry.action === undefined) {
    const value = entry.kind === 'delete' ? null : fold(key, before, [ended])
    takeRecord(tx, { collection: ended.collection, parent: ended.parent, id: ended.recordId, value })
  }
  const read = outcome.alreadyGone === true || (outcome.unwritten === true && !entry.unknownOutcome)
  // Others' changes come with this response and won't appear in a later page. No etag guards an action, nor a change of a record
  // that was only known in part or as deleted.
  const isGuarded = entry.kind !== 'action' && (entry.kind !== 'change' || entry.complete)
  if (outcome.kind === 'merged' || entry.unknownOutcome || outcome.unwritten || !isGuarded)
    for (const record of outcome.records) askAboutReach(tx, record, fold(keyOf(record), before, [ended]))
  if (real !== undefined && outcome.kind === 'confirmed') for (const record of outcome.records) noteHidden(tx, record)
  for (const record of outcome.records) takeAnswered(tx, record, read)
  const implied = memory.outbox
    .find('waitsFor', entry.id)
    .map(ownKey)
    .filter((other) => behaviors.of(entry.collection).impliedBy?.(other) === key)
  release(memory, tx, entry.id)
  // What the author of a new record left out, the service filled in. No one else did.
  const created = outcome.created && outcome.records.find((record) => keyOf(record) === key)?.value
  for (const own of created ? ownEntries(memory, key) : [])
    if (own.base) tx.putEntry({ ...own, base: { ...created, ...own.base } })
  for (const touched of new Set([key, ...named])) rebase(tx, touched)
  const { theirs, combined } = outcome.kind === 'merged' ? outcome.receipt : { theirs: [], combined: [] }
  for (const other of new Set(implied)) rebaseImplied(tx, other, [...theirs, ...combined])
}

const keyOf = ({ collection, parent, id }: RemoteRecord): string => recordKey(collection, parent, id)

/** Assigns a record to its creation, so that no other creation with a lost answer claims it. */
function claim(tx: Tx, made: OutboxEntry, real: string): void {
  for (const other of tx.memory.outbox.find('mayBeMade', ''))
    if (other.collection === made.collection && other.parent === made.parent)
      tx.putEntry({ ...other, twins: [...(other.twins ?? []), real] })
}

/** Makes an entry's effects on other rows permanent, until the next pull brings the service's records. */
function absorb(tx: Tx, entry: OutboxEntry, records: readonly RemoteRecord[]): void {
  const { memory } = tx
  const destination = entry.action && 'destination' in entry.action ? entry.action.destination : undefined
  const behavior = memory.behaviors.of(entry.collection)
  const arrived = new Set<string>()
  for (const shown of entry.shows ?? []) {
    const { collection, parent, id } = parseRecordKey(shown.key)
    if (shown.patch === null) {
      if (destination) {
        for (const other of ownEntries(memory, shown.key)) {
          tx.putEntry(relocated(other, destination))
          arrived.add(recordKey(collection, destination, id))
        }
      }
      const stays = isBack(memory, entry, shown.key) || behavior.stays?.(records, ownKey(entry), shown.key)
      if (!stays) tx.removeRow(shown.key)
    } else if (keepsShown(tx, entry, shown.key)) {
      const base = applyPatch(memory.stored.get(shown.key)?.base ?? {}, shown.patch)
      tx.putRow({ key: shown.key, collection, parent, id, base, complete: false })
    }
  }
  const others = (entry.shows ?? []).some((shown) => shown.key !== ownKey(entry))
  if (others) for (const cursor of behavior.rereads?.(entry) ?? []) tx.removeCursor(cursor)
  for (const key of arrived) rebase(tx, key)
}

/**
 * True if a hidden row isn't the version that the entry's author saw, after an attempt with a lost answer. If that attempt had
 * removed the row, someone has restored it, and no later page would. Otherwise the next page removes it.
 */
function isBack({ stored }: Memory, { unknownOutcome, shows }: OutboxEntry, key: string): boolean {
  const etag = stored.get(key)?.etag
  if (!unknownOutcome || etag === undefined) return false
  return !shows!.some((one) => one.key === key && one.patch === null && one.etag === etag)
}

/** True if an effect on another row stays until the next pull brings the service's record. */
function keepsShown({ memory }: Tx, entry: OutboxEntry, key: string): boolean {
  const { collection, id } = parseRecordKey(key)
  // Exceptions that moved come with their new calendar. Unsent records exist only in the outbox.
  if (memory.behaviors.of(collection).showsNothingLonger || isLocalId(id) || key === ownKey(entry)) return false
  // The action may have skipped rows that it only changes, or they have been moved since.
  const reach = reachOf(memory.behaviors, entry)
  const base = memory.stored.get(key)?.base
  if (reach?.leaves) return base !== undefined && (reach.leavesIn?.(base) ?? true)
  return entry.kind !== 'create' || !memory.stored.has(key)
}

/** Returns an entry for its record's new list, after the record was moved there with its contents. */
export function relocated(entry: OutboxEntry, parent: string): OutboxEntry {
  const from = ownKey(entry)
  const carried = ({ key, patch }: NonNullable<OutboxEntry['shows']>[number]): string => {
    const shown = parseRecordKey(key)
    const hidden = patch === null && shown.collection === entry.collection && shown.parent === entry.parent
    return key === from || hidden ? recordKey(shown.collection, parent, shown.id) : key
  }
  const shows = entry.shows?.map((shown) => ({ ...shown, key: carried(shown) }))
  return { ...entry, parent, ...(shows && { shows }) }
}

/**
 * Rebases entries behind a confirmed one on the service's current state. A field that they touch and someone else changed
 * since then keeps the base that the author saw: it's compared before it's written, and never overwritten.
 */
export function rebase(tx: Tx, key: string): void {
  const { memory } = tx
  const row = memory.stored.get(key)
  const own = ownEntries(memory, key)
  own.forEach((entry, index) => {
    if (entry.conflict || entry.kind === 'create' || entry.state === 'sending') return
    const now = index === 0 ? (row?.base ?? entry.base) : fold(key, row?.base ?? null, own.slice(0, index))
    const unseen = now && entry.base ? changedUnseen(memory.facts.of(entry.collection), entry, entry.base, now) : []
    const touched = (entry.action && memory.behaviors.action(entry.action.name).touches) ?? []
    const { etag: _etag, ...rest } = entry
    const { rules } = memory.facts.of(entry.collection)
    const patch = now && entry.base ? fieldsWithGivenKeys(rules, entry.base, entry.patch, now) : entry.patch
    const first = index === 0 && row !== undefined && unseen.length === 0
    tx.putEntry({
      ...rest,
      patch,
      base: now && entry.base ? { ...now, ...valuesOf(entry.base, [...unseen, ...touched]) } : now,
      // A deletion is compared with its base only if that's complete.
      complete: entry.kind === 'delete' && unseen.length > 0 ? entry.complete : first && row.complete,
      ...(first && row.etag !== undefined && { etag: row.etag }),
    })
  })
}

/**
 * Gives the first edit of an implied record a new base: the record as the confirmed record implies it, except for fields that
 * someone else changed.
 */
function rebaseImplied(tx: Tx, key: string, theirs: readonly string[]): void {
  const { memory } = tx
  const [entry] = ownEntries(memory, key)
  if (!entry?.base || entry.conflict || entry.state === 'sending' || memory.stored.has(key)) return
  const implied = derivedRecord(memory, key, entry.id)
  if (!implied) return
  const facts = memory.facts.of(entry.collection)
  const unseen = entry.kind === 'change' ? changedUnseen(facts, entry, entry.base, implied) : []
  tx.putEntry({
    ...entry,
    patch: fieldsWithGivenKeys(facts.rules, entry.base, entry.patch, implied),
    base: { ...implied, ...valuesOf(entry.base, [...theirs, ...unseen]) },
    complete: unseen.length === 0 && expectedDerived(memory, key, implied).complete,
  })
}

/**
 * Fields of an entry whose current value differs from the author's base and its equivalents. Fields that merge inside are
 * compared exactly, because additions may be someone else's.
 */
function changedUnseen({ rules }: Collection, entry: OutboxEntry, before: JsonObject, now: JsonObject): string[] {
  const touched = entry.kind === 'delete' ? changedFields(rules, before, now) : Object.keys(entry.patch)
  const unseen = touched.filter(
    (field) =>
      !isServerOwned(rules, field) &&
      !sameJson(now[field] ?? null, before[field] ?? null) &&
      !isOwnForm(rules, field, before, now),
  )
  return [...new Set(unseen.flatMap((field) => rules.unit(field)))]
}

function isOwnForm(rules: Rules, field: string, before: JsonObject, now: JsonObject): boolean {
  const { kind } = rules.of(field)
  const mergesInside = kind === 'keyed' || kind === 'map' || kind === 'set'
  return !mergesInside && alreadyHolds(rules, null, now, { [field]: before[field] ?? null })
}
