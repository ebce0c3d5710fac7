import { isLocalId, localPrefix, parseRecordKey } from '#shared/domain/collections'
import { contentToCreate, writableFields } from '#shared/domain/writable'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { alreadyHolds } from '#shared/merge/arrived'
import { applyPatch, fold, ownKey, patchBetween } from '#shared/mutation/fold'
import { adopted } from '#shared/mutation/created-record'
import { decidedPatch } from '#shared/mutation/decided'
import { recreatedEventId } from '#shared/mutation/ids'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ConflictChoice } from './api'
import { withoutReference } from './dangling-references'
import { forgetDeletion, noteGivenUp, renewDeleted } from './deleted'
import { renameRecord } from './id-names'
import { carriedTo, follow } from './moved-records'
import {
  isCreationInQuestion,
  closesCircle,
  dependencies,
  derivedRecord,
  halvesOf,
  isOpen,
  ownEntries,
  release,
  renewed,
  endUnsent,
  withdrawEntry,
  withoutHalf,
} from './pending'
import { guardUndeleted, hides, reachOf, reachQuestion } from './reach'
import { restoresRecord, revivalOf } from './restoration'
import { confirm, rebase, relocated } from './settle'
import { bringBack, isUndone } from './undone-deletion'
import type { EditContext } from './context'
import type { Memory } from './memory'
import type { Tx } from './tx'

type Context = Pick<EditContext, 'tx' | 'ids' | 'now'> & Partial<Pick<EditContext, 'items'>>

/**
 * Resolves a conflict as the user chose. The entry waits again with the rest of its changes, or ends. A deletion that was
 * accepted is among the context's items to undo.
 * @throws FaultError
 */
export function resolve(context: Context, entryId: string, choice: ConflictChoice): void {
  const entry = context.tx.memory.outbox.get(entryId)
  if (!entry?.conflict) throw new FaultError({ code: 'notFound', message: 'This conflict is already resolved' })
  const { conflict } = entry
  if ((conflict.unseen ?? conflict.unread) && conflict.fields.length === 0) return answerReach(context, entry, choice)
  if (conflict.made !== undefined) return answerMade(context, entry, conflict.made, choice)
  // What was built on a creation can't be sent without it.
  if (choice.keep === 'theirs')
    return conflict.remote === null && entry.kind === 'create'
      ? withdraw(context, entry.id)
      : keepTheirs(context, entry)
  if (conflict.remote === null) return makeAgain(context, entry)
  const base = conflict.remote
  const settled = { ...reset(entry), base, etag: conflict.remoteEtag, complete: true }
  if (entry.kind === 'delete') renewDeleted(context.tx, entry, conflict.remote)
  if (entry.kind !== 'change' && entry.kind !== 'create') return context.tx.putEntry(settled)
  const allMine = Object.fromEntries(conflict.fields.map((field) => [field, 'mine' as const]))
  const { rules } = context.tx.memory.facts.of(entry.collection)
  const patch =
    choice.keep === 'mine' && conflict.fields.length === 0
      ? { ...conflict.merged, ...entry.patch }
      : decidedPatch(rules, entry, choice.keep === 'mine' ? allMine : (choice.fields ?? {}))
  if (Object.keys(patch).length === 0) return keepTheirs(context, entry)
  const replaced = {
    ...Object.fromEntries(Object.keys(patch).map((field) => [field, entry.base?.[field] ?? null])),
    ...entry.replaced,
  }
  const decided: OutboxEntry = { ...settled, kind: 'change', patch, replaced }
  const isTheirs = (field: string): boolean => conflict.fields.includes(field) && !(field in patch)
  // Discard a half if all fields that it follows went to their side. A completed task still repeats, whichever notes won.
  const isGivenUp = ({ theirs = [] }: NonNullable<OutboxEntry['follows']>): boolean =>
    theirs.some(isTheirs) && !theirs.some((field) => field in patch)
  const halves = halvesOf(context.tx.memory, entry).filter(({ follows }) => follows && isGivenUp(follows))
  withdrawHalves(context, halves)
  context.tx.putEntry(askedNext(context.tx.memory, decided, conflict.unseen))
}

/** Returns an entry after its fields were decided. If it removes records that its author hasn't seen, that's the next conflict. */
function askedNext(memory: Memory, entry: OutboxEntry, unseen: readonly string[] | undefined): OutboxEntry {
  if (!unseen || !reachOf(memory.behaviors, entry)) return entry
  return { ...entry, ...reachQuestion(entry, entry.base ?? {}, { unseen }) }
}

