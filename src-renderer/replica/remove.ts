import { collectionOf, isLocalId, parseRecordKey } from '#shared/domain/collections'
import { ownKey } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { OutboxEntry } from '#shared/mutation/entry'
import {
  addEntry,
  isCreationInQuestion,
  dependencies,
  derivedRecord,
  expectedBase,
  expectedDerived,
  isOpen,
  lookAlikesAfter,
  ownEntries,
  endUnsent,
  waitInstead,
} from './pending'
import { asSeen } from './outdated'
import { askAboutStaying, hides } from './reach'
import { noteDeleted } from './deleted'
import { isOnlyRestored, revivalOf } from './restoration'
import type { Upon } from './api'
import type { EditContext } from './context'
import type { Memory } from './memory'

export interface RemoveExtras {
  /** Values of the record that the author saw, if someone else may have changed it since. */
  upon?: Upon | undefined
  /** True if the deletion becomes a conflict over its contents, so that unsent records inside stay until it's resolved. */
  asksFirst?: boolean
}

/**
 * Deletes a record locally. A record that was never sent disappears with its contents, and nothing is sent. Deleting a record
 * that was only restored here discards the restoration, because its author hasn't seen a record that others restore.
 */
export function removeRecord(context: EditContext, key: string, { upon, asksFirst }: RemoveExtras = {}): string {
  const { memory } = context.tx
  const { collection, parent, id } = parseRecordKey(key)
  const row = memory.row(key)
  const value = row ? row.value : derivedRecord(memory, key)
  if (!value) return key
  const first = context.items.length
  const own = ownEntries(memory, key)
  const neverSent = wasNeverSent(own)
  const open = lastOpen(own)
  const isAbsent = neverSent || isOnlyRestored(memory, key, own, open)
  // The service wouldn't delete children that a pending move brought here.
  for (const child of childKeys(context, key)) {
    const entries = ownEntries(memory, child)
    const moved = entries.some((entry) => entry.action !== undefined && isOpen(entry))
    if (isCreationInQuestion(entries)) continue
    const isSent = memory.stored.has(child) || (isAbsent && !entries.every(isOpen))
    if (isSent && (isAbsent || moved)) removeRecord(context, child)
  }
  // Discarding a restoration keeps earlier edits of records that were deleted with the record or created in it.
  const stays = (child: string): boolean =>
    isAbsent &&
    !neverSent &&
    (isEditedAlthoughGone(memory, child) || (asksFirst === true && isMadeBefore(memory, child, own[0]!)))
  const children = childKeys(context, key).filter((child) => !stays(child))
  // Undo runs in reverse, so parents come back before their children.
  for (const child of [...children].reverse()) {
    const entries = ownEntries(memory, child)
    remember(context, child, isCreationInQuestion(entries) ? entries : [])
  }
  const inside = isAbsent ? contained(context, key, children) : asksFirst ? [] : unsettledOf(context, children)
  remember(context, key, neverSent ? [] : open)
  noteDeleted(context, key, context.items.slice(first))
  if (isAbsent && !neverSent) memory.behaviors.of(collection).leavesPlace?.(context.tx, key)
  const waiting = lookAlikesAfter(memory, open)
  for (const entry of [...inside, ...open].reverse()) if (memory.outbox.has(entry.id)) endUnsent(context, entry)
  for (const entry of [...inside, ...open]) if (entry.kind === 'create') showNoLonger(context, ownKey(entry))
  if (isAbsent) return key
  memory.behaviors.of(collection).leavesPlace?.(context.tx, key)
  const inner = children.filter((child) => memory.row(child))
  // Edits that the deletion made obsolete aren't part of its base.
  const implied = memory.row(key) ? null : derivedRecord(memory, key)
  const expected = implied ? expectedDerived(memory, key, implied) : expectedBase(memory, key, memory.entriesOf(key))
  // If the service no longer has the record, the first edit's base is what its author saw.
  const known = expected.base ? expected : { base: own[0]?.base ?? value, complete: own[0]?.complete ?? false }
  // Effects of entries on other records are known, so the complete record is still compared before it's deleted.
  const isWhole = ownEntries(memory, key).length === 0 && memory.stored.get(key)?.complete === true
  const compared = { ...known, complete: known.complete || isWhole }
  const deletion = addEntry(context, {
    collection,
    parent,
    recordId: id,
    kind: 'delete',
    patch: {},
    expected: upon ? asSeen(compared, memory.remote.of(key), upon) : compared,
    dependsOn: [...dependencies(memory, key, []), ...waitingInside(context, key, inner)],
    extra: hidden(context, key, inner),
  })
  waitInstead(context.tx, waiting, key)
  askAboutStaying(context.tx, deletion)
  return key
}

/** Removes a record from the effects of pending actions on many records, which would otherwise still show it. */
function showNoLonger({ tx }: EditContext, key: string): void {
  for (const entry of tx.memory.outbox.find('shows', key)) {
    const shows = entry.shows!.filter((one) => one.key !== key || one.patch === null)
    if (ownKey(entry) !== key && shows.length < entry.shows!.length) tx.putEntry({ ...entry, shows })
  }
}

