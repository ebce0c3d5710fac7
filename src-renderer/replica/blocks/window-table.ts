import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { StoredRow } from '../stored-row'
import { parseBlockKey, rowText, sumOf, type Head } from './block'
import { cellAt, rowsOfText, textAt } from './block-columns'
import type { Cell, Layout } from './layout'
import { rowsOf, type LiveBlock } from './shelf'

/** Cells of one row, by the number of their column. */
export type Cells = (column: number) => Cell

/** A snapshot of some rows. */
export interface Part {
  readonly count: number
  /** The block that contains the rows. */
  readonly block?: LiveBlock
  /** Identity of separate rows: the same object in later parts while the row is unchanged. */
  readonly same?: (row: number) => object
  /** Rows that were deleted or superseded by another part. */
  readonly gone: ReadonlySet<number>
  /** Undefined if the row is gone. */
  key(row: number): string | undefined
  cell(row: number, column: number): Cell
  /** Row of a record in this part. -1 if not found. */
  find(key: string): number
}

/** Maximum number of IDs to search in a block's texts. For more, visiting each row is faster. */
const fewIds = 32

function rowsOfAny(head: Head, ids: ReadonlySet<string>): number[] {
  if (ids.size <= fewIds) return [...ids].flatMap((id) => rowsOfText(head.ids, id))
  return Array.from(head.sums.keys()).filter((row) => ids.has(textAt(head.ids, row)))
}

const cellsIn =
  ({ head }: LiveBlock, row: number): Cells =>
  (column) =>
    cellAt(head.columns[column]!, row)

const numbered = new WeakMap<Head, ReadonlyMap<string, number>>()

/** Index of a block's rows by ID, for the few that moved since their position was known. */
function rowsById(head: Head): ReadonlyMap<string, number> {
  let rows = numbered.get(head)
  if (!rows) {
    rows = new Map(Array.from(head.sums, (_sum, row) => [textAt(head.ids, row), row]))
    numbered.set(head, rows)
  }
  return rows
}

/**
 * Columns of a collection whose bodies aren't in memory: blocks as they are on disk, plus rows that are newer than
 * their block or separate.
 */
export class WindowTable {
  private readonly blocks = new Map<string, LiveBlock>()
  /** Keys of removed blocks. */
  private readonly dropped = new Set<string>()
  /** Rows newer than any block. null: deleted. */
  private readonly own = new Map<string, { cells: readonly Cell[]; sum?: number } | null>()
  /** The parts of all rows and of parents, until something changes. */
  private readonly made = new Map<string | undefined, { parts: Part[]; dead: number }>()

  constructor(private readonly layout: Layout) {}

  /** Names of the columns, in their order. */
  get columns(): readonly string[] {
    return this.layout.columns
  }

  /**
   * @param stored true if the row on disk equals the visible one, so that it may be evicted once a block contains it
   */
  set(row: StoredRow, stored: boolean): void {
    this.made.clear()
    this.own.set(row.key, { cells: this.layout.cells(row), ...(stored && { sum: sumOf(rowText(row)) }) })
  }

  remove(key: string): void {
    this.made.clear()
    this.own.set(key, null)
  }

  /** Returns a function that restores the current state of a row. */
  snapshot(key: string): () => void {
    const own = this.own.get(key)
    return () => {
      this.made.clear()
      if (own === undefined) this.own.delete(key)
      else this.own.set(key, own)
    }
  }

  /** A block that was just written. */
  addBlock(block: LiveBlock): void {
    this.made.clear()
    this.dropped.delete(block.head.key)
    this.blocks.set(block.head.key, block)
  }

  /** Adds a block that was read earlier. Returns false if it's gone. */
  takeBlock(block: LiveBlock): boolean {
    const { key } = block.head
    if (this.dropped.has(key) || this.blocks.has(key)) return false
    this.made.clear()
    this.blocks.set(key, block)
    return true
  }

  dropBlock(key: string): void {
    this.made.clear()
    this.blocks.delete(key)
    this.dropped.add(key)
  }

  /** Marks rows of a block as dead. By key, because the store may have another object for the block after rereading it. */
  leaveBlock(key: string, rows: readonly number[]): void {
    this.made.clear()
    const block = this.blocks.get(key)
    if (block) for (const row of rows) block.dead.add(row)
  }

