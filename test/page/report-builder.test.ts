import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportTypes } from '#shared/facts/report-types'
import type { JsonObject } from '#shared/json'
import { tableOf } from '#shared/wire/services'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { clockFromMoment } from '../helpers/moment'
import { runCommand } from '../helpers/page'
import { ReportBuilding } from '../helpers/report-building'
import { drawn } from '../helpers/ring'
import { startService, type TestService } from '../helpers/service'
import { asking } from '../helpers/sign-in'

const clock = clockFromMoment()
let service: TestService
let app: AppPage
let page: Page
let building: ReportBuilding

async function reports(): Promise<JsonObject[]> {
  const { profileId } = service.sandbox.ids
  const answer = await service.client.call('trafficking.reports.list' as never, { profileId } as never)
  return (answer.body as { items: JsonObject[] }).items
}

/** Delays a request of this name until the next click was handled. */
const holdUntilClick = (name: string): Promise<void> =>
  page.evaluate((name) => {
    const { ask } = window.flightplan
    const clicked = new Promise((done) =>
      addEventListener('click', () => setTimeout(done), { once: true, capture: true }),
    )
    const late = async (asked: string, args: unknown): Promise<unknown> => {
      if (asked === name) await clicked
      return ask(asked as never, args as never)
    }
    Object.assign(window.flightplan, { ask: late })
  }, name)

