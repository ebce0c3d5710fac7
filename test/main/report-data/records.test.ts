import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecordSplitter, asUtf8 } from '../../../src-main/report-data/records'

function split(chunks: readonly Uint8Array[], separator: ',' | '\t' = ','): { records: string[][]; offsets: number[] } {
  const [records, offsets]: [string[][], number[]] = [[], []]
  let cells: string[] = []
  const splitter = new RecordSplitter(separator, {
    cell: (bytes, start, end) => void cells.push(Buffer.from(bytes.subarray(start, end)).toString()),
    record: (offset) => {
      records.push(cells)
      offsets.push(offset)
      cells = []
    },
  })
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return { records, offsets }
}
const inPieces = (text: string, size: number): Uint8Array[] => {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}
const one = (text: string): string[][] => split([Buffer.from(text)]).records

const cell = fc.oneof(
  fc.stringMatching(/^[a-z",\r\n;\t '=]{0,6}$/),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom('', '(not set)', '---', '1210096', '-5', '0.3579%', '🛩️', '"', '""'),
)
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))

describe('records', () => {
  it.each([',', '\t'] as const)(
    "separated by %j match another library's output, in chunks of any size",
    (separator) => {
      fc.assert(
        fc.property(table, fc.constantFrom('\r\n', '\n'), fc.integer({ min: 1, max: 9 }), (rows, ends, size) => {
          const text = stringify(rows, { delimiter: separator, record_delimiter: ends, quoted_match: /[\r\n]/ })
          expect(split(inPieces(text, size), separator).records).toEqual(rows)
          expect(split(inPieces(text.slice(0, -ends.length), size), separator).records).toEqual(rows)
          expect(split([Buffer.from(text)], separator).offsets.at(-1)).toBe(Buffer.byteLength(text))
        }),
      )
    },
  )

  it('are readable by another library', () => {
    const text = 'a,"b ""c""",\r\n\n"x\r\ny",1\nlast,'
    const theirs: string[][] = parse(text, { relax_column_count: true, record_delimiter: ['\r\n', '\n'] })
    expect(one(text)).toEqual([['a', 'b "c"', ''], [''], ['x\r\ny', '1'], ['last', '']])
    expect(one(text)).toEqual(theirs)
  })

  it.each([
    ['a,b\n"c', 'On line 2, cell 1 starts with a quote that is never closed.'],
    ['"a\nb",c\nd,"e"f\n', 'On line 3, cell 2 has text after its closing quote.'],
  ])('of %j are rejected with the line number', (text, message) => {
    for (const size of [1, 3, 100]) expect(() => split(inPieces(text, size))).toThrow(message)
  })
})

describe('bytes', () => {
  const read = async (bytes: Uint8Array, size: number): Promise<string> => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const got: Uint8Array[] = []
    for await (const piece of asUtf8(pieces)) got.push(piece)
    return Buffer.concat(got).toString()
  }
  const text = 'Ümläut,🛩️\r\n'

  it.each([1, 2, 5, 100])('with any byte order mark decode as UTF-8, %i at a time', async (size) => {
    const little = Buffer.from(`\ufeff${text}`, 'utf16le')
    const big = Buffer.from(little).swap16()
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), little, big])
      expect(await read(bytes, size)).toBe(text)
    expect(await read(Buffer.from('a'), size)).toBe('a')
    expect(await read(Buffer.alloc(0), size)).toBe('')
  })
})
