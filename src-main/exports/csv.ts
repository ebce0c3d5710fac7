import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | boolean | null

/** Characters at the start of a cell that make a spreadsheet compute it (also behind white space, also full-width). */
const formula = /^[\s\u0000\ufeff\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/

/**
 * A cell as text that no spreadsheet computes: an apostrophe goes before what would start a formula. Numbers are
 * written as numbers, negative ones too.
 */
export function defused(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = cell.replaceAll('\u0000', '')
  return formula.test(text) ? `'${text}` : text
}

/** RFC 4180 with a byte order mark, so that spreadsheets read it as UTF-8; in chunks of 500 rows. */
export function* csvChunks(columns: readonly string[], rows: readonly (readonly Cell[])[]): Generator<string> {
  const options = { record_delimiter: 'windows' } as const
  yield `\ufeff${stringify([columns.map(defused)], options)}`
  for (let at = 0; at < rows.length; at += 500) {
    yield stringify(
      rows.slice(at, at + 500).map((row) => row.map(defused)),
      options,
    )
  }
}
