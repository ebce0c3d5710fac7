import type { Action, MergeReceipt, OutboxEntry, UnguardedWrite } from '#shared/mutation/entry'
import type { CollectionName } from '#shared/domain/collections'
import type { Fault } from '#shared/fault'
import type { Facts } from '#shared/facts/facts'
import type { Json, JsonObject } from '#shared/json'
import type { Account } from '#shared/ipc/account-questions'
import type { ServiceName } from '#shared/wire/services'
import type { CheckStatus } from './check-result'

/** The views' API of the replica: reads from memory, writes that show at once, and the real sync state. */

/** On this computer · Sending · On the server · Needs you. */
export type Mark = 'local' | 'sending' | 'synced' | 'needsYou'

export interface Row {
  key: string
  collection: CollectionName
  parent: string | null
  id: string
  /** Visible state: the service's state with all pending edits on top. null: deleted or not there yet. */
  value: JsonObject | null
  /** Last state from the service. null: the service never had it. */
  base: JsonObject | null
  etag?: string
  complete: boolean
  mark: Mark
}

/** One thing to draw in a calendar. All-day: UTC midnights that carry the dates' names; never shift them by a zone. */
export interface CalendarItem {
  /** Unique on screen: the row's key, for an occurrence of a series with its suffix. */
  itemKey: string
  /** The stored record behind it: the event itself, the exception, or the series' master. */
  rowKey: string
  calendarId: string
  /** The instance id for an occurrence, else the event id. */
  eventId: string
  masterId?: string
  originalStart?: { date?: string; dateTime?: string; timeZone?: string }
  title: string
  allDay: boolean
  start: number
  end: number
  timeZone?: string
  colorId?: string
  eventType: string
  status: 'confirmed' | 'tentative'
  /** The caller's own answer when invited. */
  response?: 'needsAction' | 'declined' | 'tentative' | 'accepted'
  transparent: boolean
  recurring: boolean
  mark: Mark
}

/** One edit of one record. Field patches hold only what changes; null clears. */
export type Change =
  | {
      kind: 'create'
      collection: CollectionName
      parent: string | null
      id?: string
      value: JsonObject
      place?: { parent?: string; previous?: string }
      /** Sent only after the change before it in this edit was confirmed (the other half of a split series). */
      afterPrevious?: boolean
    }
  /**
   * `hides`: rows that disappear with this change, such as exceptions that a moved series leaves behind. `expects`: fields as
   * the author saw them. If one of them changed, or the record is gone, this change is skipped.
   */
  | { kind: 'change'; key: string; patch: JsonObject; hides?: string[]; expects?: JsonObject }
  | { kind: 'delete'; key: string }
  | { kind: 'action'; key: string; action: Action; value?: JsonObject }

export interface EditOptions {
  /** One line in words: "Move *Stand-up* to Tue 14:00". */
  label: string
  sendUpdates?: 'all' | 'externalOnly' | 'none'
  /** Number of people it emails. */
  mails?: number
  /** Called once the edit is in memory, before it is saved: edits that build on it may start. */
  onheld?: (() => void) | undefined
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
  /** Keys of skipped records, which changed since the author saw them. */
  left: string[]
}

/** One finished entry of the outbox, newest first in `history`. */
export interface HistoryItem {
  id: string
  entry: OutboxEntry
  how: 'confirmed' | 'merged' | 'withdrawn'
  at: number
  receipt?: MergeReceipt
  /** Present if the write had no If-Match: a lost update is only seen afterwards, in the change log. */
  unguarded?: UnguardedWrite
}

export type SyncPhase =
  'starting' | 'firstSync' | 'idle' | 'pulling' | 'pushing' | 'paused' | 'offline' | 'waiting' | 'signIn'

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
  /** The sync check that runs, and what the last one found; absent where there was none. */
  check?: CheckStatus
  /** Entries not yet confirmed, and those of them that need the person. */
  unsent: number
  needsYou: number
  /** Entries that wait until they are posted; `unsent` counts them, too. */
  drafts: number
}

