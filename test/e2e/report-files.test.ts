import { AxeBuilder } from '@axe-core/playwright'
import { mkdir, mkdtemp, readdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { clockFromMoment } from '../helpers/moment'
import { atRest } from '../helpers/page'
import { showReport } from '../helpers/report-screens'
import { startService, type TestService } from '../helpers/service'

// People choose where files of reports are kept and how many, and the folder goes away and comes back.

const clock = clockFromMoment()
let service: TestService
let userData: string
let home: string
let app: RunningApp

beforeAll(async () => {
  service = await startService({ seed: 'demo', now: clock.now })
  await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
  userData = await mkdtemp(join(tmpdir(), 'flightplan-report-files-'))
  home = await mkdtemp(join(tmpdir(), 'flightplan-chosen-'))
  await open()
})
afterAll(async () => {
  await app.close()
  await service.stop()
})
async function open(): Promise<void> {
  const { baseUrl, token } = service.sandbox
  app = await launchApp({ userData, clock, service: { baseUrl, token } })
  await app.page.getByRole('main').waitFor()
}
/** What the system's dialog answers: there is nobody to use it. */
async function chosen(folder: string): Promise<void> {
  await app.electron.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, folder)
}
const until = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000, interval: 50 })
const reportsIn = async (folder: string): Promise<number> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('report.csv')).length
/** In light and in dark, once nothing fades any more. */
async function accessible(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme })
    await atRest(app.page)
    const { violations } = await new AxeBuilder({ page: app.page }).setLegacyMode().analyze()
    expect(violations.map(({ id, nodes }) => [colorScheme, id, nodes[0]?.html])).toEqual([])
  }
}
const press = (keys: string): Promise<void> => app.page.keyboard.press(keys)
const runs = (): Locator => app.page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
const settings = (): Locator => app.page.getByRole('main', { name: 'Settings' })
/** By the palette, from wherever. */
async function showSetting(): Promise<void> {
  await press('Control+k')
  await app.page.getByRole('combobox', { name: 'Search and commands' }).fill('Where report files are kept')
  await app.page.getByRole('option', { name: /^Where report files are kept/ }).waitFor()
  await press('Enter')
  await settings().getByText('Files of reports', { exact: true }).waitFor()
}
/** The list of runs stays shown, also once there is a file. */
async function showRuns(): Promise<void> {
  await showReport(app.page, 'Runs')
  await press('r')
}

it('files of reports go to a folder that is chosen by keys, and are read there', async () => {
  await showRuns()
  for (let at = 1; at <= 4; at++) {
    await press('Control+Enter')
    await until(async () => expect(await runs().getByText('Kept', { exact: true }).count()).toBe(at))
  }
  expect(await reportsIn(join(userData, 'reports'))).toBe(4)
  await showSetting()
  await settings().getByText(join(userData, 'reports')).waitFor()
  const disk = join(home, 'disk')
  await mkdir(disk)
  await writeFile(join(disk, 'letter.txt'), 'Dear')
  await chosen(disk)
  await settings().getByRole('button', { name: 'Change folder…' }).press('Enter')
  const kept = join(disk, 'Flightplan reports')
  await settings().getByText(`${kept} · 4 files`).waitFor()
  expect([await reportsIn(kept), await reportsIn(join(userData, 'reports'))]).toEqual([4, 0])
  await showReport(app.page, 'Figures')
  await app.page.getByRole('grid').waitFor()
})

it('a folder that cannot be used is refused in words', async () => {
  await showSetting()
  await chosen(userData)
  await settings().getByRole('button', { name: 'Change folder…' }).click()
  await settings()
    .getByText('Flightplan keeps its own data in that folder. Choose another one, outside of it.')
    .waitFor()
  expect(await reportsIn(join(home, 'disk'))).toBe(4)
})

it('fewer files say how many go, and come back', async () => {
  const number = settings().getByRole('combobox', { name: 'Files kept of each report' })
  const pick = async (name: string): Promise<void> => {
    await number.click()
    await app.page.getByRole('option', { name, exact: true }).click()
  }
  await pick('3 files')
  const dialog = app.page.getByRole('dialog', { name: 'Keep 3 files of each report?' })
  await dialog.getByText(/^1 older file goes from this computer/).waitFor()
  await accessible()
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await until(async () => expect(await number.inputValue()).toBe('10 files'))
  await pick('3 files')
  await dialog.getByRole('button', { name: 'Delete 1 file' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await app.page.getByText('1 file is deleted from this computer').waitFor()
  await until(async () => expect(await number.inputValue()).toBe('3 files'))
  await app.page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => expect(await number.inputValue()).toBe('10 files'))
  await showRuns()
  await until(async () => expect(await runs().getByText('Kept', { exact: true }).count()).toBe(4))
})

it('a disk that is away leaves the runs listed and new files waiting, through a kill', async () => {
  await rename(join(home, 'disk'), join(home, 'unplugged'))
  await app.kill()
  await open()
  await showRuns()
  const main = app.page.getByRole('main', { name: 'Reports' })
  const away = `The folder ${join(home, 'disk', 'Flightplan reports')} is not there.`
  await main.getByText(away, { exact: true }).waitFor()
  expect(await runs().count()).toBe(4)
  await press('Control+Enter')
  await runs().filter({ hasText: 'The folder of its file cannot be used now.' }).first().waitFor()
  await accessible()
  await main.getByRole('button', { name: 'Look again' }).press('Enter')
  await main.getByText(away, { exact: true }).waitFor()
  expect(await readdir(home)).toEqual(['unplugged'])
  await rename(join(home, 'unplugged'), join(home, 'disk'))
  await main.getByRole('button', { name: 'Look again' }).click()
  await main.getByText(away, { exact: true }).waitFor({ state: 'detached' })
  await until(async () => expect(await reportsIn(join(home, 'disk'))).toBe(5))
  await until(async () => expect(await runs().getByRole('button', { name: 'Show in folder' }).count()).toBe(5))
})

it('another folder may be chosen while the disk is away: what is there comes over later', async () => {
  await rename(join(home, 'disk'), join(home, 'unplugged'))
  await app.close()
  await open()
  await showRuns()
  const main = app.page.getByRole('main', { name: 'Reports' })
  const other = join(home, 'other')
  await mkdir(other)
  await chosen(other)
  await main.getByRole('button', { name: 'Choose another…' }).click()
  await main.getByRole('button', { name: 'Choose another…' }).waitFor({ state: 'detached' })
  await press('Control+Enter')
  await until(async () => expect(await reportsIn(other)).toBe(1))
  await rename(join(home, 'unplugged'), join(home, 'disk'))
  await app.close()
  await open()
  await until(async () => expect([await reportsIn(other), await reportsIn(join(home, 'disk'))]).toEqual([6, 0]))
  await showSetting()
  await settings().getByText(`${other} · 6 files`).waitFor()
  await settings().getByRole('button', { name: 'Back to the usual folder' }).click()
  await until(async () => expect([await reportsIn(other), await reportsIn(join(userData, 'reports'))]).toEqual([0, 6]))
  expect(await readdir(other)).toEqual([])
})
