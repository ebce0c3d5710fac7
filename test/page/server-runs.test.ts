import type { Locator } from 'playwright-core'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { serviceForFile } from '../helpers/for-file'
import { holdAsks } from '../helpers/held-asks'
import { usualClock } from '../helpers/moment'
import { nothingPending, runCommand, workOffline } from '../helpers/page'

const clock = usualClock()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const name = 'Sites by week'
let app: AppPage

beforeAll(async () => {
  app = await openApp({ clock, service: service.sandbox, size: { width: 1280, height: 800 } })
  app.page.setDefaultTimeout(15_000)
  await nothingPending(app.page)
})
afterAll(() => app?.close())

const dialog = (): Locator => app.page.getByRole('dialog', { name: 'Runs on the server' })
const hasFocus = (one: Locator): Promise<boolean> => one.evaluate((element) => element === document.activeElement)

it('downloads a run that someone else made, by keys', async () => {
  const { page } = app
  await page.keyboard.press('Control+4')
  await page.getByText(name).first().click()
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
  const find = page.getByRole('main').getByRole('button', { name: 'Find runs on the server…' })
  await find.press('Enter')
  const boxes = dialog().getByRole('checkbox')
  await expect.poll(() => boxes.count()).toBe(1)
  await expect.poll(() => hasFocus(boxes.first())).toBe(true)
  await page.setViewportSize({ width: 640, height: 700 })
  expect(await violationsByTheme(page)).toEqual([])
  await expect.poll(() => dialog().getByRole('button', { name: 'Download' }).isDisabled()).toBe(true)
  await page.keyboard.press('Space')
  await dialog().getByRole('button', { name: 'Download 1 run' }).press('Enter')
  await dialog().waitFor({ state: 'detached' })
  const run = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
  await run.getByText('Complete').waitFor()
  await expect.poll(() => run.count()).toBe(1)
  await expect.poll(() => hasFocus(run)).toBe(true)
  await find.press('Enter')
  await dialog().getByText('No other runs on the server').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => hasFocus(find)).toBe(true)
})

it('prints a run’s state beside its time, and a definition without fields that aren’t chosen', async () => {
  const { page } = app
  const printed = async (): Promise<{ text: string; left: number; right: number }[]> => {
    const data = new Uint8Array(await app.pdf({ pageSize: 'A4', landscape: false }))
    const paper = await getDocument({ data, verbosity: 0 }).promise
    const { items } = await (await paper.getPage(1)).getTextContent()
    return items.flatMap((item) =>
      'str' in item && item.str.trim() !== ''
        ? [{ text: item.str, left: Number(item.transform[4]), right: Number(item.transform[4]) + item.width }]
        : [],
    )
  }
  const run = await printed()
  const state = run.find(({ text }) => text.startsWith('Complete'))!
  const time = run[run.indexOf(state) + 1]!
  expect(time.left).toBeGreaterThan(state.right)
  await page.getByRole('radio', { name: 'Definition' }).check()
  await page.getByRole('listbox', { name: 'Dimensions: available' }).getByText('Advertiser Group ID').waitFor()
  const words = (await printed())
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
  expect(words).toContain('Media Cost')
  const fields = [page.getByRole('textbox', { name: 'Name' }), page.getByRole('combobox', { name: 'Report type' })]
  for (const value of await Promise.all(fields.map((field) => field.inputValue()))) expect(words).toContain(value)
  expect(words).not.toContain('Advertiser Group')
  await page.getByRole('radio', { name: 'Runs' }).check()
})

it('shows errors in view, leaves out runs that are gone, and lets the report run meanwhile', async () => {
  const { page } = app
  const profileId = service.sandbox.ids['profileId']!
  const { body } = await service.client.call('trafficking.reports.list', { profileId })
  const place = { profileId, reportId: body.items!.find((one) => one.name === name)!.id! }
  for (let at = 0; at < 10; at++) await service.client.call('trafficking.reports.run', place)
  await page.setViewportSize({ width: 640, height: 500 })
  await runCommand(page, 'Find runs on the server')
  const boxes = dialog().getByRole('checkbox')
  await expect.poll(() => boxes.count()).toBe(10)
  await boxes.nth(8).press('Space')
  await boxes.nth(9).press('Space')
  const operation = 'trafficking.reports.files.get'
  await service.order('POST', '/trouble', { operation, count: 1, status: 503 })
  await dialog().getByRole('button', { name: 'Download 2 runs' }).click()
  await dialog().getByRole('alert').getByText('Couldn’t start the download').waitFor()
  const inView = (one: Locator): Promise<boolean> =>
    one.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      const body = element.closest('.body')!.getBoundingClientRect()
      return top >= body.top && bottom <= body.bottom
    })
  expect(await inView(dialog().getByRole('alert'))).toBe(true)
  await service.order('POST', '/trouble', { operation, count: 1, status: 404, reason: 'notFound' })
  await dialog().getByRole('button', { name: 'Download 2 runs' }).click()
  await dialog().getByRole('alert').getByText('The run is no longer on the server.').waitFor()
  await expect.poll(() => boxes.count()).toBe(8)
  await service.order('POST', '/reports', { milliseconds: 600_000, fail: 0, cancel: 0, rowsPerFile: 0 })
  await service.client.call('trafficking.reports.run', place)
  await page.keyboard.press('Escape')
  await runCommand(page, 'Find runs on the server')
  await boxes.first().press('Space')
  await dialog().getByRole('button', { name: 'Download 1 run' }).click()
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('list', { name: 'Runs' }).getByText('Running').first().waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Stop' }).first().click()
  await page.setViewportSize({ width: 1280, height: 800 })
})

it('can be canceled while the service is slow, and says why it can’t look offline', async () => {
  const { page } = app
  const release = await holdAsks(page, 'reports/server-runs')
  await runCommand(page, 'Find runs on the server')
  await dialog().getByText('Looking for runs…').waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await dialog().waitFor({ state: 'detached' })
  await release()
  await workOffline(page)
  await runCommand(page, 'Find runs on the server')
  await dialog().getByText('You’re offline. Go online to download runs.').waitFor()
  await page.keyboard.press('Escape')
})

it('says once that the session expired', async () => {
  const { page } = app
  await workOffline(page)
  await nothingPending(page)
  await service.order('POST', '/expire-bearer')
  await runCommand(page, 'Find runs on the server')
  await dialog().getByText('Your session has expired. Sign in to download runs.').waitFor()
  await expect.poll(() => dialog().getByRole('alert').count()).toBe(0)
  await page.keyboard.press('Escape')
})
