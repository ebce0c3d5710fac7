import { basename } from 'node:path'
import type { ExportTable } from '../exports/export-table'
import type { FigureTable } from '../figures/table'
import type { RunRecord } from './run-record'
import { shaped, type Shape } from './shape'

/** A report's table as it is exported, with what a reader has to know of it. @throws FaultError `invalid` from `shaped` */
export function exportOf(table: FigureTable, shape: Shape, from: { run: RunRecord } | { path: string }): ExportTable {
  const { columns, length, total, of } = shaped(table, shape)
  const { filters, group } = shape
  const run = 'run' in from ? from.run : undefined
  const [first, ...pairs] = table.head
  const head = pairs.flatMap(([name, value]): [string, string][] => (name && value ? [[name, value]] : []))
  const about: [string, string][] = [
    ...head,
    ...(run?.range && !head.some(([name]) => name === 'Date Range')
      ? ([['Date Range', `${run.range.from} - ${run.range.to}`]] as [string, string][])
      : []),
    ...(run?.timeZone ? ([['Report Time Zone', run.timeZone]] as [string, string][]) : []),
    ...(run?.currency ? ([['Currency', run.currency]] as [string, string][]) : []),
    ...filters.map(({ column, value }): [string, string] => [`Filter: ${column}`, value]),
    ...(filters.length > 0 && group.length === 0
      ? ([['Rows', `${length.toLocaleString('en')} of ${of.toLocaleString('en')}`]] as [string, string][])
      : []),
    ...(group.length > 0 ? ([['Grouped by', group.join(', ')]] as [string, string][]) : []),
  ]
  const currency = run?.currency
  return {
    title: run?.name ?? first?.[0] ?? ('path' in from ? basename(from.path) : ''),
    about,
    columns: columns.map(({ about: { head, kind } }) => ({
      head,
      kind,
      ...(kind === 'money' && currency !== undefined && { currency }),
    })),
    length,
    value: (row, column) => columns[column]!.value(row),
    text: (row, column) => columns[column]!.text(row),
    total,
  }
}
