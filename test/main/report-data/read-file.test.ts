import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unguarded } from '#shared/results/formula-guard'
import type { CellKind, PlannedColumn } from '#shared/results/result-columns'
import { readReportFile } from '../../../src-main/report-data/read-file'
import type { ResultTable } from '../../../src-main/report-data/table'
import { totalsOf } from '../../../src-main/report-data/totals'
import { cases } from '../../helpers/ring'

let folder: string
let files = 0
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'report-data-'))))
afterAll(() => rm(folder, { recursive: true }))

async function read(text: string | Uint8Array, planned?: PlannedColumn[]): Promise<ResultTable> {
  const path = join(folder, `${files++}.csv`)
  await writeFile(path, text)
  return readReportFile(path, planned ? { planned } : {})
}
const rowsOf = ({ columns, length }: ResultTable): string[][] =>
  Array.from({ length }, (_, row) => columns.map((column) => column.text(row)))
const kindsOf = ({ columns }: ResultTable): CellKind[] => columns.map(({ about }) => about.kind)

const head = [
  '"Delivery, ""all"""',
  'Report Time Zone,Europe/Berlin',
  'Account ID,12345678901234567890',
  'Date Range,2026-10-22 - 2026-11-20',
  '',
  'Report Fields',
]
const trafficking = (...lines: string[]): string => [...head, ...lines, ''].join('\r\n')

describe("a trafficking report's file", () => {
  const file = trafficking(
    'Campaign,Campaign ID,Date,Impressions,Click Rate,Media Cost,Effort',
    '"Autumn, ""late""",9007199254740993,2026-10-25,1210096,0.3579%,1234.50,7.5',
    '(not set),9007199254740994,2026-10-26,0,0.0000%,0.000001,-1',
    'Autumn,---,2026-10-27,3000000000,100.0000%,-3.10,0',
    'Grand Total:,---,---,3001210096,0.3000%,1231.400001,6.5',
    'A note',
  )

  it('separates header, rows, and totals', async () => {
    const table = await read(file)
    expect(table.head).toEqual([
      ['Delivery, "all"'],
      ['Report Time Zone', 'Europe/Berlin'],
      ['Account ID', '12345678901234567890'],
      ['Date Range', '2026-10-22 - 2026-11-20'],
      [''],
    ])
    expect(table.length).toBe(3)
    expect(table.total).toEqual(['Grand Total:', '---', '---', '3001210096', '0.3000%', '1231.400001', '6.5'])
    expect(table.notes).toEqual([['A note']])
  })

  it('infers column types from headers, cells, and totals', async () => {
    const table = await read(file)
    expect(kindsOf(table)).toEqual(['text', 'id', 'day', 'count', 'percent', 'money', 'number'])
    expect(table.columns.map((column) => column.value(0))).toEqual([
      'Autumn, "late"',
      '9007199254740993',
      '2026-10-25',
      1210096,
      0.003579,
      '1234.50',
      7.5,
    ])
    expect(table.columns[5]!.value(1)).toBe('0.000001')
    expect(table.columns[5]!.value(2)).toBe('-3.10')
    expect(rowsOf(table)[2]).toEqual(['Autumn', '---', '2026-10-27', '3000000000', '100.0000%', '-3.10', '0.0'])
  })

  it('uses the definition if available, whatever the header language', async () => {
    const planned = [
      { field: 'campaign', metric: false },
      { field: 'campaignId', metric: false },
      { field: 'month', metric: false },
      { field: 'clicks', metric: true },
      { field: 'somethingNew', metric: true },
    ]
    const table = await read(
      trafficking('Kampagne,Nummer,Monat,Klicks,Neues', '1,2,2026-11,4,5', 'Grand Total:,---,---,4,5'),
      planned,
    )
    expect(kindsOf(table)).toEqual(['text', 'id', 'month', 'count', 'count'])
    expect(table.columns.map(({ about }) => about.field)).toEqual(planned.map(({ field }) => field))
    expect(table.columns[2]!.value(0)).toBe('2026-11')
  })

  it.each([
    ['metrics in another order', 'Placement ID,Clicks,Impressions', ['clicks', 'impressions']],
    ['another dimension', 'Date,Impressions,Clicks', ['impressions', 'clicks']],
    ['fewer dimensions', 'Placement ID,Ad ID,Impressions,Clicks', [undefined, 'impressions', 'clicks']],
  ])('ignores a definition with %s than the header', async (_name, header, fields) => {
    const planned = [
      { field: 'placementId', metric: false },
      { field: 'impressions', metric: true },
      { field: 'clicks', metric: true },
    ]
    const cells = header.split(',').map((_head, at) => at)
    const table = await read(trafficking(header, cells.join(','), `Grand Total:,${cells.slice(1).join(',')}`), planned)
    expect(table.columns.map(({ about }) => about.field)).toEqual([undefined, ...fields])
  })

  it('of overlaps has its metrics once for each pair, so they don’t add up', async () => {
    const addsOf = async (...lines: string[]): Promise<unknown[]> =>
      (await read(trafficking(...lines))).columns.map(({ about }) => about.adds)
    const pairs = ['Campaign,Other Campaign,Impressions,Overlap Reach', 'A,A,7,3', 'A,B,7,1', 'Grand Total:,---,7,---']
    expect(await addsOf(...pairs)).toEqual([null, null, 'whole', 'whole'])
    const own = ['Campaign,Impressions,A: Overlap Reach,B: Overlap Reach', 'A,7,3,1', 'Grand Total:,7,---,---']
    expect(await addsOf(...own)).toEqual([null, 'sum', 'whole', 'whole'])
  })
  it('of overlaps is told by its definition, whatever language its header is in', async () => {
    const planned = ['campaign', 'other', 'impressions', 'uniqueReachOverlapTotalReach'].map(
      (field, at): PlannedColumn => ({ field, metric: at > 1 }),
    )
    const lines = ['Kampagne,Andere,Impressionen,Überschneidung', 'A,A,7,3', 'A,B,7,1', 'Grand Total:,---,7,---']
    const table = await read(trafficking(...lines), planned)
    expect(table.columns.map(({ about }) => about.adds)).toEqual([null, null, 'whole', 'whole'])
  })

  it('has totals even without rows', async () => {
    const table = await read(trafficking('Campaign,Clicks', 'Grand Total:,0'))
    expect([table.length, table.total, kindsOf(table)]).toEqual([0, ['Grand Total:', '0'], ['text', 'count']])
  })
})

