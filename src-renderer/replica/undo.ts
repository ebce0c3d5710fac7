import type { CollectionName } from '#shared/domain/collections'
import type { Change, EditOptions } from './api'
import type { JsonObject } from '#shared/json'
import type { Action, OutboxEntry } from '#shared/mutation/entry'

/** What one edit did, kept so that it can be taken back, also after a restart and after it was sent. */
export interface UndoStep {
  /** The group of the edit. */
  id: string
  stack: 'undo' | 'redo'
  label: string
  options: Pick<EditOptions, 'sendUpdates' | 'mails'>
  items: UndoItem[]
}

export type UndoItem =
  /** Only the touched fields, null where absent: what others changed meanwhile stays. */
  | { kind: 'fields'; key: string; before: JsonObject; after: JsonObject }
  | { kind: 'created'; key: string }
  | {
      kind: 'deleted'
      key: string
      collection: CollectionName
      parent: string | null
      id: string
      value: JsonObject
      place?: { parent?: string; previous?: string }
      /** Waiting entries that the deletion made needless; they come back with the record while it was not sent. */
      dropped?: OutboxEntry[]
    }
  /** `key` is where the record is after the action; no `back` means that it cannot be taken back once sent. */
  | { kind: 'acted'; key: string; back?: Action; entryId: string }

/** How many steps each stack keeps. */
export const undoDepth = 200

/** The changes that take a step back, last first. */
export function inverse(step: UndoStep): Change[] {
  const changes: Change[] = []
  for (const item of [...step.items].reverse()) {
    if (item.kind === 'fields') changes.push({ kind: 'change', key: item.key, patch: item.before })
    else if (item.kind === 'created') changes.push({ kind: 'delete', key: item.key })
    else if (item.kind === 'acted') {
      if (item.back) changes.push({ kind: 'action', key: item.key, action: item.back })
    } else {
      const { collection, parent, id, value, place } = item
      changes.push({ kind: 'create', collection, parent, id, value, ...(place && { place }) })
    }
  }
  return changes
}
