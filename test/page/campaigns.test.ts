import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { pressing, runCommand } from '../helpers/page'
import { asking } from '../helpers/sign-in'
import { recordGrid } from '../helpers/record-grid'

const clock = clockFromMoment()
const size = { width: 1440, height: 900 }
const service = serviceForFile({ seed: 'demo', now: clock.now })
let app: AppPage
let page: Page

beforeAll(async () => {
  await launch()
})
afterAll(() => app?.close())

async function launch(userData?: string): Promise<void> {
  app = await openApp({ clock, service: service.sandbox, size, ...(userData && { userData }) })
  page = app.page
  await status()
    .getByText(/No pending changes/)
    .waitFor()
}

const press = pressing(() => page)
const type = (text: string): Promise<void> => page.keyboard.type(text)
const status = (): Locator => page.getByRole('contentinfo')
const { grid, rows, cell, columnOf } = recordGrid(() => page)
const record = (): Locator => page.getByRole('complementary', { name: 'Record' })
const heading = (name: string): Locator => page.getByRole('heading', { name })
/** Like the menu, which has the keys. */
const edit = (what: 'copy' | 'paste'): Promise<void> => app.edit(what)
const clipboard = (): Promise<string> => app.readClipboard()

/** The focused cell as announced to assistive technology: row and column of the active descendant. */
const focusedCell = (name?: string): Promise<[number, number] | null> =>
  grid(name).evaluate((one) => {
    const cell = document.getElementById(one.getAttribute('aria-activedescendant') ?? '')
    const row = cell?.closest('[role=row]')
    return cell && row ? [Number(row.getAttribute('aria-rowindex')), Number(cell.getAttribute('aria-colindex'))] : null
  })
const isFocusedAt = (row: number, column: number): Promise<void> =>
  expect.poll(() => focusedCell()).toEqual([row, column])
const selected = (): Promise<number> => grid().locator('.body [aria-selected=true]').count()
/** Focuses a column of the first row. */
async function focusCell(head: string): Promise<number> {
  await grid().focus()
  await press('Control+Home')
  const column = await columnOf(head)
  for (let at = 2; at < column; at++) await press('ArrowRight')
  await isFocusedAt(2, column)
  return column
}
const focusedIn = (selector: string): Promise<boolean> =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)

const passesAxe = async (within?: Locator): Promise<void> =>
  expect(await violationsByTheme(page, { within })).toEqual([])

describe('before anything is downloaded', () => {
  it('lists come by themselves, and what else to download is offered with its size', async () => {
    await press('Control+3')
    const offers = page.getByRole('region', { name: 'Download', exact: true })
    await offers.getByRole('button', { name: /^Download current campaigns \d+ live or upcoming/ }).waitFor()
    await offers.getByRole('button', { name: /^Download everything 25 campaigns of 6 advertisers/ }).waitFor()
    await page.getByRole('grid', { name: 'Campaigns' }).waitFor()
    await passesAxe()
    await app.resize({ width: 1200, height: 800 })
    const middles = (): Promise<number[]> =>
      offers.getByRole('button').evaluateAll((all) =>
        all.map((one) => {
          const { top, bottom } = one.getBoundingClientRect()
          return Math.round((top + bottom) / 2)
        }),
      )
    await expect.poll(async () => [(await middles()).length, new Set(await middles()).size]).toEqual([3, 1])
    await app.resize(size)
    await offers.getByRole('button', { name: 'Choose what to download…' }).click()
    await page.getByRole('dialog', { name: 'Choose what to download' }).waitFor()
    await press('Escape')
    await runCommand(page, 'Campaigns: placements')
    await heading('No placements on this computer').waitFor()
    await offers.getByRole('button', { name: /^Download everything/ }).waitFor()
    await passesAxe()
    await runCommand(page, 'Campaigns: campaigns')
  })

  it('downloading everything fills the placements grid', async () => {
    await openSync(page)
    await startDownload(page)
    await untilDownloaded(page, 120_000)
    await runCommand(page, 'Campaigns: placements')
    await rows().first().waitFor()
  })
})

