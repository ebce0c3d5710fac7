import type { IdSource } from '#shared/mutation/ids'
import type { EditOptions } from './api'
import type { UndoItem } from './undo'
import type { Tx } from './tx'

/** What every part of one edit shares. */
export interface EditContext {
  tx: Tx
  ids: IdSource
  now: () => number
  accountId: string
  group: string
  options: EditOptions
  /** What the edit did so far, for taking it back. */
  items: UndoItem[]
}
