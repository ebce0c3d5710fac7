import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { folderForFile, serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { holdAsks } from '../helpers/held-asks'
import { keysOnly } from '../helpers/keys-only'
import { clockFromMoment } from '../helpers/moment'
import { atRest, nothingPending } from '../helpers/page'
import { newestFileRows } from '../helpers/report-file'
import { savedText } from '../helpers/saved-file'

const clock = clockFromMoment()
const name = 'Made by keys'
const service = serviceForFile({ seed: 'demo', now: clock.now })
const saved = folderForFile('flightplan-report-keys-')
const userData = folderForFile('flightplan-report-keys-data-')
let app: AppPage
let page: Page

beforeAll(async () => {
  await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
  const size = { width: 1440, height: 900 }
  app = await openApp({ userData, clock, service: service.sandbox, args: ['--save-to', saved], size })
  page = keysOnly(app.page)
  page.setDefaultTimeout(60_000)
  await nothingPending(page)
})
afterAll(() => app?.close())

const limit = { timeout: 60_000, interval: 50 }
const hasFocus = async (one: Locator): Promise<boolean> =>
  (await one.count()) > 0 && (await one.first().evaluate((element) => element === document.activeElement))
const focused = (): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement
    if (!one || one === document.body) return 'body'
    return (one.getAttribute('aria-label') ?? one.textContent?.trim().slice(0, 60)) || one.tagName
  })
/** Focus must stay somewhere after each step. */
async function settled(): Promise<void> {
  await atRest(app.page)
  await expect.poll(focused, limit).not.toBe('body')
}
async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await settled()
  }
}
const type = (words: string): Promise<void> => page.keyboard.type(words)
const focusOn = (one: Locator): Promise<void> => expect.poll(() => hasFocus(one), limit).toBe(true)
/** Reaches an element by Tab. */
async function tabTo(one: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await one.first().waitFor()
  const passed: string[] = []
  while (!(await hasFocus(one))) {
    expect(passed.length, `Tab passes ${passed.join(' → ')}`).toBeLessThan(120)
    await press(key)
    passed.push(await focused())
  }
}
/** Runs a command by its name. */
async function command(words: string): Promise<void> {
  const palette = page.getByRole('combobox', { name: 'Search and commands' })
  await press('Control+k')
  await focusOn(palette)
  await type(words)
  const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true })
  await found.filter({ hasText: words }).waitFor()
  await press('Enter')
  await palette.waitFor({ state: 'detached' })
  await settled()
}
const chosen = (what: string): Locator =>
  page.getByRole('list', { name: `${what}: selected`, exact: true }).getByRole('listitem')
const grid = (): Locator => page.getByRole('grid')
const runs = (): Locator => page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
const listed = (called: string): Locator =>
  page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: new RegExp(`^${called}`) })
/** Opens a button's menu with Enter and selects an entry with arrows. */
async function takeFromMenu(button: RegExp | string, choice: RegExp | string, key?: 'Shift+Tab'): Promise<void> {
  await tabTo(page.getByRole('button', { name: button }), key)
  await press('Enter')
  const item = page.getByRole('menuitem', { name: choice })
  await item.first().waitFor()
  for (let at = 0; at < 40 && !(await hasFocus(item)); at++) await press('ArrowDown')
  await focusOn(item)
  await press('Enter')
  await item.first().waitFor({ state: 'detached' })
}
const chart = (): Locator => page.getByRole('region', { name: /^Chart of/ })

it('uses only the keyboard', () => {
  expect(() => page.mouse).toThrow('Only keys act here')
  expect(() => page.getByRole('main').first().click()).toThrow('Only keys act here')
})

it('creates a report from a template, completes, and runs it', async () => {
  await press('Control+4')
  await page.getByRole('main', { name: 'Reports' }).waitFor()
  await page.getByRole('list', { name: 'Reports' }).getByText('Sites by week').first().waitFor()
  await press('Control+n')
  await tabTo(page.getByRole('region', { name: 'Templates' }).getByRole('button', { name: /^Blank report/ }))
  await press('Enter')
  const field = page.getByRole('textbox', { name: 'Name', exact: true })
  await focusOn(field)
  await press('Control+a')
  await type(name)
  for (const [to, words] of [
    ['Dimensions', 'Campaign'],
    ['Dimensions', 'Date'],
    ['Metrics', 'Impressions'],
    ['Metrics', 'Clicks'],
  ] as const) {
    await tabTo(page.getByRole('combobox', { name: `Add to ${to}`, exact: true }))
    await press('Control+a')
    await type(words)
    await press('Enter')
    await chosen(to).filter({ hasText: words }).first().waitFor()
    await press('Escape')
  }
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.getByText('Ready to run').waitFor()
  await press('Control+Enter')
  // Focus is on the visible run.
  await focusOn(runs().first())
  await runs().first().getByText('Complete').waitFor()
  await press('g')
  await grid().waitFor()
})

