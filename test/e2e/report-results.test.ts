import { mkdir, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Bridge, RequestAnswers, RequestArguments } from '#shared/ipc/contract'
import type { ResultProgress, TableShape } from '#shared/results/questions'
import { launchApp, type RunningApp } from '../helpers/app'
import { denyClipboard, runCommand } from '../helpers/page'
import { folderForFile } from '../helpers/for-file'

const runId = '00001000000000-0a0b0c0d'
const run = {
  version: 1,
  id: runId,
  accountId: 'sandbox',
  service: 'trafficking',
  name: 'Delivery',
  type: 'STANDARD',
  definition: {
    type: 'STANDARD',
    criteria: {
      dimensions: [{ name: 'campaign' }, { name: 'date' }],
      metricNames: ['impressions', 'clicks', 'mediaCost'],
    },
  },
  format: 'csv',
  state: 'kept',
  words: 'Complete',
  asked: 1,
  range: { from: '2026-11-01', to: '2026-11-02' },
  currency: 'EUR',
  fragments: [],
}
const report = [
  'Delivery',
  'Report Fields',
  'Campaign,Date,Impressions,Clicks,Media Cost',
  'Autumn,2026-11-01,1000,10,5.50',
  'Spring,2026-11-01,3000,90,0.25',
  'Autumn,2026-11-02,1000,0,1.00',
  'Grand Total:,---,5000,100,6.75',
  '',
].join('\r\n')

let app: RunningApp
const saved = folderForFile('flightplan-results-saved-')

beforeAll(async () => {
  const [userData, opened] = await Promise.all(
    ['user', 'open'].map((name) => mkdtemp(join(tmpdir(), `flightplan-results-${name}-`))),
  )
  const folder = join(userData!, 'reports', 'sandbox', runId)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'run.json'), JSON.stringify(run))
  await writeFile(join(folder, 'report.csv'), report)
  const chosen = join(opened!, 'chosen.csv')
  await writeFile(chosen, report.replace('Autumn,2026-11-02', 'Winter,2026-11-02'))
  app = await launchApp({ userData: userData!, args: ['--seed', 'empty', '--save-to', saved, '--open-file', chosen] })
})
afterAll(() => app.close())

type Question = Extract<keyof RequestAnswers, `results/${string}`>
type Windowed = { flightplan: Bridge; progressList?: ResultProgress[] }

/** Sends the page's request. */
async function ask<N extends Question>(name: N, args: RequestArguments<N>): Promise<RequestAnswers[N]> {
  const answer = await app.page.evaluate(
    ([name, args]) => (globalThis as unknown as Windowed).flightplan.ask(name as Question, args as never),
    [name, args] as const,
  )
  const { ok, value, fault } = answer as { ok: boolean; value: unknown; fault?: object }
  if (!ok) throw Object.assign(new Error(JSON.stringify(fault)), { fault })
  return value as RequestAnswers[N]
}
const shape = (more: Partial<TableShape> = {}): TableShape => ({ filters: [], group: [], sort: [], ...more })

it("a run's file is opened, shaped, shown, and written in its own process", async () => {
  await app.page.evaluate(() => {
    const window = globalThis as unknown as Windowed
    window.progressList = []
    window.flightplan.on('results/progress', (progress) => void window.progressList!.push(progress))
  })
  const opened = await ask('results/open', { accountId: 'sandbox', runId })
  expect(opened).toMatchObject({
    title: 'Delivery',
    about: [
      ['Date Range', '2026-11-01 - 2026-11-02'],
      ['Currency', 'EUR'],
    ],
    rows: 3,
    doubts: [],
  })
  const byCampaign = shape({ group: ['Campaign'], sort: [{ column: 'Clicks', descending: true }] })
  const { view } = await ask('results/shape', { table: opened.table, shape: byCampaign })
  expect(await ask('results/page', { view, from: 0, count: 10 })).toEqual({
    rows: [
      ['Spring', '3000', '90', '0.25'],
      ['Autumn', '2000', '10', '6.50'],
    ],
  })
  for (const format of ['csv', 'xlsx', 'pdf'] as const) {
    const written = await ask('results/export', { view, suggestedName: 'By campaign', format })
    expect(written).toMatchObject({ path: join(saved, `By campaign.${format}`), rows: 2, notes: [] })
  }
  expect(await readFile(join(saved, 'By campaign.csv'), 'utf8')).toContain('Autumn,2000,10,6.50\r\n')
  expect((await readFile(join(saved, 'By campaign.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
  expect((await readdir(saved)).sort()).toEqual(['csv', 'pdf', 'xlsx'].map((format) => `By campaign.${format}`))
  const progressList = await app.page.evaluate(() => (globalThis as unknown as Windowed).progressList!)
  expect(progressList.map(({ doing }) => doing)).toEqual(expect.arrayContaining(['reading', 'writing']))
})

it("a chosen file is compared with a run's file", async () => {
  const first = await ask('results/open', { accountId: 'sandbox', runId })
  const second = await ask('results/choose', {})
  const { table } = await ask('results/compare', { first: first.table, second: second!.table, by: ['Campaign'] })
  const { view } = await ask('results/shape', {
    table,
    shape: shape({ columns: ['Campaign', 'Impressions · change'] }),
  })
  expect((await ask('results/page', { view, from: 0, count: 10 })).rows).toEqual([
    ['Autumn', '-1000'],
    ['Spring', '0'],
    ['Winter', '1000'],
  ])
})

it('a missing run is rejected, and tables are gone with their process until reopened', async () => {
  await expect(ask('results/open', { accountId: 'sandbox', runId: 'none' })).rejects.toMatchObject({
    fault: { code: 'notFound' },
  })
  const { table } = await ask('results/open', { accountId: 'sandbox', runId })
  const { view } = await ask('results/shape', { table, shape: shape() })
  await app.electron.evaluate(({ app }) => {
    const { pid } = app.getAppMetrics().find(({ name }) => name === 'Flightplan tables')!
    process.kill(pid, 'SIGKILL')
  })
  await expect(ask('results/page', { view, from: 0, count: 1 })).rejects.toMatchObject({ fault: { code: 'gone' } })
  const again = await ask('results/open', { accountId: 'sandbox', runId })
  expect(again.rows).toBe(3)
})

it('cells copy as tab-separated lines by keyboard, and a failed copy is reported', async () => {
  const { page, electron } = app
  const copied = (): Promise<string> => electron.evaluate(({ clipboard }) => clipboard.readText())
  await page.getByRole('main').waitFor()
  await runCommand(page, 'Go to Reports')
  await runCommand(page, 'Open a file')
  const grid = page.getByRole('grid', { name: 'Delivery' })
  await grid.getByText('Winter').waitFor()
  await grid.focus()
  for (const key of ['Control+Home', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Control+c']) await page.keyboard.press(key)
  await expect.poll(copied).toBe('Campaign\tDate\nAutumn\t2026-11-01\nSpring\t2026-11-01')
  await denyClipboard(electron)
  for (const key of ['Control+Home', 'Control+c']) await page.keyboard.press(key)
  await page.getByText('Couldn’t copy the cells. Export them to a file instead.').first().waitFor()
  expect(await copied()).toBe('Campaign\tDate\nAutumn\t2026-11-01\nSpring\t2026-11-01')
})
