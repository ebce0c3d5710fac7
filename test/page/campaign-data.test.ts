import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { clockFromMoment } from '../helpers/moment'
import { atRest, pressing, runCommand } from '../helpers/page'
import { drawn } from '../helpers/ring'

const clock = clockFromMoment()
let app: AppPage
const service = serviceForFile({ seed: 'demo', now: clock.now })

beforeAll(async () => {
  app = await openApp({ clock, service: service.sandbox, size: { width: 1280, height: 800 } })
  await statusLine()
    .getByText(/No pending changes/)
    .waitFor()
})
afterAll(() => app?.close())

const press = pressing(() => app.page)
const type = (text: string): Promise<void> => app.page.keyboard.type(text)
const main = (): Locator => app.page.getByRole('main')
const statusLine = (): Locator => app.page.getByRole('contentinfo')
const dialog = (): Locator => app.page.getByRole('dialog', { name: 'Choose what to download' })
const cards = (): Locator => app.page.getByRole('list', { name: 'Campaign data', exact: true }).locator('> li')
const grid = (name: string): Locator => app.page.getByRole('grid', { name })
const rows = (name: string): Locator => grid(name).locator('.body').getByRole('row')
const titles = async (name: string): Promise<string[]> =>
  (await rows(name).locator('.title').allTextContents()).map((text) => text.trim())
/** The row of the focused cell. */
const isFocusedAt = (): Locator => app.page.locator('[role=row]:has(> .here)')
const record = (): Locator => app.page.getByRole('complementary', { name: 'Record' })
const focused = (): Promise<string> =>
  app.page.evaluate(() => {
    const { activeElement: at } = document
    return at?.getAttribute('aria-label') ?? (at as HTMLInputElement | null)?.labels?.[0]?.textContent ?? ''
  })
/** Presses Tab until an element has focus, which proves that the keyboard can reach it. */
async function tabTo(name: string | RegExp): Promise<void> {
  for (let steps = 0; steps < 40; steps++) {
    const at = await app.page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
    if (new RegExp(name).test(`${await focused()} ${at}`.trim())) return
    await press('Tab')
  }
  throw new Error(`Tab never came to ${String(name)}`)
}

const passesAxe = async (within?: Locator): Promise<void> =>
  expect(await violationsByTheme(app.page, { within })).toEqual([])
/** Checks that nothing is wider than a small, a normal, and a large window. */
async function fits(): Promise<void> {
  for (const width of [...drawn([640, 2560], 1), 1280]) {
    await app.resize({ width, height: 800 })
    await app.page.waitForFunction((wanted) => innerWidth === wanted, width)
    await atRest(app.page)
    const wide = await app.page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main .pane, aside .content, [role=dialog] .body')]
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => `${element.tagName}.${element.className} is ${element.scrollWidth} wide`),
    )
    expect(wide).toEqual([])
  }
}
async function profile(): Promise<string> {
  const { body } = await service.client.call('trafficking.userProfiles.list', {})
  return body.items![0]!.profileId!
}

