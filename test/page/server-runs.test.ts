import type { Locator } from 'playwright-core'
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
  const find = page.getByRole('main').getByRole('button', { name: 'Find runs on the server' })
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
