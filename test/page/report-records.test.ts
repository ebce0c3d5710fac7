import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prefix } from '#shared/facts/report-fields'
import { pacingStates, pacingStateWords } from '#shared/pacing/pacing'
import { reportOfStarter, starterNamed } from '#shared/facts/report-starters'
import type { JsonObject } from '#shared/json'
import { folderForFile, serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { allBooked, asOf, day, type Booked } from '../helpers/booked'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { usualClock } from '../helpers/moment'
import { messages, runCommand } from '../helpers/page'
import { ReportBuilding } from '../helpers/report-building'
import { newestFileRows } from '../helpers/report-file'

const clock = usualClock()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const userData = folderForFile('flightplan-records-')
let app: AppPage

let placements: Booked[]
let groups: Booked[]

beforeAll(async () => {
  await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
  placements = await allBooked(service, 'placements')
  groups = await allBooked(service, 'placementGroups')
  app = await openApp({ userData, clock, service: service.sandbox, size: { width: 1280, height: 800 } })
  app.page.setDefaultTimeout(60_000)
  await openSync(app.page)
  await startDownload(app.page)
  await untilDownloaded(app.page, 120_000)
})
afterAll(() => app?.close())

const pacing = (): Locator => app.page.getByRole('listbox', { name: /^Pacing/ })
const delivery = (): Locator => app.page.getByRole('region', { name: 'Delivery' })
const listed = (name: RegExp): Locator => app.page.getByRole('list', { name: 'Reports' }).getByRole('button', { name })
async function goToReports(): Promise<void> {
  await app.page.keyboard.press('Control+4')
  await app.page.getByRole('main', { name: 'Reports' }).waitFor()
}
/** Has a single pricing period that's still running. */
const goesOn = ({ archived, pricingSchedule }: Booked): boolean => {
  const [period, second] = pricingSchedule?.pricingPeriods ?? []
  return (
    !archived && !second && period !== undefined && day(period.startDate) <= asOf - 14 && day(period.endDate) > asOf
  )
}
const gapOf = ({ pricingSchedule }: Booked, delivered: number): number => {
  const { startDate, endDate, units } = pricingSchedule!.pricingPeriods[0]!
  const days = day(endDate) - day(startDate) + 1
  return delivered - (Number(units) * (asOf - day(startDate) + 1)) / days
}
const sum = (rows: readonly Record<string, string>[], { pricingSchedule }: Booked, head: string): number =>
  rows
    .filter(
      (row) => day(row['Date']!) <= asOf && day(row['Date']!) >= day(pricingSchedule!.pricingPeriods[0]!.startDate),
    )
    .reduce((whole, row) => whole + Number(row[head]), 0)
/** The gap in a pacing sentence. */
const gapIn = (sentence: string): number => {
  const [, way, amount] = /(behind|ahead) by ([\d,]+) /i.exec(sentence) ?? []
  return Number(amount!.replaceAll(',', '')) * (way!.toLowerCase() === 'behind' ? -1 : 1)
}

/** Moves down the list by keyboard to the first row with this text, since only visible rows are rendered. */
async function walkTo(words: RegExp): Promise<Locator> {
  await pacing().focus()
  await app.page.keyboard.press('Home')
  const seen: string[] = []
  const count = Number(await pacing().getByRole('option').first().getAttribute('aria-setsize'))
  for (let at = 1; at <= count; at++) {
    const row = pacing().locator(`[role=option][aria-selected=true][aria-posinset="${at}"]`)
    const text = await row.innerText()
    if (words.test(text)) return row
    seen.push(text.replaceAll('\n', ' · '))
    await app.page.keyboard.press('ArrowDown')
  }
  throw new Error(`No row reads ${words}: ${seen.join(' | ')}`)
}

/** The name of a placement or package, without what stands behind it. */
const nameIn = (option: Locator): Promise<string> => option.locator('.name > span').first().innerText()

it('a placement priced per conversion has pacing once a report includes its activity', async () => {
  const { page } = app
  const grouped = new Set(groups.map(({ id }) => id))
  const paid = placements.filter(
    (one) =>
      one.pricingSchedule?.pricingType === 'PRICING_TYPE_CPA' &&
      goesOn(one) &&
      !grouped.has(one.placementGroupId ?? ''),
  )
  expect(paid.length).toBeGreaterThan(0)
  await goToReports()
  await page.getByRole('button', { name: 'Create and run Daily results' }).click()
  await pacing().waitFor()
  await page.getByText(/skipped, because the report doesn’t include the metric (it’s|they’re) booked in\.$/).waitFor()

  const daily = reportOfStarter(starterNamed('daily')!)
  const activities = [...new Set(paid.map(({ pricingSchedule }) => pricingSchedule!.trackingActivityId!))]
  const filters = activities.map((id) => ({ dimensionName: `${prefix}activity`, id, matchType: 'EXACT' }))
  await service.client.call(
    'trafficking.reports.insert',
    { profileId: service.sandbox.ids['profileId']! },
    {
      body: {
        ...daily,
        name: 'Facts with activities',
        criteria: {
          ...(daily['criteria'] as JsonObject),
          activities: { filters, metricNames: [`${prefix}totalConversions`] },
        },
      } as never,
    },
  )
  await page.keyboard.press('F5')
  await listed(/^Facts with activities/).click()
  await page.getByRole('main').getByRole('button', { name: 'Run', exact: true }).first().click()
  await page.getByRole('grid').waitFor()
  const rows = await newestFileRows(userData)
  await runCommand(page, 'Reports overview')
  await pacing().waitFor()

  const option = await walkTo(/^(?!.*Package)[^]*(behind|ahead) by [\d,]+ conversions?/i)
  const sentence = await option.locator('.sentence').innerText()
  const name = await nameIn(option)
  const record = paid.filter((one) => one.name === name)
  const gaps = record.map((one) => {
    const own = rows.filter((row) => row['Placement ID'] === one.id)
    return Math.round(gapOf(one, sum(own, one, `${one.pricingSchedule!.trackingActivityId}: Total Conversions`)))
  })
  expect(gaps).toContain(gapIn(sentence))
  await option.click()
  await delivery().getByText(sentence, { exact: true }).waitFor()
  await page.getByRole('heading', { name, level: 3 }).waitFor()
})

it('a package sums all its placements, and a roadblock uses its primary one', async () => {
  const { page } = app
  const rows = await newestFileRows(userData)
  const heads: Record<string, string> = {
    PRICING_TYPE_CPM: 'Impressions',
    PRICING_TYPE_FLAT_RATE_IMPRESSIONS: 'Impressions',
    PRICING_TYPE_CPC: 'Clicks',
    PRICING_TYPE_CPM_ACTIVEVIEW: 'Active View: Viewable Impressions',
  }
  for (const type of ['PLACEMENT_PACKAGE', 'PLACEMENT_ROADBLOCK']) {
    const known = groups.filter(
      (one) => one.placementGroupType === type && goesOn(one) && heads[one.pricingSchedule!.pricingType],
    )
    await goToReports()
    await runCommand(page, 'Reports overview')
    const names = new Set(known.map(({ name }) => name))
    const escaped = [...names].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
    const option = await walkTo(new RegExp(`(?:${escaped})\\s*Package[^]*(?:behind|ahead) by`, 'i'))
    const name = await nameIn(option)
    const sentence = await option.locator('.sentence').innerText()
    const gaps = known
      .filter((one) => one.name === name)
      .map((group) => {
        const children = placements.filter(({ placementGroupId }) => placementGroupId === group.id)
        const counted =
          type === 'PLACEMENT_PACKAGE' ? children : children.filter(({ id }) => id === group.primaryPlacementId)
        const ids = new Set(counted.map(({ id }) => id))
        const own = rows.filter((row) => ids.has(row['Placement ID']!))
        return Math.round(gapOf(group, sum(own, group, heads[group.pricingSchedule!.pricingType]!)))
      })
    expect(gaps).toContain(gapIn(sentence))
    await option.click()
    await page.getByRole('heading', { name, level: 3 }).waitFor()
    await delivery().getByText(sentence, { exact: true }).waitFor()
  }
})

it('lists of campaigns and placements can show what the latest results say they delivered', async () => {
  const { page } = app
  const rows = await newestFileRows(userData)
  const campaignOf = new Map(placements.map(({ id, campaignId }) => [id, campaignId!]))
  const totals = (ownerOf: (id: string) => string): Map<string, number> => {
    const found = new Map<string, number>()
    for (const row of rows.filter((one) => day(one['Date']!) <= asOf)) {
      const owner = ownerOf(row['Placement ID']!)
      found.set(owner, (found.get(owner) ?? 0) + Number(row['Impressions']))
    }
    return found
  }
  for (const [kind, expected] of [
    ['Placements', totals((id) => id)],
    ['Campaigns', totals((id) => campaignOf.get(id)!)],
  ] as const) {
    await runCommand(page, `Campaigns: ${kind}`)
    const grid = page.getByRole('grid', { name: kind })
    await grid.waitFor()
    await runCommand(page, 'Choose columns…')
    const dialog = page.getByRole('dialog', { name: `Columns of ${kind.toLowerCase()}` })
    await dialog.getByRole('checkbox', { name: 'Impressions' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const head = grid.getByRole('columnheader', { name: 'Impressions' })
    for (const order of ['ascending', 'descending']) {
      await head.getByRole('button').first().click()
      await expect.poll(() => head.getAttribute('aria-sort')).toBe(order)
    }
    const column = await head.getAttribute('aria-colindex')
    const first = grid.locator(`[aria-rowindex="2"] [aria-colindex="${column}"]`)
    const most = Math.max(...expected.values())
    await expect.poll(() => first.innerText()).toBe(most.toLocaleString('en'))
    const note = (): Promise<string | null> => head.locator('[title]').first().getAttribute('title')
    await expect.poll(note).toMatch(/ – Tue 9 Jun.*, from the latest results/)
  }
})

it('a list of placements shows and sorts their pacing', async () => {
  const { page } = app
  await runCommand(page, 'Campaigns: Placements')
  const grid = page.getByRole('grid', { name: 'Placements' })
  await grid.waitFor()
  await runCommand(page, 'Choose columns…')
  const dialog = page.getByRole('dialog', { name: 'Columns of placements' })
  for (const name of ['Pacing', 'Plan %']) await dialog.getByRole('checkbox', { name, exact: true }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const headOf = (name: string): Locator => grid.getByRole('columnheader', { name, exact: true })
  const share = headOf('Plan %')
  const firstOf = async (name: string): Promise<Locator> =>
    grid.locator(`[aria-rowindex="2"] [aria-colindex="${await headOf(name).getAttribute('aria-colindex')}"]`)
  const percent = await firstOf('Plan %')
  const sortBy = async (order: string): Promise<void> => {
    await share.getByRole('button').first().click()
    await expect.poll(() => share.getAttribute('aria-sort')).toBe(order)
  }
  await sortBy('ascending')
  await expect.poll(() => percent.innerText()).toMatch(/^\d+$/)
  const least = Number(await percent.innerText())
  await sortBy('descending')
  await expect.poll(async () => Number(await percent.innerText())).toBeGreaterThan(least)
  const first = await firstOf('Pacing')
  const words = await first.innerText()
  expect(pacingStates.map((state) => pacingStateWords[state])).toContain(words)
  await expect.poll(() => first.getAttribute('title')).toMatch(new RegExp(`^${words}.* [\\d,]+ `))
  // Those that can't be judged come last, with the reason.
  await first.click()
  await page.keyboard.press('Control+End')
  const column = await headOf('Pacing').getAttribute('aria-colindex')
  const blank = grid.locator(`[role=gridcell][aria-colindex="${column}"]`).filter({ hasText: /^–$/ }).first()
  await expect.poll(() => blank.getAttribute('title')).toMatch(/^(No goal|The goal is|Priced by|Priced by conversions)/)
})

it("a search report's row leads to its campaign, and a cell without a record says so", async () => {
  const { page } = app
  const building = new ReportBuilding(page)
  await goToReports()
  await building.beginSearch('Search campaigns', service.sandbox.ids['agencyId']!)
  for (const words of ['campaign id', 'impressions']) await building.addByKeys('Columns', words)
  await page.getByText('Ready to run').waitFor()
  await page.keyboard.press('Control+Enter')
  // Focus is on the visible run.
  const run = page.getByRole('list', { name: 'Runs' }).getByRole('listitem').first()
  await expect.poll(() => run.evaluate((one) => one === document.activeElement).catch(() => false)).toBe(true)
  await run.getByText('Complete').waitFor()
  await page.keyboard.press('g')
  const grid = page.getByRole('grid', { name: 'Search campaigns' })
  await grid.waitFor()
  await grid.focus()
  const columnHeads = grid.getByRole('columnheader')
  await columnHeads.filter({ hasText: /^\s*campaignId\s*$/ }).waitFor()
  const heads = await columnHeads.allInnerTexts()
  const at = heads.findIndex((head) => head.trim() === 'campaignId')
  for (let step = 0; step < at; step++) await page.keyboard.press('ArrowRight')
  const cell = grid.locator(`[data-row="0"] > [aria-colindex="${at + 1}"]`).filter({ hasText: /^\s*\d+\s*$/ })
  const id = (await cell.innerText()).trim()
  const { body } = await service.client.call('trafficking.campaigns.get', {
    profileId: service.sandbox.ids['profileId']!,
    id,
  })
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await messages(page).getByText('Nothing to open for impr').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await page.getByRole('main', { name: 'Campaigns' }).waitFor()
  await page.getByRole('heading', { name: body.name!, level: 3 }).waitFor()
})
