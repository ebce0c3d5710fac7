import { isUtf8 } from 'node:buffer'
import { FaultError } from '#shared/fault'
import { unguarded } from '#shared/results/formula-guard'
import {
  columnAbout,
  contradicts,
  isNumeric,
  repeatedInPairs,
  type ColumnAbout,
  type PlannedColumn,
} from '#shared/results/result-columns'
import { storageFault } from '#shared/storage-words'
import type { ColumnReader } from './column'
import { allMarks, marksOf, pointMarks, recordsOf, separatorOf, unmarked, type Marks } from './dialect'
import { MarkedReader, NumberReader } from './numbers'
import { RecordSplitter, asUtf8, isUtf16, type Separator } from './records'
import { maxColumns, tableTooLarge, tooManyColumns } from './limits'
import { edge, sourceOf, type Source } from './source'
import { refuseAborted } from './steps'
import type { ResultTable } from './table'
import { GuardedTextReader, TextReader, isGap } from './texts'

/** The line before the header in files of trafficking reports, and the first cell of the line of totals. */
const fieldsMark = 'Report Fields'
export const totalMark = 'Grand Total:'
/** Maximum number of records in which to look for `fieldsMark`. */
const headRecords = 500
/** Number of rows used to detect the types of columns. */
const sampleRows = 1_000
/** Number of cells between two memory checks. */
const cellsUnseen = 65_536
/** Maximum offset of the header's end, in bytes. */
const maxHeadSize = 32 * 1024 * 1024

export interface ReadOptions {
  /** Columns in the order of the definition, if known. */
  planned?: readonly PlannedColumn[]
  /** Separator, if known, as in a service's file. */
  separator?: ',' | '\t'
  /** Maximum memory for the table while it's read, in bytes. */
  ceiling?: number
  signal?: AbortSignal
  /** Called with the number of bytes read so far, and of all. */
  onprogress?: (done: number, of: number) => void
}

/**
 * Reads a report file into columns: from trafficking (preamble, header, rows, totals) or search (header, rows).
 * @throws FaultError `invalid` that names the line, `storage`, `aborted`
 */
export async function readReportFile(path: string, options: ReadOptions = {}): Promise<ResultTable> {
  try {
    const { source, layout } = await beginningOf(path, options)
    const asText = new Set<number>()
    for (;;) {
      const pass = new Pass(layout, asText, options.ceiling)
      await pass.read(source, options)
      if (pass.misfits.size === 0) return pass.table()
      // Columns whose cells don't match the detected type are read as texts, so that they stay as written.
      for (const column of pass.misfits) asText.add(column)
    }
  } catch (error) {
    if (error instanceof FaultError || typeof (error as NodeJS.ErrnoException).code !== 'string') throw error
    throw storageFault(error, 'The file is unchanged.')
  }
}

interface Layout {
  /** Cells that are missing at the end of a row are empty. */
  ragged: boolean
  /** Records before the header. */
  head: string[][]
  /** Records before the first row. */
  skip: number
  abouts: ColumnAbout[]
  separator: Separator
  marks: Marks
  /** True if texts may be guarded against formulas, as in exports. Files of services and workbooks aren't. */
  guarded: boolean
}

/**
 * Reads more of a file whose header doesn't end in its first bytes.
 * @throws FaultError `invalid`
 */
async function beginningOf(path: string, options: ReadOptions): Promise<{ source: Source; layout: Layout }> {
  for (let reach = edge; reach <= maxHeadSize; reach *= 8) {
    const source = await sourceOf(path, reach, options)
    const layout = await layoutOf(source, options)
    if (layout) return { source, layout }
  }
  throw new FaultError({ code: 'invalid', message: 'The file isn’t a report. Its header has no end.' })
}

/**
 * The header and the columns. Undefined if more of the file is needed.
 * @throws FaultError `invalid`
 */
