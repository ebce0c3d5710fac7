import type { Decision } from '#shared/mutation/decided'
import type { Action, MergeReceipt, Once, OutboxEntry, UnguardedWrite } from '#shared/mutation/entry'
import type { ItemFields } from '#shared/domain/calendar-item'
import type { CollectionName, RecordRef } from '#shared/domain/collections'
import type { Fault } from '#shared/fault'
import type { Facts } from '#shared/facts/facts'
import type { Condition } from '#shared/fields/condition'
import type { Json, JsonObject } from '#shared/json'
import type { Account } from '#shared/ipc/account-questions'
import type { ServiceName } from '#shared/wire/services'
import type { CheckStatus } from './check-result'

/** API of the replica for views: reads from memory, writes that show at once, and the actual sync state. */

/** Pending · Sending · Synced · Needs attention. */
export type Mark = 'local' | 'sending' | 'synced' | 'needsYou'

export interface Row extends RecordRef {
  key: string
  /** Visible state: the service's state with all pending edits on top. null: deleted or not there yet. */
  value: JsonObject | null
  /** Last state from the service. null: the service never had it. */
  base: JsonObject | null
  etag?: string
  complete: boolean
  mark: Mark
  /** Grows when a pull or an outcome changes what the row shows. Own edits don’t count. */
  remoteSeq: number
}

/**
 * An item to draw in a calendar. All-day items have UTC midnights of their dates, which must never be shifted by a
 * zone.
 */
export interface CalendarItem extends ItemFields {
  /** Unique on screen: the row's key, for an occurrence of a series with its suffix. */
  itemKey: string
  /** Key of the stored record: the event itself, the exception, or the series' master. */
  rowKey: string
  calendarId: string
  recurring: boolean
  mark: Mark
}

/** An edit of one place in a record, such as a cell or a field: a new value, or one list entry added or removed. */
export type PlaceEdit = { path: string } & ({ value: Json } | { add: Json } | { remove: Json })

/** What the author of an edit saw. */
export interface Upon {
  /** `remoteSeq` of the row. The author's own changes since count as seen. Without it, no change counts as seen. */
  seq?: number | undefined
  /** The record, or only the values of places by path. A place in neither is edited whatever its value. */
  record?: JsonObject
  values?: Readonly<Record<string, Json>>
}

/** A place that an edit left unchanged. */
export interface LeftPlace {
  key: string
  path: string
  /** The current value, which the author hasn’t seen. */
  now: Json | undefined
  /** The record no longer exists. */
  gone?: true
}

/** A place in the order of edits: see `inTurn`. */
export interface EditTurn {
  /** Lets later edits start. */
  readonly end: () => void
}

/** A deleted record, as undo and the list of deleted records remember it. */
export interface DeletedItem extends RecordRef {
  kind: 'deleted'
  key: string
  value: JsonObject
  place?: { parent?: string; previous?: string }
  /** Pending entries that the deletion made obsolete. Undo restores them if the record was never sent, or its creation was in conflict. */
  dropped?: OutboxEntry[]
  /** Label of the record's creation, if the deletion discarded that: see `wasDiscarded`. */
  label?: string
  /** Key of a record whose change in the same step is sent before this one is created, such as the first half of a split series. */
  follows?: string
  /** True if the record, or its parent, was created again since, so that the service can't restore it. */
  again?: true
}

/** A record that can be restored, with what it contained. */
export interface Deleted {
  key: string
  /** Epoch milliseconds. */
  at: number
  /** True if another computer, app, or person deleted it. */
  elsewhere: boolean
  /** Time of the deletion according to the service, in RFC 3339. */
  goneAt?: string
  /** ID of the undo step that deleted the record here. Absent in records of older versions. */
  step?: string
  /** True if the parent was created again, so that the service can't restore the record. */
  again?: true
  /** The record, after everything it contained. */
  items: readonly DeletedItem[]
}

