import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { usualClock } from '../helpers/moment'
import { atRest, messages, runCommand } from '../helpers/page'
import { helpPages } from '../../src-renderer/app/help/pages'

let app: AppPage
const dialog = () => app.page.getByRole('dialog', { name: 'Help' })
const article = () => dialog().getByRole('article')
const title = () => article().getByRole('heading', { level: 3 })

beforeAll(async () => {
  app = await openApp({ clock: usualClock(), args: ['--seed', 'empty'] })
  await app.page.getByRole('navigation', { name: 'Views' }).waitFor()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

it('opens by its key, shows every page, and follows links between them', async () => {
  const { page } = app
  await page.keyboard.press('Shift+F1')
  const nav = dialog().getByRole('navigation', { name: 'Help pages' })
  for (const { title: name } of helpPages) {
    await nav.getByRole('button', { name, exact: true }).press('Enter')
    await expect.poll(() => title().innerText()).toBe(name)
    expect((await article().innerText()).length).toBeGreaterThan(200)
  }
  await nav.getByRole('button', { name: 'Getting started' }).click()
  await article().getByRole('button', { name: 'Sync' }).click()
  await expect.poll(() => title().innerText()).toBe('Sync and working offline')
  await expect.poll(() => nav.locator('[aria-current=page]').innerText()).toBe('Sync and working offline')
})

it('opens at a page from the palette, and from the settings', async () => {
  const { page } = app
  await runCommand(page, 'Help: Reliability')
  await expect.poll(() => title().innerText()).toBe('Reliability')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+,')
  await page.getByRole('button', { name: 'This computer' }).click()
  await page.getByRole('button', { name: 'Open help' }).click()
  await dialog().waitFor()
})

it('lists the shortcuts of the view first, and finds one by words or keys', async () => {
  const { page } = app
  for (const key of ['Control+1', 'F1']) await page.keyboard.press(key)
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const groups = sheet.getByRole('heading', { level: 3 })
  await expect.poll(() => groups.allInnerTexts()).toEqual(expect.arrayContaining(['Selected event', 'General']))
  const names = await groups.allInnerTexts()
  expect(names.indexOf('Selected event')).toBeLessThan(names.indexOf('General'))
  await page.keyboard.type('height increase')
  await expect.poll(() => sheet.getByRole('term').allInnerTexts()).toEqual(['Increase hour height'])
  await sheet.getByRole('searchbox', { name: 'Find a shortcut' }).fill('shift+f1')
  await expect.poll(() => sheet.getByRole('term').allInnerTexts()).toEqual(['Help'])
  await sheet.getByRole('searchbox', { name: 'Find a shortcut' }).fill('teleport')
  await sheet.getByText('No shortcut matches “teleport”.').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
})

it('fits a small window, and is accessible in both themes', async () => {
  const { page } = app
  await app.resize({ width: 640, height: 480 })
  await runCommand(page, 'Help: The report command')
  await atRest(page)
  const overflow = await dialog().evaluate((box) => {
    const { right, bottom } = box.getBoundingClientRect()
    return { right: right <= innerWidth, bottom: bottom <= innerHeight }
  })
  expect(overflow).toEqual({ right: true, bottom: true })
  expect((await article().boundingBox())!.height).toBeGreaterThan(150)
  expect(await violationsByTheme(page)).toEqual([])
})

it('shows the diagnostics file before it saves exactly that', async () => {
  const { page, shell } = app
  await runCommand(page, 'Save diagnostics')
  const file = page.getByRole('dialog', { name: 'Save diagnostics' })
  const text = file.getByLabel('Diagnostics')
  await text.getByText('Flightplan diagnostics').waitFor()
  const shown = (await text.textContent())!
  expect(shown).toContain('Pending changes')
  expect(shown).toContain('"what":"account","account":0,"kind":"sandbox"')
  await atRest(page)
  expect(await violationsByTheme(page)).toEqual([])
  shell.answers = { save: undefined }
  const save = file.getByRole('button', { name: 'Save…', disabled: false })
  await save.click()
  // Canceled.
  await save.waitFor()
  shell.answers = { save: join(await mkdtemp(join(tmpdir(), 'flightplan-diagnostics-')), 'mine') }
  await save.click()
  await file.waitFor({ state: 'detached' })
  await messages(page).getByText('Saved').first().waitFor()
  await messages(page).getByRole('button', { name: 'Show in folder' }).click()
  await expect.poll(() => shell.revealed).toEqual([`${shell.answers.save}.txt`])
  expect(await readFile(shell.revealed[0]!, 'utf8')).toBe(shown)
})

it('saves pending changes as a file from the settings', async () => {
  const { page, shell } = app
  await page.keyboard.press('Control+,')
  shell.answers = { save: join(await mkdtemp(join(tmpdir(), 'flightplan-pending-')), 'mine.json') }
  await page.getByRole('button', { name: /^Export pending changes/ }).click()
  await messages(page).getByText('Saved 0 pending changes').waitFor()
  expect(JSON.parse(await readFile(shell.answers.save!, 'utf8'))).toMatchObject({ changes: [], damagedLines: [] })
})

it('the details of an account say how each service is doing', async () => {
  const { page } = app
  await page.keyboard.press('Control+,')
  await page.getByText('Details', { exact: true }).click()
  const services = page.getByLabel('Health of Sample data').getByRole('definition')
  await expect
    .poll(() => services.allInnerTexts())
    .toEqual([
      expect.stringMatching(/^No pending changes · Synced /),
      expect.stringMatching(/^No pending changes · Synced /),
      expect.stringMatching(/^No pending changes · Synced /),
    ])
})

it('a build without an update server shows its version and nothing about updates', async () => {
  const { page } = app
  await page.keyboard.press('Control+,')
  const about = page.getByRole('region', { name: 'About and updates' })
  await about.getByText('0.1.0').waitFor()
  await about.getByRole('button', { name: 'Save diagnostics…' }).waitFor()
  await expect.poll(() => about.getByText('Check now').count()).toBe(0)
  await expect.poll(() => about.getByText('automatically').count()).toBe(0)
})

it('starts in safe mode without the last view and unsaved forms, and says so', async () => {
  const { page, userData } = app
  await page.keyboard.press('Control+2')
  await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
  await page.evaluate(() => localStorage.setItem('flightplan.half-typed', 'mine'))
  await app.close()
  const stored = (of: AppPage) => of.page.evaluate(() => localStorage.getItem('flightplan.half-typed'))

  const safe = await openApp({ userData, args: ['--seed', 'empty', '--safe-mode'] })
  const note = safe.page.getByRole('status').filter({ hasText: 'Flightplan is in safe mode' })
  await note.waitFor()
  const views = safe.page.getByRole('navigation', { name: 'Views' })
  await expect.poll(() => views.locator('[aria-current=page]').innerText()).toBe('Calendar')
  expect(await stored(safe)).toBeNull()
  await note.getByRole('button', { name: 'Restart normally' }).click()
  await expect.poll(() => safe.shell.restarts).toBe(1)
  await safe.close()

  app = await openApp({ userData, args: ['--seed', 'empty'] })
  await app.page.getByRole('navigation', { name: 'Views' }).waitFor()
  await expect.poll(() => app.page.getByText('Flightplan is in safe mode').count()).toBe(0)
  expect(await stored(app)).toBe('mine')
})