  /** Notes that a block contains a row. If that's the newest version, only the block keeps its cells. */
  laid(key: string, sum: number): void {
    if (this.own.get(key)?.sum !== sum) return
    this.made.clear()
    this.own.delete(key)
  }

  /** Notes that a removed row is in no block. */
  gone(key: string): void {
    if (this.own.get(key) !== null) return
    this.made.clear()
    this.own.delete(key)
  }

  /** Visits every row once, blocks first. */
  each(visit: (key: string, cells: Cells) => void): void {
    for (const block of this.blocks.values()) {
      const { collection, parent } = parseBlockKey(block.head.key)
      const { ids, columns } = block.head
      for (let row = 0; row < rowsOf(block); row++) {
        if (block.dead.has(row)) continue
        const key = recordKey(collection, parent, textAt(ids, row))
        if (!this.own.has(key)) visit(key, (column) => cellAt(columns[column]!, row))
      }
    }
    for (const [key, own] of this.own) if (own) visit(key, (column) => own.cells[column])
  }

  /** Snapshot of all rows, or those of one parent, which can be read in pieces while the table changes. Blocks come first. */
  parts(parent?: string): readonly Part[] {
    // The store may have moved rows out of a block without a notification yet.
    let dead = 0
    for (const block of this.blocks.values()) dead += block.dead.size
    const known = this.made.get(parent)
    if (known?.dead === dead) return known.parts
    const parts = this.makeParts(parent)
    this.made.set(parent, { parts, dead })
    return parts
  }

  private makeParts(parent?: string): Part[] {
    const beside: [string, { cells: readonly Cell[] }][] = []
    let places: Map<string, number> | undefined
    const newer = new Map<string | null, Set<string>>()
    for (const [key, own] of this.own) {
      const at = parseRecordKey(key)
      if (parent !== undefined && at.parent !== parent) continue
      const ids = newer.get(at.parent)
      if (ids) ids.add(at.id)
      else newer.set(at.parent, new Set([at.id]))
      if (own) beside.push([key, own])
    }
    const parts: Part[] = []
    for (const block of this.blocks.values()) {
      const at = parseBlockKey(block.head.key)
      if (parent !== undefined && at.parent !== parent) continue
      const { ids, columns } = block.head
      const own = newer.get(at.parent)
      const gone = new Set(own ? [...block.dead, ...rowsOfAny(block.head, own)] : block.dead)
      const prefix = recordKey(at.collection, at.parent, '')
      parts.push({
        block,
        gone,
        count: rowsOf(block),
        key: (row) => (gone.has(row) ? undefined : prefix + textAt(ids, row)),
        cell: (row, column) => cellAt(columns[column]!, row),
        find: (key) =>
          key.startsWith(prefix) ? (rowsOfText(ids, key.slice(prefix.length)).find((row) => !gone.has(row)) ?? -1) : -1,
      })
    }
    parts.push({
      count: beside.length,
      gone: new Set(),
      key: (row) => beside[row]![0],
      cell: (row, column) => beside[row]![1].cells[column],
      same: (row) => beside[row]![1],
      find: (key) => (places ??= new Map(beside.map(([own], row) => [own, row]))).get(key) ?? -1,
    })
    return parts
  }

  /** Current cells of a row, or undefined if it's gone. `block` and `row` are its last known position. */
  cellsOf(key: string, block?: LiveBlock, row = 0): Cells | undefined {
    const own = this.own.get(key)
    if (own !== undefined) return own ? (column) => own.cells[column] : undefined
    if (block && this.blocks.has(block.head.key) && !block.dead.has(row)) return cellsIn(block, row)
    const { id } = parseRecordKey(key)
    const prefix = key.slice(0, key.length - id.length)
    for (const other of this.blocks.values()) {
      const found = other.head.key.startsWith(prefix) ? rowsById(other.head).get(id) : undefined
      if (found !== undefined && !other.dead.has(found)) return cellsIn(other, found)
    }
    return undefined
  }

  /** Number of rows held outside blocks. */
  get held(): number {
    return this.own.size
  }
}