/** Sends an entry whose author now knows which other records it removes or may remove, or undoes it with its dependents. */
function answerReach(context: Context, entry: OutboxEntry, { keep }: ConflictChoice): void {
  if (keep !== 'mine') {
    if (entry.kind === 'delete') forgetDeletion(context.tx, entry)
    return withdraw(context, entry.id)
  }
  const { memory } = context.tx
  const patch = reachOf(memory.behaviors, entry)?.leaves
  const { unseen = [], unread = [] } = entry.conflict ?? {}
  // A record that's gone doesn't count as seen, because someone may restore it with changes.
  const seen = unseen.filter((key) => memory.stored.has(key) || ownEntries(memory, key)[0]?.kind === 'create')
  const before = entry.shows?.filter(({ key }) => !seen.includes(key)) ?? []
  const shows = [...before, ...seen.map((key) => (patch ? { key, patch } : hides(memory, key)))]
  const confirmed = [...(entry.unread ?? []), ...unread]
  // Conflicts of creations end with their records.
  for (const own of entry.kind === 'delete' ? shows.map(({ key }) => ownEntries(memory, key)) : [])
    if (isCreationInQuestion(own)) for (const { id } of own.reverse()) endUnsent(context, memory.outbox.get(id)!)
  const { remote = null, remoteEtag: etag } = entry.conflict ?? {}
  // Whoever agrees to a deletion has seen the record as it was read for the question, and no later change of it.
  const isRead = entry.kind === 'delete' && remote !== null && etag !== undefined && etag !== entry.etag
  const seenNow = isRead && { base: remote, etag, complete: true }
  context.tx.putEntry({ ...reset(entry), ...seenNow, shows, ...(confirmed.length > 0 && { unread: confirmed }) })
}

/**
 * Links a creation to an existing record, or creates another. If it was never sent from here, differences may be later edits,
 * which is the next conflict. After a lost answer it took no edits, so differences are someone else's. Links a local record at
 * once, because if it's shown twice, users could delete one without the contents of the other.
 */
function answerMade(context: Context, entry: OutboxEntry, key: string, { keep }: ConflictChoice): void {
  const { tx } = context
  const { parent, id } = parseRecordKey(key)
  if (keep === 'mine') return tx.putEntry({ ...reset(entry), twins: [...(entry.twins ?? []), id] })
  const moves = parent !== null && parent !== entry.parent
  // The record may be created again first.
  const dependsOn = [...new Set([...entry.dependsOn, ...dependencies(tx.memory, ownKey(entry), [id])])]
  for (const own of moves ? ownEntries(tx.memory, ownKey(entry)) : [entry]) {
    const adopting = own.id === entry.id ? { ...reset(own), adopts: id, dependsOn } : own
    tx.putEntry(moves ? relocated(adopting, parent) : adopting)
  }
  const differing = entry.unknownOutcome ? {} : differingFrom(context, entry)
  const adopting = tx.memory.outbox.get(entry.id)!
  if (Object.keys(differing).length > 0) askAboutFields(context, adopting, entry, differing)
  const row = tx.memory.stored.get(key)
  if (!row?.complete) return
  const { collection, base: value, etag } = row
  const remote = { collection, parent, id, value, ...(etag !== undefined && { etag }) }
  confirm(context, adopting, { ...adopted(tx.memory.facts.of(collection), adopting, remote), units: 0 })
}

/** Fields of a creation that differ from the record it may have created. */
function differingFrom({ tx }: Context, { collection, patch, conflict }: OutboxEntry): JsonObject {
  const facts = tx.memory.facts.of(collection)
  const remote = conflict?.remote ?? {}
  const own = Object.entries(writableFields(facts, patch))
  return Object.fromEntries(
    own.filter(([field, value]) => !alreadyHolds(facts.rules, null, remote, { [field]: value ?? null })),
  )
}

function askAboutFields({ tx, ids }: Context, creation: OutboxEntry, asked: OutboxEntry, patch: JsonObject): void {
  const { adopts: _adopts, twins: _twins, blind: _blind, candidates: _candidates, place: _place, ...rest } = creation
  const { remote = null, remoteEtag } = asked.conflict ?? {}
  tx.putEntry({
    ...rest,
    id: ids.ulid(),
    kind: 'change',
    patch,
    base: remote,
    ...(remoteEtag !== undefined && { etag: remoteEtag }),
    complete: true,
    dependsOn: [],
    shows: [],
    mails: 0,
    state: 'needsYou',
    conflict: { remote, ...(remoteEtag && { remoteEtag }), fields: Object.keys(patch), merged: {} },
  })
}

