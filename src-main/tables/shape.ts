import type { TableShape } from '#shared/results/questions'
import type { Column } from '../report-data/column'
import { added, groupsOf, taken } from '../report-data/group'
import { sorted } from '../report-data/order'
import { selected } from '../report-data/select'
import { allRows, type Steps } from '../report-data/steps'
import type { ResultTable } from '../report-data/table'
import { derived, needsOrder } from './derived'
import { columnFinder, metricColumn, isNumberColumn, keyColumn, wrong } from './find-column'
import { pivoted } from './pivot'

/**
 * What to do with a table: filter, group, and sort rows, show and derive columns. Identifies columns by name or field.
 */
export type Shape = TableShape

/** A displayed table. Shares the table's columns and adds a row order. Only groups are copied. */
export interface View {
  columns: readonly Column[]
  /** Includes hidden columns, because rates need their parts. */
  all: readonly Column[]
  /** Index in the columns for each displayed row. */
  rows: Uint32Array
  /** Totals of all filtered rows by displayed column, in the service's format. `---` if values don't add up. */
  total: string[]
  /** Rows before the filters. */
  of: number
}

/** @throws FaultError `invalid` for a missing or unsuitable column */
export function* shaped(table: ResultTable, shape: Shape): Steps<View> {
  const named = columnFinder(table.columns)
  const filters = shape.filters.map(({ column, condition }) => ({ column: named(column), condition }))
  const by = shape.group.map((name) => keyColumn(named(name)))
  const picked = yield* selected(table.length, filters)
  const across = shape.pivot && (yield* pivoted(table.columns, picked, by, shape.pivot))
  const grouping = across?.all ?? (by.length > 0 ? yield* grouped(table.columns, picked, by) : undefined)
  const made = grouping ?? table.columns
  let rows = grouping ? allRows(grouping[0]!.length) : picked

  const find = columnFinder(made)
  const asked = shape.derived ?? []
  const derivedColumns = new Map<string, Column>()
  for (const one of asked) {
    if (made.some(({ about }) => about.head === one.head)) throw wrong(`A column “${one.head}” already exists.`)
    if (!needsOrder(one.how)) derivedColumns.set(one.head, yield* derived(one, metricColumn(find(one.of)), made, rows))
  }
  const keyOf = columnFinder([...made, ...derivedColumns.values()])
  const keys = shape.sort.map(({ column, descending }) => {
    const later = asked.find(({ head, how }) => head === column && needsOrder(how))
    if (later) throw wrong(`“${column}” depends on the row order, so you can’t sort by it.`)
    return { column: keyOf(column), descending }
  })
  const groupKeys = grouping?.slice(0, by.length) ?? []
  // Files have their days in order below each of the other values, so those of groups would appear in any order.
  if (keys.length === 0 && groupKeys.some(({ form }) => form === 'number'))
    keys.push(...groupKeys.map((column) => ({ column, descending: false })))
  if (keys.length > 0) rows = yield* sorted(rows, keys)
  for (const one of asked)
    if (needsOrder(one.how)) derivedColumns.set(one.head, yield* derived(one, metricColumn(find(one.of)), made, rows))

  const own = asked.map(({ head }) => derivedColumns.get(head)!)
  const all = [...made, ...own]
  const shown = across
    ? [...across.shown, ...own]
    : shape.columns
      ? chosen(shape.columns, { all, keys: made.slice(0, by.length), table, asked })
      : all
  const whole = filters.length === 0
  return {
    columns: shown,
    all,
    rows,
    total: yield* totalLine(table, { shown, all, picked, rows, whole }),
    of: table.length,
  }
}

/** Grouping columns and derived columns are always shown. */
function chosen(
  names: readonly string[],
  about: { all: readonly Column[]; keys: readonly Column[]; table: ResultTable; asked: readonly { head: string }[] },
): Column[] {
  const { all, keys, table, asked } = about
  const known = columnFinder([...table.columns, ...all])
  const heads = names.map((name) => known(name).about.head)
  const wanted = [...keys.map((key) => key.about.head), ...heads, ...asked.map(({ head }) => head)]
  // Selected columns stay selected while rows are grouped, even those that groups don't have.
  return [...new Set(wanted)].flatMap((head) => all.find((column) => column.about.head === head) ?? [])
}

function* grouped(columns: readonly Column[], rows: Uint32Array, by: readonly Column[]): Steps<Column[]> {
  const groups = yield* groupsOf(rows, by)
  const made: Column[] = []
  for (const column of by) made.push(yield* taken(column, groups.first))
  for (const column of columns) if (isNumberColumn(column)) made.push(yield* added(column, columns, rows, groups))
  return made
}

/** Totals of all rows of a table, by column name, computed on demand. */
const wholeSums = new WeakMap<ResultTable, Map<string, string>>()

/** Uses the service's totals for unfiltered rows, because the service can total metrics that don't add up. */
function* totalLine(
  table: ResultTable,
  {
    shown,
    all,
    picked,
    rows,
    whole,
  }: Pick<View, 'all' | 'rows'> & {
    shown: readonly Column[]
    picked: Uint32Array
    whole: boolean
  },
): Steps<string[]> {
  const own = new Map(table.columns.map((column, at) => [column.about.head, { column, said: table.total?.[at] }]))
  const known = whole ? (wholeSums.get(table) ?? new Map<string, string>()) : new Map<string, string>()
  if (whole) wholeSums.set(table, known)
  const line: string[] = []
  for (const column of shown) {
    const { head } = column.about
    const mine = own.get(head)
    if (!isNumberColumn(mine?.column ?? column)) line.push('---')
    else if (whole && mine?.said !== undefined) line.push(mine.said)
    else if (picked.length === 0) line.push('---')
    else if (!mine || !isNumberColumn(mine.column)) line.push(yield* sumOf(column, all, rows))
    else {
      const sum = known.get(head) ?? (yield* sumOf(mine.column, table.columns, picked))
      known.set(head, sum)
      line.push(sum)
    }
  }
  return line
}

function* sumOf(column: Column, all: readonly Column[], rows: Uint32Array): Steps<string> {
  if (!isNumberColumn(column)) return '---'
  return (yield* added(column, all, rows, { count: 1, of: new Uint32Array(rows.length) })).text(0)
}