// test/e2e/every-report builds and runs a report with both.
describe.each(drawn(['v3.4', 'v3.3'], 1))('with API version %s', (version) => {
  const types = (tableOf('trafficking', version).schemas['Report']!.fields!['type']!.enum ?? []).map(String)

  beforeAll(async () => {
    service = await startService({ seed: 'demo', now: clock.now })
    app = await openApp({ clock, service: service.sandbox, size: { width: 1440, height: 900 } })
    page = app.page
    building = new ReportBuilding(page)
    const status = page.getByRole('contentinfo').getByText(/No pending changes/)
    await status.waitFor()
    const accountId = (await asking(page, 'account/list', {}))[0]!.id
    await asking(page, 'account/change', { accountId, versions: { trafficking: version } })
    await page.reload()
    await status.waitFor()
    await runCommand(page, 'Go to Reports')
  })
  afterAll(async () => {
    await app?.close()
    await service?.stop()
  })

  it.each(drawn(types, 1))('builds, saves, and runs a report of type %s', async (type) => {
    const name = `Built ${type} ${version}`
    await building.begin(/^Blank report/)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await building.build(type)
    await page.getByText('Ready to run').waitFor()
    await page.getByText('These fields are compatible.').waitFor()
    expect(await building.ran(name)).toMatchObject({ state: 'kept' })
    const [made] = (await reports()).filter((one) => one['name'] === name)
    expect(made).toMatchObject({
      type,
      [reportTypes[type]!.block]: { dateRange: { relativeDateRange: 'LAST_30_DAYS' } },
    })
    const blocks = Object.values(reportTypes).filter(({ block }) => made?.[block] !== undefined)
    expect(blocks).toHaveLength(1)
    await page.getByRole('radio', { name: 'Definition' }).check()
  })

  it('moves, sorts, removes, and restores fields by keyboard', async () => {
    await building.begin(/^Delivery by campaign/)
    const labels = (): Promise<string[]> => building.chosen('Metrics').locator('[data-item]').allTextContents()
    const item = (name: string): Locator =>
      building.part('Metrics').getByRole('button', { name: new RegExp(`^${name},`) })
    expect((await labels()).slice(0, 2)).toEqual(['Impressions', 'Clicks'])
    await item('Clicks').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(labels).toEqual(expect.arrayContaining(['Clicks', 'Impressions']))
    await expect.poll(async () => (await labels()).slice(0, 2)).toEqual(['Clicks', 'Impressions'])
    await page.keyboard.press('Delete')
    await expect.poll(async () => (await labels())[0]).toBe('Impressions')
    await building
      .part('Dimensions')
      .getByRole('button', { name: /^Campaign, / })
      .focus()
    await page.keyboard.press('Space')
    await building
      .part('Dimensions')
      .getByRole('button', { name: /^Campaign, .*sorted ascending/ })
      .waitFor()
    for (let step = 0; step < 3; step++) await runCommand(page, 'Undo')
    await expect.poll(async () => (await labels()).slice(0, 2)).toEqual(['Impressions', 'Clicks'])
  })

  it('drags fields and filters by records found by name', async () => {
    const order = (): Promise<string[]> => building.chosen('Metrics').locator('[data-item]').allTextContents()
    const grips = building.chosen('Metrics').locator('.grip')
    const [first, third] = [await grips.nth(0).boundingBox(), await grips.nth(2).boundingBox()]
    const before = await order()
    await page.mouse.move(first!.x + 6, first!.y + 12)
    await page.mouse.down()
    await page.mouse.move(third!.x + 6, third!.y + 14, { steps: 6 })
    await page.mouse.up()
    await expect.poll(order).toEqual([before[1], before[2], before[0], ...before.slice(3)])

    const by = page.getByRole('combobox', { name: 'Filters: field' })
    await by.fill('campaign')
    await by.press('Enter')
    const value = page.getByRole('combobox', { name: 'Filters: value' })
    await value.click()
    const found = value.locator('xpath=..').getByRole('option').first()
    const words = await found.locator('.label').innerText()
    await found.click()
    await building.chosen('Filters').getByText(`Campaign is ${words}`).waitFor()
    await page.getByRole('button', { name: `Remove filter Campaign is ${words}` }).click()
    await building.chosen('Filters').getByText('No filters').waitFor()
  })

  it('builds and runs a search report', async () => {
    const name = `Search ${version}`
    await building.beginSearch(name, service.sandbox.ids['agencyId']!)
    for (const words of ['campaign', 'week', 'impressions']) await building.addByKeys('Columns', words)
    await page.getByText('Ready to run').waitFor()
    expect(await building.ran(name)).toMatchObject({ state: 'kept' })
    await page.getByRole('radio', { name: 'Definition' }).check()
    await building.chosen('Columns').nth(2).waitFor()
  })

  it('names a new search report first', async () => {
    await page.getByRole('button', { name: 'New report' }).click()
    await page.getByRole('menuitem', { name: 'New search report' }).click()
    const selected = (): Promise<string> => page.evaluate(() => getSelection()?.toString() ?? '')
    await expect.poll(selected).toBe('New search report')
    await page.keyboard.type('Named first')
    await page.keyboard.press('Tab')
    await page.getByRole('heading', { name: 'Named first', exact: true }).waitFor()
  })

  it('doesn’t run without a filter that’s only typed', async () => {
    const value = page.getByRole('textbox', { name: 'Filters: value' })
    await page
      .getByRole('list', { name: 'Reports' })
      .getByRole('button', { name: `Search ${version}` })
      .click()
    await page.getByRole('radio', { name: 'Definition' }).check()
    await value.fill('5')
    const run = page.getByRole('complementary', { name: 'Summary' }).getByRole('button', { name: 'Run' })
    await building.name.focus()
    await page.getByRole('button', { name: 'Add the value, or clear it' }).waitFor()
    await expect.poll(() => run.isDisabled()).toBe(true)
    await building.name.press('Control+Enter')
    await expect.poll(() => value.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await building.chosen('Filters').getByText(/5$/).waitFor()
    await page.getByRole('button', { name: /^Remove filter/ }).click()
    const advertiser = page.getByRole('textbox', { name: 'Advertiser ID' })
    await advertiser.fill('none')
    await advertiser.press('Control+Enter')
    await page.getByRole('button', { name: 'Enter digits only in Advertiser ID' }).waitFor()
    await advertiser.fill('')
    await advertiser.press('Tab')
    await page.getByText('Ready to run').waitFor()
  })

  it('runs a search report with its latest edits', async () => {
    await holdUntilClick('reports/keep-definition')
    await building.addByKeys('Columns', 'clicks')
    const { state, accountId, id, format } = await building.ran(`Search ${version}`)
    expect(state).toBe('kept')
    const text = await readFile(join(app.userData, 'reports', accountId, id, `report.${format}`), 'utf8')
    expect(text).toMatch(/clicks/)
    await page.getByRole('radio', { name: 'Definition' }).check()
    await building.chosen('Columns').nth(3).waitFor()
  })

  it('runs a report under its latest name', async () => {
    const name = `Named ${version}`
    await building.begin(/^Delivery by campaign/)
    await building.name.fill(name)
    await building.ran(name)
    const isOnRun = (): Promise<boolean> =>
      page
        .getByRole('list', { name: 'Runs' })
        .getByRole('listitem')
        .first()
        .evaluate((run) => run === document.activeElement)
    await expect.poll(isOnRun).toBe(true)
    await page.getByRole('radio', { name: 'Definition' }).check()
    await building.name.fill(`${name} again`)
    await building.name.press('Control+Enter')
    const accountId = (await asking(page, 'account/list', {}))[0]!.id
    const newest = async (): Promise<string> =>
      (await asking(page, 'reports/runs', { accountId })).runs.sort((a, b) => a.asked - b.asked).at(-1)!.name
    await expect.poll(newest).toBe(`${name} again`)
    await expect.poll(isOnRun).toBe(true)
    await page.getByRole('radio', { name: 'Definition' }).check()
  })

  const runsOf = async (name: string): Promise<number> => {
    const accountId = (await asking(page, 'account/list', {}))[0]!.id
    return (await asking(page, 'reports/runs', { accountId })).runs.filter((run) => run.name === name).length
  }

  it('selects the name of a new report, and adds a recipient that’s only typed', async () => {
    const name = `Typed ${version}`
    await building.begin(/^Delivery by campaign/)
    await page.keyboard.type(name)
    const typed = page.getByRole('textbox', { name: 'Add a recipient' })
    await typed.fill('nobody')
    await page.getByRole('button', { name: 'Run', exact: true }).focus()
    await page.getByRole('button', { name: 'Enter a valid email address' }).click()
    await expect.poll(() => typed.evaluate((input) => input === document.activeElement)).toBe(true)
    await typed.fill('bo@example.com')
    await building.ran(name)
    const recipients = [{ email: 'bo@example.com', deliveryType: 'LINK' }]
    expect((await reports()).find((one) => one['name'] === name)).toMatchObject({ delivery: { recipients } })
    await page.getByRole('radio', { name: 'Definition' }).check()
    await typed.fill('BO@example.com')
    await typed.press('Enter')
    await expect.poll(() => typed.inputValue()).toBe('')
    await expect.poll(() => page.getByRole('list', { name: 'Other recipients' }).getByRole('listitem').count()).toBe(1)
  })

  it('opens the definition of an incomplete report instead of running it', async () => {
    await building.begin(/^Activities by day/)
    await page.getByRole('radio', { name: 'Results' }).check()
    await runCommand(page, 'Run report')
    await page.getByText('Required to run').waitFor()
    expect(await runsOf('Activities by day')).toBe(0)
    await runCommand(page, 'Undo')
  })

  it('lists the runs of a deleted report under its name, and runs it no more', async () => {
    const name = `Deleted ${version}`
    await building.begin(/^Delivery by campaign/)
    await building.name.fill(name)
    await building.ran(name)
    const { profileId } = service.sandbox.ids
    const { id: reportId } = (await reports()).find((one) => one['name'] === name)!
    await service.client.call('trafficking.reports.delete' as never, { profileId, reportId } as never)
    await page.getByRole('radio', { name: 'Definition' }).check()
    await runCommand(page, 'Sync now')
    await page.getByText('This report no longer exists').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Control+d')
    await page.getByRole('button', { name: 'Report actions' }).click()
    await page.getByRole('menuitem', { name: 'Report file settings' }).waitFor()
    await expect.poll(() => page.getByRole('menuitem', { name: /Delete|Duplicate/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name, exact: true }).waitFor()
    expect([await runsOf(name), await runsOf('')]).toEqual([1, 0])
  })

  it('says where scheduled runs go, and lines up what belongs together', async () => {
    await page.getByText('Sites by week', { exact: true }).first().click()
    await page.getByRole('radio', { name: 'Definition' }).check()
    await page.getByText('Scheduled runs stay on the server.').waitFor()
    const lefts = await page
      .getByRole('group', { name: 'Metrics for each activity' })
      .getByRole('checkbox')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)))
    expect([lefts.length, new Set(lefts).size]).toEqual([6, 2])
  })

  it('labels every control for screen readers', async () => {
    expect(await violationsByTheme(page, { within: page.getByRole('main') })).toEqual([])
  })
})
