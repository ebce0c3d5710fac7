import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { deriveInstance, parseInstanceId, seriesOf } from '#shared/domain/instances'
import { FaultError } from '#shared/fault'
import type { Account, Bridge } from '#shared/ipc/contract'
import type { JsonObject } from '#shared/json'
import type { IdSource } from '#shared/mutation/ids'
import { renameId } from '#shared/mutation/rename'
import type { OutboxEntry } from '#shared/mutation/entry'
import { occurrenceBySuffix } from '#shared/time/recurrence'
import { wallOfInstant } from '#shared/time/zones'
import type { Environment } from '../replica/environment'
import { SyncLoop } from './loop'
import { noticesOf } from './told'
import type {
  CalendarItem,
  Change,
  EditOptions,
  HistoryItem,
  Notice,
  Replica,
  Row,
  SyncStatus,
  Topic,
} from '../replica/api'
import { layouts } from '../replica/blocks/layouts'
import type { Commits } from '../replica/commits'
import type { EditContext } from '../replica/context'
import { applyChange } from '../replica/edit'
import type { Memory } from '../replica/memory'
import { renewed } from '../replica/pending'
import { resolve, withdraw, type Choice } from '../replica/resolve'
import { searchEvents } from '../replica/search'
import type { Store, StoredRow } from '../replica/store'
import { takeBack } from '../replica/take-back'
import type { Tx } from '../replica/tx'
import { undoDepth, type UndoStep } from '../replica/undo'
import { monthOf } from '../replica/window'

export interface ReplicaParts {
  account: Account
  bridge: Bridge
  store: Store
  memory: Memory
  commits: Commits
  ids: IdSource
  environment: Environment
  /** Views are told through this; open.ts wires it to the commits. */
  listeners: Set<(topics: ReadonlySet<Topic>) => void>
  /** False in a second window: it reads. */
  writing: () => boolean
  offline: boolean
}

/** Series that are expanded ahead in one go: a few milliseconds. */
const seriesSlice = 10

/** The replica that views hold: reads from memory, edits through the commits, and a loop behind it. */
export class LocalReplica implements Replica {
  readonly account: Account
  readonly loop: SyncLoop
  private readonly stops: (() => void)[] = []
  private readonly told = new Map<string, string>()
  private labels: { undo: string | null; redo: string | null } | null = null

  constructor(private readonly parts: ReplicaParts) {
    this.account = parts.account
    this.loop = new SyncLoop(parts, {
      changed: () => this.tell(['status']),
      pulled: (target, pulled) => this.note(noticesOf(parts.memory, target, pulled, this.now())),
    })
    this.loop.setOffline(parts.offline)
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
    this.subscribe((topics) => {
      if (topics.has('undo')) this.labels = null
    })
  }

  rows(collection: Exclude<CollectionName, 'events'>, parent?: string): readonly Row[] {
    return this.parts.memory.list(collection, parent === undefined ? undefined : this.realId(parent))
  }

  peek(key: string): Row | undefined {
    return this.parts.memory.row(this.realKey(key))
  }

  async read(key: string): Promise<Row | undefined> {
    const real = this.realKey(key)
    const known = this.parts.memory.row(real)
    if (known || layouts.of(parseRecordKey(real).collection).keep === 'whole') return known
    const [stored] = await this.parts.store.get('rows', [real])
    if (!stored) return this.parts.memory.row(real)
    const { collection, parent, id, base, etag, complete } = stored
    return (
      this.parts.memory.row(real) ?? {
        key: real,
        collection,
        parent,
        id,
        value: base,
        base,
        etag,
        complete,
        mark: 'synced',
      }
    )
  }

  async readItem(
    item: Pick<CalendarItem, 'rowKey' | 'eventId' | 'originalStart'>,
  ): Promise<{ row: Row; event: JsonObject; master?: Row } | undefined> {
    const rowKey = this.realKey(item.rowKey)
    const { parent, id } = parseRecordKey(rowKey)
    const eventId = this.realId(item.eventId)
    const own = eventId === id ? await this.read(rowKey) : this.peek(recordKey('events', parent, eventId))
    const instance = parseInstanceId(eventId)
    const master = instance ? this.peek(recordKey('events', parent, instance.masterId)) : undefined
    if (own?.value) return { row: own, event: own.value, ...(master && { master }) }
    const series = seriesOf(master?.value)
    const occurrence = series && occurrenceBySuffix(series, instance!.suffix)
    if (!master?.value || !occurrence) return undefined
    const event = deriveInstance(master.value, occurrence)
    const key = recordKey('events', parent, eventId)
    const row: Row = {
      key,
      collection: 'events',
      parent,
      id: eventId,
      value: event,
      base: null,
      complete: false,
      mark: master.mark,
    }
    return { row, event, master }
  }

