import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { contentToCreate } from '#shared/domain/writable'
import type { JsonObject } from '#shared/json'
import { applyPatch, ownKey, patchBetween } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { EditContext } from './context'
import type { Memory } from './memory'
import { isOpen, rename, endUnsent, withdrawEntry } from './pending'

/**
 * Returns a deletion of a record that may have arrived, with the record's key at that time. Undoing the deletion waits until
 * its outcome is known: if it didn't arrive, the record still exists, and creating it again would make a second one.
 */
export function unsureDeletion(memory: Memory, key: string): { deletion: OutboxEntry; key: string } | undefined {
  const { collection, parent, id } = parseRecordKey(key)
  // Contents of a deleted record are created again inside its replacement.
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
 * Ends a deletion that was undone and didn't arrive. Its records take over the edits of their replacements.
 * @returns false if the deletion wasn't undone
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
    endUnsent(context, copy)
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
