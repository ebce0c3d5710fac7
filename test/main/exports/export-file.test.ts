import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import readWorkbook from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { exportTable, formatOf, type ExportOptions } from '../../../src-main/exports/export-file'
import { exportFormats, type ExportFormat } from '#shared/reports/export-formats'
import { clearLeftParts, partName } from '../../../src-main/exports/left-parts'
import type { ExportTable } from '../../../src-main/exports/export-table'
import { column, manyColumns, rowsOf, tableOf } from '../../helpers/export-tables'
import { drawn } from '../../helpers/ring'
import { smallDisk } from '../../helpers/small-disk'
import { startZombie } from '../../helpers/zombie'

const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'flightplan-export-'))
const options = (format: ExportFormat, more: Partial<ExportOptions> = {}): ExportOptions => ({
  ...{ format, fonts, now: Date.UTC(2026, 10, 22) },
  ...more,
})

const table = tableOf(
  [column('Name', 'text'), column('Clicks', 'count')],
  [
    ['=1', 1],
    ['Ä', -2],
  ],
)

describe('the format of a file', () => {
  it('follows its extension', () => {
    for (const format of exportFormats) {
      expect(formatOf(`/a.b/Some file.${format}`)).toBe(format)
      expect(formatOf(`x.${format.toUpperCase()}`)).toBe(format)
    }
  })

  it.each(['/a/x', '/a/x.txt', '/a/.csv', '/a.csv/x', 'x.'])('is unknown for %s', (path) => {
    expect(() => formatOf(path)).toThrow(
      /has no file format\. End the name with \.csv, \.tsv, \.xlsx, \.json, \.ndjson or \.pdf\./,
    )
  })
})

