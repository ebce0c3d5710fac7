import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { contentToCreate } from '#shared/domain/writable'
import type { JsonObject } from '#shared/json'
import { applyPatch, ownKey, patchBetween } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { EditContext } from './context'
import type { Memory } from './memory'
import { isOpen, rename, takeOut, withdrawEntry } from './pending'

/**
 * Returns the deletion of a record if it may have arrived, and the record's key then. What undoes it waits until that's known:
 * a deletion that didn't arrive leaves the record. It needn't be restored, and created again, there would be two.
 */
export function unsureDeletion(memory: Memory, key: string): { deletion: OutboxEntry; key: string } | undefined {
  const { collection, parent, id } = parseRecordKey(key)
  // What was inside a deleted record is made again inside the one that was made instead of that.
  const holder = parent === null ? undefined : memory.outbox.find('record', parent).find(({ restores }) => restores)
  const before = holder ? recordKey(collection, parseRecordKey(holder.restores!.key).id, id) : key
  const deletion = memory.entriesOf(before).find((entry) => entry.kind === 'delete' && !isOpen(entry))
  return deletion && { deletion, key: before }
}

const copiesOf = ({ outbox }: Memory, { id, kind }: OutboxEntry): OutboxEntry[] =>
  kind === 'delete' ? outbox.find('waitsFor', id).filter(({ restores }) => restores !== undefined) : []

/** True if an entry is a deletion that was undone while it was unknown whether it arrived. */
export const isUndone = (memory: Memory, entry: OutboxEntry): boolean => copiesOf(memory, entry).length > 0

/**
 * Ends a deletion that didn't arrive and was undone: its records are the ones that were made instead, or restored, with what
 * was typed into those.
 * @returns false if it wasn't undone
 */
export function bringBack(context: Pick<EditContext, 'tx' | 'ids' | 'now'>, deletion: OutboxEntry): boolean {
  const { tx, ids } = context
  const { memory } = tx
  const copies = copiesOf(memory, deletion)
  if (copies.length === 0) return false
  withdrawEntry(context, deletion)
  const living = copies.filter(({ restores }) => memory.stored.has(restores!.key))
  for (const copy of living)
    if (ownKey(copy) !== copy.restores!.key)
      rename(tx, ownKey(copy), parseRecordKey(copy.restores!.key).id, memory.undo.lastId)
  for (const { id } of [...living].reverse()) {
    const copy = memory.outbox.get(id)!
    takeOut(context, copy)
    const { restores, place: _place, shows: _shows, ...rest } = copy
    const { key, value: base } = restores!
    const patch = typedSince(memory, copy, base)
    if (Object.keys(patch).length === 0) continue
    const { parent, id: recordId } = parseRecordKey(key)
    const change = { ...rest, parent, recordId, kind: 'change' as const, base, patch, complete: false, dependsOn: [] }
    tx.putEntry({ ...change, id: ids.ulid() })
  }
  return true
}

function typedSince({ facts }: Memory, { collection, base, patch }: OutboxEntry, before: JsonObject): JsonObject {
  const content = (value: JsonObject): JsonObject => contentToCreate(facts.of(collection), value)
  return patchBetween(content(before), content(applyPatch(base ?? {}, patch)))
}
