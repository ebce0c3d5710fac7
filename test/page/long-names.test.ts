import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { usualClock } from '../helpers/moment'
import { atRest, runCommand, workOffline } from '../helpers/page'
import { minasProfile } from '../helpers/whole-account'

// Names as long as services allow, and in other scripts. None pushes anything out of the window, and all are readable.

const clock = usualClock()
const long = `${'Awareness and consideration for the northern regions, '.repeat(4)}end`
const unbroken = `Reach_${'northern_regions_'.repeat(10)}end`
const leftwards = 'حملة الخريف للمنتجات الجديدة في جميع المناطق والمدن'
const service = serviceForFile({ seed: 'demo', now: clock.now })
let app: AppPage
let page: Page
let ids: { placement: string; family: string }
let profileId = ''
let minas = ''

beforeAll(async () => {
  profileId = (await service.client.call('trafficking.userProfiles.list', {})).body.items![0]!.profileId!
  minas = await minasProfile(service)
  const { advertisers } = (await service.client.call('trafficking.advertisers.list', { profileId })).body
  const { campaigns } = (await service.client.call('trafficking.campaigns.list', { profileId, archived: false })).body
  const [first, second] = campaigns as [{ id: string }, { id: string }]
  const { body } = await service.client.call('trafficking.placements.list', { profileId, campaignIds: [first.id] })
  await asMina('advertisers', advertisers![0]!.id!, { name: unbroken })
  await asMina('campaigns', first.id, { name: long })
  await asMina('campaigns', second.id, { name: leftwards })
  const { items } = (await service.client.call('calendar.calendarList.list', {})).body
  const family = items!.find(({ summary }) => summary === 'Family')!.id!
  await as('you', 'calendar.calendarList.patch', { calendarId: family }, { summaryOverride: long })
  ids = { placement: body.placements![0]!.id!, family }
  app = await openApp({ clock, service: service.sandbox, size: { width: 1280, height: 800 } })
  page = app.page
  await openSync(page)
  await startDownload(page)
  await untilDownloaded(page, 120_000)
})
afterAll(() => app?.close())

const as = (person: 'you' | 'mina', operation: string, params: JsonObject, body: JsonObject): Promise<JsonObject> =>
  service.order('POST', `/as/${person}`, { operation, params, body })
const asMina = (kind: string, id: string, patch: JsonObject): Promise<JsonObject> =>
  as('mina', `trafficking.${kind}.patch`, { profileId: minas, id }, patch)
const grid = (): Locator => page.getByRole('grid')

/** Elements wider than their container or out of reach, at several window sizes. Sheets are wider on purpose. */
async function lost(): Promise<string[]> {
  const found: string[] = []
  for (const [width, height] of [
    [640, 480],
    [1280, 800],
  ] as const) {
    await app.resize({ width, height })
    await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [width, height] as const)
    await atRest(page)
    const here = await page.evaluate(() => {
      const places = 'html, main .pane, aside .content, [role=dialog], [role=dialog] .body, [role=menu], form, article'
      const wide = [...document.querySelectorAll(places)].filter((one) => one.scrollWidth > one.clientWidth + 1)
      const outside = [
        ...document.querySelectorAll('button, input:not([type=checkbox], [type=radio]), [role=menuitem]'),
      ]
        .filter((one) => !one.closest('[role=grid], .sr-only, [inert]') && one.checkVisibility())
        .filter((one) => {
          const { left, right, width } = one.getBoundingClientRect()
          return width > 0 && (left < -1 || right > innerWidth + 1)
        })
      return [...wide, ...outside].map(
        (one) => `${one.tagName}.${one.getAttribute('class') ?? ''} ${(one.textContent ?? '').trim().slice(0, 40)}`,
      )
    })
    found.push(...here.map((one) => `${width}: ${one}`))
  }
  return found
}
async function faultless(within?: Locator): Promise<void> {
  expect(await lost()).toEqual([])
  expect(await violationsByTheme(page, { within })).toEqual([])
}
async function showCampaigns(): Promise<void> {
  await page.keyboard.press('Control+3')
  await grid().getByRole('gridcell').first().waitFor()
  if (
    await grid()
      .and(page.getByLabel('Campaigns', { exact: true }))
      .isVisible()
  )
    return
  const kind = page.getByRole('combobox', { name: 'Record type' })
  await kind.fill('Campaigns')
  await page.getByRole('option', { name: 'Campaigns', exact: true }).click()
  await grid().getByText(leftwards).waitFor()
}