function keepTheirs(context: Context, entry: OutboxEntry): void {
  const { tx } = context
  const fields = entry.conflict?.fields ?? []
  if (entry.kind === 'delete') forgetDeletion(tx, entry)
  if (entry.kind === 'change' && entry.conflict?.remote === null) {
    const gone = noteGivenUp(tx, entry, context.now())
    if (gone) context.items?.push(gone)
  }
  withdrawHalves(context, halvesOf(tx.memory, entry))
  tx.endEntry(entry, {
    id: context.ids.ulid(),
    entry,
    how: 'merged',
    at: context.now(),
    receipt: { mine: [], theirs: fields.length > 0 ? fields : Object.keys(entry.patch), combined: [] },
  })
  release(tx.memory, tx, entry.id)
  rebase(tx, ownKey(entry))
  if (entry.kind === 'delete') guardUndeleted(tx, ownKey(entry))
}

/** Discards the other halves of an unsent edit, because a split series would otherwise exist twice. */
function withdrawHalves(context: Context, halves: readonly OutboxEntry[]): void {
  const { tx } = context
  for (const half of halves) {
    const left = withoutHalf(half)
    if (!left) withdraw(context, half.id)
    else {
      tx.putEntry(left)
      rebase(tx, ownKey(left))
    }
  }
}

/**
 * Brings back a record that was deleted on the server. Restores the record itself, as others may do, too. If the service can’t,
 * recreates it under another ID, in its place and with its later edits.
 */
function makeAgain(context: Context, entry: OutboxEntry): void {
  const { tx } = context
  if (entry.kind === 'delete') return withdrawEntry(context, entry)
  // A record without an ID from the service keeps its local one, which other records refer to.
  if (entry.kind === 'create' && isLocalId(entry.recordId)) return tx.putEntry(reset(entry))
  const key = ownKey(entry)
  const own = ownEntries(tx.memory, key)
  const elsewhere = carriedTo(tx.memory, entry)
  if (elsewhere !== undefined) return follow(tx, entry, elsewhere)
  const value = fold(key, entry.base, own)
  if (!value) return withdrawEntry(context, entry)
  const facts = tx.memory.facts.of(entry.collection)
  const revival = revivalOf(facts, value)
  const isPart = tx.memory.behaviors.of(entry.collection).isPart?.(entry.recordId) ?? false
  if (revival && isPart && derivedRecord(tx.memory, key)) {
    const { etag: _old, ...rest } = reset(entry)
    for (const later of own.slice(1)) withdrawEntry(context, later)
    tx.putEntry({
      ...rest,
      base: { ...entry.base, ...revival.gone },
      patch: { ...applyPatch(entry.patch, patchBetween(entry.base ?? {}, value)), ...revival.back },
      complete: false,
    })
    return
  }
  // If someone has restored the record since, creating it again would make a copy.
  const there = tx.memory.stored.get(key)?.base
  const isThere = there !== undefined && (facts.gone === undefined || there[facts.gone.field] !== facts.gone.is)
  if (isThere) return tx.putEntry(reset(entry))
  const isOwn = entry.kind === 'create' && facts.ids === 'client'
  // The service may no longer keep what it was asked to restore. A part that lost its place becomes a record of its own.
  if (revival && !isPart && !restoresRecord(tx.memory, entry) && (entry.kind === 'change' || isOwn)) {
    const { etag: _etag, place: _place, ...rest } = reset(entry)
    const [base, patch] = entry.kind === 'change' ? [entry.base, entry.patch] : [entry.patch, {}]
    const restored = { base: { ...base, ...revival.gone }, patch: { ...patch, ...revival.back } }
    const known = isOwn && { unknownOutcome: false }
    return tx.putEntry({ ...rest, ...known, kind: 'change', ...restored, complete: false })
  }
  createAgain(context, entry, own, value)
}

