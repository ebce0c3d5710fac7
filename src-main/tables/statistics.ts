import type { ColumnStatistics } from '#shared/results/questions'
import type { Column, NumberColumn } from '../report-data/column'
import { added, groupsOf } from '../report-data/group'
import { writtenAs } from '../report-data/numbers'
import { sorted } from '../report-data/order'
import { folded } from '../report-data/select'
import { allRows, inBlocks, type Steps } from '../report-data/steps'
import { isGap } from '../report-data/texts'

const maxFrequent = 10

/** @param all columns among which a rate finds its parts: its mean is divided from their sums */
export function* statisticsOf(column: Column, all: readonly Column[], rows: Uint32Array): Steps<ColumnStatistics> {
  const { counts, first } = yield* countedTexts(column, rows)
  const [found, frequent] = [counts.length, yield* mostFrequent(counts, first, column, maxFrequent)]
  const having = counts.reduce((sum, count) => sum + count, 0)
  return {
    rows: rows.length,
    missing: rows.length - having,
    distinct: found,
    frequent,
    ...(column.form === 'number' && having > 0 && (yield* spread(column, all, rows, having))),
  }
}

/**
 * Values of a text column with their row counts, most frequent first. `containing` ignores case.
 * @returns a limited number of values, and how many more there are
 */
export function* valuesOf(
  column: Column,
  length: number,
  { containing, most }: { containing: string; most: number },
): Steps<{ values: { text: string; rows: number }[]; more: number }> {
  const part = folded(containing)
  const holds = (row: number): boolean => part === '' || folded(column.text(row)).includes(part)
  const { counts, first } = yield* countedTexts(column, allRows(length), (row) => holds(row))
  return { values: yield* mostFrequent(counts, first, column, most), more: Math.max(0, counts.length - most) }
}

/** Row count of each value, with one of its rows. Without empty values, unless `wanted` lists values. */
function* countedTexts(
  column: Column,
  rows: Uint32Array,
  wanted?: (row: number) => boolean,
): Steps<{ counts: Uint32Array; first: Uint32Array }> {
  const { of, first, count } = yield* groupsOf(rows, [column])
  const counts = new Uint32Array(count)
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) counts[of[at]!]!++
  })
  const keep = wanted ?? ((row: number): boolean => !hasGap(column, row))
  const kept: number[] = []
  yield* inBlocks(count, (from, to) => {
    for (let group = from; group < to; group++) if (keep(first[group]!)) kept.push(group)
  })
  if (isRounded(column)) return yield* readAlike(column, kept, counts, first)
  return {
    counts: Uint32Array.from(kept, (group) => counts[group]!),
    first: Uint32Array.from(kept, (at) => first[at]!),
  }
}

/** Rates of groups have more digits than are written. */
const isRounded = ({ form, about }: Column): boolean =>
  form === 'number' && (about.kind === 'percent' || about.kind === 'number')

/** Merges values that look identical to readers. */
function* readAlike(
  column: Column,
  kept: readonly number[],
  counts: Uint32Array,
  first: Uint32Array,
): Steps<{ counts: Uint32Array; first: Uint32Array }> {
  const places = new Map<string, number>()
  const made = { counts: [] as number[], first: [] as number[] }
  yield* inBlocks(kept.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const group = kept[at]!
      const text = column.text(first[group]!)
      const place = places.get(text)
      if (place === undefined) {
        places.set(text, made.counts.length)
        made.counts.push(counts[group]!)
        made.first.push(first[group]!)
      } else made.counts[place]! += counts[group]!
    }
  })
  return { counts: Uint32Array.from(made.counts), first: Uint32Array.from(made.first) }
}

const hasGap = (column: Column, row: number): boolean =>
  column.form === 'number' ? (column.gaps?.[row] ?? 0) > 0 : isGap(column.text(row))

function* mostFrequent(
  counts: Uint32Array,
  first: Uint32Array,
  column: Column,
  most: number,
): Steps<{ text: string; rows: number }[]> {
  const as = countColumn(counts)
  const order = yield* sorted(allRows(counts.length), [{ column: as, descending: true }])
  return [...order.subarray(0, most)].map((at) => ({ text: column.text(first[at]!), rows: counts[at]! }))
}

const countColumn = (counts: Uint32Array): NumberColumn => {
  const values = Float64Array.from(counts)
  const about = { head: '', kind: 'count', adds: 'sum' } as const
  const writing = { decimals: 0, percents: false }
  const text = (row: number): string => String(values[row])
  return { form: 'number', about, length: values.length, values, gaps: undefined, writing, text, value: text }
}

/** Ends, middle and mean of a column that has a value in `having` rows. */
function* spread(
  column: NumberColumn,
  all: readonly Column[],
  rows: Uint32Array,
  having: number,
): Steps<Pick<ColumnStatistics, 'least' | 'most' | 'mean' | 'median'>> {
  const { about, values, writing } = column
  const order = yield* sorted(rows, [{ column, descending: false }])
  const at = (place: number): number => values[order[place]!]!
  const [low, high] = [at(Math.floor((having - 1) / 2)), at(Math.floor(having / 2))]
  // Two days have no day in the middle.
  const median = about.adds === null ? low : (low + high) / 2
  const fine = about.kind === 'count' ? { about: { ...about, kind: 'number' as const }, writing: twoDecimals } : column
  const mean = yield* meanOf(column, all, rows, having)
  return {
    least: writtenAs({ about, writing }, at(0)),
    most: writtenAs({ about, writing }, at(having - 1)),
    median: Number.isInteger(median) ? writtenAs(column, median) : writtenAs(fine, median),
    ...(mean !== undefined && { mean: writtenAs(fine, mean) }),
  }
}

const twoDecimals = { decimals: 2, percents: false }

/** Undefined for days and for values that don't add up. */
function* meanOf(
  column: NumberColumn,
  all: readonly Column[],
  rows: Uint32Array,
  having: number,
): Steps<number | undefined> {
  if (column.about.adds === null || column.about.adds === 'whole') return undefined
  const total = yield* added(column, all, rows, { count: 1, of: new Uint32Array(rows.length) })
  if (total.gaps?.[0]) return undefined
  return column.about.adds === 'sum' ? total.values[0]! / having : total.values[0]!
}
