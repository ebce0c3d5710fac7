import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { FaultError } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { separatorOf, writesDecimalCommas } from '../report-data/dialect'
import { asUtf8, RecordSplitter } from '../report-data/records'
import { isWorkbookFile } from '../report-data/workbook'
import { workbookAsCsv, type SheetAbout } from '../report-data/workbook-rows'

const megabyte = 1024 ** 2
/** Maximum size of the text of a spreadsheet, in bytes. */
const maxBytes = 256 * megabyte
const maxRows = 250_000
const maxColumns = 1_000
/** Number of rows that decide whether commas are decimal. */
const sampleRows = 1_000

const unchanged = 'Nothing was imported.'
const invalid = (message: string): FaultError => new FaultError({ code: 'invalid', message: `${message} ${unchanged}` })

/** A spreadsheet as rows of texts, with the header and empty rows. */
export interface SheetRows {
  rows: string[][]
  /** True for separated values, false for a workbook. */
  separated: boolean
  /** True if numbers have decimal commas. */
  commas: boolean
  /** The sheet of a workbook with several. */
  sheet?: SheetAbout
}

/** Reads separated values, or the first visible sheet of a workbook. @throws FaultError `invalid` | `storage` */
export async function readSheetRows(path: string): Promise<SheetRows> {
  try {
    return (await isWorkbookFile(path)) ? await fromWorkbook(path) : await fromText(path)
  } catch (error) {
    throw storageFault(error, unchanged)
  }
}

async function fromWorkbook(path: string): Promise<SheetRows> {
  const taker = new Taker()
  const splitter = new RecordSplitter(',', taker)
  let sheet: SheetAbout | undefined
  for await (const chunk of limited(workbookAsCsv(path, (about) => (sheet = about)))) splitter.push(chunk)
  splitter.end()
  const rows = taker.checked()
  return { rows, separated: false, commas: false, ...(sheet && sheet.of > 1 && { sheet }) }
}

async function fromText(path: string): Promise<SheetRows> {
  const parts: Uint8Array[] = []
  for await (const part of limited(asUtf8(createReadStream(path)))) parts.push(Buffer.from(part))
  const bytes = Buffer.concat(parts)
  if (!isUtf8(bytes) || bytes.includes(0))
    throw invalid('The file isn’t a workbook or UTF-8 text. Save it as “CSV UTF-8” or as a workbook, then try again.')
  const given = bytes.toString()
  // Old line endings (CR).
  const text = given.includes('\n') ? given : given.replaceAll('\r', '\n')
  const separator = separatorOf(text)
  const taker = new Taker()
  const splitter = new RecordSplitter(separator, taker)
  splitter.push(Buffer.from(text))
  splitter.end()
  const rows = taker.checked()
  return { rows, separated: true, commas: writesDecimalCommas(separator, numericColumns(rows)) }
}

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    if ((size += chunk.length) > maxBytes) throw invalid('The file is too large. Split it into smaller files.')
    yield chunk
  }
}

/** Collects rows up to the limits. */
class Taker {
  readonly #rows: string[][] = []
  #cells: string[] = []

  cell(bytes: Uint8Array, start: number, end: number): void {
    if (this.#cells.length >= maxColumns)
      throw invalid(`The file has more than ${maxColumns.toLocaleString('en')} columns.`)
    this.#cells.push(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString())
  }

  record(): void {
    if (this.#rows.push(this.#cells) > maxRows)
      throw invalid(`The file has more than ${maxRows.toLocaleString('en')} rows. Split it into smaller files.`)
    this.#cells = []
  }

  checked(): string[][] {
    if (this.#rows.every((cells) => cells.every((cell) => cell.trim() === ''))) throw invalid('The file has no rows.')
    return this.#rows
  }
}

/** Columns whose cells would all be numbers if commas were decimal, without the header. */
function numericColumns(rows: readonly (readonly string[])[]): string[][] {
  const [head = [], ...rest] = rows.slice(0, sampleRows)
  return head
    .map((_head, at) => rest.map((cells) => cells[at] ?? '').filter((cell) => cell !== ''))
    .filter(
      (cells) =>
        cells.length > 0 && cells.every((cell) => /^-?(?:\d+(?:[.,]\d+)?|\d{1,3}(?:\.\d{3})+,\d+)%?$/.test(cell)),
    )
}
