import { FaultError } from '#shared/fault'
import { namesColumns, usualHeads } from '#shared/search-ads/batch-columns'
import { mostBatchRows, mostCell } from '#shared/search-ads/batch-questions'
import { separatorOf } from '../figures/dialect'
import { RecordSplitter, asUtf8 } from '../figures/records'

/** Bytes that are read of a file or a paste at most. */
const mostBytes = 64 * 1024 * 1024

const invalid = (message: string): FaultError => new FaultError({ code: 'invalid', message })

/** Rows with what they are in a spreadsheet, the header being 1. */
export interface ReadRecords {
  head: string[]
  rows: { row: number; cells: string[] }[]
}

/**
 * The header and rows of separated values (tabs, commas or semicolons, whichever they are).
 * @throws FaultError `invalid` that says which line, or what is expected
 */
export async function recordsOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<ReadRecords> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of asUtf8(chunks)) {
    parts.push(Buffer.from(part))
    size += part.length
    if (size > mostBytes) throw invalid('It is larger than 64 MB. Nothing was read.')
  }
  const given = Buffer.concat(parts).toString()
  if (given.includes('\ufffd'))
    throw invalid('Letters of it cannot be read. Save it again as “CSV UTF-8”. Nothing was read.')
  // Lines that end in an old way.
  const text = given.includes('\n') ? given : given.replaceAll('\r', '\n')
  if (text.trim() === '') throw invalid('There are no rows in it.')
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
      `The first row does not name the columns. Put a row above the others with names such as ${usualHeads.join(', ')}. Nothing was read.`,
    )
  const rows: ReadRecords['rows'] = []
  records.forEach((cells, at) => {
    if (at <= from || cells.every((cell) => cell.trim() === '')) return
    const row = at + 1
    if (cells.slice(head.length).some((cell) => cell.trim() !== ''))
      throw invalid(
        `Row ${row.toLocaleString('en')} has ${cells.length} cells where the first has ${head.length}. Nothing was read.`,
      )
    if (cells.some((cell) => cell.length > mostCell))
      throw invalid(`Row ${row.toLocaleString('en')} has a cell of more than ${mostCell} characters. Nothing was read.`)
    rows.push({ row, cells: head.map((_name, column) => cells[column] ?? '') })
  })
  if (rows.length === 0) throw invalid('There is a header, and no row under it. Nothing was read.')
  if (rows.length > mostBatchRows)
    throw invalid(
      `These are ${rows.length.toLocaleString('en')} rows; ${mostBatchRows.toLocaleString('en')} are read at once. Divide them. Nothing was read.`,
    )
  return { head, rows }
}
