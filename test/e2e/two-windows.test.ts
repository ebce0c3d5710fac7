import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { downloadAdvertiser } from '../helpers/campaign-download'
import { folderForFile } from '../helpers/for-file'
import { showPlacements } from '../helpers/many-placements'
import { dismissMessages, messages, nothingPending, pasteText, quickAdd, runCommand } from '../helpers/page'
import { pdfPages } from '../helpers/pdf-pages'

let app: RunningApp
const saveTo = folderForFile('flightplan-windows-')
afterEach(() => app.kill())

/** Opens another window by its command. */
async function openWindow(from: Page): Promise<Page> {
  const opened = app.electron.waitForEvent('window')
  await runCommand(from, 'New window')
  const page = await opened
  await page.getByRole('grid').first().waitFor()
  await page.evaluate('globalThis.__name ??= (named) => named')
  return page
}

const items =
  (page: Page): (() => Promise<string[]>) =>
  () =>
    page
      .getByRole('button', { name: /^Made/ })
      .allInnerTexts()
      .then((texts) => texts.map((text) => text.split('\n')[0]!).sort())

/** Closes a window as its close button does. */
const closeWindow = (page: Page): Promise<void> =>
  app.electron.browserWindow(page).then((window) => window.evaluate((one) => one.close()))
const shownWindows = (): Promise<number> =>
  app.electron.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows().filter((window) => window.isVisible()).length,
  )

async function launch(userData?: string, args: string[] = []): Promise<Page> {
  app = await launchApp({ args: ['--seed', 'empty', ...args], ...(userData && { userData }) })
  await app.page.getByRole('grid').first().waitFor()
  return app.page
}

it('two windows edit one account, the first closes, and everything is there after a restart, once', async () => {
  const first = await launch()
  await nothingPending(first)
  await first.evaluate(() => window.flightplan.ask('network/offline', { offline: true }))
  const other = await openWindow(first)
  await quickAdd(other, 'Made there today 10:00')
  await first.getByText('Made there').first().waitFor()
  await quickAdd(first, 'Made here today 12:00')
  await other.getByText('Made here').first().waitFor()
  await other.keyboard.press('Control+z')
  await expect.poll(items(first)).toEqual(['Made there'])
  await other.keyboard.press('Control+Shift+z')
  await expect.poll(items(first)).toEqual(['Made here', 'Made there'])

  await closeWindow(first)
  await expect.poll(shownWindows).toBe(1)
  await quickAdd(other, 'Made alone today 14:00')
  const { electron, userData } = app
  const exited = new Promise<void>((done) => electron.process().once('exit', () => done()))
  // The last window that's open: closing it quits, as it does with one window.
  await closeWindow(other)
  await exited

  const again = await launch(userData)
  await expect.poll(items(again)).toEqual(['Made alone', 'Made here', 'Made there'])
  await again.evaluate(() => window.flightplan.ask('network/offline', { offline: false }))
  await nothingPending(again)
  await expect.poll(items(again)).toEqual(['Made alone', 'Made here', 'Made there'])
})

it('after the page of the first window crashed, the other one goes on', async () => {
  const first = await launch()
  await nothingPending(first)
  const other = await openWindow(first)
  await quickAdd(other, 'Made one today 10:00')
  await first.getByText('Made one').first().waitFor()
  const crashed = first.waitForEvent('crash')
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .sort((a, b) => a.id - b.id)[0]!
      .webContents.forcefullyCrashRenderer(),
  )
  await crashed
  // While the first page loads, edits fail.
  const add = async (): Promise<string> => {
    await dismissMessages(other)
    await quickAdd(other, 'Made two today 12:00')
    return messages(other).getByText('Made two').first().innerText()
  }
  await expect.poll(add).toContain('created')
  await nothingPending(other)
  await expect.poll(items(other)).toEqual(['Made one', 'Made two'])
})

it('a form says that its event was changed in the other window', async () => {
  const first = await launch()
  await quickAdd(first, 'Made tea today 10:00')
  await nothingPending(first)
  const other = await openWindow(first)
  const titles = await Promise.all(
    [first, other].map(async (page) => {
      await page
        .getByRole('button', { name: /^Made tea/ })
        .first()
        .focus()
      await page.keyboard.press('e')
      return page.getByRole('complementary', { name: 'Edit event' }).getByRole('textbox', { name: 'Title' })
    }),
  )
  const [here, there] = [titles[0]!, titles[1]!]
  await here.fill('Made coffee')
  await there.fill('Made cocoa')
  await there.press('Control+Enter')
  const form = first.getByRole('complementary', { name: 'Edit event' })
  await form.getByText('The title changed to “Made cocoa” since you typed this').waitFor()
  await expect.poll(() => here.inputValue()).toBe('Made coffee')
  await form.getByRole('button', { name: 'Use current value' }).click()
  await expect.poll(() => here.inputValue()).toBe('Made cocoa')
})

