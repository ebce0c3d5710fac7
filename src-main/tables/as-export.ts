import type { ExportTable } from '../exports/export-table'
import type { Condition } from '../report-data/select'
import type { NumberColumn } from '../report-data/column'
import { writtenAs } from '../report-data/numbers'
import type { ResultTable } from '../report-data/table'
import { columnFinder } from './find-column'
import type { Shape, View } from './shape'
import { aboutOf, titleOf, type TableSource } from './source'

/**
 * Prepares a view for export, with the information its readers need.
 * @param shape how the view was made from the table
 */
export function exportOf(table: ResultTable, view: View, shape: Shape, source: TableSource): ExportTable {
  const { columns, rows, total, of } = view
  const { filters, group, pivot } = shape
  const { currency } = source
  const named = columnFinder(table.columns)
  const about: [string, string][] = [
    ...aboutOf(table, source),
    ...filters.map(({ column, condition }): [string, string] => {
      const found = named(column)
      return [`Filter: ${found.about.head}`, conditionWords(condition, found.form === 'number' ? found : undefined)]
    }),
    ...(filters.length > 0 && group.length === 0
      ? ([['Rows', `${rows.length.toLocaleString('en')} of ${of.toLocaleString('en')}`]] as [string, string][])
      : []),
    ...(group.length > 0 ? ([['Grouped by', group.join(', ')]] as [string, string][]) : []),
    ...(pivot ? ([['Pivoted by', `${pivot.column}: ${pivot.figure}`]] as [string, string][]) : []),
  ]
  return {
    title: titleOf(table, source),
    about,
    columns: columns.map(({ about: { head, kind } }) => ({
      head,
      kind,
      ...(kind === 'money' && currency !== undefined && { currency }),
    })),
    length: rows.length,
    value: (row, column) => columns[column]!.value(rows[row]!),
    text: (row, column) => columns[column]!.text(rows[row]!),
    total,
  }
}

/** Describes a condition. */
function conditionWords(condition: Condition, column: NumberColumn | undefined): string {
  const either = (texts: readonly string[]): string =>
    texts.length > 20 ? `${texts.slice(0, 20).join(' or ')} or ${texts.length - 20} more` : texts.join(' or ')
  const shown = (value: number): string => (column ? writtenAs(column, value) : String(value))
  switch (condition.how) {
    case 'is':
      return either(condition.texts)
    case 'isNot':
      return `not ${either(condition.texts)}`
    case 'contains':
      return `contains ${condition.text}`
    case 'containsNot':
      return `doesn’t contain ${condition.text}`
    case 'between': {
      const { from, to } = condition
      if (from !== undefined && to !== undefined) return `${shown(from)} to ${shown(to)}`
      if (from !== undefined) return `${shown(from)} or more`
      return to === undefined ? 'any' : `${shown(to)} or less`
    }
  }
}
