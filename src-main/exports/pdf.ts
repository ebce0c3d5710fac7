import PDFDocument from 'pdfkit'
import { isNumeric } from '#shared/results/result-columns'
import { exportStride, type ExportColumn, type ExportTable, type OnRows } from './export-table'
import { margin, maxPdfColumns, padding, pageLayout, type Measured, type PageLayout, type Paper } from './pdf-layout'
import { readByPeople } from './read-by-people'
import { PdfText, type Weight } from './pdf-text'

/** Content that was shown differently. */
export interface PdfNotes {
  /** Characters that the fonts lack. */
  missing: Set<string>
  /** Number of columns that didn't fit. */
  columnsLeftOut: number
  /** Number of shortened texts. Absent if none. */
  cut?: number
}

/** Maximum number of characters in a cell. Breaking millions into lines would exhaust memory. */
export const maxCharacters = 100_000

export interface PdfOptions {
  notes: PdfNotes
  /** Milliseconds since 1970. */
  now: number
  paper: Paper
  /** The folder with DejaVuSansCondensed.ttf and its bold. */
  fonts: string
  onrows?: OnRows | undefined
}

/**
 * Writes the table as a document for print and screen readers, page by page: title and facts, the table with its header on
 * every page, and totals at the end. Memory grows by about 1.7 KB per cell, for the structure that screen readers need.
 */