/** The entries at the end of a record's queue that can still be dropped. */
function lastOpen(own: readonly OutboxEntry[]): OutboxEntry[] {
  const firstOpen = own.length - [...own].reverse().findIndex((entry) => !isOpen(entry))
  return own.some((entry) => !isOpen(entry)) ? own.slice(firstOpen) : [...own]
}

/** True if nothing of a record has reached the service. False if the service has deleted a record with a new record's ID. */
export function wasNeverSent(own: readonly OutboxEntry[]): boolean {
  const [first] = own
  if (first?.kind !== 'create' || !own.every(isOpen)) return false
  return first.conflict?.remote !== null || isLocalId(first.recordId)
}

/**
 * Creations inside a deleted record that are no longer needed: unsent ones, and those in conflict over whether they created an
 * existing record. Both return with the record, including the conflict.
 */
const unsettledOf = (context: EditContext, children: readonly string[]): OutboxEntry[] =>
  children.flatMap((child) => {
    const own = ownEntries(context.tx.memory, child)
    return wasNeverSent(own) || isCreationInQuestion(own) ? own : []
  })

/** Rows that the service deletes along, and local records inside local records. */
function childKeys({ tx: { memory } }: EditContext, key: string): string[] {
  const own = memory.behaviors.of(collectionOf(key)).children?.(memory, key) ?? []
  const made = inPlace(memory, parseRecordKey(key).id).flatMap((entry) =>
    entry.kind === 'create' && memory.row(ownKey(entry))?.value ? [ownKey(entry)] : [],
  )
  return made.length === 0 ? own : [...new Set([...own, ...made])]
}

/** Entries on records whose parents include a local record. */
const inPlace = ({ outbox }: Memory, id: string): OutboxEntry[] =>
  isLocalId(id) ? outbox.find('local', id).filter(({ parent }) => localIdsIn(parent).includes(id)) : []

/** Notes everything needed to restore a record. */
function remember(context: EditContext, key: string, dropped: readonly OutboxEntry[]): void {
  const { memory } = context.tx
  const { collection, parent, id } = parseRecordKey(key)
  const row = memory.row(key)
  // A canceled occurrence stays canceled if its series has to be created again.
  const isPart = memory.behaviors.of(collection).isPart?.(id) ?? false
  const gone = isPart ? revivalOf(memory.facts.of(collection), {})?.gone : undefined
  const value = (row ? row.value : derivedRecord(memory, key)) ?? gone
  if (!value) return
  const place = memory.behaviors.of(collection).placeOf?.(memory, key)
  const own = ownEntries(memory, key)
  context.items.push({
    kind: 'deleted',
    key,
    collection,
    parent,
    id,
    value,
    ...(place && { place }),
    ...(dropped.length > 0 && { dropped: [...dropped] }),
    ...((wasNeverSent(own) || isCreationInQuestion(dropped)) && { label: own[0]!.label }),
  })
}

/** True if the service no longer has a record, and only edits that neither create nor restore it keep it here. */
function isEditedAlthoughGone(memory: Memory, key: string): boolean {
  const own = ownEntries(memory, key)
  if (own.length === 0 || memory.stored.has(key)) return false
  return !wasNeverSent(own) && !isOnlyRestored(memory, key, own, lastOpen(own))
}

/** True if the record has a pending creation that is older than an entry. */
function isMadeBefore(memory: Memory, key: string, entry: OutboxEntry): boolean {
  const [first] = ownEntries(memory, key)
  return first?.kind === 'create' && first.id < entry.id
}

/** Entries on records inside one that was never sent, or only restored. */
function contained(context: EditContext, key: string, children: readonly string[]): OutboxEntry[] {
  const { memory } = context.tx
  const { collection, id } = parseRecordKey(key)
  const { outbox, behaviors } = memory
  const found = new Set(children.flatMap((child) => ownEntries(memory, child)))
  const more = (entries: readonly OutboxEntry[]): void => entries.forEach((entry) => found.add(entry))
  if (isLocalId(id)) more(outbox.find('destination', id))
  more(inPlace(memory, id))
  more(behaviors.of(collection).contained?.(memory, key) ?? [])
  return [...found].sort(byId)
}

/**
 * Entries to send before a deletion: those inside the record, which would lose their place, those that move records out of it,
 * which the service would delete along, and those that move records into it, whose answers show others' changes.
 */
function waitingInside(context: EditContext, key: string, children: readonly string[]): string[] {
  const { memory } = context.tx
  const { id } = parseRecordKey(key)
  const inside = new Set([...children, ...memory.keysWithin(id)])
  const found = [
    ...memory.outbox.findAny(['parent', id], ['destination', id]),
    ...[...inside].flatMap((child) => ownEntries(memory, child)),
  ]
  return [...new Set(found)].sort(byId).flatMap((entry) => (entry.state !== 'needsYou' ? [entry.id] : []))
}

const byId = (a: OutboxEntry, b: OutboxEntry): number => (a.id < b.id ? -1 : 1)

function hidden({ tx }: EditContext, key: string, children: readonly string[]): Pick<OutboxEntry, 'shows'> {
  const keys = [...children, ...(tx.memory.behaviors.of(collectionOf(key)).hides?.(key) ?? [])]
  return keys.length > 0 ? { shows: keys.map((child) => hides(tx.memory, child)) } : {}
}
