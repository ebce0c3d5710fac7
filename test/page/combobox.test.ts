import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { componentViolations } from '../helpers/axe'
import { openComponents } from '../helpers/component-page'
import type { BrowserWindow } from '../helpers/shared-browser'
import { pressing } from '../helpers/page'

let opened: BrowserWindow
let page: Page

beforeAll(async () => {
  opened = await openComponents('comboboxes')
  ;({ page } = opened)
  await page.evaluate(() => comboboxes().start())
})
afterAll(() => opened?.close())
beforeEach(async () => {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    comboboxes().events.length = 0
  })
})

declare global {
  /** What the page's script exports, called in the page. */
  function comboboxes(): typeof import('./components/comboboxes')
}

const field = (name: string): Locator => page.getByRole('combobox', { name })
const list = (): Locator => page.getByRole('listbox')
const active = (name: string): Promise<string | null> =>
  field(name).evaluate(
    (one) => document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.innerText ?? null,
  )
const events = (): Promise<string[]> => page.evaluate(() => [...comboboxes().events])
const press = pressing(() => page)

describe('a short list', () => {
  it('opens with an arrow on the current choice, skips disabled ones, and Enter selects', async () => {
    await field('Rotation').focus()
    await press('ArrowDown')
    expect(await active('Rotation')).toBe('Even')
    await press('ArrowDown', 'ArrowDown')
    expect(await active('Rotation')).toBe('Whole')
    await press('Enter')
    await list().waitFor({ state: 'detached' })
    expect(await events()).toEqual(['Rotation whole'])
    await expect.poll(() => field('Rotation').inputValue()).toBe('Whole')
  })
  it('jumps to a choice by its first letters, and Escape cancels', async () => {
    await field('Rotation').focus()
    await page.keyboard.type('we')
    expect(await active('Rotation')).toBe('Weighted')
    await press('Escape')
    expect(await events()).toEqual([])
    await expect.poll(() => field('Rotation').inputValue()).toBe('Whole')
  })
  it('selects with the mouse', async () => {
    await field('Rotation').click()
    await page.getByRole('option', { name: 'Weighted' }).click()
    expect(await events()).toEqual(['Rotation weighted'])
  })
})

describe('a list to add from', () => {
  it('stays open for the next, without those added, and stays empty', async () => {
    await field('Add').focus()
    await press('ArrowDown', 'Enter')
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Shop', 'Sale'])
    expect(await active('Add')).toBe('Shop')
    await press('ArrowDown', 'Enter')
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Shop'])
    expect(await active('Add')).toBe('Shop')
    // Leaving adds nothing that wasn't chosen.
    await press('Tab')
    await list().waitFor({ state: 'detached' })
    expect(await events()).toEqual(['Add home', 'Add sale'])
    await expect.poll(() => field('Add').inputValue()).toBe('')
  })
  it('shows what the caller made of a selection, not the selection', async () => {
    await field('Range').focus()
    await press('ArrowDown', 'Enter')
    expect(await events()).toEqual(['Range week'])
    await expect.poll(() => field('Range').inputValue()).toBe('1 to 7 June')
  })
})

describe('a list of ten thousand', () => {
  it('renders only visible rows, including the current choice', async () => {
    await field('Placement').click()
    await expect.poll(() => page.getByRole('option').count()).toBeLessThan(40)
    expect(await active('Placement')).toContain('Placement 70')
    expect(await componentViolations(page)).toEqual([])
  })
  it('filters by words and shows the count', async () => {
    await field('Placement').fill('placement 9999')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.getByRole('status').getByText('1 choice').waitFor()
    await press('Enter')
    expect(await events()).toEqual(['Placement 9999'])
  })
  it('replaces the text of its value by what is typed, whichever way it got the focus', async () => {
    const placement = field('Placement')
    await placement.focus()
    await placement.selectText()
    await placement.click()
    await page.keyboard.type('9')
    await expect.poll(() => placement.inputValue()).toBe('9')
    await press('Enter')
    await expect.poll(() => placement.inputValue()).toBe('Placement 9')
    await page.keyboard.type('8')
    await expect.poll(() => placement.inputValue()).toBe('8')
    await press('Escape')
    await expect.poll(() => placement.inputValue()).toBe('Placement 9')
    await press('ArrowDown')
    await page.keyboard.type('9999')
    await expect.poll(() => placement.inputValue()).toBe('9999')
    await press('Enter')
    await expect.poll(() => placement.inputValue()).toBe('Placement 9999')
  })
  it('keeps the current choice when nothing matches', async () => {
    await field('Placement').fill('nowhere')
    await page.getByText('No matches').first().waitFor()
    expect(await componentViolations(page)).toEqual([])
    await press('Enter', 'Escape')
    await expect.poll(() => field('Placement').inputValue()).toBe('Placement 9999')
    expect(await events()).toEqual([])
  })
  it('moves by pages and stays inside the window', async () => {
    await field('Placement').focus()
    await press('ArrowDown', 'PageUp', 'PageUp')
    expect(await active('Placement')).toMatch(/^Placement 99[0-9]{2}/)
    const box = (await list().boundingBox())!
    const height = await page.evaluate(() => innerHeight)
    expect(box.y).toBeGreaterThan(0)
    expect(box.y + box.height).toBeLessThan(height)
    await press('Escape')
  })
})

