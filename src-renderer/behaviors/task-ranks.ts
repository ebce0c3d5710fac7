import { isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Place } from '#shared/domain/task-order'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Ending } from '../replica/collection-behavior'
import type { Memory } from '../replica/memory'
import { dependencies, isOpen, ownEntries, withdrawEntry } from '../replica/pending'
import type { Tx } from '../replica/tx'
import { tasksOf } from './task-list'
import { behind, listOf, place, placeIn, putAt, shownByTask, spot } from './task-places'

/**
 * Keeps the pending moves of a list consistent when a task leaves or takes a place, so that the order holds whichever
 * is sent first. Each move is relative to the task displayed above. A place of null means nowhere.
 */
export function closeRanks(tx: Tx, key: string, from: Place | null, to: { list: string; place: Place } | null): void {
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

/** The service has two levels of tasks: one gets subtasks once it's none itself, and becomes one once its own have left. */
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
 * True if an entry can be sent although another one is discarded: it creates a task in one that doesn't move, or moves one
 * into a creation, but another entry moves it out again.
 */
export function doesWithout(memory: Memory, entry: OutboxEntry, discarded: OutboxEntry): boolean {
  if (discarded.action) return entry.kind === 'create' && entry.recordId !== discarded.recordId
  const { recordId: id } = discarded
  if (placeIn(entry)?.parent !== id || entry.parent === id || entry.recordId === id) return false
  const later = ownEntries(memory, ownKey(entry)).filter((other) => other.id > entry.id)
  return later.some((other) => placeIn(other) && placeIn(other)?.parent !== id)
}

/**
 * Ends an entry that will never be sent. A task that returns to its old place gets it back in the row. Discarding a task's
 * creation discards everything that was to happen to it, in any list, and moves into it are dropped.
 */
export function takeOut(context: Ending, entry: OutboxEntry): void {
  const { tx } = context
  const list = listOf(entry)
  if (!placeIn(entry) || list === null || entry.parent === null) return withdrawEntry(context, entry)
  const from = tasksOf(tx.memory, list).placeOf(entry.recordId)
  withdrawEntry(context, entry)
  const back = tx.memory.row(ownKey(entry))?.value
  const place = back && tasksOf(tx.memory, entry.parent).placeOf(entry.recordId)
  closeRanks(tx, recordKey('tasks', list, entry.recordId), from, place ? { list: entry.parent, place } : null)
  if (place) return keepTwoLevels(tx, entry, place)
  if (entry.kind !== 'create' || !isLocalId(entry.recordId)) return
  for (const other of tx.memory.outbox.findAny(['record', entry.recordId], ['inside', entry.recordId])) {
    if (other.recordId === entry.recordId) withdrawEntry(context, other)
    else tx.putEntry(putAt(other, {}))
  }
}

/** After a task returned to its place, puts what was to be created in it where it can be. */
function keepTwoLevels(tx: Tx, { recordId, parent: list }: OutboxEntry, { parent }: Place): void {
  for (const other of tx.memory.outbox.find('inside', recordId)) {
    const isSameList = listOf(other) === list
    if (other.kind !== 'create' || !isOpen(other) || (isSameList && parent === undefined)) continue
    const at = isSameList ? place(parent, recordId) : {}
    const key = ownKey(other)
    const dependsOn = dependencies(tx.memory, key, [at.parent])
    tx.putEntry({ ...putAt(other, at), dependsOn, shows: shownByTask(tx.memory, key, at) })
  }
}

/**
 * An entry that moves a task, with a position that the service knows now: after the nearest task above it that is already
 * there. So no entry has to wait for an order. If someone made its parent a subtask, it goes after that, and if someone
 * cleared it, to the top.
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
