import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { choose, dismissMessages, messages, pasteText, pressing, runCommand } from '../helpers/page'
import { archiveOf, sheetOf } from '../helpers/workbook-file'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
let app: AppPage
let page: Page

beforeAll(async () => {
  app = await openApp({ clock, service: service.sandbox, size: { width: 1280, height: 800 } })
  page = app.page
  await openSync(page)
  await startDownload(page)
  await untilDownloaded(page, 120_000)
  await show('placements')
})
afterAll(() => app?.close())

const press = pressing(() => page)
const grid = (): Locator => page.getByRole('grid')
const cell = (row: number, column: number): Locator =>
  page.locator(`[role=row][aria-rowindex="${row + 2}"] > [role=gridcell][aria-colindex="${column + 2}"]`)
const dialog = (): Locator => page.getByRole('dialog')
const rowCount = async (): Promise<number> => Number(await grid().getAttribute('aria-rowcount')) - 1

async function show(kind: string): Promise<void> {
  await runCommand(page, `Campaigns: ${kind}`)
  await grid().locator('.body').getByRole('row').first().waitFor()
}
/** Focuses a column of the first row. */
async function focusCell(head: string): Promise<number> {
  const heads = await grid().getByRole('columnheader').allTextContents()
  const column = heads.findIndex((text) => text.trim() === head) - 1
  expect(column, head).toBeGreaterThanOrEqual(0)
  await grid().focus()
  await press('Control+Home')
  for (let at = 0; at < column; at++) await press('ArrowRight')
  return column
}
const passesAxe = async (within?: Locator): Promise<void> =>
  expect(await violationsByTheme(page, { within })).toEqual([])

describe('a new record', () => {
  it('without a name begins in its first field', async () => {
    await show('sizes')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    const form = page.getByRole('complementary', { name: 'Record' })
    const field = form.getByLabel('Height', { exact: true })
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
    await form.getByRole('button', { name: 'Delete' }).click()
    await form.waitFor({ state: 'detached' })
    await dismissMessages(page)
    await show('placements')
  })
})

describe('the menu of the grid', () => {
  const menu = (): Locator => page.getByRole('menu').first()
  const item = (name: RegExp): Locator => page.getByRole('menuitem', { name })

  it('opens by right click for the row, keeps a selection, and passes accessibility checks', async () => {
    const name = (await cell(2, 0).textContent())!.trim()
    await cell(2, 0).click({ button: 'right' })
    await expect.poll(() => menu().getAttribute('aria-label')).toBe(name)
    await expect.poll(() => item(/^Fill down/).getAttribute('aria-disabled')).toBe('true')
    await passesAxe(menu())
    await press('Escape')
    await cell(2, 0).click()
    await cell(4, 0).click({ modifiers: ['Shift'] })
    await cell(3, 0).click({ button: 'right' })
    await expect.poll(() => menu().getAttribute('aria-label')).toBe('3 placements')
    await expect.poll(() => item(/^Fill down/).getAttribute('aria-disabled')).not.toBe('true')
    await press('Escape')
    await menu().waitFor({ state: 'detached' })
    expect(await grid().evaluate((one) => one === document.activeElement)).toBe(true)
  })

  it('opens by Shift+F10 and runs a command for the row', async () => {
    await focusCell('Content category')
    await press('Shift+F10')
    await item(/^Open record/).click()
    await page.getByRole('complementary', { name: 'Record' }).waitFor()
    await press('Escape')
  })

  it('of a cell shows only records with its value, or hides them', async () => {
    const filters = page.getByRole('group', { name: 'Filters', exact: true })
    const column = await focusCell('Start date')
    const value = (await cell(0, column).textContent())!.trim()
    const shown = async (): Promise<string[]> => {
      const cells = page.locator(`[role=row] > [role=gridcell][aria-colindex="${column + 2}"]`)
      return [...new Set((await cells.allTextContents()).map((text) => text.trim()))]
    }
    for (const [label, isAlone] of [
      [/^Show only “/, true],
      [/^Hide “/, false],
    ] as const) {
      await focusCell('Start date')
      await press('Shift+F10')
      await item(label).click()
      const clear = filters.getByRole('button', { name: 'Clear all' })
      await clear.waitFor()
      if (isAlone) await expect.poll(shown).toEqual([value])
      else await expect.poll(async () => (await shown()).includes(value)).toBe(false)
      await clear.click()
      await filters.waitFor({ state: 'detached' })
      await cell(0, column).filter({ hasText: value }).waitFor()
    }
  })

  it('of a head sorts by its column', async () => {
    const head = grid().getByRole('columnheader').nth(1)
    await head.click({ button: 'right' })
    await item(/^Sort descending/).click()
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending')
    await head.click({ button: 'right' })
    await item(/^Sort ascending/).click()
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
    // So does a click next to its name.
    const { width, height } = (await head.boundingBox())!
    await head.click({ position: { x: width - 20, y: height / 2 } })
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending')
    await head.click({ position: { x: width - 20, y: height / 2 } })
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
  })
})

