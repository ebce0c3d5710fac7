import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportTable } from '../../../src-main/exports/export-file'
import type { ExportTable } from '../../../src-main/exports/export-table'
import { readRows } from '../../../src-main/reports/read-rows'
import { SheetReader } from '../../../src-main/tables/sheet-reader'
import { readSheetRows } from '../../../src-main/tables/sheet-rows'
import type { FaultError } from '#shared/fault'
import { helperProcesses } from '../../helpers/helper-process'
import { archiveOf, sheetOf } from '../../helpers/workbook-file'

const place = async (name: string): Promise<string> => join(await mkdtemp(join(tmpdir(), 'flightplan-sheet-')), name)
async function file(text: string | Uint8Array, name = 'plan.csv'): Promise<string> {
  const path = await place(name)
  await writeFile(path, text)
  return path
}

describe('the rows of a spreadsheet', () => {
  it('keep every text as written, also IDs, quotes, and lines in cells', async () => {
    const text = '\ufeffID,Name,Note\r\n00123,"A, ""B""","one\r\ntwo"\r\n900719925474099312345,x\r\n'
    expect(await readSheetRows(await file(text))).toEqual({
      rows: [
        ['ID', 'Name', 'Note'],
        ['00123', 'A, "B"', 'one\r\ntwo'],
        ['900719925474099312345', 'x'],
      ],
      separated: true,
      commas: false,
    })
  })

  it('may have tabs or semicolons, decimal commas, and old line endings', async () => {
    expect((await readSheetRows(await file('a\tb\r1\t2\r'))).rows).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
    expect(await readSheetRows(await file('Name;Rate\r\nA;1,234\r\n'))).toMatchObject({ commas: true })
    expect(await readSheetRows(await file('Name;Rate\r\nA;1.234\r\n'))).toMatchObject({ commas: false })
    expect(await readSheetRows(await file('Name;Rate\r\nA;1.500,00\r\nB;1.200\r\n'))).toMatchObject({ commas: true })
  })

  it('come from a workbook with texts, numbers, and days', async () => {
    const cells = [['00123', '12.5', '2026-06-10', '=1+1']]
    const table: ExportTable = {
      title: 'Plan',
      about: [],
      columns: [
        { head: 'ID', kind: 'id' },
        { head: 'Rate', kind: 'money' },
        { head: 'Start', kind: 'day' },
        { head: 'Name', kind: 'text' },
      ],
      length: 1,
      value: (row, column) => cells[row]![column]!,
      text: (row, column) => cells[row]![column]!,
    }
    const path = await place('plan.xlsx')
    await exportTable(path, table, { format: 'xlsx', fonts: '', now: 0 })
    expect(await readSheetRows(path)).toEqual({
      rows: [['ID', 'Rate', 'Start', 'Name'], cells[0]],
      separated: false,
      commas: false,
    })
  })

  it('come from the first sheet that can be seen, whatever its file is called', async () => {
    const path = await place('plan.xlsx')
    const sheet = (name: string, text: string): Parameters<typeof archiveOf>[0][number] => ({
      ...{ ...sheetOf(`<row><c><v>${text}</v></c></row>`), name: `xl/worksheets/${name}.xml` },
    })
    const ids = ['lists', 'plan', 'notes']
    const book = ids.map((id) => `<sheet name="${id}" r:id="${id}"${id === 'lists' ? ' state="veryHidden"' : ''}/>`)
    const targets = ['worksheets/sheet1.xml', '/xl/worksheets/my plan.xml', 'worksheets/sheet2.xml']
    const links = targets.map((target, at) => `<Relationship Id="${ids[at]}" Target="${target}"/>`)
    const parts = [
      ...[sheet('sheet1', '1'), sheet('my plan', '2'), sheet('sheet2', '3')],
      { name: 'xl/workbook.xml', text: `<workbook><sheets>${book.join('')}</sheets></workbook>` },
      { name: 'xl/_rels/workbook.xml.rels', text: `<Relationships>${links.join('')}</Relationships>` },
    ]
    await writeFile(path, archiveOf(parts))
    expect(await readSheetRows(path)).toMatchObject({
      rows: [['2']],
      sheet: { name: 'plan', names: ['plan', 'notes'] },
    })
    expect(await readSheetRows(path, 'notes')).toMatchObject({ rows: [['3']], sheet: { name: 'notes' } })
    expect(await readSheetRows(path, 'lists'), 'hidden').toMatchObject({ rows: [['2']], sheet: { name: 'plan' } })
  })

  it('have numbers as a spreadsheet shows them, every digit of an ID, and texts without how to pronounce them', async () => {
    const path = await place('plan.xlsx')
    const cell = (text: string, type = ''): string => `<c${type}><v>${text}</v></c>`
    const sheet = [
      '1.1000000000000001',
      '0.28999999999999998',
      '3.3333333333333335',
      '123456789012345678',
      '1.2E+17',
    ].map((text) => cell(text))
    const strings = '<sst><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>'
    const row = `<row>${sheet.join('')}${cell('0', ' t="s"')}${cell('#N/A', ' t="e"')}</row>`
    await writeFile(path, archiveOf([sheetOf(row), { name: 'xl/sharedStrings.xml', text: strings }]))
    expect((await readSheetRows(path)).rows).toEqual([
      ['1.1', '0.29', '3.33333333333333', '123456789012345678', '1.2E+17', '東京', '#N/A'],
    ])
  })

  it('mark formulas without a current result, which other readers refuse', async () => {
    const read = async (cells: string, book = ''): Promise<{ rows: unknown; refused: unknown }> => {
      const path = await place('plan.xlsx')
      await writeFile(path, archiveOf([sheetOf(`<row r="7"><c><v>9</v></c>${cells}</row>`), ...bookWith(book)]))
      const refused = await readRows(path).catch((error: unknown) => (error as FaultError).fault.message)
      return { rows: (await readSheetRows(path)).rows, refused }
    }
    const bookWith = (text: string): { name: string; text: string }[] =>
      text === '' ? [] : [{ name: 'xl/workbook.xml', text: `<workbook>${text}</workbook>` }]
    const marked = { rows: [['9', '#NOT CALCULATED!']], refused: expect.stringMatching(/cell B7 isn’t in the file/) }
    expect(await read('<c r="B7"><f>A1*2</f></c>')).toEqual(marked)
    expect(await read('<c r="B7"><f>A1*2</f><v/></c>')).toEqual(marked)
    const stored = '<c r="B7"><f>A1*2</f><v>0</v></c><c r="AB7" t="str"><f>""</f><v></v></c>'
    const rest = Array.from({ length: 25 }, () => '')
    const asStored = { rows: [['9', '0', ...rest, '']], refused: expect.stringMatching(/column names/) }
    expect(await read(stored)).toEqual(asStored)
    expect(await read(stored, '<calcPr calcId="1"/>')).toEqual(asStored)
    expect(await read(stored, '<calcPr fullCalcOnLoad="1"/>'), 'zeros that are placeholders').toEqual({
      rows: [['9', '#NOT CALCULATED!', ...rest, '#NOT CALCULATED!']],
      refused: expect.stringMatching(/such as the one in cell B7, may be out of date/),
    })
  })

  it.each([
    ['an empty file', '\r\n , \r\n', 'The file has no rows.'],
    ['bytes that are no text', new Uint8Array([65, 44, 255, 254, 1, 10]), 'isn’t a workbook or text'],
    ['too many columns', ','.repeat(1_001), 'more than 1,000 columns'],
    ['too many rows', 'a\n'.repeat(250_001), 'more than 250,000 rows'],
  ])('are refused for %s', async (_what, content, why) => {
    await expect(readSheetRows(await file(content))).rejects.toMatchObject({
      fault: { code: 'invalid', message: expect.stringMatching(`${why}.*Nothing was imported.`) as string },
    })
  })
})

