import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ResultProgress, OpenTable, TableShape } from '#shared/results/questions'
import type { OrderName } from '../../../src-main/tables/orders'
import { tablesHere } from '../../helpers/table-orders'
import { folderForFile } from '../../helpers/for-file'

const folder = folderForFile('tables-')

const head = 'Sites\r\nDate Range,2026-11-01 - 2026-11-02\r\nReport Fields\r\n'
const header = 'Site,Date,Impressions,Clicks,Click Rate,Media Cost\r\n'
const lines = [
  'one,2026-11-01,1000,10,1.0000%,5.50',
  'two,2026-11-01,3000,90,3.0000%,0.25',
  'one,2026-11-02,1000,0,0.0000%,1.00',
  '(not set),2026-11-02,0,0,,0.00',
]
const small = `${head}${header}${lines.join('\r\n')}\r\nGrand Total:,---,5000,101,2.0000%,6.75\r\n`
const many = (rows: number): string =>
  `${header}${Array.from({ length: rows }, (_, at) => `site ${at},2026-11-01,${at},1,1.0000%,1.00\r\n`).join('')}`

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** Numbers requests, as the tables process does. */
function asking(ceiling = 1e9) {
  const reports: ResultProgress[] = []
  const { tables, ask: order } = tablesHere(ceiling, (progress) => void reports.push(progress))
  const ask = (name: OrderName, args: unknown): Promise<never> => order(name, args as never) as Promise<never>
  const open = (path: string, name?: string): Promise<OpenTable> =>
    ask('results/open', { path, source: { path, ...(name && { name }), currency: 'EUR' } })
  const shape = (table: number, shape: Partial<TableShape> = {}) =>
    ask('results/shape', { table, shape: { filters: [], group: [], sort: [], ...shape } }) as Promise<{
      view: number
      rows: number
    }>
  const page = async (view: number, from = 0, count = 100): Promise<string[][]> =>
    ((await ask('results/page', { view, from, count })) as { rows: string[][] }).rows
  return { tables, reports, ask, open, shape, page }
}
const fault = (code: string, words = ''): object => ({
  fault: { code, message: expect.stringContaining(words) as string },
})

describe('open tables', () => {
  it("describe themselves and mismatches with the service's totals", async () => {
    const { open, reports } = asking()
    const path = await file('small.csv', small)
    expect(await open(path)).toMatchObject({
      table: 1,
      title: 'Sites',
      about: [
        ['Date Range', '2026-11-01 - 2026-11-02'],
        ['Currency', 'EUR'],
      ],
      rows: 4,
      doubts: [{ head: 'Clicks', said: '101', sum: '100' }],
    })
    const whole = Buffer.byteLength(small)
    expect(reports.at(0)).toEqual({ table: 1, doing: 'reading', done: 0, of: 0 })
    expect(reports.at(-1)).toEqual({ table: 1, doing: 'reading', done: whole, of: whole })
  })

  it("are read by page in the service's format", async () => {
    const { open, shape, page } = asking()
    const { table } = await open(await file('small.csv', small))
    const made = await shape(table, { sort: [{ column: 'Clicks', descending: true }] })
    expect(made).toMatchObject({ rows: 4, of: 4, total: ['---', '---', '5000', '101', '2.0000%', '6.75'] })
    expect(await page(made.view, 1, 2)).toEqual([lines[0]!.split(','), lines[2]!.split(',')])
    expect(await page(made.view, 4)).toEqual([])
  })

  it('say how long their IDs are', async () => {
    const { open, shape } = asking()
    const path = await file('ids.csv', 'Campaign ID,Campaign\r\n7,one\r\n58700005740000123,two\r\n')
    const { columns } = (await shape((await open(path)).table)) as unknown as OpenTable
    expect(columns.map(({ head, longest }) => [head, longest])).toEqual([
      ['Campaign ID', 17],
      ['Campaign', undefined],
    ])
  })

  it('distinguish columns of the same name', async () => {
    const { open, shape, page } = asking()
    const { table, columns } = await open(await file('twice.csv', 'Name,Name,Clicks\r\na,b,1\r\n'))
    expect(columns.map(({ head }) => head)).toEqual(['Name', 'Name (2)', 'Clicks'])
    const { view } = await shape(table, { columns: ['Name (2)'] })
    expect(await page(view)).toEqual([['b']])
  })

  it('are gone once closed, and views once replaced', async () => {
    const { ask, open, shape, page } = asking()
    const { table } = await open(await file('small.csv', small))
    const views: number[] = []
    for (let made = 0; made < 5; made++) views.push((await shape(table)).view)
    await expect(page(views[0]!)).rejects.toMatchObject(fault('gone', 'Open it again'))
    expect(await page(views[4]!)).toHaveLength(4)
    expect(await ask('results/close', { table })).toBe(null)
    await expect(page(views[4]!)).rejects.toMatchObject(fault('gone'))
    await expect(shape(table)).rejects.toMatchObject(fault('gone'))
  })

  it('make room for newer ones, least recently used first', async () => {
    const { open, shape } = asking(150_000)
    const path = await file('thousand.csv', many(1_000))
    const [first, second] = [await open(path), await open(path)]
    await shape(first.table)
    await open(path)
    await shape(first.table)
    await expect(shape(second.table)).rejects.toMatchObject(fault('gone'))
    await expect(open(await file('more.csv', many(4_000)))).rejects.toMatchObject(fault('invalid', 'of memory'))
  })

  it("don't exist for an invalid file", async () => {
    const { open } = asking()
    await expect(open(join(folder, 'nowhere.csv'))).rejects.toMatchObject(fault('storage'))
    await expect(open(await file('cut.csv', 'a,b\r\n1\r\n'))).rejects.toMatchObject(
      fault('invalid', 'Row 1 has 1 cell'),
    )
  })
})

