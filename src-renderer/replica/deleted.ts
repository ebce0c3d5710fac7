import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import { merge } from '#shared/merge/merge'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { applyPatch, fold, ownKey } from '#shared/mutation/fold'
import type { Deleted, DeletedItem } from './api'
import type { EditContext } from './context'
import type { Memory } from './memory'
import { deletedPrefix } from './deleted-meta'
import { ownIds, renameRecord } from './id-names'
import type { Write } from './store'
import type { Tx } from './tx'
import type { UndoItem, UndoStep } from './undo'
import { deletedItemSchema } from './undo-schema'
import { partId } from './undo-steps'

/** How long deleted records can be restored, in milliseconds. The calendar service keeps them about as long. */
export const deletedKept = 30 * 86_400_000
/** Maximum number of deleted records, and of records inside one of them. */
const maxDeleted = 1_000
const maxInside = 1_000

const deletedSchema = z
  .looseObject({
    key: z.string(),
    at: z.number(),
    elsewhere: z.boolean(),
    goneAt: z.string().optional(),
    step: z.string().optional(),
    again: z.literal(true).optional(),
    items: z.array(deletedItemSchema).min(1),
  })
  .refine(({ key, items }) => items.at(-1)!.key === key)

/**
 * Reads deleted records from the store into memory. Returns writes that remove old ones. A record that this version can't
 * fully read stays in the store for the newer version that wrote it.
 */
export function loadDeleted(memory: Memory, meta: ReadonlyMap<string, unknown>, now: number): Write[] {
  const writes: Write[] = []
  const found: Deleted[] = []
  for (const [key, value] of meta) {
    if (!key.startsWith(deletedPrefix)) continue
    const { at } = (value ?? {}) as { at?: unknown }
    const read = safeParse(deletedSchema, value)
    if (typeof at !== 'number' || now - at >= deletedKept) writes.push({ table: 'meta', remove: key })
    else if (read.success) found.push(read.data as unknown as Deleted)
  }
  for (const deleted of found.sort((a, b) => a.at - b.at)) memory.deleted.set(deleted.key, deleted)
  return writes
}

/** Notes what an edit deletes, if its collection keeps deleted records. `items`: what undo remembers of it. */
export function noteDeleted(
  { tx, now, group, items: all }: EditContext,
  key: string,
  items: readonly UndoItem[],
): void {
  const { facts } = tx.memory
  const along = items.filter((item) => item.kind === 'deleted')
  const record = along.at(-1)
  if (record?.key !== key || !facts.of(record.collection).keepsDeleted) return
  // Undo deletes what a step created one by one, and a list last.
  const before = all.filter((item) => item.kind === 'deleted' && isInside(facts, item, record) && !items.includes(item))
  const own = [...(before as DeletedItem[]), ...along]
  if (own.length > maxInside) return
  // Restoring the record also restores what was in it, so that needs no records of its own.
  for (const item of own) tx.putDeleted(item.key, null)
  put(tx, { key, at: now(), elsewhere: false, step: group, items: own })
}

/** True if the deletion discarded the record's creation, which was never sent or in conflict over what it had created. */
export const wasDiscarded = ({ label }: DeletedItem): boolean => label !== undefined

/** Notes that a record in a deleted one was created, so that restoring that one doesn't create it again. It may have moved since. */
export function noteMade(tx: Tx, { collection, recordId }: OutboxEntry): void {
  const isIt = (item: DeletedItem): boolean =>
    item.id === recordId && item.collection === collection && wasDiscarded(item)
  for (const deleted of [...tx.memory.deleted.values()])
    if (deleted.items.some(isIt)) {
      const items = deleted.items.map((item) => (isIt(item) ? asSent(item) : item))
      tx.putDeleted(deleted.key, { ...deleted, items })
    }
}

const asSent = ({ label: _label, dropped: _dropped, ...item }: DeletedItem): DeletedItem => item

const isInside = (facts: Facts, item: DeletedItem, record: DeletedItem): boolean =>
  item.collection === record.collection
    ? item.parent === record.parent && item.place?.parent === record.id
    : facts.of(item.collection).parent?.collection === record.collection && item.parent === record.id