describe("a search report's file", () => {
  it('has a header and rows', async () => {
    const table = await read('agency,date,clicks,quarter\n,2026-11-22,3,2026-Q4\nB,,,\n')
    expect(table.head).toEqual([])
    expect(rowsOf(table)).toEqual([
      ['', '2026-11-22', '3', '2026-Q4'],
      ['B', '', '', ''],
    ])
    expect(kindsOf(table)).toEqual(['text', 'day', 'count', 'quarter'])
    expect(table.columns.map((column) => column.value(1))).toEqual(['B', null, null, null])
  })

  it('in tab-separated UTF-16 reads the same', async () => {
    const table = await read(Buffer.from('\ufeffagency\tclicks\r\nÜ\t3\r\n', 'utf16le'))
    expect(rowsOf(table)).toEqual([['Ü', '3']])
  })
})

describe('unexpected content', () => {
  it('a cell of another type makes its column text, unchanged', async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `a,${at}`)
    const table = await read(['Name,Clicks', ...lines, 'b,many', 'c,0012', ''].join('\n'))
    expect(kindsOf(table)).toEqual(['text', 'text'])
    expect(rowsOf(table).slice(-2)).toEqual([
      ['b', 'many'],
      ['c', '0012'],
    ])
  })

  it.each([
    ['a,b\n1,2\n3\n', 'Row 2 has 1 cell, but the header has 2'],
    ['a,b\n1,2\n3,4,5\n', 'Row 2 has 3 cells, but the header has 2'],
    ['', 'The file has no header'],
    ['a,b\n1,"2', 'On line 2, cell 2 starts with a quote that is never closed.'],
  ])('%j is rejected', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })

  it('money beyond exact micros is read if a number holds it, and otherwise kept as text', async () => {
    const table = await read(
      trafficking('Campaign,Media Cost', 'a,9000000000.50', 'b,5000000000', 'Grand Total:,14000000000.50'),
    )
    expect(kindsOf(table)).toEqual(['text', 'money'])
    expect(rowsOf(table).map(([, cost]) => cost)).toEqual(['9000000000.50', '5000000000.00'])
    expect(totalsOf(table)).toMatchObject([{ sum: '14000000000.50', agrees: true }])
    const exact = await read('Campaign,Media Cost\na,9007199254740.123457\nb,9999999999999.000001\n')
    expect(rowsOf(exact).map(([, cost]) => cost)).toEqual(['9007199254740.123457', '9999999999999.000001'])
    expect(kindsOf(exact)).toEqual(['text', 'text'])
  })

  it("digits with a leading zero aren't a number", async () => {
    const table = await read('Clicks,Media Cost\n007,01.50\n')
    expect([kindsOf(table), rowsOf(table)]).toEqual([['text', 'text'], [['007', '01.50']]])
  })

  it("an empty line isn't a row", async () => {
    expect(rowsOf(await read('a,b\n\n1,2\n\n'))).toEqual([['1', '2']])
  })
})

