import { readdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'

interface Tour {
  page: Page
  /** Files are saved there. */
  folder: string
  picture: (name: string) => Promise<void>
}

/** Creates and runs a report, charts and exports its results, then runs it for other days and compares the runs. */
export async function reports({ page, folder, picture }: Tour): Promise<void> {
  const title = 'Delivery for the client'
  const tab = (name: string): Promise<void> => page.getByRole('radio', { name, exact: true }).check()
  const grid = page.getByRole('grid', { name: title })
  const chart = page.getByRole('region', { name: /^Chart of/ })

  async function setDays(words: string): Promise<void> {
    const days = page.getByRole('combobox', { name: 'Date range' })
    await days.click()
    await page.getByRole('option', { name: words }).click()
  }
  /** Runs the report, and waits until that many results are downloaded and the newest one is displayed. */
  async function run(files: number): Promise<void> {
    await page.keyboard.press('Control+Enter')
    await tab('Runs')
    const kept = page.getByRole('list', { name: 'Runs' }).getByRole('listitem').filter({ hasText: 'Complete' })
    await kept.nth(files - 1).waitFor()
    await tab('Results')
    await grid.getByRole('row').nth(1).waitFor()
  }

  await page.keyboard.press('Control+4')
  await page.getByRole('main', { name: 'Reports' }).waitFor()
  await page.getByRole('button', { name: 'New report' }).click()
  await page
    .getByRole('menuitem', { name: /^New report/ })
    .first()
    .click()
  await page
    .getByRole('region', { name: 'Templates' })
    .getByRole('button', { name: /^Delivery by campaign/ })
    .click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill(title)
  await name.press('Tab')
  await page.getByRole('heading', { name: title }).waitFor()
  await setDays('Previous month')
  await page.getByText('These fields are compatible.').waitFor()
  await picture('report-builder')

  await run(1)
  await picture('report-results')
  await grid.focus()
  await page.keyboard.press('h')
  await chart.locator('svg').first().waitFor()
  await picture('report-chart')
  for (const [words, ending] of [
    ['CSV (plain)…', '.csv'],
    ['Workbook (.xlsx)…', '.xlsx'],
    ['JSON…', '.json'],
    ['PDF, A4…', '.pdf'],
  ] as const) {
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: words, exact: true }).click()
    // Files get their names when they are complete.
    while (!(await readdir(folder)).some((file) => file.startsWith(title) && file.endsWith(ending)))
      await page.waitForTimeout(50)
  }
  await page.keyboard.press('h')

  await tab('Definition')
  await setDays('Last 30 days')
  await run(2)
  await page.getByRole('button', { name: 'Report actions' }).click()
  await page
    .getByRole('menuitem', { name: /^Compare with/ })
    .first()
    .click()
  await page
    .getByRole('grid', { name: `${title}, compared` })
    .getByRole('row')
    .nth(1)
    .waitFor()
  await picture('report-compared')
  await page.getByRole('button', { name: 'Show chart' }).click()
  await chart.locator('svg').first().waitFor()
  await picture('report-compared-chart')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture('dark-report')
  await page.emulateMedia({ colorScheme: 'light' })
}