it('campaigns are edited in one window while the other shows the calendar', async () => {
  app = await launchApp()
  const { page: first } = app
  await nothingPending(first)
  const other = await openWindow(first)
  await downloadAdvertiser(other)
  await showPlacements(other)
  const grid = other.getByRole('grid', { name: 'Placements', exact: true })
  await grid.focus()
  await other.keyboard.press('Control+Home')
  await pasteText(other, 'Renamed there\nRenamed there, too')
  await first.getByText('2 unposted drafts').waitFor()
  await first.keyboard.press('Control+z')
  await other.getByText('2 unposted drafts').waitFor({ state: 'detached' })
  await expect.poll(() => grid.getByText(/^Renamed there/).count()).toBe(0)

  await runCommand(first, 'Theme: dark')
  const theme = (page: Page): Promise<string | undefined> =>
    page.evaluate(() => document.documentElement.dataset['theme'])
  await expect.poll(() => theme(other)).toBe('dark')
  // Neither jumped to the view of the other.
  await first.getByRole('main', { name: 'Calendar' }).waitFor()
  await grid.waitFor()

  // What's being typed is saved when its window closes.
  await other.keyboard.press('Control+2')
  await other.getByRole('main', { name: 'Tasks' }).waitFor()
  await other.keyboard.press('t')
  const field = other.getByRole('textbox', { name: 'New task' })
  await field.fill('Order ink')
  await field.press('Enter')
  await other.getByRole('row', { name: /^Order ink/ }).click()
  await other.keyboard.press('F2')
  await other.getByRole('textbox', { name: 'Title' }).first().fill('Order black ink')
  await closeWindow(other)
  await expect.poll(() => app.electron.windows().length).toBe(1)
  await first.keyboard.press('Control+2')
  await first.getByRole('main', { name: 'Tasks' }).waitFor()
  await first.keyboard.press('t')
  await first.getByRole('row', { name: /^Order black ink/ }).waitFor()
})

it('the next start opens the windows that were open, where they were, and each prints its own view', async () => {
  const first = await launch()
  await nothingPending(first)
  const other = await openWindow(first)
  await other.keyboard.press('Control+2')
  await other.getByRole('main', { name: 'Tasks' }).waitFor()
  const bounds = { x: 120, y: 90, width: 900, height: 640 }
  await app.electron.browserWindow(other).then((window) => window.evaluate((one, to) => one.setBounds(to), bounds))
  const { userData } = app
  await app.close()

  await launch(userData, ['--save-to', saveTo])
  await expect.poll(() => app.electron.windows().length).toBe(2)
  const again = app.electron.windows().find((page) => page !== app.page)!
  await again.getByRole('main', { name: 'Tasks' }).waitFor()
  const reopened = await app.electron.browserWindow(again)
  expect(await reopened.evaluate((one) => one.getBounds())).toEqual(bounds)
  await app.page.getByRole('main', { name: 'Calendar' }).waitFor()

  await again.evaluate('globalThis.__name ??= (named) => named')
  await again.keyboard.press('t')
  await again.getByRole('textbox', { name: 'New task' }).fill('Order paper')
  await again.keyboard.press('Enter')
  await again.getByRole('row', { name: /^Order paper/ }).waitFor()
  await runCommand(again, 'Print as PDF')
  const printed = async (): Promise<string[]> =>
    (await readdir(saveTo)).filter((name) => /^[^.].*\.pdf$/.test(name)).map((name) => join(saveTo, name))
  await expect.poll(printed).toHaveLength(1)
  expect((await pdfPages((await printed())[0]!)).join(' ')).toContain('Order paper')

  // Closed windows stay closed.
  await closeWindow(again)
  await expect.poll(() => app.electron.windows().length).toBe(1)
  await app.close()
  await launch(userData)
  await nothingPending(app.page)
  expect(app.electron.windows()).toHaveLength(1)
})

it('windows open again after a crash, and after quitting before they were shown', async () => {
  const first = await launch()
  const { userData } = app
  const stored = (): Promise<unknown[]> =>
    readFile(join(userData, 'windows.json'), 'utf8').then((text) => JSON.parse(text) as unknown[])
  await openWindow(first)
  await expect.poll(() => stored().catch(() => [])).toHaveLength(1)
  await app.kill()
  app = await launchApp({ args: ['--seed', 'empty'], userData })
  await expect.poll(() => app.electron.windows().length).toBe(2)
  await app.close()
  expect(await stored()).toHaveLength(1)
})
