import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { clockFromMoment } from '../helpers/moment'
import { nothingPending, runCommand } from '../helpers/page'
import { startProxy, type Proxy } from '../helpers/proxy'

// What Campaigns says while a download waits.

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
let proxy: Proxy
let app: AppPage
/** True while the service doesn't respond to requests for lists. */
let hangs = false

beforeAll(async () => {
  const { baseUrl, token } = service.sandbox
  proxy = await startProxy(baseUrl)
  proxy.instead = ({ url = '' }) => hangs && /\/(advertisers|campaigns)(\?|$)/.test(url)
  app = await openApp({ clock, service: { baseUrl: proxy.baseUrl, token } })
  await nothingPending(app.page)
})
afterAll(async () => {
  // Ends the requests that hang.
  await proxy?.close()
  await app?.close()
})

const main = (): Locator => app.page.getByRole('main')
const offlineMode = (): Promise<void> => app.page.keyboard.press('Control+Shift+O')
const fresh = (): Locator => app.page.locator('button.fresh')
async function removeDownload(): Promise<void> {
  await app.page.getByRole('button', { name: /^Remove download: / }).click()
  await app.page.getByRole('dialog').getByRole('button', { name: 'Remove download' }).click()
}

it('starts a download later if it was chosen offline, and shows when it’s paused', async () => {
  const { page } = app
  await offlineMode()
  await page.getByRole('contentinfo').getByText('Offline').first().waitFor()
  await page.keyboard.press('Control+3')
  await main().getByText('You’re offline. Downloads start when you’re online.').waitFor()
  await main().getByRole('button', { name: 'Download everything' }).click()
  await main().getByText('The download starts when you’re online.').waitFor()
  await fresh().click()
  await page.getByRole('button', { name: 'Pause download' }).click()
  await main().getByText('The download is paused.').waitFor()
  await page.keyboard.press('Escape')
})

it('says that a list is still loading', async () => {
  const { page } = app
  hangs = true
  await page.keyboard.press('Control+6')
  const card = main().getByRole('list', { name: 'Campaign data' }).getByRole('listitem').first()
  await card.click({ button: 'right' })
  const menu = page.getByRole('menu')
  await menu.getByText('It’s paused, so you can’t refresh it.').waitFor()
  await expect.poll(() => menu.getByRole('menuitem', { name: 'Refresh' }).getAttribute('aria-disabled')).toBe('true')
  await menu.getByRole('menuitem', { name: 'Resume' }).click()
  await card.getByRole('button', { name: /^Pause: / }).waitFor()
  await removeDownload()
  await main().getByRole('list', { name: 'Campaign data' }).waitFor({ state: 'detached' })
  await offlineMode()
  await page.getByRole('contentinfo').getByText('Offline').first().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+3')
  await runCommand(page, 'Campaigns: advertisers')
  await main().getByRole('heading', { name: 'No advertisers on this computer' }).waitFor()
  await main().getByText('The list is still loading.').waitFor()
  await expect.poll(() => proxy.seen.filter((one) => /\/advertisers(\?|$)/.test(one)).length).toBe(1)
})

it('doesn’t download lists again that were removed', async () => {
  const { page } = app
  hangs = false
  await page.keyboard.press('Control+6')
  await removeDownload()
  await main().getByRole('list', { name: 'Campaign data' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+1')
  await page.keyboard.press('Control+3')
  await main().getByRole('button', { name: 'Download everything' }).waitFor()
  await page.keyboard.press('Control+6')
  await main().getByRole('heading', { name: 'Connection' }).waitFor()
  await expect.poll(() => main().getByRole('list', { name: 'Campaign data' }).count()).toBe(0)
})
