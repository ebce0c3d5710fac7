import type { Codes, Column, NumberColumn } from './column'
import { numberColumn } from './numbers'
import { inBlocks, type Steps } from './steps'
import { narrowed, textColumn } from './texts'

/** Maximum number of cells in a dense lookup table. Larger ones use a hash table. */
const denseCells = 4_000_000

/** Rows grouped by some of their columns. Groups are numbered in order of appearance. */
export interface Groups {
  count: number
  /** Group of each selected row. */
  of: Uint32Array
  /** A row of each group. */
  first: Uint32Array
}

/** @param by none: all rows are one group */
export function* groupsOf(rows: Uint32Array, by: readonly Column[]): Steps<Groups> {
  let groups: Groups = { count: rows.length > 0 ? 1 : 0, of: new Uint32Array(rows.length), first: rows.slice(0, 1) }
  for (const column of by) groups = yield* divided(rows, groups, column)
  return groups
}

function* divided(rows: Uint32Array, { count, of }: Groups, column: Column): Steps<Groups> {
  const { codes, size, places } = yield* codesOf(rows, column)
  const dense = count * size <= denseCells ? new Uint32Array(count * size) : undefined
  const hashed = hashedNumbers()
  const next = new Uint32Array(rows.length)
  const first: number[] = []
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const key = of[at]! * size + codes[places ? places[at]! : at]!
      // Index of the group plus one. 0 if it doesn't exist yet.
      let number = 0
      if (!dense) number = hashed(key) + 1
      else if ((number = dense[key]!) === 0) number = dense[key] = first.length + 1
      if (number > first.length) first.push(rows[at]!)
      next[at] = number - 1
    }
  })
  return { count: first.length, of: next, first: Uint32Array.from(first) }
}

/** Numbers distinct keys from 0 on, in order of appearance. */
function hashedNumbers(): (key: number) => number {
  const table = new Map<number, number>()
  return (key) => {
    let number = table.get(key)
    if (number === undefined) table.set(key, (number = table.size))
    return number
  }
}

/** Codes below `size` for values of rows, equal for equal values: by index in `places`, or by selected row. */
interface RowCodes {
  codes: Codes
  size: number
  places?: Uint32Array
}

function* codesOf(rows: Uint32Array, column: Column): Steps<RowCodes> {
  if (column.form === 'text') return { codes: column.codes, size: column.texts.length, places: rows }
  const codes = new Uint32Array(rows.length)
  const { values, gaps } = column
  const find = hashedNumbers()
  let size = 0
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows[at]!
      // Behind every number that a column can hold.
      const code = find(gaps?.[row] ? Number.MAX_VALUE / gaps[row] : values[row]!)
      codes[at] = code
      if (code >= size) size = code + 1
    }
  })
  return { codes, size }
}

/** A column with only these rows. */
export function* taken(column: Column, rows: Uint32Array): Steps<Column> {
  if (column.form === 'text') {
    const codes = new Uint32Array(rows.length)
    const own = column.codes
    yield* inBlocks(rows.length, (from, to) => {
      for (let at = from; at < to; at++) codes[at] = own[rows[at]!]!
    })
    return textColumn(column.about, column.texts, narrowed(codes, column.texts.length))
  }
  const { values, gaps } = column
  const picked = values instanceof Int32Array ? new Int32Array(rows.length) : new Float64Array(rows.length)
  const holes = gaps && new Uint8Array(rows.length)
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      picked[at] = values[rows[at]!]!
      if (holes) holes[at] = gaps[rows[at]!]!
    }
  })
  return numberColumn(column.about, picked, holes, column.writing)
}

/** Placeholder `---` for a metric that doesn't add up. */
export const noTotal = 3

/**
 * Aggregates a column by group: sums, ratios of summed parts, or `---` for metrics that only the service can aggregate,
 * unless the group is a single row. A rate is never the mean of rates. A division by zero is empty.
 * @param all columns of the table, among which a rate finds its parts
 */
