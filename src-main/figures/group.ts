import type { Ratio } from '#shared/facts/metrics'
import type { Column, NumberColumn } from './column'
import { numberColumn } from './numbers'
import { narrowed, textColumn } from './texts'

/** Cells of a table of places; with more, they are looked up by hash. */
const denseCells = 4_000_000

/** Rows told apart by some of their columns. Groups are numbered in the order in which they are first met. */
export interface Groups {
  count: number
  /** Of each of the rows asked about. */
  of: Uint32Array
  /** A row of each group. */
  first: Uint32Array
}

/** @param by none: all rows are one group */
export function groupsOf(rows: Uint32Array, by: readonly Column[]): Groups {
  let groups: Groups = { count: rows.length > 0 ? 1 : 0, of: new Uint32Array(rows.length), first: rows.slice(0, 1) }
  for (const column of by) groups = divided(rows, groups, column)
  return groups
}

function divided(rows: Uint32Array, { count, of }: Groups, column: Column): Groups {
  const { codes, size } = codesOf(rows, column)
  const find = count * size <= denseCells ? denseNumbers(count * size) : hashedNumbers()
  const next = new Uint32Array(rows.length)
  const first: number[] = []
  for (let at = 0; at < rows.length; at++) {
    const number = find(of[at]! * size + codes[at]!)
    if (number === first.length) first.push(rows[at]!)
    next[at] = number
  }
  return { count: first.length, of: next, first: Uint32Array.from(first) }
}

/** Gives numbers to keys from 0 on, a new one to each that is new. */
function denseNumbers(cells: number): (key: number) => number {
  const table = new Uint32Array(cells)
  let given = 0
  return (key) => (table[key] ||= ++given) - 1
}
function hashedNumbers(): (key: number) => number {
  const table = new Map<number, number>()
  return (key) => {
    let number = table.get(key)
    if (number === undefined) table.set(key, (number = table.size))
    return number
  }
}

/** A small number for what stands in each row: the same for the same. */
function codesOf(rows: Uint32Array, column: Column): { codes: Uint32Array; size: number } {
  const codes = new Uint32Array(rows.length)
  if (column.form === 'text') {
    for (let at = 0; at < rows.length; at++) codes[at] = column.codes[rows[at]!]!
    return { codes, size: column.texts.length }
  }
  const { values, gaps } = column
  const find = hashedNumbers()
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!
    // Behind every number that a column can hold.
    codes[at] = find(gaps?.[row] ? Number.MAX_VALUE / gaps[row] : values[row]!)
  }
  return { codes, size: codes.reduce((most, code) => Math.max(most, code + 1), 0) }
}

/** A column's cells at these rows, as a column of its own. */
export function taken(column: Column, rows: Uint32Array): Column {
  if (column.form === 'text') {
    const codes = new Uint32Array(rows.length)
    for (let at = 0; at < rows.length; at++) codes[at] = column.codes[rows[at]!]!
    return textColumn(column.about, column.texts, narrowed(codes, column.texts.length))
  }
  const { values, gaps } = column
  const picked = values instanceof Int32Array ? new Int32Array(rows.length) : new Float64Array(rows.length)
  const holes = gaps && new Uint8Array(rows.length)
  for (let at = 0; at < rows.length; at++) {
    picked[at] = values[rows[at]!]!
    if (holes) holes[at] = gaps[rows[at]!]!
  }
  return numberColumn(column.about, picked, holes, column.writing)
}

const noTotal = 3

/**
 * The figures of one column for each group: sums, parts that are summed and divided, or `---` where only the service can
 * tell. A rate is never the mean of rates; what is divided by nothing is empty.
 * @param all columns of the table, among which a rate finds its parts
 */
export function added(column: NumberColumn, all: readonly Column[], rows: Uint32Array, groups: Groups): NumberColumn {
  const { adds, kind } = column.about
  if (adds === 'sum') {
    const { sums, holes } = summed(column, rows, groups)
    return numberColumn(column.about, sums, holes, column.writing)
  }
  const parts = adds === 'whole' || adds === null ? undefined : partsOf(adds, column, all)
  const values = new Float64Array(groups.count)
  const holes = new Uint8Array(groups.count)
  if (!parts) holes.fill(noTotal)
  else {
    const { of, per, times, scale } = parts
    const [over, under] = [summed(of, rows, groups), summed(per, rows, groups)]
    for (let group = 0; group < groups.count; group++) {
      const value = ((over.sums[group]! * times) / under.sums[group]!) * scale
      if (Number.isFinite(value)) values[group] = kind === 'money' ? Math.round(value) : value
      else holes[group] = 1
    }
  }
  return numberColumn(column.about, values, holes.some((hole) => hole > 0) ? holes : undefined, column.writing)
}

/** Columns that a rate is made of; undefined where the table lacks one. `scale`: from their units to those of the rate. */
function partsOf(
  { of, per, times = 1 }: Ratio,
  { about }: NumberColumn,
  all: readonly Column[],
): { of: NumberColumn; per: NumberColumn; times: number; scale: number } | undefined {
  const named = (field: string): NumberColumn | undefined =>
    all.find(
      (column): column is NumberColumn =>
        column.form === 'number' && column.about.field === field && column.about.adds === 'sum',
    )
  const [over, under] = [named(of), named(per)]
  if (!over || !under) return undefined
  const micros = ({ about }: { about: NumberColumn['about'] }): number => (about.kind === 'money' ? 1e-6 : 1)
  return { of: over, per: under, times, scale: micros(over) / micros(under) / micros({ about }) }
}

/** Groups in which no row has a value have none. */
function summed(
  { values, gaps }: NumberColumn,
  rows: Uint32Array,
  { count, of }: Groups,
): { sums: Float64Array; holes: Uint8Array | undefined } {
  const sums = new Float64Array(count)
  if (!gaps) {
    for (let at = 0; at < rows.length; at++) sums[of[at]!]! += values[rows[at]!]!
    return { sums, holes: undefined }
  }
  const met = new Uint8Array(count)
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!
    if (gaps[row]! > 0) continue
    met[of[at]!] = 1
    sums[of[at]!]! += values[row]!
  }
  return { sums, holes: met.every((one) => one === 1) ? undefined : met.map((one) => (one === 1 ? 0 : 1)) }
}