/** Turns the changes of a record that is gone into the creation of another one with its `value`, in its place. */
function createAgain(context: Context, entry: OutboxEntry, own: readonly OutboxEntry[], value: JsonObject): void {
  const { tx, ids } = context
  const key = ownKey(entry)
  const facts = tx.memory.facts.of(entry.collection)
  const content = contentToCreate(facts, value)
  const made = facts.ids
  const id =
    made === 'content'
      ? entry.recordId
      : made === 'client'
        ? recreatedEventId(entry.recordId)
        : localPrefix + ids.ulid()
  const { placeOf, leavesPlace, children } = tx.memory.behaviors.of(entry.collection)
  const place = placeOf?.(tx.memory, key)
  const below = (place && children?.(tx.memory, key)) ?? []
  leavesPlace?.(tx, key)
  for (const later of own.slice(1)) withdrawEntry(context, later)
  const { etag: _etag, ...rest } = reset(entry)
  const created: OutboxEntry = {
    ...rest,
    recordId: id,
    kind: 'create',
    patch: applyPatch(content, made === 'service' ? {} : { id }),
    base: null,
    complete: false,
    // Nothing was sent under the new ID. Another computer may create it, too.
    unknownOutcome: false,
    ...(made === 'client' && { blind: true }),
  }
  if (id === entry.recordId) return tx.putEntry(created)
  tx.rename(key, id)
  tx.renameInUndo(key, id, tx.memory.undo.lastId, { again: true })
  tx.putEntry(created)
  if (!place) return
  putBack(tx, created, place)
  for (const other of below.flatMap((child) => ownEntries(tx.memory, child)).filter(isOpen)) {
    const renamed = renameRecord(tx.memory.facts, other, key, id)
    if (renamed === other) continue
    const { etag: _etag, ...rest } = renamed
    // A base that names the new record isn't what the service has, which is read first.
    if (other.kind === 'change') tx.putEntry({ ...rest, complete: false })
    else if (other.kind === 'delete') tx.putEntry(renamed)
    else tx.putEntry({ ...renamed, dependsOn: [...renamed.dependsOn, created.id] })
  }
}

/** Puts a record that is created again where the former one was. */
function putBack(tx: Tx, created: OutboxEntry, place: Required<OutboxEntry>['place']): void {
  const { memory } = tx
  const key = ownKey(created)
  const { showsNew, entersPlace } = memory.behaviors.of(created.collection)
  const shows = showsNew?.(memory, key, created.patch, place)
  entersPlace?.(tx, key, place)
  // The deletion of a parent waits for what was created in it.
  const needed = dependencies(memory, key, [place.parent]).filter((id) => !closesCircle(memory, created.id, [id]))
  const dependsOn = [...new Set([...created.dependsOn, ...needed])]
  tx.putEntry({ ...created, place, dependsOn, ...(shows && { shows }) })
}

function reset(entry: OutboxEntry): OutboxEntry {
  const { conflict: _conflict, adopts: _adopts, ...rest } = renewed(entry)
  return rest
}

const survivesDiscard = (memory: Memory, entry: OutboxEntry, creation: OutboxEntry): boolean =>
  memory.behaviors.of(entry.collection).survivesDiscard?.(memory, entry, creation) === true

/**
 * Discards a pending entry with its dependents. Entries that only refer to it stay, without the reference.
 * @throws FaultError while it is being sent
 */
export function withdraw(context: Context, entryId: string): void {
  const { memory } = context.tx
  const first = memory.outbox.get(entryId)
  if (!first) return
  const all = new Map<string, OutboxEntry>([[first.id, first]])
  const kept = new Map<string, OutboxEntry>()
  for (const entry of all.values()) {
    for (const other of memory.outbox.findAny(['waitsFor', entry.id], ['own', ownKey(entry)])) {
      const needs = other.dependsOn.includes(entry.id) && !survivesDiscard(memory, other, entry)
      const after = entry.kind === 'create' && ownKey(other) === ownKey(entry)
      if (!needs && !after) continue
      const before = kept.get(other.id) ?? other
      const left =
        after || all.has(other.id)
          ? null
          : before.follows?.id === entry.recordId
            ? withoutHalf(before)
            : withoutReference(memory, before, entry)
      if (left) kept.set(other.id, left)
      else all.set(other.id, other)
    }
  }
  if ([...all.values()].some((entry) => entry.state === 'sending')) {
    throw new FaultError({
      code: 'conflict',
      message: 'This change is already being sent. Try again after the next sync.',
    })
  }
  // If the deletion arrived, only the replacement is left.
  if (first.unknownOutcome && !first.conflict && isUndone(memory, first))
    throw new FaultError({
      code: 'conflict',
      message: 'The server may have received this already. Try again after the next sync.',
    })
  if (bringBack(context, first)) return
  for (const { id } of [...all.values()].reverse()) {
    if (memory.outbox.has(id)) endUnsent(context, memory.outbox.get(id)!)
  }
  const left = [...kept.values()].filter(({ id }) => !all.has(id))
  for (const entry of left)
    context.tx.putEntry({ ...entry, dependsOn: entry.dependsOn.filter((id) => memory.outbox.waits(id)) })
  for (const key of new Set([...all.values(), ...left].map(ownKey))) rebase(context.tx, key)
  for (const entry of all.values()) if (entry.kind === 'delete') guardUndeleted(context.tx, ownKey(entry))
}