describe('the grid', () => {
  beforeEach(async () => {
    await grid().focus()
    await press('Control+Home')
    await isFocusedAt(2, 2)
  })

  it('announces its row and column counts, and each position', async () => {
    const announced = await grid().evaluate((one) => {
      const number = (of: Element, name: string): number => Number(of.getAttribute(name))
      const heads = [...one.querySelectorAll('[role=columnheader]')]
      const lines = [...one.querySelectorAll('.body [role=row]')]
      return {
        rowcount: number(one, 'aria-rowcount'),
        colcount: number(one, 'aria-colcount'),
        heads: heads.map((head) => number(head, 'aria-colindex')),
        named: heads.every((head) => head.textContent!.trim() !== ''),
        rows: lines.map((line) => number(line, 'aria-rowindex')),
        cells: lines.map((line) =>
          [...line.querySelectorAll('[role=gridcell]')].map((at) => number(at, 'aria-colindex')),
        ),
        sorted: one.querySelectorAll('[aria-sort]').length,
        groups: [...one.querySelectorAll('[role=rowgroup]')].length,
      }
    })
    const columns = Array.from({ length: announced.colcount }, (_unused, at) => at + 1)
    expect(announced.heads).toEqual(columns)
    expect(announced.named).toBe(true)
    expect(announced.rows).toEqual(announced.rows.map((_unused, at) => at + 2))
    for (const cells of announced.cells) expect(cells).toEqual(columns)
    expect(announced.rowcount).toBeGreaterThan(announced.rows.length)
    expect([announced.sorted, announced.groups]).toEqual([1, 2])
  })

  it('moves with arrows, Home, End, page keys, and their Ctrl variants', async () => {
    const [rowcount, colcount] = await Promise.all(
      ['aria-rowcount', 'aria-colcount'].map(async (name) => Number(await grid().getAttribute(name))),
    )
    await press('ArrowDown', 'ArrowDown', 'ArrowRight')
    await isFocusedAt(4, 3)
    await press('ArrowUp', 'ArrowLeft', 'ArrowLeft')
    await isFocusedAt(3, 2)
    await press('End')
    await isFocusedAt(3, colcount!)
    await press('Home')
    await isFocusedAt(3, 2)
    await press('Control+End')
    await isFocusedAt(rowcount!, colcount!)
    await press('ArrowDown', 'ArrowRight')
    await isFocusedAt(rowcount!, colcount!)
    await press('Control+Home')
    await isFocusedAt(2, 2)
    await press('PageDown')
    await expect.poll(async () => (await focusedCell())![0]).toBeGreaterThan(8)
    await press('PageUp')
    await isFocusedAt(2, 2)
    await press('Control+ArrowDown')
    await isFocusedAt(rowcount!, 2)
    await press('Control+ArrowUp')
    await isFocusedAt(2, 2)
  })

  it('never highlights a nonexistent cell, wherever you scroll', async () => {
    await grid().evaluate((one) => (one.scrollTop = one.scrollHeight))
    await expect.poll(() => cell(2, 2).count()).toBe(0)
    const named = await grid().getAttribute('aria-activedescendant')
    expect(named === null || (await page.locator(`[id="${named}"]`).count()) === 1).toBe(true)
    await press('ArrowDown')
    await isFocusedAt(3, 2)
  })

  it('selects ranges with Shift+arrows, rows, and everything, and shows their sum', async () => {
    expect(await selected()).toBe(1)
    await press('Shift+ArrowDown', 'Shift+ArrowRight')
    expect(await selected()).toBe(4)
    await page.getByText('4 cells', { exact: true }).waitFor()
    await press('ArrowDown')
    expect(await selected()).toBe(1)
    await press('Control+Home', 'Shift+ArrowDown', 'Shift+Space')
    await page.getByText('2 rows', { exact: true }).waitFor()
    await press('Control+a')
    await page.getByText(`${Number(await grid().getAttribute('aria-rowcount')) - 1} rows`, { exact: true }).waitFor()
    await press('Control+Home')
    await focusCell('Cost')
    await press('Shift+ArrowDown', 'Shift+ArrowDown')
    await page.getByText(/^3 cells · sum [\d,.]+ EUR · average [\d,.]+ EUR$/).waitFor()
  })

  it('moves between cells with Tab and leaves after the last', async () => {
    await press('Tab')
    await isFocusedAt(2, 3)
    await press('Shift+Tab')
    await isFocusedAt(2, 2)
    await press('End', 'Tab')
    expect(await focusedIn('[role=grid]')).toBe(false)
    await grid().focus()
    await press('Home', 'Shift+Tab')
    expect(await focusedIn('[role=grid]')).toBe(false)
  })

  it('starts editing with Enter, F2, or a letter, and cancels with Escape', async () => {
    const column = await focusCell('Plan line')
    const before = await cell(2, column).textContent()
    for (const key of ['Enter', 'F2']) {
      await press(key)
      await page.waitForFunction(() => document.activeElement?.matches('input.cell'))
      await type('not this')
      await press('Escape')
      await page.waitForFunction(() => document.activeElement?.matches('[role=grid]'))
      await expect.poll(() => cell(2, column).textContent()).toBe(before)
    }
    await type('Line 7')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === 'Line 7')
    await press('Enter')
    await isFocusedAt(3, column)
    await cell(2, column).filter({ hasText: 'Line 7' }).waitFor()
    await page.getByText('1 draft', { exact: true }).waitFor()
    await press('F2', 'Control+a')
    await type('Line 8')
    await press('Tab')
    await isFocusedAt(3, column + 1)
    await cell(3, column).filter({ hasText: 'Line 8' }).waitFor()
  })

  it('clears cells with Delete, and undo restores them', async () => {
    const column = await focusCell('Plan line')
    await press('Shift+ArrowDown', 'Delete')
    await expect.poll(() => cell(2, column).textContent()).toBe('')
    await expect.poll(() => cell(3, column).textContent()).toBe('')
    await press('Control+z')
    await cell(2, column).filter({ hasText: 'Line 7' }).waitFor()
    await cell(3, column).filter({ hasText: 'Line 8' }).waitFor()
  })

  it('copies and pastes cells', async () => {
    const column = await focusCell('Plan line')
    await press('Shift+ArrowDown')
    await edit('copy')
    await expect.poll(clipboard).toBe('Line 7\nLine 8')
    await press('ArrowDown', 'ArrowDown')
    await edit('paste')
    await expect.poll(() => cell(5, column).textContent()).toBe('Line 7')
    await expect.poll(() => cell(6, column).textContent()).toBe('Line 8')
    await press('Control+Home', 'Shift+Space')
    await edit('copy')
    await expect.poll(clipboard).toMatch(/^Name\t.*\n.+\t/)
    expect((await clipboard()).split('\n')).toHaveLength(2)
  })

  it('explains why a cell is read-only', async () => {
    await focusCell('Site')
    await press('F2')
    await expect
      .poll(() => page.getByTestId('announcements').innerText())
      .toContain('Site: Can’t be changed after creation')
    await expect.poll(() => focusedIn('[role=grid]')).toBe(true)
  })

  it('opens no editor in a read-only cell, not even for a moment, in which Enter would pick a value', async () => {
    await focusCell('Site')
    const opened = () =>
      page.getByRole('grid').evaluate(async (grid) => {
        let found = false
        const seen = new MutationObserver((records) => {
          for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
            if (node instanceof Element && (node.matches('input') || node.querySelector('input'))) found = true
        })
        seen.observe(document.body, { childList: true, subtree: true })
        grid.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true }))
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
        seen.disconnect()
        return found
      })
    await expect.poll(opened).toBe(false)
  })

  it('takes a space as part of the text that is typed into a read-only cell', async () => {
    await focusCell('Site')
    await type('ab c')
    await press('Space')
    await expect.poll(() => record().count()).toBe(0)
    await press('Space')
    await record().waitFor()
    await press('Escape')
    await record().waitFor({ state: 'detached' })
    await focusCell('Name')
  })

  it('opens the record with Space and closes it with Escape', async () => {
    await press('Space')
    await record().waitFor()
    await expect.poll(() => focusedIn('[role=grid]')).toBe(true)
    const title = await cell(3, 2).textContent()
    await press('ArrowDown')
    await record().getByRole('heading', { name: title!, exact: true }).waitFor()
    await press('Escape')
    await record().waitFor({ state: 'detached' })
    await expect.poll(() => focusedIn('[role=grid]')).toBe(true)
  })
})

