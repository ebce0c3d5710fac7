import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Place } from '#shared/domain/task-order'
import type { JsonObject } from '#shared/json'
import type { Action, OutboxEntry } from '#shared/mutation/entry'
import { fold, ownKey } from '#shared/mutation/fold'
import { addAction, visible } from '../replica/act'
import type { EditContext } from '../replica/context'
import type { ActionBehavior, Shows } from '../replica/collection-behavior'
import type { Memory } from '../replica/memory'
import { closesCircle, dependencies, isOpen, ownEntries, renewed } from '../replica/pending'
import { tasksOf } from './task-list'
import { shownByTask } from './task-places'
import { relinkMoves } from './task-ranks'

type MoveTask = Extract<Action, { name: 'moveTask' }>

export const moveTaskBehavior: ActionBehavior<MoveTask> = {
  run: moveTask,
  places: true,
  touches: ['parent'],
  // Within its list, a move doesn't interact with field changes.
  commutes: ({ destination }) => destination === undefined,
  backNow: (memory, key, back) => {
    const list = back.destination ?? parseRecordKey(key).parent
    const there = (id: string | undefined): boolean => !!id && !!memory.row(recordKey('tasks', list, id))?.value
    const { parent, previous, ...rest } = back
    return { ...rest, ...(there(parent) && { parent }), ...(there(previous) && { previous }) }
  },
}

const hidden = { hidden: true }
const isCleared = (task: JsonObject | null): boolean => task?.status === 'completed' && !task.hidden

/** Hides all completed tasks of a list. */
export const clearCompletedBehavior: ActionBehavior = {
  run: (context, key, action) => {
    const tasks = context.tx.memory.list('tasks', parseRecordKey(key).id)
    const done = tasks.filter((row) => isCleared(row.value))
    const shows = done.map((row) => ({ key: row.key, patch: hidden }))
    addAction(context, key, action, shows, { back: undefined })
    return key
  },
  reach: {
    lies: 'inside',
    has: ({ memory, entry, record: { collection, parent, id, value } }) => {
      const key = recordKey(collection, parent, id)
      const before = ownEntries(memory, key).filter((own) => own.id < entry.id)
      // Own changes may go first, and may fail.
      return [value, fold(key, value, before)].some(isCleared)
    },
    leaves: hidden,
    leavesIn: isCleared,
  },
}

function moveTask(context: EditContext, key: string, action: MoveTask): string {
  const { memory } = context.tx
  const { parent: list, id } = parseRecordKey(key)
  const value = visible(context, key)
  const tasks = tasksOf(memory, list!)
  const before = tasks.placeOf(id)
  const place: Place = {
    ...(action.parent && { parent: action.parent }),
    ...(action.previous && { previous: action.previous }),
  }
  const elsewhere = action.destination !== undefined && action.destination !== list
  if (!elsewhere) {
    if (before.parent === place.parent && before.previous === place.previous) return key
    const back: Action = { name: 'moveTask', ...before }
    relinkMoves(context.tx, key, before, { list: list!, place })
    const shows = shownByTask(memory, key, place)
    const { destination: _destination, ...within } = action
    const own = ownEntries(memory, key)
    const last = own.at(-1)
    const create = own.length === 1 && last?.kind === 'create' && isOpen(last) ? last : undefined
    const move =
      last?.action?.name === 'moveTask' && last.action.destination === undefined && isOpen(last) ? last : undefined
    const dependsOn = dependencies(memory, key, [place.parent])
    // If something waits for this entry, it can't wait for it in turn: the new place becomes a separate step after both.
    const free = (entry: OutboxEntry): boolean => !closesCircle(memory, entry.id, dependsOn)
    if (create && free(create)) {
      context.tx.putEntry({ ...again(create), place, dependsOn, shows })
      context.items.push({ kind: 'acted', key, back, entryId: create.id })
    } else if (move && free(move)) {
      context.tx.putEntry({ ...move, action: within, label: context.options.label, dependsOn, shows })
      context.items.push({ kind: 'acted', key, back, entryId: move.id })
    } else addAction(context, key, within, shows, { back, references: [place.parent] })
    return key
  }
  relinkMoves(context.tx, key, before, { list: action.destination!, place })
  const target = recordKey('tasks', action.destination!, id)
  const back: Action = { name: 'moveTask', destination: list!, ...before }
  const children = tasks.descendants(id)
  const family = [id, ...children]
  const creations = family.flatMap((member) => openCreation(memory, recordKey('tasks', list, member)) ?? [])
  if (creations.length === family.length) {
    // None were sent, so create them in the destination list instead.
    for (const creation of creations) makeElsewhere(context, creation, action.destination!, place)
    context.items.push({ kind: 'acted', key: target, back, entryId: creations[0]!.id })
    return target
  }
  const position = tasksOf(memory, action.destination!).positionAt(place, id)
  const shows: Shows = [
    { key, patch: null },
    { key: target, patch: { ...withoutParent(value), ...(place.parent && { parent: place.parent }), position } },
  ]
  for (const child of children) {
    const row = memory.row(recordKey('tasks', list, child))!
    shows.push({ key: row.key, patch: null }, { key: recordKey('tasks', action.destination!, child), patch: row.value })
  }
  // Exclude tasks about to be moved or deleted, which would otherwise move along.
  const after = family
    .flatMap((member) => memory.keysWithin(member))
    .flatMap((inside) => ownEntries(memory, inside))
    .sort(byId)
  addAction(context, key, action, shows, {
    back,
    target,
    references: [place.parent, action.destination],
    after: after.filter((entry) => entry.state !== 'needsYou').map((entry) => entry.id),
  })
  return target
}

/** The pending creation of a record, if nothing else depends on it and none of it can have reached the service. */
function openCreation(memory: Memory, key: string): OutboxEntry | undefined {
  const entries = memory.entriesOf(key)
  const [only] = entries
  if (entries.length !== 1 || only!.kind !== 'create' || ownKey(only!) !== key) return undefined
  return isOpen(only!) || endedWithList(memory, only!) ? only : undefined
}

/** True if what an attempt may have created is gone together with its list. */
function endedWithList(memory: Memory, { state, fault, parent, candidates = [], twins = [] }: OutboxEntry): boolean {
  if (state !== 'needsYou' || fault?.code !== 'notFound' || memory.row(recordKey('tasklists', null, parent!)))
    return false
  return candidates.every((key) => twins.includes(parseRecordKey(key).id))
}

/** A rejected creation is sent again from its new place. A question about it stays. */
const again = (creation: OutboxEntry): OutboxEntry => (creation.conflict ? creation : renewed(creation))

/**
 * Creates an unsent task in another list instead. `place` applies to the first task of a family. The others keep
 * theirs.
 */
function makeElsewhere(context: EditContext, creation: OutboxEntry, list: string, place: Place): void {
  const { memory } = context.tx
  const key = recordKey('tasks', list, creation.recordId)
  const shown = creation.shows?.find((one) => one.key === ownKey(creation))
  const into = creation.place?.parent
  const moved = into !== undefined && tasksOf(memory, list).has(into)
  const at = moved ? creation.place! : place
  const shows = moved && shown ? [{ key, patch: shown.patch }] : shownByTask(memory, key, at)
  const dependsOn = dependencies(memory, key, [at.parent]).filter((other) => other !== creation.id)
  context.tx.putEntry({ ...again(creation), unknownOutcome: false, parent: list, place: at, dependsOn, shows })
}

const byId = (a: OutboxEntry, b: OutboxEntry): number => (a.id < b.id ? -1 : 1)

const withoutParent = ({ parent: _parent, ...rest }: JsonObject): JsonObject => rest
