import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportTypes } from '#shared/facts/report-types'
import type { JsonObject } from '#shared/json'
import { tableOf } from '#shared/wire/services'
import { launchApp, type RunningApp } from '../helpers/app'
import { clockFromMoment } from '../helpers/moment'
import { runCommand } from '../helpers/page'
import { startService, type TestService } from '../helpers/service'
import { asking } from '../helpers/sign-in'

const clock = clockFromMoment()
let service: TestService
let app: RunningApp
let page: Page

const part = (name: string): Locator => page.getByRole('region', { name, exact: true })
const add = (to: string): Locator => page.getByRole('combobox', { name: `Add to ${to}`, exact: true })
const offered = (to: string): Locator =>
  page.getByRole('listbox', { name: `${to} to choose from`, exact: true }).getByRole('option')
const chosen = (what: string): Locator =>
  page.getByRole('list', { name: `${what} chosen`, exact: true }).getByRole('listitem')

async function choose(combobox: Locator, choice: RegExp): Promise<void> {
  await combobox.click()
  await combobox.locator('xpath=..').getByRole('option', { name: choice }).first().click()
}

/** Adds a field by its words and Enter. */
async function addByKeys(to: string, words: string): Promise<void> {
  await add(to).fill(words)
  await add(to).press('Enter')
  await add(to).press('Escape')
}

async function begin(starter: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'New report' }).click()
  await page
    .getByRole('menuitem', { name: /New report/ })
    .first()
    .click()
  await part('Start with').getByRole('button', { name: starter }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
}

async function reports(): Promise<JsonObject[]> {
  const { profileId } = service.sandbox.ids
  const answer = await service.client.call('trafficking.reports.list' as never, { profileId } as never)
  return (answer.body as { items: JsonObject[] }).items
}

/** Runs what is built, and resolves with how that ended. */
async function ran(name: string): Promise<string> {
  const accountId = (await asking(page, 'account/list', {}))[0]!.id
  await page.getByRole('complementary', { name: 'What it gives' }).getByRole('button', { name: 'Run' }).click()
  for (;;) {
    const { runs } = await asking(page, 'reports/runs', { accountId })
    const run = runs.find((one) => one.name === name)
    if (run && !['held', 'waiting', 'asked', 'working', 'fetching'].includes(run.state))
      return `${run.state} ${run.words}`
    await page.waitForTimeout(200)
  }
}

/** The first fields of each section of a type, and what else it needs, by controls alone. */
async function build(type: string): Promise<void> {
  const fact = reportTypes[type]!
  await choose(page.getByRole('combobox', { name: 'Type of report' }), new RegExp(`^${fact.words.name}`))
  const dimensions: Record<string, string> = {
    dimensions: 'Campaign',
    breakdown: 'Campaign',
    conversionDimensions: 'Activity',
    perInteractionDimensions: 'Interaction Type',
    customTrackingVariables: 'Tracking Variable 7',
  }
  const titles: Record<string, string> = {
    dimensions: 'Dimensions',
    breakdown: 'Breakdown',
    conversionDimensions: 'Of the conversion',
    perInteractionDimensions: 'Of each touch',
    customTrackingVariables: 'Tracking variables',
  }
  for (const section of fact.columns) {
    await addByKeys(titles[section]!, dimensions[section]!)
    await chosen(titles[section]!).first().waitFor()
  }
  const metric = offered('Metrics').and(page.locator('[aria-selected=false]:not([aria-disabled])')).first()
  await metric.click()
  await chosen('Metrics').first().waitFor()
  if (fact.metrics.reachByFrequencyMetricNames) await offered('Reach by frequency').first().click()
  if (fact.metrics.overlapMetricNames) await offered('Overlap').first().click()
  if (fact.needsDimension) await choose(page.getByRole('combobox', { name: 'Who is told apart' }), /^Campaigns/)
  if (fact.needsConfiguration) {
    const configuration = page.getByRole('combobox', { name: 'Tracking configuration' })
    await choose(configuration, /./)
  }
}

