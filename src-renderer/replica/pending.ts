import { collectionOf, isLocalId, parseRecordKey, type CollectionName } from '#shared/domain/collections'
import { fold, ownKey } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import { valuesOf, type JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { EditContext } from './context'
import type { Memory } from './memory'
import { renameDeleted, renameInDeleted } from './deleted'
import { renameRecord } from './id-names'
import type { Tx } from './tx'
import type { UndoItem } from './undo'

/** True if a later edit may still change this entry, because it can't have reached the service. */
export function isOpen(entry: OutboxEntry): boolean {
  return entry.state !== 'sending' && !entry.unknownOutcome
}

/** Entries on this record itself, oldest first. */
export function ownEntries(memory: Memory, key: string): OutboxEntry[] {
  return memory.entriesOf(key).filter((entry) => ownKey(entry) === key)
}

/** The last pending entry of a record, to send before others. */
export const lastEntries = (memory: Memory, key: string | undefined): string[] =>
  key === undefined
    ? []
    : ownEntries(memory, key)
        .slice(-1)
        .map(({ id }) => id)

export interface ExpectedBase {
  base: JsonObject | null
  etag?: string
  complete: boolean
}

/** Expected state of a record once the given entries have arrived: the base of an edit made after them. */
export function expectedBase(memory: Memory, key: string, before: readonly OutboxEntry[]): ExpectedBase {
  const row = memory.row(key)
  if (before.length === 0 && row?.base) {
    return { base: row.base, ...(row.etag !== undefined && { etag: row.etag }), complete: row.complete }
  }
  return { base: fold(key, row?.base ?? null, before), complete: false }
}

/** IDs of entries that must be confirmed before an entry on this record may be sent. */
export function dependencies(memory: Memory, key: string, references: readonly (string | undefined)[]): string[] {
  const { collection, parent, id } = parseRecordKey(key)
  const given = references.filter((name): name is string => !!name)
  const places = parent ? [parent, ...given] : given
  const local = new Set([id, ...places].flatMap((name) => (isLocalId(name) ? name : localIdsIn(name))))
  const { outbox } = memory
  // A pending deletion would also delete records created in its record, even though that was restored since.
  const restored = places
    .map((name) => outbox.find('record', name))
    .filter((entries) => entries.some(({ kind }) => kind === 'delete'))
    .flat()
  // Creations of records with local IDs, and a move that brings this record here.
  const made = [...local].flatMap((name) => outbox.find('record', name)).filter(({ kind }) => kind === 'create')
  const brought = outbox
    .find('shows', key)
    .filter((entry) => entry.kind === 'action' && entry.shows?.some((one) => one.key === key && one.patch !== null))
  const more = memory.behaviors.of(collection).waitsFor?.(memory, key, given) ?? []
  // An action that empties a place would also remove what was created or moved there later.
  const emptying = places.flatMap((place) => outbox.find('empties', place))
  const found = new Set(
    [...made, ...restored, ...brought, ...more, ...emptying].filter((entry) => ownKey(entry) !== key),
  )
  return [...found].map((entry) => entry.id).sort()
}

/** True if an entry that depends on these would depend on itself. */
export function closesCircle(memory: Memory, entryId: string, dependsOn: readonly string[]): boolean {
  const seen = new Set<string>()
  const reach = (id: string): boolean => {
    if (id === entryId) return true
    if (seen.has(id)) return false
    seen.add(id)
    return (memory.outbox.get(id)?.dependsOn ?? []).some(reach)
  }
  return dependsOn.some(reach)
}

/**
 * The unchanged record that another one implies.
 * @param before ID of an entry, to ignore later edits of the other one
 */
export function derivedRecord(memory: Memory, key: string, before?: string): JsonObject | null {
  const { derived, impliedBy } = memory.behaviors.of(collectionOf(key))
  const by = impliedBy?.(key)
  const row = by === undefined ? undefined : memory.row(by)
  if (!derived || !row) return null
  const earlier = (): OutboxEntry[] => ownEntries(memory, row.key).filter(({ id }) => id < before!)
  const value = before === undefined ? row.value : fold(row.key, row.base, earlier())
  return value && derived(value, key)
}

/**
 * True if a part, such as an occurrence, has lost its place because what it's a part of is gone or was cut. The service may accept
 * it once more, but removes it at the next change of that record. A pending deletion may still be withdrawn.
 * @param mayBeUnknown true if an older database may not know what it's a part of
 */
export function isCutOff(memory: Memory, key: string, mayBeUnknown = false): boolean {
  const by = memory.behaviors.of(collectionOf(key)).impliedBy?.(key)
  const row = by === undefined ? undefined : memory.row(by)
  if (by === undefined || row?.value === null || (mayBeUnknown && !row)) return false
  return derivedRecord(memory, key) === null
}

/** Base for an edit of an implied record. It's only partly known until the record that implies it has been sent. */
export function expectedDerived(memory: Memory, key: string, derived: JsonObject): ExpectedBase {
  const { isPartial, impliedBy } = memory.behaviors.of(collectionOf(key))
  const by = impliedBy?.(key)
  return { base: derived, complete: by !== undefined && memory.stored.has(by) && !isPartial?.(derived) }
}

export interface NewEntry {
  collection: CollectionName
  parent: string | null
  recordId: string
  kind: OutboxEntry['kind']
  patch: JsonObject
  expected: ExpectedBase
  dependsOn: readonly string[]
  extra?: Partial<Pick<OutboxEntry, 'action' | 'follows' | 'once' | 'place' | 'shows'>>
}

/** Puts a new entry of this edit. Only the first one counts the people that the edit emails. */
export function addEntry(context: EditContext, made: NewEntry): OutboxEntry {
  const { tx, options } = context
  const mailing = tx.memory.behaviors.of(made.collection).mails && options.sendUpdates !== undefined
  const counted = tx.memory.outbox.any('mails', context.group)
  const entry: OutboxEntry = {
    id: context.ids.ulid(),
    accountId: context.accountId,
    collection: made.collection,
    parent: made.parent,
    recordId: made.recordId,
    kind: made.kind,
    patch: made.patch,
    base: made.expected.base,
    ...(made.expected.etag !== undefined && { etag: made.expected.etag }),
    complete: made.expected.complete,
    ...made.extra,
    ...(mailing && { sendUpdates: options.sendUpdates }),
    mails: mailing && !counted ? (options.mails ?? 0) : 0,
    dependsOn: [...made.dependsOn],
    group: context.group,
    label: options.label,
    madeAt: context.now(),
    ...draft(tx.memory, made.collection),
    state: 'waiting',
    attempts: 0,
    unknownOutcome: false,
  }
  tx.putEntry(entry)
  return entry
}

/** Replaces a record's ID by the server's: in pending entries, undo steps up to `upTo`, and IDs that views still use. */
export function rename(tx: Tx, key: string, to: string, upTo: string): void {
  tx.rename(key, to)
  const { outbox, facts } = tx.memory
  const { id: from } = parseRecordKey(key)
  for (const other of isLocalId(from) ? outbox.find('local', from) : outbox.list()) {
    const renamed = renameRecord(facts, other, key, to)
    if (renamed !== other) tx.putEntry(renamed)
  }
  tx.renameInUndo(key, to, upTo)
  renameDeleted(tx, key, to)
}

/** Replaces the ID of a deleted record that was created again: in steps, in deleted records, and in questions about it. */
export function renameAgain({ tx, group }: EditContext, key: string, to: string): void {
  tx.renameInUndo(key, to, group, { again: true })
  renameInDeleted(tx, key, to, { again: true })
  for (const entry of tx.memory.outbox.find('asksAbout', key))
    tx.putEntry(renameRecord(tx.memory.facts, entry, key, to))
}

/** Removes an entry that will never be sent, and unblocks its dependents. */
export function withdrawEntry(context: Pick<EditContext, 'tx' | 'ids' | 'now'>, entry: OutboxEntry): void {
  context.tx.endEntry(entry, { id: context.ids.ulid(), entry, how: 'withdrawn', at: context.now() })
  release(context.tx.memory, context.tx, entry.id)
}

/**
 * Removes ended entries from dependencies, once half of an entry's dependencies have ended. Ended ones don't block the entry,
 * and an entry with thousands of dependencies isn't rewritten for each.
 */
export function release(memory: Memory, tx: EditContext['tx'], entryId: string): void {
  const { outbox } = memory
  for (const other of outbox.find('waitsFor', entryId)) {
    if (!outbox.halfEnded(other.id)) continue
    tx.putEntry({ ...other, dependsOn: other.dependsOn.filter((id) => outbox.waits(id)) })
  }
}

/** Creations that wait for these entries, because they could otherwise be matched to the entries' record. */
export const lookAlikesAfter = ({ outbox }: Memory, entries: readonly OutboxEntry[]): OutboxEntry[] =>
  entries.flatMap(({ id }) => outbox.find('waitsFor', id)).filter(({ once }) => once !== undefined)

/** Fields of a record that a step changes. */
export const fieldsIn = (items: readonly UndoItem[], key: string): string[] =>
  items.flatMap((item) => (item.kind === 'fields' && item.key === key ? Object.keys(item.after) : []))

/** Link from an entry to its other half: this step's change of a record. */
export const halfOf = (items: readonly UndoItem[], key: string): Required<OutboxEntry>['follows'] => ({
  id: parseRecordKey(key).id,
  theirs: fieldsIn(items, key),
})

/** The other halves of an entry. */
export const halvesOf = ({ outbox }: Memory, { id, recordId }: OutboxEntry): OutboxEntry[] =>
  outbox.find('waitsFor', id).filter(({ follows }) => follows?.id === recordId)

/** A change without the link to its other half. Null if nothing else is left. */
export function withoutHalf(entry: OutboxEntry): OutboxEntry | null {
  const { follows, shows: _shows, ...rest } = entry
  if (!follows?.own || !isOpen(entry)) return null
  const fields = Object.keys(entry.patch).filter((field) => !follows.own!.includes(field))
  return fields.length === 0 ? null : { ...rest, patch: valuesOf(entry.patch, fields) }
}

/** Makes entries wait for the record's last entry, after the entries that they waited for were discarded. */
export function waitInstead(tx: Tx, waiting: readonly OutboxEntry[], key: string): void {
  const { memory } = tx
  const last = lastEntries(memory, key)
  for (const { id } of waiting) {
    const entry = memory.outbox.get(id)
    if (entry && isOpen(entry) && !closesCircle(memory, id, last))
      tx.putEntry({ ...entry, dependsOn: [...new Set([...entry.dependsOn, ...last])] })
  }
}

/** True if the record's creation is in conflict over whether it created an existing record. */
export const isCreationInQuestion = ([first]: readonly OutboxEntry[]): boolean => first?.conflict?.made !== undefined

/** True if a pending change keeps or restores a record here that may be gone on the service. */
export const isKeptHere = (memory: Memory, key: string): boolean =>
  !!memory.row(key)?.value && ownEntries(memory, key).length > 0

/**
 * Stores a creation whose outcome must be looked up again, because the record it may have created is gone. If the author has
 * since deleted the new record, the creation ends instead. Undoing that deletion creates another record.
 */
export function lookUpAgain(context: Pick<EditContext, 'tx' | 'ids' | 'now'>, creation: OutboxEntry): void {
  const { tx } = context
  const own = ownEntries(tx.memory, ownKey(creation))
  // Not whether the row is hidden, because a move away hides it as well.
  if (own.some(({ kind }) => kind === 'delete')) for (const entry of own.reverse()) withdrawEntry(context, entry)
  else tx.putEntry(creation)
}

/** The entry without its fault and delay, ready for another attempt. */
export function renewed(entry: OutboxEntry): OutboxEntry {
  const { fault: _fault, notBefore: _notBefore, ...rest } = entry
  return { ...rest, state: 'waiting', attempts: 0 }
}

/** Removes an entry that will never be sent, and those that end with it. */
export function endUnsent(context: Pick<EditContext, 'tx' | 'ids' | 'now'>, entry: OutboxEntry): void {
  const behavior = context.tx.memory.behaviors.of(entry.collection)
  if (behavior.endUnsent) behavior.endUnsent(context, entry)
  else withdrawEntry(context, entry)
}

/** Marks an edit as a draft if its service's edits are posted. */
export const draft = ({ facts }: Memory, collection: CollectionName): Pick<OutboxEntry, 'held'> =>
  facts.of(collection).send === 'whenPosted' ? { held: true } : {}
