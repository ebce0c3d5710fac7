import type { Adding, Ratio } from '#shared/facts/metrics'
import { changeOf } from '#shared/pacing/change'
import type { ColumnAbout } from '#shared/results/result-columns'
import type { Column, NumberColumn } from '../report-data/column'
import { added, groupsOf, noTotal, taken } from '../report-data/group'
import { numberColumn, readAs } from '../report-data/numbers'
import { allRows, inBlocks, type Steps } from '../report-data/steps'
import type { ResultTable } from '../report-data/table'
import { narrowed, textColumn } from '../report-data/texts'
import { columnFinder, isNumberColumn, keyColumn, wrong } from './find-column'
import { daysIn, periodOf, type Days } from './period'

interface Joining {
  /** Columns of the key that rows aren't joined by if the other columns determine them. Joined rows have the later cells. */
  names?: readonly string[] | undefined
  /** True if the tables have different currencies, so that amounts have no change. */
  apart?: boolean
}

/**
 * Joins two tables by key, with a row for each key in either. Each metric has its values before and after, the change,
 * and the change relative to before. A key missing from one table has empty cells there, and for additive metrics, a
 * change by the whole value. Rates change by points.
 * @throws FaultError `invalid` if a column is missing or the tables share no metric
 */
export function* compared(
  first: ResultTable,
  second: ResultTable,
  by: readonly string[],
  { names = [], apart = false }: Joining = {},
): Steps<ResultTable> {
  const before = yield* sideOf(first, by)
  const after = yield* sideOf(second, by)
  const length = before.length + after.length
  const keys: Column[] = []
  for (const [at, key] of before.keys.entries()) keys.push(yield* stacked(key, after.keys[at]!))
  const rows = allRows(length)
  const sides = [rows.subarray(0, before.length), rows.subarray(before.length)]
  const joins = keys.filter((_key, at) => !names.includes(by[at]!))
  for (const key of keys.filter((key) => !joins.includes(key)))
    for (const side of sides) if (!joins.includes(key) && !(yield* determine(side, joins, key))) joins.push(key)
  const { count, of } = yield* groupsOf(rows, joins)
  const [rowBefore, rowAfter] = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)]
  for (let at = 0; at < length; at++) {
    if (at < before.length) rowBefore[of[at]!] = at
    else rowAfter[of[at]!] = at - before.length
  }
  const latest = Uint32Array.from(rowAfter, (row, at) => (row < 0 ? rowBefore[at]! : before.length + row))
  const columns: Column[] = []
  for (const key of keys) columns.push(yield* taken(key, latest))
  const total = columns.map(() => '---')
  for (const old of before.metrics) {
    const { about } = old.column
    const now =
      after.metrics.find(({ column }) => column.about.kind === about.kind && column.about.head === about.head) ??
      after.metrics.find(({ column }) => sameField(column.about, about))
    if (!now) continue
    const unlike = apart && old.column.about.kind === 'money'
    columns.push(...beside(rowsAt(old.column, rowBefore), rowsAt(now.column, rowAfter), unlike))
    const sums = beside(oneRow(old), oneRow(now), unlike)
    total.push(...sums.map((column) => (column.gaps?.[0] ? '---' : column.text(0))))
  }
  if (columns.length === keys.length) throw wrong('The two tables have no metric in common.')
  return { head: [], columns, length: count, total, notes: [] }
}

/** Compares some days of each table. Different numbers of days are compared per day. */
export function* comparedDays(
  first: ResultTable,
  second: ResultTable,
  by: readonly string[],
  days: { column: string; first: Days; second: Days },
  joining: Joining = {},
): Steps<ResultTable> {
  const perDay = daysIn(days.first) !== daysIn(days.second)
  const before = yield* periodOf(first, days.column, days.first, perDay)
  const after = yield* periodOf(second, days.column, days.second, perDay)
  return yield* compared(before, after, by, joining)
}

/** A column with its own date range differs from the same field for the report's days. */
const sameField = (a: ColumnAbout, b: ColumnAbout): boolean =>
  a.kind === b.kind && a.field !== undefined && a.field === b.field && (a.days === undefined) === (b.days === undefined)

interface Side {
  keys: Column[]
  metrics: { column: NumberColumn; total: number | undefined }[]
  length: number
}

function* sideOf(table: ResultTable, by: readonly string[]): Steps<Side> {
  const named = columnFinder(table.columns)
  const columns = by.map((name) => keyColumn(named(name)))
  const rows = allRows(table.length)
  const groups = yield* groupsOf(rows, columns)
  const keys: Column[] = []
  for (const column of columns) keys.push(yield* taken(column, groups.first))
  const all = { count: 1, of: new Uint32Array(rows.length) }
  const metrics: Side['metrics'] = []
  for (const [at, column] of table.columns.entries()) {
    if (!isNumberColumn(column)) continue
    const sum = yield* added(column, table.columns, rows, all)
    const said = readAs(column, table.total?.[at] ?? '')
    const total = said ?? (sum.gaps?.[0] || table.length === 0 ? undefined : sum.values[0])
    metrics.push({ column: yield* added(column, table.columns, rows, groups), total })
  }
  return { keys, metrics, length: groups.count }
}

