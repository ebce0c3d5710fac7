import type { Action, MergeReceipt, OutboxEntry, UnguardedWrite } from '#shared/mutation/entry'
import type { CollectionName } from '#shared/domain/collections'
import type { Fault } from '#shared/fault'
import type { Facts } from '#shared/facts/facts'
import type { Json, JsonObject } from '#shared/json'
import type { Account } from '#shared/ipc/account-questions'
import type { ServiceName } from '#shared/wire/services'
import type { CheckStatus } from './checks'

/** What views see of the replica: reads from memory, writes that show at once, and the truth about what is sent. */

/** On this computer · Sending · On the server · Needs you. */
export type Mark = 'local' | 'sending' | 'synced' | 'needsYou'

export interface Row {
  key: string
  collection: CollectionName
  parent: string | null
  id: string
  /** What the person sees: the service's word with all waiting edits on top. null: deleted here, not yet there. */
  value: JsonObject | null
  /** What the service last said. null: it never heard of it. */
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
   * `hides`: rows that go with this change, as exceptions that a moved series leaves behind. `expects`: fields as its author
   * saw them; where one of them says something else by now, or the record is gone, this change is left out.
   */
  | { kind: 'change'; key: string; patch: JsonObject; hides?: string[]; expects?: JsonObject }
  | { kind: 'delete'; key: string }
  | { kind: 'action'; key: string; action: Action; value?: JsonObject }

export interface EditOptions {
  /** One line in words: "Move *Stand-up* to Tue 14:00". */
  label: string
  sendUpdates?: 'all' | 'externalOnly' | 'none'
  /** How many people that mails. */
  mails?: number
  /** Called once it is made, before it is safe: what is built upon it may begin. */
  onheld?: (() => void) | undefined
}

/** Of long work: how much of it is done, and that nobody wants it any more. */
export interface Work {
  signal?: AbortSignal | undefined
  onprogress?: ((done: number, of: number) => void) | undefined
}

export interface Edited {
  group: string
  /** Of the records, one for each change. */
  keys: string[]
  /** Keys of the records that were left as they are: they are not what was expected any more. */
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

/** How it stands with one service of the account: each is read and written to by itself. */
export interface LaneStatus {
  service: ServiceName
  phase: SyncPhase
  /** What went wrong last, while it matters. */
  fault?: Fault
  /** Epoch milliseconds of the next try while waiting. */
  nextTry?: number
  progress?: SyncProgress
  /** Epoch milliseconds of the last time that all of it was read; null before the first. */
  lastPull: number | null
  /** What of it could not be read while the rest could; absent where there is nothing. */
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
  /** Epoch milliseconds since when everything has been read: of the service that was read least lately. Null before the first. */
  lastPull: number | null
  /** Epoch milliseconds of the next try while waiting. */
  nextTry?: number
  fault?: Fault
  progress?: SyncProgress
  /** Of each service that has something to sync here. */
  lanes: readonly LaneStatus[]
  /** Quota units used in the last minute. */
  unitsLastMinute: number
}

/** A part of a service's records that the person wants on this computer: all in a place, as in a profile, or what belongs to one record in it. */
export interface DownloadChoice {
  /** The id of what stands around it, as a profile's. */
  parent: string
  /** `all`; `index`: only what one chooses from; or the advertiser, the campaign whose records are wanted. */
  what: 'all' | 'index' | { collection: CollectionName; id: string }
}

/** How it stands with one kind of record of a download. */
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
  /** How much of the running look is done, from 0 to 1, as far as that can be told. */
  share: number
  /** Milliseconds that the rest will take about; absent while nobody can tell. */
  left?: number
  /** Epoch milliseconds since when all of it has been read; null before. */
  readAt: number | null
}

/** What is computed of a row from its cells, by path, as if it were a column. */
export type Computed = (cell: (path: string) => Json | undefined, key: string) => Json | undefined

/** What a row has to be like in one column; cells are compared as text, numbers by size. */
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
  /** What can be asked for beside the columns of the facts: other paths of what memory has whole, and what is computed. */
  columns?: readonly string[]
  computed?: Readonly<Record<string, Computed>>
  /** Words that a row has to have somewhere in its columns, whatever their case. */
  words?: string
  /** Rows whose cell in a column, as text, is one of these; an absent one is an empty text. */
  only?: Readonly<Record<string, readonly string[]>>
  /** All of these hold. */
  where?: readonly Condition[]
  /** Only rows that this computer knows in one of these states. */
  marks?: readonly Mark[]
  sort?: { column: string; down: boolean }
}

