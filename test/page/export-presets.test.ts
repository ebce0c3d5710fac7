import { readFile, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openApp, type AppPage } from '../helpers/app-page'
import { clockFromMoment } from '../helpers/moment'
import { promptReports, type PromptReports } from '../helpers/prompt-reports'
import { showResults } from '../helpers/report-screens'
import { folderForFile } from '../helpers/for-file'

let reports: PromptReports<AppPage>
const saveTo = folderForFile('flightplan-preset-files-')
let app: AppPage

beforeAll(async () => {
  reports = await promptReports(clockFromMoment(), openApp)
  await open()
})
afterAll(async () => {
  await app?.close()
  await reports?.service.stop()
})
async function open(): Promise<void> {
  app = await reports.open({ args: ['--save-to', saveTo] })
  await showResults(app.page)
}
const dialog = (): Locator => app.page.getByRole('dialog', { name: 'Export these results' })
const files = async (): Promise<string[]> => (await readdir(saveTo)).sort()
const until = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000, interval: 50 })
const untilFiles = (count: number): Promise<string[]> =>
  until(async () => {
    const found = (await files()).filter((name) => !name.startsWith('.'))
    expect(found).toHaveLength(count)
    return found
  })
const press = (keys: string): Promise<void> => app.page.keyboard.press(keys)

it('a preset saved by keyboard exports under the name shown, and adds a second file on repeat', async () => {
  await press('Control+e')
  await dialog().getByRole('combobox', { name: 'Format' }).fill('CSV (plain)')
  await press('Enter')
  await dialog().getByRole('button', { name: 'Choose a folder…' }).press('Enter')
  await until(async () => expect(await dialog().getByLabel('Folder', { exact: true }).inputValue()).toBe(saveTo))
  const name = dialog().getByRole('textbox', { name: 'File name', exact: true })
  await name.fill('{acount}')
  await dialog().getByText('{acount} isn’t a placeholder.').waitFor()
  await name.fill('{account}: {report}')
  const example = await dialog().locator('.example b').innerText()
  await dialog().getByRole('textbox', { name: 'Preset name' }).fill('To the share')
  await press('Enter')
  await dialog().getByRole('combobox', { name: 'Preset' }).waitFor()
  expect(await files()).toEqual([])
  await dialog().getByRole('button', { name: 'Export', exact: true }).press('Enter')
  await dialog().waitFor({ state: 'detached' })
  expect(await untilFiles(1)).toEqual([example])

  await press('Control+Shift+e')
  const again = example.replace('.csv', ' (2).csv')
  expect(await untilFiles(2)).toEqual([again, example].sort())
  expect(await readFile(join(saveTo, again))).toEqual(await readFile(join(saveTo, example)))
  await app.page.getByRole('button', { name: 'Show in folder' }).waitFor()
})

it('survives a restart, and two fast presses write two files', async () => {
  await app.close()
  await open()
  await press('Control+Shift+e')
  await press('Control+Shift+e')
  expect((await untilFiles(4)).map((name) => /\((\d)\)/.exec(name)?.[1] ?? '1').sort()).toEqual(['1', '2', '3', '4'])
})

it('asks for another folder when its folder is missing', async () => {
  await rename(saveTo, `${saveTo}-away`)
  await press('Control+Shift+e')
  await dialog().getByText(`Can’t find the folder ${saveTo}.`).waitFor()
  await rename(`${saveTo}-away`, saveTo)
  await dialog().getByRole('button', { name: 'Export', exact: true }).press('Enter')
  await dialog().waitFor({ state: 'detached' })
  await untilFiles(5)
})

it('appears in the palette and shortcuts, and can be renamed and deleted with undo', async () => {
  const { page } = app
  await press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Repeat last export of these results').waitFor()
  await press('Escape')
  await press('Control+e')
  const name = dialog().getByRole('textbox', { name: 'Preset name' })
  await name.fill('To nobody')
  await dialog().getByRole('button', { name: 'Save changes' }).press('Enter')
  await until(async () =>
    expect(await dialog().getByRole('combobox', { name: 'Preset' }).inputValue()).toBe('To nobody'),
  )
  const isNamed = () => name.evaluate((input) => input === document.activeElement)
  await until(async () => expect(await isNamed()).toBe(true))
  const remove = dialog().getByRole('button', { name: 'Delete preset' })
  // No longer busy.
  await until(async () => expect(await remove.isEnabled()).toBe(true))
  await remove.press('Enter')
  await dialog().getByRole('combobox', { name: 'Preset' }).waitFor({ state: 'detached' })
  await until(async () => expect(await isNamed()).toBe(true))
  await press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('with preset To nobody')
  await page.getByRole('option', { name: /^Export .*To nobody/, selected: true }).waitFor()
  await press('Enter')
  await untilFiles(6)
})

it('repeats the last export with one-time changes', async () => {
  await press('Control+e')
  await expect.poll(() => dialog().getByRole('combobox', { name: 'Preset' }).inputValue()).toBe('To nobody')
  await dialog().getByRole('combobox', { name: 'Format' }).fill('JSON')
  await press('Enter')
  await dialog().getByRole('button', { name: 'Export', exact: true }).press('Enter')
  await dialog().waitFor({ state: 'detached' })
  await untilFiles(7)
  await press('Control+Shift+e')
  expect((await untilFiles(8)).filter((name) => name.endsWith('.json'))).toHaveLength(2)
})

it('several reports export to one folder by keyboard, and one without a file is named', async () => {
  const { page } = app
  const before = await files()
  const list = page.getByRole('list', { name: 'Reports' })
  const item = (name: RegExp): Locator => list.getByRole('button', { name })
  await item(/^Sites by week/).focus()
  await press('Shift+ArrowUp')
  await page.getByText('2 reports selected').first().waitFor()
  await item(/^Delivery by campaign/).focus()
  await press('Control+Space')
  await press('Control+Space')
  await until(async () => expect(await list.getByRole('button', { pressed: true }).count()).toBe(2))
  await press('Control+e')
  const many = page.getByRole('dialog', { name: 'Export 2 reports' })
  await many.getByText('Skipped: Reach by campaign').waitFor()
  await many.getByRole('button', { name: 'Export 1 file' }).press('Enter')
  const ended = page.getByRole('dialog', { name: '1 of 2 reports exported' })
  await ended.getByText('No results on this computer').waitFor()
  const name = await ended.getByRole('list').getByRole('button').innerText()
  expect((await files()).filter((one) => !before.includes(one))).toEqual([name])
  await ended.getByRole('button', { name: 'Close', exact: true }).last().press('Enter')
  await ended.waitFor({ state: 'detached' })
  await item(/^Sites by week/).focus()
  await press('Escape')
  await until(async () => expect(await list.getByRole('button', { pressed: true }).count()).toBe(0))
  await item(/^Sites by week/).click({ modifiers: ['Control'] })
  await item(/^Conversions by activity/).click({ modifiers: ['Shift'] })
  await until(async () => expect(await list.getByRole('button', { pressed: true }).count()).toBe(5))
})