describe('an exported table', () => {
  it.each(exportFormats)('is a complete %s with metadata', async (format) => {
    const at = await folder()
    const path = join(at, `x.${format}`)
    const counts: number[] = []
    const exported = await exportTable(path, table, options(format, { onrows: (rows) => counts.push(rows) }))
    expect(exported).toEqual({ path, rows: 2, bytes: (await stat(path)).size, notes: [] })
    expect(counts).toEqual([2])
    expect(await readdir(at)).toEqual([`x.${format}`])
  })

  it('can be read back', async () => {
    const at = await folder()
    const saved = async (format: ExportFormat, more?: Partial<ExportOptions>): Promise<Buffer> => {
      const path = join(at, `x.${format}`)
      await exportTable(path, table, options(format, { replace: true, ...more }))
      return readFile(path)
    }
    const rows = [
      ['Name', 'Clicks'],
      ["'=1", '1'],
      ['Ä', '-2'],
    ]
    expect(parse(await saved('csv'))).toEqual(rows)
    const comma = await saved('csv', { dialect: 'spreadsheet', decimalComma: true })
    expect(parse(comma, { delimiter: ';', bom: true })).toEqual(rows)
    expect(parse(await saved('tsv'), { delimiter: '\t' })).toEqual(rows)
    expect((JSON.parse((await saved('json')).toString()) as { rows: unknown }).rows).toEqual([
      ['=1', 1],
      ['Ä', -2],
    ])
    expect((await readWorkbook(await saved('xlsx')))[0]!.data).toEqual([
      ['Name', 'Clicks'],
      ['=1', 1],
      ['Ä', -2],
    ])
    expect((await saved('pdf')).subarray(0, 8).toString()).toBe('%PDF-1.7')
  })

  it('notes everything it changed', async () => {
    const at = await folder()
    const odd = tableOf([column('Name', 'text')], [['x'.repeat(40_000)], ['中\u0001']])
    expect((await exportTable(join(at, 'x.xlsx'), odd, options('xlsx'))).notes).toEqual([
      '1 cell shortened to 32,767 characters, the maximum per cell.',
    ])
    expect((await exportTable(join(at, 'x.pdf'), odd, options('pdf'))).notes).toEqual([
      '2 characters shown as \ufffd, because the document’s fonts don’t include them: 中 U+0001.',
    ])
    const wide = rowsOf(
      1,
      Array.from({ length: 16_385 }, () => column('c', 'count')),
    )
    expect((await exportTable(join(at, 'y.xlsx'), wide, options('xlsx'))).notes).toEqual([
      'Skipped the last column, because a sheet can’t hold more.',
    ])
  })

  it('never overwrites a file without permission', async () => {
    const at = await folder()
    const path = join(at, 'x.csv')
    await writeFile(path, 'mine')
    const refused = {
      fault: { code: 'duplicate', message: expect.stringContaining('x.csv already exists') as string },
    }
    await expect(exportTable(path, table, options('csv'))).rejects.toMatchObject(refused)
    expect(await readFile(path, 'utf8')).toBe('mine')
    await exportTable(path, table, options('csv', { replace: true }))
    expect(await readFile(path, 'utf8')).not.toBe('mine')
    // A folder or a device isn't a file.
    await mkdir(join(at, 'folder.csv'))
    await expect(exportTable(join(at, 'folder.csv'), table, options('csv', { replace: true }))).rejects.toMatchObject({
      fault: { code: 'invalid' },
    })
    // A file created during the export stays, too.
    const late = join(at, 'late.csv')
    const writing = exportTable(
      late,
      rowsOf(20_000, manyColumns(5)),
      options('csv', { onrows: (rows) => rows === 500 && void writeFile(late, 'theirs') } as Partial<ExportOptions>),
    )
    await expect(writing).rejects.toMatchObject({ fault: { code: 'duplicate' } })
    expect(await readFile(late, 'utf8')).toBe('theirs')
    expect((await readdir(at)).sort()).toEqual(['folder.csv', 'late.csv', 'x.csv'])
  })

  it.each(exportFormats)('canceled midway as %s leaves nothing and stops reading', async (format) => {
    const at = await folder()
    const controller = new AbortController()
    let last = 0
    const onrows = (rows: number): void => {
      last = rows
      if (rows >= 1_000) controller.abort()
    }
    const big = rowsOf(format === 'pdf' ? 5_000 : 200_000, manyColumns(8))
    const writing = exportTable(join(at, `x.${format}`), big, options(format, { signal: controller.signal, onrows }))
    await expect(writing).rejects.toMatchObject({ fault: { code: 'aborted' } })
    expect(await readdir(at)).toEqual([])
    expect(last).toBeLessThan(50_000)
  })

  it.each(exportFormats)('that fails as %s leaves nothing, and keeps an older file', async (format) => {
    const at = await folder()
    const path = join(at, `x.${format}`)
    await writeFile(path, 'old')
    const fail = (): never => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    const broken: ExportTable = { ...rowsOf(1_000, manyColumns(3)), text: fail, value: fail }
    await expect(exportTable(path, broken, options(format, { replace: true }))).rejects.toMatchObject({
      fault: { code: 'storage', message: expect.stringContaining('any existing file is unchanged') as string },
    })
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(at)).toEqual([`x.${format}`])
  })

  it('is rejected as a document if its cells would use up memory', async () => {
    const at = await folder()
    const huge: ExportTable = {
      ...rowsOf(100_001, manyColumns(10)),
      text: () => {
        throw new Error('It was begun')
      },
    }
    await expect(exportTable(join(at, 'x.pdf'), huge, options('pdf'))).rejects.toMatchObject({
      fault: {
        code: 'invalid',
        message:
          'A PDF can have up to 1,000,000 cells, and this table has 1,000,010. Show fewer rows or columns, or export a workbook or CSV.',
      },
    })
    expect(await readdir(at)).toEqual([])
  })

  it('reports a full disk and leaves no partial file', async () => {
    const at = await folder()
    const disk = smallDisk(at, 64 * 1024)
    try {
      for (const format of exportFormats) {
        const path = join(at, `x.${format}`)
        await writeFile(path, 'old')
        const big = rowsOf(format === 'pdf' ? 2_000 : 50_000, manyColumns(8))
        await expect(exportTable(path, big, options(format, { replace: true }))).rejects.toMatchObject({
          fault: {
            code: 'storage',
            message:
              'Your disk is full. Nothing was saved, and any existing file is unchanged. Free up disk space, then try again.',
          },
        })
        expect(await readFile(path, 'utf8')).toBe('old')
        expect(await readdir(at)).toEqual([`x.${format}`])
        await rm(path)
      }
    } finally {
      disk.remove()
    }
  })

  // At the first rows, in the middle, and after the last row, before the file gets its name.
  it.each(drawn([1_000, 20_000, 100_000, 200_000], 1))(
    'never has a partial file under its name, even when killed at row %i',
    async (killedAt) => {
      const at = await folder()
      const path = join(at, 'x.csv')
      const root = resolve(import.meta.dirname, '../../..')
      const program = `
      import { writeSync } from 'node:fs'
      import { exportTable } from ${JSON.stringify(join(root, 'src-main/exports/export-file.ts'))}
      import { manyColumns, rowsOf } from ${JSON.stringify(join(root, 'test/helpers/export-tables.ts'))}
      const onrows = (rows) => {
        if (rows < ${killedAt}) return
        writeSync(1, 'here')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      }
      await exportTable(${JSON.stringify(path)}, rowsOf(200_000, manyColumns(10)), { format: 'csv', fonts: '', now: 0, onrows })
    `
      const file = join(at, 'program.mts')
      await writeFile(file, program)
      const child = spawn(process.execPath, ['--import', 'tsx', file], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise((done) => child.stdout.once('data', done))
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGKILL')
      await gone
      const left = (await readdir(at)).filter((name) => name !== 'program.mts')
      expect(left).toHaveLength(1)
      expect(left[0]).toMatch(/^\.x\.csv\.[0-9a-f]{6}-\d+\.[0-9a-f]{12}\.part$/)
      // So is one of a process in another container that had the same ID as this one.
      await writeFile(join(at, partName('same').replace(/[0-9a-f]{12}(?=\.part$)/, '0123456789ab')), '')
      // The next start deletes both, but no file of another program, computer, or running process.
      const others = [partName('living'), '.x.csv.ffffff-1.0123456789ab.part', '.x.csv.part', 'x.part']
      for (const name of others) await writeFile(join(at, name), '')
      expect(await clearLeftParts(at)).toBe(2)
      expect((await readdir(at)).filter((name) => name !== 'program.mts').sort()).toEqual([...others].sort())
      expect(await clearLeftParts(join(at, 'not there'))).toBe(0)
    },
  )

  it.runIf(process.platform === 'linux')('is deleted once its process has ended, noted or not', async () => {
    const { pid, end, release } = await startZombie()
    try {
      const at = await folder()
      await writeFile(join(at, partName('x.csv').replace(`-${process.pid}.`, `-${pid}.`)), '')
      expect(await clearLeftParts(at)).toBe(0)
      await end()
      expect(await clearLeftParts(at)).toBe(1)
    } finally {
      release()
    }
  })
})
