import { parseBlockKey, type Head } from './block'
import { textAt } from './block-columns'

/** A block's state in memory. Dead rows have moved or were deleted. */
export interface LiveBlock {
  readonly head: Head
  readonly dead: Set<number>
}

export const rowsOf = ({ head }: LiveBlock): number => head.sums.length
export const aliveIn = (block: LiveBlock): number => rowsOf(block) - block.dead.size

export interface Place {
  block: LiveBlock
  row: number
}

export interface BlockNumbers {
  next: number
}

/** Row numbers reserved per block. */
const stride = 4_096

/**
 * Place of each row of a collection and parent: in a block, or in a separate record, never both. Takes a few bytes per row
 * instead of a map entry.
 */
export class Shelf {
  private readonly blocks = new Map<string, { block: LiveBlock; number: number }>()
  private readonly numbered: (LiveBlock | undefined)[] = []
  /** Hash table of row numbers plus one, 0 is free. Rows of removed blocks stay until it is rebuilt. */
  private table = new Int32Array(64)
  private used = 0
  /** IDs of separately stored rows that might be folded into blocks, as far as known. */
  readonly loose = new Set<string>()
  /** IDs of rows that must stay separate. */
  readonly fixed = new Set<string>()

  /**
   * @param name `collection\nparent`
   * @param blockNumbers the counter of block numbers. It survives rereading the shelf, because bodies are cached by key, so
   * that keys must never repeat
   */
  constructor(
    readonly name: string,
    private readonly blockNumbers: BlockNumbers,
  ) {}

  /** The number of the next block. */
  nextSeq(): number {
    return this.blockNumbers.next++
  }

  add(head: Head, dead: Set<number> = new Set()): LiveBlock {
    const block: LiveBlock = { head, dead }
    const number = this.numbered.push(block) - 1
    this.blocks.set(head.key, { block, number })
    this.blockNumbers.next = Math.max(this.blockNumbers.next, parseBlockKey(head.key).seq + 1)
    for (let row = 0; row < rowsOf(block); row++)
      if (!block.dead.has(row)) this.enter(number * stride + row, block, row)
    return block
  }

  drop(key: string): void {
    const known = this.blocks.get(key)
    if (!known) return
    this.blocks.delete(key)
    this.numbered[known.number] = undefined
  }

  all(): LiveBlock[] {
    return [...this.blocks.values()].map(({ block }) => block)
  }

  find(id: string): Place | undefined {
    const mask = this.table.length - 1
    for (let at = hashOf(id) & mask; this.table[at] !== 0; at = (at + 1) & mask) {
      const found = this.table[at]! - 1
      const block = this.numbered[Math.floor(found / stride)]
      const row = found % stride
      if (block && !block.dead.has(row) && textAt(block.head.ids, row) === id) return { block, row }
    }
    return undefined
  }

  isLoose(id: string): boolean {
    return this.loose.has(id) || this.fixed.has(id)
  }

  /** IDs of all rows, in blocks or separate. */
  ids(): string[] {
    const all = [...this.loose, ...this.fixed]
    for (const { block } of this.blocks.values()) {
      for (let row = 0; row < rowsOf(block); row++) if (!block.dead.has(row)) all.push(textAt(block.head.ids, row))
    }
    return all
  }

  private enter(number: number, block: LiveBlock, row: number): void {
    if ((this.used + 1) * 2 > this.table.length) this.grow()
    this.put(number, hashOf(textAt(block.head.ids, row)))
  }

  private put(number: number, hash: number): void {
    const mask = this.table.length - 1
    let at = hash & mask
    while (this.table[at] !== 0) at = (at + 1) & mask
    this.table[at] = number + 1
    this.used++
  }

  private grow(): void {
    const old = this.table
    this.table = new Int32Array(old.length * 2)
    this.used = 0
    for (const entry of old) {
      if (entry === 0) continue
      const block = this.numbered[Math.floor((entry - 1) / stride)]
      const row = (entry - 1) % stride
      if (block && !block.dead.has(row)) this.put(entry - 1, hashOf(textAt(block.head.ids, row)))
    }
  }
}

export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}
