import { FaultError } from '#shared/fault'
import type { Column, NumberColumn } from '../figures/column'
import { added, groupsOf, taken } from '../figures/group'
import { sorted } from '../figures/order'
import { selected } from '../figures/select'
import type { FigureTable } from '../figures/table'
import { allRows } from '../figures/totals'

/** What is made of a table: rows picked by what stands in their columns, grouped, and ordered. Columns by head or field. */
export interface Shape {
  filters: readonly { column: string; value: string }[]
  group: readonly string[]
  sort: readonly { column: string; descending: boolean }[]
}

export interface Shaped {
  columns: readonly Column[]
  length: number
  /** Of all rows that were picked, as a service writes it: `---` where figures do not add up. */
  total: string[]
  /** Rows before the filters. */
  of: number
}

/** @throws FaultError `invalid` for a column that is not there, or that cannot be grouped by */
export function shaped(table: FigureTable, { filters, group, sort }: Shape): Shaped {
  const { columns, length } = table
  const named = columnFinder(columns)
  const texts = new Map<Column, string[]>()
  for (const { column, value } of filters) {
    const found = named(column)
    texts.set(found, [...(texts.get(found) ?? []), value])
  }
  const conditions = [...texts].map(([column, texts]) => ({ column, condition: { how: 'is', texts } as const }))
  const picked = selected(length, conditions)
  const by = group.map((name) => {
    const column = named(name)
    if (column.about.adds === null) return column
    throw wrong(`“${column.about.head}” holds figures; group by what they are about.`)
  })
  const whole = conditions.length === 0
  const made =
    by.length > 0
      ? grouped(columns, picked, by)
      : { columns: whole ? columns : columns.map((column) => taken(column, picked)), length: picked.length }
  const keyOf = columnFinder(made.columns)
  const keys = sort.map(({ column, descending }) => ({ column: keyOf(column), descending }))
  const ordered = keys.length === 0 ? undefined : sorted(allRows(made.length), keys)
  const final = ordered ? made.columns.map((column) => taken(column, ordered)) : made.columns
  return { columns: final, length: made.length, total: totalLine(table, made.columns, picked, whole), of: length }
}

function grouped(
  columns: readonly Column[],
  rows: Uint32Array,
  by: readonly Column[],
): { columns: Column[]; length: number } {
  const groups = groupsOf(rows, by)
  const figures = columns.filter(
    (column): column is NumberColumn => column.form === 'number' && column.about.adds !== null,
  )
  return {
    columns: [
      ...by.map((column) => taken(column, groups.first)),
      ...figures.map((column) => added(column, columns, rows, groups)),
    ],
    length: groups.count,
  }
}

/** The service's own figures where every row is there: it can tell what does not add up. */
function totalLine(table: FigureTable, shown: readonly Column[], rows: Uint32Array, whole: boolean): string[] {
  const groups = groupsOf(rows, [])
  const said = new Map(table.columns.map((column, at) => [column.about.head, table.total?.[at]]))
  return shown.map(({ about }) => {
    if (about.adds === null) return '---'
    const theirs = whole ? said.get(about.head) : undefined
    if (theirs !== undefined) return theirs
    const column = table.columns.find(
      (one): one is NumberColumn => one.form === 'number' && one.about.head === about.head,
    )
    return column && groups.count > 0 ? added(column, table.columns, rows, groups).text(0) : '---'
  })
}

function columnFinder(columns: readonly Column[]): (name: string) => Column {
  return (name) => {
    const wanted = name.trim().toLowerCase()
    const found =
      columns.find(({ about }) => about.head.toLowerCase() === wanted) ??
      columns.find(({ about }) => about.field?.toLowerCase() === wanted)
    if (found) return found
    throw wrong(`There is no column “${name}”. There are: ${columns.map(({ about }) => about.head).join(' · ')}`)
  }
}

const wrong = (message: string): FaultError => new FaultError({ code: 'invalid', message })
