import { Readable } from 'node:stream'
import { isNumeric, type CellKind } from '#shared/results/result-columns'
import { ZipFile } from 'yazl'
import { exportStride, type ExportColumn, type ExportTable, type ExportValue, type OnRows } from './export-table'

/** Limits of the format: rows of a sheet with its header, characters of a cell, digits of a number. */
const maxRows = 1_048_576
const maxColumns = 16_384
const maxCharacters = 32_767
const maxDigits = 15
const sampleRows = 1_000

/** Content that was written differently. */
export interface WorkbookNotes {
  /** Number of texts cut to the maximum cell length. */
  cut: number
  /** Number of columns beyond the sheet's limit. */
  columnsLeftOut: number
}

export interface WorkbookOptions {
  notes: WorkbookNotes
  /** Milliseconds since 1970. */
  now: number
  onrows?: OnRows | undefined
  /** Maximum rows per sheet, without the header. */
  perSheet?: number
}

/**
 * Writes the table as a workbook, compressed on the fly: a frozen header, filters, widths, and types. Text never becomes a
 * formula. Rows beyond a sheet's limit continue on another. The last sheet describes the table.
 */
export async function* workbookChunks(
  table: ExportTable,
  { onrows, notes, now, perSheet = maxRows - 1 }: WorkbookOptions,
): AsyncGenerator<Uint8Array> {
  const columns = table.columns.slice(0, maxColumns)
  notes.columnsLeftOut = table.columns.length - columns.length
  const sheets = Array.from({ length: Math.max(1, Math.ceil(table.length / perSheet)) }, (_unused, at) => ({
    name: at === 0 ? 'Data' : `Data ${at + 1}`,
    from: at * perSheet,
    to: Math.min(table.length, (at + 1) * perSheet),
  }))
  const styles = new Styles()
  const cells = new Cells(columns, styles, notes)
  const rangeOf = ({ from, to }: { from: number; to: number }): string | undefined =>
    columns.length > 0 ? `$A$1:$${cells.name(columns.length - 1)}$${to - from + 1}` : undefined
  const parts = new Map<string, Iterable<string>>()
  for (const [at, sheet] of sheets.entries())
    parts.set(`xl/worksheets/sheet${at + 1}.xml`, sheetChunks(table, columns, cells, sheet, rangeOf(sheet), onrows))
  parts.set(`xl/worksheets/sheet${sheets.length + 1}.xml`, aboutChunks(table, cells))
  const filters = sheets.map(rangeOf)
  for (const [path, text] of Object.entries(frame([...sheets.map(({ name }) => name), 'About'], filters)))
    parts.set(path, [text])
  parts.set('xl/styles.xml', styles.chunks())
  yield* zipped(parts, new Date(now))
}

/** Zips files. Reads sources only as fast as the archive is consumed. */
async function* zipped(parts: ReadonlyMap<string, Iterable<string>>, mtime: Date): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const sources = [...parts].map(([path, chunks]) => {
    // Pass on one chunk at a time, as bytes, because a chunk of a sheet has hundreds of kilobytes.
    const source = Readable.from(bytesOf(chunks), { objectMode: true, highWaterMark: 1 })
    source.on('error', (error) => output.destroy(error))
    zip.addReadStream(source, path, { mtime })
    return source
  })
  zip.on('error', (error: Error) => output.destroy(error))
  zip.end()
  try {
    for await (const chunk of output) yield chunk as Uint8Array
  } finally {
    for (const source of sources) source.destroy()
  }
}