/**
 * Updates what undo and the list of deleted records restore: the record as its author saw it when deleting it, with others'
 * changes that lost to the deletion, and the author's own edits that the deletion made obsolete. If both changed a field, the
 * other's value stays, as with undo.
 */
export function renewDeleted(tx: Tx, deletion: OutboxEntry, value: JsonObject): void {
  const key = ownKey(deletion)
  const isIt = (item: UndoItem): item is DeletedItem => item.kind === 'deleted' && item.key === key
  const renewed = <T extends UndoItem>(items: readonly T[]): T[] =>
    items.map((item) => (isIt(item) ? { ...item, value: withDropped(tx.memory.facts, item, value) } : item))
  for (const deleted of [...tx.memory.deleted.values()])
    if (deleted.items.some(isIt)) tx.putDeleted(deleted.key, { ...deleted, items: renewed(deleted.items) })
  for (const part of partsOf(tx.memory, deletion))
    if (part.items.some(isIt)) tx.putUndo({ ...part, items: renewed(part.items) })
}

/** Removes a deletion from its undo step once its author gave it up, because undoing it would do nothing. */
export function forgetDeletion(tx: Tx, deletion: OutboxEntry): void {
  const hidden = (deletion.shows ?? []).flatMap(({ key, patch }) => (patch === null ? [key] : []))
  const keys = new Set([ownKey(deletion), ...hidden])
  const left = partsOf(tx.memory, deletion).map((part) => ({
    ...part,
    items: part.items.filter(({ kind, key }) => kind !== 'deleted' || !keys.has(key)),
  }))
  const isOver = left.every(({ items }) => items.length === 0)
  for (const part of left) isOver ? tx.removeUndo(part.id) : tx.putUndo(part)
}

/** The record that undoing a pending deletion would restore. */
export function deletedBy(memory: Memory, deletion: OutboxEntry): DeletedItem | undefined {
  const key = ownKey(deletion)
  const items = [...(memory.deleted.get(key)?.items ?? []), ...partsOf(memory, deletion).flatMap((part) => part.items)]
  return items.filter((item) => item.kind === 'deleted').find((item) => item.key === key)
}

/** The parts of the undo step that an entry belongs to, with current IDs. */
function partsOf({ undo }: Memory, { group }: OutboxEntry): UndoStep[] {
  const parts: UndoStep[] = []
  for (let number = 0; ; number++) {
    const part = undo.get(partId(group, number))
    if (!part) return parts
    parts.push({ ...part, items: undo.current(part.id, part.items) })
  }
}

const withDropped = (facts: Facts, { key, collection, dropped = [] }: DeletedItem, value: JsonObject): JsonObject =>
  dropped
    .filter((entry) => entry.kind === 'change' && ownKey(entry) === key)
    .reduce(
      (now, { base, patch }) => applyPatch(now, merge(facts.of(collection).rules, base ?? {}, patch, now).patch),
      value,
    )

/** Notes a record that the service no longer has, with its last local values. */
export function noteGone(tx: Tx, record: RemoteRecord, value: JsonObject, now: number): void {
  const { collection, parent, id } = record
  const { memory } = tx
  const key = recordKey(collection, parent, id)
  if (isDeletedHere(memory, key) || memory.outbox.any('shows', key) || isInDeleted(memory, record)) return
  const place = memory.behaviors.of(collection).placeOf?.(memory, key)
  const item: DeletedItem = { kind: 'deleted', key, collection, parent, id, value, ...(place && { place }) }
  put(tx, { key, at: now, elsewhere: true, ...(record.goneAt && { goneAt: record.goneAt }), items: [item] })
}

/**
 * True if a record was deleted here in another place, alone or with its list, because it had only moved away from this one. An
 * event in another calendar doesn't count, because it could be another guest's copy.
 */
function isInDeleted(memory: Memory, record: RemoteRecord): boolean {
  if (memory.isWindow(record.collection)) return false
  const isIt = ({ collection, id, parent }: DeletedItem): boolean =>
    id === record.id && collection === record.collection && parent !== record.parent
  return [...memory.deleted.values()].some(({ elsewhere, items }) => !elsewhere && items.some(isIt))
}

