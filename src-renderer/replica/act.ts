import { parseRecordKey } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { Action } from '#shared/mutation/entry'
import type { EditContext } from './context'
import type { Shows } from './collection-behavior'
import { keyNow } from './moved-records'
import { addEntry, dependencies, expectedBase } from './pending'
import { askAboutStaying } from './reach'

/** Carries out an action on a record. Returns the record's key afterwards. */
export const act = (context: EditContext, key: string, action: Action, content?: JsonObject): string =>
  context.tx.memory.behaviors.action(action.name).run(context, key, action, content)

/** Queues an action. `back` is the action that undoes it. */
export function addAction(
  context: EditContext,
  key: string,
  action: Action,
  shows: Shows,
  more: {
    back: Action | undefined
    target?: string
    patch?: JsonObject
    references?: (string | undefined)[]
    /** IDs of entries to send first. */
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
  askAboutStaying(context.tx, entry)
  context.items.push({
    kind: 'acted',
    key: more.target ?? key,
    ...(more.back && { back: more.back }),
    entryId: entry.id,
  })
}

/** The visible state of a record to act on. @throws FaultError if it is gone */
export function visible(context: EditContext, key: string): JsonObject {
  const value = context.tx.memory.row(key)?.value
  if (!value) {
    const isMoved = keyNow(context.tx.memory, key) !== key
    const message = isMoved ? 'Someone moved this item' : 'This item no longer exists'
    throw new FaultError({ code: 'notFound', message })
  }
  return value
}
