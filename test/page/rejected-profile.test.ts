import type { JsonObject } from '#shared/json'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { clockFromMoment } from '../helpers/moment'
import { runCommand } from '../helpers/page'
import { startProxy, type Proxy } from '../helpers/proxy'

// An account with a profile whose reports the service rejects.

const clock = clockFromMoment()
const name = 'Another person, Agency'
const service = serviceForFile({ seed: 'demo', now: clock.now })
let proxy: Proxy
let app: AppPage
let profiles: JsonObject[]
let theirs: JsonObject
/** The service's error for the profile. */
let refusal: { code: number; message: string; errors: { reason: string }[] }

beforeAll(async () => {
  const { baseUrl, token } = service.sandbox
  proxy = await startProxy(baseUrl)
  const { body } = await service.client.call('trafficking.userProfiles.list', {})
  theirs = { ...body.items![0], profileId: '999', userName: 'Another person', accountName: 'Agency' } as JsonObject
  profiles = [theirs, ...body.items!] as JsonObject[]
  refusal = { code: 403, message: 'You have no right to see this.', errors: [{ reason: 'forbidden' }] }
  // The service lists a profile that it rejects afterwards.
  proxy.instead = ({ method, url = '' }, outgoing) => {
    const lists = method === 'GET' && /\/userprofiles(\?|$)/.test(url)
    if (!lists && !/\/userprofiles\/999\//.test(url)) return false
    outgoing.writeHead(lists ? 200 : refusal.code, { 'Content-Type': 'application/json' })
    outgoing.end(JSON.stringify(lists ? { ...body, items: profiles } : { error: refusal }))
    return true
  }
  app = await openApp({ clock, service: { baseUrl: proxy.baseUrl, token } })
  await app.page.getByRole('main').waitFor()
})
afterAll(async () => {
  await app?.close()
  await proxy?.close()
})

it("names the profile whose reports can't load, lists the others, and clears the message once access returns", async () => {
  const { page } = app
  await page.keyboard.press('Control+4')
  await page.getByRole('main', { name: 'Reports' }).waitFor()
  const side = page.getByLabel('Reports sidebar')
  const list = page.getByRole('list', { name: 'Reports' })
  await side.getByText(`Couldn’t load reports for ${name}.`).waitFor()
  await list.getByRole('button', { name: /^Sites by week/ }).waitFor()
  await list.getByRole('button', { name: /^Delivery by campaign/ }).waitFor()
  // New reports go to a working profile, and the others are selectable.
  const chosen = page.getByRole('main', { name: 'Reports' }).getByRole('combobox', { name: 'Profile' })
  await expect.poll(() => chosen.inputValue()).not.toContain('Another person')
  await chosen.click()
  await page.getByRole('option', { name }).click()
  await page.getByText('No daily data yet').waitFor()
  await expect.poll(() => chosen.inputValue()).toBe(name)
  // Also from another view.
  await page.keyboard.press('Control+1')
  await runCommand(page, 'New report')
  const main = page.getByRole('main', { name: 'Reports' })
  await main.getByRole('heading', { name: 'New report' }).waitFor()
  await expect.poll(() => chosen.inputValue()).not.toContain('Another person')
  await chosen.click()
  await page.getByRole('option', { name }).click()
  await expect.poll(() => chosen.inputValue()).toBe(name)
  profiles = profiles.slice(1)
  await checkAgain()
  await side.getByText('Couldn’t load the reports').waitFor({ state: 'detached' })
  await expect.poll(() => list.getByRole('button', { name: /^Sites by week/ }).count()).toBe(1)
})

it('names a profile that is listed by the service but not found', async () => {
  const { page } = app
  const side = page.getByLabel('Reports sidebar')
  refusal = { code: 404, message: 'There is no such profile.', errors: [{ reason: 'notFound' }] }
  profiles = [theirs, ...profiles]
  await checkAgain()
  await side.getByText(`Couldn’t load reports for ${name}.`).waitFor()
  await page
    .getByRole('list', { name: 'Reports' })
    .getByRole('button', { name: /^Sites by week/ })
    .waitFor()
  profiles = profiles.slice(1)
  await checkAgain()
  await side.getByText('Couldn’t load the reports').waitFor({ state: 'detached' })
})

async function checkAgain(): Promise<void> {
  const { page } = app
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('Sync now')
  await page
    .getByRole('option', { name: /^Sync now/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
}
