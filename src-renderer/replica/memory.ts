import { collectionOf, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { parseInstanceId } from '#shared/domain/instances'
import { factsOf, type Facts } from '#shared/facts/facts'
import { changedFields } from '#shared/merge/merge'
import { fold } from '#shared/mutation/fold'
import { renameIds } from '#shared/mutation/rename'
import type { Json, JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { CheckResult } from './check-result'
import type { Deleted, Mark, Notice, Row } from './api'
import { parseBlockKey } from './blocks/block'
import { cellAt, textAt } from './blocks/block-columns'
import { newestLayouts, type Layouts } from './blocks/layouts'
import { rowsOf, type LiveBlock } from './blocks/shelf'
import { WindowTable } from './blocks/window-table'
import type { Download, PagePlace } from './downloads'
import type { Behaviors } from './collection-behavior'
import { IdIndex } from './id-index'
import { namedIn, placeIn, type Place } from './id-names'
import { Outbox } from './outbox'
import { RemoteSeq } from './remote-seq'
import { SeriesSet } from './series'
import type { Moved, StoredCursor, StoredRow } from './store'
import { UndoSteps } from './undo-steps'
import { drawn, ItemWindow } from './window'

/**
 * The replica in memory: complete small collections, and the drawn fields of events. Applies the service's records and
 * the outbox, and derives each row's visible state at once.
 */
export class Memory {
  /** The service's state: small collections, recurring events and exceptions, and single events with pending edits. */
  readonly stored = new Map<string, StoredRow>()
  readonly outbox: Outbox
  readonly cursors = new Map<string, StoredCursor>()
  /** Chosen downloads, and the progress of lists that were read in part. */
  readonly downloads = new Map<string, Download>()
  readonly pages = new Map<string, PagePlace>()
  /** IDs of records that came with part of a list, but don't name it themselves, by target. */
  readonly brought = new Map<string, ReadonlySet<string>>()
  /** Keys of rows to remove once none of their changes is pending, unless they are downloaded again. */
  readonly leaving = new Set<string>()
  /** Targets of removed downloads that are still being deleted, in stored form: see `sync/downloads`. */
  removing: readonly Json[] = []
  /** Result of the last sync check of each service. */
  readonly checks = new Map<string, CheckResult>()
  /** Time of each target's next check, in epoch milliseconds. A missing one is due now. */
  readonly checksDue = new Map<string, number>()
  /** Number of times that removed downloads' rows were deleted. */
  drops = 0
  readonly undo = new UndoSteps()
  readonly notices = new Map<string, Notice>()
  /** Records deleted in the last 30 days, by key, oldest first. */
  readonly deleted = new Map<string, Deleted>()
  readonly window = new ItemWindow()
  readonly series = new SeriesSet()
  /** Keys of events that no calendar can draw, because their times are unreadable. Exports report them. */
  readonly undrawn = new Set<string>()
  readonly remote = new RemoteSeq()
  /** New IDs by the names of old ones, because views may still use those. */
  readonly renamed = new Map<string, string>()
  /** First IDs since this start by the names of those that replaced them. */
  readonly firstIds = new Map<string, string>()
  /** IDs of creations that were pending when the app started. A later copy of this database may have sent them. */
  readonly carriedOver = new Set<string>()
  /** Keys of rows whose removal may not be saved yet. */
  readonly removed = new Set<string>()
  private readonly rows = new Map<string, Row>()
  /** Keys of single events whose bodies could be evicted from memory. */
  private readonly idle = new Set<string>()
  /** Keys of records by the record that contains them according to the service, such as subtasks. */
  private readonly within = new IdIndex()
  private readonly byCollection = new Map<CollectionName, Map<string, Row>>()
  private readonly lists = new Map<string, readonly Row[]>()
  /** Number of changes of each small collection, and of downloads. */
  private readonly changes = new Map<CollectionName | 'downloads', number>()
  /** True once the window has all rows of the store. Until then, any row may be on disk only. */
  isFilled = false
  /** Keys of rows set since the current read of the store began. */
  private touched: Set<string> | null = null
  /** Rows before the running change by a pull or an outcome. */
  private before: Map<string, Before> | null = null
  private readonly tables = new Map<CollectionName, WindowTable>()

  constructor(
    readonly behaviors: Behaviors,
    private readonly layouts: Layouts = newestLayouts,
    /** Facts about the account's collections, in its services' versions. */
    readonly facts: Facts = factsOf(),
  ) {
    this.outbox = new Outbox(facts, behaviors.indexes)
  }

  row(key: string): Row | undefined {
    return this.rows.get(key)
  }

  /** Visible rows of a small collection. Remains the same array until the collection changes. */
  list(collection: CollectionName, parent?: string): readonly Row[] {
    const name = parent === undefined ? collection : listName(collection, parent)
    let list = this.lists.get(name)
    if (!list) {
      const all = [...(this.byCollection.get(collection)?.values() ?? [])]
      list = all.filter((row) => row.value !== null && (parent === undefined || row.parent === parent))
      this.lists.set(name, list)
    }
    return list
  }

  /** A number that grows whenever one of these changes: rows of small collections, or the chosen downloads. */
  revision(of: Iterable<CollectionName | 'downloads'>): number {
    let sum = 0
    for (const name of of) sum += this.changes.get(name) ?? 0
    return sum
  }

  noteChange(name: CollectionName | 'downloads'): void {
    this.changes.set(name, (this.changes.get(name) ?? 0) + 1)
  }

  /** All rows, including hidden ones such as those to be deleted. */
  everyRow(collection: CollectionName): Row[] {
    return [...(this.byCollection.get(collection)?.values() ?? [])]
  }

  /** Entries that change this row, oldest first. */
  entriesOf(key: string): OutboxEntry[] {
    return this.outbox.find('shows', key)
  }

  mark(key: string): Mark {
    return markOf(this.entriesOf(key))
  }

  /** All entries, oldest first. */
  entries(): readonly OutboxEntry[] {
    return this.outbox.list()
  }

  setEntry(id: string, entry: OutboxEntry | null): void {
    const before = this.outbox.shownBy(id)
    if (entry) this.outbox.put(entry)
    else this.outbox.delete(id)
    const now = this.outbox.shownBy(id)
    for (const key of before === now ? now : new Set([...before, ...now])) this.refresh(key)
  }

  /** Keys of records that the service has inside the one of this ID. */
  keysWithin(id: string): string[] {
    return [...this.within.ids(id)]
  }

  setStored(key: string, row: StoredRow | null): void {
    this.touched?.add(key)
    this.keepStored(key, row)
    if (row) this.removed.delete(key)
    else this.removed.add(key)
    if (!row && !this.outbox.any('shows', key)) this.window.remove(key)
    this.refresh(key)
  }

  /** Keys of the rows that are set from now on, until `endTouched`. */
  watchTouched(): ReadonlySet<string> {
    return (this.touched = new Set())
  }

  endTouched(): void {
    this.touched = null
  }

  /** Runs a change by a pull or an outcome, and notes which rows then show something else: see `RemoteSeq`. */
  remotely<T>(work: () => T): T {
    const before = new Map<string, Before>()
    this.before = before
    try {
      const value = work()
      this.noteChanged(before)
      return value
    } finally {
      this.before = null
    }
  }

  private noteChanged(before: ReadonlyMap<string, Before>): void {
    // A new record’s row moves to the key that the service chose.
    const moved = new Map<string, string>()
    for (const key of before.keys()) {
      const real = this.realKey(key)
      if (real !== key) moved.set(real, key)
    }
    for (const [to, from] of moved) this.remote.rename(from, to)
    const changed: string[] = []
    for (const [key, { row, onDisk }] of before) {
      if (moved.size > 0 && moved.get(this.realKey(key)) === key) continue
      const shown = row ?? before.get(moved.get(key) ?? '')?.row
      // A new row hasn't been seen before. The earlier content of a row on disk is unknown here.
      if (shown ? this.showsChange(shown, this.rows.get(key)) : onDisk) changed.push(key)
    }
    if (changed.length === 0) return
    const seq = this.remote.raise(changed)
    for (const key of changed) {
      const row = this.rows.get(key)
      if (row) row.remoteSeq = seq
    }
  }

  /** True if a row shows something else, or would without the pending edits on top. */
  private showsChange(was: Row, now: Row | undefined): boolean {
    const { rules } = this.facts.of(was.collection)
    if (!was.value || !now?.value) return was.value !== (now?.value ?? null) || (now?.base ?? null) !== was.base
    if (changedFields(rules, was.value, now.value).length > 0) return true
    if (now.mark === 'synced' || !was.base || !now.base) return false
    const below = new Set(changedFields(rules, now.base, now.value))
    return changedFields(rules, was.base, now.base).some((field) => below.has(field))
  }

  private noteBefore(key: string): void {
    if (!this.before || this.before.has(key)) return
    const row = this.rows.get(key)
    this.before.set(key, { row, onDisk: !row && this.mayLieOnDisk(key) })
  }

  /** Adds the drawn fields of a block's rows, except those that are newer in memory. Returns true if there were any. */
  takeBlock(block: LiveBlock, newer: ReadonlySet<string> = new Set()): boolean {
    const { collection, parent } = parseBlockKey(block.head.key)
    const { item } = this.layouts.of(collection)
    if (!item) {
      return this.table(collection).takeBlock(block)
    }
    let taken = false
    for (let row = 0; row < rowsOf(block); row++) {
      if (block.dead.has(row)) continue
      const id = textAt(block.head.ids, row)
      const key = recordKey(collection, parent, id)
      if (newer.has(key) || this.rows.has(key) || this.window.get(key)) continue
      const { fields, words } = item(id, (column) => cellAt(block.head.columns[column]!, row))
      this.window.set(key, drawn(key, parent!, fields, 'synced'), words)
      taken = true
    }
    return taken
  }

  /** The columns of a collection of which memory holds no bodies. */
  columns(collection: CollectionName): WindowTable {
    return this.table(collection)
  }

  /** Follows moves in the store. Cells of rows that are now in blocks are then only in those blocks. */
  follow({ added, dropped, dead, laid, gone }: Moved): void {
    for (const block of added) {
      const { collection } = parseBlockKey(block.head.key)
      if (this.isTable(collection)) this.table(collection).addBlock(block)
    }
    for (const key of dropped) this.tables.get(parseBlockKey(key).collection)?.dropBlock(key)
    for (const { key, rows } of dead) this.tables.get(parseBlockKey(key).collection)?.leaveBlock(key, rows)
    for (const { key, sum } of laid) this.tables.get(collectionOf(key))?.laid(key, sum)
    for (const key of gone) this.tables.get(collectionOf(key))?.gone(key)
  }

  /** True if a row's body may be on disk only. */
  mayLieOnDisk(key: string): boolean {
    if (this.rows.has(key)) return false
    return this.window.get(key) !== undefined || this.isTable(collectionOf(key))
  }

  /** True if rows of a collection may be on disk and not in memory. */
  isWindow(collection: CollectionName): boolean {
    return this.layouts.of(collection).keep === 'window'
  }

  /** True if memory holds columns of its fields. */
  isTable(collection: CollectionName): boolean {
    const { keep, item } = this.layouts.of(collection)
    return keep === 'window' && !item
  }

  private table(collection: CollectionName): WindowTable {
    let table = this.tables.get(collection)
    if (!table) this.tables.set(collection, (table = new WindowTable(this.layouts.of(collection))))
    return table
  }

  private keepStored(key: string, row: StoredRow | null): void {
    const [from, to] = [parentOf(this.stored.get(key)), parentOf(row)]
    if (from !== to) {
      if (from !== undefined) this.within.delete(from, key)
      if (to !== undefined) this.within.add(to, key)
    }
    if (row) this.stored.set(key, row)
    else this.stored.delete(key)
  }

  /** Keeps the body of a row that was read from the store, until the row is derived again. */
  hold(row: StoredRow): void {
    if (this.stored.has(row.key)) return
    this.keepStored(row.key, row)
    this.idle.add(row.key)
    const { key, collection, parent, id, base, etag, complete } = row
    const remoteSeq = this.remote.of(key)
    this.rows.set(key, { key, collection, parent, id, value: base, base, etag, complete, mark: 'synced', remoteSeq })
  }

  /** Frees bodies that no pending edit needs. Called only between two changes, once the store has everything. */
  letGo(): void {
    for (const key of this.idle) {
      if (this.outbox.any('shows', key) || this.stored.get(key)?.series) continue
      this.keepStored(key, null)
      this.rows.delete(key)
    }
    this.idle.clear()
    this.removed.clear()
  }

  /** Returns a snapshot of a row for `restore`. */
  snapshot(key: string): () => void {
    const stored = this.stored.get(key)
    const known = this.window.get(key)
    const cells = this.tables.get(collectionOf(key))?.snapshot(key)
    const isRemoved = this.removed.has(key)
    return () => {
      if (stored) this.setStored(key, stored)
      else {
        this.setStored(key, null)
        if (!isRemoved) this.removed.delete(key)
        if (known && !this.rows.has(key)) this.window.set(key, known.item, known.words)
        cells?.()
      }
    }
  }

  /** Returns the keys of rows whose bodies may be on disk only. */
  onDisk(keys: readonly string[]): string[] {
    return keys.filter((key) => this.mayLieOnDisk(key) || this.isUnread(key))
  }

  private isUnread(key: string): boolean {
    const isKnown = this.isFilled || this.rows.has(key) || this.touched?.has(key) === true
    return !isKnown && this.isWindow(collectionOf(key))
  }

  /** The real ID of a record that a caller may still know by its local one. */
  realId(id: string, place?: Place): string {
    let real = id
    for (let next = this.renamedTo(real, place); next !== undefined; next = this.renamedTo(real, place)) real = next
    const instance = real === id ? parseInstanceId(id) : undefined
    return instance ? `${this.realId(instance.masterId, place)}_${instance.suffix}` : real
  }

  private renamedTo(id: string, place: Place | undefined): string | undefined {
    return namedIn(this.renamed, id, place)
  }

  /** The current key of a row that a caller may still know by its local ID. */
  realKey(key: string): string {
    if (this.renamed.size === 0) return key
    const { id, ...before } = parseRecordKey(key)
    const place = this.realPlace(before)
    return recordKey(place.collection, place.parent, this.realId(id, place))
  }

  /** The key that a record had first since this start, which views use to keep a row in place. */
  firstKey(key: string): string {
    if (this.firstIds.size === 0) return key
    const { collection, parent, id } = parseRecordKey(key)
    const first = (one: string, place?: Place): string => namedIn(this.firstIds, one, place) ?? one
    return recordKey(collection, parent === null ? null : first(parent), first(id, { collection, parent }))
  }

  /** Returns plain data about a record with local IDs replaced by server IDs, if known. */
  withRealIds<T>(data: T): T {
    if (this.renamed.size === 0) return data
    const said = placeIn(data)
    const place = said && this.realPlace(said)
    return renameIds(data, (id) => (this.renamedTo(id, place) === undefined ? undefined : this.realId(id, place)))
  }

  private realPlace({ collection, parent }: Place): Place {
    return { collection, parent: parent === null ? null : this.realId(parent) }
  }

  /** Derives a row again from the service's state and its pending entries. */
  private refresh(key: string): void {
    this.noteBefore(key)
    const entries = this.entriesOf(key)
    const stored = this.stored.get(key)
    const { collection, parent, id } = parseRecordKey(key)
    if (!stored && entries.length === 0) {
      this.drop(key, collection, parent)
      return
    }
    const base = stored?.base ?? null
    const value = entries.length === 0 ? base : fold(key, base, entries, this.facts.of(collection).rules)
    const row: Row = {
      key,
      collection,
      parent,
      id,
      value: value && hiddenForm(value) ? null : value,
      base,
      ...(stored?.etag !== undefined && { etag: stored.etag }),
      complete: stored?.complete ?? false,
      mark: markOf(entries),
      remoteSeq: this.remote.of(key),
    }
    const waiting = entries.length > 0
    this.rows.set(key, row)
    const idle = this.behaviors.of(collection).place?.(this, row, value, waiting) ?? !waiting
    if (!this.isWindow(collection)) return this.changeRows(collection, parent, (rows) => rows.set(key, row))
    if (this.isTable(collection)) this.tabulate(row, stored, waiting)
    if (idle) this.idle.add(key)
  }

  private tabulate(row: Row, stored: StoredRow | undefined, waiting: boolean): void {
    const { key, collection, parent, id, value, complete } = row
    const table = this.table(collection)
    if (value === null) table.remove(key)
    else table.set(waiting || !stored ? { key, collection, parent, id, base: value, complete } : stored, !waiting)
  }

  private drop(key: string, collection: CollectionName, parent: string | null): void {
    const behavior = this.behaviors.of(collection)
    this.rows.delete(key)
    this.idle.delete(key)
    behavior.drop?.(this, key)
    if (this.isTable(collection)) this.table(collection).remove(key)
    else if (!this.isWindow(collection)) this.changeRows(collection, parent, (rows) => rows.delete(key))
  }

  /** Changes the rows of a small collection. */
  private changeRows(
    collection: CollectionName,
    parent: string | null,
    change: (rows: Map<string, Row>) => unknown,
  ): void {
    let rows = this.byCollection.get(collection)
    if (!rows) this.byCollection.set(collection, (rows = new Map()))
    change(rows)
    this.noteChange(collection)
    this.lists.delete(collection)
    this.lists.delete(listName(collection, parent))
  }
}

interface Before {
  row: Row | undefined
  onDisk: boolean
}

const listName = (collection: CollectionName, parent: string | null): string => recordKey(collection, parent, '')

const parentOf = (row: StoredRow | null | undefined): string | undefined =>
  typeof row?.base.parent === 'string' ? row.base.parent : undefined

/** True for a canceled occurrence, which is never visible as a row. */
const hiddenForm = (value: JsonObject): boolean => value.status === 'cancelled'

function markOf(entries: readonly OutboxEntry[]): Mark {
  if (entries.length === 0) return 'synced'
  if (entries.some((entry) => entry.state === 'needsYou')) return 'needsYou'
  if (entries.some((entry) => entry.state === 'sending')) return 'sending'
  return 'local'
}