  exceptions(masterKey: string): readonly Row[] {
    const { memory } = this.parts
    return memory.series.exceptionKeys(this.realKey(masterKey)).flatMap((key) => memory.row(key) ?? [])
  }

  eventKeys(calendarId: string): string[] {
    const { window, series, undrawn } = this.parts.memory
    const start = recordKey('events', this.realId(calendarId), '')
    const masters = [...series.keys()].filter((key) => key.startsWith(start))
    const drawn = [...window.keys()].filter((key) => key.startsWith(start))
    return [
      ...new Set([
        ...masters,
        ...masters.flatMap((key) => series.exceptionKeys(key)),
        ...drawn,
        ...[...undrawn].filter((key) => key.startsWith(start)),
      ]),
    ]
  }

  newEventId(): string {
    return this.parts.ids.eventId()
  }

  items(
    from: number,
    to: number,
    options: { calendars?: ReadonlySet<string>; zone?: string } = {},
  ): readonly CalendarItem[] {
    const { zone, calendars } = options
    const days = zone ? { from: wallOfInstant(from, zone), to: wallOfInstant(to, zone) } : { from, to }
    this.prepare(monthOf(from), monthOf(to))
    return this.parts.memory.items(from, to, days, calendars)
  }

  /** Expands the months around what is looked at, a few series at a time, so that turning the page does not wait. */
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

  async edit(changes: readonly Change[], options: EditOptions): Promise<{ group: string; keys: string[] }> {
    const real = changes.map((change) => this.realChange(change))
    const touched = real.flatMap((change) => ('key' in change ? [change.key] : []))
    return this.step('undo', options, touched, (context) => {
      const keys = real.map((change) => applyChange(context, change))
      for (const step of this.stack('redo')) context.tx.removeUndo(step.id)
      return keys
    }).then(({ group, value }) => ({ group, keys: value }))
  }

  undo(): Promise<string | null> {
    return this.back('undo', 'redo')
  }

  redo(): Promise<string | null> {
    return this.back('redo', 'undo')
  }

  get undoable(): { undo: string | null; redo: string | null } {
    this.labels ??= { undo: this.stack('undo').at(-1)?.label ?? null, redo: this.stack('redo').at(-1)?.label ?? null }
    return this.labels
  }

  outbox(): readonly OutboxEntry[] {
    return this.parts.memory.entries()
  }

  history(limit = 200): Promise<readonly HistoryItem[]> {
    return this.parts.store.history(limit)
  }

  async withdraw(entryId: string): Promise<void> {
    await this.write((tx) => withdraw({ tx, ids: this.parts.ids, now: this.now }, entryId))
  }

  async retry(entryId: string): Promise<void> {
    await this.write((tx) => {
      const entry = tx.memory.outbox.get(entryId)
      if (entry && entry.state !== 'sending' && !entry.conflict) tx.putEntry(renewed(entry))
    })
    this.loop.syncNow()
  }

  async resolve(entryId: string, choice: Choice): Promise<void> {
    await this.write((tx) => resolve({ tx, ids: this.parts.ids, now: this.now }, entryId, choice))
  }

  get status(): SyncStatus {
    const { outbox } = this.parts.memory
    let needsYou = 0
    for (const entry of outbox.values()) if (entry.state === 'needsYou') needsYou++
    return { ...this.loop.status, unsent: outbox.size, needsYou }
  }

  notices(): readonly Notice[] {
    return [...this.parts.memory.notices.values()].sort((a, b) => b.at - a.at)
  }

  dismiss(noticeId: string): void {
    this.parts.commits.run('sync', (tx) => tx.removeNotice(noticeId))
  }

