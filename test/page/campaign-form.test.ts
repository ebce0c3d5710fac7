import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { downloadAdvertiser } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { choose, dismissMessages, messages, runCommand } from '../helpers/page'
import { minasProfile } from '../helpers/whole-account'

const clock = clockFromMoment()
let app: AppPage
const service = serviceForFile({ seed: 'demo', now: clock.now })
let page: Page
let minas = ''
/** The second of two records. */
let other = ''
let [name, otherName] = ['', '']

beforeAll(async () => {
  const profiles = await service.client.call('trafficking.userProfiles.list', {})
  const profileId = profiles.body.items![0]!.profileId!
  minas = await minasProfile(service)
  const { campaigns } = (await service.client.call('trafficking.campaigns.list', { profileId, archived: false })).body
  const { advertiserId } = campaigns![0]!
  ;[[, name], [other, otherName]] = campaigns!
    .filter((one) => one.advertiserId === advertiserId)
    .map((one) => [one.id!, one.name!]) as [[string, string], [string, string]]
  const { body } = await service.client.call('trafficking.advertisers.get', { profileId, id: advertiserId! })
  await launch()
  await downloadAdvertiser(page, body.name!)
})
afterAll(() => app?.close())

async function launch(userData?: string): Promise<void> {
  app = await openApp({
    clock,
    service: service.sandbox,
    size: { width: 1440, height: 900 },
    ...(userData && { userData }),
  })
  page = app.page
  await page.getByRole('contentinfo').waitFor()
}
const grid = (): Locator => page.getByRole('grid', { name: 'Campaigns' })
const record = (): Locator => page.getByRole('complementary', { name: 'Record' })
const field = (label: string): Locator => record().getByLabel(label, { exact: true })
/** Like the menu, which doesn't move the focus. */
const command = (command: string): Promise<void> => app.announce('app/command', { command })
async function asMina(id: string, patch: JsonObject): Promise<void> {
  await service.asMina('trafficking.campaigns.patch', { profileId: minas, id }, patch)
  await command('sync.now')
}
async function idOf(title: string): Promise<string> {
  const profileId = (await service.client.call('trafficking.userProfiles.list', {})).body.items![0]!.profileId!
  const { campaigns } = (await service.client.call('trafficking.campaigns.list', { profileId })).body
  return campaigns!.find((one) => one.name === title)!.id!
}
async function showCampaigns(): Promise<void> {
  await page.keyboard.press('Control+3')
  const kind = page.getByRole('combobox', { name: 'Record type' })
  if ((await kind.inputValue()) !== 'Campaigns') await choose(kind, 'Campaigns')
  await grid().waitFor()
}
async function open(title: string, isExpanded = true): Promise<void> {
  const search = page.getByRole('searchbox', { name: 'Search in campaigns' })
  await search.fill(title)
  // While the list is being filtered, its row doesn't exist yet, and Space opens nothing.
  const titles = (): Promise<string[]> => grid().locator('.title').allTextContents()
  await expect.poll(async () => (await titles()).every((one) => one.includes(title))).toBe(true)
  await grid().locator('.title').filter({ hasText: title }).first().click()
  await page.keyboard.press('Space')
  await record().getByRole('heading', { name: title, exact: true }).waitFor()
  const more = record().getByRole('button', { name: /more fields?$/ })
  while (isExpanded && (await more.count()) > 0) await more.first().click()
}

beforeEach(async () => {
  await page.keyboard.press('Escape')
  await showCampaigns()
  await grid().waitFor()
  await dismissMessages(page)
  await open(name)
})

