import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import readWorkbook from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import type { ExportTable, ExportValue } from '../../../src-main/exports/export-table'
import { workbookChunks, type WorkbookNotes } from '../../../src-main/exports/workbook'
import { readReportFile } from '../../../src-main/report-data/read-file'
import { column, manyColumns, oddText, oddTexts, rowsOf, tableOf, wellFormed } from '../../helpers/export-tables'
import { zipEntries } from '../../helpers/zip-entries'
import { cases } from '../../helpers/ring'

const now = Date.UTC(2026, 10, 22, 11)

interface Written {
  bytes: Buffer
  notes: WorkbookNotes
}

async function workbookOf(table: ExportTable, perSheet?: number): Promise<Written> {
  const notes: WorkbookNotes = { cut: 0, columnsLeftOut: 0 }
  const chunks: Uint8Array[] = []
  for await (const chunk of workbookChunks(table, { notes, now, ...(perSheet && { perSheet }) })) chunks.push(chunk)
  return { bytes: Buffer.concat(chunks), notes }
}

/** Sheets by name, read by another library. */
async function sheetsOf({ bytes }: Written): Promise<Map<string, unknown[][]>> {
  const sheets = await readWorkbook(bytes, { trim: false })
  return new Map(sheets.map(({ sheet, data }) => [sheet, data]))
}

/** A sheet's raw cells by reference. */
async function rawCells(
  { bytes }: Written,
  sheet = 1,
): Promise<Map<string, { style: string; text?: string; number?: string }>> {
  const xml = (await zipEntries(bytes)).get(`xl/worksheets/sheet${sheet}.xml`)!
  const cells = new Map<string, { style: string; text?: string; number?: string }>()
  const cell =
    /<c r="([A-Z]+\d+)" s="(\d+)"(?: t="inlineStr"><is><t xml:space="preserve">([^<]*)<\/t><\/is>|><v>([^<]*)<\/v>)<\/c>/g
  for (const [, name, style, text, number] of xml.matchAll(cell))
    cells.set(name!, { style: style!, ...(text !== undefined ? { text: unescaped(text) } : { number: number! }) })
  return cells
}

const unescaped = (xml: string): string =>
  xml
    .replace(/&(lt|gt|quot|amp);/g, (_all, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]!)
    .replace(/_x([0-9a-fA-F]{4})_/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))

const single = (kind: Parameters<typeof column>[1], values: readonly ExportValue[]): ExportTable =>
  tableOf(
    [column('Head', kind)],
    values.map((value) => [value]),
  )

