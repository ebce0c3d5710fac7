import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Place } from '#shared/domain/task-order'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { Action, OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import { addEntry, closesCircle, dependencies, expectedBase, isOpen, ownEntries, withdrawEntry } from './pending'
import { closeRanks } from './placed'
import { shownByTask } from './shown'
import type { EditContext } from './context'
import type { Memory } from './memory'

type Shows = NonNullable<OutboxEntry['shows']>

/** Carries out an action on a record; returns the key where the record then is. */
export function act(context: EditContext, key: string, action: Action, content?: JsonObject): string {
  switch (action.name) {
    case 'moveEvent':
      return moveEvent(context, key, action)
    case 'moveTask':
      return moveTask(context, key, action)
    case 'importEvent': {
      add(context, key, action, [{ key, patch: content ?? {} }], { patch: content ?? {}, back: undefined })
      return key
    }
    case 'clearCompleted': {
      const { memory } = context.tx
      const list = parseRecordKey(key).id
      const done = memory.list('tasks', list).filter((row) => row.value!.status === 'completed' && !row.value!.hidden)
      add(
        context,
        key,
        action,
        done.map((row) => ({ key: row.key, patch: { hidden: true } })),
        { back: undefined },
      )
      return key
    }
    case 'clearCalendar':
    case 'transferOwnership':
      add(context, key, action, [], { back: undefined })
      return key
  }
}

function moveEvent(context: EditContext, key: string, action: Extract<Action, { name: 'moveEvent' }>): string {
  const { memory } = context.tx
  const { parent, id } = parseRecordKey(key)
  const value = visible(context, key)
  const target = recordKey('events', action.destination, id)
  if (target === key) return key
  const back: Action = { name: 'moveEvent', destination: parent! }
  const own = ownEntries(memory, key)
  const waitingMove = memory
    .entriesOf(key)
    .find((entry) => entry.action?.name === 'moveEvent' && entry.action.destination === parent && isOpen(entry))
  const inside = occurrencesOf(memory, key)
  if (own.length === 0 && waitingMove && inside.length === 0) {
    // It never left: one move replaces the other, or both are gone.
    if (waitingMove.parent === action.destination) withdrawEntry(context, waitingMove)
    else {
      const needed = dependencies(memory, key, [action.destination])
      context.tx.putEntry({
        ...waitingMove,
        action,
        dependsOn: [...waitingMove.dependsOn, ...needed.filter((id) => id !== waitingMove.id)],
        label: context.options.label,
        shows: movedShows(waitingMove, target, value),
      })
    }
    context.items.push({ kind: 'acted', key: target, back, entryId: waitingMove.id })
    return target
  }
  const only = own.length === 1 ? own[0]! : undefined
  if (only?.kind === 'create' && isOpen(only) && memory.entriesOf(key).length === 1) {
    context.tx.putEntry({ ...only, parent: action.destination, dependsOn: dependencies(memory, target, []) })
    context.items.push({ kind: 'acted', key: target, back, entryId: only.id })
    return target
  }
  const shows: Shows = [
    { key, patch: null },
    { key: target, patch: value },
  ]
  for (const child of memory.series.exceptionKeys(key)) {
    const exception = memory.row(child)
    if (!exception) continue
    shows.push({ key: child, patch: null })
    if (exception.value)
      shows.push({ key: recordKey('events', action.destination, exception.id), patch: exception.value })
  }
  add(context, key, action, shows, { back, target, after: inside.map((entry) => entry.id) })
  return target
}

/** Waiting entries of a series' occurrences: they name the calendar in which it is now. */
function occurrencesOf(memory: Memory, key: string): OutboxEntry[] {
  const { parent, id } = parseRecordKey(key)
  return memory.outbox
    .find('master', id)
    .filter((entry) => entry.collection === 'events' && entry.parent === parent && entry.state !== 'needsYou')
}

const movedShows = (move: OutboxEntry, target: string, value: JsonObject): Shows => [
  { key: recordKey('events', move.parent, move.recordId), patch: null },
  { key: target, patch: value },
]

function moveTask(context: EditContext, key: string, action: Extract<Action, { name: 'moveTask' }>): string {
  const { memory } = context.tx
  const { parent: list, id } = parseRecordKey(key)
  const value = visible(context, key)
  const tasks = memory.taskList(list!)
  const before = tasks.placeOf(id)
  const place: Place = {
    ...(action.parent && { parent: action.parent }),
    ...(action.previous && { previous: action.previous }),
  }
  const elsewhere = action.destination !== undefined && action.destination !== list
  if (!elsewhere) {
    if (before.parent === place.parent && before.previous === place.previous) return key
    const back: Action = { name: 'moveTask', ...before }
    closeRanks(context.tx, key, before, { list: list!, place })
    const shows = shownByTask(memory, key, place)
    const { destination: _destination, ...within } = action
    const own = ownEntries(memory, key)
    const last = own.at(-1)
    const create = own.length === 1 && last?.kind === 'create' && isOpen(last) ? last : undefined
    const move =
      last?.action?.name === 'moveTask' && last.action.destination === undefined && isOpen(last) ? last : undefined
    const dependsOn = dependencies(memory, key, [place.parent])
    // What waits for this entry cannot be waited for by it: then the new place is a step of its own, after both.
    const free = (entry: OutboxEntry): boolean => !closesCircle(memory, entry.id, dependsOn)
    if (create && free(create)) {
      context.tx.putEntry({ ...create, place, dependsOn, shows })
      context.items.push({ kind: 'acted', key, back, entryId: create.id })
    } else if (move && free(move)) {
      context.tx.putEntry({ ...move, action: within, label: context.options.label, dependsOn, shows })
      context.items.push({ kind: 'acted', key, back, entryId: move.id })
    } else add(context, key, within, shows, { back, references: [place.parent] })
    return key
  }
  closeRanks(context.tx, key, before, { list: action.destination!, place })
  const target = recordKey('tasks', action.destination!, id)
  const back: Action = { name: 'moveTask', destination: list!, ...before }
  const children = tasks.descendants(id)
  const family = [id, ...children]
  const creations = family.flatMap((member) => openCreation(memory, recordKey('tasks', list, member)) ?? [])
  if (creations.length === family.length) {
    // None of them was sent: they are made there from the start.
    for (const creation of creations) makeElsewhere(context, creation, action.destination!, place)
    context.items.push({ kind: 'acted', key: target, back, entryId: creations[0]!.id })
    return target
  }
  const position = memory.taskList(action.destination!).positionAt(place, id)
  const shows: Shows = [
    { key, patch: null },
    { key: target, patch: { ...withoutParent(value), ...(place.parent && { parent: place.parent }), position } },
  ]
  for (const child of children) {
    const row = memory.row(recordKey('tasks', list, child))!
    shows.push({ key: row.key, patch: null }, { key: recordKey('tasks', action.destination!, child), patch: row.value })
  }
  // What waits to leave it, or to be deleted, would be carried along.
  const after = family
    .flatMap((member) => memory.keysWithin(member))
    .flatMap((inside) => ownEntries(memory, inside))
    .sort(byId)
  add(context, key, action, shows, {
    back,
    target,
    references: [place.parent, action.destination],
    after: after.filter((entry) => entry.state !== 'needsYou').map((entry) => entry.id),
  })
  return target
}

/** The creation of a record that nothing else waits for and nothing of which can have reached the service. */
function openCreation(memory: Memory, key: string): OutboxEntry | undefined {
  const entries = memory.entriesOf(key)
  const [only] = entries
  return entries.length === 1 && only!.kind === 'create' && ownKey(only!) === key && isOpen(only!) ? only : undefined
}

/** A task that was never sent, in another list; `place` is that of the first of a family, the others keep theirs. */
function makeElsewhere(context: EditContext, creation: OutboxEntry, list: string, place: Place): void {
  const { memory } = context.tx
  const key = recordKey('tasks', list, creation.recordId)
  const shown = creation.shows?.find((one) => one.key === ownKey(creation))
  const into = creation.place?.parent
  const moved = into !== undefined && memory.taskList(list).has(into)
  const at = moved ? creation.place! : place
  const shows = moved && shown ? [{ key, patch: shown.patch }] : shownByTask(memory, key, at)
  const dependsOn = dependencies(memory, key, [at.parent]).filter((other) => other !== creation.id)
  context.tx.putEntry({ ...creation, parent: list, place: at, dependsOn, shows })
}

const byId = (a: OutboxEntry, b: OutboxEntry): number => (a.id < b.id ? -1 : 1)

const withoutParent = ({ parent: _parent, ...rest }: JsonObject): JsonObject => rest

function add(
  context: EditContext,
  key: string,
  action: Action,
  shows: Shows,
  more: {
    back: Action | undefined
    target?: string
    patch?: JsonObject
    references?: (string | undefined)[]
    /** Ids of entries that are to be sent before. */
    after?: readonly string[]
  },
): void {
  const { memory } = context.tx
  const { collection, parent, id } = parseRecordKey(key)
  const entry = addEntry(context, {
    collection,
    parent,
    recordId: id,
    kind: 'action',
    patch: more.patch ?? {},
    expected: expectedBase(memory, key, memory.entriesOf(key)),
    dependsOn: [
      ...new Set([
        ...(more.after ?? []),
        ...dependencies(memory, key, [
          ...(more.references ?? []),
          'destination' in action ? action.destination : undefined,
        ]),
      ]),
    ],
    extra: { action, ...(shows.length > 0 && { shows }) },
  })
  context.items.push({
    kind: 'acted',
    key: more.target ?? key,
    ...(more.back && { back: more.back }),
    entryId: entry.id,
  })
}

function visible(context: EditContext, key: string): JsonObject {
  const value = context.tx.memory.row(key)?.value
  if (!value) throw new FaultError({ code: 'notFound', message: 'This is no longer there' })
  return value
}
