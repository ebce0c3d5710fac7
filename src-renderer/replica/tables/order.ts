import type { Cell } from '../blocks/layout'
import type { FrameYield } from './frame-yield'
import { Weighed, weightsOf } from './letter-order'

/** Number of items to sort at once. */
const run = 256
/** Number of steps between two checks of the clock. */
const stride = 256

export type Compare = (a: number, b: number) => number

/**
 * The numbers below `count` in the order of `compare`, merge-sorted in slices.
 * @throws the signal's reason
 */
export async function sorted(count: number, compare: Compare, yielder: FrameYield): Promise<Uint32Array> {
  let from = new Uint32Array(count)
  for (let at = 0; at < count; at++) from[at] = at
  for (let at = 0; at < count; at += run) {
    from.subarray(at, at + run).sort(compare)
    if (yielder.due) await yielder.take()
  }
  let to = new Uint32Array(count)
  for (let width = run; width < count; width *= 2) {
    let since = 0
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count)
      const end = Math.min(start + 2 * width, count)
      let [left, right] = [start, middle]
      for (let at = start; at < end; at++) {
        const leftNext = left < middle && (right >= end || compare(from[left]!, from[right]!) <= 0)
        to[at] = leftNext ? from[left++]! : from[right++]!
        if (++since % stride === 0 && yielder.due) await yielder.take()
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}

const collator = new Intl.Collator()
const digits = /^-?\d+$/

/** Text in a grid. Lists and objects show their values one after the other. */
export function textOf(cell: Cell): string {
  if (typeof cell === 'string') return cell
  if (cell === undefined || cell === null) return ''
  return typeof cell === 'object' ? Object.values(cell).map(textOf).join(' ') : String(cell)
}

/**
 * Ranks that sort like the cells. Equal cells have equal ranks, and absent ones are infinite. Numbers, and with
 * `numeric` also texts of digits, sort by value and before words.
 */
export async function ranksOf(cells: readonly Cell[], numeric: boolean, yielder: FrameYield): Promise<Float64Array> {
  const known = new Map<Plain, number>()
  const values: Plain[] = []
  const value = new Uint32Array(cells.length).fill(absent)
  for (const [row, cell] of cells.entries()) {
    if (row % stride === 0 && yielder.due) await yielder.take()
    const plain = plainOf(cell, numeric)
    if (plain === '') continue
    let at = known.get(plain)
    if (at === undefined) {
      known.set(plain, (at = values.length))
      values.push(plain)
    }
    value[row] = at
  }
  const compare = await comparing(values, yielder)
  const order = await sorted(values.length, compare, yielder)
  const rank = new Float64Array(values.length)
  for (let at = 1; at < order.length; at++) {
    const [before, now] = [order[at - 1]!, order[at]!]
    rank[now] = rank[before]! + (compare(before, now) === 0 ? 0 : 1)
    if (at % stride === 0 && yielder.due) await yielder.take()
  }
  if (yielder.due) await yielder.take()
  const ranks = new Float64Array(value.length)
  for (const [row, at] of value.entries()) ranks[row] = at === absent ? Infinity : rank[at]!
  return ranks
}

const absent = 0xffffffff

/** Created when many texts are sorted for the first time. */
let weights: Uint8Array | null | undefined

/** Compares values by their indexes. Compares many texts by the weights of their letters, and by locale only if those are equal. */
async function comparing(values: readonly Plain[], yielder: FrameYield): Promise<Compare> {
  const byLocale = (a: number, b: number): number => compareValues(values[a]!, values[b]!)
  if (values.length < run) return byLocale
  if (weights === undefined) weights = weightsOf()
  if (!weights) return byLocale
  let length = 0
  for (const value of values) if (typeof value === 'string') length += value.length
  const weighed = new Weighed(weights, values.length, length)
  for (const [number, value] of values.entries()) {
    if (number % stride === 0 && yielder.due) await yielder.take()
    if (typeof value === 'string') weighed.take(number, value)
  }
  return (a, b) => weighed.compare(a, b) || byLocale(a, b)
}

export type Plain = string | number | bigint

/** A cell as number or text, and long IDs as BigInt, because a number wouldn't be exact. */
export function plainOf(cell: Cell, numeric: boolean): Plain {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'boolean') return Number(cell)
  const text = textOf(cell)
  if (!numeric || !digits.test(text)) return text
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}

export function compareValues(a: Plain, b: Plain): number {
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b)
  if (typeof a === 'string') return 1
  if (typeof b === 'string') return -1
  return a < b ? -1 : a > b ? 1 : 0
}
