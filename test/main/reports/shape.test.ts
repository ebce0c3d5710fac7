import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFigures } from '../../../src-main/figures/read-file'
import { shaped, type Shape } from '../../../src-main/reports/shape'

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
    const table = await readFigures(join(folder, 'r.csv'))
    const { columns, length, total } = shaped(table, { filters: [], group: [], sort: [], ...shape })
    return { rows: Array.from({ length }, (_, row) => columns.map((column) => column.text(row))), total }
  } finally {
    await rm(folder, { recursive: true })
  }
}

it('a report as it is keeps the totals of the service', async () => {
  const { total } = await rows({})
  expect(total).toEqual(['---', '---', '5000', '100', '2.0000%', '6.75', '1500'])
})

it('groups have sums, rates of their sums and no sums of people', async () => {
  expect(await rows({ group: ['campaign'], sort: [{ column: 'Campaign', descending: false }] })).toEqual({
    rows: [
      ['A', '3000', '90', '3.0000%', '0.25', '---'],
      ['B', '2000', '10', '0.5000%', '6.50', '---'],
    ],
    total: ['---', '5000', '100', '2.0000%', '6.75', '1500'],
  })
})

it('rows that are picked have totals of their own', async () => {
  const { rows: found, total } = await rows({
    filters: [
      { column: 'Site', value: 'TWO' },
      { column: 'Site', value: 'none' },
    ],
    sort: [{ column: 'Impressions', descending: true }],
  })
  expect(found.map(([campaign]) => campaign)).toEqual(['A', 'B'])
  expect(total).toEqual(['---', '---', '4000', '90', '2.2500%', '1.25', '---'])
})

it.each([
  [{ group: ['Colour'] }, 'There is no column “Colour”'],
  [{ group: ['Clicks'] }, '“Clicks” holds figures'],
  [{ filters: [{ column: 'nobody', value: '' }] }, 'There are: Campaign · Site'],
])('%j is refused', async (shape, words) => {
  await expect(rows(shape)).rejects.toThrow(words)
})