/** An edit of one record. Patches contain only changed fields. Null clears a field. */
export type Change =
  | {
      kind: 'create'
      collection: CollectionName
      parent: string | null
      id?: string
      value: JsonObject
      place?: { parent?: string; previous?: string }
      /** Identifies a record that another computer may have created instead, to use that one. */
      once?: Once
      /** Key of a record whose changes must be confirmed first, such as the other half of a split series. */
      after?: string
    }
  /**
   * `hides`: rows that disappear with this change, such as exceptions of a series that moved. `upon`: what the author saw. A
   * field that someone else has changed since is merged as if the edit had come first.
   */
  | { kind: 'change'; key: string; patch: JsonObject; hides?: string[]; upon?: Upon | undefined }
  /** Edits of places, rebased on the current record. Skips edits that would replace an unseen change. */
  | { kind: 'places'; key: string; edits: readonly PlaceEdit[]; upon: Upon }
  /** `upon`: what the author saw. If someone else has changed a field since, the deletion becomes a conflict. */
  | { kind: 'delete'; key: string; upon?: Upon | undefined }
  /** Restores a record of `deleted()`. */
  | { kind: 'restore'; key: string }
  /**
   * Reverts an earlier edit like undo: its fields that still have the edit's values, or the creation of a record with the
   * fields `created`, which becomes a conflict if the record has changed since or something was added to it.
   */
  | { kind: 'revert'; key: string; fields: { before: JsonObject; after: JsonObject } }
  | { kind: 'revert'; key: string; created: JsonObject }
  | { kind: 'action'; key: string; action: Action; value?: JsonObject }

export interface EditOptions {
  /** One line of text: "Move *Stand-up* to Tue 14:00". */
  label: string
  sendUpdates?: 'all' | 'externalOnly' | 'none'
  /** Number of people it emails. */
  mails?: number
  /** Called once the edit is in memory, before it is saved. */
  onheld?: (() => void) | undefined
  /** The edit's place in the order of edits, if reserved. */
  turn?: EditTurn
}

/** Progress and cancellation of long work. */
export interface Work {
  signal?: AbortSignal | undefined
  onprogress?: ((done: number, of: number) => void) | undefined
}

export interface Edited {
  group: string
  /** Keys of the records, one for each change. */
  keys: string[]
  left: LeftPlace[]
}

/** One finished entry of the outbox, newest first in `history`. */
export interface HistoryItem {
  id: string
  entry: OutboxEntry
  how: 'confirmed' | 'merged' | 'withdrawn'
  at: number
  receipt?: MergeReceipt
  /** Present if the write had no If-Match, so that only the change log can show a lost update. */
  unguarded?: UnguardedWrite
}

export type SyncPhase =
  | 'starting'
  | 'firstSync'
  | 'idle'
  | 'pulling'
  | 'pushing'
  | 'paused'
  | 'offline'
  | 'waiting'
  | 'signIn'

/** First sync and long refills: done of total collections, and records so far. */
export interface SyncProgress {
  done: number
  total: number
  records: number
}

/** A list of records that could not be read the last time, and why. */
export interface UnreadList {
  collection: CollectionName
  parent: string | null
  fault: Fault
}

/** State of one service of the account, which syncs independently. */
export interface LaneStatus {
  service: ServiceName
  phase: SyncPhase
  /** The last fault, while it's relevant. */
  fault?: Fault
  /** Epoch milliseconds of the next try while waiting. */
  nextTry?: number
  progress?: SyncProgress
  /** Epoch milliseconds of the last time that all of it was read; null before the first. */
  lastPull: number | null
  /** Lists that couldn't be read while the others could. Absent if there are none. */
  unread?: readonly UnreadList[]
  /** The running sync check and the result of the last one. Absent if there was none. */
  check?: CheckStatus
  /** Number of unconfirmed entries, and of those that need attention. */
  unsent: number
  needsYou: number
  /** Entries that wait until they are posted; `unsent` counts them, too. */
  drafts: number
}

