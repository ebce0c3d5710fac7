import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plannedSearchColumns } from '#shared/pacing/planned'
import { readReportFile } from '../../../src-main/report-data/read-file'
import { atOnce } from '../../../src-main/report-data/steps'
import type { ResultTable } from '../../../src-main/report-data/table'
import { compared } from '../../../src-main/tables/compare'
import { shaped } from '../../../src-main/tables/shape'

// Search report files with one metric for two date ranges.

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'own-days-'))))
afterAll(() => rm(folder, { recursive: true }))

const may = { startDate: '2026-05-01', endDate: '2026-05-31' }
const june = { startDate: '2026-06-01', endDate: '2026-06-30' }
/** A request's columns: the report's metrics, and one for another date range. */
const request = (own: object) => ({
  columns: [
    ...['campaign', 'ctr', 'clicks', 'impr'].map((columnName) => ({ columnName })),
    ...['clicks', 'impr', 'ctr'].map((columnName) => ({ columnName, headerText: `${columnName} before`, ...own })),
  ],
})
async function tableOf(rows: readonly string[], own: object): Promise<ResultTable> {
  const path = join(folder, 'report.csv')
  const heads = 'campaign,ctr,clicks,impr,clicks before,impr before,ctr before'
  await writeFile(path, [heads, ...rows, ''].join('\r\n'))
  return readReportFile(path, { planned: plannedSearchColumns(request(own)), separator: ',' })
}

it("are typed by position, and rates use their own dates' parts", async () => {
  const table = await tableOf(['a,0.01,1,100,30,100,0.3', 'a,0.02,6,300,10,100,0.1'], may)
  expect(table.columns.map(({ about }) => [about.field, about.kind, about.days])).toEqual([
    ['campaign', 'text', undefined],
    ['ctr', 'percent', undefined],
    ['clicks', 'count', undefined],
    ['impr', 'count', undefined],
    ['clicks', 'count', '2026-05-01 2026-05-31'],
    ['impr', 'count', '2026-05-01 2026-05-31'],
    ['ctr', 'percent', '2026-05-01 2026-05-31'],
  ])
  const view = atOnce(shaped(table, { filters: [], group: ['campaign'], sort: [] }))
  const at = (head: string): number | string | null => {
    const column = view.columns.find(({ about }) => about.head === head)!
    return column.form === 'number' ? column.value(view.rows[0]!) : column.text(view.rows[0]!)
  }
  expect([at('ctr'), at('ctr before')]).toEqual([7 / 400, 40 / 200])
})

it('of two runs are compared by header, although their dates moved', async () => {
  const before = await tableOf(['a,0.01,1,100,30,100,0.3'], may)
  const after = await tableOf(['a,0.02,2,100,40,100,0.4'], june)
  const { columns } = atOnce(compared(before, after, ['campaign']))
  const text = (head: string): string | undefined => columns.find(({ about }) => about.head === head)?.text(0)
  expect(['clicks · change', 'clicks before · change'].map(text)).toEqual(['1', '10'])
})