describe('a referenced record', () => {
  const option = (words: string): Locator => page.getByRole('option', { name: `New content category “${words}”` })

  it('can be created in its cell by keyboard, and undone along with it', async () => {
    const column = await focusCell('Content category')
    const before = await cell(0, column).textContent()
    await press('F2')
    await page.keyboard.type('Gardening')
    await option('Gardening').waitFor()
    await press('ArrowDown', 'Enter')
    await cell(0, column).filter({ hasText: 'Gardening' }).waitFor()
    await page.getByText('2 drafts', { exact: true }).waitFor()
    await grid().focus()
    await press('Control+z')
    await cell(0, column).filter({ hasText: before! }).waitFor()
    await page.getByText('2 drafts', { exact: true }).waitFor({ state: 'detached' })
  })

  it("isn't offered for creation when its name exists", async () => {
    const column = await focusCell('Content category')
    const name = (await cell(0, column).textContent())!.trim()
    await press('F2')
    await page.keyboard.type(name)
    await page.getByRole('option', { name }).first().waitFor()
    await expect.poll(() => option(name).count()).toBe(0)
    await press('Escape')
  })

  it('can be created in the form by mouse', async () => {
    await grid().focus()
    await press('Control+Home', 'Space')
    const form = page.getByRole('complementary', { name: 'Record' })
    const field = form.locator('[data-path="contentCategoryId"] input')
    await field.click()
    await field.fill('Outdoors')
    await option('Outdoors').waitFor()
    await passesAxe(form)
    await option('Outdoors').click()
    await expect.poll(() => field.inputValue()).toBe('Outdoors')
    await form.getByRole('button', { name: 'Post…' }).waitFor()
    await grid().focus()
    await press('Escape', 'Control+z')
    await form.waitFor({ state: 'detached' })
  })
})

describe('cells', () => {
  it('fill down over several rows with Ctrl+D', async () => {
    const column = await focusCell('Plan line')
    const lines = (): Promise<(string | null)[]> => Promise.all([0, 1, 2].map((row) => cell(row, column).textContent()))
    const before = await lines()
    await page.keyboard.type('Line 1')
    await press('Enter', 'ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d')
    await expect.poll(lines).toEqual(['Line 1', 'Line 1', 'Line 1'])
    // Until then, undo would stop it.
    await messages(page)
      .getByText(/^2 cells filled/)
      .waitFor()
    await press('Control+z', 'Control+z')
    await expect.poll(lines).toEqual(before)
  })

  it('offset from the current value, as in “a week later”', async () => {
    const column = await focusCell('End date')
    const before = await cell(0, column).textContent()
    await page.keyboard.type('+7d')
    await press('Enter')
    await expect.poll(() => cell(0, column).textContent()).not.toBe(before)
    await grid().focus()
    await press('Control+z')
    await expect.poll(() => cell(0, column).textContent()).toBe(before)
  })

  it('move by a day or a week with Alt and the arrows, or from the menu, and whole flights with their rows', async () => {
    const [from, to] = [await focusCell('Start date'), await focusCell('End date')]
    const texts = async (): Promise<(string | null)[]> => [
      await cell(0, from).textContent(),
      await cell(0, to).textContent(),
    ]
    const before = await texts()
    await press('Alt+ArrowDown')
    await expect.poll(async () => (await texts())[1]).not.toBe(before[1])
    await press('Alt+ArrowUp')
    await expect.poll(texts).toEqual(before)
    await press('Shift+Space', 'Alt+Shift+ArrowDown')
    await expect.poll(async () => (await texts())[0]).not.toBe(before[0])
    await expect.poll(async () => (await texts())[1]).not.toBe(before[1])
    await cell(0, from).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move dates' }).click()
    await page.getByRole('menuitem', { name: '1 week earlier' }).click()
    await expect.poll(texts).toEqual(before)
  })
})

