import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readReportFile } from '../../../src-main/report-data/read-file'
import { atOnce } from '../../../src-main/report-data/steps'
import { shaped, type Shape } from '../../../src-main/tables/shape'

const file = [
  'Report',
  'Report Fields',
  'Campaign,Site,Impressions,Clicks,Click Rate,Media Cost,Unique Reach: Total Reach',
  'B,one,1000,10,1.0000%,5.50,700',
  'A,two,3000,90,3.0000%,0.25,800',
  'B,two,1000,0,0.0000%,1.00,900',
  'A,one,0,0,0.0000%,0.00,0',
  'Grand Total:,---,5000,100,2.0000%,6.75,1500',
  '',
].join('\r\n')

async function rows(shape: Partial<Shape>): Promise<{ rows: string[][]; total: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'shape-'))
  try {
    await writeFile(join(folder, 'r.csv'), file)
    const table = await readReportFile(join(folder, 'r.csv'))
    const { columns, rows, total } = atOnce(shaped(table, { filters: [], group: [], sort: [], ...shape }))
    return { rows: Array.from(rows, (row) => columns.map((column) => column.text(row))), total }
  } finally {
    await rm(folder, { recursive: true })
  }
}

it("an unchanged report keeps the service's totals", async () => {
  const { total } = await rows({})
  expect(total).toEqual(['---', '---', '5000', '100', '2.0000%', '6.75', '1500'])
})

it('groups have sums and rates of sums, but no sums of people', async () => {
  expect(await rows({ group: ['campaign'], sort: [{ column: 'Campaign', descending: false }] })).toEqual({
    rows: [
      ['A', '3000', '90', '3.0000%', '0.25', '---'],
      ['B', '2000', '10', '0.5000%', '6.50', '---'],
    ],
    total: ['---', '5000', '100', '2.0000%', '6.75', '1500'],
  })
})

it('filtered rows have their own totals', async () => {
  const { rows: found, total } = await rows({
    filters: [{ column: 'Site', condition: { how: 'is', texts: ['TWO', 'none'] } }],
    sort: [{ column: 'Impressions', descending: true }],
  })
  expect(found.map(([campaign]) => campaign)).toEqual(['A', 'B'])
  expect(total).toEqual(['---', '---', '4000', '90', '2.2500%', '1.25', '---'])
})

it.each([
  [{ group: ['Colour'] }, 'No column “Colour”'],
  [{ group: ['Clicks'] }, '“Clicks” is a metric'],
  [{ filters: [{ column: 'nobody', condition: { how: 'is', texts: [''] } }] }, 'Available: Campaign · Site'],
] as [Partial<Shape>, string][])('%j is rejected', async (shape, words) => {
  await expect(rows(shape)).rejects.toThrow(words)
})

it('columns are the chosen ones, with grouping columns first', async () => {
  const columns = ['Clicks', 'campaign', 'Site']
  expect((await rows({ columns })).rows[0]).toEqual(['10', 'B', 'one'])
  expect(await rows({ columns, group: ['Site'] })).toEqual({
    rows: [
      ['one', '10'],
      ['two', '90'],
    ],
    total: ['---', '100'],
  })
  await expect(rows({ columns: ['Colour'] })).rejects.toThrow('No column “Colour”')
})

it('shares are of the filtered rows, also for groups, and can be sorted by', async () => {
  const shape: Partial<Shape> = {
    filters: [{ column: 'Impressions', condition: { how: 'between', from: 1 } }],
    sort: [{ column: 'Part', descending: true }],
    columns: ['Campaign'],
    derived: [
      { head: 'Part', how: 'share', of: 'Clicks' },
      { head: 'Rate', how: 'index', of: 'Click Rate' },
      { head: 'Reach', how: 'share', of: 'Unique Reach: Total Reach' },
    ],
  }
  expect(await rows(shape)).toEqual({
    rows: [
      ['A', '90.0000%', '150.0', '---'],
      ['B', '10.0000%', '50.0', '---'],
      ['B', '0.0000%', '0.0', '---'],
    ],
    total: ['---', '100.0000%', '---', '---'],
  })
  expect((await rows({ ...shape, group: ['Campaign'] })).rows).toEqual([
    ['A', '90.0000%', '150.0', '---'],
    ['B', '10.0000%', '25.0', '---'],
  ])
})

it('a running rate uses running sums, in the order shown', async () => {
  const { rows: found } = await rows({
    sort: [{ column: 'Media Cost', descending: false }],
    columns: ['Media Cost'],
    derived: [
      { head: 'So far', how: 'running', of: 'Impressions' },
      { head: 'Rate so far', how: 'running', of: 'Click Rate' },
    ],
  })
  expect(found).toEqual([
    ['0.00', '0', ''],
    ['0.25', '3000', '3.0000%'],
    ['1.00', '4000', '2.2500%'],
    ['5.50', '5000', '2.0000%'],
  ])
})

const unlikely: [Partial<Shape>, string][] = [
  [{ derived: [{ head: 'X', how: 'share', of: 'Site' }] }, '“Site” isn’t a metric'],
  [{ derived: [{ head: 'Clicks', how: 'share', of: 'Clicks' }] }, 'A column “Clicks” already exists'],
  [
    { derived: [{ head: 'X', how: 'running', of: 'Clicks' }], sort: [{ column: 'X', descending: true }] },
    '“X” depends on the row order',
  ],
]
it.each(unlikely)('%j is rejected, too', async (shape, words) => {
  await expect(rows(shape)).rejects.toThrow(words)
})
