import { FaultError } from '#shared/fault'
import { namesColumns, usualHeads } from '#shared/search-ads/batch-columns'
import { maxBatchRows, maxCell } from '#shared/search-ads/batch-questions'
import { separatorOf } from '../report-data/dialect'
import { RecordSplitter, asUtf8 } from '../report-data/records'

/** Maximum size of a file or paste, in bytes. */
const maxBytes = 64 * 1024 * 1024

const invalid = (message: string): FaultError => new FaultError({ code: 'invalid', message })

/** Rows with their row numbers in a spreadsheet, where the header is row 1. */
export interface ReadRecords {
  head: string[]
  rows: { row: number; cells: string[] }[]
}

/**
 * Parses the header and rows of separated values, and detects tabs, commas, or semicolons.
 * @throws FaultError `invalid` with the line, or what's expected
 */
export async function recordsOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<ReadRecords> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of asUtf8(chunks)) {
    parts.push(Buffer.from(part))
    size += part.length
    if (size > maxBytes) throw invalid('The file is larger than 64 MB. Split it into smaller files.')
  }
  const given = Buffer.concat(parts).toString()
  if (given.includes('\ufffd')) throw invalid('The file isn’t UTF-8 text. Save it as “CSV UTF-8”, then try again.')
  // Old line endings (CR).
  const text = given.includes('\n') ? given : given.replaceAll('\r', '\n')
  if (text.trim() === '') throw invalid('No rows found.')
  const records: string[][] = []
  let cells: string[] = []
  const splitter = new RecordSplitter(separatorOf(text), {
    cell: (bytes, start, end) => void cells.push(Buffer.from(bytes.subarray(start, end)).toString()),
    record: () => {
      records.push(cells)
      cells = []
    },
  })
  splitter.push(Buffer.from(text))
  splitter.end()
  return checked(records)
}

function checked(records: readonly string[][]): ReadRecords {
  const from = records.findIndex((cells) => cells.some((cell) => cell.trim() !== ''))
  const head = records[from] ?? []
  if (!namesColumns(head))
    throw invalid(
      `The first row doesn’t contain column names. Add a header row with names such as ${usualHeads.join(', ')}.`,
    )
  const rows: ReadRecords['rows'] = []
  records.forEach((cells, at) => {
    if (at <= from || cells.every((cell) => cell.trim() === '')) return
    const row = at + 1
    if (cells.slice(head.length).some((cell) => cell.trim() !== ''))
      throw invalid(
        `Row ${row.toLocaleString('en')} has ${cells.length} cells, but the header has ${head.length}. Fix the row, then try again.`,
      )
    if (cells.some((cell) => cell.length > maxCell))
      throw invalid(
        `Row ${row.toLocaleString('en')} has a cell with more than ${maxCell} characters. Shorten it, then try again.`,
      )
    rows.push({ row, cells: head.map((_name, column) => cells[column] ?? '') })
  })
  if (rows.length === 0) throw invalid('No rows found below the header.')
  if (rows.length > maxBatchRows)
    throw invalid(
      `You can add up to ${maxBatchRows.toLocaleString('en')} rows at a time. Split these ${rows.length.toLocaleString('en')} rows.`,
    )
  return { head, rows }
}
