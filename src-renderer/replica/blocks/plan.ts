import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { Moved, RawWrite } from '../store'
import type { StoredRow } from '../stored-row'
import { laid, laidAt, makeBlock, parseBlockKey, rowsPerBlock, type Body, type Laid } from './block'
import type { FoldLimits } from './fold'
import type { Layouts } from './layouts'
import { rowsOf, type LiveBlock, type Shelf } from './shelf'
import { sliced } from './sliced'

export interface BlockLimits extends FoldLimits {
  /** Minimum number of new rows for a block. Fewer are stored separately until they're folded. */
  minRows: number
}

export const usualLimits: BlockLimits = { minRows: 8, loose: 200, rows: 1_024 }

/** A row about to enter a block. `row` is set unless it comes from another block. */
type Coming = Laid & { row?: StoredRow }

/** One transaction on rows of windows: its writes, and the state of the shelves after it. */
export class Plan {
  readonly writes: RawWrite[] = []
  readonly shelves = new Set<Shelf>()
  private readonly killed = new Map<LiveBlock, { shelf: Shelf; rows: Set<number> }>()
  private readonly emptied = new Set<LiveBlock>()
  private readonly coming = new Map<Shelf, Map<string, Coming[]>>()
  private readonly known: (() => void)[] = []
  private readonly moved: Moved = { added: [], dropped: [], dead: [], laid: [], gone: [] }

  constructor(
    private readonly layouts: Layouts,
    private readonly limits: BlockLimits,
  ) {}

  /** @param fresh true for one of many rows that arrive together, which should form blocks */
  put(shelf: Shelf, row: StoredRow, fresh: boolean): void {
    this.shelves.add(shelf)
    const layout = this.layouts.of(row.collection)
    const slot = layout.slot(row)
    if (slot === null || !fresh) return this.putAlone(shelf, row, slot === null)
    const one = laid(row, layout)
    const place = shelf.find(row.id)
    const same = place?.block.head.sums[place.row] === one.sum
    if (place && same && parseBlockKey(place.block.head.key).slot === slot) {
      this.moved.laid.push({ key: row.key, sum: one.sum })
      return
    }
    this.slot(shelf, slot).push({ ...one, row })
  }

  remove(shelf: Shelf, key: string, id: string): void {
    this.shelves.add(shelf)
    this.leave(shelf, key, id)
    this.moved.gone.push(key)
  }

  /** Removes a separate row that doesn't exist. */
  vanished(shelf: Shelf, id: string): void {
    this.known.push(() => {
      shelf.loose.delete(id)
      shelf.fixed.delete(id)
    })
  }

  /** Marks a row that must stay separate. */
  fix(shelf: Shelf, id: string): void {
    this.known.push(() => {
      shelf.loose.delete(id)
      shelf.fixed.add(id)
    })
  }

  /** Slots that rows of a shelf enter. */
  slots(shelf: Shelf): ReadonlySet<string> {
    return new Set(this.coming.get(shelf)?.keys())
  }

  /** Takes the live rows from a block, to store them elsewhere. */
  empty(shelf: Shelf, block: LiveBlock, body: Body): void {
    this.shelves.add(shelf)
    const rows = this.slot(shelf, parseBlockKey(block.head.key).slot)
    for (let row = 0; row < rowsOf(block); row++) {
      if (!block.dead.has(row)) rows.push(laidAt({ head: block.head, body }, row))
    }
    this.drop(shelf, block)
  }

  /** Creates blocks from the collected rows, and records which rows are dead. */
  lay(): void {
    for (const [shelf, slots] of this.coming) for (const [slot, rows] of slots) this.laySlot(shelf, slot, rows)
    for (const [block, { shelf, rows }] of this.killed) {
      if (this.emptied.has(block)) continue
      const dead = [...block.dead, ...rows]
      if (dead.length === rowsOf(block)) this.drop(shelf, block)
      else {
        this.writes.push({ table: 'dead', put: { key: block.head.key, rows: dead } })
        this.moved.dead.push({ key: block.head.key, rows: [...rows] })
        this.known.push(() => rows.forEach((row) => block.dead.add(row)))
      }
    }
  }

  /** Updates the shelves after the transaction succeeded. Returns the moved rows. */
  book(): Moved {
    for (const step of this.known) step()
    return this.moved
  }

  private slot(shelf: Shelf, slot: string): Coming[] {
    let slots = this.coming.get(shelf)
    if (!slots) this.coming.set(shelf, (slots = new Map()))
    let rows = slots.get(slot)
    if (!rows) slots.set(slot, (rows = []))
    return rows
  }

  private laySlot(shelf: Shelf, slot: string, rows: readonly Coming[]): void {
    const few = rows.length < this.limits.minRows && rows.every(({ row }) => row !== undefined)
    if (few) return rows.forEach(({ row }) => this.putAlone(shelf, row!, false))
    const [collection, parent] = shelf.name.split('\n') as [CollectionName, string]
    const place = { collection, parent: parent === '' ? null : parent, slot }
    for (const part of sliced(rows, rowsPerBlock)) {
      const { head, body } = makeBlock({ ...place, seq: shelf.nextSeq() }, part, this.layouts.of(collection))
      this.writes.push({ table: 'heads', put: head }, { table: 'bodies', put: body })
      for (const { id, sum, row } of part) {
        const key = recordKey(collection, place.parent, id)
        this.leave(shelf, key, id)
        if (row) this.moved.laid.push({ key, sum })
      }
      this.known.push(() => this.moved.added.push(shelf.add(head)))
    }
  }

  private putAlone(shelf: Shelf, row: StoredRow, fixed: boolean): void {
    this.kill(shelf, row.id)
    this.writes.push({ table: 'rows', put: row })
    this.known.push(() => {
      const [to, from] = fixed ? [shelf.fixed, shelf.loose] : [shelf.loose, shelf.fixed]
      to.add(row.id)
      from.delete(row.id)
    })
  }

  /** Marks a row's old position as dead. */
  private leave(shelf: Shelf, key: string, id: string): void {
    this.kill(shelf, id)
    if (!shelf.isLoose(id)) return
    this.writes.push({ table: 'rows', remove: key })
    this.vanished(shelf, id)
  }

  private kill(shelf: Shelf, id: string): void {
    const place = shelf.find(id)
    if (!place) return
    const known = this.killed.get(place.block)
    if (known) known.rows.add(place.row)
    else this.killed.set(place.block, { shelf, rows: new Set([place.row]) })
  }

  private drop(shelf: Shelf, block: LiveBlock): void {
    const { key } = block.head
    this.emptied.add(block)
    this.writes.push({ table: 'heads', remove: key }, { table: 'bodies', remove: key }, { table: 'dead', remove: key })
    this.moved.dropped.push(key)
    this.known.push(() => shelf.drop(key))
  }
}