it('navigates a chart by point, announces its values, and exports it', async () => {
  const rows = await newestFileRows(userData)
  const days = [...new Set(rows.map((row) => row['Date']!))].sort()
  expect(days.length).toBeGreaterThan(7)
  const words = (day: string): RegExp => {
    const date = new Date(`${day}T00:00:00Z`)
    const impressions = rows
      .filter((row) => row['Date'] === day)
      .reduce((sum, row) => sum + Number(row['Impressions']), 0)
    const month = date.toLocaleString('en', { month: 'long', timeZone: 'UTC' })
    const changes = day === days.at(-1) || day === days.at(-2) ? ', may still change' : ''
    return new RegExp(
      `^${date.getUTCDate()} ${month}( \\d+)?: ${impressions.toLocaleString('en')} impressions${changes}$`,
    )
  }
  await press('h')
  const drawn = chart().getByRole('application')
  await tabTo(drawn)
  const said = page.getByTestId('announcements').locator('p').last()
  for (const [key, day] of [
    ['Home', days[0]!],
    ['ArrowRight', days[1]!],
    ['End', days.at(-1)!],
    ['ArrowLeft', days.at(-2)!],
    ['ArrowLeft', days.at(-3)!],
  ] as const) {
    await press(key)
    await expect.poll(() => said.innerText(), limit).toMatch(words(day))
  }
  // Keys the chart doesn't use go to the view, also after presets were read.
  for (let time = 0; time < 2; time++) {
    await press('Control+e')
    await page.getByRole('dialog', { name: 'Export this chart' }).waitFor()
    await press('Escape')
    await focusOn(drawn)
  }
})

/** The number in a cell, once its row has arrived. */
const number = async (row: number, column: number): Promise<number> => {
  const cell = grid().locator(`[data-row="${row}"] > [aria-colindex="${column}"]`).filter({ hasText: /\d/ })
  return Number((await cell.innerText()).replaceAll(',', ''))
}

it('sorts, counts, filters, and groups the results', async () => {
  await tabTo(grid())
  const heads = await grid().getByRole('columnheader').allInnerTexts()
  const clicks = heads.findIndex((head) => head.trim() === 'Clicks')
  expect(clicks).toBeGreaterThan(0)
  for (let at = 0; at < clicks; at++) await press('ArrowRight')
  const top = (): Promise<number[]> => Promise.all([0, 1, 2].map((row) => number(row, clicks + 1)))
  const before = await top()
  await press('s')
  await grid().locator('[aria-sort=descending]').getByText('Clicks').waitFor()
  // The header shows the new order before the rows arrive.
  await expect.poll(top).not.toEqual(before)
  const sorted = await top()
  expect(sorted).toEqual([...sorted].sort((a, b) => b - a))

  await press('i')
  await page.getByRole('dialog', { name: 'Statistics of Clicks' }).getByText('Median').waitFor()
  await press('Escape')
  await focusOn(grid())

  await press('/')
  const filter = page.getByRole('dialog', { name: 'Filter rows' })
  await tabTo(filter.getByRole('combobox', { name: 'Column' }))
  await type('Clicks')
  await press('Enter')
  await tabTo(filter.getByRole('textbox', { name: 'From' }))
  await type(String(sorted[1]))
  await press('Enter')
  await filter.waitFor({ state: 'detached' })
  await page
    .getByRole('status')
    .getByText(/^[\d,]+ of [\d,]+ rows$/)
    .waitFor()

  // Counts what is shown, until its groups arrive.
  const group = await holdAsks(app.page, 'results/shape')
  await takeFromMenu(/^Group by/, 'Campaign', 'Shift+Tab')
  await page.getByRole('button', { name: 'Remove grouping by Campaign' }).waitFor()
  await expect
    .poll(
      () =>
        page
          .getByRole('status')
          .getByText(/^[\d,]+ of [\d,]+ rows$/)
          .count(),
      limit,
    )
    .toBe(1)
  await group()
  await page
    .getByRole('status')
    .getByText(/groups?$/)
    .waitFor()
})