describe('a long operation', () => {
  it('is canceled by a newer shape of the table, and on request', async () => {
    const { ask, open, shape, page } = asking()
    const { table } = await open(await file('many.csv', many(300_000)))
    const older = shape(table, { sort: [{ column: 'Site', descending: true }] })
    const newer = shape(table, { sort: [{ column: 'Impressions', descending: true }] })
    await expect(older).rejects.toMatchObject(fault('aborted'))
    expect((await page((await newer).view, 0, 1))[0]![0]).toBe('site 299999')
    const third = shape(table, { sort: [{ column: 'Site', descending: false }] })
    await ask('results/cancel', { table })
    await expect(third).rejects.toMatchObject(fault('aborted'))
    // The table and earlier results still exist.
    expect(await page((await newer).view, 299_999)).toHaveLength(1)
  })

  it('lets others take turns', async () => {
    const { open, shape, page } = asking()
    const { table } = await open(await file('many.csv', many(300_000)))
    const { view } = await shape(table)
    let over = false
    const long = shape(table, { sort: [{ column: 'Site', descending: true }] }).then(() => (over = true))
    await page(view)
    expect(over).toBe(false)
    await long
  })

  it('can be canceled while reading a file', async () => {
    const { ask, open } = asking()
    const reading = open(await file('many.csv', many(300_000)))
    await ask('results/cancel', { table: 1 })
    await expect(reading).rejects.toMatchObject(fault('aborted'))
  })
})