export async function* pdfChunks(
  asked: ExportTable,
  { notes, now, paper, fonts, onrows }: PdfOptions,
): AsyncGenerator<Uint8Array> {
  const table = withoutEndlessTexts(readByPeople(asked), notes)
  const title = table.title.trim() || 'Report'
  const doc = new PDFDocument({
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    margin: 0,
    // The default is a font of the viewer.
    font: null as unknown as string,
    info: { Title: title, Creator: 'Flightplan', Producer: 'Flightplan', CreationDate: new Date(now) },
  })
  titleInMetadata(doc, title)
  const text = new PdfText(doc, fonts, notes.missing)
  const columns = table.columns.slice(0, maxPdfColumns)
  notes.columnsLeftOut = table.columns.length - columns.length

  const measured = measure(table, columns, text)
  yield* pauses(measured)
  const layout = pageLayout(measured.columns, paper, text)
  const counted = { pages: 0 }
  yield* pauses(new Flow(table, columns, layout, text, counting(counted)).run())
  const stamp = `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const drawing = new Drawing(doc, text, layout, columns, { title, stamp, pages: counted.pages })
  for (const _stop of new Flow(table, columns, layout, text, drawing, onrows).run()) {
    await yielder()
    yield (doc.read() as Uint8Array | null) ?? new Uint8Array()
  }
  drawing.end()
  doc.end()
  for await (const chunk of doc as AsyncIterable<Uint8Array>) yield chunk
}

const yielder = (): Promise<void> => new Promise((done) => setImmediate(done))

/** Yields empty chunks while nothing can be written yet, so that the caller can cancel. */
async function* pauses(work: Iterable<void>): AsyncGenerator<Uint8Array> {
  for (const _stop of work) {
    await yielder()
    yield new Uint8Array()
  }
}

/** Escapes the title, because the library writes it into XML unchanged. */
function titleInMetadata(doc: PDFKit.PDFDocument, title: string): void {
  const writer = doc as unknown as { endMetadata(): void; info: { Title: string } }
  const end = writer.endMetadata.bind(writer)
  writer.endMetadata = () => {
    writer.info.Title = Buffer.from(title.replace(/[\u0000-\u001f\ufffe\uffff]/g, ' '))
      .toString()
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
    end()
  }
}

function withoutEndlessTexts(table: ExportTable, notes: PdfNotes): ExportTable {
  const cut = new Set<string>()
  const text = (row: number, column: number): string => {
    const whole = table.text(row, column)
    if (whole.length <= maxCharacters) return whole
    notes.cut = cut.add(`${row} ${column}`).size
    return whole.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')
  }
  return { ...table, text }
}

/** The longest texts of all rows, in slices. */
function measure(
  table: ExportTable,
  columns: readonly ExportColumn[],
  text: PdfText,
): Iterable<void> & { columns: Measured[] } {
  const measured = columns.map(({ head, kind }, at): Measured => {
    const total = table.total?.[at] ?? ''
    return { kind, head: text.shown(head, 'bold'), longest: /\d/.test(total) ? total : '', word: '' }
  })
  function* rows(): Generator<void> {
    for (let row = 0; row < table.length; row++) {
      for (const [at, about] of measured.entries()) {
        const cell = table.text(row, at)
        if (cell.length > about.longest.length) about.longest = text.shown(cell, 'plain').split('\n').sort(byLength)[0]!
        if (about.kind === 'text' && cell.length > about.word.length)
          for (const word of cell.split(/\s+/))
            if (word.length > about.word.length) about.word = text.shown(word, 'plain')
      }
      if (row % exportStride === exportStride - 1) yield
    }
  }
  return { columns: measured, [Symbol.iterator]: rows }
}

const byLength = (one: string, other: string): number => other.length - one.length

/** Cells of a row as lines, and the range of lines on this page. */
interface RowPart {
  form: 'head' | 'row' | 'total'
  cells: readonly (readonly string[])[]
  /** Original text of cells with characters that the font lacks. */
  actual: readonly (string | undefined)[]
  from: number
  to: number
}

/** Target of pages: written, or only counted. */
interface Pages {
  page(heads: readonly (readonly string[])[] | undefined): void
  words(form: 'H1' | 'P', lines: readonly string[], begins: boolean, y: number, actual: string | undefined): void
  row(part: RowPart, y: number): void
}

const counting = (counted: { pages: number }): Pages => ({
  page: () => void counted.pages++,
  words: () => undefined,
  row: () => undefined,
})

const titleSize = 15
const footer = 24
const lineHeight = (size: number): number => size * 1.25
const gap = 2
/** Maximum number of lines in a repeated header. */
const maxHeadLines = 6

/** Lays out a table on pages. The counting run and the drawing run share this code. */
class Flow {
  #y = margin
  readonly #bottom: number
  readonly #heads: string[][]
  #repeats = false

  constructor(
    readonly table: ExportTable,
    readonly columns: readonly ExportColumn[],
    readonly layout: PageLayout,
    readonly text: PdfText,
    readonly pages: Pages,
    readonly onrows?: OnRows,
  ) {
    this.#bottom = layout.height - margin - footer
    this.#heads = columns.map(({ head }, at) => this.#lines(head, at, 'bold'))
  }

  /** Stops after each page, and now and then between. */
  *run(): Generator<void> {
    const { table, columns } = this
    this.pages.page(undefined)
    yield* this.#words('H1', table.title.trim() || 'Report', 'bold', titleSize)
    for (const [name, value] of table.about) yield* this.#words('P', `${name}: ${value}`, 'plain', 9)
    this.#y += 8
    if (columns.length === 0) return
    yield* this.#row(
      'head',
      columns.map(({ head }) => head),
    )
    this.#repeats = true
    for (let row = 0; row < table.length; row++) {
      yield* this.#row(
        'row',
        columns.map((_column, at) => table.text(row, at)),
      )
      if (row % exportStride === exportStride - 1) {
        this.onrows?.(row + 1)
        yield
      }
    }
    if (table.length % exportStride > 0) this.onrows?.(table.length)
    if (table.total) yield* this.#row('total', totals(table.total.slice(0, columns.length)))
  }

  #lines(text: string, column: number, weight: Weight): string[] {
    const { size, columns } = this.layout
    return this.text.lines(this.text.shown(text, weight), weight, size, columns[column]! - 2 * padding)
  }

  #page(): void {
    const heads = this.#repeats ? this.#heads.map(shortened) : undefined
    this.pages.page(heads)
    this.#y = margin + (heads ? this.#height(Math.max(...heads.map(({ length }) => length))) : 0)
  }

  #height(lines: number): number {
    return lines * lineHeight(this.layout.size) + 2 * gap
  }

  *#words(form: 'H1' | 'P', text: string, weight: Weight, size: number): Generator<void> {
    const shown = this.text.shown(text, weight)
    const lines = this.text.lines(shown, weight, size, this.layout.width - 2 * margin)
    const actual = shown.includes('\ufffd') ? text : undefined
    for (let at = 0; at < lines.length;) {
      const fits = Math.floor((this.#bottom - this.#y) / lineHeight(size))
      if (fits < 1) {
        this.#page()
        yield
        continue
      }
      const part = lines.slice(at, at + fits)
      this.pages.words(form, part, at === 0, this.#y, actual)
      this.#y += part.length * lineHeight(size)
      at += part.length
    }
    this.#y += form === 'H1' ? 6 : 1
  }

  /** A row that is higher than a page continues on the next. */
  *#row(form: RowPart['form'], texts: readonly string[]): Generator<void> {
    const weight = form === 'row' ? 'plain' : 'bold'
    const cells = texts.map((text, at) => this.#lines(text, at, weight))
    const actual = texts.map((text, at) => (cells[at]!.some((line) => line.includes('\ufffd')) ? text : undefined))
    const count = Math.max(...cells.map(({ length }) => length))
    const top =
      margin + (this.#repeats ? this.#height(Math.max(...this.#heads.map((lines) => shortened(lines).length))) : 0)
    if (this.#y + this.#height(count) > this.#bottom && this.#y > top && this.#height(count) <= this.#bottom - top) {
      this.#page()
      yield
    }
    for (let from = 0; from < count;) {
      const fits = Math.floor((this.#bottom - this.#y - 2 * gap) / lineHeight(this.layout.size) + 1e-6)
      if (fits < 1) {
        this.#page()
        yield
        continue
      }
      const to = Math.min(count, from + fits)
      this.pages.row({ form, cells, actual, from, to }, this.#y)
      this.#y += this.#height(to - from)
      from = to
    }
  }
}

/** Shortens a header that is complete at the start of the table. */
const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= maxHeadLines ? lines : [...lines.slice(0, maxHeadLines - 1), '…']

const totals = (total: readonly string[]): string[] =>
  total.map((text, at) => (/\d/.test(text) ? text : at === 0 ? 'Total' : ''))

interface Margins {
  title: string
  stamp: string
  pages: number
}

/** Draws pages, and tags headings, rows, and cells for screen readers. Everything else is an artifact. */
class Drawing implements Pages {
  readonly #document: PDFKit.PDFStructureElement
  #table: PDFKit.PDFStructureElement | undefined
  readonly #left: number[]
  #words: PDFKit.PDFStructureElement | undefined
  #row: PDFKit.PDFStructureElement | undefined
  #cells: PDFKit.PDFStructureElement[] = []
  #number = 0

  constructor(
    readonly doc: PDFKit.PDFDocument,
    readonly text: PdfText,
    readonly layout: PageLayout,
    readonly columns: readonly ExportColumn[],
    readonly margins: Margins,
  ) {
    this.#document = doc.struct('Document')
    doc.addStructure(this.#document)
    let x = margin
    this.#left = layout.columns.map((width) => (x += width) - width)
  }

  page(heads: readonly (readonly string[])[] | undefined): void {
    const { doc, layout } = this
    doc.addPage({ size: [layout.width, layout.height], margin: 0 })
    this.#number++
    this.#aside('Pagination', () => {
      const y = layout.height - margin - 9
      const right = `${this.margins.stamp}   ${this.#number} of ${this.margins.pages}`
      const width = this.text.width(right, 'plain', 8)
      this.#put(right, layout.width - margin - width, y, 'plain', 8)
      this.#put(this.#fitting(this.margins.title, layout.width - 2 * margin - width - 12), margin, y, 'plain', 8)
      if (heads) for (const [at, lines] of heads.entries()) this.#cell(at, lines, margin, 'bold')
    })
    if (heads) this.#line(margin + this.#height(Math.max(...heads.map(({ length }) => length))), 0.8)
  }

  words(form: 'H1' | 'P', lines: readonly string[], begins: boolean, y: number, actual: string | undefined): void {
    if (begins) {
      this.#words?.end()
      this.#words = this.doc.struct(form, actual === undefined ? {} : { actual })
      this.#document.add(this.#words)
    }
    const [weight, size] = form === 'H1' ? (['bold', titleSize] as const) : (['plain', 9] as const)
    this.#words!.add(() => {
      for (const [at, line] of lines.entries()) this.#put(line, margin, y + at * lineHeight(size), weight, size)
    })
  }

  row({ form, cells, actual, from, to }: RowPart, y: number): void {
    const { doc } = this
    if (!this.#table) {
      // An unattached structure element would keep the document from ending.
      this.#table = doc.struct('Table')
      this.#document.add(this.#table)
    }
    const weight = form === 'row' ? 'plain' : 'bold'
    if (form === 'total' && from === 0) this.#line(y, 0.8)
    if (from === 0) {
      this.#endRow()
      this.#row = doc.struct('TR')
      this.#table.add(this.#row)
      this.#cells = cells.map((lines, at) => {
        const said = actual[at] === undefined ? {} : { actual: actual[at] }
        const scope =
          form === 'head' ? 'Column' : form === 'total' && at === 0 && lines[0] === 'Total' ? 'Row' : undefined
        return doc.struct(scope ? 'TH' : 'TD', { ...said, ...(scope && { scope }) } as { actual?: string })
      })
      for (const cell of this.#cells) this.#row.add(cell)
    }
    for (const [at, lines] of cells.entries()) {
      const part = lines.slice(from, to)
      if (part.some((line) => line !== '')) this.#cells[at]!.add(() => this.#cell(at, part, y, weight))
    }
    this.#line(y + this.#height(to - from), form === 'head' ? 0.8 : 0.25)
  }

  end(): void {
    this.#words?.end()
    this.#endRow()
    this.#table?.end()
    this.#document.end()
  }

  #endRow(): void {
    for (const cell of this.#cells) cell.end()
    this.#row?.end()
    this.#cells = []
  }

  #height(lines: number): number {
    return lines * lineHeight(this.layout.size) + 2 * gap
  }

  #cell(column: number, lines: readonly string[], y: number, weight: Weight): void {
    const { size, columns } = this.layout
    const right = isNumeric(this.columns[column]!.kind)
    const [start, end] = [this.#left[column]! + padding, this.#left[column]! + columns[column]! - padding]
    for (const [at, line] of lines.entries()) {
      const x = right ? end - this.text.width(line.trimEnd(), weight, size) : start
      this.#put(line, x, y + gap + at * lineHeight(size), weight, size)
    }
  }

  #put(line: string, x: number, y: number, weight: Weight, size: number): void {
    if (line.trim() !== '') this.doc.font(weight).fontSize(size).text(line, x, y, { lineBreak: false })
  }

  #line(y: number, thick: number): void {
    const last = this.#left.length - 1
    const end = last < 0 ? margin : this.#left[last]! + this.layout.columns[last]!
    this.#aside('Layout', () =>
      this.doc.lineWidth(thick).strokeColor('#666666').moveTo(margin, y).lineTo(end, y).stroke(),
    )
  }

  #aside(type: 'Pagination' | 'Layout', draw: () => void): void {
    this.doc.markContent('Artifact', { type })
    draw()
    this.doc.endMarkedContent()
  }

  /** The beginning of a text that appears in full elsewhere. */
  #fitting(text: string, width: number): string {
    const [first = '', ...more] = this.text.lines(this.text.shown(text, 'plain'), 'plain', 8, width - 8)
    return more.length > 0 ? `${first.trimEnd()}…` : first
  }
}