describe('the record form', () => {
  it('moves the focus to what a button reveals', async () => {
    const isFocusIn = (place: string): Promise<boolean> =>
      page.evaluate((place) => Boolean(document.activeElement?.closest(place)), place)
    await open(otherName, false)
    const more = record()
      .getByRole('button', { name: /more fields?$/ })
      .last()
    await more.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocusIn('[aria-label=More] [data-path]')).toBe(true)
    await record().getByRole('button', { name: 'Add', exact: true }).last().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocusIn('.item.new .fields')).toBe(true)
  })
  it('saves typed text when you switch record or view, or leave the app', async () => {
    await field('Client code').fill('typed for the first')
    await field('Client code').press('!')
    // Text editing keys don't trigger commands.
    await field('Client code').press('Control+ArrowRight')
    await grid().waitFor()
    await command('go.calendar')
    await grid().waitFor({ state: 'detached' })
    await page.keyboard.press('Control+3')
    await open(name)
    await expect.poll(() => field('Client code').inputValue()).toBe('typed for the first!')

    await field('Client code').fill('of the first')
    await page.keyboard.press('Alt+Shift+G')
    await open(otherName)
    await expect.poll(() => field('Client code').inputValue()).not.toBe('of the first')
    await open(name)
    await expect.poll(() => field('Client code').inputValue()).toBe('of the first')

    await field('Client code').fill('before the end')
    await app.close()
    await launch(app.userData)
    await showCampaigns()
    await open(name)
    await expect.poll(() => field('Client code').inputValue()).toBe('before the end')
  })

  it('shows invalid text in an alert when you leave', async () => {
    await field('End date').fill('31 Febr')
    await command('go.calendar')
    await messages(page)
      .getByText(/Couldn’t save “31 Febr” as the end date of/)
      .waitFor()
    await messages(page).getByRole('button', { name: 'Open record' }).click()
    await record().getByRole('heading', { name, exact: true }).waitFor()
    // The typed text stays readable while it's being saved.
    await messages(page)
      .getByText(/Couldn’t save “31 Febr”/)
      .waitFor()
    await messages(page).getByRole('button', { name: 'Dismiss message' }).click()
    await messages(page)
      .getByText(/“31 Febr”/)
      .waitFor({ state: 'detached' })
  })

  it("closes when its record's creation is undone, and shows the typed text in an alert", async () => {
    const title = `${name} (copy)`
    const copied = (): Locator => grid().locator('.title').filter({ hasText: title })
    await record().getByRole('button', { name: 'Duplicate', exact: true }).click()
    // The dialog asks when it should run.
    const asked = page.getByRole('dialog', { name: `Duplicate “${name}”`, exact: true })
    await asked.getByRole('button', { name: 'Duplicate', exact: true }).click()
    await asked.waitFor({ state: 'detached' })
    await record().getByRole('heading', { name: title, exact: true }).waitFor()
    await field('Client code').fill('of the copy')
    await command('app.undo')
    await record().waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.matches('[role=grid]'))
    await expect.poll(() => copied().count()).toBe(0)
    await messages(page)
      .getByText(/Couldn’t save “of the copy” as the client code of/)
      .waitFor()
    await command('app.redo')
    await copied().waitFor()
    await command('app.undo')
    await copied().waitFor({ state: 'detached' })
  })

  it("doesn't truncate the view title", async () => {
    const title = page.getByRole('main').getByRole('heading', { level: 1 })
    expect(await title.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
  })

  it('opens the list and the panel that were open before a restart', async () => {
    await runCommand(page, 'Campaigns: placements')
    await page.getByRole('grid', { name: 'Placements' }).waitFor()
    await command('campaigns.changes')
    await page.getByRole('radio', { name: 'Findings' }).click()
    await app.close()
    await launch(app.userData)
    await page.keyboard.press('Control+3')
    await page.getByRole('grid', { name: 'Placements' }).waitFor()
    await page.getByRole('region', { name: 'Findings' }).getByRole('button', { name: 'Close panel' }).click()
    await runCommand(page, 'Campaigns: campaigns')
    await grid().waitFor()
  })

  it('shows all failed fields in alerts, also after a restart, until you dismiss them', async () => {
    const wrong = { 'Start date': '30 Febr', 'End date': '31 Febr', Comment: 'c'.repeat(300) }
    for (const [label, text] of Object.entries(wrong)) await field(label).fill(text)
    await record().locator('[data-path="name"] input').fill('')
    await command('go.calendar')
    // The latest is in sight, and those before it count.
    const unread = (): Locator => page.getByRole('button', { name: '3 unread errors' })
    await messages(page).getByRole('alert').waitFor()
    await unread().waitFor()
    await app.close()
    await launch(app.userData)
    await page.keyboard.press('Control+3')
    await unread().waitFor()
    await page.keyboard.press('Control+1')
    await page.keyboard.press('Control+3')
    await grid().waitFor()
    await unread().click()
    const list = page.getByRole('dialog', { name: 'Recent messages' })
    const alerts = (): Locator => list.getByRole('listitem').filter({ hasText: /Couldn’t save / })
    await expect.poll(() => alerts().count()).toBe(4)
    for (let left = 4; left > 0; left--) {
      await alerts().first().getByRole('button', { name: 'Dismiss message' }).click()
      await expect.poll(() => alerts().count()).toBe(left - 1)
    }
    await app.close()
    await launch(app.userData)
    await showCampaigns()
    await expect.poll(() => messages(page).getByRole('alert').count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: /unread error/ }).count()).toBe(0)
  })

  it('selects the name of a new record once, and leaves the focus where you moved it', async () => {
    await page.getByRole('searchbox', { name: 'Search in campaigns' }).fill('')
    await choose(page.getByRole('combobox', { name: 'Record type' }), 'Landing pages')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await record().getByRole('heading', { name: 'New landing page' }).waitFor()
    // Once its row is selected, nothing takes the focus from its form anymore.
    const pages = page.getByRole('grid', { name: 'Landing pages' })
    await pages.getByRole('gridcell', { name: 'New landing page', selected: true }).waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('[data-path="name"] input'))
    await page.keyboard.type('Typed without a click')
    await field('URL').focus()
    await record().getByRole('heading', { name: 'Typed without a click' }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type('typed.example/')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => [await field('Name').inputValue(), await field('URL').inputValue()])
      .toEqual(['Typed without a click', 'https://typed.example/'])
    await command('app.undo')
    await command('app.undo')
    await command('app.undo')
    await record().waitFor({ state: 'detached' })
  })

  it('asks before it replaces a value that someone else changed during the edit', async () => {
    await open(otherName)
    await field('Client code').fill('mine')
    await asMina(other, { externalId: 'Mina was here' })
    await grid().getByText('Mina was here').waitFor({ timeout: 60_000 })
    await expect.poll(() => field('Client code').inputValue()).toBe('mine')
    await page.keyboard.press('Enter')
    await record()
      .getByText('Changed to “Mina was here” while you were editing. Press Enter again to replace it')
      .waitFor()
    await expect.poll(() => field('Client code').inputValue()).toBe('mine')
    await page.keyboard.press('Enter')
    await grid().getByRole('gridcell', { name: 'mine', exact: true }).waitFor()
  })

  it('edits the time of an ad in words, by keys, and in a calendar that keeps the time of day', async () => {
    await choose(page.getByRole('combobox', { name: 'Record type' }), 'Ads')
    const ads = page.getByRole('grid', { name: 'Ads' })
    await ads.locator('.title').first().click()
    await page.keyboard.press('Space')
    const start = record().getByRole('textbox', { name: 'Start time' })
    const value = (): Promise<string> => start.inputValue()
    await start.fill('20 Sep 2025 14:30')
    await start.press('Enter')
    await expect.poll(value).toMatch(/^Sat 20 Sep( 2025)? 14:30$/)
    await start.press('ArrowUp')
    await expect.poll(value).toMatch(/^Sun 21 Sep( 2025)? 14:30$/)
    await start.press('Alt+ArrowDown')
    await page.getByRole('dialog', { name: 'Choose start time' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(value).toMatch(/^Mon 22 Sep( 2025)? 14:30$/)
    await start.fill('soon')
    await start.press('Enter')
    await record().getByText('Enter a date, such as').waitFor()
    await start.press('Escape')
    await expect.poll(value).toMatch(/^Mon 22 Sep( 2025)? 14:30$/)
  })

  it('keeps focus and fields while you fill in a new list entry', async () => {
    const groups = record().locator('fieldset[data-path="audienceSegmentGroups"]')
    const entries = groups.locator('> .item')
    const before = await entries.count()
    await groups.locator('> div:not(.item)').getByRole('button', { name: 'Add' }).click()
    const first = entries.nth(before).getByRole('textbox').first()
    await first.fill('Group of mine')
    await first.evaluate((one) => (one.dataset['mine'] = 'yes'))
    await first.press('Enter')
    await entries.nth(before).locator('summary').first().filter({ hasText: 'Group of mine' }).waitFor()
    expect(await first.evaluate((one) => [one.dataset['mine'], document.activeElement === one])).toEqual(['yes', true])
    await expect.poll(() => entries.count()).toBe(before + 1)
    await first.fill('Another name')
    await first.press('Enter')
    await entries.nth(before).locator('summary').first().filter({ hasText: 'Another name' }).waitFor()
    await expect.poll(() => entries.count()).toBe(before + 1)
  })

  it("explains why an entry's field wasn't saved after someone else removed the entry", async () => {
    const segments = ['one', 'two'].map((one) => ({ name: one, allocation: 50 }))
    const group = (called: string): JsonObject => ({ name: called, audienceSegments: segments })
    await open(otherName)
    await asMina(other, { audienceSegmentGroups: [group('First'), group('Second')] })
    const entries = record().locator('fieldset[data-path="audienceSegmentGroups"] > .item')
    await expect.poll(() => entries.count()).toBe(2)
    // Only a single entry, or one that was just added, is open on its own.
    await entries
      .nth(1)
      .locator('details')
      .first()
      .evaluate((one: HTMLDetailsElement) => (one.open = true))
    await entries.nth(1).getByRole('textbox').first().fill('Second of mine')
    await asMina(other, { audienceSegmentGroups: [group('First')] })
    await messages(page)
      .getByText(/Couldn’t save “Second of mine” as the name of .*\. Changed to nothing while you were editing/)
      .waitFor()
  })

  it('leaves an entry expanded and focused when it, or the list, changes', async () => {
    const audienceSegments = ['one', 'two'].map((one) => ({ name: one, allocation: 50 }))
    const group = (called: string): JsonObject => ({ name: called, audienceSegments })
    const entries = record().locator('fieldset[data-path="audienceSegmentGroups"] > .item')
    await open(otherName)
    await asMina(other, { audienceSegmentGroups: [group('First'), group('Second')] })
    await expect.poll(() => entries.count()).toBe(2)
    const summary = entries.nth(1).locator('summary').first()
    const text = entries.nth(1).getByRole('textbox').first()
    const hasFocus = (): Promise<boolean> => text.evaluate((one) => one === document.activeElement)
    await summary.click()
    await text.focus()
    await asMina(other, { audienceSegmentGroups: [group('First'), group('Second'), group('Third')] })
    await expect.poll(() => entries.count()).toBe(3)
    expect(await hasFocus()).toBe(true)
    await text.fill('Second of mine')
    await text.press('Enter')
    await summary.filter({ hasText: 'Second of mine' }).waitFor()
    expect(await hasFocus()).toBe(true)
  })
})

