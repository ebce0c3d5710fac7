import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { itemFields, searchText, type ItemFields } from '#shared/domain/calendar-item'
import { parseInstanceId, seriesOf } from '#shared/domain/instances'
import { fold, keysOf } from '#shared/mutation/fold'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { CalendarItem, Mark, Notice, Row } from './api'
import { parseBlockKey } from './blocks/block'
import { cellAt, textAt } from './blocks/columns'
import { layouts as usualLayouts, type Layouts } from './blocks/layouts'
import { rowsOf, type LiveBlock } from './blocks/shelf'
import { WindowTable } from './blocks/window-table'
import type { Moved, StoredCursor, StoredRow } from './store'
import type { UndoStep } from './undo'
import { SeriesSet } from './series'
import { ItemWindow, merged, monthOf } from './window'

/**
 * All that is known in memory: small collections whole, of events what a calendar draws. The service's word and the
 * outbox go in; what the person sees of each row is derived at once.
 */
export class Memory {
  /** The service's word: small collections, recurring events and exceptions, and single events with waiting edits. */
  readonly stored = new Map<string, StoredRow>()
  readonly outbox = new Map<string, OutboxEntry>()
  readonly cursors = new Map<string, StoredCursor>()
  readonly undo = new Map<string, UndoStep>()
  readonly notices = new Map<string, Notice>()
  readonly window = new ItemWindow()
  readonly series = new SeriesSet()
  /** Keys of events that no calendar can draw, for want of a readable time: an export names them. */
  readonly undrawn = new Set<string>()
  /** Ids made up here, by the ids that the service gave: views may still hold the old ones. */
  readonly renamed = new Map<string, string>()
  private readonly rows = new Map<string, Row>()
  /** Single events whose bodies are in memory without need. */
  private readonly idle = new Set<string>()
  private readonly entriesByKey = new Map<string, string[]>()
  private readonly byCollection = new Map<CollectionName, Map<string, Row>>()
  private readonly lists = new Map<string, readonly Row[]>()
  /** Keys whose rows were set since somebody began to read what is stored. */
  private touched: Set<string> | null = null
  private readonly tables = new Map<CollectionName, WindowTable>()

  constructor(private readonly layouts: Layouts = usualLayouts) {}

  row(key: string): Row | undefined {
    return this.rows.get(key)
  }

  /** Visible rows of a small collection. The same array until something of the collection changes. */
  list(collection: CollectionName, parent?: string): readonly Row[] {
    const name = parent === undefined ? collection : `${collection}\n${parent}`
    let list = this.lists.get(name)
    if (!list) {
      const all = [...(this.byCollection.get(collection)?.values() ?? [])]
      list = all.filter((row) => row.value !== null && (parent === undefined || row.parent === parent))
      this.lists.set(name, list)
    }
    return list
  }

  /** Entries that change this row, oldest first. */
  entriesOf(key: string): OutboxEntry[] {
    return (this.entriesByKey.get(key) ?? []).map((id) => this.outbox.get(id)!)
  }