/** True if rows with the same keys have the same cell. */
function* determine(rows: Uint32Array, keys: readonly Column[], column: Column): Steps<boolean> {
  return (yield* groupsOf(rows, [...keys, column])).count === (yield* groupsOf(rows, keys)).count
}

/** Concatenates the cells of two columns. */
function* stacked(upper: Column, lower: Column): Steps<Column> {
  const length = upper.length + lower.length
  if (upper.form === 'number' && lower.form === 'number' && upper.about.kind === lower.about.kind) {
    const values = new Float64Array(length)
    values.set(upper.values)
    values.set(lower.values, upper.length)
    const gaps = new Uint8Array(length)
    if (upper.gaps) gaps.set(upper.gaps)
    if (lower.gaps) gaps.set(lower.gaps, upper.length)
    return numberColumn(upper.about, values, gaps, upper.writing)
  }
  const places = new Map<string, number>()
  const codes = new Uint32Array(length)
  yield* inBlocks(length, (from, to) => {
    for (let at = from; at < to; at++) {
      const text = at < upper.length ? upper.text(at) : lower.text(at - upper.length)
      let code = places.get(text)
      if (code === undefined) places.set(text, (code = places.size))
      codes[at] = code
    }
  })
  const about: ColumnAbout = upper.about.kind === lower.about.kind ? upper.about : { ...upper.about, kind: 'text' }
  return textColumn(about, [...places.keys()], narrowed(codes, places.size))
}

/** Cells at these row indexes, empty for -1. */
function rowsAt(column: NumberColumn, rows: Int32Array): NumberColumn {
  const values = new Float64Array(rows.length)
  const gaps = new Uint8Array(rows.length)
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!
    if (row < 0) gaps[at] = 1
    else {
      values[at] = column.values[row]!
      gaps[at] = column.gaps?.[row] ?? 0
    }
  }
  return numberColumn(column.about, values, gaps, column.writing)
}

const oneRow = ({ column, total }: Side['metrics'][number]): NumberColumn =>
  numberColumn(
    column.about,
    Float64Array.of(total ?? 0),
    Uint8Array.of(total === undefined ? noTotal : 0),
    column.writing,
  )

/** Before, after, change, and change as a part of before; without the last two where both are of different units. */
function beside(before: NumberColumn, after: NumberColumn, unlike: boolean): NumberColumn[] {
  const { head, field = head, kind, adds } = before.about
  const named = (what: string, more: Pick<ColumnAbout, 'kind' | 'adds'>): ColumnAbout => ({
    head: `${head} · ${what}`,
    field: `${field}:${what}`,
    ...more,
  })
  const sums = adds === 'sum'
  const { length } = before
  const change = new Float64Array(length)
  const part = new Float64Array(length)
  const noChange = new Uint8Array(length)
  const noPart = new Uint8Array(length)
  for (let at = 0; at < length; at++) {
    const [old, now] = [before.gaps?.[at] ?? 0, after.gaps?.[at] ?? 0]
    const [from, to] = [old ? 0 : before.values[at]!, now ? 0 : after.values[at]!]
    // A missing key delivered nothing, but has no rate.
    if (unlike) noChange[at] = noTotal
    else if (sums ? old && now : old || now) noChange[at] = Math.max(old, now)
    else change[at] = to - from
    const by = noChange[at] || old ? undefined : changeOf(from, to)
    if (by === undefined) noPart[at] = noChange[at] === noTotal ? noTotal : 1
    else part[at] = by
  }
  const decimals = Math.max(before.writing.decimals, after.writing.decimals)
  const writing = { decimals, percents: before.writing.percents || after.writing.percents }
  const whole: Adding = sums ? 'sum' : 'whole'
  const partAdds: Adding = sums ? { of: `${field}:change`, per: `${field}:before`, above: 0 } : 'whole'
  return [
    numberColumn(named('before', { kind, adds: sided(adds, 'before') }), before.values, before.gaps, writing),
    numberColumn(named('after', { kind, adds: sided(adds, 'after') }), after.values, after.gaps, writing),
    numberColumn(named('change', { kind, adds: whole }), change, noChange, writing),
    numberColumn(named('% change', { kind: 'percent', adds: partAdds }), part, noPart, { decimals: 2, percents: true }),
  ]
}

const sided = (adds: Adding | null, side: string): Adding | null =>
  adds === null || typeof adds === 'string' ? adds : partsSided(adds, side)
const partsSided = ({ of, per, ...times }: Ratio, side: string): Ratio => ({
  of: `${of}:${side}`,
  per: `${per}:${side}`,
  ...times,
})
