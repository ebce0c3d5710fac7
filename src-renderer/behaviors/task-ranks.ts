import { isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Place } from '#shared/domain/task-order'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Ending } from '../replica/collection-behavior'
import type { Memory } from '../replica/memory'
import { isOpen, withdrawEntry } from '../replica/pending'
import type { Tx } from '../replica/tx'
import { keepTwoLevels } from './task-levels'
import { tasksOf } from './task-list'
import { behind, listOf, place, placeIn, putAt, spot } from './task-places'

/**
 * Keeps the pending moves of a list consistent when a task leaves or takes a place, so that the order holds whichever
 * is sent first. Each move is relative to the task displayed above. A place of null means nowhere.
 */
export function relinkMoves(tx: Tx, key: string, from: Place | null, to: { list: string; place: Place } | null): void {
  const { parent: list, id } = parseRecordKey(key)
  const near = tx.memory.outbox.findAny(
    ...(from ? [['behind', behind(list, id)] as const] : []),
    ...(to ? [['spot', spot(to.list, to.place)] as const] : []),
  )
  for (const entry of near) {
    const at = placeIn(entry)
    if (!at || entry.recordId === id || !isOpen(entry)) continue
    let { previous } = at
    if (from && listOf(entry) === list && previous === id)
      previous = at.parent === from.parent ? from.previous : undefined
    if (to && listOf(entry) === to.list && at.parent === to.place.parent && previous === to.place.previous)
      previous = id
    if (previous !== at.previous) tx.putEntry(putAt(entry, place(at.parent, previous)))
  }
}

/**
 * Ends an entry that will never be sent. A task whose move is discarded returns to its former neighbors. Discarding a task's
 * creation discards all other entries on that task, in any list, and moves of tasks into it go to the top of their lists.
 */
export function endUnsent(context: Ending, entry: OutboxEntry): void {
  const { tx } = context
  const list = listOf(entry)
  if (!placeIn(entry) || list === null || entry.parent === null) return withdrawEntry(context, entry)
  const from = tasksOf(tx.memory, list).placeOf(entry.recordId)
  withdrawEntry(context, entry)
  const back = tx.memory.row(ownKey(entry))?.value
  const place = back && tasksOf(tx.memory, entry.parent).placeOf(entry.recordId)
  relinkMoves(tx, recordKey('tasks', list, entry.recordId), from, place ? { list: entry.parent, place } : null)
  if (place) return keepTwoLevels(tx, entry, place)
  if (entry.kind !== 'create' || !isLocalId(entry.recordId)) return
  for (const other of tx.memory.outbox.findAny(['record', entry.recordId], ['inside', entry.recordId])) {
    if (other.recordId === entry.recordId) withdrawEntry(context, other)
    else tx.putEntry(putAt(other, {}))
  }
}

/**
 * Returns an entry that moves a task with a position that the service knows now: after the nearest task above that the service
 * has there, so that no entry waits for another's order. If someone made the parent a subtask, the task goes after the parent. If
 * someone cleared the parent, it goes to the top.
 */
export function placedNow(memory: Memory, entry: OutboxEntry): OutboxEntry {
  const at = placeIn(entry)
  const list = listOf(entry)
  if (!at || list === null) return entry
  const parent = at.parent === undefined ? undefined : memory.stored.get(recordKey('tasks', list, at.parent))?.base
  if (parent?.hidden === true) return putAt(entry, {})
  if (typeof parent?.parent === 'string' && parent.parent !== entry.recordId)
    return putAt(entry, place(parent.parent, at.parent))
  const waiting = (id: string): Place | undefined => {
    if (id === entry.recordId) return undefined
    const there = memory.outbox.find('record', id).filter((other) => listOf(other) === list && placeIn(other))
    return there.length > 0 ? placeIn(there.at(-1)!) : undefined
  }
  const isStored = (id: string): boolean => {
    const base = memory.stored.get(recordKey('tasks', list, id))?.base
    // Nothing can be put after a cleared task.
    return !!base && !isLocalId(id) && base.hidden !== true && (base.parent ?? undefined) === at.parent
  }
  let { previous } = at
  for (const seen = new Set<string>(); previous !== undefined;) {
    const pending = waiting(previous)
    if (!pending && isStored(previous)) break
    const next = pending?.parent === at.parent && !seen.has(previous) ? pending?.previous : undefined
    seen.add(previous)
    previous = next
  }
  return putAt(entry, place(at.parent, previous))
}

/**
 * Converts entries of an earlier version, which also depended on the tasks before them, so that two could depend on each
 * other. Only parents have to exist first.
 */
export function waitingForParentsOnly(entries: readonly OutboxEntry[]): OutboxEntry[] {
  const creations = new Map(entries.filter(({ kind }) => kind === 'create').map((entry) => [entry.recordId, entry.id]))
  return entries.map((entry) => {
    const at = placeIn(entry)
    if (!at) return entry
    const needed = new Set([entry.parent, listOf(entry), at.parent, entry.kind === 'create' ? null : entry.recordId])
    const behind = at.previous !== undefined && !needed.has(at.previous) ? creations.get(at.previous) : undefined
    const inside = at.parent === undefined ? undefined : creations.get(at.parent)
    const dependsOn = new Set(entry.dependsOn.filter((id) => id !== behind))
    if (inside !== undefined) dependsOn.add(inside)
    return { ...entry, dependsOn: [...dependsOn] }
  })
}
