import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CellKind } from '#shared/results/result-columns'
import { exportTable, type ExportOptions } from '../../../src-main/exports/export-file'
import type { ExportTable } from '../../../src-main/exports/export-table'
import { separatorOf } from '../../../src-main/report-data/dialect'
import { readReportFile } from '../../../src-main/report-data/read-file'
import type { ResultTable } from '../../../src-main/report-data/table'

// Exported CSV reopens as results with the same numbers, dates, and minus signs.

let folder: string
let files = 0
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'dialects-'))))
afterAll(() => rm(folder, { recursive: true }))

async function read(text: string | Uint8Array): Promise<ResultTable> {
  const path = join(folder, `${files++}.csv`)
  await writeFile(path, text)
  return readReportFile(path)
}
const kindsOf = ({ columns }: ResultTable): CellKind[] => columns.map(({ about }) => about.kind)
const valuesOf = ({ columns, length }: ResultTable): unknown[][] =>
  Array.from({ length }, (_, row) => columns.map((column) => column.value(row)))
const asExport = ({ columns, length }: ResultTable): ExportTable => ({
  title: 'Figures',
  about: [],
  columns: columns.map(({ about: { head, kind } }) => ({ head, kind })),
  length,
  value: (row, column) => columns[column]!.value(row),
  text: (row, column) => columns[column]!.text(row),
})

const dialects: Pick<ExportOptions, 'format' | 'dialect' | 'decimalComma'>[] = [
  { format: 'csv', dialect: 'plain' },
  { format: 'csv', dialect: 'spreadsheet', decimalComma: false },
  { format: 'csv', dialect: 'spreadsheet', decimalComma: true },
  { format: 'tsv', dialect: 'plain' },
  { format: 'tsv', dialect: 'spreadsheet', decimalComma: false },
  { format: 'tsv', dialect: 'spreadsheet', decimalComma: true },
]

async function again(table: ResultTable, options: (typeof dialects)[number]): Promise<ResultTable> {
  const path = join(folder, `${files++}.${options.format}`)
  await exportTable(path, asExport(table), { ...options, fonts: '', now: 0 })
  return readReportFile(path)
}

const heads = ['Site', 'Note; "more", and\tmore', 'Site ID', 'Date', 'Clicks', 'Media Cost', 'Click Rate', 'Effort']
const kinds = ['text', 'text', 'id', 'day', 'count', 'money', 'percent', 'text']
const quoted = (cells: readonly string[]): string => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')