/** Status of all services together. */
export interface SyncStatus {
  phase: SyncPhase
  offline: boolean
  paused: boolean
  /**
   * Number of unconfirmed entries, of those that need attention, and of those from a newer version that this one
   * doesn't understand.
   */
  unsent: number
  needsYou: number
  notUnderstood: number
  /** Number of unposted drafts. */
  drafts: number
  /** Epoch milliseconds since when everything is up to date: the oldest pull of all services. Null before the first. */
  lastPull: number | null
  /** Epoch milliseconds of the next try while waiting. */
  nextTry?: number
  fault?: Fault
  progress?: SyncProgress
  /** Lanes of all services with something to sync. */
  lanes: readonly LaneStatus[]
  /** Quota units used in the last minute. */
  unitsLastMinute: number
}

/**
 * A selection of a service's records to download: everything in a place, such as a profile, or what belongs to one of
 * its records.
 */
export interface DownloadChoice {
  /** ID of its parent, such as a profile's. */
  parent: string
  /** `all`, `index` for only the records to choose from, or the advertiser or campaign whose records to download. */
  what: 'all' | 'index' | { collection: CollectionName; id: string }
}

/** State of one kind of record of a download. */
export interface DownloadPart {
  collection: CollectionName
  state: 'waiting' | 'reading' | 'ready' | 'failed'
  /** Number of records read by the last or the running check. */
  records: number
  /** Epoch milliseconds of the oldest complete read of all lists. Null before the first. */
  readAt: number | null
  fault?: Fault
}

export interface ChosenDownload extends DownloadChoice {
  key: string
  paused: boolean
}

export interface DownloadProgress {
  state: DownloadPart['state']
  /** One for each kind of record, in the order of reading. */
  parts: readonly DownloadPart[]
  /** Progress of the running check, from 0 to 1, if known. */
  share: number
  /** Estimated remaining milliseconds. Absent if unknown. */
  left?: number
  /** Epoch milliseconds since when all of it has been read; null before. */
  readAt: number | null
}

export interface DownloadStatus extends ChosenDownload, Omit<DownloadProgress, 'state'> {
  state: DownloadProgress['state'] | 'paused'
}

/** Computes a column of a row from its cells, by path. */
export type Computed = (cell: (path: string) => Json | undefined, key: string) => Json | undefined

export type { Condition }

export interface TableQuery {
  /** Parent of the rows, such as a profile. Absent: all. */
  parent?: string
  /** Additional columns: other paths of records that memory has completely, and computed ones. */
  columns?: readonly string[]
  computed?: Readonly<Record<string, Computed>>
  /** Words that a row must contain in any of its columns, ignoring case. */
  words?: string
  /** Columns with IDs of other records, whose names are searched for the words as well. */
  named?: readonly string[]
  /** Rows whose cell, as text, is one of these values. An empty cell counts as an empty text. */
  only?: Readonly<Record<string, readonly string[]>>
  /** All conditions must hold. */
  where?: readonly Condition[]
  /** Only rows in one of these states. */
  marks?: readonly Mark[]
  sort?: { column: string; down: boolean }
}

/** A snapshot of a collection's rows, for a grid. */
export interface TableRows {
  /** Paths of fields as requested, or as in the facts of the collection. */
  readonly columns: readonly string[]
  readonly length: number
  /** Number of rows without filters. */
  readonly total: number
  key(row: number): string
  cell(row: number, column: number): Json | undefined
  /** Reader of a row's current cells, by column. */
  cells(row: number): (column: number) => Json | undefined
  mark(row: number): Mark
  /** True if its record still exists. */
  isThere(row: number): boolean
  /** Row of a record. -1 if not found. */
  find(key: string): number
}

/** A campaign record found by a search. */
export interface FoundRecord {
  key: string
  /** Empty without a name. */
  name: string
  archived: boolean
  /** Key of the closest record that it belongs to, such as its campaign. */
  within?: string
}

/** An alert shown once: recovery from a lost database, damaged journal lines, a full disk. */
export interface Notice {
  id: string
  level: 'info' | 'warning' | 'error'
  title: string
  /** What happened, what's safe, and what to do. */
  text: string
  at: number
}

