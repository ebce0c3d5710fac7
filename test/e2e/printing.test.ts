import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { clockFromMoment } from '../helpers/moment'
import { nothingPending, runCommand } from '../helpers/page'
import { pdfPages } from '../helpers/pdf-pages'
import { promptReports, type PromptReports } from '../helpers/prompt-reports'
import { newestFileRows } from '../helpers/report-file'
import { showResults } from '../helpers/report-screens'
import { folderForFile } from '../helpers/for-file'

let reports: PromptReports<RunningApp>
const saveTo = folderForFile('flightplan-paper-')
let app: RunningApp

beforeAll(async () => {
  reports = await promptReports(clockFromMoment(), launchApp)
  app = await reports.open({ args: ['--save-to', saveTo], size: { width: 1280, height: 800 } })
})
afterAll(async () => {
  await app?.close()
  await reports?.service.stop()
})

/** The pages of a print job, once complete. */
async function printed(print: () => Promise<void>): Promise<string[]> {
  for (const name of await readdir(saveTo)) await rm(join(saveTo, name))
  const made = async (): Promise<string[]> => (await readdir(saveTo)).filter((name) => /^[^.].*\.pdf$/.test(name))
  await print()
  await expect.poll(made, { timeout: 60_000 }).toHaveLength(1)
  return pdfPages(join(saveTo, (await made())[0]!))
}
const toFile = (): Promise<void> => runCommand(app.page, 'Print as PDF')

it('a task list prints without the open task, which would be an empty page', async () => {
  const { page } = app
  await nothingPending(page)
  await page.keyboard.press('Control+2')
  await page.getByRole('main', { name: 'Tasks' }).waitFor()
  await page.getByLabel('Tasks sidebar').getByText('Home', { exact: true }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.getByRole('treegrid').first().getByRole('row').first().waitFor()
  const [alone] = await printed(toFile)
  await page.getByRole('treegrid').first().getByRole('row').first().click()
  await page.getByRole('complementary', { name: 'Task', exact: true }).waitFor()
  expect(await printed(toFile)).toEqual([alone])
})

it('results print in full from the palette and by shortcut, including rows out of view', async () => {
  const { page } = app
  await showResults(page)
  const rows = await newestFileRows(reports.userData)
  const grid = page.getByRole('grid')
  await expect.poll(() => grid.locator('[data-row]').count()).toBeLessThan(rows.length)
  await grid.focus()
  const byKey = await printed(() => page.keyboard.press('Control+p'))
  expect(byKey.length).toBeGreaterThan(1)
  const fromPalette = await printed(toFile)
  expect(fromPalette).toEqual(byKey)
  const words = fromPalette.join(' ')
  for (const row of rows) expect(words).toContain(Object.values(row)[0]!)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('Print')
  await page.getByRole('option', { name: /^Print results as PDF/ }).waitFor()
  await expect.poll(() => page.getByRole('option', { name: /^Print…/ }).count()).toBe(0)
})