/**
 * Updates the place of a deleted record that was moved before its deletion, and never seen in its last place. Restored at its
 * former place, it would exist twice once someone else restores it where it was deleted.
 */
export function followGone(tx: Tx, { collection, parent, id, value, goneAt }: RemoteRecord): void {
  if (value !== null || goneAt === undefined || tx.memory.isWindow(collection)) return
  const key = recordKey(collection, parent, id)
  for (const deleted of [...tx.memory.deleted.values()]) {
    const [item] = deleted.items
    if (!deleted.elsewhere || item?.collection !== collection || item.id !== id || item.parent === parent) continue
    if (deleted.goneAt === undefined || Date.parse(deleted.goneAt) > Date.parse(goneAt)) continue
    put(tx, { ...deleted, key, goneAt, items: [{ ...item, key, parent }] })
  }
}

/**
 * Notes a record after the user accepted its deletion by someone else. Returns what undo restores: the record with the edits
 * that were discarded. Undefined if the service can’t restore records of its collection.
 */
export function noteGivenUp(tx: Tx, edit: OutboxEntry, now: number): DeletedItem | undefined {
  const { memory } = tx
  const { collection, parent, recordId: id } = edit
  if (!notesGone(memory, collection)) return undefined
  const key = ownKey(edit)
  const dropped = memory.entriesOf(key).filter((entry) => entry.kind === 'change' && ownKey(entry) === key)
  const value = fold(key, edit.base, dropped)
  if (!value) return undefined
  const place = memory.behaviors.of(collection).placeOf?.(memory, key)
  const item: DeletedItem = { kind: 'deleted', key, collection, parent, id, value, dropped, ...(place && { place }) }
  if (!memory.deleted.has(key)) put(tx, { key, at: now, elsewhere: true, items: [item] })
  return item
}

/** True if records of a collection are noted when they disappear from the service, because it can restore them. */
export const notesGone = ({ facts }: Memory, collection: CollectionName): boolean => {
  const { keepsDeleted, gone } = facts.of(collection)
  return keepsDeleted !== undefined && gone?.back !== undefined
}

/** True if a pending change deletes a record. */
export const isDeletedHere = (memory: Memory, key: string): boolean =>
  memory.entriesOf(key).some((entry) => entry.kind === 'delete' && ownKey(entry) === key)

function put(tx: Tx, deleted: Deleted): void {
  const { deleted: all } = tx.memory
  const noted = new Set(deleted.items.map(nameOf))
  // These were noted when they moved from another list.
  for (const { key, elsewhere, items } of [...all.values()])
    if (elsewhere && items.some((item) => noted.has(nameOf(item)))) tx.putDeleted(key, null)
  tx.putDeleted(deleted.key, deleted)
  for (const [key] of all) {
    if (all.size <= maxDeleted) break
    tx.putDeleted(key, null)
  }
}

/** Name of a record in any place. */
const nameOf = ({ collection, id }: Pick<DeletedItem, 'collection' | 'id'>): string => recordKey(collection, null, id)

/** Deleted records follow a record that gets its ID from the service. */
export function renameDeleted(tx: Tx, key: string, to: string): void {
  if (isLocalId(parseRecordKey(key).id)) renameInDeleted(tx, key, to)
}

/** Replaces a record's ID in deleted records. `more`: further changes of that record, and of what it contained. */
export function renameInDeleted(tx: Tx, key: string, to: string, more: Pick<Deleted, 'again'> = {}): void {
  const { id: from } = parseRecordKey(key)
  for (const deleted of [...tx.memory.deleted.values()]) {
    // Values name local IDs as well, but are slow to look through.
    if (!isLocalId(from) && !deleted.items.some((item) => isAt(item, from))) continue
    const renamed = renameRecord(tx.memory.facts, deleted, key, to)
    if (renamed === deleted) continue
    tx.putDeleted(deleted.key, null)
    const concerns = deleted.items.some((item) => ownIds(item).includes(from))
    tx.putDeleted(renamed.key, concerns ? { ...renamed, ...more } : renamed)
  }
}

const isAt = ({ key, place }: DeletedItem, id: string): boolean =>
  key.includes(id) || place?.parent === id || place?.previous === id