/** Decision about a conflict: one per field. `keep` decides delete against edit. */
export interface ConflictChoice {
  fields?: Record<string, Decision>
  keep?: 'mine' | 'theirs'
}

/** A conflict as people saw it, and their decision. */
export interface SeenConflict {
  entry: OutboxEntry
  choice: ConflictChoice
}

/** Result of resolving conflicts together. */
export interface Resolution {
  /** ID of the undo step. */
  group: string
  /** IDs of entries that were skipped, because they changed or ended. */
  left: readonly string[]
}

/** Expected result of posting drafts now, as far as this computer knows. */
export interface Rehearsal {
  /** Entries that weren't accepted, by ID: they need attention, or wait for one that does. */
  left: ReadonlyMap<string, OutboxEntry>
  /** IDs of entries that couldn't be tried, because they, or an entry they wait for, refer to a record that isn't on this computer. */
  untried: ReadonlySet<string>
}

export type Topic = CollectionName | 'outbox' | 'history' | 'deleted' | 'status' | 'notices' | 'undo' | 'downloads'

/** Collections of which memory has every row. */
export type ListedCollection = Exclude<CollectionName, 'events'>

export interface Replica {
  readonly account: Account
  /** Rows of a collection (all parents, or one), from memory. Events: only via `items` and `read`. */
  rows(collection: ListedCollection, parent?: string): readonly Row[]
  /** Reads from memory, without loading the record. */
  peek(key: string): Row | undefined
  /** A field that is in memory even if the record's body is only on disk, such as a name. Undefined if it isn't in memory. */
  peekField(key: string, path: string): Json | undefined
  /** `remoteSeq` of any row, in memory or not. */
  remoteSeq(key: string): number
  /** Returns the record's current key. A new record gets another key when it is sent. */
  realKey(key: string): string
  /** Returns a record's first key since this start, which stays the same when a new record gets its ID. */
  firstKey(key: string): string
  /** The full row, from memory or the store. For an occurrence key of a series use `readItem`. */
  read(key: string): Promise<Row | undefined>
  /** Full rows by requested keys, as far as they exist, in one read of the store. */
  readAll(keys: readonly string[]): Promise<Map<string, Row>>
  /** The event to edit for an item. Derives an unchanged occurrence from its master, with its own start and end. */
  readItem(
    item: Pick<CalendarItem, 'rowKey' | 'eventId' | 'originalStart'>,
  ): Promise<{ row: Row; event: JsonObject; master?: Row } | undefined>
  /** Exceptions of a series, including canceled ones (value null), for edits with a scope. */
  exceptions(masterKey: string): readonly Row[]
  /** Keys of every event of a calendar: single ones, series, changed and canceled occurrences. */
  eventKeys(calendarId: string): string[]
  /** A new event ID, for records that refer to each other within one edit. */
  newEventId(): string
  /** A local ID for a record whose ID the service assigns, so that records within one edit can refer to each other. */
  newLocalId(): string
  /** Items that overlap [from, to) in epoch ms (all-day by their UTC-midnight dates), sorted by start; synchronous, from memory. */
  items(from: number, to: number, options?: { calendars?: ReadonlySet<string>; zone?: string }): readonly CalendarItem[]
  /** Searches events by title, place, and description, best first: see `domain/search`. Returns a series' nearest occurrence. */
  search(text: string, limit?: number): Promise<readonly CalendarItem[]>

