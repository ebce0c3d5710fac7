import { recordKey } from '#shared/domain/collections'
import type { StoredRow } from '../stored-row'
import { parseBlockKey, rowText, sumOf } from './block'
import { cellAt, textAt } from './columns'
import type { Cell, Layout } from './layout'
import { rowsOf, type LiveBlock } from './shelf'

/** Cells of one row, by the number of their column. */
export type Cells = (column: number) => Cell

/**
 * The columns of a collection of which memory holds no bodies: those of blocks as they lie on disk, and beside them rows
 * that are newer than their block or in none.
 */
export class WindowTable {
  private readonly blocks = new Map<string, LiveBlock>()
  /** Keys of blocks that are no more. */
  private readonly dropped = new Set<string>()
  /** Newer than any block. null: there is no such row any more. */
  private readonly own = new Map<string, { cells: readonly Cell[]; sum?: number } | null>()

  constructor(private readonly layout: Layout) {}

  /** Names of the columns, in their order. */
  get columns(): readonly string[] {
    return this.layout.columns
  }

  /** `stored`: what the row is on disk or will be, where that is what people see; it need not be held once a block has it. */
  set(row: StoredRow, stored: boolean): void {
    this.own.set(row.key, { cells: this.layout.cells(row), ...(stored && { sum: sumOf(rowText(row)) }) })
  }

  remove(key: string): void {
    this.own.set(key, null)
  }

  /** What a later call brings back as it was. */
  snapshot(key: string): () => void {
    const own = this.own.get(key)
    return () => {
      if (own === undefined) this.own.delete(key)
      else this.own.set(key, own)
    }
  }

  /** A block that was just written. */
  addBlock(block: LiveBlock): void {
    this.dropped.delete(block.head.key)
    this.blocks.set(block.head.key, block)
  }

  /** A block as it was read a while ago: it may be gone by now. Whether it is still there. */
  takeBlock(block: LiveBlock): boolean {
    const { key } = block.head
    if (this.dropped.has(key) || this.blocks.has(key)) return false
    this.blocks.set(key, block)
    return true
  }

  dropBlock(key: string): void {
    this.blocks.delete(key)
    this.dropped.add(key)
  }

  /** The store may know the block by another object, once it had to read it again. */
  leaveBlock(key: string, rows: readonly number[]): void {
    const block = this.blocks.get(key)
    if (block) for (const row of rows) block.dead.add(row)
  }

  /** A row lies in a block by now: where it is still the newest, its cells are the block's. */
  laid(key: string, sum: number): void {
    if (this.own.get(key)?.sum === sum) this.own.delete(key)
  }

  /** A row that was removed is in no block any more. */
  gone(key: string): void {
    if (this.own.get(key) === null) this.own.delete(key)
  }

  /** Every row once: first those of blocks, then those beside them. */
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

  /** Rows that are held beside the blocks. */
  get held(): number {
    return this.own.size
  }
}
