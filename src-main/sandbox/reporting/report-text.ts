import { word, type Vocabulary } from '#shared/wire/vocabulary'
import { rangeText, type ReportTable } from './report-table'
import { encodeLines } from './separated'
import { workbook } from './xlsx'

export interface ReportHead {
  name: string
  accountId: string
  timeZone: string
}

/**
 * Lines of a report file, without its creation time: a preamble, the line “Report Fields”, the header, the rows, and
 * the totals.
 */
export function* reportLines(head: ReportHead, table: ReportTable, vocabulary: Vocabulary): Generator<string[]> {
  yield [head.name]
  yield ['Report Time Zone', head.timeZone]
  yield ['Account ID', head.accountId]
  yield ['Date Range', rangeText(table.span)]
  yield []
  yield ['Report Fields']
  yield table.headers.map((header) =>
    /^Tracking (Configuration|Variable)/.test(header) ? word(header, vocabulary) : header,
  )
  yield* table.rows
  if (table.total[0] === 'Grand Total:') yield table.total
}

/** Comma-separated values, or a workbook with numeric cells. */
export function reportFile(head: ReportHead, table: ReportTable, excel: boolean, vocabulary: Vocabulary): Uint8Array {
  const lines = reportLines(head, table, vocabulary)
  if (!excel) return encodeLines(lines, 'csv')
  const isNumeric = table.total.map((value) => value !== '---' && value !== 'Grand Total:')
  return workbook(lines, (line, column) => line > headLines && isNumeric[column] === true)
}

/** Number of lines before the first row of values. */
const headLines = 6
