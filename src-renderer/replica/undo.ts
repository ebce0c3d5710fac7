import type { ConflictChoice, DeletedItem, EditOptions } from './api'
import type { Json, JsonObject } from '#shared/json'
import type { Action, OutboxEntry } from '#shared/mutation/entry'

/** Effects of one edit, stored so that it can be undone after a restart and after it was sent. */
export interface UndoStep {
  /** Group of the edit. For further parts see `partId`. */
  id: string
  /** For further parts of a bulk edit: the ID of its first one. */
  of?: string
  stack: 'undo' | 'redo'
  label: string
  options: Pick<EditOptions, 'sendUpdates' | 'mails'>
  items: UndoItem[]
}

export type UndoItem =
  /** Only the touched fields, null if absent, so that others' changes stay. */
  | {
      kind: 'fields'
      key: string
      before: JsonObject
      after: JsonObject
      /** What the author of a pending edit had seen in fields that this one set back to newer values of the service. */
      seen?: Record<string, Json>
      /** The label of the waiting edit that took this one in. */
      label?: string
      /** Rows that the edit hid, which undoing it brings back, and those that it brought back, which that hides, as they were. */
      hides?: HiddenRow[]
      brought?: HiddenRow[]
    }
  /** `follows`: as for a deleted one. `within`: what it contained, if its deletion was withdrawn. */
  | { kind: 'created'; key: string; follows?: string; within?: string }
  | DeletedItem
  /** `key` is the record's place after the action. Without `back`, it can't be undone once sent. */
  | { kind: 'acted'; key: string; back?: Action; entryId: string }
  /**
   * `entry` was in conflict. `sent` is the patch that it was resolved to, or null if it ended. `again`: undoing this resolves
   * it again.
   */
  | { kind: 'resolved'; key: string; entry: OutboxEntry; choice: ConflictChoice; sent: JsonObject | null; again?: true }

export interface HiddenRow {
  key: string
  value: JsonObject
}

/** Maximum steps of each stack. */
export const undoDepth = 200