export function* added(
  column: NumberColumn,
  all: readonly Column[],
  rows: Uint32Array,
  groups: Pick<Groups, 'count' | 'of'>,
): Steps<NumberColumn> {
  const { adds, kind } = column.about
  if (adds === 'sum') {
    const { sums, holes } = yield* summed(column, rows, groups)
    return numberColumn(column.about, sums, holes, column.writing)
  }
  const parts = partsOf(column, all)
  const values = new Float64Array(groups.count)
  const holes = new Uint8Array(groups.count)
  if (!parts) yield* alone(column, rows, groups, { values, holes })
  else {
    const over = yield* summed(parts.of, rows, groups)
    const under = yield* summed(parts.per, rows, groups)
    for (let group = 0; group < groups.count; group++) {
      const value = rateOf(parts, over.sums[group]!, under.sums[group]!)
      // A missing part doesn't count as zero.
      if (Number.isFinite(value) && !over.holes?.[group]) values[group] = kind === 'money' ? Math.round(value) : value
      else holes[group] = 1
    }
  }
  return numberColumn(column.about, values, holes.some((hole) => hole > 0) ? holes : undefined, column.writing)
}

/** Metrics of single-row groups, because other groups' values don't add up. */
function* alone(
  { values, gaps }: NumberColumn,
  rows: Uint32Array,
  { count, of }: Pick<Groups, 'count' | 'of'>,
  made: { values: Float64Array; holes: Uint8Array },
): Steps<void> {
  const met = new Uint8Array(count)
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const [group, row] = [of[at]!, rows[at]!]
      made.values[group] = met[group] === 0 ? values[row]! : 0
      made.holes[group] = met[group] === 0 ? (gaps?.[row] ?? 0) : noTotal
      met[group] = 1
    }
  })
}

/** Columns that make up a rate. `scale` converts their units to the rate's. */
export interface Parts {
  of: NumberColumn
  per: NumberColumn
  times: number
  scale: number
  above: number
}

/** The rate in units of its column. Not finite if the divisor is invalid. */
export const rateOf = ({ times, scale, above }: Parts, over: number, under: number): number =>
  under > above ? ((over * times) / under) * scale : NaN

/** Undefined if the column isn't a rate, or the table lacks a part. */
export function partsOf({ about }: NumberColumn, all: readonly Column[]): Parts | undefined {
  if (about.adds === null || typeof about.adds === 'string') return undefined
  const { of, per, times = 1, above = -Infinity } = about.adds
  const named = (field: string): NumberColumn | undefined =>
    all.find(
      (column): column is NumberColumn =>
        column.form === 'number' &&
        column.about.field === field &&
        column.about.days === about.days &&
        column.about.adds === 'sum',
    )
  const [over, under] = [named(of), named(per)]
  if (!over || !under) return undefined
  const micros = ({ about }: { about: NumberColumn['about'] }): number => (about.kind === 'money' ? 1e-6 : 1)
  return { of: over, per: under, times, scale: micros(over) / micros(under) / micros({ about }), above }
}

/** Groups in which no row has a value have none. */
function* summed(
  { values, gaps }: NumberColumn,
  rows: Uint32Array,
  { count, of }: Pick<Groups, 'count' | 'of'>,
): Steps<{ sums: Float64Array; holes: Uint8Array | undefined }> {
  const sums = new Float64Array(count)
  if (!gaps) {
    yield* inBlocks(rows.length, (from, to) => {
      for (let at = from; at < to; at++) sums[of[at]!]! += values[rows[at]!]!
    })
    return { sums, holes: undefined }
  }
  const met = new Uint8Array(count)
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows[at]!
      if (gaps[row]! > 0) continue
      met[of[at]!] = 1
      sums[of[at]!]! += values[row]!
    }
  })
  return { sums, holes: met.every((one) => one === 1) ? undefined : met.map((one) => (one === 1 ? 0 : 1)) }
}
