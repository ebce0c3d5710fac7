import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readReportFile } from '../../../src-main/report-data/read-file'
import { dayStyles } from '../../../src-main/report-data/workbook-dates'
import { UntrustedFiles } from '../../../src-main/reports/untrusted-files'
import { helperProcesses } from '../../helpers/helper-process'
import { archiveOf, sheetOf, type Part } from '../../helpers/workbook-file'

// Malicious workbooks that try to crash or freeze the reader.

const start = helperProcesses('src-main/reports/read-process.ts')
let folder: string
let files = 0
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'workbooks-'))))
afterAll(() => rm(folder, { recursive: true }))

async function workbook(...parts: Part[]): Promise<string> {
  const path = join(folder, `${files++}.xlsx`)
  await writeFile(path, archiveOf(parts))
  return path
}
const text = (at: string, text: string): string => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
const plain = sheetOf(
  `<row>${text('A1', 'Advertiser ID')}${text('B1', 'Clicks')}</row><row><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>`,
)

/** 4 GB compressed to 4 MB. */
const strings: Part = {
  name: 'xl/sharedStrings.xml',
  text: `<si><t>${'x'.repeat(1024 ** 2 - 16)}</t></si>`,
  times: 4_000,
}
const format = (code: string): string =>
  `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`

const hostile: Record<string, Part[]> = {
  'shared strings that fill the memory': [plain, strings],
  'shared strings that say they are small': [plain, { ...strings, times: 700, says: 1_000 }],
  'more shared strings than any sheet has': [
    plain,
    { name: 'xl/sharedStrings.xml', text: '<si/>'.repeat(100_000), times: 101 },
  ],
  'styles that fill the memory': [plain, { name: 'xl/styles.xml', text: ' '.repeat(1024 ** 2), times: 2_000 }],
  'a description that fills the memory': [
    plain,
    { name: 'xl/workbook.xml', text: ' '.repeat(1024 ** 2), times: 2_000 },
  ],
  'a cell that does not end': [
    sheetOf(''),
    { ...sheetOf(''), text: `<worksheet><row><c><v>${'1'.repeat(1024 ** 2)}`, times: 1 },
    { name: 'x', text: 'x' },
  ],
  'a column that no sheet has': [sheetOf(`<row>${text('ZZZ1', 'Clicks')}</row>`)],
  'more parts than a workbook has': [
    plain,
    ...Array.from({ length: 10_000 }, (_, at) => ({ name: `x${at}`, text: '' })),
  ],
}

describe('a workbook', () => {
  it('that is valid is read', async () => {
    expect((await readReportFile(await workbook(plain))).length).toBe(1)
  })

  it.each(Object.keys(hostile))('with %s is rejected', async (name) => {
    await expect(readReportFile(await workbook(...hostile[name]!))).rejects.toMatchObject({
      fault: { code: 'invalid' },
    })
  })

  it('is read in linear time, whatever its formats and metadata', async () => {
    const many = 100_000
    const book = (attributes: string): Part => ({ name: 'xl/workbook.xml', text: `<workbook>${attributes}</workbook>` })
    for (const part of [
      { name: 'xl/styles.xml', text: format('['.repeat(many)) },
      { name: 'xl/styles.xml', text: format('&quot;'.repeat(many + 1)) },
      book('&lt;workbookPr '.repeat(many)),
      book(`<workbookPr ${Array.from({ length: 20_000 }, (_, at) => `a${at}="date1904="`).join(' ')}/>`),
    ])
      expect((await readReportFile(await workbook(plain, part))).length).toBe(1)
  })

  it('detects dates by format codes, not by quoted, bracketed, or escaped text', () => {
    const isDay = (code: string): boolean => dayStyles(format(code)).has(0)
    for (const code of ['yyyy-mm-dd', 'D', '[$-409]d/m', '&quot;on&quot; dd', '\\xd'])
      expect([code, isDay(code)]).toEqual([code, true])
    for (const code of ['0.00', '0 &quot;days&quot;', '[Red]0', '0\\d', '0_d', 'hh:mm', '[d', '&quot;d'])
      expect([code, isDay(code)]).toEqual([code, false])
  })
})

describe('a table', () => {
  it('is rejected as soon as it exceeds its memory', async () => {
    const path = join(folder, 'wide.csv')
    const heads = Array.from({ length: 2_000 }, (_, at) => `Column ${at}`)
    await writeFile(path, `${heads.join(',')}\r\n${`${','.repeat(1_999)}\r\n`.repeat(4_000)}`)
    await expect(readReportFile(path, { ceiling: 16 * 1024 ** 2 })).rejects.toMatchObject({
      fault: {
        code: 'invalid',
        message: expect.stringMatching(/^The table needs at least 1[6-9] MB of memory/) as string,
      },
    })
    expect((await readReportFile(path, { ceiling: 64 * 1024 ** 2 })).length).toBe(4_000)
  })
})

describe('reading a file', () => {
  it("happens in another process and doesn't block this one", async () => {
    const found = await new UntrustedFiles(start).rows(
      await workbook(sheetOf(`<row>${text('A1', 'Click ID')}${text('B1', 'Time')}</row><row>${text('A2', 'x')}</row>`)),
    )
    expect(found).toEqual({ head: ['Click ID', 'Time'], rows: [{ row: 2, cells: ['x', ''] }] })
  })

  it('that exhausts memory or takes hours is rejected', async () => {
    for (const parts of [[plain, strings], hostile['a column that no sheet has']!])
      await expect(new UntrustedFiles(start).rows(await workbook(...parts))).rejects.toMatchObject({
        fault: { code: 'invalid' },
      })
  })

  it('that takes too long is stopped with a message', async () => {
    await expect(new UntrustedFiles(start, 1).rows(await workbook(plain))).rejects.toMatchObject({
      fault: { code: 'invalid', message: 'Reading the file took longer than 0 seconds. Nothing was read.' },
    })
  })
})