async function layoutOf(
  { size, first, last, ragged = false }: Source,
  { planned, separator }: ReadOptions,
): Promise<Layout | undefined> {
  const text = await decoded(first)
  if (!text.includes('\n') && text.includes('\r'))
    throw new FaultError({
      code: 'invalid',
      message: 'The file uses an old line ending (CR). Save it with CRLF or LF line endings, then open it again.',
    })
  // The app writes such files, but they have no header.
  if (separator === undefined && !planned && !ragged && isJson(text))
    throw new FaultError({
      code: 'invalid',
      message:
        'The file is JSON, which can’t be opened as a table. Save it as CSV or as a workbook, then open it again.',
    })
  // Worksheet lines are converted with commas.
  const by = separator ?? (ragged ? ',' : separatorIn(text))
  const records = recordsOf(text, by)
  const mark = records.slice(0, headRecords).findIndex((cells) => cells.length === 1 && cells[0] === fieldsMark)
  if (records.length <= mark + 2 && first.length < size) return undefined
  // Files of a service are UTF-8 in any case.
  if (mark < 0 && separator === undefined && !isText(first, text))
    throw new FaultError({
      code: 'invalid',
      message: 'The file isn’t UTF-8 text. Save it as CSV in UTF-8 or as a workbook, then open it again.',
    })
  const guarded = mark < 0 && separator === undefined && !planned && !ragged
  const header = guarded ? records[0]?.map(unguarded) : records[mark + 1]
  if (!header || header.every((cell) => cell === ''))
    throw new FaultError({ code: 'invalid', message: 'The file has no header, so it isn’t a report.' })
  if (header.length > maxColumns) throw tooManyColumns()
  // A definition that was changed before the run would name the wrong columns.
  const contradicted = (column: PlannedColumn, at: number): boolean => contradicts(header[at]!, column)
  if (planned && (planned.length > header.length || (mark >= 0 && planned.some(contradicted)))) planned = undefined
  const isRow = ({ length }: string[]): boolean => length === header.length || (ragged && length < header.length)
  const rows = records.slice(mark + 2, mark + 2 + sampleRows).filter(isRow)
  const total =
    rows.find(([cell]) => cell === totalMark) ??
    recordsOf(lastLines(await decoded(last)), by).find(([cell]) => cell === totalMark)
  const samples = rows.filter(([cell]) => cell !== totalMark)
  const columns = header.map((_head, at) => samples.map((cells) => cells[at] ?? '').filter((cell) => !isGap(cell)))
  const aboutsOf = (marks: Marks): ColumnAbout[] =>
    repeatedInPairs(
      header.map((head, at) => {
        const samples = columns[at]!.map((cell) => unmarked(cell, marks))
        return columnAbout(head, {
          ...(planned?.[at] && { planned: planned[at] }),
          unplanned: planned !== undefined && at >= planned.length,
          totalled: total !== undefined && at > 0 && /\d/.test(total[at] ?? ''),
          samples,
          grouped: columns[at]!.some((cell, row) => cell !== samples[row] && cell.includes(marks.thousands ?? '?')),
        })
      }),
    )
  const layout = { head: records.slice(0, Math.max(0, mark)), skip: mark + 2, separator: by, ragged, guarded }
  // Texts in unknown columns may contain anything, so only numeric columns decide, first those of known metrics.
  const numeric = allMarks.flatMap((marks) =>
    aboutsOf(marks).flatMap(({ kind, field }, at) => (isNumeric(kind) ? [{ known: field !== undefined, at }] : [])),
  )
  const cellsOf = (known: boolean): string[][] =>
    numeric.flatMap((one) => (one.known === known ? [columns[one.at]!] : []))
  const marks = separator === undefined ? marksOf(by, cellsOf(true), cellsOf(false)) : pointMarks
  return { ...layout, abouts: aboutsOf(marks), marks }
}

/**
 * True if bytes, cut anywhere, are text, which was decoded from them. Binary files may begin like UTF-16, and text
 * may have a few characters that weren't decoded when it was written.
 */
const isText = (bytes: Uint8Array, text: string): boolean =>
  isUtf16(bytes)
    ? !text.includes('\0') && text.split('\ufffd').length <= 2 + text.length / 100
    : [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut))))

/** True for text that begins with an object, or with a list of values. */
const isJson = (text: string): boolean => /^\s*(?:\[\s*["{[\]]|\{\s*["}])/.test(text)

async function decoded(bytes: Uint8Array): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of asUtf8([bytes])) parts.push(part)
  return Buffer.concat(parts).toString()
}

function separatorIn(text: string): Separator {
  const mark = new RegExp(`(?:^|\\n)${fieldsMark}\\r?\\n`).exec(text)
  // The line that ends the header identifies a service's file.
  return mark ? separatorOf(text.slice(mark.index + mark[0].length), ['\t', ',']) : separatorOf(text)
}

/** The last complete lines of a chunk. */
const lastLines = (text: string): string => {
  const at = text.lastIndexOf(`\n${totalMark}`)
  return at < 0 ? '' : text.slice(at + 1)
}

/** One pass through the file. */
class Pass {
  readonly #layout: Layout
  readonly #readers: ColumnReader[]
  #records = 0
  #column = 0
  #rows = 0
  /** Cells of records that aren't rows: the totals and what follows. */
  #beside: string[] | undefined
  #firstEmpty = false
  #total: string[] | null = null
  #notes: string[][] = []
  /** Columns with a cell that doesn't match their kind. Collects all of them, because each pass takes time. */
  readonly misfits = new Set<number>()
  readonly #ceiling: number
  #cellsTaken = 0

