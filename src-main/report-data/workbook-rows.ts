import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { FaultError } from '#shared/fault'
import { maxColumns, tooManyColumns } from './limits'
import { dayOfSerial, dayStyles } from './workbook-dates'

const megabyte = 1024 ** 2
/**
 * Maximum unpacked bytes of each part. Larger ones are attacks on memory. Sheets are streamed, other parts are held in
 * memory.
 */
const maxBytes = { sheet: 4096 * megabyte, strings: 512 * megabyte, styles: 8 * megabyte, book: 8 * megabyte }
const maxParts = 10_000
const maxStrings = 10_000_000
/** Maximum size of a cell and of a row, in bytes. Spreadsheets allow 32,767 characters per cell. */
const maxCellBytes = megabyte
const maxRowBytes = 64 * megabyte
/** Maximum number of cells in a workbook, including empty ones before others. */
const maxCells = 500_000_000

/** The sheet that was read, and the names of all visible sheets, without those that continue or describe the first. */
export interface SheetAbout {
  name: string
  names: readonly string[]
}

export interface WorkbookOptions {
  /** Name of a sheet; by default the first visible one, with the sheets that continue it in large exports. */
  wanted?: string
  onsheet?: (about: SheetAbout) => void
  /** Text for cells whose formulas have no current result. Default: such cells are an error. */
  notCalculated?: string
}

/**
 * Converts a sheet of a workbook to separated values (UTF-8, RFC 4180). Numbers stay as written, days are `2026-11-22`. Omits
 * empty cells at the end of rows.
 * @throws FaultError `invalid` if the file isn't a workbook, or for a formula without a current result
 */
export async function* workbookAsCsv(path: string, options: WorkbookOptions = {}): AsyncGenerator<Uint8Array> {
  const wrong = (): FaultError =>
    new FaultError({
      code: 'invalid',
      message:
        'The workbook is damaged or has an unsupported format. Save it again in a spreadsheet program, then try again.',
    })
  const zip = await openPromise(path, { autoClose: false }).catch(() => {
    throw wrong()
  })
  try {
    const entries = new Map<string, Entry>()
    if (zip.entryCount > maxParts) throw tooLarge()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const strings = entries.get('xl/sharedStrings.xml')
    const shared = strings ? await sharedStrings(await contentOf(zip, strings, 'strings')) : []
    const textOf = async (name: string, part: 'styles' | 'book'): Promise<string> => {
      const entry = entries.get(name)
      let text = ''
      if (entry) for await (const piece of decoded(await contentOf(zip, entry, part))) text += piece
      return text
    }
    const styles = await textOf('xl/styles.xml', 'styles')
    const days = styles === '' ? new Set<number>() : dayStyles(styles)
    const book = bookOf(await textOf('xl/workbook.xml', 'book'))
    const parts = partsOf(await textOf('xl/_rels/workbook.xml.rels', 'book'))
    const entryOf = ({ link }: BookSheet, at: number): Entry | undefined =>
      entries.get(parts.get(link) ?? `xl/worksheets/sheet${at + 1}.xml`)
    const visible = book.sheets.filter((one, at) => !one.hidden && entryOf(one, at))
    const [first] = visible
    // Exports of this app continue in Data 2, and say in About what they are.
    const named = visible.filter((one) => one === first || !/^(?:About|Data \d+)$/.test(one.name))
    const picked = named.find(({ name }) => name === options.wanted) ?? first
    const sheet = picked ? entryOf(picked, book.sheets.indexOf(picked)) : entries.get('xl/worksheets/sheet1.xml')
    if (!sheet) throw wrong()
    if (picked) options.onsheet?.({ name: picked.name, names: named.map(({ name }) => name) })
    const about = { shared, days, ...book, count: { cells: 0 }, notCalculated: options.notCalculated }
    yield* sheetLines(await contentOf(zip, sheet, 'sheet'), about)
    for (let next = 2; picked === first; next++) {
      const at = book.sheets.findIndex(({ name }) => name === `Data ${next}`)
      if (at < 0) break
      const more = entryOf(book.sheets[at]!, at)
      if (!more) throw wrong()
      yield* sheetLines(await contentOf(zip, more, 'sheet'), { ...about, goesOn: true })
    }
  } catch (error) {
    throw error instanceof FaultError ? error : wrong()
  } finally {
    zip.close()
  }
}

/**
 * Programs that write formulas without calculating them store no results, or zeros to replace when the workbook is opened.
 * @param has true if there's a result
 */
const notCurrent = (cell: string, has: boolean): FaultError =>
  new FaultError({
    code: 'invalid',
    message: `${
      has
        ? `Results of formulas, such as the one in cell ${cell}, may be out of date`
        : `The result of the formula in cell ${cell} isn’t in the file`
    }. Open and save the workbook in a spreadsheet program, then try again.`,
  })

const tooLarge = (): FaultError =>
  new FaultError({ code: 'invalid', message: 'The workbook is too large to read. Split it into smaller files.' })

/** @throws FaultError `invalid` if a part declares too large a size. A part larger than declared is cut off */
async function contentOf(zip: ZipFile, entry: Entry, part: keyof typeof maxBytes): Promise<Readable> {
  if (entry.uncompressedSize > maxBytes[part]) throw tooLarge()
  return (await zip.openReadStreamPromise(entry)) as Readable
}

interface BookSheet {
  name: string
  /** ID of the relationship to its file. */
  link: string
  hidden: boolean
}