function* bytesOf(chunks: Iterable<string>): Generator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const typed = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Files of the archive that list the others. */
function frame(sheets: readonly string[], filters: readonly (string | undefined)[]): Record<string, string> {
  const numbers = sheets.map((_name, at) => at + 1)
  const part = (path: string, type: string): string =>
    `<Override PartName="/xl/${path}" ContentType="${typed}.${type}+xml"/>`
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${relations}/${type}" Target="${target}"/>`
  const names = filters.flatMap((range, at) =>
    range === undefined
      ? []
      : `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">'${sheets[at]}'!${range}</definedName>`,
  )
  return {
    '[Content_Types].xml':
      `${declaration}<Types xmlns="${packaged}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      part('workbook.xml', 'sheet.main') +
      part('styles.xml', 'styles') +
      numbers.map((at) => part(`worksheets/sheet${at}.xml`, 'worksheet')).join('') +
      '</Types>',
    '_rels/.rels': `${declaration}<Relationships xmlns="${packaged}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml':
      `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><bookViews><workbookView/></bookViews><sheets>` +
      numbers.map((at) => `<sheet name="${escaped(sheets[at - 1]!)}" sheetId="${at}" r:id="rId${at}"/>`).join('') +
      `</sheets>${names.length > 0 ? `<definedNames>${names.join('')}</definedNames>` : ''}</workbook>`,
    'xl/_rels/workbook.xml.rels':
      `${declaration}<Relationships xmlns="${packaged}/relationships">` +
      numbers.map((at) => relation(at, 'worksheet', `worksheets/sheet${at}.xml`)).join('') +
      relation(sheets.length + 1, 'styles', 'styles.xml') +
      '</Relationships>',
  }
}

/** Cell styles: number formats, bold text, and text that must never become a formula. */
class Styles {
  readonly #formats: string[] = []
  static readonly general = 0
  static readonly head = 1
  static readonly text = 2

  /** The number of a style with this format. */
  format(code: string): number {
    const at = this.#formats.indexOf(code)
    return 3 + (at >= 0 ? at : this.#formats.push(code) - 1)
  }

  *chunks(): Generator<string> {
    const own = this.#formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`)
    const cell = (format: number, font: number, more = ''): string =>
      `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"${more}/>`
    yield (
      `${declaration}<styleSheet xmlns="${main}">` +
      (own.length > 0 ? `<numFmts count="${own.length}">${own.join('')}</numFmts>` : '') +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
      `<cellXfs count="${3 + own.length}">` +
      cell(0, 0) +
      cell(0, 1, ' quotePrefix="1" applyFont="1"') +
      cell(0, 0, ' quotePrefix="1"') +
      own.map((_code, at) => cell(164 + at, 0, ' applyNumberFormat="1"')).join('') +
      '</cellXfs></styleSheet>'
    )
  }
}

const formats: Readonly<Partial<Record<CellKind, string>>> = {
  count: '#,##0',
  percent: '0.00%',
  day: 'yyyy-mm-dd',
  week: 'yyyy-mm-dd',
  year: '0',
}

/** Writes cells of a sheet. */
class Cells {
  readonly #names: string[]
  readonly #styles: number[]
  readonly #notes: WorkbookNotes

  constructor(columns: readonly ExportColumn[], styles: Styles, notes: WorkbookNotes) {
    this.#notes = notes
    this.#names = columns.map((_column, at) => letters(at))
    this.#styles = columns.map(({ kind, currency }) => {
      if (kind === 'money') return styles.format(`#,##0.00####${currency ? ` "${currency.replaceAll('"', '')}"` : ''}`)
      const code = formats[kind]
      return code ? styles.format(code) : kind === 'number' ? Styles.general : Styles.text
    })
  }

  name(column: number): string {
    return this.#names[column] ?? letters(column)
  }

  text(row: number, column: number, text: string, style = Styles.text): string {
    let kept = text
    if (text.length > maxCharacters) {
      this.#notes.cut++
      kept = text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')
    }
    return `<c r="${this.name(column)}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(kept)}</t></is></c>`
  }

  value(row: number, column: number, kind: CellKind, value: ExportValue): string {
    if (value === null || value === '') return ''
    const number = numberOf(kind, value)
    if (number === undefined) return this.text(row, column, String(value))
    return `<c r="${this.name(column)}${row}" s="${this.#styles[column]}"><v>${number}</v></c>`
  }
}

/** A number as a sheet stores it. Undefined if it isn't one, or would lose digits. */
function numberOf(kind: CellKind, value: Exclude<ExportValue, null>): string | undefined {
  if (kind === 'day' || kind === 'week') return serialOf(String(value))
  if (kind === 'year') return /^\d{4}$/.test(String(value)) ? String(Number(value)) : undefined
  if (!isNumeric(kind)) return undefined
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined
    return Number.isInteger(value) && digitsOf(String(value)) > maxDigits ? undefined : String(value)
  }
  if (!/^-?\d+(?:\.\d+)?$/.test(value)) return undefined
  const plain = value.includes('.') ? value.replace(/\.?0+$/, '') : value
  return digitsOf(plain) > maxDigits ? undefined : plain
}

