import { joinKeyParts } from '#shared/domain/collections'
import { parseBlockKey, type Head } from '../blocks/block'
import { cellAt, textAt } from '../blocks/block-columns'
import type { Cell } from '../blocks/layout'
import type { Part } from '../blocks/window-table'
import type { FrameYield } from './frame-yield'
import { ranksOf, sorted } from './order'

/** Rows of all blocks in the order of one column, with equal cells in the order of keys. */
export interface BlockOrder {
  rows: Uint32Array
  /** Starts of runs of equal cells, and the end of the last. Rows without a cell are in none. */
  runs: Uint32Array
}

export const byKeyAlone = -1
/** Number of cached orders of the same blocks. Each costs a few bytes per row. */
const maxOrders = 5

interface Known {
  heads: readonly Head[]
  /** Orders by column number. */
  orders: Map<number, BlockOrder>
}

/** Orders are valid while the blocks are the same. Cached by the first block. */
const known = new WeakMap<Head, Known[]>()

const headsOf = (parts: readonly Part[]): Head[] => parts.flatMap(({ block }) => block?.head ?? [])

function knownOf(parts: readonly Part[]): Known | undefined {
  const heads = headsOf(parts)
  const [first] = heads
  if (!first) return undefined
  const same = (one: Known): boolean =>
    one.heads.length === heads.length && one.heads.every((head, at) => head === heads[at])
  const others = known.get(first) ?? []
  const found = others.find(same)
  if (found) return found
  const made: Known = { heads, orders: new Map() }
  // Keep two, because the blocks of one parent and those of all parents may start with the same block.
  known.set(first, [made, ...others].slice(0, 2))
  return made
}

/** The cached order, if any. */
export const knownOrder = (parts: readonly Part[], column: number): BlockOrder | undefined =>
  knownOf(parts)?.orders.get(column)

function keep(parts: readonly Part[], column: number, order: BlockOrder): BlockOrder {
  const orders = knownOf(parts)?.orders
  orders?.set(column, order)
  for (const other of orders?.keys() ?? []) if (orders!.size > maxOrders && other !== byKeyAlone) orders!.delete(other)
  return order
}

/**
 * Row numbers run through all blocks, and include dead rows.
 * @param column its index, or `byKeyAlone`
 * @throws the signal's reason
 */
export async function orderBlocks(
  parts: readonly Part[],
  column: number,
  numeric: boolean,
  yielder: FrameYield,
): Promise<BlockOrder> {
  const before = knownOrder(parts, column)
  if (before) return before
  const blocks = parts.filter(({ block }) => block)
  if (column === byKeyAlone) return orderByKey(blocks, yielder)
  const keys = await keyRanks(blocks, yielder)
  const cells: Cell[] = []
  for (const { block } of blocks) {
    if (yielder.due) await yielder.take()
    const { columns, sums } = block!.head
    for (let row = 0; row < sums.length; row++) cells.push(cellAt(columns[column]!, row))
  }
  const ranks = await ranksOf(cells, numeric, yielder)
  if (yielder.due) await yielder.take()
  const rows = await sorted(ranks.length, (a, b) => compareRanks(ranks[a]!, ranks[b]!) || keys[a]! - keys[b]!, yielder)
  if (yielder.due) await yielder.take()
  const runs: number[] = []
  let at = 0
  for (; at < rows.length && ranks[rows[at]!] !== Infinity; at++)
    if (at === 0 || ranks[rows[at]!] !== ranks[rows[at - 1]!]) runs.push(at)
  return keep(parts, column, { rows, runs: Uint32Array.from(runs.concat(at)) })
}

const compareRanks = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)

/** Ranks of the keys. */
async function keyRanks(blocks: readonly Part[], yielder: FrameYield): Promise<Float64Array> {
  const order = knownOrder(blocks, byKeyAlone) ?? (await orderByKey(blocks, yielder))
  if (yielder.due) await yielder.take()
  const ranks = new Float64Array(order.rows.length)
  order.rows.forEach((row, rank) => (ranks[row] = rank))
  return ranks
}

async function orderByKey(blocks: readonly Part[], yielder: FrameYield): Promise<BlockOrder> {
  const keys: string[] = []
  for (const { block } of blocks) {
    if (yielder.due) await yielder.take()
    const { head } = block!
    const prefix = joinKeyParts([parseBlockKey(head.key).parent ?? '', ''])
    for (let row = 0; row < head.sums.length; row++) keys.push(prefix + textAt(head.ids, row))
  }
  const rows = await sorted(keys.length, (a, b) => (keys[a]! < keys[b]! ? -1 : keys[a] === keys[b] ? 0 : 1), yielder)
  return keep(blocks, byKeyAlone, { rows, runs: Uint32Array.from({ length: rows.length + 1 }, (_unused, at) => at) })
}

/** The selected rows in order. Rows without a cell come last in both directions. */
export function pickInOrder({ rows, runs }: BlockOrder, wanted: Uint8Array, count: number, down: boolean): Uint32Array {
  const picked = new Uint32Array(count)
  let size = 0
  const take = (from: number, to: number): void => {
    for (let at = from; at < to; at++) if (wanted[rows[at]!]) picked[size++] = rows[at]!
  }
  const end = runs.at(-1) ?? 0
  if (down) for (let run = runs.length - 2; run >= 0; run--) take(runs[run]!, runs[run + 1]!)
  else take(0, end)
  take(end, rows.length)
  return picked
}
