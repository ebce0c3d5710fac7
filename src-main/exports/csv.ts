import { stringify } from 'csv-stringify/sync'
import { guarded } from '#shared/results/formula-guard'

export type Cell = string | number | boolean | null

/** A cell as text that no spreadsheet evaluates, without NULs. Numbers stay numbers, also negative ones. */
export function defused(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  return guarded(cell.replaceAll('\u0000', ''))
}

/** RFC 4180 in chunks of 500 rows. The byte order mark makes spreadsheets read it as UTF-8. */
export function* csvChunks(columns: readonly string[], rows: readonly (readonly Cell[])[]): Generator<string> {
  // Records end in CRLF. Cells with a lone CR or LF, or with another separator, are also quoted, because some readers
  // split there.
  const options = { record_delimiter: 'windows', quote_record_delimiter: true, quoted_match: /[;|\t]/ } as const
  yield `\ufeff${stringify([columns.map(defused)], options)}`
  for (let at = 0; at < rows.length; at += 500) {
    yield stringify(
      rows.slice(at, at + 500).map((row) => row.map(defused)),
      options,
    )
  }
}
