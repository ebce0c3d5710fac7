import { parseRecordKey } from '#shared/domain/collections'
import type { Place } from '#shared/domain/task-order'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Shows } from '../replica/collection-behavior'
import type { Memory } from '../replica/memory'
import { tasksOf } from './task-list'

/** Where an entry moves its task, or undefined if it doesn't. */
export function placeIn(entry: OutboxEntry): Place | undefined {
  if (entry.collection !== 'tasks') return undefined
  if (entry.kind === 'create') return entry.place ?? {}
  if (entry.action?.name !== 'moveTask') return undefined
  const { parent, previous } = entry.action
  return place(parent, previous)
}

export const place = (parent: string | undefined, previous: string | undefined): Place => ({
  ...(parent !== undefined && { parent }),
  ...(previous !== undefined && { previous }),
})

export const listOf = (entry: OutboxEntry): string | null =>
  (entry.action?.name === 'moveTask' ? entry.action.destination : undefined) ?? entry.parent

export function putAt(entry: OutboxEntry, at: Place): OutboxEntry {
  if (entry.action?.name !== 'moveTask') return { ...entry, place: at }
  const { destination } = entry.action
  return { ...entry, action: { name: 'moveTask', ...(destination !== undefined && { destination }), ...at } }
}

/** Names of places in a list, by which the entries that put a task there are found. */
export const behind = (list: string | null, previous: string): string => `${list}\n${previous}`
export const spot = (list: string | null, at: Place): string => `${list}\n${at.parent ?? ''}\n${at.previous ?? ''}`

/** A task at its place, by a position of our own. */
export function shownByTask(memory: Memory, key: string, place: Place = {}): Shows {
  const { parent: list, id } = parseRecordKey(key)
  const position = tasksOf(memory, list!).positionAt(place, id)
  return [{ key, patch: { parent: place.parent ?? null, position } }]
}
