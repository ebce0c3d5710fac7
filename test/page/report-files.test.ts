import { cp, mkdir, mkdtemp, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { clockFromMoment } from '../helpers/moment'
import { promptReports, type PromptReports } from '../helpers/prompt-reports'
import { showReport } from '../helpers/report-screens'
import { folderForFile } from '../helpers/for-file'
import { messages } from '../helpers/page'
import { outer } from '../helpers/ring'

// You choose the folder for report files and how many to keep, and the folder disappears and returns.

let reports: PromptReports<AppPage>
let userData: string
const home = folderForFile('flightplan-chosen-')
let app: AppPage

beforeAll(async () => {
  reports = await promptReports(clockFromMoment(), openApp)
  userData = reports.userData
  await open()
})
afterAll(async () => {
  await app?.close()
  await reports?.service.stop()
})
async function open(): Promise<void> {
  app = await reports.open()
}
/** The system dialog's result, since no one is there to use it. */
function chosen(folder: string): void {
  app.shell.answers.folder = folder
}
const until = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000, interval: 50 })
const reportsIn = async (folder: string): Promise<number> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('report.csv')).length
const accessible = async (within: Locator): Promise<void> =>
  expect(await violationsByTheme(app.page, { within })).toEqual([])
const press = (keys: string): Promise<void> => app.page.keyboard.press(keys)
const runs = (): Locator => app.page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
const settings = (): Locator => app.page.getByRole('main', { name: 'Settings' })
/** From the palette, which works in any view. */
async function showSetting(): Promise<void> {
  await press('Control+k')
  await app.page.getByRole('combobox', { name: 'Search and commands' }).fill('Report file settings')
  await app.page.getByRole('option', { name: /^Settings: This computer/ }).waitFor()
  await press('Enter')
  await settings().getByText('Report files', { exact: true }).waitFor()
}
/** The list of runs stays open, even once there's a file. */
async function showRuns(): Promise<void> {
  await showReport(app.page, 'Runs')
  await press('r')
}

it('report files go to a folder chosen by keyboard and open from there', async () => {
  await showRuns()
  for (let at = 1; at <= 4; at++) {
    await press('Control+Enter')
    await until(async () => expect(await runs().getByText('Complete', { exact: true }).count()).toBe(at))
  }
  expect(await reportsIn(join(userData, 'reports'))).toBe(4)
  await showSetting()
  await settings().getByText(join(userData, 'reports')).waitFor()
  const disk = join(home, 'disk')
  await mkdir(disk)
  await writeFile(join(disk, 'letter.txt'), 'Dear')
  chosen(disk)
  await settings().getByRole('button', { name: 'Change folder…' }).press('Enter')
  const kept = join(disk, 'Flightplan reports')
  await settings().getByText(`${kept} · 4 files`).waitFor()
  expect([await reportsIn(kept), await reportsIn(join(userData, 'reports'))]).toEqual([4, 0])
  await showReport(app.page, 'Results')
  await app.page.getByRole('grid').waitFor()
})

it('an unusable folder is rejected with a readable reason', async () => {
  await showSetting()
  chosen(userData)
  await settings().getByRole('button', { name: 'Change folder…' }).click()
  await settings().getByText('That folder contains Flightplan’s own data. Choose another folder.').waitFor()
  expect(await reportsIn(join(home, 'disk'))).toBe(4)
})