/** Number of significant digits. `-0.0012` has two. */
const digitsOf = (number: string): number => number.replace(/e.*$/, '').replace(/[^\d]/g, '').replace(/^0+/, '').length

/** Days since 31 December 1899. Earlier days than March 1900 stay texts, because sheets count a 29 February 1900. */
function serialOf(day: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  const at = Date.parse(`${day}T00:00:00Z`)
  // A day that the month doesn't have is invalid, even if the engine accepts it.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) return undefined
  const days = at / 86_400_000 + 25_569
  return days >= 61 ? String(days) : undefined
}

function* sheetChunks(
  table: ExportTable,
  columns: readonly ExportColumn[],
  cells: Cells,
  { from, to }: { from: number; to: number },
  range: string | undefined,
  onrows: OnRows | undefined,
): Generator<string> {
  const ref = range?.replaceAll('$', '')
  const widths = columns.map((column, at) => widthOf(table, column, at)).join('')
  yield (
    `${declaration}<worksheet xmlns="${main}"><dimension ref="${ref ?? 'A1'}"/>` +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `${widths && `<cols>${widths}</cols>`}<sheetData>` +
    `<row r="1">${columns.map(({ head }, at) => cells.text(1, at, head, Styles.head)).join('')}</row>`
  )
  for (let at = from; at < to; at += exportStride) {
    let text = ''
    const end = Math.min(at + exportStride, to)
    for (let row = at; row < end; row++) {
      const line = row - from + 2
      text += `<row r="${line}">`
      for (let column = 0; column < columns.length; column++)
        text += cells.value(line, column, columns[column]!.kind, table.value(row, column))
      text += '</row>'
    }
    yield text
    onrows?.(end)
  }
  yield `</sheetData>${ref ? `<autoFilter ref="${ref}"/>` : ''}</worksheet>`
}

function* aboutChunks({ title, about, columns, total }: ExportTable, cells: Cells): Generator<string> {
  const lines: (readonly [string, string])[] = [
    ['Report', title],
    ...about,
    ...columns.flatMap(({ head }, at): [string, string][] => {
      const text = total?.[at]
      return text !== undefined && /\d/.test(text) ? [[`Total: ${head}`, text]] : []
    }),
  ]
  yield `${declaration}<worksheet xmlns="${main}"><cols><col min="1" max="1" width="28" customWidth="1"/><col min="2" max="2" width="60" customWidth="1"/></cols><sheetData>`
  yield lines
    .map(
      ([name, value], at) =>
        `<row r="${at + 1}">${cells.text(at + 1, 0, name, Styles.head)}${cells.text(at + 1, 1, value)}</row>`,
    )
    .join('')
  yield '</sheetData></worksheet>'
}

/** Width in characters, with room for the filter arrow, thousands separators, and the currency. */
function widthOf(table: ExportTable, { head, kind, currency }: ExportColumn, column: number): string {
  const thousands = kind === 'count' || kind === 'money'
  const more = thousands && currency ? currency.length + 1 : 0
  let longest = head.length + 2
  for (let row = 0; row < Math.min(table.length, sampleRows); row++) {
    const { length } = table.text(row, column)
    longest = Math.max(longest, length + (thousands ? Math.floor(length / 3) + more : 0))
  }
  const width = Math.min(60, Math.max(8, longest + 1))
  return `<col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`
}

/** `A`, `Z`, `AA` … */
function letters(column: number): string {
  let name = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  return name
}

/** Matches texts that need no escaping, as most. */
const plain = /^[^\u0000-\u0008\u000b-\u001f&<>"_\ud800-\udfff\ufffe\uffff]*$/

/** Writes characters that XML doesn't allow as `_x0001_`, and escapes text that looks like that as `_x005F_x0001_`. */
function escaped(text: string): string {
  if (plain.test(text)) return text
  return text
    .replace(
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9a-fA-F]{4}[_\u0000-\u0008\u000b-\u001f\ufffe\uffff])/g,
      codeOf,
    )
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const codeOf = (one: string): string => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
