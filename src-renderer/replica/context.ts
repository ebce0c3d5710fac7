import type { IdSource } from '#shared/mutation/ids'
import type { EditOptions } from './api'
import type { UndoItem } from './undo'
import type { Tx } from './tx'

/** Shared state of one edit. */
export interface EditContext {
  tx: Tx
  ids: IdSource
  now: () => number
  accountId: string
  group: string
  options: EditOptions
  /** Steps of the edit so far, for undo. */
  items: UndoItem[]
}
