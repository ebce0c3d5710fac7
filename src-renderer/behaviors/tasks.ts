import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { CollectionBehavior } from '../replica/collection-behavior'
import type { Memory } from '../replica/memory'
import { ownEntries } from '../replica/pending'
import { tasksOf } from './task-list'
import { behind, listOf, placeIn, shownByTask, spot } from './task-places'
import { survivesDiscard, waitsFor } from './task-levels'
import { relinkMoves, placedNow, endUnsent } from './task-ranks'

/** Tasks are ordered and nested: a change of one concerns its siblings and children. */
export const tasks: CollectionBehavior = {
  carried: () => true,
  showsNew: (memory, key, _value, place) => shownByTask(memory, key, place),
  entersPlace: (tx, key, place) => relinkMoves(tx, key, null, { list: parseRecordKey(key).parent!, place }),
  leavesPlace: (tx, key) => relinkMoves(tx, key, placeOf(tx.memory, key), null),
  placeOf,
  children: (memory, key) => {
    const { parent: list, id } = parseRecordKey(key)
    return inList(list!, tasksOf(memory, list!).descendants(id))
  },
  reach: {
    lies: 'beside',
    has: ({ memory, entry, record }) => {
      const seen = new Set<unknown>()
      let above = record.value?.parent
      while (typeof above === 'string' && above !== entry.recordId && !seen.has(above)) {
        seen.add(above)
        const key = recordKey('tasks', record.parent, above)
        // A deleted task may be on its way back.
        above = (memory.stored.get(key)?.base ?? ownEntries(memory, key)[0]?.base)?.parent
      }
      return above === entry.recordId
    },
  },
  endUnsent,
  waitsFor,
  survivesDiscard,
  asSent: placedNow,
  // Moved and remaining tasks may have changed elsewhere. Only complete lists show it.
  rereads: ({ parent, action }) => {
    const destination = action && 'destination' in action ? action.destination : undefined
    return [...new Set([parent, destination ?? parent])].map((list) => recordKey('tasks', list, ''))
  },
  place: (memory, { parent: list, id, value }) => {
    const { parent, position } = value ?? {}
    if (!value) tasksOf(memory, list!).delete(id)
    else {
      tasksOf(memory, list!).set({
        id,
        ...(typeof parent === 'string' && { parent }),
        ...(typeof position === 'string' && { position }),
      })
    }
    return false
  },
  drop: (memory, key) => {
    const { parent: list, id } = parseRecordKey(key)
    tasksOf(memory, list!).delete(id)
  },
}

export const tasklists: CollectionBehavior = {
  children: (memory, key) => {
    const list = parseRecordKey(key).id
    return inList(list, tasksOf(memory, list).all())
  },
  reach: { lies: 'inside', has: () => true },
}

/** Indexes of entries that move a task: after which, to which position, and into which. */
export const taskIndexes = {
  behind: (entry: OutboxEntry) => {
    const previous = placeIn(entry)?.previous
    return previous === undefined ? [] : [behind(listOf(entry), previous)]
  },
  spot: (entry: OutboxEntry) => {
    const at = placeIn(entry)
    return at ? [spot(listOf(entry), at)] : []
  },
  inside: (entry: OutboxEntry) => {
    const parent = placeIn(entry)?.parent
    return parent === undefined ? [] : [parent]
  },
}

function placeOf(memory: Memory, key: string): ReturnType<NonNullable<CollectionBehavior['placeOf']>> {
  const { parent: list, id } = parseRecordKey(key)
  return tasksOf(memory, list!).placeOf(id)
}

const inList = (list: string, ids: readonly string[]): string[] => ids.map((id) => recordKey('tasks', list, id))