describe('long names', () => {
  it('fit in the download and remove dialogs', async () => {
    await page.getByRole('button', { name: 'Choose what to download…' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Choose what to download' })
    await dialog.getByRole('option', { name: unbroken }).waitFor()
    await faultless(dialog)
    // Rows can still be selected in the lowest window.
    await app.resize({ width: 640, height: 480 })
    await expect
      .poll(() => dialog.getByRole('listbox').evaluate((one) => one.getBoundingClientRect().bottom - innerHeight))
      .toBeLessThan(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('fit in the tree, grid, form, and filters', async () => {
    await showCampaigns()
    await grid().getByText(long).click()
    await page.keyboard.press('Space')
    await page.getByRole('complementary', { name: 'Record' }).getByRole('heading', { name: long }).waitFor()
    await faultless()
    await page.keyboard.press('Escape')
    await grid().focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+Shift+F')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Value').fill(`is not ${unbroken}`)
    await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('group', { name: 'Filters' }).waitFor()
    await faultless(page.getByRole('group', { name: 'Filters' }))
    await page.getByRole('button', { name: 'Clear all' }).click()
  })

  it('show in full in a tooltip only while the pointer is over them', async () => {
    await showCampaigns()
    const cell = grid().locator('[role=gridcell]').filter({ hasText: long }).first()
    await cell.hover()
    await expect.poll(() => cell.getAttribute('title')).toBe(long)
    const node = page.getByRole('tree').getByRole('treeitem', { name: unbroken })
    await node.hover()
    await expect.poll(() => cell.getAttribute('title')).toBe(null)
    await expect.poll(() => node.getAttribute('title')).toBe(unbroken)
    // A complete text has no tooltip.
    const short = grid()
      .locator('[role=gridcell]')
      .filter({ hasText: /^Live$/ })
      .first()
    await short.hover()
    await expect.poll(() => short.getAttribute('title')).toBe(null)
  })

  it('start at their beginning, also right to left', async () => {
    await showCampaigns()
    const cell = grid().locator('[role=gridcell]').filter({ hasText: leftwards })
    const firstLetter = await cell.evaluate((one) => {
      const range = document.createRange()
      range.setStart(one.firstChild!, 0)
      range.setEnd(one.firstChild!, 1)
      const [letter, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()]
      return letter.left >= box.left && letter.right <= box.right
    })
    expect(firstLetter).toBe(true)
  })
})

describe('a conflict', () => {
  it('shows field names as in the grid and highlights what differs', async () => {
    const { body } = await service.client.call('trafficking.placements.get', { profileId, id: ids.placement })
    const schedule = body.pricingSchedule!
    const name = body.name!
    await page.keyboard.press('Control+3')
    await runCommand(page, 'Campaigns: placements')
    const search = page.getByRole('searchbox', { name: 'Search in placements' })
    await search.fill(ids.placement)
    await grid().getByRole('gridcell', { name: ids.placement }).waitFor()
    await workOffline(page)
    const heads = await grid().getByRole('columnheader').allTextContents()
    const fill = async (head: string, text: string): Promise<void> => {
      await grid().focus()
      await page.keyboard.press('Control+Home')
      const column = heads.findIndex((one) => one.trim() === head) - 1
      for (let at = 0; at < column; at++) await page.keyboard.press('ArrowRight')
      await page.keyboard.press('F2')
      await grid().locator('.editor input').waitFor()
      await page.keyboard.press('Control+a')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await grid().locator('.editor').waitFor({ state: 'detached' })
    }
    await fill('Units', '54321')
    await fill('Plan line', 'mine')
    const periods = schedule.pricingPeriods!.map((one) => ({ ...one, units: '54999' }))
    await asMina('placements', ids.placement, {
      externalId: unbroken,
      pricingSchedule: { ...schedule, pricingPeriods: periods } as unknown as JsonObject,
    })
    await workOffline(page)
    await page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'Post…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Post \d/ }).click()
    await dialog.getByRole('button', { name: 'Resolve in Sync' }).click()
    const card = page.locator('[data-entry]').filter({ hasText: name }).first()
    const row = card.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Units' }) })
    const texts = async (): Promise<string[]> =>
      (await row.getByRole('cell').allInnerTexts()).map((text) => text.trim())
    await expect.poll(async () => (await texts()).slice(1, 3)).toEqual(['54,321', '54,999'])
    await card.getByRole('rowheader', { name: 'Plan line' }).waitFor()
    await faultless(card)
    await card.getByRole('button', { name: 'All theirs' }).click()
    await card.getByRole('button', { name: 'Save and send' }).click()
    await card.waitFor({ state: 'detached' })
  })

  it('is resolved together with others alike', async () => {
    await page.keyboard.press('Control+3')
    await runCommand(page, 'Campaigns: placements')
    await page.getByRole('searchbox', { name: 'Search in placements' }).fill('')
    await grid().locator('[role=row][aria-rowindex="9"]').waitFor()
    await workOffline(page)
    const heads = (await grid().getByRole('columnheader').allTextContents()).map((text) => text.trim())
    const cellOf = (row: number, head: string): Locator =>
      grid().locator(`[role=row][aria-rowindex="${row + 2}"] [aria-colindex="${heads.indexOf(head) + 1}"]`)
    await grid().focus()
    await page.keyboard.press('Control+Home')
    for (let at = 0; at < heads.indexOf('ID') - 1; at++) await page.keyboard.press('ArrowRight')
    const rows = [0, 1, 2]
    const found = await Promise.all(rows.map(async (row) => (await cellOf(row, 'ID').textContent())!.trim()))
    for (let at = heads.indexOf('ID'); at > heads.indexOf('Plan line'); at--) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.type('Mine')
    await page.keyboard.press('Enter')
    for (const row of rows)
      await cellOf(row, 'Plan line')
        .filter({ hasText: /^Mine$/ })
        .waitFor()
    for (const [at, id] of found.entries()) await asMina('placements', id, { externalId: `Hers-${at}` })
    await workOffline(page)
    await page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'Post…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Post 3/ }).click()
    // A conflict that arrives later isn't selected.
    await dialog.getByRole('region', { name: '3 changes failed' }).waitFor()
    await dialog.getByRole('button', { name: 'Resolve in Sync' }).click()
    const card = page.getByRole('listitem', { name: '3 placements in conflict: plan line' })
    await card.getByRole('cell', { name: 'Hers-2' }).waitFor()
    await faultless(card)
    await card
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .uncheck({ force: true })
    await card.getByRole('button', { name: 'Keep theirs' }).click()
    await card.waitFor({ state: 'detached' })
    const last = page.locator('[data-entry]').filter({ hasText: 'Hers-0' })
    await last.getByRole('button', { name: 'All mine' }).click()
    await last.getByRole('button', { name: 'Save and send' }).click()
    await last.waitFor({ state: 'detached' })
    const get = async (id: string) =>
      (await service.client.call('trafficking.placements.get', { profileId, id })).body.externalId
    await expect.poll(() => Promise.all(found.map(get))).toEqual(['Mine', 'Hers-1', 'Hers-2'])
  })

  it('shows the calendar by the name you gave it', async () => {
    const calendarId = 'alex.morgan@flightplan.example'
    const { items } = (await service.client.call('calendar.events.list', { calendarId, q: 'Lunch with Priya' })).body
    const startOf = (one: (typeof items & object)[number]): number => Date.parse(String(one.start?.dateTime))
    // The next one is first in the agenda.
    const [next] = items!.filter((one) => startOf(one) > clock.now()).sort((a, b) => startOf(a) - startOf(b))
    const eventId = next!.id!
    await workOffline(page)
    await page.keyboard.press('Control+1')
    await page.keyboard.press('4')
    await page
      .getByRole('button', { name: /Lunch with Priya/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'More actions' }).click()
    await faultless()
    await page.getByRole('menuitem', { name: 'Calendar' }).click()
    await page.getByRole('menuitem', { name: 'Team' }).click()
    await page.keyboard.press('Control+6')
    const entry = page.locator('[data-entry]').filter({ hasText: 'Lunch with Priya' })
    await entry.filter({ hasText: 'to Team' }).waitFor()
    await as('you', 'calendar.events.move', { calendarId, eventId, destination: ids.family }, {})
    await workOffline(page)
    await page.getByText(`to “Team”, and someone else moved it to “${long}”`).waitFor()
    await faultless(entry)
    await page.getByRole('button', { name: `Leave in “${long}”` }).click()
    await page.getByText('Which do you want?').waitFor({ state: 'detached' })
  })

  it('fit in the settings and leave room for titles in the agenda', async () => {
    await as('you', 'calendar.calendarList.patch', { calendarId: ids.family }, { summaryOverride: unbroken })
    await app.resize({ width: 1280, height: 800 })
    await page.keyboard.press('Control+,')
    await page.keyboard.press('F5')
    await page.getByText(`Reminders from ${unbroken}`).first().waitFor()
    await faultless()
    await app.resize({ width: 1280, height: 800 })
    await page.keyboard.press('Control+1')
    await page.keyboard.press('4')
    const row = page.locator('.agenda [data-key]').filter({ hasText: unbroken }).first()
    await row.waitFor()
    const cut = () => row.locator('.title').evaluate((one) => one.clientWidth - one.scrollWidth)
    await expect.poll(cut).toBe(0)
  })
})
