import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { FaultError } from '#shared/fault'
import { notCalculated } from '#shared/fields/uncalculated'
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
  /** True for text that isn't Unicode, and was read as Western European. */
  legacy?: true
}

/**
 * Reads separated values, or a sheet of a workbook.
 * @param sheet its name; by default the first visible one
 * @throws FaultError `invalid` | `storage`
 */
export async function readSheetRows(path: string, sheet?: string): Promise<SheetRows> {
  try {
    return (await isWorkbookFile(path)) ? await fromWorkbook(path, sheet) : await fromText(path)
  } catch (error) {
    throw storageFault(error, unchanged)
  }
}

async function fromWorkbook(path: string, wanted: string | undefined): Promise<SheetRows> {
  const taker = new Taker()
  const splitter = new RecordSplitter(',', taker)
  let sheet: SheetAbout | undefined
  const chunks = workbookAsCsv(path, { wanted, onsheet: (about) => (sheet = about), notCalculated })
  for await (const chunk of limited(chunks)) splitter.push(chunk)
  splitter.end()
  const several = sheet && sheet.names.length > 1 ? sheet : undefined
  // With several, an empty one may just be the wrong one.
  const rows = several ? taker.rows : taker.checked()
  return { rows, separated: false, commas: false, ...(several && { sheet: several }) }
}

async function fromText(path: string): Promise<SheetRows> {
  const parts: Uint8Array[] = []
  for await (const part of limited(asUtf8(createReadStream(path)))) parts.push(Buffer.from(part))
  const bytes = Buffer.concat(parts)
  const legacy = !isUtf8(bytes)
  if (bytes.some(legacy ? isUnwritten : isNul))
    throw invalid('The file isn’t a workbook or text. Save it as “CSV UTF-8” or as a workbook, then try again.')
  // Node 20 decodes it as Latin-1 unless there may be more.
  const given = legacy ? new TextDecoder('windows-1252').decode(bytes, { stream: true }) : bytes.toString()
  // Old line endings (CR).
  const text = given.includes('\n') ? given : given.replaceAll('\r', '\n')
  const separator = separatorOf(text)
  const taker = new Taker()
  const splitter = new RecordSplitter(separator, taker)
  splitter.push(Buffer.from(text))
  splitter.end()
  const rows = taker.checked()
  const commas = writesDecimalCommas(separator, numericColumns(rows))
  return { rows, separated: true, commas, ...(legacy && { legacy }) }
}

const isNul = (byte: number): boolean => byte === 0
/** True for bytes that no text in Windows-1252 has. */
const isUnwritten = (byte: number): boolean =>
  (byte < 0x20 && ![0x09, 0x0a, 0x0d].includes(byte)) || [0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    if ((size += chunk.length) > maxBytes) throw invalid('The file is too large. Split it into smaller files.')
    yield chunk
  }
}

/** Collects rows up to the limits. */
class Taker {
  readonly rows: string[][] = []
  #cells: string[] = []

  cell(bytes: Uint8Array, start: number, end: number): void {
    if (this.#cells.length >= maxColumns)
      throw invalid(
        `The file has more than ${maxColumns.toLocaleString('en')} columns. Remove those you don’t need, then try again.`,
      )
    this.#cells.push(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString())
  }

  record(): void {
    if (this.rows.push(this.#cells) > maxRows)
      throw invalid(`The file has more than ${maxRows.toLocaleString('en')} rows. Split it into smaller files.`)
    this.#cells = []
  }

  checked(): string[][] {
    if (this.rows.every((cells) => cells.every((cell) => cell.trim() === ''))) throw invalid('The file has no rows.')
    return this.rows
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
