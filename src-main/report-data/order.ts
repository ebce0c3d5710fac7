import type { Column, NumberColumn, TextColumn } from './column'
import { allRows, inBlocks, type Steps } from './steps'
import { gapWords } from './texts'

export interface SortKey {
  column: Column
  descending: boolean
}

/** Locale order, with numbers in texts by value. */
const collator = new Intl.Collator('en', { numeric: true })
const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byLetters = (a: string, b: string): number => collator.compare(a, b) || byCode(a, b)
/** Compares IDs of any length by value. */
const byDigits = (a: string, b: string): number => a.length - b.length || byCode(a, b)

const gaps = new Map(gapWords.map((word, at) => [word, at]))

/**
 * Sorts rows by several columns, the first key first. Stable. Rows without a value come last in both directions.
 * @param rows indices of rows; not changed
 */
export function* sorted(rows: Uint32Array, keys: readonly SortKey[]): Steps<Uint32Array> {
  let order = rows
  // Each pass is stable, so the most significant key comes last.
  for (const { column, descending } of [...keys].reverse())
    order = yield* column.form === 'text' ? byRank(order, column, descending) : byValue(order, column, descending)
  return order === rows ? rows.slice() : order
}

/** Maximum number of texts to sort by locale. More would take minutes. */
const maxCollated = 200_000
/** Number of texts between two pauses, because comparing them is slow. */
const sortedBlock = 2_048
const mergedBlock = 16_384

/** Cached ranks. A column's texts never change. */
const known = new WeakMap<TextColumn, Ranks>()
interface Ranks {
  /** Rank of each text of a column, the smallest first. Gaps rank last. */
  ranks: Uint32Array
  /** Number of values without gaps. */
  values: number
}

function* ranksOf(column: TextColumn): Steps<Ranks> {
  const before = known.get(column)
  if (before) return before
  const { texts } = column
  const compare = comparing(column)
  const gapOf = Uint8Array.from(texts, (text) => (gaps.get(text) ?? -1) + 1)
  const codes = yield* merged(texts.length, (a, b) => gapOf[a]! - gapOf[b]! || compare(a, b))
  const ranks = new Uint32Array(texts.length)
  for (let rank = 0; rank < codes.length; rank++) ranks[codes[rank]!] = rank
  const found = { ranks, values: gapOf.reduce((count, gap) => (gap === 0 ? count + 1 : count), 0) }
  known.set(column, found)
  return found
}

/** Compares the texts of two codes. */
function comparing({ about, texts }: TextColumn): (a: number, b: number) => number {
  if (about.kind === 'id') return (a, b) => byDigits(texts[a]!, texts[b]!)
  if (texts.length <= maxCollated) return (a, b) => byLetters(texts[a]!, texts[b]!)
  const folded = texts.map((text) => text.toLowerCase())
  return (a, b) => byCode(folded[a]!, folded[b]!) || byCode(texts[a]!, texts[b]!)
}

/** The numbers below `length` in order: blocks are sorted, then merged in pairs. */
function* merged(length: number, compare: (a: number, b: number) => number): Steps<Uint32Array> {
  let order = allRows(length)
  for (let from = 0; from < length; from += sortedBlock) {
    order.subarray(from, from + sortedBlock).sort(compare)
    yield
  }
  for (let width = sortedBlock; width < length; width *= 2) {
    const next = new Uint32Array(length)
    let [left, right] = [0, 0]
    let [leftEnd, rightEnd] = [0, 0]
    const takeNext = (from: number, to: number): void => {
      for (let at = from; at < to; at++) {
        if (left === leftEnd && right === rightEnd) {
          left = at
          leftEnd = right = Math.min(length, at + width)
          rightEnd = Math.min(length, at + 2 * width)
        }
        const first = right === rightEnd || (left < leftEnd && compare(order[left]!, order[right]!) <= 0)
        next[at] = first ? order[left++]! : order[right++]!
      }
    }
    yield* inBlocks(length, takeNext, mergedBlock)
    order = next
  }
  return order
}

function* byRank(rows: Uint32Array, column: TextColumn, descending: boolean): Steps<Uint32Array> {
  const { ranks, values } = yield* ranksOf(column)
  const { codes } = column
  const keys = new Uint32Array(rows.length)
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const rank = ranks[codes[rows[at]!]!]!
      keys[at] = descending && rank < values ? values - 1 - rank : rank
    }
  })
  return yield* byWords(rows, [keys], ranks.length)
}

function* byValue(rows: Uint32Array, { values, gaps }: NumberColumn, descending: boolean): Steps<Uint32Array> {
  const { length } = rows
  const flip = descending ? 0xffff_ffff : 0
  const low = new Uint32Array(length)
  const high = new Uint32Array(values instanceof Float64Array ? length : 0)
  const missing = gaps ? new Uint32Array(length) : undefined
  yield* inBlocks(length, (from, to) => {
    if (values instanceof Float64Array) wordsOf(values, rows, { low, high, flip }, from, to)
    else for (let at = from; at < to; at++) low[at] = values[rows[at]!]! ^ 0x8000_0000 ^ flip
    if (!missing) return
    for (let at = from; at < to; at++) {
      const gap = gaps![rows[at]!]!
      missing[at] = gap
      if (gap === 0) continue
      low[at] = 0
      if (high.length > 0) high[at] = 0
    }
  })
  return yield* byWords(rows, [low, ...(high.length > 0 ? [high] : []), ...(missing ? [missing] : [])])
}

/** The bits of floating-point numbers sort correctly once those of negative ones are inverted. */
function wordsOf(
  values: Float64Array,
  rows: Uint32Array,
  { low, high, flip }: { low: Uint32Array; high: Uint32Array; flip: number },
  from: number,
  to: number,
): void {
  const one = new Float64Array(1)
  const bits = new Uint32Array(one.buffer)
  for (let at = from; at < to; at++) {
    // Zeros of either sign are one value.
    one[0] = values[rows[at]!]! + 0
    const negative = (bits[1]! & 0x8000_0000) !== 0
    low[at] = (negative ? ~bits[0]! : bits[0]!) ^ flip
    high[at] = (negative ? ~bits[1]! : bits[1]! | 0x8000_0000) ^ flip
  }
}

/** Stable, by the last of the words first. `most`: all are below it. */
function* byWords(rows: Uint32Array, words: readonly Uint32Array[], most = 2 ** 32): Steps<Uint32Array> {
  const { length } = rows
  let order = allRows(length)
  for (const keys of words)
    for (let shift = 0; shift < 32 && 2 ** shift < most; shift += 16) {
      const counts = new Uint32Array(0x1_0001)
      yield* inBlocks(length, (from, to) => {
        for (let at = from; at < to; at++) counts[((keys[at]! >>> shift) & 0xffff) + 1]!++
      })
      if (counts.subarray(1).some((count) => count === length)) continue
      for (let value = 1; value < counts.length; value++) counts[value]! += counts[value - 1]!
      const next = new Uint32Array(length)
      const before = order
      yield* inBlocks(length, (from, to) => {
        for (let at = from; at < to; at++) {
          const place = before[at]!
          next[counts[(keys[place]! >>> shift) & 0xffff]!++] = place
        }
      })
      order = next
    }
  for (let at = 0; at < length; at++) order[at] = rows[order[at]!]!
  return order
}
