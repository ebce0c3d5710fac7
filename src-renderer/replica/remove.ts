import { isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import { parseInstanceId } from '#shared/domain/instances'
import { descendants, placeOf } from '#shared/domain/task-order'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { addEntry, dependencies, derivedInstance, expectedBase, isOpen, ownEntries, withdrawEntry } from './pending'
import { placedTasks } from './shown'
import type { EditContext } from './context'

/** Deletes a record here. What was never sent disappears together with all that lies in it, and nothing is sent. */
export function removeRecord(context: EditContext, key: string): string {
  const { memory } = context.tx
  const { collection, parent, id } = parseRecordKey(key)
  const row = memory.row(key)
  const derived = row ? null : derivedInstance(context.tx.memory, key)
  const value = row ? row.value : derived
  if (!value) return key
  const children = childKeys(context, key)
  // Taken back last first: parents come before what lies in them.
  for (const child of [...children].reverse()) remember(context, child, [])
  const own = ownEntries(memory, key)
  const open = lastOpen(own)
  const neverSent = open.length === own.length && own[0]?.kind === 'create'
  const inside = neverSent ? contained(context, key) : []
  remember(context, key, neverSent ? [] : open)
  for (const entry of [...inside, ...open].reverse()) if (memory.outbox.has(entry.id)) withdrawEntry(context, entry)
  if (neverSent) {
    patchReferences(context, id, value)
    return key
  }
  const left = memory.entriesOf(key)
  const expected = derived ? { base: derived, complete: false } : expectedBase(memory, key, left)
  addEntry(context, {
    collection,
    parent,
    recordId: id,
    kind: 'delete',
    patch: {},
    expected: { ...expected, base: expected.base ?? value },
    dependsOn: [...dependencies(memory, key, []), ...waitingInside(context, key)],
    extra: hidden(key, children),
  })
  return key
}

/** The entries at the end of a record's queue that can still be dropped. */
function lastOpen(own: readonly OutboxEntry[]): OutboxEntry[] {
  const firstOpen = own.length - [...own].reverse().findIndex((entry) => !isOpen(entry))
  return own.some((entry) => !isOpen(entry)) ? own.slice(firstOpen) : [...own]
}

/** Rows that the service deletes along: subtasks of a task, tasks of a list, exceptions of a series. */
function childKeys(context: EditContext, key: string): string[] {
  const { memory } = context.tx
  const { collection, parent, id } = parseRecordKey(key)
  if (collection === 'tasks') {
    return descendants(placedTasks(memory, parent!), id).map((task) => recordKey('tasks', parent, task.id))
  }
  if (collection === 'tasklists') {
    const tasks = placedTasks(memory, id)
    const top = tasks.filter((task) => task.parent === undefined)
    return top.flatMap((task) => [task, ...descendants(tasks, task.id)]).map((task) => recordKey('tasks', id, task.id))
  }
  if (collection === 'events') return memory.series.exceptionKeys(key)
  return []
}

/** Keeps what is needed to bring a record back. */
function remember(context: EditContext, key: string, dropped: readonly OutboxEntry[]): void {
  const { memory } = context.tx
  const { collection, parent, id } = parseRecordKey(key)
  const value = memory.row(key)?.value ?? derivedInstance(context.tx.memory, key)
  if (!value) return
  const place = collection === 'tasks' ? placeOf(placedTasks(memory, parent!), id) : undefined
  context.items.push({
    kind: 'deleted',
    key,
    collection,
    parent,
    id,
    value,
    ...(place && { place }),
    ...(dropped.length > 0 && { dropped: [...dropped] }),
  })
}

/** Entries on records inside one that was never sent. */
function contained(context: EditContext, key: string): OutboxEntry[] {
  const { memory } = context.tx
  const { collection, id } = parseRecordKey(key)
  const keys = new Set(childKeys(context, key))
  return memory.entries().filter((entry) => {
    if (keys.has(recordKey(entry.collection, entry.parent, entry.recordId))) return true
    if (collection === 'events')
      return entry.collection === 'events' && parseInstanceId(entry.recordId)?.masterId === id
    const inCalendar = collection === 'calendars' || collection === 'calendarList'
    return isLocalId(id) && (entry.parent === id || (inCalendar && entry.recordId === id))
  })
}

/** A calendar goes after what still waits inside it. */
function waitingInside(context: EditContext, key: string): string[] {
  const { collection, id } = parseRecordKey(key)
  if (collection !== 'calendars' && collection !== 'calendarList') return []
  return context.tx.memory
    .entries()
    .filter((entry) => entry.parent === id && entry.state !== 'needsYou')
    .map((entry) => entry.id)
}

function hidden(key: string, children: readonly string[]): Pick<OutboxEntry, 'shows'> {
  const { collection, id } = parseRecordKey(key)
  const keys = [...children]
  if (collection === 'calendars') keys.push(recordKey('calendarList', null, id))
  return keys.length > 0 ? { shows: keys.map((child) => ({ key: child, patch: null })) } : {}
}

/** Tasks that were to be placed after one that never will be take its place instead. */
function patchReferences(context: EditContext, id: string, value: JsonObject): void {
  if (!isLocalId(id)) return
  const above = context.items.find((item) => item.kind === 'deleted' && item.id === id)
  const previous = above?.kind === 'deleted' ? above.place?.previous : undefined
  const parent = typeof value.parent === 'string' ? value.parent : undefined
  for (const entry of context.tx.memory.entries()) {
    if (entry.place?.previous === id)
      context.tx.putEntry({ ...entry, place: { ...(parent && { parent }), ...(previous && { previous }) } })
    if (entry.action?.name === 'moveTask' && entry.action.previous === id) {
      context.tx.putEntry({ ...entry, action: { ...entry.action, previous } })
    }
  }
}