describe('the selection', () => {
  const selected = (): Promise<string[]> =>
    grid().evaluate((one) =>
      [...one.querySelectorAll('.body [role=row]')]
        .filter((row) => row.querySelector('[aria-selected=true]'))
        .map((row) => row.querySelector('.title')!.textContent!.trim()),
    )

  it('survives changes by others and never contains unselected records', async () => {
    await page.getByRole('searchbox', { name: 'Search in campaigns' }).fill('')
    await expect.poll(() => grid().locator('.body').getByRole('row').count()).toBeGreaterThan(2)
    await grid().focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+a')
    const all = await selected()
    expect(all.length).toBeGreaterThan(2)
    await asMina(other, { billingInvoiceCode: 'Mina 2' })
    await grid().getByText('Mina 2').waitFor({ timeout: 60_000 })
    expect(await selected()).toEqual(all)

    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+ArrowDown')
    const two = await selected()
    expect(two).toEqual(all.slice(0, 2))
    const third = all.at(-1)!
    await asMina(third === otherName ? other : await idOf(third), { name: `${two[0]} beside` })
    await grid().getByText(`${two[0]} beside`).first().waitFor({ timeout: 60_000 })
    await expect.poll(selected).toEqual(two.slice(1))
  })

  it("explains when a required cell can't be cleared", async () => {
    await grid().focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Delete')
    await messages(page).getByText('0 cells cleared. 1 cell skipped: Can’t be empty').waitFor()
  })

  it("says how many pasted cells didn't fit", async () => {
    await app.writeClipboard('x\ty')
    await grid().focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    await page.keyboard.press('Control+v')
    await messages(page)
      .getByText(/1 cell skipped in computed or missing columns/)
      .waitFor()
  })
})