it('pivots a metric by a column and back', async () => {
  const heads = async (): Promise<string[]> =>
    (await grid().getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
  const before = await heads()
  await takeFromMenu(/^Pivot by/, 'Date')
  await expect.poll(async () => (await heads()).some((head) => /^\d{4}-\d\d-\d\d$/.test(head)), limit).toBe(true)
  await tabTo(page.getByRole('button', { name: 'Remove pivot by Date' }))
  await press('Enter')
  await expect.poll(heads, limit).toEqual(before)
})

it('exports the results to a file', async () => {
  await tabTo(grid())
  await press('Control+e')
  const dialog = page.getByRole('dialog', { name: 'Export these results' })
  await tabTo(dialog.getByRole('combobox', { name: 'Format' }))
  await press('Control+a')
  await type('CSV (plain)')
  await press('Enter')
  await tabTo(dialog.getByRole('button', { name: 'Export…', exact: true }))
  await press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await savedText(saved, '.csv')).toContain('Clicks')
})

it('exports runs automatically, pins them, and compares them', async () => {
  await takeFromMenu('Report actions', 'Export after each run…', 'Shift+Tab')
  const dialog = page.getByRole('dialog', { name: 'Export after each run' })
  await tabTo(dialog.getByRole('button', { name: 'Choose a folder…' }))
  await press('Enter')
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Folder' }).inputValue(), limit).toBe(saved)
  await tabTo(dialog.getByRole('button', { name: 'Export after each run' }))
  await press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const complete = async (): Promise<number> => (await readdir(saved)).filter((name) => !name.startsWith('.')).length
  const before = await complete()
  await press('Control+Enter')
  await expect.poll(complete, limit).toBe(before + 1)

  await press('r')
  await expect.poll(() => runs().filter({ hasText: 'Complete' }).count(), limit).toBe(2)
  await tabTo(runs().last().getByRole('button', { name: 'Pin run' }))
  await press('Enter')
  await runs().last().getByRole('button', { name: 'Unpin run', pressed: true }).waitFor()

  await press('g')
  await takeFromMenu('Report actions', /^Compare with/, 'Shift+Tab')
  await page.getByRole('grid', { name: /, compared$/ }).waitFor()
  await page.getByText(/ vs\. /).waitFor()
  await page.getByRole('button', { name: 'Remove grouping by Campaign' }).waitFor()
  await tabTo(page.getByRole('button', { name: 'Stop comparing' }))
  await press('Enter')
  await page.getByRole('combobox', { name: 'Run', exact: true }).waitFor()
})

it('duplicates, renames, deletes, and restores the report', async () => {
  await press('Control+d')
  const field = page.getByRole('textbox', { name: 'Name', exact: true })
  await tabTo(field)
  await press('Control+a')
  await type('Renamed by keys')
  await press('Tab')
  await page.getByRole('heading', { name: 'Renamed by keys', level: 1 }).waitFor()
  await listed('Renamed by keys').waitFor()
  await takeFromMenu('Report actions', 'Delete report', 'Shift+Tab')
  await listed('Renamed by keys').waitFor({ state: 'detached' })
  await press('Control+z')
  await listed('Renamed by keys').waitFor()
  await listed(name).waitFor()
})

it('reaches the overview, all runs, and the report again', async () => {
  await press('o')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await command('Show all runs')
  await page.getByRole('heading', { name: 'All runs', level: 1 }).waitFor()
  await page.getByText(name).first().waitFor()

  await press('f')
  await focusOn(page.getByRole('searchbox', { name: 'Find reports' }))
  await tabTo(listed(name))
  await press('Enter')
  await page.getByRole('heading', { name, level: 1 }).waitFor()
})

it('opens the menus of a report, its runs, and its results with Shift+F10', async () => {
  const menu = page.getByRole('menu').first()
  const open = async (label: string | RegExp): Promise<void> => {
    await press('Shift+F10')
    await menu.waitFor()
    await expect.poll(() => menu.getAttribute('aria-label')).toMatch(label)
  }
  const take = async (item: Locator): Promise<void> => {
    while (!(await item.evaluate((one) => one.matches('[data-highlighted]')))) await press('ArrowDown')
    await press('Enter')
    await menu.waitFor({ state: 'detached' })
  }
  const item = (name: string | RegExp): Locator => page.getByRole('menuitem', { name })
  await tabTo(listed(name), 'Shift+Tab')
  await open(name)
  await take(item('Show runs'))
  const run = page.getByRole('list', { name: 'Runs' }).getByRole('checkbox').first()
  await tabTo(run)
  await open(/\d:\d\d/)
  await expect.poll(() => item('Delete from this computer').count()).toBe(1)
  await take(item('Show results'))
  const grid = page.getByRole('grid', { name })
  await tabTo(grid)
  await press('Home')
  await open(/^Campaign: /)
  await take(item(/^Show only “/))
  await page.getByRole('button', { name: /^Remove filter Campaign: / }).waitFor()
})