describe('duplicating an ended campaign', () => {
  const start = (): Locator => dialog().getByRole('textbox', { name: 'Start of the copy' })
  const rowOf = (title: string): Locator => grid().locator('.body').getByRole('row').filter({ hasText: title })

  it('lists the dates it moves, rejects a start before today, and includes its contents', async () => {
    await choose(page.getByRole('main').getByLabel('Record type'), 'Campaigns')
    const ended = rowOf('Ended').first()
    await ended.waitFor()
    const name = (await ended.getByRole('gridcell').nth(1).textContent())!.trim()
    await ended.getByRole('gridcell').nth(1).click()
    await press('Control+Shift+D')
    await dialog()
      .getByText(/^The campaign(,| and) .+ move \d+ days later\.$/)
      .waitFor()
    await passesAxe(dialog())
    const today = await start().inputValue()
    await start().fill('2020-01-01')
    await press('Tab')
    await dialog()
      .getByText(/^This copy would end in the past, on .+ 2020\. Choose a later start$/)
      .waitFor()
    await expect.poll(() => dialog().getByRole('button', { name: 'Duplicate', exact: true }).isDisabled()).toBe(true)
    await passesAxe(dialog())
    await start().fill('today')
    await press('Enter')
    await dialog().waitFor({ state: 'detached' })
    const copy = rowOf(`${name} (copy)`)
    await copy.filter({ hasText: today }).filter({ hasText: 'Live' }).waitFor()
    const form = page.getByRole('complementary', { name: 'Record' })
    await form.getByRole('heading', { name: `${name} (copy)`, exact: true }).waitFor()
    await expect.poll(() => form.getByText('Required before posting').count()).toBe(0)
    await runCommand(page, 'Undo')
    await copy.waitFor({ state: 'detached' })
    await show('placements')
  })

  it('does nothing when you cancel the dialog', async () => {
    await choose(page.getByRole('main').getByLabel('Record type'), 'Campaigns')
    const ended = rowOf('Ended').first()
    await ended.getByRole('gridcell').nth(1).click()
    await press('Control+d')
    await start().waitFor()
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.matches('[role=grid]'))
    await expect.poll(() => rowOf('(copy)').count()).toBe(0)
    await show('placements')
  })
})

