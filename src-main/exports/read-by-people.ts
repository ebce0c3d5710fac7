import { numberWords } from '#shared/results/number-words'
import type { ExportTable } from './export-table'

/** The table with numbers in display format, and currencies in the column headers. */
export function readByPeople(table: ExportTable): ExportTable {
  const { columns, total } = table
  return {
    ...table,
    columns: columns.map((column) =>
      column.kind === 'money' && column.currency !== undefined && !column.head.includes(column.currency)
        ? { ...column, head: `${column.head} (${column.currency})` }
        : column,
    ),
    text: (row, column) => numberWords(table.text(row, column), columns[column]!.kind),
    ...(total && { total: total.map((text, at) => (/\d/.test(text) ? numberWords(text, columns[at]!.kind) : text)) }),
  }
}