describe('the tree', () => {
  const tree = (): Locator => page.getByRole('tree', { name: 'Campaigns' })
  const at = (): Promise<Record<'title' | 'level' | 'expanded', string | null> | null> =>
    tree().evaluate((one) => {
      const node = document.getElementById(one.getAttribute('aria-activedescendant') ?? '')
      const announced = (name: string): string | null => node!.getAttribute(`aria-${name}`)
      return node && { title: node.textContent!.trim(), level: announced('level'), expanded: announced('expanded') }
    })

  it('moves with arrows, expands with Right, and collapses with Left', async () => {
    await press('Alt+Shift+T')
    await expect.poll(() => focusedIn('[role=tree]')).toBe(true)
    await press('Home')
    await expect.poll(at).toMatchObject({ level: '1', expanded: 'true' })
    await press('ArrowRight')
    await expect.poll(at).toMatchObject({ level: '2', expanded: 'false' })
    await press('ArrowRight')
    await expect.poll(at).toMatchObject({ level: '2', expanded: 'true' })
    await press('ArrowRight')
    await expect.poll(at).toMatchObject({ level: '3' })
    await press('ArrowLeft')
    await expect.poll(at).toMatchObject({ level: '2', expanded: 'true' })
    await press('ArrowLeft')
    await expect.poll(at).toMatchObject({ level: '2', expanded: 'false' })
    await press('End')
    const last = (await tree().getByRole('treeitem').last().textContent())!.trim()
    await expect.poll(at).toMatchObject({ title: last })
  })

  it("shows a record's contents in the grid with Enter", async () => {
    await press('Home', 'ArrowDown')
    const { title } = (await at())!
    await press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('[role=grid]'))
    await page.getByRole('heading', { level: 1, name: title!, exact: true }).waitFor()
    await rows('Campaigns').first().waitFor()
    await press('Alt+Shift+T')
    await expect.poll(at).toMatchObject({ title })
    await passesAxe()
  })

  it('finds advertisers and campaigns by name', async () => {
    const find = page.getByRole('searchbox', { name: 'Find in the tree' })
    await find.fill('no such words')
    await page.getByText('No matches').waitFor()
    await find.fill('kessel')
    await tree()
      .getByRole('treeitem', { name: /Kessel/ })
      .first()
      .waitFor()
    await press('ArrowDown', 'Enter')
    await page.getByRole('heading', { level: 1, name: /Kessel/ }).waitFor()
    await find.fill('')
  })

  it('keeps what was found selected when the search is emptied', async () => {
    const find = page.getByRole('searchbox', { name: 'Find in the tree' })
    await find.fill('Green tariff, summer')
    await press('ArrowDown', 'Enter')
    await page.getByRole('heading', { level: 1, name: /^Green tariff, summer/ }).waitFor()
    await find.fill('')
    // The displayed list of the campaign, below its advertiser.
    const current = tree().locator('[role=treeitem][aria-selected=true]')
    await expect
      .poll(() => current.evaluateAll((all) => all.map((one) => one.getAttribute('aria-level'))))
      .toEqual(['4'])
    await tree().getByRole('treeitem', { name: 'Green tariff, summer', exact: true }).waitFor()
    await find.fill('kessel')
    await press('ArrowDown', 'Enter')
    await find.fill('')
  })
})

