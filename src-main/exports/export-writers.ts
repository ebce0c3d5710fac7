import type { ExportFormat } from '#shared/reports/export-formats'
import { isNumeric } from '#shared/results/result-columns'
import { exportStride, type ExportColumn, type ExportTable, type ExportValue, type OnRows } from './export-table'
import { guarded, guardedNumber } from '#shared/results/formula-guard'
import type { Paper } from './pdf-layout'

/** Options of all formats. Each writer reads its own. */
export interface WriteOptions {
  /** Dialect of separated values. Default: `plain`. */
  dialect?: SeparatedOptions['dialect']
  /** Writes numbers with a decimal comma, in the spreadsheet dialect. */
  decimalComma?: boolean
  /** Paper of a PDF. Default: A4. */
  paper?: Paper
  /** Folder of a PDF's font files. */
  fonts: string
  /** Milliseconds since 1970. */
  now: number
  onrows?: OnRows
}

interface Writing {
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  /** Call after everything is written. */
  notes(): string[]
}

type Writer = (table: ExportTable, options: WriteOptions) => Writing | Promise<Writing>

const plain = (chunks: Iterable<string>): Writing => ({ chunks, notes: () => [] })

const separated =
  (separator: SeparatedOptions['separator']): Writer =>
  (table, { dialect = 'plain', decimalComma = false, onrows }) =>
    plain(separatedChunks(table, { separator, dialect, decimalComma }, onrows))

/** Writer of each format. Workbooks and documents load large libraries, only when needed. */
export const writers: Readonly<Record<ExportFormat, Writer>> = {
  csv: separated(','),
  tsv: separated('\t'),
  json: (table, { onrows }) => plain(jsonChunks(table, onrows)),
  ndjson: (table, { onrows }) => plain(ndjsonChunks(table, onrows)),
  xlsx: async (table, { now, onrows }) => {
    const { workbookChunks } = await import('./workbook')
    const notes = { cut: 0, columnsLeftOut: 0 }
    return {
      chunks: workbookChunks(table, { notes, now, onrows }),
      notes: () => [...cutTexts(notes.cut, 32_767), ...leftOut(notes.columnsLeftOut, 'a sheet')],
    }
  },
  pdf: async (table, { now, paper = 'A4', fonts, onrows }) => {
    const { maxCharacters, pdfChunks } = await import('./pdf')
    const notes = { missing: new Set<string>(), columnsLeftOut: 0, cut: 0 }
    return {
      chunks: pdfChunks(table, { notes, now, paper, fonts, onrows }),
      notes: () => [
        ...missing(notes.missing),
        ...cutTexts(notes.cut, maxCharacters),
        ...leftOut(notes.columnsLeftOut, 'a page'),
      ],
    }
  },
}

const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

const cutTexts = (count: number, most: number): string[] =>
  count === 0
    ? []
    : [`${counted(count, 'cell', 'cells')} shortened to ${most.toLocaleString('en')} characters, the maximum per cell.`]

const leftOut = (columns: number, where: string): string[] =>
  columns === 0
    ? []
    : [
        `Skipped ${columns === 1 ? 'the last column' : `the last ${columns.toLocaleString('en')} columns`}, because ${where} can’t hold more.`,
      ]

function missing(characters: ReadonlySet<string>): string[] {
  if (characters.size === 0) return []
  const nameOf = (one: string): string =>
    /[\p{C}\p{Z}\ufffd]/u.test(one) ? `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` : one
  const first = [...characters].slice(0, 10).map(nameOf).join(' ')
  const more = characters.size > 10 ? ` and ${characters.size - 10} more` : ''
  return [
    `${counted(characters.size, 'character', 'characters')} shown as \ufffd, because the document’s fonts don’t include ${characters.size === 1 ? 'it' : 'them'}: ${first}${more}.`,
  ]
}

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
