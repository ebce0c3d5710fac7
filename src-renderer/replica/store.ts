import type { CollectionName } from '#shared/domain/collections'
import type { Cursor } from '#shared/ipc/contract'
import type { Json, JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { HistoryItem, Notice } from './api'
import type { UndoStep } from './undo'

/**
 * What lies on disk for one account. Rows hold only the service's word: what the person sees is derived from it and
 * the outbox. Every write is one batch that is stored whole or not at all.
 */
export interface StoredRow {
  key: string
  collection: CollectionName
  parent: string | null
  id: string
  base: JsonObject
  etag?: string
  complete: boolean
  /** Single events: start in epoch milliseconds, for reading the visible range first. */
  at?: number
  /** Recurring events and their exceptions, which are needed to expand. */
  series?: 1
}

export interface StoredCursor {
  /** `recordKey(collection, parent, id or '')` of what is pulled. */
  key: string
  cursor: Cursor
  pulledAt: number
}

/** A stored thing that could not be read back; its content is kept for the person. */
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
}
export const tableNames = Object.keys(tableKeys) as TableName[]

export type Put = { [N in TableName]: { table: N; put: Tables[N] } }[TableName]
export type Write = Put | { table: TableName; remove: string }

/** The key of the item that a write puts or removes. */
export function writeKey(write: Write): string {
  return 'remove' in write ? write.remove : (write.put as unknown as Record<string, string>)[tableKeys[write.table]]!
}

export interface Store {
  /** @throws FaultError `storage` when it is damaged or from a newer version. */
  open(): Promise<void>
  /** All of it or nothing. @throws FaultError `storage` */
  write(batch: readonly Write[]): Promise<void>
  /** Every item of a table, by key. Not for `rows`. */
  all<N extends Exclude<TableName, 'rows'>>(table: N): Promise<unknown[]>
  get<N extends TableName>(table: N, keys: readonly string[]): Promise<(Tables[N] | undefined)[]>
  /** Rows of all collections but events. */
  smallRows(): Promise<StoredRow[]>
  /** Recurring events and exceptions of all calendars. */
  seriesRows(): Promise<StoredRow[]>
  /** Single events that start in [from, to). */
  eventsAt(from: number, to: number): Promise<StoredRow[]>
  /** At most `limit` event rows with a key above `after`, by key. */
  eventsAfter(after: string, limit: number): Promise<StoredRow[]>
  /** Keys of rows of one collection and parent. */
  rowKeys(collection: CollectionName, parent: string | null): Promise<string[]>
  /** The newest items of history. */
  history(limit: number): Promise<HistoryItem[]>
  /** Called when the system closes the store under us. */
  onLost(listener: () => void): void
  close(): Promise<void>
  /** Removes everything of this account; `open` then starts empty. */
  destroy(): Promise<void>
}

/** How many finished entries tell a lost end from a lost entry. */
export const historyKept = 2_000

export const schemaVersion = 1