it('numbers and percentages are the nearest to the text', async () => {
  const number = fc.tuple(fc.boolean(), fc.nat(10 ** 8), fc.stringMatching(/^\d{1,6}$/))
  await fc.assert(
    fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 20 }), async (numbers) => {
      const texts = numbers.map(([less, whole, part]) => `${less && whole > 0 ? '-' : ''}${whole}.${part}`)
      const planned = [
        { field: 'activityPerClick', metric: true },
        { field: 'clickRate', metric: true },
      ]
      const table = await read(['A,B', ...texts.map((text) => `${text},${text}%`), ''].join('\n'), planned)
      texts.forEach((text, row) => {
        const [digits, decimals = ''] = text.replace('-', '').split('.')
        const share = Number(digits! + decimals) / 10 ** (decimals.length + 2)
        expect(table.columns[0]!.value(row)).toBe(Number(text))
        expect(table.columns[1]!.value(row)).toBe(text.startsWith('-') ? -share : share)
      })
    }),
    { numRuns: cases(20, 60) },
  )
})

it("another library's output reads back cell by cell", async () => {
  const text = fc
    .oneof(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.constantFrom('', '=1+1', '"', 'a\nb', '🛩️'))
    // A guard against formulas is removed, whoever wrote it.
    .filter((one) => unguarded(one) === one)
  const id = fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String)
  const day = fc
    .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const money = fc.tuple(fc.boolean(), fc.nat(10 ** 9), fc.nat(999_999)).map(
    ([less, whole, part]) =>
      `${less && whole + part > 0 ? '-' : ''}${whole}.${String(part)
        .padStart(6, '0')
        .replace(/0{1,4}$/, '')}`,
  )
  const row = fc.tuple(text, id, day, fc.integer().map(String), money)
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
      const heads = ['Name', 'Site ID', 'Date', 'Clicks', 'Media Cost']
      const table = await read(stringify([heads, ...rows], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ }))
      expect(kindsOf(table)).toEqual(['text', 'id', 'day', 'count', 'money'])
      expect(rowsOf(table)).toEqual(rows)
    }),
    { numRuns: cases(20, 60) },
  )
})

