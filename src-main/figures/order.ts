import type { Column, NumberColumn, TextColumn } from './column'
import { gapWords } from './texts'

export interface SortKey {
  column: Column
  descending: boolean
}

/** Texts as people read them, numbers in them by their value. */
const collator = new Intl.Collator('en', { numeric: true })
const byLetters = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
/** Ids of any length as the numbers they are. */
const byDigits = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

const gaps = new Map(gapWords.map((word, at) => [word, at]))

/**
 * Rows in order of several columns, the first key first; equal rows stay as they were. What has no value comes last either way.
 * @param rows places of rows; not changed
 */
export function sorted(rows: Uint32Array, keys: readonly SortKey[]): Uint32Array {
  let order = rows
  // Each pass keeps the order of the one before it among equals: the most significant key comes last.
  for (const { column, descending } of [...keys].reverse())
    order = column.form === 'text' ? byRank(order, column, descending) : byValue(order, column, descending)
  return order === rows ? rows.slice() : order
}

/** The place of each of a column's texts among all of them; gaps behind the last. */
export function ranksOf({ about, texts }: TextColumn, descending = false): Uint32Array {
  const compare = about.kind === 'id' ? byDigits : byLetters
  const codes = texts.map((_text, code) => code)
  codes.sort((a, b) => {
    const [gapA, gapB] = [gaps.get(texts[a]!) ?? -1, gaps.get(texts[b]!) ?? -1]
    if (gapA >= 0 || gapB >= 0) return gapA - gapB
    return descending ? compare(texts[b]!, texts[a]!) : compare(texts[a]!, texts[b]!)
  })
  const ranks = new Uint32Array(texts.length)
  codes.forEach((code, rank) => (ranks[code] = rank))
  return ranks
}

function byRank(rows: Uint32Array, column: TextColumn, descending: boolean): Uint32Array {
  const ranks = ranksOf(column, descending)
  const keys = new Uint32Array(rows.length)
  for (let at = 0; at < rows.length; at++) keys[at] = ranks[column.codes[rows[at]!]!]!
  return byWords(rows, [keys], ranks.length)
}

function byValue(rows: Uint32Array, { values, gaps }: NumberColumn, descending: boolean): Uint32Array {
  const { length } = rows
  const flip = descending ? 0xffff_ffff : 0
  const low = new Uint32Array(length)
  const high = new Uint32Array(values instanceof Float64Array ? length : 0)
  const missing = gaps ? new Uint32Array(length) : undefined
  if (values instanceof Float64Array) {
    // The bits of numbers are in their order once those of negative ones are turned round.
    const one = new Float64Array(1)
    const bits = new Uint32Array(one.buffer)
    for (let at = 0; at < length; at++) {
      // Zeros of either sign are one value.
      one[0] = values[rows[at]!]! + 0
      const negative = (bits[1]! & 0x8000_0000) !== 0
      low[at] = (negative ? ~bits[0]! : bits[0]!) ^ flip
      high[at] = (negative ? ~bits[1]! : bits[1]! | 0x8000_0000) ^ flip
    }
  } else for (let at = 0; at < length; at++) low[at] = values[rows[at]!]! ^ 0x8000_0000 ^ flip
  if (missing)
    for (let at = 0; at < length; at++) {
      const gap = gaps![rows[at]!]!
      missing[at] = gap
      if (gap > 0) low[at] = 0
      if (gap > 0 && high.length > 0) high[at] = 0
    }
  return byWords(rows, [low, ...(high.length > 0 ? [high] : []), ...(missing ? [missing] : [])])
}

/** Stable, by the last of the words first. `most`: all are below it. */
function byWords(rows: Uint32Array, words: readonly Uint32Array[], most = 2 ** 32): Uint32Array {
  const { length } = rows
  let order = new Uint32Array(length)
  for (let at = 0; at < length; at++) order[at] = at
  for (const keys of words)
    for (let shift = 0; shift < 32 && 2 ** shift < most; shift += 16) {
      const counts = new Uint32Array(0x1_0001)
      for (let at = 0; at < length; at++) counts[((keys[at]! >>> shift) & 0xffff) + 1]!++
      if (counts.subarray(1).some((count) => count === length)) continue
      for (let value = 1; value < counts.length; value++) counts[value]! += counts[value - 1]!
      const next = new Uint32Array(length)
      for (let at = 0; at < length; at++) {
        const place = order[at]!
        next[counts[(keys[place]! >>> shift) & 0xffff]!++] = place
      }
      order = next
    }
  for (let at = 0; at < length; at++) order[at] = rows[order[at]!]!
  return order
}