/** The sheets of a workbook in the order of their tabs, from when it counts days, and if its results are out of date. */
function bookOf(xml: string): { sheets: readonly BookSheet[]; from1904: boolean; isOutdated: boolean } {
  const sheets: BookSheet[] = []
  let from1904 = false
  let isOutdated = false
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'sheet') {
      const [, link = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? []
      sheets.push({ name: attributes['name'] ?? '', link, hidden: /hidden$/i.test(attributes['state'] ?? '') })
    }
    if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
    if (name === 'calcPr') isOutdated = /^(1|true)$/.test(attributes['fullCalcOnLoad'] ?? '')
  })
  if (xml !== '') parser.write(xml).close()
  return { sheets, from1904, isOutdated }
}

/** Paths of a workbook's files by the IDs of their relationships. */
function partsOf(xml: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>()
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const { Id, Target = '' } = attributes
    if (name === 'Relationship' && Id !== undefined)
      parts.set(Id, Target.startsWith('/') ? Target.slice(1) : posix.join('xl', Target))
  })
  if (xml !== '') parser.write(xml).close()
  return parts
}

async function sharedStrings(content: Readable): Promise<string[]> {
  const found: string[] = []
  let text: string | undefined
  let inside = false
  // The pronunciation of a Japanese text isn't part of the text.
  let isPhonetic = false
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    if (name === 'si') text = ''
    if (name === 'rPh') isPhonetic = true
    inside = name === 't' && !isPhonetic
  })
  parser.on('text', (more) => {
    if (inside && text !== undefined) text = longer(text, more)
  })
  parser.on('closetag', ({ name }) => {
    if (name === 't') inside = false
    if (name === 'rPh') isPhonetic = false
    if (name === 'si' && found.push(text ?? '') > maxStrings) throw tooLarge()
  })
  for await (const piece of decoded(content)) parser.write(piece)
  parser.close()
  return found
}

/** @throws FaultError `invalid` for a cell that's too long */
function longer(text: string, more: string): string {
  if (text.length + more.length > maxCellBytes) throw tooLarge()
  return text + more
}

interface About {
  /** Cells of all sheets so far. */
  count: { cells: number }
  shared: readonly string[]
  /** Styles that format numbers as dates. */
  days: ReadonlySet<number>
  from1904: boolean
  /** True if results of formulas must be calculated again. */
  isOutdated: boolean
  notCalculated: string | undefined
  /** True if its first row repeats the header. */
  goesOn?: boolean
}

async function* sheetLines(
  content: Readable,
  { shared, days, from1904, isOutdated, notCalculated, count, goesOn = false }: About,
): AsyncGenerator<Uint8Array> {
  let lines = ''
  let begun = !goesOn
  let cells: string[] = []
  let type = ''
  let isDay = false
  let text = ''
  let at = 0
  let inside = false
  let width = 0
  let row = 0
  let hasFormula = false
  let hasResult = false
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'row') {
      cells = []
      width = 0
      row = Number(attributes['r'] ?? row + 1)
    } else if (name === 'c') {
      type = attributes['t'] ?? 'n'
      isDay = days.has(Number(attributes['s'] ?? 0))
      at = attributes['r'] === undefined ? cells.length : columnOf(attributes['r'])
      if (at >= maxColumns) throw tooManyColumns()
      text = ''
      hasFormula = hasResult = false
    } else {
      inside = name === 'v' || name === 't'
      hasFormula ||= name === 'f'
      // Only a text may be empty.
      hasResult ||= name === 'v' && type === 'str'
    }
  })
  parser.on('text', (more) => {
    if (inside) text = longer(text, more)
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'v' || name === 't') inside = false
    else if (name === 'c') {
      while (cells.length < at) cells.push('')
      hasResult ||= text !== ''
      if (hasFormula && (isOutdated || !hasResult)) {
        if (notCalculated === undefined) throw notCurrent(`${lettersOf(at)}${row}`, hasResult)
        text = notCalculated
      } else if (type === 's') text = shared[Number(text)] ?? ''
      else if (type === 'inlineStr') text = unescaped(text)
      else if (type === 'n') text = isDay ? dayOfSerial(text, from1904) : shownNumber(text)
      cells[at] = text
      if ((width += text.length) > maxRowBytes) throw tooLarge()
    } else if (name === 'row') {
      if ((count.cells += cells.length) > maxCells) throw tooLarge()
      if (begun) lines += `${cells.map(quoted).join(',')}\r\n`
      begun = true
    }
  })
  for await (const piece of decoded(content)) {
    parser.write(piece)
    if (lines.length > 64 * 1024) {
      yield Buffer.from(lines)
      lines = ''
    }
  }
  parser.close()
  yield Buffer.from(lines)
}

/**
 * A number as spreadsheets show it: they store 1.1 as `1.1000000000000001`. Whole numbers keep every digit, and rounded IDs, such
 * as `1.2E+17`, stay recognizable.
 */
function shownNumber(stored: string): string {
  if (!/\.|e-/i.test(stored) || /e\+?\d/i.test(stored)) return stored
  const shown = String(Number(Number(stored).toPrecision(15)))
  return /^-?\d+(\.\d+)?$/.test(shown) ? shown : stored
}

async function* decoded(content: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of content as AsyncIterable<Buffer>) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** The column of `B12`, from 0. */
function columnOf(address: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(address)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

const unescaped = (text: string): string =>
  text.replace(/_x([0-9a-fA-F]{4})_/g, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
