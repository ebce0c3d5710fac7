import type { CollectionName } from '#shared/domain/collections'
import type { Cursor } from '#shared/ipc/cursor'
import type { Json } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { HistoryItem, Notice } from './api'
import type { Body, Dead, Head } from './blocks/block'
import type { Layouts } from './blocks/layouts'
import type { LiveBlock } from './blocks/shelf'
import type { StoredRow } from './stored-row'
import type { UndoStep } from './undo'

/**
 * Data of one account on disk. Every write is an atomic batch. Rows of windows are in blocks or, if changed since, in
 * `rows`. Readers see one consistent state.
 */
export type { StoredRow } from './stored-row'

export interface StoredCursor {
  /** `recordKey(collection, parent, id or '')` of the target. */
  key: string
  cursor: Cursor
  pulledAt: number
  /** Number of records in the last complete read. */
  records?: number
}

/** A stored value that couldn't be read. Its content stays available to the user. */
export interface Unreadable {
  id: string
  table: string
  text: string
  at: number
}

export interface Tables {
  rows: StoredRow
  outbox: OutboxEntry
  history: HistoryItem
  cursors: StoredCursor
  undo: UndoStep
  notices: Notice
  meta: { key: string; value: Json }
  unreadable: Unreadable
  /** Part of a block that memory needs. */
  heads: Head
  bodies: Body
  /** Superseded or deleted rows of this block. */
  dead: Dead
}
export type TableName = keyof Tables

/** The field that is a table's key. */
export const tableKeys: Readonly<Record<TableName, string>> = {
  rows: 'key',
  outbox: 'id',
  history: 'id',
  cursors: 'key',
  undo: 'id',
  notices: 'id',
  meta: 'key',
  unreadable: 'id',
  heads: 'key',
  bodies: 'key',
  dead: 'key',
}
export const tableNames = Object.keys(tableKeys) as TableName[]

/** Tables internal to a store. */
export type BlockTable = 'heads' | 'bodies' | 'dead'
export type PlainTable = Exclude<TableName, BlockTable>

type PutInto<N extends TableName> = { [T in N]: { table: T; put: Tables[T] } }[N]
/** `fresh`: one of many rows that arrive together, as in a full listing, which the store may put into a block. */
export type Write =
  | PutInto<PlainTable>
  | { table: 'rows'; put: StoredRow; fresh: true }
  | { table: PlainTable; remove: string }
export type RawWrite = Write | PutInto<BlockTable> | { table: BlockTable; remove: string }

/** The key of the item that a write puts or removes. */
export function writeKey(write: RawWrite): string {
  return 'remove' in write ? write.remove : (write.put as unknown as Record<string, string>)[tableKeys[write.table]]!
}

export interface ShelfName {
  collection: CollectionName
  parent: string | null
}

/** Rows of a window. Those in blocks come without their bodies. */
export interface WindowPart {
  rows: StoredRow[]
  blocks: LiveBlock[]
}

/** Rows that a write or a fold has moved on disk. */
export interface Moved {
  added: LiveBlock[]
  /** Keys of blocks. */
  dropped: string[]
  /** Rows that have left a block since the last notification. */
  dead: Dead[]
  /** Rows that are now in blocks, or still are, and the hashes of their content. */
  laid: { key: string; sum: number }[]
  /** Keys of deleted rows. */
  gone: string[]
}

export interface Store {
  /** Layouts of rows, which memory uses for their columns, too. */
  readonly layouts: Layouts
  /** @throws FaultError `storage` if the store is damaged or from a newer version */
  open(): Promise<void>
  /**
   * Writes everything or nothing.
   * @throws FaultError `storage`
   */
  write(batch: readonly Write[]): Promise<void>
  /** Every item of a table, by key. Not for `rows`. */
  all<N extends Exclude<PlainTable, 'rows'>>(table: N): Promise<unknown[]>
  get<N extends PlainTable>(table: N, keys: readonly string[]): Promise<(Tables[N] | undefined)[]>
  /** Rows of all collections that are completely in memory. */
  wholeRows(): Promise<StoredRow[]>
  /** Rows of windows that memory needs whole: recurring events and exceptions of all calendars. */
  neededRows(): Promise<StoredRow[]>
  /** Rows of windows by time: at least those that begin in [from, to). */
  windowAt(from: number, to: number): Promise<WindowPart>
  /** Collections and parents that have blocks. */
  shelfNames(): Promise<ShelfName[]>
  /** All blocks of one collection and parent. */
  blocksOf(shelf: ShelfName): Promise<readonly LiveBlock[]>
  /** At most `limit` separately stored rows of windows, with a key above `after`, by key. */
  looseRows(after: string, limit: number): Promise<StoredRow[]>
  /** Folds some changes into blocks. Returns true if there may be more to do. */
  fold(): Promise<boolean>
  /** Keys of rows of one collection and parent. */
  rowKeys(collection: CollectionName, parent: string | null): Promise<string[]>
  /** The newest items of history. */
  history(limit: number): Promise<HistoryItem[]>
  /** Called when blocks are added or removed. */
  onMoved(listener: (moved: Moved) => void): void
  /** Called when the system closes the store under us. */
  onLost(listener: () => void): void
  /** Called when the store was reopened and everything in it is gone. */
  onEmptied(listener: () => void): void
  close(): Promise<void>
  /** Deletes the account's data. `open` then starts empty. */
  destroy(): Promise<void>
}

/** Number of ended entries that distinguish a lost end from a lost entry. */
export const historyKept = 2_000

/** 1: everything in `rows`. 2: blocks in addition. Rows of version 1 stay valid and are folded later. */
export const schemaVersion = 2
