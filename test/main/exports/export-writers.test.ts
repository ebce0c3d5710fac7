import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonChunks, ndjsonChunks, separatedChunks, uniqueHeads } from '../../../src-main/exports/export-writers'
import type { SeparatedOptions } from '../../../src-main/exports/export-writers'
import type { ExportTable } from '../../../src-main/exports/export-table'
import { guarded, unguarded } from '#shared/results/formula-guard'
import { column, oddText, oddTexts, rowsOf, tableOf, wellFormed } from '../../helpers/export-tables'
import { cases } from '../../helpers/ring'

const dialects: SeparatedOptions[] = [
  { separator: ',', dialect: 'plain' },
  { separator: ',', dialect: 'spreadsheet' },
  { separator: ',', dialect: 'spreadsheet', decimalComma: true },
  { separator: '\t', dialect: 'plain' },
  { separator: '\t', dialect: 'spreadsheet', decimalComma: true },
]

const bytesOf = (table: ExportTable, options: SeparatedOptions): Buffer =>
  Buffer.concat([...separatedChunks(table, options)].map((chunk) => Buffer.from(chunk)))

function cellsOf(table: ExportTable, options: SeparatedOptions): string[][] {
  const { separator, dialect, decimalComma } = options
  const delimiter = separator === ',' && dialect === 'spreadsheet' && decimalComma ? ';' : separator
  return parse(bytesOf(table, options), { delimiter, bom: dialect === 'spreadsheet', record_delimiter: '\r\n' })
}

/** A formula, after any skipped characters. */
const formula = /^[\s"\u0000-\u001f\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/

describe('the formula guard', () => {
  it('adds one apostrophe before formulas, and before apostrophes in front of one', () => {
    for (const text of ['=1', '+1', '-1', '@a', '\t1', '\r1', ' =1', '\uff0b1', "'=1", "''=1", '"=1', '\u0000=1'])
      expect(guarded(text)).toBe(`'${text}`)
    for (const text of ['', 'plain', "'plain", "'", 'a=1', '10:00 - 11:00; then home', '1-1'])
      expect(guarded(text)).toBe(text)
  })

  it.each([
    ['\n=1', "\n'=1"],
    ['\t=1', "'\t'=1"],
    ['x;=1+1', "x;'=1+1"],
    ['x,=1', "x,'=1"],
    ['a\tb|-2', "a\tb|'-2"],
    ['x; =1', "x;' =1"],
    ['x;"=1', 'x;\'"=1'],
    ['x;\u0000\u200b=1', "x;'\u0000\u200b=1"],
    ['first\r\n=1', "first\r\n'=1"],
    ["x;'=1", "x;''=1"],
  ])('adds one after other separators: %j', (text, safe) => {
    expect(guarded(text)).toBe(safe)
    expect(unguarded(safe)).toBe(text)
  })

  it('takes linear time', () => {
    for (const part of ['\n', ' ', ';', '"', "'", '; ', ';"', "';", '\u000b', '=', "'="]) {
      const text = `=${part.repeat(500_000 / part.length)}x`
      expect(unguarded(guarded(text)) === text).toBe(true)
    }
  })

  it('is reversible for any text', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        expect(unguarded(guarded(text))).toBe(text)
        for (const part of guarded(text).split(/[,;|\t\r\n]/)) expect(part).not.toMatch(formula)
      }),
      { numRuns: cases(500, 5_000) },
    )
  })
})

describe.each(dialects)('separated values: %j', (options) => {
  const texts = [column('=Head', 'text'), column('Head, "2"', 'text'), column('ID', 'id')]

  it('read back cell by cell in another parser', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(oddText, oddText, fc.bigInt().map(String)), { maxLength: 8 }), (rows) => {
        const [head, ...read] = cellsOf(tableOf(texts, rows), options)
        expect(head!.map(unguarded)).toEqual(['=Head', 'Head, "2"', 'ID'])
        expect(read.map((row) => row.map(unguarded))).toEqual(rows.map((row) => row.map(wellFormed)))
      }),
      { numRuns: cases(150, 1_000) },
    )
  })

  it('contain no text that a spreadsheet evaluates', () => {
    const cells = cellsOf(
      tableOf(
        [column('a', 'text'), column('b', 'count')],
        oddTexts.map((text) => [text, text]),
      ),
      options,
    )
    for (const cell of cells.flat()) if (!/^([+-]?\d[\d.,]*|---)$/.test(cell)) expect(cell).not.toMatch(formula)
  })

  it('contain no formula under any separator, with or without quotes', () => {
    const risky = fc.oneof(
      oddText,
      fc
        .array(
          fc.constantFrom(
            ...[',', ';', '|', '\t', '"', "'", '\n', '\r', ' ', '\u200b', '\u0000'],
            ...['=', '+', '-', '@', '\uff1d', 'x'],
          ),
          {
            maxLength: 8,
          },
        )
        .map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(risky, risky, fc.bigInt().map(String)), { maxLength: 4 }), (rows) => {
        const written = bytesOf(tableOf(texts, rows), options).toString()
        for (const delimiter of [',', ';', '\t', '|']) {
          const loose = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true }
          const quoting = { ...loose, relax_quotes: true, skip_records_with_error: true }
          for (const reading of [quoting, { ...loose, quote: false }])
            for (const cell of (parse(written, reading) as string[][]).flat())
              if (!/^-\d+$/.test(cell)) expect(cell, JSON.stringify([delimiter, written])).not.toMatch(formula)
        }
      }),
      { numRuns: cases(200, 2_000) },
    )
  })

  it('write numbers as numbers', () => {
    const table = tableOf(
      [column('Clicks', 'count'), column('Cost', 'money'), column('Rate', 'percent'), column('Mean', 'number')],
      [
        [-5, '-1234.560000', 0.003579, 2.5],
        [0, '9007199254740993.123456', -0.5, 1e21],
        [null, null, null, null],
      ],
    )
    const commas = options.decimalComma === true
    const expected = [
      ['-5', '-1234.560000', '0.3579%', '2.5'],
      ['0', '9007199254740993.123456', '-50.0000%', '1e+21'],
      ['', '', '', ''],
    ].map((row) => row.map((cell) => (commas ? cell.replace('.', ',') : cell)))
    expect(cellsOf(table, options).slice(1)).toEqual(expected)
  })

  it('keep columns without rows, and rows with one empty cell', () => {
    expect(cellsOf(tableOf(texts, []), options)).toHaveLength(1)
    expect(cellsOf(tableOf([column('a', 'text')], [[''], [null], ['x']]), options)).toEqual([['a'], [''], [''], ['x']])
  })

  it('have a byte order mark for spreadsheets only, and CRLF line ends', () => {
    const bytes = bytesOf(tableOf([column('a', 'text')], [['x']]), options)
    expect(bytes.subarray(0, 3).equals(Buffer.from('\ufeff'))).toBe(options.dialect === 'spreadsheet')
    expect(bytes.toString().endsWith('a\r\nx\r\n')).toBe(true)
  })
})