describe('text that isn’t Unicode', () => {
  it('is read as Western European', async () => {
    const path = await file(Buffer.from('Name;Preis\nGr\xfc\xdfe \x96 Caf\xe9;12,50 \x80\n', 'latin1'))
    expect(await readSheetRows(path)).toMatchObject({
      rows: [
        ['Name', 'Preis'],
        ['Grüße – Café', '12,50 €'],
      ],
      legacy: true,
    })
    expect(await readSheetRows(await file('Grüße\n'))).not.toHaveProperty('legacy')
  })
})

describe('a spreadsheet in its own process', () => {
  const start = helperProcesses('src-main/tables/sheet-process.ts')

  it('hands out pages until another one is opened', async () => {
    const reader = new SheetReader(start)
    const first = await reader.open(await file(`Name\n${'x\n'.repeat(5)}`))
    expect(first).toMatchObject({ rows: 6, separated: true, commas: false })
    expect(await reader.rows(first.id, 1, 2)).toEqual([['x'], ['x']])
    expect(await reader.rows(first.id, 5, 100)).toEqual([['x']])
    await reader.open(await file('Other\ny\n'))
    await expect(reader.rows(first.id, 0, 1)).rejects.toMatchObject({ fault: { code: 'aborted' } })
    reader.close()
  })

  it('reads another sheet of a workbook, and keeps the file until it’s closed', async () => {
    const path = await place('plan.xlsx')
    const parts = [1, 2].map((n) => ({
      ...sheetOf(`<row><c><v>${n}</v></c></row>`),
      name: `xl/worksheets/sheet${n}.xml`,
    }))
    const book = '<workbook><sheets><sheet name="Read me"/><sheet name="Plan"/></sheets></workbook>'
    await writeFile(path, archiveOf([...parts, { name: 'xl/workbook.xml', text: book }]))
    const reader = new SheetReader(start)
    let closed = 0
    const first = await reader.open(path, () => closed++)
    expect(first.sheet).toEqual({ name: 'Read me', names: ['Read me', 'Plan'] })
    const second = await reader.choose(first.id, 'Plan')
    expect(second.sheet?.name).toBe('Plan')
    expect(await reader.rows(second.id, 0, 1)).toEqual([['2']])
    await expect(reader.rows(first.id, 0, 1)).rejects.toMatchObject({ fault: { code: 'aborted' } })
    reader.close(first.id)
    expect(closed).toBe(0)
    reader.close(second.id)
    expect(closed).toBe(1)
  })

  it('is canceled, takes no longer than its limit, and survives a crash', async () => {
    const path = await file(`Name\n${'x\n'.repeat(200_000)}`)
    const reader = new SheetReader(start)
    const reading = reader.open(path)
    reader.close()
    await expect(reading).rejects.toMatchObject({ fault: { code: 'aborted' } })
    await expect(new SheetReader(start, 1).open(path)).rejects.toMatchObject({
      fault: { code: 'invalid', message: expect.stringContaining('Nothing was imported.') as string },
    })
    const dying = new SheetReader(() => {
      const process = start()
      return { ...process, post: () => process.kill() }
    })
    await expect(dying.open(path)).rejects.toMatchObject({ fault: { code: 'invalid' } })
  })
})
