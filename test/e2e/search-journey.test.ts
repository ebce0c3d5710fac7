import { readFile, readdir } from 'node:fs/promises'
import { get as httpGet } from 'node:http'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { folderForFile, serviceForFile } from '../helpers/for-file'
import { launchApp, type RunningApp } from '../helpers/app'
import { violationsByTheme } from '../helpers/axe'
import { clockFromMoment } from '../helpers/moment'
import { atRest, workOffline } from '../helpers/page'
import { startProxy, type Proxy } from '../helpers/proxy'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
let proxy: Proxy
const userData = folderForFile('flightplan-search-')
let app: RunningApp

beforeAll(async () => {
  proxy = await startProxy(service.sandbox.baseUrl)
})
afterAll(async () => {
  await app.close()
  await proxy.close()
})

const open = async (): Promise<void> => {
  const { token } = service.sandbox
  app = await launchApp({ userData, clock, service: { baseUrl: proxy.baseUrl, token } })
  await app.page.getByRole('main').waitFor()
}
async function goToReports(): Promise<void> {
  await app.page.keyboard.press('Control+4')
  await app.page.getByRole('main', { name: 'Reports' }).waitFor()
}
const listed = (name: RegExp): Locator => app.page.getByRole('list', { name: 'Reports' }).getByRole('button', { name })
const answers = async (operation: string): Promise<number[]> =>
  (await service.requests()).filter((one) => one.operation === operation).map(({ status }) => status)

interface KeptRun {
  state: string
  words: string
  serviceId?: string
  expectedRows?: number
  rows?: number
  definition: { timeRange: { startDate: string; endDate: string } }
  fragments: { etag?: string; bytes?: number; done: boolean }[]
}
/** Runs on disk, newest first, with their folders. */
async function runsOnDisk(): Promise<(KeptRun & { folder: string })[]> {
  const folder = join(userData, 'reports', 'sandbox')
  const found = await readdir(folder, { withFileTypes: true })
  const names = found.flatMap((one) => (one.isDirectory() ? [one.name] : []))
  const read = async (name: string): Promise<KeptRun & { folder: string }> => {
    const own = join(folder, name)
    return { ...(JSON.parse(await readFile(join(own, 'run.json'), 'utf8')) as KeptRun), folder: own }
  }
  return Promise.all(names.sort().reverse().map(read))
}
const until = (state: string): Promise<void> => expect.poll(async () => (await runsOnDisk())[0]?.state).toBe(state)

/** Stalls halfway through the fragment with this number and passes on the others. */
function stallFragment(number: number): Promise<void> {
  return new Promise((stalled) => {
    proxy.instead = (incoming, outgoing) => {
      if (!incoming.url?.includes(`/files/${number}?`)) return false
      const { host: _host, ...headers } = incoming.headers
      httpGet(new URL(incoming.url, service.sandbox.baseUrl), { headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const whole = Buffer.concat(parts)
          outgoing.writeHead(answer.statusCode!, answer.headers)
          outgoing.write(whole.subarray(0, Math.floor(whole.length / 2)), () => stalled())
        })
      })
      return true
    }
  })
}

/** A request's fragments, from the service. */
async function fragmentsOf(reportId: string, count: number): Promise<string[]> {
  const texts: string[] = []
  for (let reportFragment = 0; reportFragment < count; reportFragment++) {
    const parts: Uint8Array[] = []
    await service.client.download('search.reports.getFile', { reportId, reportFragment }, async (_head, chunks) => {
      for await (const chunk of chunks) parts.push(chunk)
    })
    texts.push(Buffer.concat(parts).toString())
  }
  return texts
}

/** Defines a search report in the builder: campaigns by day. */
async function define(name: string): Promise<void> {
  const { page } = app
  await page.getByRole('button', { name: 'New report' }).click()
  await page.getByRole('menuitem', { name: 'New search report' }).click()
  const named = page.getByRole('textbox', { name: 'Name', exact: true })
  await named.fill(name)
  await named.press('Tab')
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  const agency = page.getByRole('textbox', { name: 'Agency ID' })
  await agency.fill(service.sandbox.ids['agencyId']!)
  await agency.press('Tab')
  const add = page.getByRole('combobox', { name: 'Add to Columns', exact: true })
  for (const words of ['campaign id', 'date', 'impressions', 'clicks']) {
    await add.fill(words)
    await add.press('Enter')
    await add.press('Escape')
  }
  await page.getByText('Ready to run').waitFor()
}

