import { parseBlockKey, rowsPerBlock } from './block'
import { aliveIn, rowsOf, type LiveBlock, type Shelf } from './shelf'

export interface FoldLimits {
  /** Number of separate rows worth moving into blocks. */
  loose: number
  /** Approximate number of rows per transaction. */
  rows: number
}

export interface FoldJob {
  /** IDs of separate rows that may enter blocks. */
  loose: string[]
  /** Blocks to rebuild together with the rows that enter these slots. */
  blocks(slots: ReadonlySet<string>): LiveBlock[]
}

/** Chooses the next job on a shelf. Each job leaves less to do, so this terminates. */
export function foldJob(shelf: Shelf, limits: FoldLimits): FoldJob | undefined {
  if (shelf.loose.size >= limits.loose) {
    const loose: string[] = []
    for (const id of shelf.loose) if (loose.push(id) >= limits.rows) break
    return {
      loose,
      blocks: (slots) =>
        few(
          [...partialBySlot(shelf)].flatMap(([slot, all]) => (slots.has(slot) ? all : [])),
          limits,
        ),
    }
  }
  for (const blocks of partialBySlot(shelf).values()) {
    const alive = blocks.reduce((sum, block) => sum + aliveIn(block), 0)
    if (blocks.length > Math.ceil(alive / rowsPerBlock) + 1) return { loose: [], blocks: () => few(blocks, limits, 3) }
  }
  const holey = shelf.all().find((block) => block.dead.size * 3 > rowsOf(block))
  return holey && { loose: [], blocks: () => [holey] }
}

/** Blocks with room, by slot. */
function partialBySlot(shelf: Shelf): Map<string, LiveBlock[]> {
  const slots = new Map<string, LiveBlock[]>()
  for (const block of shelf.all()) {
    if (aliveIn(block) * 4 >= rowsPerBlock * 3) continue
    const { slot } = parseBlockKey(block.head.key)
    const known = slots.get(slot)
    if (known) known.push(block)
    else slots.set(slot, [block])
  }
  return slots
}

/** The first blocks, with about as many rows as one fold handles. */
function few(blocks: readonly LiveBlock[], { rows }: FoldLimits, minBlocks = 0): LiveBlock[] {
  let left = rows
  return blocks.filter((block, index) => (left -= aliveIn(block)) >= 0 || index < minBlocks)
}
