import { FaultError } from '#shared/fault'
import { isNumeric } from '#shared/results/result-columns'
import type { Column, NumberColumn } from '../report-data/column'

export const wrong = (message: string): FaultError => new FaultError({ code: 'invalid', message })

/** Finds columns by header or field. The returned function throws FaultError `invalid` for unknown ones. */
export function columnFinder(columns: readonly Column[]): (name: string) => Column {
  return (name) => {
    const wanted = name.trim().toLowerCase()
    const found =
      columns.find(({ about }) => about.head === name) ??
      columns.find(({ about }) => about.head.toLowerCase() === wanted) ??
      columns.find(({ about }) => about.field?.toLowerCase() === wanted)
    if (found) return found
    throw wrong(`No column “${name}”. Available: ${columns.map(({ about }) => about.head).join(' · ')}`)
  }
}

/** True for a metric column, false for a dimension. */
export const isNumberColumn = (column: Column): column is NumberColumn =>
  column.form === 'number' && column.about.adds !== null

/** @throws FaultError `invalid` for a metric column */
export function keyColumn(column: Column): Column {
  if (column.about.adds === null) return column
  throw wrong(`“${column.about.head}” is a metric. Group by a dimension instead.`)
}

/** @throws FaultError `invalid` for a column that holds none */
export function metricColumn(column: Column): NumberColumn {
  if (isNumberColumn(column) && isNumeric(column.about.kind)) return column
  throw wrong(`“${column.about.head}” isn’t a metric.`)
}
