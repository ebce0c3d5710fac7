import { dayMs, minuteMs } from '../../../ui/dates'
import type { Entry } from './entry'

/** The part of a timed entry that falls on one day, side by side with what it overlaps. */
export interface Block {
  entry: Entry
  /** Minutes after midnight, 0 to 1440. */
  from: number
  to: number
  /** 0-based column of `columns`, as wide as `span` columns. */
  column: number
  columns: number
  span: number
  /** Whether the entry begins and ends in this part. */
  head: boolean
  tail: boolean
}

/** An entry shorter than this is drawn, and collides, as if it lasted this long. */
export const drawnAtLeast = 20

/** Timed entries of one day (wall midnight), laid out so that none covers another. */
export function dayBlocks(entries: readonly Entry[], day: number): Block[] {
  const blocks: Block[] = []
  for (const entry of entries) {
    if (entry.bar || entry.lastDay < day || entry.firstDay > day) continue
    const from = Math.max(0, (entry.start - day) / minuteMs)
    const to = Math.min(1440, (entry.end - day) / minuteMs)
    blocks.push({
      entry,
      from,
      to,
      column: 0,
      columns: 1,
      span: 1,
      head: entry.start >= day,
      tail: entry.end <= day + dayMs,
    })
  }
  blocks.sort((a, b) => a.from - b.from || b.to - a.to || (a.entry.key < b.entry.key ? -1 : 1))

  let cluster: Block[] = []
  let clusterEnd = -1
  for (const block of blocks) {
    if (block.from >= clusterEnd) {
      spread(cluster)
      cluster = []
      clusterEnd = -1
    }
    cluster.push(block)
    clusterEnd = Math.max(clusterEnd, drawnEnd(block))
  }
  spread(cluster)
  return blocks
}

export const drawnEnd = (block: Pick<Block, 'from' | 'to'>): number => Math.max(block.to, block.from + drawnAtLeast)

/** Blocks that touch each other directly or through others share one set of columns. */
function spread(cluster: readonly Block[]): void {
  const columns: Block[][] = []
  for (const block of cluster) {
    let at = columns.findIndex((column) => drawnEnd(column.at(-1)!) <= block.from)
    if (at < 0) at = columns.push([]) - 1
    columns[at]!.push(block)
    block.column = at
  }
  for (const block of cluster) {
    block.columns = columns.length
    // Grow over the columns to the right that are free at this time.
    while (block.column + block.span < columns.length && columns[block.column + block.span]!.every((other) => !crosses(block, other))) {
      block.span++
    }
  }
}

const crosses = (a: Block, b: Block): boolean => a.from < drawnEnd(b) && b.from < drawnEnd(a)