/** All services together. */
export interface SyncStatus {
  phase: SyncPhase
  offline: boolean
  paused: boolean
  /** Entries not yet confirmed; those of them that need the person; and those that a newer version made and this one does not understand. */
  unsent: number
  needsYou: number
  notUnderstood: number
  /** Those that wait until they are posted. */
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

/** A part of a service's records that the person wants on this computer: all in a place, as in a profile, or what belongs to one record in it. */
export interface DownloadChoice {
  /** ID of its parent, such as a profile's. */
  parent: string
  /** `all`; `index`: only what one chooses from; or the advertiser, the campaign whose records are wanted. */
  what: 'all' | 'index' | { collection: CollectionName; id: string }
}

/** State of one kind of record of a download. */
export interface DownloadPart {
  collection: CollectionName
  state: 'waiting' | 'reading' | 'ready' | 'failed'
  /** Records that the last or the running look has brought. */
  records: number
  /** Epoch milliseconds since when all of it has been read; null before the first time. */
  readAt: number | null
  fault?: Fault
}

export interface ChosenDownload extends DownloadChoice {
  key: string
  paused: boolean
}

export interface DownloadStatus extends ChosenDownload {
  state: 'waiting' | 'reading' | 'paused' | 'ready' | 'failed'
  /** One for each kind of record, in the order in which they are read. */
  parts: readonly DownloadPart[]
  /** Progress of the running check, from 0 to 1, as far as it is known. */
  share: number
  /** Estimated remaining milliseconds. Absent if unknown. */
  left?: number
  /** Epoch milliseconds since when all of it has been read; null before. */
  readAt: number | null
}

/** Computes a column of a row from its cells, by path. */
export type Computed = (cell: (path: string) => Json | undefined, key: string) => Json | undefined

/** Condition on a column of a row. Cells compare as text, numbers by value. */
export type Condition = { column: string } & (
  | { is: readonly string[] }
  | { isNot: readonly string[] }
  | { has: string }
  /** Both ends belong to it; an absent cell lies in no range. */
  | { from?: string; to?: string }
  | { empty: boolean }
)

export interface TableQuery {
  /** Only what lies in this record, as in one profile. */
  parent?: string
  /** Additional columns: other paths of records that memory has completely, and computed ones. */
  columns?: readonly string[]
  computed?: Readonly<Record<string, Computed>>
  /** Words that a row must contain in any of its columns, ignoring case. */
  words?: string
  /** Rows whose cell in a column, as text, is one of these; an absent one is an empty text. */
  only?: Readonly<Record<string, readonly string[]>>
  /** All of these hold. */
  where?: readonly Condition[]
  /** Only rows that this computer knows in one of these states. */
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
  /** The row of a record; -1 where it is not among them. */
  find(key: string): number
}

/** A record of campaigns that was looked for. */
export interface FoundRecord {
  key: string
  /** Empty where nothing names it. */
  name: string
  archived: boolean
  /** The key of the narrowest record that it belongs to, as its campaign. */
  within?: string
}

/** An alert shown once: recovery from a lost database, damaged journal lines, a full disk. */
export interface Notice {
  id: string
  level: 'info' | 'warning' | 'error'
  title: string
  /** What happened, what is safe, what to do. */
  text: string
  at: number
}

export type Topic = CollectionName | 'outbox' | 'history' | 'status' | 'notices' | 'undo' | 'downloads'

/** Collections of which memory has every row. */
export type ListedCollection = Exclude<CollectionName, 'events'>

export interface Replica {
  readonly account: Account
  /** Rows of a collection (all parents, or one), from memory. Events: only via `items` and `read`. */
  rows(collection: ListedCollection, parent?: string): readonly Row[]
  /** From memory where it is there. */
  peek(key: string): Row | undefined
  /** Returns the record's current key. A new record gets another key when it is sent. */
  realKey(key: string): string
  /** The full row, from memory or the store. For an occurrence key of a series use `readItem`. */
  read(key: string): Promise<Row | undefined>
  /** Full rows by requested keys, as far as they exist, in one read of the store. */
  readAll(keys: readonly string[]): Promise<Map<string, Row>>
  /** The event to edit behind an item: an unchanged occurrence is derived from its master with its own start and end. */
  readItem(
    item: Pick<CalendarItem, 'rowKey' | 'eventId' | 'originalStart'>,
  ): Promise<{ row: Row; event: JsonObject; master?: Row } | undefined>
  /** Exceptions of a series, including canceled ones (value null), for edits with a scope. */
  exceptions(masterKey: string): readonly Row[]
  /** Keys of every event of a calendar: single ones, series, changed and cancelled occurrences. */
  eventKeys(calendarId: string): string[]
  /** A new event id, for records that refer to each other within one edit. */
  newEventId(): string
  /** A made-up id for a record whose service makes ids, for records that refer to each other within one edit. */
  newLocalId(): string
  /** Items that overlap [from, to) in epoch ms (all-day by their UTC-midnight dates), sorted by start; synchronous, from memory. */
  items(from: number, to: number, options?: { calendars?: ReadonlySet<string>; zone?: string }): readonly CalendarItem[]
  /** Searches events by title, place, and description, best first: see `domain/search`. Returns a series' nearest occurrence. */
  search(text: string, limit?: number): Promise<readonly CalendarItem[]>