  constructor(layout: Layout, asText: ReadonlySet<number>, ceiling = Infinity) {
    this.#layout = layout
    this.#ceiling = ceiling
    const Texts = layout.guarded ? GuardedTextReader : TextReader
    const isPlain = layout.marks.decimal === '.' && !layout.marks.thousands
    this.#readers = layout.abouts.map((about, at) => {
      if (asText.has(at)) return new Texts({ ...about, kind: 'text', adds: null })
      if (isNumeric(about.kind)) return isPlain ? new NumberReader(about) : new MarkedReader(about, layout.marks)
      return dated.has(about.kind) ? new NumberReader(about) : new Texts(about)
    })
  }

  async read({ size, chunks }: Source, { signal, onprogress }: ReadOptions): Promise<void> {
    const splitter = new RecordSplitter(this.#layout.separator, {
      cell: (bytes, start, end) => this.#cell(bytes, start, end),
      record: () => this.#record(),
    })
    let done = 0
    for await (const chunk of chunks()) {
      refuseAborted(signal)
      splitter.push(chunk)
      onprogress?.((done += chunk.length), size)
    }
    splitter.end()
  }

  table(): ResultTable {
    return {
      head: this.#layout.head,
      columns: this.#readers.map((reader) => reader.finish()),
      length: this.#rows,
      total: this.#total?.map((cell) => unmarked(cell, this.#layout.marks)) ?? null,
      notes: this.#notes,
    }
  }

  #cell(bytes: Uint8Array, start: number, end: number): void {
    const column = this.#column++
    if (this.#records < this.#layout.skip) return
    if (column === 0 && (this.#total || isTotal(bytes, start, end))) this.#beside = []
    if (this.#beside) return void this.#beside.push(Buffer.from(bytes.subarray(start, end)).toString())
    // An empty line has a single empty cell and isn't a row.
    if (column === 0 && start === end) {
      this.#firstEmpty = true
      return
    }
    if (column === 1 && this.#firstEmpty) this.#take(0, bytes, 0, 0)
    this.#take(column, bytes, start, end)
  }

  #take(column: number, bytes: Uint8Array, start: number, end: number): void {
    const reader = this.#readers[column]
    if (!reader) throw this.#wrongWidth(column + 1)
    if (++this.#cellsTaken % cellsUnseen === 0) this.#refuseAbove()
    if (this.misfits.has(column)) return
    if (!reader.take(bytes, start, end)) this.misfits.add(column)
  }

  /** @throws FaultError `invalid` if the columns exceed the memory limit */
  #refuseAbove(): void {
    const bytes = this.#readers.reduce((sum, reader) => sum + reader.bytes, 0)
    if (bytes > this.#ceiling) throw tableTooLarge(bytes, this.#ceiling)
  }

  #record(): void {
    let width = this.#column
    this.#column = 0
    if (this.#records++ < this.#layout.skip) return
    const [beside, empty] = [this.#beside, this.#firstEmpty]
    this.#beside = undefined
    this.#firstEmpty = false
    const missing = this.#layout.ragged && !(width === 1 && empty) ? this.#readers.length - width : 0
    if (beside) {
      while (!this.#total && beside.length < width + missing) beside.push('')
      if (missing > 0) width += missing
      if (this.#total) this.#notes.push(beside)
      else if (width !== this.#readers.length) throw this.#wrongWidth(width)
      else this.#total = beside
      return
    }
    if (width === 1 && empty) {
      if (this.#readers.length > 1) return
      this.#take(0, noBytes, 0, 0)
    }
    for (let more = 0; more < missing; more++) this.#take(width++, noBytes, 0, 0)
    if (width !== this.#readers.length) throw this.#wrongWidth(width)
    this.#rows++
  }

  #wrongWidth(width: number): FaultError {
    const where = `Row ${(this.#rows + 1).toLocaleString('en')}`
    const message = `${where} has ${width} ${width === 1 ? 'cell' : 'cells'}, but the header has ${this.#readers.length}. The file is incomplete or isn’t a report.`
    return new FaultError({ code: 'invalid', message })
  }
}

const noBytes = new Uint8Array(0)
const dated: ReadonlySet<string> = new Set(['day', 'week', 'month', 'quarter', 'year'])

const totalBytes = Buffer.from(totalMark)
const isTotal = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start === totalBytes.length && totalBytes.every((byte, at) => byte === bytes[start + at])