describe.each(dialects)('a file exported as %j', (options) => {
  it('has the same numbers, dates, and minus signs when opened', async () => {
    const decimal = (digits: number): fc.Arbitrary<string> =>
      fc
        .tuple(fc.boolean(), fc.nat(10 ** 7), fc.nat(10 ** digits - 1))
        .map(([less, whole, part]) => `${less && whole > 0 ? '-' : ''}${whole}.${String(part).padStart(digits, '0')}`)
    const text = fc.constantFrom('A', 'b; c', 'd, e', '1,5', '2.5', 'x\ty', '"', 'line\nline', '(not set)', 'Ü')
    const row = fc.tuple(
      text,
      text,
      fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String),
      fc.integer({ min: 0, max: 30_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
      fc.integer().map(String),
      decimal(2),
      decimal(4).map((one) => `${one}%`),
      text,
    )
    await fc.assert(
      fc.asyncProperty(row, fc.array(row, { maxLength: 20 }), async (first, others) => {
        // Texts that are all numbers are read as such.
        const rows = [first.map((cell, at) => (kinds[at] === 'text' ? 'A' : cell)), ...others]
        const table = await read([heads, ...rows].map(quoted).join('\r\n'))
        expect(kindsOf(table)).toEqual(kinds)
        const opened = await again(table, options)
        expect(kindsOf(opened)).toEqual(kinds)
        expect(opened.columns.map(({ about }) => about.head)).toEqual(heads)
        expect(valuesOf(opened)).toEqual(valuesOf(table))
      }),
      { numRuns: 100 },
    )
  })

  it('has its original texts without the formula guard', async () => {
    const texts = [
      '=SUM(A1)',
      "'=SUM(A1)",
      '+1; 2',
      '-minus',
      '@name',
      '"-x',
      '\t=1',
      "'tis",
      "'",
      '---',
      'plain',
      '＝1',
    ]
    const column = { head: '=Site', kind: 'text' } as const
    const path = join(folder, `${files++}.${options.format}`)
    const written: ExportTable = {
      ...{ title: 'Figures', about: [], columns: [column, { head: 'Clicks', kind: 'count' }], length: texts.length },
      value: (row, at) => (at === 0 ? texts[row]! : -row),
      text: (row, at) => (at === 0 ? texts[row]! : String(-row)),
    }
    await exportTable(path, written, { ...options, fonts: '', now: 0 })
    const opened = await readReportFile(path)
    expect(opened.columns.map(({ about }) => about.head)).toEqual(['=Site', 'Clicks'])
    expect(texts.map((_text, row) => opened.columns[0]!.text(row))).toEqual(texts)
    expect(texts.map((_text, row) => opened.columns[1]!.value(row))).toEqual(texts.map((_text, row) => 0 - row))
  })

  it.each([
    ['one column of numbers', 'Media Cost\n1.50\n-0.000001\n""\n3.00'],
    ['one column of texts', 'Site\n"a;b"\n"c, d"'],
    ['no rows', 'Site,Clicks,Media Cost'],
    ['only whole numbers', 'Site,Clicks\nA,-5\nB,1210'],
    ['missing values', 'Site,Media Cost,Click Rate\nA,---,\nB,2.50,---'],
  ])('opens with %s', async (_what, text) => {
    const table = await read(`${text}\n`)
    const opened = await again(table, options)
    expect([kindsOf(opened), valuesOf(opened)]).toEqual([kindsOf(table), valuesOf(table)])
  })
})

it('text from a service keeps its apostrophes', async () => {
  const path = join(folder, `${files++}.csv`)
  await writeFile(path, "Site,Clicks\n'=x,1\n")
  expect((await readReportFile(path, { separator: ',' })).columns[0]!.text(0)).toBe("'=x")
  const marked = await read("Report Fields\nSite,Clicks\n'=x,1\nGrand Total:,1\n")
  expect(marked.columns[0]!.text(0)).toBe("'=x")
})

describe("another program's file", () => {
  it('with semicolons has decimal commas, unless it has points', async () => {
    const german = await read('Site;Clicks;Media Cost;Click Rate\nA;1;-1234,5;0,36%\nB;2;7;1%\n')
    expect(kindsOf(german)).toEqual(['text', 'count', 'money', 'percent'])
    expect(valuesOf(german)).toEqual([
      ['A', 1, '-1234.50', 0.0036],
      ['B', 2, '7.00', 0.01],
    ])
    const swiss = await read('Site;Media Cost\nA;1234.5\n')
    expect([kindsOf(swiss), valuesOf(swiss)]).toEqual([['text', 'money'], [['A', '1234.50']]])
  })

  it('has thousands if its numbers leave no doubt. Otherwise such a column stays text', async () => {
    const german = await read('Site;Clicks;Media Cost\nA;1.210;1.234,50\nB;2;-2,50\n')
    expect(kindsOf(german)).toEqual(['text', 'count', 'money'])
    expect(valuesOf(german)).toEqual([
      ['A', 1210, '1234.50'],
      ['B', 2, '-2.50'],
    ])
    const english = await read(
      'Site,Clicks,Media Cost\nA,"1,234,567","1,234.50"\nGrand Total:,"1,234,567","1,234.50"\n',
    )
    expect(valuesOf(english)).toEqual([['A', 1_234_567, '1234.50']])
    expect(english.total).toEqual(['Grand Total:', '1234567', '1234.50'])
    const broken = await read('Site;Clicks;Media Cost;Click Rate\nA;1.21;1.234.50;1,5%\nB;1210.000;1.234,5;2,5.000%\n')
    expect(kindsOf(broken)).toEqual(['text', 'text', 'text', 'text'])
    for (const [by, cell] of [
      ['\t', '1,210'],
      [';', '1.210'],
    ]) {
      const unclear = await read(`Site${by}Clicks\nA${by}${cell}\nB${by}7\n`)
      expect([kindsOf(unclear), unclear.columns[1]!.text(0)]).toEqual([['text', 'text'], cell])
    }
  })

  it('has numbers in a column that says it’s money, however many decimals were typed', async () => {
    const typed = await read('Line,Budget,Version\nA,12.50,1.10\nB,3.5,1.9\nC,10,2.0\n')
    expect(typed.columns.map(({ about }) => about.kind)).toEqual(['text', 'money', 'text'])
    expect(typed.columns[1]!.value(1)).toBe('3.50')
  })

  it('has numbers in columns that aren’t known if decimals or thousands leave no doubt', async () => {
    const plan = await read(
      'Seite;Kosten;Anteil;Kunde;Version;Wert;Klicks\nA;1.234,50;12,5%;1001;1,9;1,5;1.210\nB;-3,0;100%;1002;1,10;2;7\n',
    )
    expect(kindsOf(plan)).toEqual(['text', 'number', 'percent', 'text', 'text', 'number', 'count'])
    expect(valuesOf(plan)).toEqual([
      ['A', 1234.5, 0.125, '1001', '1,9', 1.5, 1210],
      ['B', -3, 1, '1002', '1,10', 2, 7],
    ])
    expect(kindsOf(await read('Seite,Kosten,Creative Version\nA,2.5,1.5\n'))).toEqual(['text', 'number', 'text'])
    // Texts that look like numbers don't decide against those of known metrics.
    expect(valuesOf(await read('Note;Media Cost\n2.5;1,50\n'))).toEqual([['2.5', '1.50']])
  })

  it('detects a late decimal comma, also in the totals row', async () => {
    const rows = Array.from({ length: 1_500 }, (_, at) => `A;${at}`)
    const table = await read(['Site;Media Cost', ...rows, 'B;0,25', 'Grand Total:;1124250,25', ''].join('\r\n'))
    expect(kindsOf(table)).toEqual(['text', 'money'])
    expect([table.columns[1]!.value(1_500), table.total]).toEqual(['0.25', ['Grand Total:', '1124250.25']])
  })
})

it.each([
  ['a,b\n1,2', ','],
  ['a;b\n1;2', ';'],
  ['a\tb\n1\t2', '\t'],
  ['"a;b;c",d\n1,2', ','],
  ['A;B;C,Clicks\nx,2', ','],
  ['"a, b, c";d\n1;2', ';'],
  ['Name, first, last\tClicks\nA, B, C\t1', '\t'],
  ['Net, all;Cost\n5;1,50', ';'],
  ['\n\na;b\n1;2', ';'],
  ['Site', ','],
  ['', ','],
])('%j uses %j as its separator', (text, separator) => expect(separatorOf(text)).toBe(separator))
