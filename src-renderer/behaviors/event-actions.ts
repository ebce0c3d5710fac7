import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Action, OutboxEntry } from '#shared/mutation/entry'
import { addAction, visible } from '../replica/act'
import type { EditContext } from '../replica/context'
import type { ActionBehavior, Shows } from '../replica/collection-behavior'
import type { Memory } from '../replica/memory'
import { dependencies, isOpen, ownEntries, withdrawEntry } from '../replica/pending'

type MoveEvent = Extract<Action, { name: 'moveEvent' }>

export const moveEventBehavior: ActionBehavior<MoveEvent> = { run: moveEvent, places: true }

/** A private copy with its own iCalUID; the service names it. */
export const importEventBehavior: ActionBehavior = {
  creates: true,
  run: (context, key, action, content: JsonObject = {}) => {
    addAction(context, key, action, [{ key, patch: content }], { patch: content, back: undefined })
    return key
  },
}

function moveEvent(context: EditContext, key: string, action: MoveEvent): string {
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
  // What a pending action empties is emptied before the event arrives.
  const isEmptied = memory.outbox.any('empties', action.destination)
  if (own.length === 0 && waitingMove && inside.length === 0 && !isEmptied) {
    // The move wasn't sent. Replace it, or drop it if the event moves back.
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
  addAction(context, key, action, shows, { back, target, after: inside.map((entry) => entry.id) })
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
