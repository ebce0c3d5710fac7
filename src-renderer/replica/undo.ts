import type { CollectionName } from '#shared/domain/collections'
import type { EditOptions } from './api'
import type { JsonObject } from '#shared/json'
import type { Action, OutboxEntry } from '#shared/mutation/entry'

/** What one edit did, kept so that it can be taken back, also after a restart and after it was sent. */
export interface UndoStep {
  /** The group of the edit; of a further part of it see `partId`. */
  id: string
  /** Of a further part of an edit of very many changes: the id of its first one. */
  of?: string
  stack: 'undo' | 'redo'
  label: string
  options: Pick<EditOptions, 'sendUpdates' | 'mails'>
  items: UndoItem[]
}

export type UndoItem =
  /** Only the touched fields, null where absent: what others changed meanwhile stays. */
  | {
      kind: 'fields'
      key: string
      before: JsonObject
      after: JsonObject
      /** The label of the waiting edit that took this one in. */
      label?: string
    }
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
      /** The label of its creation, where that was never sent. */
      label?: string
    }
  /** `key` is where the record is after the action; no `back` means that it cannot be taken back once sent. */
  | { kind: 'acted'; key: string; back?: Action; entryId: string }

/** How many steps each stack keeps. */
export const undoDepth = 200