describe('a workbook', () => {
  it('reads back cell by cell in another library', async () => {
    const table = tableOf(
      [
        column('Campaign', 'text'),
        column('Campaign', 'id'),
        column('Clicks', 'count'),
        column('Cost', 'money', 'EUR'),
      ].concat([column('CTR', 'percent'), column('Date', 'day'), column('Month', 'month'), column('Year', 'year')]),
      [
        ['=1+1', '9007199254740993', -5, '1234.560000', 0.003579, '2026-11-22', '2026-11', '2026'],
        ['-x', '12', 0, '-0.000001', 0, '1900-03-01', '2026-12', '1999'],
        [null, null, null, null, null, null, null, null],
      ],
    )
    const sheets = await sheetsOf(await workbookOf(table))
    expect([...sheets.keys()]).toEqual(['Data', 'About'])
    expect(sheets.get('Data')).toEqual([
      ['Campaign', 'Campaign', 'Clicks', 'Cost', 'CTR', 'Date', 'Month', 'Year'],
      ['=1+1', '9007199254740993', -5, 1234.56, 0.003579, new Date('2026-11-22'), '2026-11', 2026],
      ['-x', '12', 0, -0.000001, 0, new Date('1900-03-01'), '2026-12', 1999],
    ])
  })

  it('preserves any text and evaluates none', async () => {
    const written = await workbookOf(single('text', oddTexts))
    const cells = await rawCells(written)
    for (const [at, text] of oddTexts.entries()) expect(cells.get(`A${at + 2}`)?.text).toBe(wellFormed(text))
    const read = (await sheetsOf(written)).get('Data')!
    for (const [at, text] of oddTexts.entries()) if (text.trim() !== '') expect(read[at + 1]![0]).toBe(wellFormed(text))
    const files = await zipEntries(written.bytes)
    for (const [path, text] of files) {
      expect([path, /<f[ >/]/.test(text)]).toEqual([path, false])
      // Characters invalid in XML, in any of the files.
      expect([path, /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/.test(text)]).toEqual([path, false])
    }
    expect([...files.keys()].some((path) => /calcChain|externalLink|vba/.test(path))).toBe(false)
    const styles = [...files.get('xl/styles.xml')!.matchAll(/<xf [^>]*xfId="0"[^>]*>/g)].map(([xf]) => xf)
    for (const { style, text } of cells.values())
      if (text !== undefined) expect(styles[Number(style)]).toContain('quotePrefix="1"')
  })

  it('preserves random texts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(oddText, { minLength: 1, maxLength: 30 }), async (texts) => {
        const cells = await rawCells(await workbookOf(single('text', texts)))
        expect(texts.map((_text, at) => cells.get(`A${at + 2}`)?.text ?? '')).toEqual(texts.map(wellFormed))
      }),
      { numRuns: cases(40, 150) },
    )
  })

  it('writes numbers with exact digits as numbers, and others as text', async () => {
    const of = async (kind: Parameters<typeof column>[1], values: readonly ExportValue[]): Promise<unknown[]> => {
      const cells = await rawCells(await workbookOf(single(kind, values)))
      return values.map((_value, at) => {
        const cell = cells.get(`A${at + 2}`)
        return cell?.number !== undefined ? Number(cell.number) : (cell?.text ?? null)
      })
    }
    expect(
      await of('money', [
        '-1.5',
        '1234567890.123456',
        '123456789.123456',
        '1000000000000.000000',
        '',
        null,
        'n/a',
        '1e5',
        '--1',
      ]),
    ).toEqual([-1.5, '1234567890.123456', 123456789.123456, 1e12, null, null, 'n/a', '1e5', '--1'])
    expect(await of('count', [-5, 123456789012345, 9007199254740991, NaN, Infinity, 1e21])).toEqual([
      ...[-5, 123456789012345, '9007199254740991', 'NaN', 'Infinity', 1e21],
    ])
    expect(await of('number', [0.1 + 0.2, 1 / 3])).toEqual([0.1 + 0.2, 1 / 3])
    expect(await of('percent', [0.5, -1])).toEqual([0.5, -1])
    expect(await of('id', ['9007199254740993', '1', '007'])).toEqual(['9007199254740993', '1', '007'])
    expect(
      await of('day', ['1900-02-28', '1900-03-01', '2026-11-22', '2026-02-31', '(not set)', '9999-12-31']),
    ).toEqual([...['1900-02-28', 61, 46348, '2026-02-31', '(not set)', 2958465]])
    expect(await of('week', ['2026-11-16'])).toEqual([46342])
    expect(await of('year', ['2026', '---'])).toEqual([2026, '---'])
  })

  it('cuts oversized texts between characters and counts them', async () => {
    const whole = 'x'.repeat(32_767)
    const written = await workbookOf(single('text', [whole, `${whole}y`, `${'x'.repeat(32_766)}😀`]))
    const cells = await rawCells(written)
    expect([2, 3, 4].map((row) => cells.get(`A${row}`)!.text!.length)).toEqual([32_767, 32_767, 32_766])
    expect(written.notes).toEqual({ cut: 2, columnsLeftOut: 0 })
  })

  it("omits columns beyond the sheet's limit and counts them", async () => {
    const columns = Array.from({ length: 16_386 }, (_unused, at) => column(`c${at}`, 'count'))
    const written = await workbookOf(rowsOf(1, columns))
    expect(written.notes).toEqual({ cut: 0, columnsLeftOut: 2 })
    expect([...(await rawCells(written)).keys()].at(-1)).toBe('XFD2')
  })

  it('has a frozen bold header, filters, widths, and formats', async () => {
    const columns = [
      column('Name', 'text'),
      column('Cost', 'money', 'E"UR'),
      column('CTR', 'percent'),
      column('Clicks', 'count'),
    ]
    const rows: ExportValue[][] = [['a'.repeat(200), '1234567.120000', 0.5, 1210096]]
    const files = await zipEntries((await workbookOf(tableOf(columns, rows))).bytes)
    const sheet = files.get('xl/worksheets/sheet1.xml')!
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(sheet).toContain('<autoFilter ref="A1:D2"/>')
    expect(files.get('xl/workbook.xml')).toContain(
      `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'Data'!$A$1:$D$2</definedName>`,
    )
    expect([...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([60, 24, 9, 10])
    const styles = files.get('xl/styles.xml')!
    const formats = [...styles.matchAll(/formatCode="([^"]*)"/g)].map(([, code]) => code)
    expect(formats).toEqual(['#,##0.00#### &quot;EUR&quot;', '0.00%', '#,##0'])
    expect(styles).toContain('<font><b/>')
    expect(sheet).toMatch(/<c r="A1" s="1"/)
  })

  it('describes itself on its last sheet', async () => {
    const table = tableOf([column('Name', 'text'), column('Clicks', 'count')], [['a', 1]], {
      total: ['---', '1210096'],
    })
    expect((await sheetsOf(await workbookOf(table))).get('About')).toEqual([
      ['Report', 'Delivery by campaign'],
      ['Days', '2026-11-01 to 2026-11-21'],
      ['Time zone', 'Europe/Berlin'],
      ['Total: Clicks', '1210096'],
    ])
  })

  it('is valid without rows and columns', async () => {
    const empty = await workbookOf(tableOf([column('Name', 'text')], []))
    expect((await sheetsOf(empty)).get('Data')).toEqual([['Name']])
    expect((await zipEntries(empty.bytes)).get('xl/worksheets/sheet1.xml')).toContain('<autoFilter ref="A1:A1"/>')
    const nothing = await zipEntries((await workbookOf(tableOf([], []))).bytes)
    expect(nothing.get('xl/worksheets/sheet1.xml')).not.toMatch(/autoFilter|<cols>|NaN|undefined/)
  })

  it('continues on another sheet, with the header', async () => {
    const sheets = await sheetsOf(await workbookOf(rowsOf(1_234, [column('n', 'count')]), 1_000))
    expect([...sheets.keys()]).toEqual(['Data', 'Data 2', 'About'])
    expect(sheets.get('Data')).toEqual([['n'], ...Array.from({ length: 1_000 }, (_unused, row) => [row * 7])])
    expect(sheets.get('Data 2')).toEqual([['n'], ...Array.from({ length: 234 }, (_unused, row) => [(1_000 + row) * 7])])
  })

  it('reads back its dates, trailing empty cells, and extra sheets', async () => {
    const columns = [column('Site', 'text'), column('Date', 'day'), column('Clicks', 'count'), column('Note', 'text')]
    const rows: ExportValue[][] = [
      ['A', '2026-11-22', 5, 'x'],
      ['B', '1900-03-01', null, null],
      [null, null, 7, null],
      ['C', null, 1, '2026'],
    ]
    const folder = await mkdtemp(join(tmpdir(), 'workbook-'))
    try {
      const path = join(folder, 'a.xlsx')
      await writeFile(path, (await workbookOf(tableOf(columns, rows), 3)).bytes)
      const table = await readReportFile(path)
      expect(table.columns.map(({ about }) => about.kind)).toEqual(['text', 'day', 'count', 'text'])
      expect(rows.map((_row, at) => table.columns.map((one) => one.value(at)))).toEqual(rows)
      expect(table.length).toBe(4)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('fits 1,048,575 rows and a header on a sheet, and no more', async () => {
    const files = await zipEntries((await workbookOf(rowsOf(1_048_577, [column('n', 'count')]))).bytes)
    expect(files.get('xl/worksheets/sheet1.xml')).toContain('<dimension ref="A1:A1048576"/>')
    expect(files.get('xl/worksheets/sheet1.xml')).toContain('<row r="1048576">')
    expect(files.get('xl/worksheets/sheet2.xml')).toContain('<dimension ref="A1:A3"/>')
  })

  it('reads rows only on demand, and none after a cancel', async () => {
    const columns = manyColumns(20)
    let seen = 0
    const chunks = workbookChunks(rowsOf(300_000, columns), {
      notes: { cut: 0, columnsLeftOut: 0 },
      now,
      onrows: (rows) => (seen = rows),
    })
    await chunks.next()
    const settled = async (): Promise<number> => {
      for (let before = -1; before !== seen;) {
        before = seen
        await new Promise((done) => setTimeout(done, 200))
      }
      return seen
    }
    const ahead = await settled()
    expect(ahead).toBeLessThan(30_000)
    await chunks.return(undefined)
    expect(await settled()).toBe(ahead)
  })

  it('reports errors while writing', async () => {
    const broken = { ...rowsOf(10, [column('n', 'count')]), value: () => expect.fail('no value') as never }
    await expect(workbookOf(broken)).rejects.toThrow('no value')
  })
})
