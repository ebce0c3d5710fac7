import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | boolean | null

/**
 * Where a cell may begin that a spreadsheet computes: at the start, and behind what a spreadsheet of another country or
 * setting takes for the end of a cell or row, as it then takes no notice of quotes. White space and quotes are skipped
 * on the way to the character that counts (also full-width).
 */
const formula =
  /^(?=[\s\ufeff\u200b"]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])|(?<=[;|\t\r\n])(?=(?:[^\S\t\r\n]|[\ufeff\u200b"])*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])/g

/**
 * A cell as text that no spreadsheet computes, whichever of `, ; | Tab` it takes for the separator: an apostrophe goes
 * before what would start a formula, at the start and behind a separator. Numbers are written as numbers, negative ones
 * too. Nothing else changes: whoever takes out each apostrophe that stands there has the text back, but for NULs (and
 * apostrophes that were there before).
 */
export function defused(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = cell.replaceAll('\u0000', '')
  return text.replace(formula, "'")
}

/** RFC 4180 with a byte order mark, so that spreadsheets read it as UTF-8; in chunks of 500 rows. */
export function* csvChunks(columns: readonly string[], rows: readonly (readonly Cell[])[]): Generator<string> {
  // Lines end in a pair; a cell with one half of it is quoted too, as readers take either for an end.
  const options = { record_delimiter: 'windows', quote_record_delimiter: true } as const
  yield `\ufeff${stringify([columns.map(defused)], options)}`
  for (let at = 0; at < rows.length; at += 500) {
    yield stringify(
      rows.slice(at, at + 500).map((row) => row.map(defused)),
      options,
    )
  }
}