describe.each(['v3.4', 'v3.3'])('with version %s of the service', (version) => {
  const types = (tableOf('trafficking', version).schemas['Report']!.fields!['type']!.enum ?? []).map(String)

  beforeAll(async () => {
    service = await startService({ seed: 'demo', now: clock.now })
    app = await launchApp({ clock, service: service.sandbox, size: { width: 1440, height: 900 } })
    page = app.page
    page.setDefaultTimeout(15_000)
    const status = page.getByRole('contentinfo').getByText(/Nothing waits to be sent/)
    await status.waitFor()
    const accountId = (await asking(page, 'account/list', {}))[0]!.id
    await asking(page, 'account/change', { accountId, versions: { trafficking: version } })
    await page.reload()
    await status.waitFor()
    await runCommand(page, 'Go to Reports')
  }, 120_000)
  afterAll(async () => {
    await app?.close()
    await service?.stop()
  })

  it.each(types)('a report of the type %s is built by controls, sent and run', async (type) => {
    const name = `Built ${type} ${version}`
    await begin(/^Nothing chosen yet/)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await build(type)
    await page.getByText('Nothing is missing').waitFor()
    await page.getByText('The service says that these choices go together.').waitFor()
    expect(await ran(name)).toMatch(/^kept/)
    const [made] = (await reports()).filter((one) => one['name'] === name)
    expect(made).toMatchObject({
      type,
      [reportTypes[type]!.block]: { dateRange: { relativeDateRange: 'LAST_30_DAYS' } },
    })
    const blocks = Object.values(reportTypes).filter(({ block }) => made?.[block] !== undefined)
    expect(blocks).toHaveLength(1)
    await page.getByRole('radio', { name: 'Definition' }).check()
  })

  it('fields are moved, sorted, taken away and brought back by keys', async () => {
    await begin(/^Delivery by campaign/)
    const labels = (): Promise<string[]> => chosen('Metrics').locator('[data-item]').allTextContents()
    const item = (name: string): Locator => part('Metrics').getByRole('button', { name: new RegExp(`^${name},`) })
    expect((await labels()).slice(0, 2)).toEqual(['Impressions', 'Clicks'])
    await item('Clicks').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(labels).toEqual(expect.arrayContaining(['Clicks', 'Impressions']))
    await expect.poll(async () => (await labels()).slice(0, 2)).toEqual(['Clicks', 'Impressions'])
    await page.keyboard.press('Delete')
    await expect.poll(async () => (await labels())[0]).toBe('Impressions')
    await part('Dimensions')
      .getByRole('button', { name: /^Campaign, / })
      .focus()
    await page.keyboard.press('Space')
    await part('Dimensions')
      .getByRole('button', { name: /^Campaign, .*sorted upwards/ })
      .waitFor()
    for (let step = 0; step < 3; step++) await runCommand(page, 'Undo')
    await expect.poll(async () => (await labels()).slice(0, 2)).toEqual(['Impressions', 'Clicks'])
  })

  it('fields are dragged, and rows narrowed to records found by their names', async () => {
    const order = (): Promise<string[]> => chosen('Metrics').locator('[data-item]').allTextContents()
    const grips = chosen('Metrics').locator('.grip')
    const [first, third] = [await grips.nth(0).boundingBox(), await grips.nth(2).boundingBox()]
    const before = await order()
    await page.mouse.move(first!.x + 6, first!.y + 12)
    await page.mouse.down()
    await page.mouse.move(third!.x + 6, third!.y + 14, { steps: 6 })
    await page.mouse.up()
    await expect.poll(order).toEqual([before[1], before[2], before[0], ...before.slice(3)])

    const by = page.getByRole('combobox', { name: 'Filters: narrow by' })
    await by.fill('campaign')
    await by.press('Enter')
    const value = page.getByRole('combobox', { name: 'Filters: value' })
    await value.click()
    const found = value.locator('xpath=..').getByRole('option').first()
    const words = await found.locator('.label').innerText()
    await found.click()
    await chosen('Filters').getByText(`Campaign is ${words}`).waitFor()
    await page.getByRole('button', { name: `Take away: Campaign is ${words}` }).click()
    await chosen('Filters').getByText('Not narrowed').waitFor()
  })

  it('a search report is built by controls and run', async () => {
    await page.getByRole('button', { name: 'New report' }).click()
    await page.getByRole('menuitem', { name: 'New search report…' }).click()
    const name = `Search ${version}`
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await page.keyboard.press('Tab')
    await page.getByRole('textbox', { name: 'Agency ID' }).fill(service.sandbox.ids['agencyId']!)
    await page.keyboard.press('Tab')
    for (const words of ['campaign', 'week', 'impressions']) await addByKeys('Columns', words)
    await page.getByText('Nothing is missing').waitFor()
    expect(await ran(name)).toMatch(/^kept/)
    await page.getByRole('radio', { name: 'Definition' }).check()
    await chosen('Columns').nth(2).waitFor()
  })

  it('people who cannot see it are told what everything is', async () => {
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), theme)
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
      ).toEqual([])
    }
  })
})