describe('JSON', () => {
  const columns = [
    column('Name', 'text'),
    column('Name', 'id'),
    column('Cost', 'money', 'EUR'),
    column('CTR', 'percent'),
  ]
  const rows = [
    ['=1', '9007199254740993', '12.500000', 0.25],
    ['\ud800', '1', null, null],
  ]
  const table = tableOf(columns, rows, {
    about: [
      ['title', 'mine'],
      ['title', 'again'],
    ],
    total: ['---', '---', '12.5', '25%'],
  })

  it('preserves every value, the metadata, and the columns', () => {
    expect(JSON.parse([...jsonChunks(table)].join(''))).toEqual({
      meta: {
        title: 'Delivery by campaign',
        rows: 2,
        about: [
          { name: 'title', value: 'mine' },
          { name: 'title', value: 'again' },
        ],
        total: ['---', '---', '12.5', '25%'],
      },
      columns: [
        { name: 'Name', kind: 'text' },
        { name: 'Name', kind: 'id' },
        { name: 'Cost', kind: 'money', currency: 'EUR' },
        { name: 'CTR', kind: 'percent' },
      ],
      rows,
    })
  })

  it('in lines has one record each, with unique keys in column order', () => {
    const lines = [...ndjsonChunks(table)].join('').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { Name: '=1', 'Name (2)': '9007199254740993', Cost: '12.500000', CTR: 0.25 },
      { Name: '\ud800', 'Name (2)': '1', Cost: null, CTR: null },
    ])
    expect([...ndjsonChunks(tableOf([column('b', 'text'), column('1', 'text')], [['x', 'y']]))].join('')).toBe(
      '{"b":"x","1":"y"}\n',
    )
    expect([...ndjsonChunks(tableOf([column('__proto__', 'text')], [['x']]))].join('')).toBe('{"__proto__":"x"}\n')
  })

  it('is complete without rows and in many chunks', () => {
    expect(JSON.parse([...jsonChunks(tableOf(columns, []))].join('')).rows).toEqual([])
    expect([...ndjsonChunks(tableOf(columns, []))].join('')).toBe('')
    const many = rowsOf(1_501, [column('n', 'count')])
    const counts: number[] = []
    const read = JSON.parse([...jsonChunks(many, (at) => counts.push(at))].join('')) as { rows: number[][] }
    expect(read.rows).toEqual(Array.from({ length: 1_501 }, (_unused, row) => [row * 7]))
    expect(counts).toEqual([500, 1_000, 1_500, 1_501])
    expect([...ndjsonChunks(many)].join('').trimEnd().split('\n')).toHaveLength(1_501)
  })

  it('preserves any value exactly', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(oddText, fc.double({ noNaN: true, noDefaultInfinity: true })), { maxLength: 5 }),
        (some) => {
          const read = JSON.parse(
            [...jsonChunks(tableOf([column('a', 'text'), column('b', 'number')], some))].join(''),
          ) as {
            rows: unknown
          }
          expect(read.rows).toEqual(some.map(([text, number]) => [text, number === 0 ? 0 : number]))
        },
      ),
    )
  })

  it('has unique keys, whatever the headers', () => {
    const heads = (...names: string[]): string[] => uniqueHeads(names.map((name) => column(name, 'text')))
    expect(heads('a', 'a', 'a (2)', 'a')).toEqual(['a', 'a (3)', 'a (2)', 'a (4)'])
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'a (2)', 'a (2) (2)', 'b')), (names) => {
        expect(new Set(heads(...names)).size).toBe(names.length)
      }),
    )
  })
})