  syncNow(): void {
    this.loop.syncNow()
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

  /** Called once when the replica is done with; open.ts adds what it has to end. */
  onClose(stop: () => void): void {
    this.stops.push(stop)
  }

  async close(): Promise<void> {
    for (const stop of this.stops) stop()
    if (this.preparing !== undefined) this.parts.environment.clearTimer(this.preparing)
    await this.loop.stop()
    await this.parts.commits.settled()
    this.parts.commits.closed = true
    await this.parts.store.close()
    this.parts.listeners.clear()
  }

  private readonly now = (): number => this.parts.environment.now()

  private async back(from: 'undo' | 'redo', to: 'undo' | 'redo'): Promise<string | null> {
    const step = this.stack(from).at(-1)
    if (!step) return null
    const touched = step.items.map((item) => item.key)
    try {
      await this.step(to, { label: step.label, ...step.options }, touched, (context) => {
        context.tx.removeUndo(step.id)
        takeBack(context, step)
      })
    } catch (error) {
      // A step that can no longer be taken back must not bar the way to the ones before it.
      if (error instanceof FaultError && error.fault.code !== 'storage') {
        await this.write((tx) => tx.removeUndo(step.id))
      }
      throw error
    }
    return step.label
  }

  /** One edit: what `work` does becomes a step on the given stack. */
  private async step<T>(
    stack: UndoStep['stack'],
    options: EditOptions,
    touched: readonly string[],
    work: (context: EditContext) => T,
  ): Promise<{ group: string; value: T }> {
    this.mustWrite()
    const { ids, commits, account, memory, store } = this.parts
    const read = new Map<string, StoredRow | undefined>()
    // Looked at again after each wait: what was in memory before may have been let go meanwhile.
    for (;;) {
      const missing = this.missing(touched).filter((key) => !read.has(key))
      if (missing.length === 0) break
      const rows = await store.get('rows', missing)
      missing.forEach((key, index) => read.set(key, rows[index]))
    }
    // In one go with the edit, or a commit in between would let them go again.
    for (const body of read.values()) if (body) memory.hold(body)
    const group = ids.ulid()
    const { value, saved } = commits.run('edit', (tx) => {
      const context: EditContext = { tx, ids, now: this.now, accountId: account.id, group, options, items: [] }
      const result = work(context)
      if (context.items.length > 0) {
        const kept = {
          ...(options.sendUpdates && { sendUpdates: options.sendUpdates }),
          ...(options.mails && { mails: options.mails }),
        }
        tx.putUndo({ id: group, stack, label: options.label, options: kept, items: context.items })
        const old = this.stack(stack)
        for (const step of old.slice(0, Math.max(0, old.length - undoDepth))) tx.removeUndo(step.id)
      }
      return result
    })
    await saved
    this.loop.edited()
    return { group, value }
  }

  private async write(work: (tx: Tx) => void): Promise<void> {
    this.mustWrite()
    await this.parts.commits.run('edit', work).saved
    this.loop.edited()
  }

  private mustWrite(): void {
    if (this.parts.writing()) return
    throw new FaultError({
      code: 'storage',
      message: 'Another window is open: changes are made there. Nothing was changed.',
    })
  }

  private stack(name: UndoStep['stack']): UndoStep[] {
    const steps = [...this.parts.memory.undo.values()].filter((step) => step.stack === name)
    return steps.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Keys of rows whose bodies are on disk only. */
  private missing(keys: readonly string[]): string[] {
    const { memory } = this.parts
    return keys.filter((key) => memory.mayLieOnDisk(key))
  }

  /** Once: what is dismissed does not come back with the next look at the service. */
  private note(notices: readonly Notice[]): void {
    const news = notices.filter(({ id, text }) => this.told.get(id) !== text)
    if (news.length === 0) return
    for (const { id, text } of news) this.told.set(id, text)
    this.parts.commits.run('sync', (tx) => news.forEach((notice) => tx.putNotice(notice)))
  }

  private tell(topics: readonly Topic[]): void {
    for (const listener of this.parts.listeners) listener(new Set(topics))
  }

  /** The real id of what a view may still know by its made-up one. */
  private realId(id: string): string {
    const { renamed } = this.parts.memory
    let real = id
    for (let next = renamed.get(real); next !== undefined; next = renamed.get(real)) real = next
    const instance = real === id ? parseInstanceId(id) : undefined
    return instance && renamed.has(instance.masterId) ? `${this.realId(instance.masterId)}_${instance.suffix}` : real
  }

  private realKey(key: string): string {
    if (this.parts.memory.renamed.size === 0) return key
    const { collection, parent, id } = parseRecordKey(key)
    return recordKey(collection, parent === null ? null : this.realId(parent), this.realId(id))
  }

  private realChange(change: Change): Change {
    let real = change
    for (const from of this.parts.memory.renamed.keys()) real = renameId(real, from, this.realId(from))
    return real
  }
}