it('has a shortcut for each part of search ads', async () => {
  await press('Control+5')
  await page.getByRole('main', { name: 'Search ads' }).waitFor()
  const parts = page.getByRole('radiogroup', { name: 'Search ads view' })
  for (const [at, part] of ['Accounts', 'Saved columns', 'Conversions', 'Availability', 'ID mapping'].entries()) {
    await press(String(at + 1))
    await expect.poll(() => parts.getByRole('radio', { name: part }).isChecked(), limit).toBe(true)
  }
})

it('an opened file takes the place of the report, so that keys don’t reach what isn’t shown', async () => {
  const heading = page.getByRole('heading', { level: 1 })
  const path = join(saved, 'Opened.csv')
  await writeFile(path, 'Site,Clicks\nHarbor,1\n')
  app.shell.answers.open = path
  await command('Go to Reports')
  await tabTo(page.getByRole('button', { name: /^Reach by campaign/ }))
  await press('Enter')
  await expect.poll(() => heading.innerText(), limit).toBe('Reach by campaign')
  await command('Open a file')
  await expect.poll(() => heading.innerText(), limit).toBe('Opened.csv')
  await page.getByText('Harbor', { exact: true }).waitFor()
  await tabTo(page.getByRole('button', { name: 'Export' }))
  await press('Enter')
  await tabTo(page.getByRole('menuitem', { name: 'Workbook (.xlsx)…' }))
  await press('Enter')
  await expect.poll(() => readdir(saved), limit).toContain('Opened.xlsx')
  // A file of another program has no date range and no definition that could be why it’s empty.
  await writeFile(path, 'Site,Clicks\n')
  await command('Open a file')
  await page.getByText('The file has a header, but no rows.').waitFor()
  await expect.poll(() => page.locator('[data-report][aria-current="true"]').count(), limit).toBe(0)
  await page.keyboard.press('Control+d')
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Control+n')
  await expect.poll(() => heading.innerText(), limit).toBe('New report')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect.poll(() => heading.innerText(), limit).not.toBe('New report')
  await expect.poll(() => page.getByRole('button', { name: /^Copy of/ }).count(), limit).toBe(0)
})

it('moves from Run to the progress of the first run, and on to its results', async () => {
  await service.fail('trafficking.reports.files.get', { status: 503 })
  await command('Go to Reports')
  await tabTo(page.getByRole('button', { name: /^Reach by campaign/ }))
  await press('Enter')
  const main = page.getByRole('main', { name: 'Reports' })
  await tabTo(main.locator('.empty').getByRole('button', { name: 'Run' }))
  await press('Enter')
  await focusOn(main.getByRole('status').filter({ hasText: 'Server error' }))
  await grid().waitFor({ timeout: 90_000 })
  await press('ArrowDown')
  await focusOn(grid())
})

it('keeps the place of a run that’s stopped and resumed', async () => {
  await service.order('POST', '/trouble', { operation: 'trafficking.reports.files.get', count: 1_000, status: 503 })
  await command('Go to Reports')
  await tabTo(page.getByRole('button', { name: /^Sites by week/ }))
  await press('Enter', 'r', 'Control+Enter')
  const run = page.getByRole('list', { name: 'Runs' }).getByRole('listitem').first()
  const ofRun = (name: string): Locator => run.getByRole('button', { name })
  await ofRun('Check now').waitFor()
  await tabTo(ofRun('Stop'))
  await press('Enter')
  await focusOn(run.getByRole('checkbox'))
  await tabTo(ofRun('Resume'))
  await press('Enter')
  await focusOn(run.getByRole('checkbox'))
  await ofRun('Check now').waitFor()
  const above = page.getByRole('main', { name: 'Reports' }).locator('header')
  await tabTo(above.getByRole('button', { name: 'Stop' }), 'Shift+Tab')
  await press('Enter')
  await focusOn(above.getByRole('button', { name: 'Run' }))
  await service.order('DELETE', '/trouble')
})