/** Rows of a collection as they are at one moment: what a grid draws. */
export interface TableRows {
  /** Paths of fields as they were asked for, or as in the facts of the collection. */
  readonly columns: readonly string[]
  readonly length: number
  /** Of how many. */
  readonly total: number
  key(row: number): string
  cell(row: number, column: number): Json | undefined
  /** The same for all cells of a row, by their columns, as they are now. */
  cells(row: number): (column: number) => Json | undefined
  mark(row: number): Mark
  /** Whether its record is still there. */
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

/** Told once to the person: recovery from a lost database, damaged journal lines, a full disk. */
export interface Notice {
  id: string
  level: 'info' | 'warning' | 'error'
  title: string
  /** What happened, what was kept, what to do. */
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
  /** Full rows by the keys that they are asked for by, as far as they are there, in one look at the store. */
  readAll(keys: readonly string[]): Promise<Map<string, Row>>
  /** The event to edit behind an item: an unchanged occurrence is derived from its master with its own start and end. */
  readItem(
    item: Pick<CalendarItem, 'rowKey' | 'eventId' | 'originalStart'>,
  ): Promise<{ row: Row; event: JsonObject; master?: Row } | undefined>
  /** Exceptions of a series, the cancelled ones too (value null): what an edit with a scope needs to know. */
  exceptions(masterKey: string): readonly Row[]
  /** Keys of every event of a calendar: single ones, series, changed and cancelled occurrences. */
  eventKeys(calendarId: string): string[]
  /** A new event id, for records that refer to each other within one edit. */
  newEventId(): string
  /** A made-up id for a record whose service makes ids, for records that refer to each other within one edit. */
  newLocalId(): string
  /** Items that overlap [from, to) in epoch ms (all-day by their UTC-midnight dates), sorted by start; synchronous, from memory. */
  items(from: number, to: number, options?: { calendars?: ReadonlySet<string>; zone?: string }): readonly CalendarItem[]
  /** Events by words in title, place or description, best first: see `domain/search`. Of a series its nearest occurrence. */
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
  /** With all that cannot be without it; what only refers to it stays, without doing so. @throws FaultError while it is being sent. */
  withdraw(entryId: string): Promise<void>
  /** Lets drafts go, with those that they wait for; all where none is named. How many they were. */
  post(entryIds?: readonly string[]): Promise<number>
  retry(entryId: string): Promise<void>
  /** Ends a conflict: per field 'mine' or 'theirs'; `keep` decides delete against edit. */
  resolve(
    entryId: string,
    choice: { fields?: Record<string, 'mine' | 'theirs'>; keep?: 'mine' | 'theirs' },
  ): Promise<void>

  /** What is known of the account's collections, in the versions that its services speak. */
  readonly facts: Facts
  /** Rows of any collection, found and sorted in pieces that keep no frame waiting. @throws what the signal says */
  table(collection: CollectionName, query?: TableQuery, signal?: AbortSignal): Promise<TableRows>
  /** Records of campaigns by their id or by words of their names, whatever their order: the best first. @throws what the signal says */
  findRecords(text: string, limit: number, signal?: AbortSignal): Promise<readonly FoundRecord[]>

  downloads(): readonly DownloadStatus[]
  /** The same without how far each is: of a whole profile that is the sum of thousands of lists. */
  chosenDownloads(): readonly ChosenDownload[]
  /** Keeps a part on this computer from now on. The key of the download. */
  download(choice: DownloadChoice): Promise<string>
  pauseDownload(key: string, paused: boolean): Promise<void>
  /**
   * Takes it off this computer, but for what waits to be sent. Answers whether all of it is gone; the rest goes as soon as
   * the disk lets it. @throws FaultError `storage`, and then nothing was changed
   */
  removeDownload(key: string): Promise<boolean>
  /** Reads all of it anew. */
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
