import type { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { FaultError } from '#shared/fault'
import { dayOfSerial, dayStyles } from './workbook-dates'

/** A workbook begins as every archive does. */
export const isWorkbook = (first: Uint8Array): boolean =>
  first[0] === 0x50 && first[1] === 0x4b && first[2] === 0x03 && first[3] === 0x04

/** No sheet of a report is larger once it is unpacked; what is has been made to fill the memory. */
const mostBytes = 4 * 1024 ** 3

/**
 * The first sheet of a workbook as lines of separated values (UTF-8, RFC 4180), with those that an export of many rows goes on
 * in. Numbers stand as the file writes them, days as `2026-11-22`. Empty cells at the end of a row are left out.
 * @throws FaultError `invalid` for what is no workbook
 */
export async function* workbookAsCsv(path: string): AsyncGenerator<Uint8Array> {
  const wrong = (): FaultError => new FaultError({ code: 'invalid', message: 'The workbook cannot be read.' })
  const zip = await openPromise(path, { autoClose: false }).catch(() => {
    throw wrong()
  })
  try {
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const sheet = entries.get('xl/worksheets/sheet1.xml')
    if (!sheet) throw wrong()
    const strings = entries.get('xl/sharedStrings.xml')
    const shared = strings ? await sharedStrings(await contentOf(zip, strings)) : []
    const textOf = async (name: string): Promise<string> => {
      const entry = entries.get(name)
      let text = ''
      if (entry) for await (const piece of decoded(await contentOf(zip, entry))) text += piece
      return text
    }
    const styles = await textOf('xl/styles.xml')
    const days = styles === '' ? new Set<number>() : dayStyles(styles)
    const book = await textOf('xl/workbook.xml')
    const from1904 = /<workbookPr[^>]*\bdate1904="(1|true)"/.test(book)
    const about = { shared, days, from1904 }
    yield* sheetLines(await contentOf(zip, sheet), about)
    for (let next = 2; book.includes(`name="Data ${next}"`); next++) {
      const more = entries.get(`xl/worksheets/sheet${next}.xml`)
      if (!more) throw wrong()
      yield* sheetLines(await contentOf(zip, more), { ...about, goesOn: true })
    }
  } catch (error) {
    throw error instanceof FaultError ? error : wrong()
  } finally {
    zip.close()
  }
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.uncompressedSize > mostBytes)
    throw new FaultError({ code: 'invalid', message: 'The workbook is too large to be read.' })
  return (await zip.openReadStreamPromise(entry)) as Readable
}

async function sharedStrings(content: Readable): Promise<string[]> {
  const found: string[] = []
  let text: string | undefined
  let inside = false
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    if (name === 'si') text = ''
    inside = name === 't'
  })
  parser.on('text', (more) => {
    if (inside && text !== undefined) text += more
  })
  parser.on('closetag', ({ name }) => {
    if (name === 't') inside = false
    if (name === 'si') found.push(text ?? '')
  })
  for await (const piece of decoded(content)) parser.write(piece)
  parser.close()
  return found
}

interface About {
  shared: readonly string[]
  /** Styles whose numbers are days. */
  days: ReadonlySet<number>
  from1904: boolean
  /** Its first row is the header once more. */
  goesOn?: boolean
}

async function* sheetLines(
  content: Readable,
  { shared, days, from1904, goesOn = false }: About,
): AsyncGenerator<Uint8Array> {
  let lines = ''
  let begun = !goesOn
  let cells: string[] = []
  let type = ''
  let isDay = false
  let text = ''
  let at = 0
  let inside = false
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'row') cells = []
    else if (name === 'c') {
      type = attributes['t'] ?? 'n'
      isDay = days.has(Number(attributes['s'] ?? 0))
      at = attributes['r'] === undefined ? cells.length : columnOf(attributes['r'])
      text = ''
    } else inside = name === 'v' || name === 't'
  })
  parser.on('text', (more) => {
    if (inside) text += more
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'v' || name === 't') inside = false
    else if (name === 'c') {
      while (cells.length < at) cells.push('')
      if (type === 's') text = shared[Number(text)] ?? ''
      else if (type === 'inlineStr') text = unescaped(text)
      else if (type === 'n' && isDay) text = dayOfSerial(text, from1904)
      cells[at] = text
    } else if (name === 'row') {
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

const unescaped = (text: string): string =>
  text.replace(/_x([0-9a-fA-F]{4})_/g, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