describe('campaign data, by keyboard', () => {
  it('explains the empty view and the next step', async () => {
    await press('Control+6')
    await app.page.getByRole('heading', { name: 'No campaigns downloaded yet' }).waitFor()
    await passesAxe()
    await runCommand(app.page, 'Campaigns: placements')
    await app.page.getByRole('heading', { name: 'No placements on this computer' }).waitFor()
    await passesAxe(main())
  })

  it('opens a dialog that loads the available records', async () => {
    await runCommand(app.page, 'Choose campaign data to download')
    await dialog().getByRole('option', { name: 'Kessel & Korn' }).waitFor()
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    // What it read is listed, and a line says that there's more.
    await runCommand(app.page, 'Campaigns: campaigns')
    const offers = app.page.getByRole('region', { name: 'Download', exact: true })
    await passesAxe(offers)
    await offers.getByRole('button', { name: 'Choose what to download…' }).click()
    await dialog().getByRole('option', { name: 'Kessel & Korn' }).waitFor()
    await passesAxe(dialog())
    await fits()
    // Only the list scrolls.
    const body = dialog().locator('.body')
    expect(await body.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
    await tabTo(/^\s*Advertisers\s*$/)
    await press('ArrowRight')
    await dialog().getByRole('radio', { name: 'Campaigns', checked: true }).waitFor()
    await tabTo('Active only')
    await press('Space')
    const countLine = dialog().getByText(/^\d+ active campaigns of \d+$/)
    await countLine.waitFor()
    const [active, all] = (await countLine.textContent())!.match(/\d+/g)!.map(Number)
    expect(active).toBeLessThan(all!)
    await dialog().getByRole('listbox').focus()
    await press('Control+a')
    await dialog()
      .getByRole('button', { name: `Download ${active}`, exact: true })
      .waitFor()
    await press('Control+a')
    await dialog().getByRole('button', { name: 'Download', exact: true }).waitFor()
    await tabTo('Active only')
    await press('Space')
    await dialog().getByText('Advertisers', { exact: true }).click()
    await tabTo('Search in advertisers')
    await type('kessel')
    await dialog().getByText('1 advertiser found').waitFor()
    await press('ArrowDown', 'Space')
    await dialog().locator('[role=option][aria-selected=true]', { hasText: 'Kessel & Korn' }).waitFor()
    await dialog().getByRole('button', { name: 'Download 1' }).waitFor()
    await press('Control+Enter')
    await dialog().waitFor({ state: 'detached' })
    // It was opened from the list, and so that stays.
    await grid('Campaigns').waitFor()
    await offers.waitFor({ state: 'detached' })
  })

  it('downloads, and shows count and age for each record type', async () => {
    await press('Control+6')
    const card = cards().filter({ hasText: 'Kessel & Korn' })
    await card.getByText(/^[\d,]+ records, updated (a moment ago|\d+ min ago)$/).waitFor()
    await tabTo(/^Kessel & Korn\s*Advertiser/)
    await press('Enter')
    const parts = card.getByRole('list', { name: 'Contents of Kessel & Korn' })
    await parts
      .getByRole('listitem')
      .filter({ hasText: /^Placements [1-9]\d* updated/ })
      .waitFor()
    await passesAxe(main())
    await fits()
    await runCommand(app.page, 'Choose campaign data to download')
    await dialog().locator('[role=option]', { hasText: 'Kessel & Korn' }).getByText('already downloaded').waitFor()
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('can be navigated, sorted, and searched', async () => {
    await runCommand(app.page, 'Campaigns: placements')
    await rows('Placements').first().waitFor()
    const all = await titles('Placements')
    expect(all.length).toBeGreaterThan(10)
    expect(all).toEqual([...all].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
    const count = await grid('Placements').getAttribute('aria-rowcount')
    await passesAxe()
    await fits()

    await tabTo('^Placements')
    await press('Control+End')
    await expect.poll(() => isFocusedAt().getAttribute('aria-rowindex')).toBe(count)
    await press('Control+Home')
    await press('Alt+Shift+D')
    await grid('Placements').locator('[aria-sort=descending]').filter({ hasText: 'Name' }).waitFor()
    await expect.poll(async () => (await titles('Placements'))[0]!.toLowerCase() > all[0]!.toLowerCase()).toBe(true)

    await press('Control+f')
    expect(await focused()).toBe('Search in placements')
    await type('no such words')
    await app.page.getByRole('heading', { name: 'No matches' }).waitFor()
    await press('Escape')
    await rows('Placements').first().waitFor()
    const wanted = all[3]!
    await type(wanted)
    await app.page
      .getByRole('status')
      .filter({ hasText: /^\d+ of \d+$/ })
      .waitFor()
    await expect.poll(() => titles('Placements')).toContain(wanted)
    await press('Escape')
    await expect.poll(() => grid('Placements').getAttribute('aria-rowcount')).toBe(count)
  })

  it("edits a draft offline, posts it, and sends it when you're online", async () => {
    await press('Control+Shift+O')
    await statusLine().getByText('Offline').first().waitFor()
    await press('Control+f')
    await press('Enter')
    expect(await focused()).toBe('Placements')
    const name = (await titles('Placements'))[0]!
    await press('Control+Home', 'F2')
    await app.page.waitForFunction(() => document.activeElement?.matches('input.cell'))
    await press('Control+a')
    await type('728 on the plane')
    await press('Enter')
    await app.page.getByText('1 draft', { exact: true }).waitFor()
    await press('Control+End')
    await rows('Placements').filter({ hasText: '728 on the plane' }).waitFor()
    await expect.poll(async () => (await titles('Placements')).at(-1)).toBe('728 on the plane')
    await press('Control+End', 'Space')
    await record().getByRole('heading', { name: '728 on the plane' }).waitFor()
    await record().locator('.state').getByText('Draft', { exact: true }).waitFor()
    await rows('Placements').filter({ hasText: '728 on the plane' }).getByText('Draft').waitFor({ state: 'attached' })
    await app.page.getByText('1 draft', { exact: true }).waitFor()
    await passesAxe(record())
    await fits()

    await press('Control+6')
    const drafts = app.page.getByRole('list', { name: 'Drafts' })
    await drafts.getByText(`Change ${name}: name`).waitFor()
    await tabTo(`1. Change ${name}: name`)
    await drafts.getByText('Not sent until you post it').waitFor()
    await passesAxe(main())
    await fits()
    await press('p')
    const post = app.page.getByRole('dialog', { name: 'Post drafts' })
    await post.getByRole('button', { name: '728 on the plane' }).waitFor()
    await post.getByRole('button', { name: 'Post 1 draft', exact: true }).press('Enter')
    await app.page.getByText(/0 of 1 sent\. You’re offline/).waitFor()
    await press('Escape', 'Control+6')
    await drafts.waitFor({ state: 'detached' })
    await app.page.getByRole('list', { name: 'Pending changes' }).getByText('Offline mode is on').waitFor()

    await press('Control+Shift+O')
    await app.page.getByRole('list', { name: 'Recent activity' }).getByText(`Change ${name}: name`).waitFor()
    const { body } = await service.client.call('trafficking.placements.list', {
      profileId: await profile(),
      searchString: '728 on the plane',
    })
    expect(body.placements?.map(({ name }) => name)).toEqual(['728 on the plane'])
  })

  it("archives records that can't be deleted, and undo discards the draft", async () => {
    await press('Control+3')
    await rows('Placements').first().waitFor()
    await press('ArrowDown')
    expect(await focused()).toBe('Placements')
    const [name] = (await titles('Placements')) as [string]
    await press('Control+Home', 'Space')
    await record().getByRole('heading', { name }).waitFor()
    await press('Control+Delete')
    await record().locator('.state').getByText('Archived').waitFor()
    await rows('Placements').filter({ hasText: name }).waitFor({ state: 'detached' })
    await statusLine().getByText('1 unposted draft').waitFor()
    await press('Control+z')
    await record().getByRole('button', { name: 'Archive' }).waitFor()
    await rows('Placements').filter({ hasText: name }).waitFor()
    await statusLine().getByText('1 unposted draft').waitFor({ state: 'detached' })
  })

  it('shows unreadable fields and can be removed from this computer', async () => {
    await service.order('POST', '/trouble', {
      operation: 'trafficking.creatives.list',
      count: 50,
      status: 403,
      reason: 'forbidden',
    })
    await press('Control+6')
    await runCommand(app.page, 'Refresh campaign data')
    const card = cards().filter({ hasText: 'Kessel & Korn' })
    await card.getByText(/^Not fully downloaded\. /).waitFor()
    await passesAxe(card)
    await service.order('DELETE', '/trouble')
    await tabTo('Remove download: Kessel & Korn')
    await press('Enter')
    const question = app.page.getByRole('dialog', { name: 'Remove the download of “Kessel & Korn”?' })
    await question.waitFor()
    await passesAxe(question)
    await press('Enter')
    await card.waitFor({ state: 'detached' })
    // What's left comes next.
    const left = cards().getByRole('button', { name: /^Remove download: / })
    await expect.poll(() => left.last().evaluate((one) => one === document.activeElement)).toBe(true)
    await runCommand(app.page, 'Campaigns: placements')
    await app.page.getByRole('heading', { name: 'No placements on this computer' }).waitFor()
  })
})