  /**
   * Applies an edit as one undo step. Shows it at once. When the promise resolves, the edit is saved with its outbox
   * entries and in the journal.
   * @throws FaultError `storage`, or the signal's reason with nothing changed
   */
  edit(changes: readonly Change[], options: EditOptions, work?: Work): Promise<Edited>
  /**
   * Runs work after earlier edits are in memory, and before later ones. Pass its turn to the edit in it. The turn ends once
   * that edit is in memory, or when the work ends.
   */
  inTurn<T>(work: (turn: EditTurn) => Promise<T>): Promise<T>
  /**
   * Undoes the last step.
   * @param only ID of the intended step (`Edited.group`)
   * @returns the label of the undone step, or null
   * @throws FaultError `conflict` if another step follows it, `storage`
   */
  undo(only?: string, work?: Work): Promise<string | null>
  redo(work?: Work): Promise<string | null>
  /** Labels of the next undo and redo, or null. */
  readonly undoable: { undo: string | null; redo: string | null }
  /** IDs of the steps that can be undone, newest first. */
  readonly undoSteps: readonly string[]

  /** Records deleted in the last 30 days that can be restored, newest first. */
  deleted(): readonly Deleted[]
  outbox(): readonly OutboxEntry[]
  history(limit?: number): Promise<readonly HistoryItem[]>
  /** Discards an entry with its dependents. Entries that only refer to it stay, without the reference. @throws FaultError while it's being sent */
  withdraw(entryId: string): Promise<void>
  /** Posts drafts with those they depend on, or all drafts. Returns their number. */
  post(entryIds?: readonly string[]): Promise<number>
  /** Sends rejected or delayed entries again. */
  retry(...entryIds: string[]): Promise<void>
  /**
   * Resolves a conflict with a decision per field. `keep` decides between a deletion and an edit. Returns the ID of the undo
   * step, or null if it can't be undone.
   */
  resolve(entryId: string, choice: ConflictChoice, options?: EditOptions): Promise<string | null>
  /**
   * Resolves conflicts about fields as one undo step. Skips conflicts that changed or ended since they were shown.
   * @throws FaultError `storage`, or the signal's reason with nothing changed
   */
  resolveAll(conflicts: readonly SeenConflict[], options: EditOptions, work?: Work): Promise<Resolution>

  /** Facts about the account's collections, in its services' versions. */
  readonly facts: Facts
  /**
   * Rows of any collection, filtered and sorted in slices that don't block frames.
   * @throws the signal's reason
   */
  table(collection: CollectionName, query?: TableQuery, signal?: AbortSignal): Promise<TableRows>
  /** Finds campaign records by ID, or by words of their names in any order, best first. @throws the reason of an aborted signal */
  findRecords(text: string, limit: number, signal?: AbortSignal): Promise<readonly FoundRecord[]>

  downloads(): readonly DownloadStatus[]
  /** Downloads without progress, which requires summing up thousands of lists for a whole profile. */
  chosenDownloads(): readonly ChosenDownload[]
  /** Progress of several downloads as one. A list that several need counts once. */
  downloadProgress(choices: readonly DownloadChoice[]): DownloadProgress
  /** Minimum number of calls that downloads would take. */
  leastDownloadCalls(choices: readonly DownloadChoice[]): number
  /** Starts a download. Returns its key. */
  download(choice: DownloadChoice): Promise<string>
  pauseDownload(key: string, paused: boolean): Promise<void>
  /**
   * Removes a download, except for records with pending changes. Returns true if everything is deleted. Otherwise, the rest
   * is deleted once the disk allows.
   * @throws FaultError `storage`, with nothing changed
   */
  removeDownload(key: string): Promise<boolean>
  /** Reads everything again. */
  refreshDownload(key: string): void

  readonly status: SyncStatus
  notices(): readonly Notice[]
  dismiss(noticeId: string): void
  /** Syncs all services or one. */
  syncNow(service?: ServiceName): void
  /** Compares local lists with those of all services or of one, and repairs differences. `status` has counts and results. */
  checkSync(service?: ServiceName): void
  cancelCheck(service?: ServiceName): void
  pause(paused: boolean): void
  setOffline(offline: boolean): Promise<void>

  /**
   * Calls the listener after changes of any topic. Returns a function that unsubscribes. The caller batches changes to
   * at most once per frame.
   */
  subscribe(listener: (topics: ReadonlySet<Topic>) => void): () => void
  /** Stops the loop and closes the store; waits for running transactions. */
  close(): Promise<void>
}
