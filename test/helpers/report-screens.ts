import type { Page } from 'playwright-core'

/** Shows all runs of all reports. */
export async function showAllRuns(page: Page): Promise<void> {
  await page.keyboard.press('Control+4')
  await page.getByRole('main', { name: 'Reports' }).waitFor()
  await chooseInList(page, 'All runs')
}

/** Shows changes and pacing. Runs the report first if needed. */
export async function showOverview(page: Page): Promise<void> {
  await page.keyboard.press('Control+4')
  await page.getByRole('main', { name: 'Reports' }).waitFor()
  await chooseInList(page, 'Overview')
  const said = page.getByRole('heading', { level: 2, name: /anomal/ })
  const bring = page.getByRole('button', { name: /^(Create and run|Run) Daily results$/ })
  await said.or(bring).first().waitFor()
  if ((await bring.count()) > 0) await bring.click()
  await said.waitFor()
}

async function chooseInList(page: Page, name: string | RegExp): Promise<void> {
  const item = page.getByLabel('Reports sidebar').getByRole('button', { name })
  // Without enough room, the list opens as an overlay.
  const closed = page.getByRole('button', { name: 'Show sidebar' })
  await item.or(closed).first().waitFor()
  if ((await closed.count()) > 0) await page.keyboard.press('Control+b')
  await item.click()
  await page.getByRole('dialog', { name: 'Reports sidebar' }).waitFor({ state: 'detached' })
}

/** Shows a demo report's results with a chart. Runs it first if needed. */
export async function showResults(page: Page): Promise<void> {
  await showReport(page, 'Results')
  const grid = page.getByRole('grid')
  const file = page.getByRole('toolbar', { name: /^Table options for/ })
  const none = page.getByText('No results yet').first()
  await file.or(none).first().waitFor()
  if ((await file.count()) === 0) await page.keyboard.press('Control+Enter')
  await grid.waitFor()
  const closed = page.getByRole('button', { name: 'Show chart' })
  const chart = page.getByRole('region', { name: /^Chart of/ }).getByRole('application')
  await closed.or(chart).first().waitFor()
  if ((await closed.count()) > 0) await closed.click()
  await chart.waitFor()
}

/** Shows the options of a manual export. */
export async function showExport(page: Page): Promise<void> {
  await showResults(page)
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+e')
  await page.getByRole('dialog', { name: 'Export these results' }).waitFor()
}

/** Shows the automatic export of a report. */
export async function showAutomaticExport(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await showReport(page, 'Results')
  await page.getByRole('button', { name: 'Report actions' }).click()
  await page.getByRole('menuitem', { name: 'Export after each run…' }).click()
  await page.getByRole('dialog', { name: 'Export after each run' }).waitFor()
}

/** Shows one tab of a demo report. */
export async function showReport(page: Page, tab: 'Results' | 'Definition' | 'Runs'): Promise<void> {
  await page.keyboard.press('Control+4')
  await page.getByRole('main', { name: 'Reports' }).waitFor()
  await chooseInList(page, /^Sites by week/)
  await page.getByRole('heading', { name: /^Sites by week/, level: 1 }).waitFor()
  const side = page.getByRole('radiogroup', { name: 'Report view' }).getByRole('radio', { name: tab })
  await side.check()
}

const searchParts = ['Accounts', 'Saved columns', 'Conversions', 'Availability', 'ID mapping'] as const

/** Shows one part of search ads without known accounts. */
export async function showSearchAds(page: Page, part: (typeof searchParts)[number]): Promise<void> {
  await page.keyboard.press('Control+5')
  await page.getByRole('main', { name: 'Search ads' }).waitFor()
  await page.getByRole('radiogroup', { name: 'Search ads view' }).getByRole('radio', { name: part }).check()
}

/** The states of the Reports view and how to reach them. */
export const reportScreens: readonly (readonly [name: string, show: (page: Page) => Promise<unknown>])[] = [
  ['reports, overview', showOverview],
  ['reports, all runs', showAllRuns],
  ['reports, results with a chart', showResults],
  ['reports, definition', (page) => showReport(page, 'Definition')],
  ['reports, runs', (page) => showReport(page, 'Runs')],
  ...searchParts.map((part): [string, (page: Page) => Promise<void>] => [
    `search ads, ${part.toLowerCase()}`,
    (page) => showSearchAds(page, part),
  ]),
]