it('a search report with several fragments, run offline, is one request, no matter when the app is killed', async () => {
  await service.order('POST', '/reports', { rowsPerFile: 60 })
  await open()
  await goToReports()
  await listed(/^Sites by week/).waitFor()
  await atRest(app.page)
  await workOffline(app.page)
  await define('Search without a network')
  await app.page.keyboard.press('Control+Enter')
  await until('waiting')
  // However often you request it.
  await app.page.keyboard.press('Control+Enter')
  expect(await answers('search.reports.request')).toEqual([])
  await app.kill()

  await open()
  const stalled = stallFragment(1)
  await goToReports()
  await listed(/^Search without a network/).waitFor()
  await workOffline(app.page)
  await stalled
  await expect
    .poll(async () => {
      const [run] = await runsOnDisk()
      const [first, second] = run!.fragments
      return [run!.state, first?.done, second?.done, typeof second?.etag]
    })
    .toEqual(['fetching', true, false, 'string'])
  await app.kill()

  proxy.instead = undefined
  await open()
  await until('kept')
  expect(await runsOnDisk()).toHaveLength(1)
  const run = (await runsOnDisk())[0]!
  const count = run.fragments.length
  expect(count).toBeGreaterThan(2)
  expect(await answers('search.reports.request')).toEqual([200])
  // The first fragment wasn't downloaded again, and the second resumed.
  expect(await answers('search.reports.getFile')).toEqual([200, 200, 206, ...Array<number>(count - 2).fill(200)])

  const fragments = await fragmentsOf(run.serviceId!, count)
  const [header] = fragments[0]!.split('\r\n')
  const joined = fragments.map((text, at) => (at === 0 ? text : text.slice(header!.length + 2))).join('')
  expect(await readFile(join(run.folder, 'report.csv'), 'utf8')).toBe(joined)
  expect(run.rows).toBe(run.expectedRows)

  // The service's immediate response for the same dates, computed another way.
  const { startDate, endDate } = run.definition.timeRange
  const whole = await service.client.call(
    'search.reports.generate',
    {},
    {
      body: {
        reportType: 'advertiser',
        reportScope: { agencyId: service.sandbox.ids['agencyId']! },
        statisticsCurrency: 'usd',
        timeRange: { startDate, endDate },
        columns: [{ columnName: 'advertiserId' }, { columnName: 'impr' }],
        rowCount: 10_000,
        startRow: 0,
      },
    },
  )
  const impressions = (whole.body.rows ?? []).reduce((sum, row) => sum + Number(row['impr']), 0)
  expect(impressions).toBeGreaterThan(0)
  await goToReports()
  await listed(/^Search without a network/).click()
  const total = app.page.getByRole('grid').getByRole('row').nth(1)
  await total.getByText(impressions.toLocaleString('en'), { exact: true }).waitFor()
})

it("one metric of two dates appears in one file with the service's values", async () => {
  const { page } = app
  await define('Two times')
  // Without days, which would split both.
  const chosen = page.getByRole('list', { name: 'Columns: selected' })
  await chosen.getByRole('button', { name: 'Date, 2 of 4' }).press('Delete')
  await chosen.getByRole('button', { name: 'Clicks, 3 of 3' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Column: Clicks' })
  await dialog.getByRole('button', { name: 'Duplicate' }).press('Enter')
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Column header' }).inputValue()).toBe('clicks 2')
  const header = dialog.getByRole('textbox', { name: 'Column header' })
  await header.fill('impr')
  await dialog.getByText('Another column is named impr').waitFor()
  await header.fill('clicks before')
  const days = dialog.getByRole('combobox', { name: 'Date range' })
  await days.focus()
  await days.press('ArrowDown')
  await days.fill('Previous month')
  await days.press('Enter')
  expect(await violationsByTheme(page, { within: dialog })).toEqual([])
  await header.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const copy = chosen.getByRole('button', { name: 'clicks before, Clicks, Previous month, 4 of 4' })
  await expect.poll(() => copy.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.getByText('Ready to run').waitFor()
  const before = (await runsOnDisk()).length
  await page.keyboard.press('Control+Enter')
  await expect.poll(runsOnDisk).toHaveLength(before + 1)
  await until('kept')
  const [run] = await runsOnDisk()
  const [, , , own] = (run!.definition as unknown as { columns: Record<string, string>[] }).columns
  expect(own).toMatchObject({ columnName: 'clicks', headerText: 'clicks before' })
  const [heads, ...rows]: string[][] = parse(await readFile(join(run!.folder, 'report.csv'), 'utf8'))
  expect(heads).toEqual(['campaignId', 'impr', 'clicks', 'clicks before'])

  /** Clicks of a date range, from an immediate response. */
  const said = async (timeRange: { startDate: string; endDate: string }): Promise<number> => {
    const { body } = await service.client.call(
      'search.reports.generate',
      {},
      {
        body: {
          reportType: 'advertiser',
          reportScope: { agencyId: service.sandbox.ids['agencyId']! },
          ...{ statisticsCurrency: 'usd', rowCount: 10_000, startRow: 0, timeRange },
          columns: [{ columnName: 'advertiserId' }, { columnName: 'clicks' }],
        },
      },
    )
    return (body.rows ?? []).reduce((sum, row) => sum + Number(row['clicks']), 0)
  }
  const sums = [2, 3].map((at) => rows.reduce((sum, cells) => sum + Number(cells[at] || 0), 0))
  const { startDate, endDate } = run!.definition.timeRange
  const wanted = [
    await said({ startDate, endDate }),
    await said({ startDate: own!['startDate']!, endDate: own!['endDate']! }),
  ]
  expect(sums).toEqual(wanted)
  expect(wanted[0]).toBeGreaterThan(0)
  expect(wanted[1]).not.toBe(wanted[0])
  await page.keyboard.press('Escape')
  await listed(/^Two times/).click()
  const total = page.getByRole('grid').getByRole('row').nth(1)
  for (const sum of wanted) await total.getByText(sum.toLocaleString('en'), { exact: true }).waitFor()
})