describe("a file that isn't a report", () => {
  it('with CR-only line ends is rejected, not read without rows', async () => {
    await expect(read('Site,Clicks\rA,1\rB,2\r')).rejects.toThrow('old line ending (CR)')
  })

  it('with an unclosed quote is rejected early', async () => {
    const path = join(folder, `${files++}.csv`)
    const rows = Buffer.from('a,1\r\n'.repeat(200_000))
    await writeFile(
      path,
      Buffer.concat([Buffer.from('Site,Clicks\r\na,1\r\n"b'), ...Array.from({ length: 80 }, () => rows)]),
    )
    let read = 0
    await expect(readReportFile(path, { onprogress: (done) => void (read = done) })).rejects.toThrow(
      'On line 3, cell 1 ',
    )
    expect(read).toBeLessThan(40 * 1024 * 1024)
  })

  it('with late odd cells in many columns is scanned only twice', async () => {
    const heads = Array.from({ length: 40 }, () => 'Clicks').join(',')
    const good = Array.from({ length: 40 }, () => '7').join(',')
    const odd = (at: number): string => Array.from({ length: 40 }, (_, column) => (column === at ? 'x' : '7')).join(',')
    const lines = [
      heads,
      ...Array.from({ length: 1_500 }, () => good),
      ...Array.from({ length: 40 }, (_, at) => odd(at)),
    ]
    const path = join(folder, `${files++}.csv`)
    await writeFile(path, `${lines.join('\n')}\n`)
    let [ways, size] = [0, 0]
    const table = await readReportFile(path, {
      onprogress: (done, of) => {
        size = of
        if (done === of) ways++
      },
    })
    expect([ways, size > 0]).toEqual([2, true])
    expect(kindsOf(table)).toEqual(Array.from({ length: 40 }, () => 'text'))
    expect([table.length, table.columns[39]!.text(1_539), table.columns[0]!.text(3)]).toEqual([1_540, 'x', '7'])
  })

  it('with a very long header is read, and a non-header is rejected', async () => {
    const heads = Array.from({ length: 5_000 }, (_, at) => `Activity ${at}: ${'long name of it '.repeat(6)}`)
    const table = await read(`${heads.join(',')}\r\n${heads.map((_, at) => at).join(',')}\r\n`)
    expect([table.columns.length, table.length]).toEqual([5_000, 1])
    expect([table.columns[4_999]!.about.head, table.columns[4_999]!.text(0)]).toEqual([heads[4_999], '4999'])
    await expect(read('x'.repeat(20 * 1024 * 1024))).rejects.toThrow(/Its header has no end\.$/)
  })

  it.each(['[{"Site":"A","Clicks":1}]', '[\n  {\n    "Site": "A" } ]', '{"Site":"A"}\n{"Site":"B"}\n', '[]', '{}'])(
    'refuses JSON: %s',
    async (text) => {
      await expect(read(Buffer.from(text))).rejects.toThrow('The file is JSON')
    },
  )
  it('reads headers in brackets', async () => {
    expect((await read('[Site],{Clicks}\r\nA,3\r\n')).columns.map(({ about }) => about.head)).toEqual([
      '[Site]',
      '{Clicks}',
    ])
  })

  it('in UTF-16 without a mark is read, and in a legacy encoding is rejected', async () => {
    for (const ends of ['le', 'be']) {
      const bytes = Buffer.from('Site,Clicks\r\nÜber,3\r\n', 'utf16le')
      expect(rowsOf(await read(ends === 'le' ? bytes : bytes.swap16()))).toEqual([['Über', '3']])
    }
    await expect(read(Buffer.from('Größe,Clicks\r\nÜ,3\r\n', 'latin1'))).rejects.toThrow('isn’t UTF-8 text')
    // Binary files that begin like UTF-16, such as a font.
    for (const head of ['0001000000', 'fffe010000', '4d00ff0000']) {
      const bytes = Buffer.concat([Buffer.from(head, 'hex'), Buffer.from('\n\0,\0\n\0\0\0'), Buffer.alloc(900, 0xd9)])
      await expect(read(bytes)).rejects.toThrow('isn’t UTF-8 text')
    }
    // Split within a multibyte character at the end of the first bytes.
    const rows = `${'a'.repeat(99)},ü\n`.repeat(5_000)
    expect((await read(`Site,Letters\n${rows}`)).length).toBe(5_000)
    expect((await read(`Site,Letter\n${rows}`)).length).toBe(5_000)
  })

  it('with one column, 300, duplicate headers, or no row is read', async () => {
    expect(rowsOf(await read('Clicks\r\n1\r\n2\r\n'))).toEqual([['1'], ['2']])
    const wide = Array.from({ length: 300 }, (_, at) => `C${at}`).join(',')
    expect((await read(`${wide}\n${wide.replaceAll('C', '')}\n`)).columns).toHaveLength(300)
    expect(rowsOf(await read('A,A\n1,2\n'))).toEqual([['1', '2']])
    expect((await read('A,B\n')).length).toBe(0)
    await expect(read('')).rejects.toThrow('no header')
  })
})
