import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Place } from '#shared/domain/task-order'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Memory } from '../replica/memory'
import { dependencies, isOpen, ownEntries } from '../replica/pending'
import type { Tx } from '../replica/tx'
import { listOf, place, placeIn, putAt, shownByTask } from './task-places'

/**
 * Pending entries to send before a task moves into another one. The service has two levels, so the parent must have left its own
 * parent first, and the task's own subtasks must have left.
 */
export function waitsFor(memory: Memory, key: string, references: readonly string[]): OutboxEntry[] {
  const { outbox } = memory
  const { parent: list, id } = parseRecordKey(key)
  const parents = references.filter((one) => !memory.row(recordKey('tasklists', null, one)))
  if (parents.length === 0) return []
  const arriving = parents.flatMap((parent) => {
    const base = memory.stored.get(recordKey('tasks', list, parent))?.base
    const moves = outbox.find('record', parent).filter(placeIn)
    return base && [base, ...moves.map(placeIn)].every((at) => at?.parent === undefined) ? [] : moves
  })
  const inside = [
    ...memory.keysWithin(id).map((inner) => parseRecordKey(inner).id),
    ...outbox.find('inside', id).map(({ recordId }) => recordId),
  ]
  const leaving = inside
    .flatMap((inner) => outbox.find('record', inner))
    .filter((entry) => placeIn(entry) || entry.kind === 'delete')
  return [...arriving, ...leaving]
}

/**
 * True if an entry can be sent although the entry it waits for is discarded: a creation in a task whose move is discarded, or a
 * move into a discarded creation that a later entry moves out again.
 */
export function survivesDiscard(memory: Memory, entry: OutboxEntry, discarded: OutboxEntry): boolean {
  if (discarded.action) return entry.kind === 'create' && entry.recordId !== discarded.recordId
  const { recordId: id } = discarded
  if (placeIn(entry)?.parent !== id || entry.parent === id || entry.recordId === id) return false
  const later = ownEntries(memory, ownKey(entry)).filter((other) => other.id > entry.id)
  return later.some((other) => placeIn(other) && placeIn(other)?.parent !== id)
}

/** After a discarded move, moves unsent subtasks of a task that is a subtask again, or in another list, to a possible place. */
export function keepTwoLevels(tx: Tx, { recordId, parent: list }: OutboxEntry, { parent }: Place): void {
  for (const other of tx.memory.outbox.find('inside', recordId)) {
    const isSameList = listOf(other) === list
    if (other.kind !== 'create' || !isOpen(other) || (isSameList && parent === undefined)) continue
    const at = isSameList ? place(parent, recordId) : {}
    const key = ownKey(other)
    const dependsOn = dependencies(tx.memory, key, [at.parent])
    tx.putEntry({ ...putAt(other, at), dependsOn, shows: shownByTask(tx.memory, key, at) })
  }
}