describe('passes axe in both themes', () => {
  it('with a record open next to the grid and no author recorded', async () => {
    await runCommand(page, 'Campaigns: placements')
    await rows().first().waitFor()
    await grid().focus()
    await press('Space')
    await record().waitFor()
    await passesAxe(record())
    await press('Escape')
    await record().waitFor({ state: 'detached' })
    await runCommand(page, 'Campaigns: ads')
    await rows('Ads').first().waitFor()
    await press('Control+n')
    await record().getByText('Required before posting').waitFor()
    await passesAxe(record())
  })

  it.each([
    ['filter', () => press('Control+Shift+F'), /^Filter /],
    ['columns', () => runCommand(page, 'Choose columns'), /^Columns of /],
    [
      'post',
      () => page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'Post…' }).click(),
      'Post drafts',
    ],
  ])('the dialog: %s', async (_name, open, name) => {
    await open()
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    await passesAxe(dialog)
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('with a filter that matches nothing, and its clear button', async () => {
    await runCommand(page, 'Campaigns: placements')
    await rows().first().waitFor()
    await press('Control+f')
    await type('no such words')
    await heading('No matches').waitFor()
    await passesAxe(page.getByRole('main'))
    await page.getByRole('button', { name: 'Show all' }).click()
    await rows().first().waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('[role=grid]'))
  })

  it('working offline', async () => {
    await press('Control+Shift+O')
    await page.getByText('Offline mode').first().waitFor()
    await passesAxe(status())
    await press('Control+Shift+O')
    await page.getByText('Offline mode').first().waitFor({ state: 'detached' })
  })

  it('an account that has no campaigns', async () => {
    const [account] = await asking(page, 'account/list', {})
    const { calendar } = account!.services
    await asking(page, 'account/add', { label: 'Only dates', vocabulary: 'neutral', services: { calendar: calendar! } })
    await press('Control+Alt+2')
    await page.getByRole('button', { name: /Only dates\s*, accounts/ }).waitFor()
    await press('Control+3')
    await heading('This account doesn’t include Campaigns').waitFor()
    await passesAxe()
  })
})
