import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import { renameId } from '#shared/mutation/rename'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Deleted, DeletedItem } from './api'
import { keyOfParent } from './id-names'
import type { EditContext } from './context'
import { deletedKept, wasDiscarded } from './deleted'
import type { Memory } from './memory'
import { renameAgain } from './pending'
import { putBack, restore } from './undo-item'

/** Deleted records that can be restored, newest first: they don't exist in any place, and their parent exists. */
export function listDeleted(memory: Memory, now: number): Deleted[] {
  return [...memory.deleted.values()]
    .filter(({ key, at }) => now - at < deletedKept && hasPlace(memory, key) && !isSomewhere(memory, key))
    .sort((a, b) => b.at - a.at || (a.key < b.key ? -1 : 1))
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
 * Restores a deleted record and what it contained. If the service can restore the record itself, two computers that do so
 * don't create two records. Otherwise, creates it again. Returns its key.
 * @throws FaultError if the record is no longer in the list
 */
export function restoreDeleted(context: EditContext, key: string): string {
  const { memory } = context.tx
  const deleted = memory.deleted.get(key)
  if (!deleted) {
    if (memory.row(key)?.value) return key
    throw new FaultError({ code: 'notFound', message: 'This was deleted too long ago to restore' })
  }
  context.tx.putDeleted(key, null)
  const renamed = restoreItems(context, deleted.items, !deleted.again)
  const { collection, parent } = parseRecordKey(key)
  const again = renamed.get(parseRecordKey(key).id)
  return again ? recordKey(collection, parent, again.to) : key
}

/**
 * Restores what a deletion discarded, after the deletion was discarded itself: unsent edits of the record, and unsent records
 * in it.
 * @param item the deleted record, read before the deletion was discarded
 */
export function restoreDiscarded(context: EditContext, deletion: OutboxEntry, item: DeletedItem | undefined): void {
  const { memory } = context.tx
  const key = ownKey(deletion)
  if (deletion.kind !== 'delete' || !memory.row(key)?.value) return
  for (const entry of item?.dropped ?? []) putBack(context, item!, entry)
  const deleted = memory.deleted.get(key)
  if (!deleted) return
  context.tx.putDeleted(key, null)
  const discarded = deleted.items.filter((one) => wasDiscarded(one) && one.key !== key)
  restoreItems({ ...context, items: [] }, discarded, false)
}

/**
 * Restores records, the last one first, because parents follow their children in the list. Returns the IDs of records that had
 * to be created again.
 * @param revives true if the service can restore the records
 */
function restoreItems(
  context: EditContext,
  items: readonly DeletedItem[],
  revives: boolean,
): ReadonlyMap<string, { key: string; to: string }> {
  const renamed = new Map<string, { key: string; to: string }>()
  for (const given of [...items].reverse()) {
    let item = given
    for (const [from, { to }] of renamed) item = renameId(item, from, to)
    const id = restore(context, item, revives && !renamed.has(given.parent ?? '')) ?? item.id
    if (id !== given.id) renamed.set(given.id, { key: given.key, to: id })
  }
  for (const { key: from, to } of renamed.values()) renameAgain(context, from, to)
  return renamed
}