describe('a view written to a file', () => {
  const options = { format: 'csv', fonts: '', now: 0, replace: true }

  it("contains what's shown, with metadata", async () => {
    const { ask, open, shape } = asking()
    const { table } = await open(await file('small.csv', small))
    const { view } = await shape(table, {
      filters: [
        { column: 'Date', condition: { how: 'between', from: 20_758, to: 20_758 } },
        { column: 'Site', condition: { how: 'contains', text: 'o' } },
      ],
      sort: [{ column: 'Site', descending: true }],
      columns: ['Site', 'Clicks'],
    })
    const path = join(folder, 'out.json')
    expect(await ask('results/export', { view, path, options: { ...options, format: 'json' } })).toMatchObject({
      rows: 2,
    })
    const written = JSON.parse(await readFile(path, 'utf8')) as { meta: { about: unknown }; rows: unknown }
    expect(written.rows).toEqual([
      ['two', 90],
      ['one', 10],
    ])
    expect(written.meta.about).toEqual([
      { name: 'Date Range', value: '2026-11-01 - 2026-11-02' },
      { name: 'Currency', value: 'EUR' },
      { name: 'Filter: Date', value: '2026-11-01 to 2026-11-01' },
      { name: 'Filter: Site', value: 'contains o' },
      { name: 'Rows', value: '2 of 4' },
    ])
  })

  it('is complete or absent', async () => {
    const { ask, open, shape, reports } = asking()
    const { table } = await open(await file('many.csv', many(300_000)))
    const { view } = await shape(table)
    const path = join(folder, 'cancelled.csv')
    const writing = ask('results/export', { view, path, options })
    await expect.poll(() => reports.some(({ doing, done }) => doing === 'writing' && done > 0)).toBe(true)
    await ask('results/cancel', { table })
    await expect(writing).rejects.toMatchObject(fault('aborted', 'Nothing was saved'))
    expect((await readdir(folder)).filter((name) => name.includes('cancelled'))).toEqual([])
  })

  it('is written although its table was closed, and can still be stopped', async () => {
    const { ask, open, shape, reports, tables } = asking()
    const write = async (name: string): Promise<{ table: number; path: string; writing: Promise<never> }> => {
      const { table } = await open(await file('left.csv', many(100_000)))
      const { view } = await shape(table)
      const path = join(folder, name)
      const writing = ask('results/export', { view, path, options })
      await expect
        .poll(() => reports.some(({ table: of, doing, done }) => of === table && doing === 'writing' && done > 0))
        .toBe(true)
      await ask('results/close', { table })
      return { table, path, writing }
    }
    const { path, writing, table } = await write('whole.csv')
    expect(await writing).toMatchObject({ rows: 100_000 })
    expect((await readFile(path, 'utf8')).trimEnd().split('\r\n')).toHaveLength(100_001)
    await expect(shape(table)).rejects.toMatchObject(fault('gone'))
    const second = await write('stopped.csv')
    await ask('results/cancel', { table: second.table })
    await expect(second.writing).rejects.toMatchObject(fault('aborted', 'Nothing was saved'))
    await expect(shape(second.table)).rejects.toMatchObject(fault('gone'))
    expect(tables.busy).toBe(false)
    expect((await readdir(folder)).filter((name) => name.includes('stopped'))).toEqual([])
  })
})

describe("a column's values", () => {
  it('with the same text are one value', async () => {
    const { ask, open, shape } = asking()
    // A grouped rate has more digits than the file.
    const rows = [
      'a,2026-11-01,30001,1,0.0033%,1.00',
      'b,2026-11-01,30002,1,0.0033%,1.00',
      'c,2026-11-01,10,1,10.0000%,1.00',
    ]
    const { table } = await open(await file('rates.csv', `${header}${rows.join('\r\n')}\r\n`))
    const { view } = await shape(table, { group: ['Site'] })
    expect(await ask('results/statistics', { view, column: 'Click Rate' })).toMatchObject({
      rows: 3,
      distinct: 2,
      frequent: [
        { text: '0.0033%', rows: 2 },
        { text: '10.0000%', rows: 1 },
      ],
    })
  })
})

describe('two tables side by side', () => {
  it('have no money change across currencies', async () => {
    const { ask, open, shape, page } = asking()
    const path = await file('small.csv', small)
    const first = await open(path)
    const second = (await ask('results/open', { path, source: { path, currency: 'USD' } })) as OpenTable
    const columns = [
      'Site',
      'Clicks · change',
      'Media Cost · before',
      'Media Cost · after',
      'Media Cost · change',
      'Media Cost · % change',
    ]
    const compared = async (other: OpenTable): Promise<[string[], string[]]> => {
      const { table } = (await ask('results/compare', {
        ...{ first: first.table, second: other.table },
        by: ['Site'],
      })) as OpenTable
      const { view, total } = (await shape(table, { columns })) as { view: number; rows: number; total: string[] }
      return [(await page(view))[0]!, total]
    }
    expect(await compared(second)).toEqual([
      ['one', '0', '6.50', '6.50', '---', '---'],
      ['---', '0', '6.75', '6.75', '---', '---'],
    ])
    expect(await compared(await open(path))).toEqual([
      ['one', '0', '6.50', '6.50', '0.00', '0.00%'],
      ['---', '0', '6.75', '6.75', '0.00', '0.00%'],
    ])
  })
})
