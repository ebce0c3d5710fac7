import { mkdtemp, readFile, readdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { folderForFile, serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { clockFromMoment } from '../helpers/moment'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const userData = folderForFile('flightplan-export-rules-')
let saveTo: string
let app: AppPage

beforeAll(async () => {
  await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
})
afterAll(() => app.close())

const open = async (): Promise<void> => {
  saveTo = await mkdtemp(join(tmpdir(), 'flightplan-exports-'))
  const { baseUrl, token } = service.sandbox
  app = await openApp({ userData, clock, service: { baseUrl, token }, args: ['--save-to', saveTo] })
}
const main = (): Locator => app.page.getByRole('main', { name: 'Reports' })
async function showReport(): Promise<void> {
  const { page } = app
  await page.getByRole('main').waitFor()
  await page.keyboard.press('Control+4')
  await main().waitFor()
  await page
    .getByRole('list', { name: 'Reports' })
    .getByRole('button', { name: /^Delivery by campaign/ })
    .click()
  await page.getByRole('heading', { name: /^Delivery by campaign/, level: 1 }).waitFor()
}
const openRule = async (): Promise<Locator> => {
  await app.page.getByRole('button', { name: 'Report actions' }).click()
  await app.page.getByRole('menuitem', { name: 'Export after each run…' }).click()
  return app.page.getByRole('dialog', { name: 'Export after each run' })
}
const files = async (folder: string): Promise<string[]> => (await readdir(folder)).sort()
const rules = async (): Promise<{ folder: string; ends: string[] }> => {
  const text = await readFile(join(userData, 'reports', 'sandbox', 'export-rules.json'), 'utf8')
  const [one] = (JSON.parse(text) as { rules: { rule: { folder: string }; exports: { how: string }[] }[] }).rules
  return { folder: one!.rule.folder, ends: one!.exports.map(({ how }) => how) }
}

it('an automatic export created by keyboard exports the next run under the name shown', async () => {
  await open()
  await showReport()
  const { page } = app
  const dialog = await openRule()
  await dialog.getByRole('button', { name: 'Export after each run' }).click()
  await dialog.getByText('Choose a folder', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Choose a folder…' }).press('Enter')
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Folder' }).inputValue()).toBe(saveTo)
  const name = dialog.getByRole('textbox', { name: 'File name' })
  await name.fill('{reprot}')
  await dialog.getByText('{reprot} isn’t a placeholder.').waitFor()
  await name.fill('{account}: {report}')
  const example = await dialog.locator('.example b').innerText()
  await name.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await files(saveTo)).toEqual([])

  await page.keyboard.press('Control+Enter')
  await vi.waitFor(async () => expect(await files(saveTo)).toEqual([example]), { timeout: 60_000, interval: 50 })
  await page.keyboard.press('r')
  await page.getByRole('list', { name: 'Runs' }).getByRole('button', { name: example }).waitFor()
})

it('an export to a missing folder waits through a kill until you choose another', async () => {
  const gone = saveTo
  await rename(saveTo, `${saveTo}-away`)
  await app.page.keyboard.press('Control+Enter')
  await vi.waitFor(async () => expect((await rules()).ends).toEqual(['written', 'waits']), {
    timeout: 60_000,
    interval: 50,
  })
  await main().getByText('Couldn’t write 1 export').waitFor()
  // The table below shrinks instead of scrolling out of sight.
  await app.page.keyboard.press('g')
  await main().getByRole('gridcell').first().waitFor()
  const pane = main().locator('.pane')
  await expect.poll(() => pane.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
  await app.kill()

  await open()
  await showReport()
  const { page } = app
  await main().getByText(`Can’t find the folder ${gone}.`).first().waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await main().getByText('Couldn’t write 1 export').waitFor()
  await page.getByRole('button', { name: 'Change folder…' }).click()
  await main().getByText('Couldn’t write 1 export').waitFor({ state: 'detached' })
  expect(await rules()).toEqual({ folder: saveTo, ends: ['written', 'written'] })
  expect(await files(saveTo)).toEqual(await files(`${gone}-away`))
})

it('deleting an automatic export keeps its files and stops exporting', async () => {
  const dialog = await openRule()
  await dialog.getByRole('button', { name: 'Stop exporting' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await files(saveTo)).toHaveLength(1)
  const text = await readFile(join(userData, 'reports', 'sandbox', 'export-rules.json'), 'utf8')
  expect(JSON.parse(text)).toEqual({ version: 1, rules: [] })
})