describe('changes', () => {
  /** A row that no other test edits. */
  const row = 8
  async function focusRow(head: string): Promise<number> {
    const column = await focusCell(head)
    for (let at = 0; at < row; at++) await press('ArrowDown')
    return column
  }

  it('are marked at their cells, listed by field, and discarded one by one', async () => {
    const column = await focusRow('Plan line')
    const before = (await cell(row, column).textContent())!.trim()
    await page.keyboard.type('Marked')
    await press('Enter')
    await expect.poll(() => cell(row, column).getAttribute('title')).toBe(`Was ${before}`)
    await press('Control+j')
    const panel = page.getByRole('region', { name: 'Changes' })
    const line = panel.locator('tbody tr').filter({ hasText: 'Marked' })
    await line.waitFor()
    expect((await line.locator('td').allTextContents()).slice(3, 6)).toEqual(['Plan line', before, 'Marked'])
    await passesAxe(panel)
    await line.focus()
    await press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('[role=grid]'))
    await press('Control+Alt+z')
    await cell(row, column).filter({ hasText: before }).waitFor()
    await expect.poll(() => cell(row, column).getAttribute('title')).toBeNull()
    await line.waitFor({ state: 'detached' })
    await press('Control+j')
    await panel.waitFor({ state: 'detached' })
  })

  it('are checked, marked by severity, reached by key, and fixed with a press', async () => {
    const column = await focusRow('End date')
    const before = (await cell(row, column).textContent())!.trim()
    await page.keyboard.type('2031-01-01')
    await press('Enter')
    const error = cell(row, column).and(page.locator('[data-severity=error]'))
    await error.waitFor()
    await expect.poll(() => error.getAttribute('title')).toBe(`Error: Ends after the campaign\nWas ${before}`)
    await page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: '1 error' }).click()
    const panel = page.getByRole('region', { name: 'Findings' })
    await passesAxe(panel)
    await grid().focus()
    await press('Control+Home')
    const current = (): Promise<string | null | undefined> =>
      grid().evaluate((one) => document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.textContent)
    for (let steps = 0; steps < 20 && !(await current())?.includes('2031'); steps++) await press('F8')
    expect(await current()).toContain('2031')
    await page.getByRole('region', { name: 'Drafts' }).getByText('Error: Ends after the campaign').waitFor()
    await panel.getByRole('button', { name: 'Shorten the flight: 1 cell' }).click()
    await error.waitFor({ state: 'detached' })
    await panel.getByRole('button', { name: 'Close panel' }).click()
    await grid().focus()
    await press('Control+z', 'Control+z')
    await cell(row, column).filter({ hasText: before }).waitFor()
  })

  it('come from pasted rows by the names of their columns', async () => {
    const end = await focusCell('End date')
    const before = (await cell(0, end).textContent())!
    const column = await focusCell('Units')
    const units = (await cell(0, column).textContent())!
    await pasteText(page, `End date\tUnits\n2031-01-01\t`)
    await cell(0, end).filter({ hasText: '2031' }).waitFor()
    await expect.poll(() => cell(0, column).textContent()).toBe(units)
    await grid().focus()
    await press('Control+z')
    await cell(0, end).filter({ hasText: before }).waitFor()
  })
})

describe('cells that a paste skips', () => {
  it('are listed with their text and the reason, and lead to the cell', async () => {
    const column = await focusCell('End date')
    const name = (await cell(1, 0).textContent())!.trim()
    await pasteText(page, 'someday\nnever')
    await messages(page)
      .getByText(/^0 cells changed\. 2 cells skipped: /)
      .waitFor()
    await messages(page).getByRole('button', { name: 'Show all' }).click()
    await dialog().getByRole('heading', { name: '2 cells skipped' }).waitFor()
    const second = dialog().getByRole('listitem').filter({ hasText: 'never' })
    await second.filter({ hasText: 'End date' }).filter({ hasText: 'Enter a date' }).waitFor()
    await passesAxe(dialog())
    await second.getByRole('button', { name }).click()
    await dialog().waitFor({ state: 'detached' })
    const current = (): Promise<string | null | undefined> =>
      grid().evaluate((one) => one.getAttribute('aria-activedescendant'))
    await expect.poll(current).toBe(await cell(1, column).getAttribute('id'))
    await dismissMessages(page)
  })
})

describe('an assignment', () => {
  it('is chosen from what fits, several one after the other, and is active', async () => {
    await show('ads')
    await grid().focus()
    await press('Control+Home', 'Control+i')
    const list = page.getByRole('article').locator('fieldset[data-path="placementAssignments"]')
    const entries = list.locator('> .item')
    await list.waitFor()
    const before = await entries.count()
    const picker = list.getByRole('combobox', { name: 'Add placement' })
    for (let added = 1; added <= 2; added++) {
      await picker.click()
      await list.getByRole('option').first().click()
      await expect.poll(() => entries.count()).toBe(before + added)
    }
    const active = entries.nth(before).getByRole('combobox', { name: 'Active' })
    await entries.nth(before).locator('summary').click()
    await expect.poll(() => active.inputValue()).toBe('Yes')
    await passesAxe(list)
    await press('Escape')
    await grid().focus()
    await press('Control+z', 'Control+z')
    await show('placements')
  })
})