it('lowering the limit says how many runs it deletes, and undo restores them', async () => {
  const number = settings().getByRole('combobox', { name: 'Files to keep per report' })
  const pick = async (name: string): Promise<void> => {
    await number.click()
    await app.page.getByRole('option', { name, exact: true }).click()
  }
  await pick('3 files')
  const dialog = app.page.getByRole('dialog', { name: 'Keep 3 files per report?' })
  await dialog.getByText(/^This deletes 1 older file/).waitFor()
  await accessible(dialog)
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await until(async () => expect(await number.inputValue()).toBe('10 files'))
  await pick('3 files')
  await dialog.getByRole('button', { name: 'Delete 1 file' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await messages(app.page).getByText('Deleted 1 file from this computer').waitFor()
  await until(async () => expect(await number.inputValue()).toBe('3 files'))
  await app.page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => expect(await number.inputValue()).toBe('10 files'))
  await showRuns()
  await until(async () => expect(await runs().getByText('Complete', { exact: true }).count()).toBe(4))
})

it('several runs export, pin, and delete together, by keyboard and mouse', async () => {
  const { page } = app
  const picked = (count: number): Promise<void> =>
    until(async () => expect(await runs().getByRole('checkbox', { checked: true }).count()).toBe(count))
  const bar = page.getByRole('toolbar', { name: 'Actions for selected runs' })
  const words = (at: number): Locator =>
    runs()
      .nth(at)
      .getByText(/ rows? · /)
  const pickTwo = async (): Promise<void> => {
    await showRuns()
    await runs().first().getByRole('checkbox').focus()
    await press('Space')
    await press('Shift+ArrowDown')
    await picked(2)
  }
  await pickTwo()
  await bar.getByRole('button', { name: 'Compare' }).press('Enter')
  await page.getByRole('button', { name: 'Stop comparing' }).press('Enter')
  await pickTwo()
  await until(async () => expect(await page.getByTestId('announcements').innerText()).toMatch(/2 runs selected$/))
  await accessible(page.getByRole('main', { name: 'Reports' }))

  const folder = await mkdtemp(join(tmpdir(), 'flightplan-exported-'))
  chosen(folder)
  await press('Control+e')
  const many = page.getByRole('dialog', { name: 'Export 2 runs' })
  await many.getByRole('button', { name: 'Choose a folder…' }).press('Enter')
  await until(async () => expect(await many.getByLabel('Folder', { exact: true }).inputValue()).toBe(folder))
  await many.getByRole('button', { name: 'Export 2 files' }).press('Enter')
  const ended = page.getByRole('dialog', { name: '2 of 2 runs exported' })
  await ended.waitFor()
  const names = await ended.getByRole('list').getByRole('button').allInnerTexts()
  expect((await readdir(folder)).sort()).toEqual(names.sort())
  await ended.getByRole('button', { name: 'Close', exact: true }).last().press('Enter')
  await ended.waitFor({ state: 'detached' })

  const pinned = runs().getByRole('button', { name: 'Unpin run' })
  await bar.getByRole('button', { name: 'Pin', exact: true }).press('Enter')
  await until(async () => expect(await pinned.count()).toBe(2))
  await bar.getByRole('button', { name: 'Unpin', exact: true }).press('Enter')
  await until(async () => expect(await pinned.count()).toBe(0))
  await press('Escape')
  await bar.waitFor({ state: 'detached' })

  await words(1).click()
  await picked(1)
  await words(3).click({ modifiers: ['Shift'] })
  await picked(3)
  await words(2).click({ modifiers: ['Control'] })
  await picked(2)
  const stays = await runs().nth(2).getAttribute('data-run')
  await press('Delete')
  await messages(page).getByText('Deleted 2 runs').waitFor()
  await until(async () => expect(await runs().count()).toBe(2))
  // Focus moves to the next remaining run.
  const focusedRun = (): Promise<unknown> =>
    page.evaluate(() => document.activeElement?.closest('[data-run]')?.getAttribute('data-run'))
  await until(async () => expect(await focusedRun()).toBe(stays))
  expect(await reportsIn(join(home, 'disk'))).toBe(4)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => expect(await runs().getByText('Complete', { exact: true }).count()).toBe(4))
  await press('Control+a')
  await picked(4)
  await runs().last().getByRole('checkbox').press('Control+Space')
  await picked(3)
})

