import { readFile, readdir } from 'node:fs/promises'
import { get as httpGet } from 'node:http'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { folderForFile, serviceForFile } from '../helpers/for-file'
import { launchApp, type RunningApp } from '../helpers/app'
import { clockFromMoment } from '../helpers/moment'
import { atRest, workOffline } from '../helpers/page'
import { startProxy, type Proxy } from '../helpers/proxy'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
let proxy: Proxy
const userData = folderForFile('flightplan-reports-')
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
}
async function goToReports(): Promise<void> {
  await app.page.getByRole('main').waitFor()
  await app.page.keyboard.press('Control+4')
  await app.page.getByRole('main', { name: 'Reports' }).waitFor()
}
const listed = (name: RegExp): Locator => app.page.getByRole('list', { name: 'Reports' }).getByRole('button', { name })
interface KeptRun {
  state: string
  serviceId?: string
  reportId?: string
  fragments: { etag?: string; bytes?: number }[]
}
/** The only run, as stored on disk. */
async function runOnDisk(): Promise<KeptRun & { folder: string }> {
  const folder = join(userData, 'reports', 'sandbox')
  const names = await readdir(folder)
  expect(names).toHaveLength(1)
  const own = join(folder, names[0]!)
  return { ...(JSON.parse(await readFile(join(own, 'run.json'), 'utf8')) as KeptRun), folder: own }
}
const until = (state: string): Promise<void> => expect.poll(async () => (await runOnDisk()).state).toBe(state)

/** Passes on half of the requested file, then stalls. */
function stallDownloads(): Promise<void> {
  return new Promise((stalled) => {
    proxy.instead = (incoming, outgoing) => {
      if (!incoming.url?.includes('alt=media')) return false
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

it('a report defined and run offline is one run, no matter when the app is killed', async () => {
  await open()
  const { page } = app
  await goToReports()
  await listed(/^Sites by week/).waitFor()
  await atRest(page)
  await workOffline(page)

  await page.getByRole('button', { name: 'New report' }).click()
  await page
    .getByRole('menuitem', { name: /^New report/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /^Delivery by campaign/ })
    .last()
    .click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Made without a network')
  await name.press('Tab')
  await page.getByRole('heading', { name: 'Made without a network' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Waiting for the report’s changes to be sent').first().waitFor()
  // However often you request it.
  await page.keyboard.press('Control+Enter')
  await until('held')
  expect(await service.calls('trafficking.reports.insert')).toBe(0)
  await app.kill()

  await open()
  const stalled = stallDownloads()
  await goToReports()
  await listed(/^Made without a network/).waitFor()
  await workOffline(app.page)
  await stalled
  await expect
    .poll(async () => {
      const { state, fragments } = await runOnDisk()
      return [state, fragments[0]?.etag === undefined]
    })
    .toEqual(['fetching', false])
  await app.kill()

  proxy.instead = undefined
  await open()
  await until('kept')
  expect([await service.calls('trafficking.reports.insert'), await service.calls('trafficking.reports.run')]).toEqual([
    1, 1,
  ])
  const run = await runOnDisk()
  const { profileId = '' } = service.sandbox.ids
  const parts: Uint8Array[] = []
  await service.client.download(
    'trafficking.reports.files.get',
    { profileId, reportId: run.reportId!, fileId: run.serviceId! },
    async (_head, chunks) => {
      for await (const chunk of chunks) parts.push(chunk)
    },
  )
  const whole = Buffer.concat(parts).toString()
  expect(await readFile(join(run.folder, 'report.csv'), 'utf8')).toBe(whole)

  const said = /^Grand Total:,(.*)$/m.exec(whole)![1]!.split(',')
  await goToReports()
  await listed(/^Made without a network/).click()
  const total = app.page.getByRole('grid').getByRole('row').nth(1)
  const impressions = Number(said.find((cell) => /^\d+$/.test(cell)))
  await total.getByText(impressions.toLocaleString('en'), { exact: true }).waitFor()
})

it('its results sort, group, copy, and show by keyboard', async () => {
  const { page } = app
  const grid = page.getByRole('grid')
  await grid.focus()
  const cell = (row: number, column: number): Promise<string> =>
    grid.locator(`[data-row="${row}"] > [aria-colindex="${column}"]`).innerText()
  const heads = await grid.getByRole('columnheader').allInnerTexts()
  const clicks = heads.indexOf('Clicks')
  for (let at = 0; at < clicks; at++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('s')
  await grid.locator('[aria-sort=descending]').getByText('Clicks').waitFor()
  const number = async (row: number): Promise<number> => Number((await cell(row, clicks + 1)).replaceAll(',', ''))
  // The header shows the new order before the rows arrive.
  const isSorted = async (): Promise<boolean> => {
    const [first, second, third] = [await number(0), await number(1), await number(2)]
    return first! >= second! && second! >= third!
  }
  await expect.poll(isSorted).toBe(true)

  await page.keyboard.press('h')
  await page
    .getByRole('region', { name: /^Chart of/ })
    .locator('svg')
    .first()
    .waitFor()
  await page.getByRole('button', { name: /^Group by/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemcheckbox').or(page.getByRole('menuitem')).first().waitFor()
  await page.keyboard.press('Enter')
  await page
    .getByRole('status')
    .getByText(/groups?$/)
    .waitFor()
  await page.keyboard.press('Control+z')
  await grid.focus()
  await page.keyboard.press('r')
  await page.getByRole('list', { name: 'Runs' }).getByText('Complete').waitFor()
})

it("shortcuts apply to the comparison of two runs while it's open", async () => {
  const { page } = app
  const chart = page.getByRole('region', { name: /^Chart of/ })
  await page.keyboard.press('Control+Enter')
  const kept = page.getByRole('list', { name: 'Runs' }).getByRole('listitem').filter({ hasText: 'Complete' })
  await kept.nth(1).waitFor()
  await page.keyboard.press('g')
  await chart.waitFor()
  await page.getByRole('button', { name: 'Report actions' }).click()
  await page.getByRole('menuitem', { name: /^Compare with/ }).click()
  await page.getByRole('grid', { name: /, compared$/ }).focus()
  await page.keyboard.press('h')
  await chart.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Stop comparing' }).click()
  await page.getByRole('combobox', { name: 'Run', exact: true }).waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.press('h')
  await chart.waitFor()
})