describe('several selected rows', () => {
  const form = (): Locator => page.getByRole('article')

  it('have one form that says how they differ and changes all in one step, by keyboard', async () => {
    const column = await focusCell('Plan line')
    const before = await Promise.all([0, 1, 2].map((row) => cell(row, column).textContent()))
    await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Control+i')
    await form().getByRole('heading', { name: '3 placements' }).waitFor()
    await page.waitForFunction(() => document.activeElement?.closest('article [data-path]') !== null)
    const field = form().getByRole('textbox', { name: 'Plan line' })
    await form().locator('[data-path="externalId"]').getByText('3 values', { exact: false }).waitFor()
    await passesAxe(form())
    await field.fill('All alike')
    await form().getByText('Changes 3 of 3 placements').waitFor()
    await press('Enter')
    for (const row of [0, 1, 2]) await cell(row, column).filter({ hasText: 'All alike' }).waitFor()
    // Emptying a field in which records differ changes none of them.
    const name = form().getByRole('textbox', { name: 'Name' })
    await name.fill('x')
    await name.fill('')
    await press('Tab')
    await press('Escape')
    await form().waitFor({ state: 'detached' })
    await grid().focus()
    await press('Control+z')
    for (const row of [0, 1, 2]) await cell(row, column).filter({ hasText: before[row]! }).waitFor()
  })
})