describe('a list with remote search', () => {
  it('shows the current name, searches, and uses only the latest response', async () => {
    await expect.poll(() => field('Landing page').inputValue()).toBe('Autumn page')
    await field('Landing page').click()
    await expect.poll(() => page.evaluate(() => comboboxes().searches())).toEqual([''])
    await field('Landing page').fill('win')
    await field('Landing page').fill('winter')
    await page.evaluate(() => comboboxes().answer('winter', ['Winter sale']))
    await page.getByRole('option', { name: 'Winter sale' }).waitFor()
    await page.evaluate(() => comboboxes().answer('win', ['Wine', 'Window']))
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual(['Winter sale', 'New landing page “winter”'])
    await press('Enter')
    expect(await events()).toEqual(['Landing page winter sale'])
    await expect.poll(() => field('Landing page').inputValue()).toBe('Winter sale')
  })
  it('selects from the response to what was typed, also if Enter came first', async () => {
    await field('Landing page').click()
    await page.evaluate(() => comboboxes().answer('', ['Autumn page', 'Zebra']))
    await page.getByRole('option', { name: 'Zebra' }).waitFor()
    await field('Landing page').fill('zeb')
    await press('Enter')
    expect(await events()).toEqual([])
    await page.evaluate(() => comboboxes().answer('zeb', ['Zebra']))
    await list().waitFor({ state: 'detached' })
    expect(await events()).toEqual(['Landing page zebra'])
    // Leaving before the response selects nothing.
    await field('Landing page').fill('wint')
    await press('Tab')
    await list().waitFor({ state: 'detached' })
    expect(await events()).toEqual(['Landing page zebra'])
    await page.evaluate(() => comboboxes().answer('wint', ['Winter sale']))
    await expect.poll(() => field('Landing page').inputValue()).toBe('Zebra')
  })
  it('creates an entry with its last row', async () => {
    await field('Landing page').fill('Spring')
    await page.evaluate(() => comboboxes().answer('Spring', []))
    await press('ArrowDown', 'Enter')
    expect(await events()).toEqual(['new Spring'])
  })
})

describe('in a grid cell', () => {
  const edit = async (): Promise<void> => {
    await page.evaluate(() => comboboxes().edit())
    await list().waitFor()
  }
  it("opens with its text selected, above the cell when there's no room below", async () => {
    await edit()
    const chosen = await field('Site').evaluate((one) => {
      const input = one as HTMLInputElement
      return [document.activeElement === input, input.value.slice(input.selectionStart!, input.selectionEnd!)]
    })
    expect(chosen).toEqual([true, 'Site 3'])
    const [cell, box] = [(await field('Site').boundingBox())!, (await list().boundingBox())!]
    expect(box.y + box.height).toBeLessThan(cell.y)
    await press('Escape')
    expect(await events()).toEqual(['nothing, here'])
  })
  it('Enter saves the text and moves down, and Escape restores the old value', async () => {
    await edit()
    await page.keyboard.type('21')
    await press('Enter')
    expect(await events()).toEqual(['typed 2', 'typed 21', '21, down'])
    await edit()
    await page.keyboard.type('5')
    await press('Escape')
    expect((await events()).slice(3)).toEqual(['typed 5', 'nothing, here'])
  })
  it('Tab selects the highlighted choice and moves right, or only moves without one', async () => {
    await edit()
    await press('ArrowDown', 'Tab')
    expect(await events()).toEqual(['5, right'])
    await edit()
    await press('Shift+Tab')
    expect((await events()).slice(1)).toEqual(['nothing, left'])
  })
  it('keeps text without a match until focus moves', async () => {
    await edit()
    await page.keyboard.type('x')
    await press('Enter', 'Tab')
    expect(await events()).toEqual(['typed x'])
    await field('Site').evaluate((one) => one.blur())
    expect(await events()).toEqual(['typed x', 'nothing, away'])
  })
})
