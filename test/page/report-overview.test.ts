import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { folderForFile, serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { violations, violationsByTheme } from '../helpers/axe'
import { allBooked, asOf, day } from '../helpers/booked'
import { holdAsks } from '../helpers/held-asks'
import { usualClock } from '../helpers/moment'
import { runCommand, workOffline } from '../helpers/page'
import { pdfPages } from '../helpers/pdf-pages'
import { newestFileRows } from '../helpers/report-file'
import { drawn } from '../helpers/ring'

const clock = usualClock()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const userData = folderForFile('flightplan-overview-')
const saveTo = folderForFile('flightplan-overview-paper-')
let app: AppPage

beforeAll(async () => {
  const { baseUrl, token } = service.sandbox
  const args = ['--save-to', saveTo]
  app = await openApp({ userData, clock, service: { baseUrl, token }, args, size: { width: 1280, height: 800 } })
  await app.page.getByRole('grid').first().waitFor()
})
afterAll(() => app?.close())

const goToReports = async (): Promise<void> => {
  await app.page.keyboard.press('Control+4')
  await app.page.getByRole('main', { name: 'Reports' }).waitFor()
}
const pacing = (): Locator => app.page.getByRole('listbox', { name: /^Pacing/ })
const headline = (): Promise<string> => app.page.getByRole('heading', { level: 2, name: /behind/ }).innerText()

/** Rows of the file behind the overview. */
const fileRows = (): Promise<Record<string, string>[]> => newestFileRows(userData)

const sum = (rows: readonly Record<string, string>[], head: string): number =>
  rows.reduce((all, row) => all + Number(row[head]), 0)

it('one button creates and runs the report, also offline, and shows changes from the week before', async () => {
  const { page } = app
  await goToReports()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await workOffline(page)
  await page.getByRole('button', { name: 'Create and run Daily results' }).click()
  await page.getByRole('main').getByText('Waiting for the report’s changes to be sent').waitFor()
  // Nothing moves until it's sent.
  await expect.poll(() => page.getByRole('main').getByRole('progressbar').count()).toBe(0)
  await workOffline(page)
  // It offers the placements where they are missed.
  await page.getByRole('heading', { name: 'Placements aren’t downloaded' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Download…' }).click()
  const choice = page.getByRole('dialog', { name: 'Choose what to download' })
  await choice.getByText('Everything', { exact: true }).click()
  await choice.getByRole('button', { name: /^Download/ }).click()
  await pacing().waitFor()
  await expect.poll(() => page.getByText(/aren’t downloaded, so their goals are unknown/).count()).toBe(0)
  // Money at risk is in the account's currency.
  await expect.poll(() => pacing().getByRole('option').first().locator('.money').innerText()).toMatch(/^€[\d,]+\.\d\d/)

  const rows = await fileRows()
  const mean = (until: number): number =>
    sum(
      rows.filter((row) => day(row['Date']!) > until - 7 && day(row['Date']!) <= until),
      'Impressions',
    )
  const change = (mean(asOf) / mean(asOf - 7) - 1) * 100
  expect(Math.abs(change)).toBeGreaterThan(2)
  const [behind] = /\d+ behind/.exec(await headline())!
  expect(await headline()).toMatch(
    new RegExp(`^Delivery ${change > 0 ? 'up' : 'down'} ${Math.abs(change).toFixed(0)}% from the previous week\\. `),
  )
  // The sentence has the list's count.
  const [count] = behind.split(' ')
  await page.getByRole('radio', { name: `Behind ${count}`, exact: true }).check()
  await expect.poll(() => pacing().getByRole('option').first().getAttribute('aria-setsize')).toBe(count)
  // The anomalies' counts match as well: a combined line counts each of its anomalies.
  const anomalies = page.getByRole('region', { name: 'Anomalies', exact: true })
  const lines = await anomalies.getByRole('list').first().locator(':scope > li').allInnerTexts()
  const total = lines.reduce(
    (all, line) => all + Number(/([\d,]+) placements /.exec(line)?.[1]?.replaceAll(',', '') ?? 1),
    0,
  )
  expect(total).toBeGreaterThan(1)
  expect(await headline()).toContain(`, ${total.toLocaleString('en')} anomalies.`)
  await anomalies.getByRole('heading', { name: `Anomalies ${total.toLocaleString('en')}` }).waitFor()
  await page.getByText('Complete through Tue 9 Jun').waitFor()
  await page.getByRole('img', { name: /^Impressions per day from 11 May to 9 Jun/ }).waitFor()
})

it('all pacing rows print, even those out of view, without empty pages', async () => {
  const { page } = app
  await page.getByRole('radio', { name: /^All \d/ }).check()
  const count = Number(await pacing().getByRole('option').first().getAttribute('aria-setsize'))
  await expect.poll(() => pacing().getByRole('option').count()).toBeLessThan(count)
  await runCommand(page, 'Print as PDF')
  const file = await vi.waitFor(
    async () => {
      const made = (await readdir(saveTo)).find((name) => name.endsWith('.pdf') && !name.startsWith('.'))
      expect(made).toBeDefined()
      return made!
    },
    { timeout: 60_000, interval: 50 },
  )
  const pages = await pdfPages(join(saveTo, file))
  expect(pages.filter((words) => words.trim() === '')).toEqual([])
  // Digits are searchable and copyable.
  expect(pages.join(' ')).toContain('Wed 10 Jun')
  expect(pages.join(' ')).not.toContain('\u0000')
  // Each row shows its end date, some of them twice.
  expect(pages.join(' ').match(/\b(?:Ends|Ended|No end)\b/g)!.length).toBeGreaterThanOrEqual(count)
  // The list is unchanged.
  await expect.poll(() => pacing().getByRole('option').count()).toBeLessThan(count)
})

it("a placement's shortfall is its booking minus what the service counted", async () => {
  const rows = await fileRows()
  const columns: Record<string, [head: string, word: string]> = {
    PRICING_TYPE_CPM: ['Impressions', 'impressions'],
    PRICING_TYPE_FLAT_RATE_IMPRESSIONS: ['Impressions', 'impressions'],
    PRICING_TYPE_CPC: ['Clicks', 'clicks'],
    PRICING_TYPE_FLAT_RATE_CLICKS: ['Clicks', 'clicks'],
    PRICING_TYPE_CPM_ACTIVEVIEW: ['Active View: Viewable Impressions', 'viewable impressions'],
  }
  const { profileId = '' } = service.sandbox.ids
  const { body } = await service.client.call('trafficking.campaigns.list', { profileId })
  const { campaigns } = body as unknown as { campaigns: { id: string; name: string }[] }
  const campaignNames = new Map(campaigns.map(({ id, name }) => [id, name]))
  const expected = new Set(
    (await allBooked(service, 'placements')).flatMap(({ id, name, campaignId, archived, pricingSchedule }) => {
      const [head, word] = columns[pricingSchedule?.pricingType ?? ''] ?? []
      if (archived || !head || pricingSchedule!.pricingPeriods.length !== 1) return []
      const { startDate, endDate, units } = pricingSchedule!.pricingPeriods[0]!
      const [from, to] = [day(startDate), day(endDate)]
      if (from > asOf || to <= asOf) return []
      const due = (Number(units) * (asOf - from + 1)) / (to - from + 1)
      const own = rows.filter((row) => row['Placement ID'] === id && day(row['Date']!) >= from)
      const gap = due - sum(own, head)
      return [
        `${name} ${campaignNames.get(campaignId ?? '')}: behind by ${Math.round(gap).toLocaleString('en')} ${word}`,
      ]
    }),
  )
  const shown = (await pacing().getByRole('option').allInnerTexts())
    .filter((text) => /behind by/i.test(text) && !text.includes('Package'))
    .map((text) => {
      const [name, ...rest] = text.split('\n').filter(Boolean)
      return `${name}: ${/behind by [\d,]+ [a-z ]+(?= \()/i.exec(rest.join(' '))![0].replace(/^B/, 'b')}`
    })
  expect(shown.length).toBeGreaterThan(0)
  for (const one of shown) expect([...expected]).toContain(one)
})

it('a row leads to its record and back', async () => {
  const { page } = app
  const option = pacing()
    .getByRole('option')
    .filter({ hasText: /behind by/i })
    .filter({ hasNotText: 'Package' })
    .first()
  const words = await option.locator('.sentence').innerText()
  const name = await option.locator('.name > span').first().innerText()
  await option.click()
  const delivery = page.getByRole('region', { name: 'Delivery' })
  await delivery.getByText(words, { exact: true }).waitFor()
  await page.getByRole('heading', { name, level: 3 }).waitFor()

  // Pending edits count.
  const field = page.getByRole('article').getByRole('textbox', { name: 'Name', exact: true })
  await field.fill(`${name} (renamed here)`)
  await field.press('Tab')
  await delivery.getByRole('button', { name: 'Show placement results' }).click()
  const filter = page.getByRole('button', { name: /^Placement ID: \d+$/ })
  await filter.waitFor()
  const id = (await filter.innerText()).replace(/\D/g, '')
  const own = (await fileRows()).filter((row) => row['Placement ID'] === id)
  expect(own.length).toBeGreaterThan(0)
  const total = page.getByRole('grid').getByRole('row').nth(1)
  await total.getByText(sum(own, 'Impressions').toLocaleString('en'), { exact: true }).waitFor()
  await page
    .getByRole('status')
    .getByText(new RegExp(`^${own.length.toLocaleString('en')} of`))
    .waitFor()
  await runCommand(page, 'Reports overview')
  await pacing().getByText(`${name} (renamed here)`, { exact: true }).waitFor()
})

it('columns show statistics, and a metric pivots by one', async () => {
  const { page } = app
  const rows = await fileRows()
  await page
    .getByRole('list', { name: 'Reports' })
    .getByRole('button', { name: /^Daily results/ })
    .click()
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.getByText('Data from 8 Jun onward may still change').waitFor()
  const heads = await grid.getByRole('columnheader').allInnerTexts()
  for (let at = 0; at < heads.indexOf('Impressions'); at++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('i')
  const dialog = page.getByRole('dialog', { name: 'Statistics of Impressions' })
  const impressions = rows.map((row) => Number(row['Impressions'])).sort((a, b) => a - b)
  const line = (name: string): Locator => dialog.locator('dl > div').filter({ hasText: new RegExp(`^${name}`) })
  await line('Rows').getByText(rows.length.toLocaleString('en'), { exact: true }).waitFor()
  await line('Maximum').getByText(impressions.at(-1)!.toLocaleString('en'), { exact: true }).waitFor()
  await line('Distinct values').getByText(new Set(impressions).size.toLocaleString('en'), { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const bySite = new Map<string, number>()
  for (const { Site = '' } of rows) bySite.set(Site, (bySite.get(Site) ?? 0) + 1)
  const [site, count] = [...bySite].sort((a, b) => b[1] - a[1])[0]!
  const head = grid.getByRole('columnheader', { name: /^Site\b(?! ID)/ }).first()
  await head.hover()
  await head.getByRole('button', { name: 'Statistics of Site', exact: true }).click()
  const often = page.getByRole('list', { name: 'Most frequent' }).getByRole('listitem').first()
  await often.getByText(`${count.toLocaleString('en')} rows`, { exact: true }).waitFor()
  await often.getByRole('button').click()
  await page
    .getByRole('status')
    .getByText(new RegExp(`^${count.toLocaleString('en')} of`))
    .waitFor()

  await page.getByRole('button', { name: /^Group by/ }).click()
  await page.getByRole('menuitem', { name: 'Campaign', exact: true }).click()
  await page.getByRole('button', { name: /^Pivot by/ }).click()
  const isEverEmpty = await grid.evaluateHandle((node) => {
    const seen = { empty: false }
    new MutationObserver(() => {
      const cell = node.querySelector('[data-row="0"] > [role="gridcell"]')
      if (cell && !cell.textContent) seen.empty = true
    }).observe(node, { childList: true, subtree: true, characterData: true })
    return seen
  })
  await page.getByRole('menuitem', { name: 'Date', exact: true }).click()
  await grid.getByRole('columnheader', { name: /^2026-06-09/ }).waitFor()
  const own = rows.filter((row) => row['Site'] === site)
  const days = [...new Set(own.map((row) => row['Date']!))].sort()
  const shown = (await grid.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
  expect(shown).toEqual(['Campaign', 'Impressions', ...days])
  const cell = (row: Locator, column: string): Promise<string> =>
    row.locator(`[aria-colindex="${shown.indexOf(column) + 1}"]`).innerText()
  const first = grid.locator('[data-row="0"]')
  const campaign = await cell(first, 'Campaign')
  const of = (some: readonly Record<string, string>[]): string => {
    return some.length === 0 ? '–' : sum(some, 'Impressions').toLocaleString('en')
  }
  for (const date of [days[0]!, days.at(-1)!]) {
    const there = own.filter((row) => row['Date'] === date)
    expect(await cell(first, date)).toBe(of(there.filter((row) => row['Campaign'] === campaign)))
    expect(await cell(grid.getByRole('row').nth(1), date)).toBe(of(there))
  }
  expect(await isEverEmpty.evaluate(({ empty }) => empty)).toBe(false)
  await runCommand(page, 'Reports overview')
})

it('periods in one file compare, per day when their lengths differ', async () => {
  const { page } = app
  const rows = await fileRows()
  const impressions = (from: string, to: string): number =>
    sum(
      rows.filter(({ Date: date = '' }) => date >= from && date <= to),
      'Impressions',
    )
  const compare = async (what: RegExp): Promise<void> => {
    await page.getByRole('button', { name: 'Report actions' }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await page
    .getByRole('list', { name: 'Reports' })
    .getByRole('button', { name: /^Daily results/ })
    .click()
  await compare(/^Compare last 7 days/)
  await page.getByText('27 May – 2 Jun vs. 3 – 9 Jun', { exact: true }).waitFor()
  const total = page
    .getByRole('grid', { name: /, compared$/ })
    .getByRole('row')
    .nth(1)
  for (const [from, to] of [
    ['2026-05-27', '2026-06-02'],
    ['2026-06-03', '2026-06-09'],
  ] as const)
    await total.getByText(impressions(from, to).toLocaleString('en'), { exact: true }).first().waitFor()

  // The dates of the last comparison aren’t those of the next.
  const open = await holdAsks(page, 'results/open')
  await compare(/^Compare this month/)
  await expect.poll(() => page.getByText('27 May – 2 Jun vs. 3 – 9 Jun', { exact: true }).count()).toBe(0)
  await open()
  await page.getByText(/ · daily averages, 31 vs\. 9 days$/).waitFor()
  const shows = (perDay: number): Promise<void> =>
    expect
      .poll(async () => (await total.innerText()).replaceAll(',', '').split(/\s+/).map(Number))
      .toSatisfy((shown: number[]) => shown.some((one) => Math.abs(one - perDay) < 0.011))
  await shows(impressions('2026-06-01', '2026-06-09') / 9)
  await expect.poll(() => page.getByText('Rows don’t match').count()).toBe(0)

  await page.getByRole('button', { name: 'Choose dates…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare dates' })
  const fill = (name: string, words: string): Promise<void> => dialog.getByRole('textbox', { name }).fill(words)
  const done = dialog.getByRole('button', { name: 'Compare', exact: true })
  await fill('Earlier dates: first day', '2026-05-20')
  await fill('Earlier dates: last day', '2026-05-19')
  await page.keyboard.press('Enter')
  await dialog.getByRole('status').getByText('The last day is before the first', { exact: true }).waitFor()
  await expect.poll(() => done.isDisabled()).toBe(true)
  await fill('Earlier dates: last day', '2026-05-22')
  await fill('Later dates: first day', '2026-06-01')
  await fill('Later dates: last day', '2026-06-05')
  await page.keyboard.press('Enter')
  await dialog.getByText('20 – 22 May vs. 1 – 5 Jun · daily averages, 3 vs. 5 days').waitFor()
  expect(await violations(page, { within: dialog })).toEqual([])
  await done.click()
  await dialog.waitFor({ state: 'detached' })
  for (const [from, to, days] of [
    ['2026-05-20', '2026-05-22', 3],
    ['2026-06-01', '2026-06-05', 5],
  ] as const)
    await shows(impressions(from, to) / days)
  await page.getByRole('button', { name: 'Stop comparing' }).click()
  await page.getByRole('combobox', { name: 'Run', exact: true }).waitFor()
  await runCommand(page, 'Reports overview')
})

it('everything works offline and by keyboard', async () => {
  const { page } = app
  const before = await headline()
  await workOffline(page)
  await page
    .getByRole('list', { name: 'Reports' })
    .getByRole('button', { name: /^Daily results/ })
    .focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Daily results', level: 1 }).waitFor()
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('o')
  await pacing().waitFor()
  expect(await headline()).toBe(before)
  for (let stop = 0; stop < 60; stop++) {
    if (await pacing().evaluate((one) => one === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('ArrowDown')
  const active = page.locator(`[id="${await pacing().getAttribute('aria-activedescendant')}"]`)
  const words = await active.locator('.sentence').innerText()
  const isPackage = (await active.innerText()).includes('Package')
  await page.keyboard.press('Enter')
  await page.getByRole('main', { name: 'Campaigns' }).waitFor()
  const form = page.getByRole('article').first()
  await form.waitFor()
  if (!isPackage) await form.getByText(words, { exact: true }).waitFor()
  await page.keyboard.press('Alt+ArrowLeft')
  await pacing().waitFor()
  await workOffline(page)
})

it('isn’t marked as shown while a template for a new report is chosen', async () => {
  const { page } = app
  const overview = page.getByRole('button', { name: 'Overview', exact: true })
  await expect.poll(() => overview.getAttribute('aria-current')).toBe('true')
  await page.getByRole('button', { name: 'New report', exact: true }).click()
  await page
    .getByRole('menuitem', { name: /^New report/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Templates' }).waitFor()
  await expect.poll(() => overview.getAttribute('aria-current')).toBeNull()
  await overview.click()
  await pacing().waitFor()
})

it('a report without runs offers to run it', async () => {
  const { page } = app
  await page
    .getByRole('list', { name: 'Reports' })
    .getByRole('button', { name: /^Sites by week/ })
    .click()
  await page.getByText('Run this report to download its results', { exact: false }).waitFor()
  await expect.poll(() => page.getByRole('radio', { name: 'Results' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Overview', exact: true }).click()
  await pacing().waitFor()
})

it('passes the accessibility checks in both themes in a wide and a narrow window', async () => {
  const { page } = app
  for (const width of drawn([1280, 640], 1)) {
    await app.resize({ width, height: 720 })
    await page.waitForFunction((wanted) => innerWidth === wanted, width)
    await pacing().waitFor()
    expect(await violationsByTheme(page)).toEqual([])
    const wide = await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)
    expect(wide).toBeLessThanOrEqual(1)
  }
})