describe('a spreadsheet', () => {
  const row = (number: number): Locator =>
    dialog()
      .getByRole('list', { name: 'Rows' })
      .getByRole('listitem')
      .filter({ hasText: `Row ${number}` })
  let place = 0
  /** Writes rows with the IDs of the first records. */
  async function sheetWith(...rows: readonly (readonly string[])[]): Promise<string> {
    const path = join(await mkdtemp(join(tmpdir(), 'flightplan-sheet-')), `plan ${++place}.csv`)
    await writeFile(path, rows.map((cells) => cells.join(',')).join('\r\n'))
    return path
  }

  it('is previewed with a column to choose and an error, imported in one step, and undone', async () => {
    const column = await focusCell('Plan line')
    const [first, second] = await ids(2)
    const before = (await cell(0, column).textContent())!
    app.shell.answers.open = await sheetWith(
      ['Line of plan', 'End date', 'ID'],
      ['PL 100', '', first!],
      ['PL 200', 'someday', second!],
      ['PL 300', '', '12'],
    )
    await press('Control+Shift+i')
    await dialog().getByText('1 column isn’t recognized', { exact: false }).waitFor()
    await dialog().getByText('0 rows changed, 1 unchanged, 2 with errors').waitFor()
    const chosen = dialog().getByRole('combobox', { name: 'Column Line of plan' })
    await choose(chosen, 'Plan line')
    // The choice stays, so that it can be corrected and the keyboard goes on from it.
    await expect.poll(() => chosen.evaluate((one) => one === document.activeElement)).toBe(true)
    await dialog().getByText('2 rows changed, 0 unchanged, 2 with errors').waitFor()
    await row(3).getByText('End date “someday”: Enter a date', { exact: false }).waitFor()
    await row(4).getByText('No placement with this ID', { exact: false }).waitFor()
    await passesAxe(dialog())
    await dialog().getByText('Changed 2').click()
    await row(2).getByText('PL 100').waitFor()
    await dialog().getByRole('button', { name: 'Import 2 rows' }).click()
    await cell(0, column).filter({ hasText: 'PL 100' }).waitFor()
    await cell(1, column).filter({ hasText: 'PL 200' }).waitFor()
    await grid().focus()
    await press('Control+z')
    await cell(0, column).filter({ hasText: before }).waitFor()
  })

  it('can be dropped on the list or pasted, and remembers the chosen column', async () => {
    const [first] = await ids(1)
    const text = `Line of plan,ID\r\nDropped,${first}`
    await grid().evaluate((element, text) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], 'dropped.csv', { type: 'text/csv' }))
      for (const type of ['dragover', 'drop'])
        element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }, text)
    await dialog().getByRole('heading', { name: 'Import dropped.csv into placements' }).waitFor()
    await row(2).getByText('Dropped').waitFor()
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await grid().focus()
    await pasteText(page, `ID\tLine of plan\n${first}\tPasted`)
    await dialog().getByRole('heading', { name: 'Paste rows into placements' }).waitFor()
    await row(2).getByText('Pasted').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await dialog().waitFor({ state: 'detached' })
  })

  it('comes from the chosen sheet of a workbook, also if the first is empty', async () => {
    const [first] = await ids(1)
    const line = (cells: readonly string[]): string =>
      `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
    const sheets = [
      [],
      [
        ['ID', 'Plan line'],
        [first!, 'From the plan'],
      ],
      [['Notes'], ['None']],
    ].map((rows, at) => ({
      ...sheetOf(rows.map(line).join('')),
      name: `xl/worksheets/sheet${at + 1}.xml`,
    }))
    const names = ['Read me', 'Plan', 'Notes'].map((name) => `<sheet name="${name}"/>`)
    const book = { name: 'xl/workbook.xml', text: `<workbook><sheets>${names.join('')}</sheets></workbook>` }
    const path = join(await mkdtemp(join(tmpdir(), 'flightplan-sheet-')), 'plan.xlsx')
    await writeFile(path, archiveOf([...sheets, book]))
    app.shell.answers.open = path
    await press('Control+Shift+i')
    await dialog().getByText('This sheet is empty. Choose another.').waitFor()
    await passesAxe(dialog())
    await choose(dialog().getByRole('combobox', { name: 'Sheet' }), 'Plan')
    await row(2).getByText('From the plan').waitFor()
    await passesAxe(dialog())
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  async function ids(count: number): Promise<string[]> {
    const column = await focusCell('ID')
    const found: string[] = []
    for (let at = 0; at < count; at++) found.push((await cell(at, column).textContent())!.trim())
    return found
  }
})

describe('posting', () => {
  it('holds back drafts the service would reject, says why, and posts the others', async () => {
    const form = page.getByRole('complementary', { name: 'Record' })
    const line = await focusCell('Plan line')
    await page.keyboard.type('Posted')
    // Even before the edit is saved.
    await press('Enter', 'Control+Shift+Enter')
    await dialog().getByRole('button', { name: 'Post 1 draft', exact: true }).waitFor()
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await cell(0, line).filter({ hasText: 'Posted' }).waitFor()
    const column = await focusCell('End date')
    await press('ArrowDown')
    await page.keyboard.type('2031-01-01')
    await press('Enter')
    await cell(1, column).filter({ hasText: '2031' }).waitFor()
    await page.getByText('2 drafts', { exact: true }).waitFor()
    await press('Control+Shift+Enter')
    const stopped = dialog().getByRole('region', { name: 'Can’t be posted yet' })
    await stopped.getByText(/^1 draft can’t be posted yet$/).waitFor()
    await stopped.getByText(/^End date is after the campaign ends \(/).waitFor()
    await passesAxe(dialog())
    await dialog().getByRole('button', { name: 'Post 1 draft', exact: true }).click()
    await dialog()
      .getByText(/1 of 1 sent\. +1 draft not posted\./)
      .waitFor({ timeout: 60_000 })
    await dialog().getByRole('heading', { name: 'Post results', exact: true }).waitFor()
    // Not on the button that closes the dialog.
    expect(
      await dialog()
        .locator('.body')
        .evaluate((body) => body.contains(document.activeElement)),
    ).toBe(true)
    await dialog().getByRole('button', { name: 'Done' }).click()
    await page.getByText('1 draft', { exact: true }).waitFor()
    await press('Control+Shift+Enter')
    await dialog().getByText('None of the drafts can be posted yet. They’re saved on this computer.').waitFor()
    await expect.poll(() => dialog().getByRole('button', { name: 'Post', exact: true }).isDisabled()).toBe(true)
    await stopped.getByRole('listitem').getByRole('button').click()
    await dialog().waitFor({ state: 'detached' })
    await form.getByRole('button', { name: /^End date is after the campaign ends \(/ }).waitFor()
    await grid().focus()
    await press('Escape', 'Control+z')
    await page.getByText('No drafts', { exact: true }).waitFor()
  })
})

describe('large amounts', () => {
  const guard = (): Locator => dialog().getByRole('region', { name: 'Check these amounts' })
  const right = (): Locator => guard().getByRole('checkbox')
  const postButton = (): Locator => dialog().getByRole('button', { name: /^Post \d+ drafts?$/ })
  const isReady = (): Promise<boolean> => postButton().isEnabled()

  it('that were pasted are asked about once, by name and campaign', async () => {
    const units = await focusCell('Units')
    const campaign =
      (await grid().getByRole('columnheader').allTextContents()).findIndex((head) => head.trim() === 'Campaign') - 1
    const around = await Promise.all([0, 1].map(async (row) => (await cell(row, campaign).textContent())!.trim()))
    await pasteText(page, '90000000\n80000000')
    await cell(1, units).filter({ hasText: '80,000,000' }).waitFor()
    await press('Control+Shift+Enter')
    const lines = guard().getByRole('listitem')
    await lines.first().getByText('Cost (EUR): ').waitFor()
    for (const [row, amount] of ['90,000,000', '80,000,000'].entries())
      await lines
        .filter({ hasText: around[row]! })
        .getByText(new RegExp(`^Units: .*→ ${amount}$`))
        .waitFor()
    await passesAxe(guard())
    expect(await isReady()).toBe(false)
    await right().check()
    await expect.poll(isReady).toBe(true)
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })

    // Another amount isn’t right because these were.
    await grid().focus()
    await press('ArrowDown', 'ArrowDown')
    await pasteText(page, '70000000\n60000000')
    await page.getByText('4 drafts', { exact: true }).waitFor()
    await grid().focus()
    await press('Control+Shift+Enter')
    await expect.poll(() => lines.count()).toBe(4)
    expect([await right().isChecked(), await isReady()]).toEqual([false, false])
    await right().check()
    await postButton().click()
    await dialog().getByText('4 of 4 sent.').waitFor()
    await dialog().getByRole('button', { name: 'Done' }).click()
  })
})

describe('find and replace', () => {
  it('previews changes, reports an invalid expression, and replaces in one step, by keyboard', async () => {
    const column = await focusCell('Plan line')
    const before = (await cell(0, column).textContent())!
    await press('Shift+ArrowDown', 'Control+h')
    await dialog().getByRole('radio', { name: 'Regular expression' }).focus()
    await press('Space')
    await dialog().getByLabel('Find', { exact: true }).focus()
    await page.keyboard.type('(')
    await dialog()
      .getByText(/Invalid expression/)
      .waitFor()
    await press('Control+a')
    await page.keyboard.type('^(.)')
    await press('Tab')
    await page.keyboard.type('New $1')
    await dialog().getByRole('status').filter({ hasText: '2 cells in 2 placements' }).waitFor()
    await dialog()
      .getByRole('cell', { name: `New ${before}`, exact: true })
      .first()
      .waitFor()
    await passesAxe(dialog())
    await press('Enter')
    await dialog().waitFor({ state: 'detached' })
    for (const row of [0, 1]) await cell(row, column).filter({ hasText: /^New / }).waitFor()
    await expect.poll(() => cell(0, column).textContent()).toBe(`New ${before}`)
    expect(await page.evaluate(() => document.activeElement?.matches('[role=grid]'))).toBe(true)
    await press('Control+z')
    await expect.poll(() => cell(0, column).textContent()).toBe(before)
    await expect.poll(() => cell(1, column).textContent()).not.toMatch(/^New /)
  })

  it('lists skipped cells with the reason', async () => {
    await focusCell('Site')
    await press('Control+h')
    await dialog().getByLabel('Find', { exact: true }).fill('e')
    await dialog()
      .getByText(/cells skipped: Can’t be changed after creation/)
      .waitFor()
    await expect.poll(() => dialog().getByRole('button', { name: 'Replace', exact: true }).isDisabled()).toBe(true)
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })
})

describe('filters', () => {
  const line = (at: number): Locator => dialog().locator('fieldset').nth(at)

  it('combine several columns and values, by mouse', async () => {
    const all = await rowCount()
    await focusCell('Pricing type')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await choose(line(0).getByRole('combobox', { name: 'Value' }), 'CPM')
    await choose(line(0).getByRole('combobox', { name: 'Or' }), 'CPC')
    await dialog().getByRole('button', { name: 'Add filter' }).click()
    await choose(line(1).getByRole('combobox', { name: 'Column' }), 'Size')
    await line(1).getByLabel('Value').fill('300')
    await passesAxe(dialog())
    await dialog().getByRole('button', { name: 'Filter', exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
    const chips = page.getByRole('group', { name: 'Filters' }).getByRole('button')
    await expect.poll(() => chips.count()).toBe(3)
    await expect.poll(() => chips.first().textContent()).toMatch(/CPM or CPC/)
    await expect.poll(rowCount).toBeLessThan(all)
  })

  it('can be edited and removed by keyboard', async () => {
    const few = await rowCount()
    await grid().focus()
    await press('Control+Shift+F')
    await line(1).waitFor()
    await line(1)
      .getByRole('button', { name: /^Remove filter: / })
      .focus()
    await press('Enter')
    await expect.poll(() => dialog().locator('fieldset').count()).toBe(1)
    await line(0).getByRole('combobox', { name: 'Or' }).focus()
    await page.keyboard.type('CPA')
    await page.getByRole('option', { name: 'CPA' }).first().waitFor()
    await press('Enter')
    await line(0).getByRole('listitem').filter({ hasText: 'CPA' }).waitFor()
    await dialog().getByRole('button', { name: 'Filter', exact: true }).focus()
    await press('Enter')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(rowCount).toBeGreaterThan(few)
    await page.getByRole('button', { name: 'Clear all' }).click()
  })
})

describe('a saved view', () => {
  const menu = (text: string): Locator => page.getByRole('button', { name: `Saved views: ${text}`, exact: true })
  const chips = (): Locator => page.getByRole('group', { name: 'Filters' }).getByRole('button')
  async function pick(from: string, item: string): Promise<void> {
    await menu(from).click()
    await page.getByRole('menu').getByText(item, { exact: true }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  async function undo(text: string): Promise<void> {
    const message = messages(page).locator('.toast').filter({ hasText: text })
    await message.getByRole('button', { name: 'Undo' }).click()
  }

  it('brings back columns, filters, and order, and says when the list differs', async () => {
    const all = await rowCount()
    await focusCell('Pricing type')
    await press('Control+Shift+F')
    await choose(dialog().getByRole('combobox', { name: 'Value' }), 'CPM')
    await dialog().getByRole('button', { name: 'Filter', exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(rowCount).toBeLessThan(all)
    const few = await rowCount()
    await runCommand(page, 'Save view as')
    await dialog().getByRole('textbox', { name: 'Name' }).fill(' ')
    await press('Enter')
    await dialog().getByText('Enter a name').waitFor()
    await passesAxe(dialog())
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Paid per view')
    await press('Enter')
    await menu('Paid per view').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await menu('Paid per view (changed)').waitFor()
    await expect.poll(rowCount).toBe(all)
    await pick('Paid per view (changed)', 'Paid per view')
    await menu('Paid per view').waitFor()
    await expect.poll(rowCount).toBe(few)
  })

  it('is updated, renamed, and deleted, each of which can be undone', async () => {
    await grid().getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await pick('Paid per view (changed)', 'Update “Paid per view”')
    await menu('Paid per view').waitFor()
    await undo('Updated view')
    await menu('Paid per view (changed)').waitFor()
    await pick('Paid per view (changed)', 'Rename “Paid per view”…')
    await dialog().getByRole('textbox', { name: 'Name' }).fill('By CPM')
    await dialog().getByRole('button', { name: 'Rename view' }).click()
    await menu('By CPM (changed)').waitFor()
    await pick('By CPM (changed)', 'Delete “By CPM”')
    await menu('Views').waitFor()
    await undo('Deleted view')
    await menu('By CPM (changed)').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
  })

  it('opens from any list, and after a restart', async () => {
    await show('ads')
    await runCommand(page, 'Show placements view “By CPM”')
    await menu('By CPM').waitFor()
    await expect.poll(() => chips().count()).toBe(2)
    await page.reload()
    await grid().locator('.body').getByRole('row').first().waitFor()
    await show('placements')
    await menu('Views').click()
    await page.getByRole('menuitemcheckbox', { name: 'By CPM' }).waitFor()
    await press('Escape')
  })
})
