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
  /** `before` and `after` have only the touched fields, null if absent, so that others' changes stay. */
  | {
      kind: 'fields'
      key: string
      before: JsonObject
      after: JsonObject
      /** Values that the author of a pending edit saw in fields that this edit set back to newer values of the service. */
      seen?: Record<string, Json>
      /** Label of the pending edit that absorbed this one. */
      label?: string
      /** Rows that the edit hid, which undo shows again, and rows that the edit showed again, which undo hides. */
      hides?: HiddenRow[]
      brought?: HiddenRow[]
    }
  /** `follows`: see `DeletedItem`. `within`: identifies the record's contents when its deletion was discarded. */
  | { kind: 'created'; key: string; follows?: string; within?: string }
  | DeletedItem
  /** `key` is the record's place after the action. Without `back`, it can't be undone once sent. */
  | { kind: 'acted'; key: string; back?: Action; entryId: string }
  /**
   * `entry` was in conflict. `sent` is the patch of its resolution, or null if the entry ended. `again`: undo resolves the
   * conflict again.
   */
  | { kind: 'resolved'; key: string; entry: OutboxEntry; choice: ConflictChoice; sent: JsonObject | null; again?: true }

export interface HiddenRow {
  key: string
  value: JsonObject
}

/** Maximum steps of each stack. */
export const undoDepth = 200