  /**
   * Shows at once, is saved with its outbox entries and in the journal when the promise resolves. One step of undo.
   * @throws FaultError `storage`, or what the signal says (nothing changed then)
   */
  edit(changes: readonly Change[], options: EditOptions, work?: Work): Promise<Edited>
  /**
   * The label of what was taken back, or null. `only`: the step (`Edited.group`) that is meant.
   * @throws FaultError `conflict` where another came after it, `storage`
   */
  undo(only?: string, work?: Work): Promise<string | null>
  redo(work?: Work): Promise<string | null>
  /** Labels of the next undo and redo, or null. */
  readonly undoable: { undo: string | null; redo: string | null }

  outbox(): readonly OutboxEntry[]
  history(limit?: number): Promise<readonly HistoryItem[]>
  /** Discards an entry with its dependents. Entries that only refer to it stay, without the reference. @throws FaultError while it's being sent */
  withdraw(entryId: string): Promise<void>
  /** Posts drafts with those they depend on, or all drafts. Returns their number. */
  post(entryIds?: readonly string[]): Promise<number>
  retry(entryId: string): Promise<void>
  /** Ends a conflict: per field 'mine' or 'theirs'; `keep` decides delete against edit. */
  resolve(
    entryId: string,
    choice: { fields?: Record<string, 'mine' | 'theirs'>; keep?: 'mine' | 'theirs' },
  ): Promise<void>

  /** Facts about the account's collections, in its services' versions. */
  readonly facts: Facts
  /** Rows of any collection, found and sorted in pieces that keep no frame waiting. @throws what the signal says */
  table(collection: CollectionName, query?: TableQuery, signal?: AbortSignal): Promise<TableRows>
  /** Finds campaign records by ID, or by words of their names in any order, best first. @throws the reason of an aborted signal */
  findRecords(text: string, limit: number, signal?: AbortSignal): Promise<readonly FoundRecord[]>

  downloads(): readonly DownloadStatus[]
  /** The same without progress, which for a whole profile sums up thousands of lists. */
  chosenDownloads(): readonly ChosenDownload[]
  /** Keeps a part on this computer from now on. The key of the download. */
  download(choice: DownloadChoice): Promise<string>
  pauseDownload(key: string, paused: boolean): Promise<void>
  /**
   * Takes it off this computer, but for what waits to be sent. Answers whether all of it is gone; the rest goes as soon as
   * the disk lets it. @throws FaultError `storage`, and then nothing was changed
   */
  removeDownload(key: string): Promise<boolean>
  /** Reads everything again. */
  refreshDownload(key: string): void

  readonly status: SyncStatus
  notices(): readonly Notice[]
  dismiss(noticeId: string): void
  /** All services, or one. */
  syncNow(service?: ServiceName): void
  /** Compares the lists on this computer with the services, or with one, and repairs what differs. Counts and results are in `status`. */
  checkSync(service?: ServiceName): void
  cancelCheck(service?: ServiceName): void
  pause(paused: boolean): void
  setOffline(offline: boolean): Promise<void>

  /** Called after any change of these topics; returns unsubscribe. Batched to at most once per frame by the caller. */
  subscribe(listener: (topics: ReadonlySet<Topic>) => void): () => void
  /** Stops the loop and closes the store; waits for running transactions. */
  close(): Promise<void>
}