it('a disconnected disk keeps runs listed and new files pending, through a kill', async () => {
  await rename(join(home, 'disk'), join(home, 'unplugged'))
  await app.kill()
  await open()
  await showRuns()
  const main = app.page.getByRole('main', { name: 'Reports' })
  const away = `Can’t find the folder ${join(home, 'disk', 'Flightplan reports')}.`
  await main.getByText(away, { exact: true }).waitFor()
  await expect.poll(() => runs().count()).toBe(4)
  await press('Control+Enter')
  await runs().filter({ hasText: 'The report files folder isn’t available.' }).first().waitFor()
  await accessible(main)
  await main.getByRole('button', { name: 'Check again' }).press('Enter')
  await main.getByText(away, { exact: true }).waitFor()
  expect(await readdir(home)).toEqual(['unplugged'])
  await rename(join(home, 'unplugged'), join(home, 'disk'))
  // The app also checks on its own and may have found it before the button was clicked.
  await main
    .getByRole('button', { name: 'Check again' })
    .click({ timeout: 2_000 })
    .catch(() => undefined)
  await main.getByText(away, { exact: true }).waitFor({ state: 'detached' })
  await until(async () => expect(await reportsIn(join(home, 'disk'))).toBe(5))
  await until(async () => expect(await runs().getByRole('button', { name: 'Show in folder' }).count()).toBe(5))
})

it('choosing another folder while the disk is disconnected moves the files later', async () => {
  await rename(join(home, 'disk'), join(home, 'unplugged'))
  await app.close()
  await open()
  await showRuns()
  const main = app.page.getByRole('main', { name: 'Reports' })
  const other = join(home, 'other')
  await mkdir(other)
  chosen(other)
  await main.getByRole('button', { name: 'Change folder…' }).click()
  await main.getByRole('button', { name: 'Change folder…' }).waitFor({ state: 'detached' })
  await press('Control+Enter')
  await until(async () => expect(await reportsIn(other)).toBe(1))
  await rename(join(home, 'unplugged'), join(home, 'disk'))
  await app.close()
  await open()
  await until(async () => expect([await reportsIn(other), await reportsIn(join(home, 'disk'))]).toEqual([6, 0]))
  await showSetting()
  await settings().getByText(`${other} · 6 files`).waitFor()
  await settings().getByRole('button', { name: 'Use default folder' }).click()
  await until(async () => expect([await reportsIn(other), await reportsIn(join(userData, 'reports'))]).toEqual([0, 6]))
  await until(async () => expect(await readdir(other)).toEqual([]))
})

// A list of 1,001 runs takes long to open.
if (outer)
  it('exporting too many runs at once is rejected first', async () => {
    await app.close()
    const account = join(userData, 'reports', 'sandbox')
    const [id] = (await readdir(account)).filter((name) => /^\d{14}-/.test(name))
    const run = JSON.parse(await readFile(join(account, id!, 'run.json'), 'utf8')) as Record<string, unknown>
    for (let at = (await readdir(account)).filter((name) => /^\d{14}-/.test(name)).length; at < 1_001; at++) {
      const copy = `${id!.slice(0, 15)}${String(at).padStart(8, '0')}`
      await cp(join(account, id!), join(account, copy), { recursive: true })
      await writeFile(join(account, copy, 'run.json'), JSON.stringify({ ...run, id: copy, pinned: true }))
    }
    await open()
    await showRuns()
    // Counting repeatedly checks each of them every time.
    await runs().nth(1_000).waitFor()
    await expect.poll(() => runs().count()).toBe(1_001)
    await press('Control+a')
    await press('Control+e')
    const many = app.page.getByRole('dialog', { name: 'Export 1,001 runs' })
    await many.getByText('Can’t export 1,001 files at once').waitFor()
    await many.getByText('The limit is 1,000 files per export.').waitFor()
    await expect.poll(() => many.getByRole('button', { name: /^Export 1,001 files/ }).isDisabled()).toBe(true)
    await press('Escape')
    await many.waitFor({ state: 'detached' })
    await runs().first().getByRole('checkbox').press('Control+Space')
    await press('Control+e')
    const fewer = app.page.getByRole('dialog', { name: 'Export 1,000 runs' })
    await expect.poll(() => fewer.getByRole('button', { name: 'Export 1,000 files' }).isEnabled()).toBe(true)
  })