  /** All entries, oldest first. */
  entries(): OutboxEntry[] {
    return [...this.outbox.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  setEntry(id: string, entry: OutboxEntry | null): void {
    const before = this.outbox.get(id)
    const touched = new Set<string>()
    if (before) {
      this.outbox.delete(id)
      for (const key of keysOf(before)) {
        touched.add(key)
        const left = this.entriesByKey.get(key)!.filter((other) => other !== id)
        if (left.length > 0) this.entriesByKey.set(key, left)
        else this.entriesByKey.delete(key)
      }
    }
    if (entry) {
      this.outbox.set(id, entry)
      for (const key of keysOf(entry)) {
        touched.add(key)
        this.entriesByKey.set(key, [...(this.entriesByKey.get(key) ?? []), id].sort())
      }
    }
    for (const key of touched) this.refresh(key)
  }

  setStored(key: string, row: StoredRow | null): void {
    this.touched?.add(key)
    if (row) this.stored.set(key, row)
    else {
      this.stored.delete(key)
      if (!this.entriesByKey.has(key)) this.window.remove(key)
    }
    this.refresh(key)
  }

  /** Keys of the rows that are set from now on, until `endTouched`. */
  watchTouched(): ReadonlySet<string> {
    return (this.touched = new Set())
  }

  endTouched(): void {
    this.touched = null
  }

  /** Takes what is drawn of the rows in a block, but for those of which memory knows more. Whether there was any. */
  takeBlock(block: LiveBlock, newer: ReadonlySet<string> = new Set()): boolean {
    const { collection, parent } = parseBlockKey(block.head.key)
    const { item } = this.layouts.of(collection)
    if (!item) {
      this.table(collection).addBlock(block)
      return true
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

  /** What the store moved: columns of rows that lie in blocks by now are held by these alone. */
  follow({ added, dropped, laid, gone }: Moved): void {
    for (const block of added) {
      const { collection } = parseBlockKey(block.head.key)
      if (this.isTable(collection)) this.table(collection).addBlock(block)
    }
    for (const key of dropped) this.tables.get(parseBlockKey(key).collection)?.dropBlock(key)
    for (const { key, sum } of laid) this.tables.get(parseRecordKey(key).collection)?.laid(key, sum)
    for (const key of gone) this.tables.get(parseRecordKey(key).collection)?.gone(key)
  }

  /** Whether a row's body may lie on disk alone. */
  mayLieOnDisk(key: string): boolean {
    if (this.rows.has(key)) return false
    return this.window.get(key) !== undefined || this.isTable(parseRecordKey(key).collection)
  }

  /** Whether rows of a collection may be on disk and not in memory. */
  isWindow(collection: CollectionName): boolean {
    return this.layouts.of(collection).keep === 'window'
  }

  private isTable(collection: CollectionName): boolean {
    const { keep, item } = this.layouts.of(collection)
    return keep === 'window' && !item
  }

  private table(collection: CollectionName): WindowTable {
    let table = this.tables.get(collection)
    if (!table) this.tables.set(collection, (table = new WindowTable(this.layouts.of(collection))))
    return table
  }

  /** Keeps the body of a row that was read from the store, until the row is derived again. */
  hold(row: StoredRow): void {
    if (this.stored.has(row.key)) return
    this.stored.set(row.key, row)
    this.idle.add(row.key)
    const { key, collection, parent, id, base, etag, complete } = row
    this.rows.set(key, { key, collection, parent, id, value: base, base, etag, complete, mark: 'synced' })
  }

  /** Lets go of bodies that no waiting edit needs any more; called between two steps of change, never within one. */
  letGo(): void {
    for (const key of this.idle) {
      if (this.entriesByKey.has(key) || this.stored.get(key)?.series) continue
      this.stored.delete(key)
      this.rows.delete(key)
    }
    this.idle.clear()
  }

  /** What a later `restore` brings back as it was. */
  snapshot(key: string): () => void {
    const stored = this.stored.get(key)
    const drawn = this.window.get(key)
    const cells = this.tables.get(parseRecordKey(key).collection)?.snapshot(key)
    return () => {
      if (stored) this.setStored(key, stored)
      else {
        this.setStored(key, null)
        if (drawn && !this.rows.has(key)) this.window.set(key, drawn.item, drawn.words)
        cells?.()
      }
    }
  }

  /** The zone of a calendar, for times that name none. */
  zoneOf(calendarId: string): string | undefined {
    const zone = this.rows.get(recordKey('calendarList', null, calendarId))?.value?.timeZone
    return typeof zone === 'string' ? zone : undefined
  }

  items(
    from: number,
    to: number,
    shift: { from: number; to: number },
    calendars?: ReadonlySet<string>,
  ): CalendarItem[] {
    const first = monthOf(Math.min(from, shift.from))
    const last = monthOf(Math.max(to, shift.to) - 1)
    const found: CalendarItem[] = []
    const gone = new Map<string, boolean>()
    const visible = (calendarId: string): boolean => {
      let hidden = gone.get(calendarId)
      if (hidden === undefined) {
        hidden = this.rows.get(recordKey('calendarList', null, calendarId))?.value === null
        gone.set(calendarId, hidden)
      }
      return !hidden && (!calendars || calendars.has(calendarId))
    }
    const take = (item: CalendarItem): void => {
      const lower = item.allDay ? shift.from : from
      const upper = item.allDay ? shift.to : to
      const touches = item.start < upper && (item.end > lower || (item.end === item.start && item.start >= lower))
      if (touches && visible(item.calendarId)) found.push(item)
    }
    for (let month = first; month <= last; month++) {
      // Each month begins where the one before it ends, so that the whole comes out by start.
      merged(this.window.month(month, month === first), this.series.month(month, month === first)).forEach(take)
    }
    return found
  }

  /** Derives one row again from the service's word and its waiting entries. */
  private refresh(key: string): void {
    const entries = this.entriesByKey.has(key) ? this.entriesOf(key) : []
    const stored = this.stored.get(key)
    const { collection, parent, id } = parseRecordKey(key)
    if (!stored && entries.length === 0) {
      this.drop(key, collection, parent, id)
      return
    }
    const base = stored?.base ?? null
    const value = entries.length === 0 ? base : fold(key, base, entries)
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
    }
    if (this.layouts.of(collection).item) this.place(row, value, entries.length > 0)
    else if (this.isTable(collection)) this.tabulate(row, stored, entries.length > 0)
    else {
      this.rows.set(key, row)
      this.collectionRows(collection).set(key, row)
      this.forgetLists(collection, parent)
    }
  }

  private tabulate(row: Row, stored: StoredRow | undefined, waiting: boolean): void {
    const { key, collection, parent, id, value, complete } = row
    const table = this.table(collection)
    if (value === null) table.remove(key)
    else table.set(waiting || !stored ? { key, collection, parent, id, base: value, complete } : stored, !waiting)
    this.rows.set(key, row)
    if (!waiting) this.idle.add(key)
  }

  private place(row: Row, value: JsonObject | null, waiting: boolean): void {
    const { key, id } = row
    const calendarId = row.parent!
    const exception = parseInstanceId(id) !== undefined
    const recurring = !exception && seriesOf(value) !== undefined
    if (exception) this.series.setException(key, calendarId, id)
    if (recurring) this.series.setMaster(key, calendarId, id, value!, row.mark, this.zoneOf(calendarId))
    else this.series.removeMaster(key)
    const fields = recurring || !value ? null : itemFields(id, value, this.zoneOf(calendarId))
    if (fields) this.window.set(key, drawn(key, calendarId, fields, row.mark), searchText(value!))
    else this.window.remove(key)
    if (!fields && !recurring && value && !hiddenForm(value)) this.undrawn.add(key)
    else this.undrawn.delete(key)
    // The body of a single event without waiting edits is read from the store when it is needed.
    this.rows.set(key, row)
    if (!(waiting || exception || recurring || row.base?.recurrence)) this.idle.add(key)
  }

  private drop(key: string, collection: CollectionName, parent: string | null, id: string): void {
    this.rows.delete(key)
    this.idle.delete(key)
    if (this.isTable(collection)) this.table(collection).remove(key)
    else if (this.layouts.of(collection).item) {
      this.undrawn.delete(key)
      this.window.remove(key)
      this.series.removeMaster(key)
      this.series.removeException(parent!, id)
    } else {
      this.collectionRows(collection).delete(key)
      this.forgetLists(collection, parent)
    }
  }

  private collectionRows(collection: CollectionName): Map<string, Row> {
    let rows = this.byCollection.get(collection)
    if (!rows) this.byCollection.set(collection, (rows = new Map()))
    return rows
  }

  private forgetLists(collection: CollectionName, parent: string | null): void {
    this.lists.delete(collection)
    this.lists.delete(`${collection}\n${parent ?? ''}`)
  }
}

const drawn = (key: string, calendarId: string, fields: ItemFields, mark: Mark): CalendarItem => ({
  ...fields,
  itemKey: key,
  rowKey: key,
  calendarId,
  recurring: fields.masterId !== undefined,
  mark,
})

/** A cancelled occurrence is kept to hide one; nobody sees it as a row. */
const hiddenForm = (value: JsonObject): boolean => value.status === 'cancelled'

function markOf(entries: readonly OutboxEntry[]): Mark {
  if (entries.length === 0) return 'synced'
  if (entries.some((entry) => entry.state === 'needsYou')) return 'needsYou'
  if (entries.some((entry) => entry.state === 'sending')) return 'sending'
  return 'local'
}
