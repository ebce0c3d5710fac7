import { isNumeric } from '#shared/results/result-columns'
import { exportStride, type ExportColumn, type ExportTable, type ExportValue, type OnRows } from './export-table'
import { guarded, guardedNumber } from '#shared/results/formula-guard'

/**
 * `plain`: RFC 4180 without byte order mark. `spreadsheet`: with one, and in locales with decimal commas, with `;` as
 * separator and decimal commas. Both prefix texts that a spreadsheet would evaluate with an apostrophe.
 */
export interface SeparatedOptions {
  separator: ',' | '\t'
  dialect: 'plain' | 'spreadsheet'
  decimalComma?: boolean
}

/** Cells with any of these are quoted, with any separator. */
const special = /[,;|\t"\r\n]/

/** The table as separated values, in chunks. */
export function* separatedChunks(
  table: ExportTable,
  { separator, dialect, decimalComma = false }: SeparatedOptions,
  onrows?: OnRows,
): Generator<string> {
  const commas = dialect === 'spreadsheet' && decimalComma
  const between = commas && separator === ',' ? ';' : separator
  const quoted = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const number = (text: string): string => quoted(guardedNumber(text))
  // Not quoted: readers detect the decimal comma by it.
  const withComma = (text: string): string => (/^-?\d+\.\d+%?$/.test(text) ? text.replace('.', ',') : number(text))
  const written = table.columns.map(({ kind }) => {
    if (!isNumeric(kind)) return (text: string): string => quoted(guarded(text))
    return commas ? withComma : number
  })
  // A row with one empty cell would be an empty line, which readers skip.
  const line = (cells: readonly string[]): string =>
    `${cells.length === 1 ? cells[0] || '""' : cells.join(between)}\r\n`
  yield (dialect === 'spreadsheet' ? '\ufeff' : '') + line(table.columns.map(({ head }) => quoted(guarded(head))))
  for (let from = 0; from < table.length; from += exportStride) {
    let text = ''
    const to = Math.min(from + exportStride, table.length)
    for (let row = from; row < to; row++) text += line(written.map((write, column) => write(table.text(row, column))))
    yield text
    onrows?.(to)
  }
}

const jsonColumns = (columns: readonly ExportColumn[]): object[] =>
  columns.map(({ head, kind, currency }) => ({ name: head, kind, ...(currency !== undefined && { currency }) }))

/** `{ meta, columns, rows }`: a row is a list of values in the order of the columns. */
export function* jsonChunks(table: ExportTable, onrows?: OnRows): Generator<string> {
  const { title, columns, total } = table
  const about = table.about.map(([name, value]) => ({ name, value }))
  const meta = { title, rows: table.length, about, ...(total && { total }) }
  yield `{"meta":${JSON.stringify(meta)},\n"columns":${JSON.stringify(jsonColumns(columns))},\n"rows":[`
  for (const lines of linesOf(table, (values) => JSON.stringify(values), onrows))
    yield `${lines.first ? '\n' : ',\n'}${lines.texts.join(',\n')}`
  yield '\n]}\n'
}

/** One JSON record per line, keyed by column headers. */
export function* ndjsonChunks(table: ExportTable, onrows?: OnRows): Generator<string> {
  const names = uniqueHeads(table.columns).map((name) => JSON.stringify(name))
  const record = (values: ExportValue[]): string =>
    `{${values.map((value, at) => `${names[at]}:${JSON.stringify(value)}`).join(',')}}`
  for (const { texts } of linesOf(table, record, onrows)) yield `${texts.join('\n')}\n`
}

function* linesOf(
  table: ExportTable,
  write: (values: ExportValue[]) => string,
  onrows: OnRows | undefined,
): Generator<{ first: boolean; texts: string[] }> {
  for (let from = 0; from < table.length; from += exportStride) {
    const to = Math.min(from + exportStride, table.length)
    const texts: string[] = []
    for (let row = from; row < to; row++) texts.push(write(table.columns.map((_column, at) => table.value(row, at))))
    yield { first: from === 0, texts }
    onrows?.(to)
  }
}

/** Unique column names: the second column with a name becomes `Name (2)`. */
export function uniqueHeads(columns: readonly ExportColumn[]): string[] {
  const taken = new Set(columns.map(({ head }) => head))
  const seen = new Set<string>()
  return columns.map(({ head }) => {
    let name = head
    for (let again = 2; seen.has(name) || (name !== head && taken.has(name)); again++) name = `${head} (${again})`
    seen.add(name)
    return name
  })
}
