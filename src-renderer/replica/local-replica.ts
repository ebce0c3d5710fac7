import { localPrefix, collectionOf, keyBeside, parseRecordKey, type CollectionName } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import { FaultError } from '#shared/fault'
import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import { valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import type { IdSource } from '#shared/mutation/ids'
import type { ServiceName } from '#shared/wire/services'
import type { OutboxEntry } from '#shared/mutation/entry'
import { wallOfInstant } from '#shared/time/zones'
import type { Environment } from './environment'
import type {
  Work,
  Edited,
  CalendarItem,
  Change,
  ChosenDownload,
  Deleted,
  ConflictChoice,
  DownloadChoice,
  DownloadProgress,
  DownloadStatus,
  EditOptions,
  EditTurn,
  FoundRecord,
  HistoryItem,
  ListedCollection,
  Notice,
  Replica,
  Resolution,
  Row,
  SeenConflict,
  SyncStatus,
  TableQuery,
  TableRows,
  Topic,
} from './api'
import type { Commits } from './commits'
import { choicesOf } from './downloads'
import type { Memory } from './memory'
import { renewed } from './pending'
import { orderPosts } from './posting-order'
import { post } from './post'
import { listDeleted } from './recently-deleted'
import { searchEvents } from './search'
import { readStored } from './read-stored'
import { Steps } from './steps'
import type { Store, StoredRow } from './store'
import { stepOf } from './undo-steps'
import { FrameYield } from './tables/frame-yield'
import { findRecords } from './tables/find-records'
import { readTable } from './tables/table'
import { monthOf } from './window'

/** Milliseconds in which a search mostly finds its names, so that they appear in the same frame as the typed letter. */
const inOnePicture = 24

/** Part of the sync loop that the replica needs. */
export interface Loop extends Pick<Replica, 'status' | 'syncNow' | 'checkSync' | 'cancelCheck'> {
  readonly downloads: {
    readonly list: readonly DownloadStatus[]
    progress(choices: readonly DownloadChoice[]): DownloadProgress
    leastCalls(choices: readonly DownloadChoice[]): number
    readonly chosen: readonly ChosenDownload[]
    add(choice: DownloadChoice): Promise<string>
    pause(key: string, paused: boolean): Promise<void>
    remove(key: string): Promise<boolean>
    refresh(key: string): void
  }
  stop(): Promise<void>
  /** Called when these collections have something new to send. */
  edited(changed: ReadonlySet<string>): void
  /** Sends ready entries of these services now, even if their lanes are waiting. */
  sendNow(services: ReadonlySet<ServiceName>): void
  resume(): void
  notified(key: string): void
  setOffline(offline: boolean): void
  setPaused(paused: boolean): void
}

/** Reports of the loop to the replica. */
export interface LoopHooks {
  changed(): void
  alert(notices: readonly Notice[]): void
}

/** How a calendar's behavior reads its items. */
export interface CalendarItems {
  between(
    memory: Memory,
    from: number,
    to: number,
    days: { from: number; to: number },
    calendars?: ReadonlySet<string>,
  ): readonly CalendarItem[]
  behind(
    memory: Memory,
    rowKey: string,
    eventId: string,
    own: Row | undefined,
  ): { row: Row; event: JsonObject; master?: Row } | undefined
  keys(memory: Memory, calendarId: string): string[]
}

export interface ReplicaParts {
  account: Account
  bridge: Bridge
  store: Store
  memory: Memory
  commits: Commits
  ids: IdSource
  environment: Environment
  /** Listeners of views, which open.ts connects to the commits. */
  listeners: Set<(topics: ReadonlySet<Topic>) => void>
  /** False in a second window, which only reads. */
  writing: () => boolean
  offline: boolean
  items: CalendarItems
  loopOf: (hooks: LoopHooks) => Loop
}

/** Number of series to expand ahead at once, which takes a few milliseconds. */
const seriesSlice = 10

/** The replica that views hold: reads from memory, edits through the commits, and a loop that syncs them. */
export class LocalReplica implements Replica {
  readonly account: Account
  private readonly loop: Loop
  private readonly stops: (() => void)[] = []
  private readonly shownNotices = new Map<string, string>()
  private readonly steps: Steps

  constructor(private readonly parts: ReplicaParts) {
    this.account = parts.account
    this.loop = parts.loopOf({
      changed: () => this.tell(['status', 'downloads']),
      alert: (notices) => this.note(notices),
    })
    this.loop.setOffline(parts.offline)
    this.steps = new Steps(parts, (changed) => this.loop.edited(changed))
    const { bridge } = parts
    this.stops.push(
      bridge.on('network/changed', ({ offline, online }) => {
        this.loop.setOffline(offline)
        if (!offline && online) this.loop.resume()
      }),
      bridge.on('sync/changed', ({ accountId, key }) => {
        if (accountId === parts.account.id) this.loop.notified(key)
      }),
      bridge.on('app/resumed', () => this.loop.resume()),
    )
  }

  rows(collection: ListedCollection, parent?: string): readonly Row[] {
    return this.parts.memory.list(collection, parent === undefined ? undefined : this.realId(parent))
  }

  peek(key: string): Row | undefined {
    return this.parts.memory.row(this.realKey(key))
  }

  peekField(key: string, path: string): Json | undefined {
    const { memory } = this.parts
    const real = this.realKey(key)
    const row = memory.row(real)
    if (row) return valueAt(row.value ?? undefined, path)
    const collection = collectionOf(real)
    if (!memory.isTable(collection)) return undefined
    const table = memory.columns(collection)
    return table.cellsOf(real)?.(table.columns.indexOf(path))
  }

  remoteSeq(key: string): number {
    return this.parts.memory.remote.of(this.realKey(key))
  }

  realKey(key: string): string {
    return this.parts.memory.realKey(key)
  }

  firstKey(key: string): string {
    return this.parts.memory.firstKey(key)
  }

  async read(key: string): Promise<Row | undefined> {
    const real = this.realKey(key)
    const known = this.parts.memory.row(real)
    if (known || !this.parts.memory.isWindow(collectionOf(real))) return known
    const seq = this.remoteSeq(real)
    const [stored] = await readStored(this.parts, [real])
    if (!stored) return this.parts.memory.row(real)
    return this.parts.memory.row(real) ?? rowOf(stored, seq)
  }

  async readAll(keys: readonly string[]): Promise<Map<string, Row>> {
    const { memory } = this.parts
    const read = new Map<string, Row | undefined>()
    // Checked again after each wait, because memory may have freed rows.
    for (;;) {
      const wanted = (real: string): boolean =>
        !memory.row(real) && !read.has(real) && memory.isWindow(collectionOf(real))
      const missing = keys.map((key) => this.realKey(key)).filter(wanted)
      if (missing.length === 0) break
      // Read before the rows, so that a change in between counts as later.
      const seqs = missing.map((real) => memory.remote.of(real))
      const rows = await readStored(this.parts, missing)
      missing.forEach((real, index) => read.set(real, rows[index] && rowOf(rows[index], seqs[index]!)))
    }
    return new Map(
      keys.flatMap((key): [string, Row][] => {
        const row = memory.row(this.realKey(key)) ?? read.get(this.realKey(key))
        return row ? [[key, row]] : []
      }),
    )
  }

  async readItem(
    item: Pick<CalendarItem, 'rowKey' | 'eventId' | 'originalStart'>,
  ): Promise<{ row: Row; event: JsonObject; master?: Row } | undefined> {
    const rowKey = this.realKey(item.rowKey)
    const key = this.realKey(keyBeside(item.rowKey, item.eventId))
    const { id: eventId } = parseRecordKey(key)
    return this.parts.items.behind(
      this.parts.memory,
      rowKey,
      eventId,
      key === rowKey ? await this.read(key) : this.peek(key),
    )
  }

  exceptions(masterKey: string): readonly Row[] {
    const { memory } = this.parts
    return memory.series.exceptionKeys(this.realKey(masterKey)).flatMap((key) => memory.row(key) ?? [])
  }

  eventKeys(calendarId: string): string[] {
    return this.parts.items.keys(this.parts.memory, this.realId(calendarId))
  }

  newEventId(): string {
    return this.parts.ids.eventId()
  }

  newLocalId(): string {
    return localPrefix + this.parts.ids.ulid()
  }

  items(
    from: number,
    to: number,
    options: { calendars?: ReadonlySet<string>; zone?: string } = {},
  ): readonly CalendarItem[] {
    const { zone, calendars } = options
    const days = zone ? { from: wallOfInstant(from, zone), to: wallOfInstant(to, zone) } : { from, to }
    this.prepare(monthOf(from), monthOf(to))
    return this.parts.items.between(this.parts.memory, from, to, days, calendars)
  }

  /** Expands the months around the visible range, a few series at a time, so that paging doesn't wait. */
  private prepare(first: number, last: number): void {
    const { memory, environment } = this.parts
    if (this.preparing !== undefined) environment.clearTimer(this.preparing)
    const months = [last + 1, first - 1, last + 2, first - 2]
    const work = (): void => {
      const month = months[0]
      if (month === undefined) return
      if (!memory.series.prepare(month, seriesSlice)) months.shift()
      this.preparing = environment.setTimer(work, 0)
    }
    this.preparing = environment.setTimer(work, 50)
  }
  private preparing: unknown

  async search(text: string, limit = 50): Promise<readonly CalendarItem[]> {
    return searchEvents(this.parts.memory, text, limit, this.now())
  }

  edit(changes: readonly Change[], options: EditOptions, work?: Work): Promise<Edited> {
    return this.steps.edit(changes, options, work)
  }

  inTurn<T>(work: (turn: EditTurn) => Promise<T>): Promise<T> {
    return this.steps.inTurn(work)
  }

  undo(only?: string, work?: Work): Promise<string | null> {
    return this.steps.back('undo', 'redo', { ...work, only })
  }

  redo(work?: Work): Promise<string | null> {
    return this.steps.back('redo', 'undo', work)
  }

  get undoSteps(): readonly string[] {
    return this.parts.memory.undo
      .parts('undo')
      .map(([first]) => stepOf(first!))
      .reverse()
  }

  get undoable(): { undo: string | null; redo: string | null } {
    const { undo } = this.parts.memory
    return { undo: undo.top('undo')?.label ?? null, redo: undo.top('redo')?.label ?? null }
  }

  deleted(): readonly Deleted[] {
    return listDeleted(this.parts.memory, this.now())
  }

  outbox(): readonly OutboxEntry[] {
    return this.parts.memory.entries()
  }

  history(limit = 200): Promise<readonly HistoryItem[]> {
    return this.parts.store.history(limit)
  }

  async post(entryIds?: readonly string[]): Promise<number> {
    let count = 0
    await this.steps.write((tx) => {
      count = post(tx, entryIds)
    })
    return count
  }

  withdraw(entryId: string): Promise<void> {
    return this.steps.withdraw(entryId)
  }

  async retry(...entryIds: string[]): Promise<void> {
    const services = new Set<ServiceName>()
    await this.steps.write((tx) => {
      orderPosts(tx)
      for (const id of entryIds) {
        const entry = tx.memory.outbox.get(id)
        if (!entry || entry.state === 'sending' || entry.conflict) continue
        tx.putEntry(renewed(entry))
        services.add(this.facts.of(entry.collection).service)
      }
    })
    this.loop.sendNow(services)
  }

  resolve(entryId: string, choice: ConflictChoice, options = { label: 'Resolve conflict' }): Promise<string | null> {
    return this.steps.resolveOne(entryId, choice, options)
  }

  resolveAll(conflicts: readonly SeenConflict[], options: EditOptions, work?: Work): Promise<Resolution> {
    return this.steps.resolve(conflicts, options, work)
  }

  get facts(): Facts {
    return this.parts.memory.facts
  }

  table(collection: CollectionName, query: TableQuery = {}, signal?: AbortSignal): Promise<TableRows> {
    const { memory, environment } = this.parts
    const { parent } = query
    const real = parent === undefined ? query : { ...query, parent: this.realId(parent) }
    return readTable(memory, collection, real, new FrameYield(environment, signal))
  }

  findRecords(text: string, limit: number, signal?: AbortSignal): Promise<readonly FoundRecord[]> {
    const { memory, environment } = this.parts
    return findRecords(memory, text, limit, new FrameYield(environment, signal, inOnePicture))
  }

  downloads(): readonly DownloadStatus[] {
    return this.loop.downloads.list
  }

  chosenDownloads(): readonly ChosenDownload[] {
    return this.loop.downloads.chosen
  }

  downloadProgress(choices: readonly DownloadChoice[]): DownloadProgress {
    return this.loop.downloads.progress(choices)
  }

  leastDownloadCalls(choices: readonly DownloadChoice[]): number {
    return this.loop.downloads.leastCalls(choices)
  }

  async download(choice: DownloadChoice): Promise<string> {
    const key = await this.loop.downloads.add(choice)
    this.noteDownloads()
    return key
  }

  async pauseDownload(key: string, paused: boolean): Promise<void> {
    await this.loop.downloads.pause(key, paused)
    this.noteDownloads()
  }

  async removeDownload(key: string): Promise<boolean> {
    const whole = await this.loop.downloads.remove(key)
    this.noteDownloads()
    return whole
  }

  /** Saves downloads outside the database. After a failure, the next change or start saves them. */
  private noteDownloads(): void {
    const { bridge, account, memory } = this.parts
    void bridge.ask('account/downloads', {
      accountId: account.id,
      downloads: choicesOf(memory.downloads.values()),
    })
  }

  refreshDownload(key: string): void {
    this.loop.downloads.refresh(key)
  }

  get status(): SyncStatus {
    return this.loop.status
  }

  notices(): readonly Notice[] {
    return [...this.parts.memory.notices.values()].sort((a, b) => b.at - a.at)
  }

  dismiss(noticeId: string): void {
    this.parts.commits.run('sync', (tx) => tx.removeNotice(noticeId))
  }

  syncNow(service?: ServiceName): void {
    this.loop.syncNow(service)
  }

  checkSync(service?: ServiceName): void {
    this.loop.checkSync(service)
  }

  cancelCheck(service?: ServiceName): void {
    this.loop.cancelCheck(service)
  }

  pause(paused: boolean): void {
    this.loop.setPaused(paused)
    this.parts.commits.run('sync', (tx) => tx.putMeta('paused', paused))
    this.tell(['status'])
  }

  async setOffline(offline: boolean): Promise<void> {
    const answer = await this.parts.bridge.ask('network/offline', { offline })
    if (!answer.ok) throw new FaultError(answer.fault)
    this.loop.setOffline(answer.value.offline)
    this.tell(['status'])
  }

  subscribe(listener: (topics: ReadonlySet<Topic>) => void): () => void {
    this.parts.listeners.add(listener)
    return () => this.parts.listeners.delete(listener)
  }

  /** Registers cleanup for when the replica closes. */
  onClose(stop: () => void): void {
    this.stops.push(stop)
  }

  async close(): Promise<void> {
    for (const stop of this.stops) stop()
    if (this.preparing !== undefined) this.parts.environment.clearTimer(this.preparing)
    await this.steps.settled()
    await this.loop.stop()
    await this.parts.commits.settled()
    this.parts.commits.closed = true
    await this.parts.store.close()
    this.parts.listeners.clear()
  }

  private readonly now = (): number => this.parts.environment.now()

  /** Shows alerts once: a dismissed one doesn't return with the next pull. */
  private note(notices: readonly Notice[]): void {
    const news = notices.filter(({ id, text }) => this.shownNotices.get(id) !== text)
    if (news.length === 0) return
    for (const { id, text } of news) this.shownNotices.set(id, text)
    this.parts.commits.run('sync', (tx) => news.forEach((notice) => tx.putNotice(notice)))
  }

  private tell(topics: readonly Topic[]): void {
    for (const listener of this.parts.listeners) listener(new Set(topics))
  }

  private realId(id: string): string {
    return this.parts.memory.realId(id)
  }
}

const rowOf = ({ key, collection, parent, id, base, etag, complete }: StoredRow, remoteSeq: number): Row => ({
  ...{ key, collection, parent, id, base, complete },
  value: base,
  ...(etag !== undefined && { etag }),
  mark: 'synced',
  remoteSeq,
})
