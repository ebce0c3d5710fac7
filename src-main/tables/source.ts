import { basename } from 'node:path'
import type { ResultTable } from '../report-data/table'

/** Known facts about a table that its file doesn't contain. */
export interface TableSource {
  path?: string
  name?: string
  range?: { from: string; to: string }
  timeZone?: string
  currency?: string
}

export const titleOf = ({ head }: ResultTable, { name, path }: TableSource): string =>
  name ?? head[0]?.[0] ?? (path === undefined ? '' : basename(path))

/** Date range, zone, currency, and other entries of the file's header, as names and values. */
export function aboutOf(table: ResultTable, { range, timeZone, currency }: TableSource): [string, string][] {
  const head = table.head
    .slice(1)
    .flatMap(([name, value]): [string, string][] => (name && value ? [[name, value]] : []))
  const has = (name: string): boolean => head.some(([known]) => known === name)
  return [
    ...head,
    ...(range && !has('Date Range') ? ([['Date Range', `${range.from} - ${range.to}`]] as [string, string][]) : []),
    ...(timeZone && !has('Report Time Zone') ? ([['Report Time Zone', timeZone]] as [string, string][]) : []),
    ...(currency ? ([['Currency', currency]] as [string, string][]) : []),
  ]
}
