import { z } from 'zod'
import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import type { Json, JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'
import { renameId } from '#shared/mutation/rename'
import { keyOfParent } from './apply'
import type { EditContext } from './context'
import type { Memory } from './memory'
import type { Write } from './store'
import type { Tx } from './tx'
import type { UndoItem } from './undo'
import { restore } from './undo-item'

/** How long deleted records can be restored, in milliseconds. The calendar service keeps them about as long. */
export const deletedKept = 30 * 86_400_000
/** Maximum number of deleted records, and of those that one of them contains. */
const maxDeleted = 1_000
const maxInside = 1_000

type DeletedItem = Extract<UndoItem, { kind: 'deleted' }>

/** A deleted record with what it contained, so that it can be restored. */
export interface Deleted {
  key: string
  /** Epoch milliseconds. */
  at: number
  /** True if another computer, app, or person deleted it. */
  elsewhere: boolean
  /** True if the record that contained it was made again, so that it has to be made again as well. */
  again?: true
  /** The record last, after what it contained. */
  items: readonly DeletedItem[]
}

const metaPrefix = 'deleted '
export const deletedMeta = (key: string): string => metaPrefix + key

const itemSchema = z.looseObject({
  kind: z.literal('deleted'),
  key: z.string(),
  collection: z.string(),
  parent: z.string().nullable(),
  id: z.string(),
  value: z.record(z.string(), z.unknown()),
})
const deletedSchema = z.object({
  key: z.string(),
  at: z.number(),
  elsewhere: z.boolean(),
  again: z.literal(true).optional(),
  items: z.array(itemSchema).min(1),
})

/** Reads deleted records from the store into memory. Returns writes that remove old and unreadable ones. */
export function loadDeleted(memory: Memory, meta: ReadonlyMap<string, unknown>, now: number): Write[] {
  const writes: Write[] = []
  const found: Deleted[] = []
  for (const [key, value] of meta) {
    if (!key.startsWith(metaPrefix)) continue
    const read = deletedSchema.safeParse(value)
    if (read.success && now - read.data.at < deletedKept) found.push(read.data as unknown as Deleted)
    else writes.push({ table: 'meta', remove: key })
  }
  for (const deleted of found.sort((a, b) => a.at - b.at)) memory.deleted.set(deleted.key, deleted)
  return writes
}

/** Notes what an edit deletes, if its collection keeps deleted records. `items`: what undo remembers of it. */
export function noteDeleted({ tx, now }: EditContext, key: string, items: readonly UndoItem[]): void {
  const { facts } = tx.memory
  const own = items.filter((item) => item.kind === 'deleted')
  const record = own.at(-1)
  if (record?.key !== key || !facts.of(record.collection).keepsDeleted || own.length > maxInside) return
  // What was in it comes back with it.
  for (const item of own) tx.putDeleted(item.key, null)
  put(tx, { key, at: now(), elsewhere: false, items: own })
}

/** Notes a record that the service no longer has, as it was here. */
export function noteGone(tx: Tx, record: RemoteRecord, value: JsonObject, now: number): void {
  const { collection, parent, id } = record
  const { memory } = tx
  const key = recordKey(collection, parent, id)
  if (memory.deleted.has(key) || memory.outbox.any('shows', key)) return
  const place = memory.behaviors.of(collection).placeOf?.(memory, key)
  const item: DeletedItem = { kind: 'deleted', key, collection, parent, id, value, ...(place && { place }) }
  put(tx, { key, at: now, elsewhere: true, items: [item] })
}

/** True if records of a collection that disappear from the service are noted, because it can restore them. */
export const notesGone = ({ facts }: Memory, collection: CollectionName): boolean => {
  const { keepsDeleted, gone } = facts.of(collection)
  return keepsDeleted === true && gone?.back !== undefined
}

function put(tx: Tx, deleted: Deleted): void {
  tx.putDeleted(deleted.key, deleted)
  const { deleted: all } = tx.memory
  for (const [key] of all) {
    if (all.size <= maxDeleted) break
    tx.putDeleted(key, null)
  }
}

/** Deleted records that aren't back, haven't only moved, and have a place to return to, newest first. */
export function listDeleted(memory: Memory, now: number): Deleted[] {
  return [...memory.deleted.values()]
    .filter(({ key, at }) => now - at < deletedKept && hasPlace(memory, key) && !isSomewhere(memory, key))
    .reverse()
}

/** True if the record that contained a deleted one exists. */
function hasPlace(memory: Memory, key: string): boolean {
  const { collection, parent } = parseRecordKey(key)
  const holder = keyOfParent(memory.facts.of(collection), parent)
  return holder === undefined || !!memory.row(holder)?.value
}

/** True if a record exists, in its place or next to it in another list or calendar. */
function isSomewhere(memory: Memory, key: string): boolean {
  const { collection, parent, id } = parseRecordKey(key)
  const holder = memory.facts.of(collection).parent?.collection
  const parents = holder ? [parent, ...memory.list(holder).map((row) => row.id)] : [parent]
  return parents.some((place) => {
    const there = recordKey(collection, place, id)
    return !!memory.row(there)?.value || memory.window.get(there) !== undefined
  })
}

/**
 * Restores a deleted record and what it contained. Where the service can, the record itself comes back, so that two computers
 * that restore it don't create two. Otherwise, creates it again. Returns its key.
 * @throws FaultError if it isn't known anymore
 */
export function restoreDeleted(context: EditContext, key: string): string {
  const { memory } = context.tx
  const deleted = memory.deleted.get(key)
  if (!deleted) {
    if (memory.row(key)?.value) return key
    throw new FaultError({ code: 'notFound', message: 'This was deleted too long ago to restore it' })
  }
  // IDs of lists and tasks that have to be made again, for what was in them.
  const renamed = new Map<string, string>()
  let restored = key
  for (const given of [...deleted.items].reverse()) {
    let item = given
    for (const [from, to] of renamed) item = renameId(item, from, to)
    const id = restore(context, item, !deleted.again && !renamed.has(given.parent ?? '')) ?? item.id
    if (id !== given.id) renamed.set(given.id, id)
    if (given.key === key) restored = recordKey(item.collection, item.parent, id)
  }
  context.tx.putDeleted(key, null)
  for (const [from, to] of renamed) {
    context.tx.renameInUndo(from, to, context.group)
    rename(context.tx, from, to, { again: true })
  }
  return restored
}

/** Deleted records follow a record that gets its ID from the service. */
export function renameDeleted(tx: Tx, from: string, to: string): void {
  if (isLocalId(from)) rename(tx, from, to, {})
}

function rename(tx: Tx, from: string, to: string, more: Pick<Deleted, 'again'>): void {
  for (const deleted of [...tx.memory.deleted.values()]) {
    const renamed = renameId(deleted, from, to)
    if (renamed === deleted) continue
    tx.putDeleted(deleted.key, null)
    tx.putDeleted(renamed.key, { ...renamed, ...more })
  }
}

export const deletedWrite = (key: string, deleted: Deleted | null): Write =>
  deleted
    ? { table: 'meta', put: { key: deletedMeta(key), value: deleted as unknown as Json } }
    : { table: 'meta', remove: deletedMeta(key) }
