import type { Place } from '#shared/domain/task-order'
import type { OutboxEntry } from '#shared/mutation/entry'

/** Where an entry puts its task; undefined for one that puts nothing anywhere. */
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
