import { dayMs, minuteMs } from '../../../ui/dates'
import type { Block, Rest } from './block'
import { cascade, narrowestColumn, type Room } from './cascade'
import type { Entry } from './entry'

/** An entry shorter than this is drawn, and collides, as if it lasted this long. */
export const drawnAtLeast = 20

/**
 * Lays out the timed entries of one day (wall midnight) in at most `maxColumns` columns. The last one counts entries that
 * don't fit. With `room`, entries lie over each other where columns would be too narrow to read.
 */
export function dayLayout(
  entries: readonly Entry[],
  day: number,
  maxColumns = Infinity,
  room?: Room,
): { blocks: Block[]; rests: Rest[] } {
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

  const rests: Rest[] = []
  let cluster: Block[] = []
  let clusterEnd = -1
  for (const block of blocks) {
    if (block.from >= clusterEnd) {
      const own = spread(cluster, maxColumns, room)
      // A cascade may reach below the ends of its entries. What starts there is part of it.
      if (block.from >= lowest([...cluster.filter(({ columns }) => columns > 0), ...own])) {
        rests.push(...own)
        cluster = []
      }
    }
    cluster.push(block)
    clusterEnd = Math.max(clusterEnd, drawnEnd(block))
  }
  rests.push(...spread(cluster, maxColumns, room))
  return { blocks: rests.length === 0 ? blocks : blocks.filter((block) => block.columns > 0), rests }
}

const lowest = (drawn: readonly (Block | Rest)[]): number => Math.max(-1, ...drawn.map(drawnEnd))

/** Where a block ends on screen. */
export const drawnEnd = (block: Pick<Block, 'from' | 'to' | 'cascade'>): number =>
  block.cascade?.bottom ?? Math.max(block.to, block.from + drawnAtLeast)

/** Blocks that overlap directly or through others share a set of columns. Those without room get none, and are counted. */
function spread(cluster: readonly Block[], maxColumns: number, room: Room | undefined): Rest[] {
  for (const block of cluster) delete block.cascade
  const columns: Block[][] = []
  // A draft takes the first column, so that it's never among the entries that don't fit.
  const drafts = cluster.filter((block) => block.entry.draft)
  for (const block of drafts.length > 0 ? [...drafts, ...cluster.filter((block) => !block.entry.draft)] : cluster) {
    let at = columns.findIndex((column) => drawnEnd(column.at(-1)!) <= block.from)
    if (at < 0) at = columns.push([]) - 1
    columns[at]!.push(block)
    block.column = at
  }
  if (room && columns.length > 1 && room.width / columns.length < narrowestColumn) return cascade(cluster, room)
  const count = Math.min(columns.length, maxColumns)
  const rests = columns.length > maxColumns ? gather(columns.slice(maxColumns - 1).flat(), count) : []
  const full = columns.length > maxColumns ? maxColumns - 1 : count
  for (const block of cluster) {
    block.columns = block.column < full ? count : 0
    // Grow over the columns to the right that are free at this time.
    while (
      block.column + block.span < full &&
      columns[block.column + block.span]!.every((other) => !crosses(block, other))
    ) {
      block.span++
    }
  }
  return rests
}

function gather(hidden: readonly Block[], columns: number): Rest[] {
  const rests: Rest[] = []
  for (const block of [...hidden].sort((a, b) => a.from - b.from)) {
    const last = rests.at(-1)
    if (last && last.columns === columns && block.from < last.to) {
      last.to = Math.max(last.to, drawnEnd(block))
      last.count++
      last.keys.add(block.entry.key)
    } else
      rests.push({
        from: block.from,
        to: drawnEnd(block),
        count: 1,
        keys: new Set([block.entry.key]),
        column: columns - 1,
        columns,
      })
  }
  return rests
}

const crosses = (a: Block, b: Block): boolean => a.from < drawnEnd(b) && b.from < drawnEnd(a)
