import { isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import { addEntry, dependencies, derivedInstance, expectedBase, isOpen, ownEntries } from './pending'
import { closeRanks, takeOut } from './placed'
import type { EditContext } from './context'

/** Deletes a record here. What was never sent disappears together with all that lies in it, and nothing is sent. */
export function removeRecord(context: EditContext, key: string): string {
  const { memory } = context.tx
  const { collection, parent, id } = parseRecordKey(key)
  const row = memory.row(key)
  const derived = row ? null : derivedInstance(context.tx.memory, key)
  const value = row ? row.value : derived
  if (!value) return key
  const own = ownEntries(memory, key)
  const neverSent = wasNeverSent(own)
  // What lies in it only here, by a move that waits, would not be deleted along there.
  for (const child of childKeys(context, key)) {
    const moved = ownEntries(memory, child).some((entry) => entry.action !== undefined && isOpen(entry))
    if (memory.stored.has(child) && (neverSent || moved)) removeRecord(context, child)
  }
  const children = childKeys(context, key)
  // Taken back last first: parents come before what lies in them.
  for (const child of [...children].reverse()) remember(context, child, [])
  const open = lastOpen(own)
  const inside = neverSent ? contained(context, key) : neverSentOf(context, children)
  remember(context, key, neverSent ? [] : open)
  for (const entry of [...inside, ...open].reverse()) if (memory.outbox.has(entry.id)) takeOut(context, entry)
  if (neverSent) return key
  if (collection === 'tasks') closeRanks(context.tx, key, memory.taskList(parent!).placeOf(id), null)
  const known = children.filter((child) => memory.row(child))
  const left = memory.entriesOf(key)
  const expected = derived ? { base: derived, complete: false } : expectedBase(memory, key, left)
  addEntry(context, {
    collection,
    parent,
    recordId: id,
    kind: 'delete',
    patch: {},
    expected: { ...expected, base: expected.base ?? value },
    dependsOn: [...dependencies(memory, key, []), ...waitingInside(context, key, known)],
    extra: hidden(key, known),
  })
  return key
}

/** The entries at the end of a record's queue that can still be dropped. */
function lastOpen(own: readonly OutboxEntry[]): OutboxEntry[] {
  const firstOpen = own.length - [...own].reverse().findIndex((entry) => !isOpen(entry))
  return own.some((entry) => !isOpen(entry)) ? own.slice(firstOpen) : [...own]
}

const wasNeverSent = (own: readonly OutboxEntry[]): boolean => own[0]?.kind === 'create' && own.every(isOpen)

/** What was made here inside a record that is deleted now need not be made any more. */
const neverSentOf = (context: EditContext, children: readonly string[]): OutboxEntry[] =>
  children.flatMap((child) => {
    const own = ownEntries(context.tx.memory, child)
    return wasNeverSent(own) ? own : []
  })

/** Rows that the service deletes along: subtasks of a task, tasks of a list, exceptions of a series. */
function childKeys(context: EditContext, key: string): string[] {
  const { memory } = context.tx
  const { collection, parent, id } = parseRecordKey(key)
  if (collection === 'tasks') {
    return memory
      .taskList(parent!)
      .descendants(id)
      .map((task) => recordKey('tasks', parent, task))
  }
  if (collection === 'tasklists') {
    return memory
      .taskList(id)
      .all()
      .map((task) => recordKey('tasks', id, task))
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
  const place = collection === 'tasks' ? memory.taskList(parent!).placeOf(id) : undefined
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
  const { outbox } = memory
  const found = new Set(childKeys(context, key).flatMap((child) => ownEntries(memory, child)))
  const more = (entries: readonly OutboxEntry[]): void => entries.forEach((entry) => found.add(entry))
  if (collection === 'events') more(outbox.find('master', id).filter((entry) => entry.collection === 'events'))
  else if (isLocalId(id)) {
    more(outbox.findAny(['destination', id], ['parent', id]))
    if (collection === 'calendars' || collection === 'calendarList') more(outbox.find('record', id))
  }
  return [...found].sort(byId)
}

/**
 * A record goes after what still waits inside it, which would find nothing to be in; and after what is to leave it,
 * which the service would delete along.
 */
function waitingInside(context: EditContext, key: string, children: readonly string[]): string[] {
  const { memory } = context.tx
  const { id } = parseRecordKey(key)
  const inside = new Set([...children, ...memory.keysWithin(id)])
  const found = [...memory.outbox.find('parent', id), ...[...inside].flatMap((child) => ownEntries(memory, child))]
  return [...new Set(found)].sort(byId).flatMap((entry) => (entry.state !== 'needsYou' ? [entry.id] : []))
}

const byId = (a: OutboxEntry, b: OutboxEntry): number => (a.id < b.id ? -1 : 1)

function hidden(key: string, children: readonly string[]): Pick<OutboxEntry, 'shows'> {
  const { collection, id } = parseRecordKey(key)
  const keys = [...children]
  if (collection === 'calendars') keys.push(recordKey('calendarList', null, id))
  return keys.length > 0 ? { shows: keys.map((child) => ({ key: child, patch: null })) } : {}
}
