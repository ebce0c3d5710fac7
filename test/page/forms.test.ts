import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openComponents } from '../helpers/component-page'
import type { BrowserWindow } from '../helpers/shared-browser'

let opened: BrowserWindow
let page: Page

declare global {
  /** What the page's script exports, called in the page. */
  function forms(): typeof import('./components/forms')
}

beforeAll(async () => {
  opened = await openComponents('forms')
  ;({ page } = opened)
  await page.evaluate(() => forms().start())
})
afterAll(() => opened?.close())

const submissions = (): Promise<number> => page.evaluate(() => forms().submissions())
const end = (at: number, isDone: boolean): Promise<void> =>
  page.evaluate(([at, isDone]) => forms().end(at, isDone), [at, isDone] as const)

describe.each(['Kept form', 'New form'] as const)('%s', (name) => {
  const form = (): Locator => page.getByRole('dialog', { name })
  const free = (button: string): Locator => form().locator('button:not([aria-disabled])', { hasText: button })
  const gone = (): Promise<void> => form().waitFor({ state: 'detached' })
  const show = async (): Promise<void> => {
    await page.evaluate((name) => forms().show(name), name)
    await form().waitFor()
  }
  let first = 0
  beforeEach(async () => {
    await show()
    first = await submissions()
  })

  it('submits once, however often Enter and its button are pressed', async () => {
    await form().getByRole('textbox', { name: 'Name' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await form().getByRole('button', { name: 'Save' }).press('Enter')
    expect(await submissions()).toBe(first + 1)
    await end(first, false)
    // It says so and can be sent again.
    await free('Save').click()
    expect(await submissions()).toBe(first + 2)
    await end(first + 1, true)
    await gone()
  })

  it('isn’t submitted while a field has text that can’t be read', async () => {
    const copies = form().getByRole('textbox', { name: 'Copies' })
    await copies.fill('500')
    await form().getByRole('button', { name: 'Save' }).press('Enter')
    expect(await submissions()).toBe(first)
    expect(await copies.evaluate((element) => element === document.activeElement)).toBe(true)
    await copies.press('Enter')
    expect(await submissions()).toBe(first)
    await copies.fill('5')
    await form().getByRole('button', { name: 'Save' }).click()
    expect(await submissions()).toBe(first + 1)
    await end(first, true)
    await gone()
  })

  it('closes only the form that was submitted, not the one opened after it', async () => {
    await form().getByRole('button', { name: 'Save' }).click()
    expect(await submissions()).toBe(first + 1)
    await form().getByRole('button', { name: 'Cancel' }).click()
    await gone()
    await show()
    await end(first, true)
    await free('Save').click()
    expect(await submissions()).toBe(first + 2)
    await form().getByRole('button', { name: 'Save' }).press('Enter')
    expect(await submissions()).toBe(first + 2)
    await end(first + 1, true)
    await gone()
  })
})

it('a form that was closed and opened again waits for its first task', async () => {
  await page.evaluate(() => forms().show('Kept form'))
  const form = page.getByRole('dialog', { name: 'Kept form' })
  const first = await submissions()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.waitFor({ state: 'detached' })
  await page.evaluate(() => forms().show('Kept form'))
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await form.getByRole('button', { name: 'Remove' }).press('Enter')
  expect(await submissions()).toBe(first + 1)
  await end(first, true)
  await form.locator('button:not([aria-disabled])', { hasText: 'Save' }).click()
  expect(await submissions()).toBe(first + 2)
  await end(first + 1, true)
  await form.waitFor({ state: 'detached' })
})

it('a form’s other buttons wait for what runs, and close it as submitting does', async () => {
  await page.evaluate(() => forms().show('Kept form'))
  const form = page.getByRole('dialog', { name: 'Kept form' })
  const first = await submissions()
  await form.getByRole('button', { name: 'Remove' }).click()
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  expect(await submissions()).toBe(first + 1)
  await end(first, true)
  await form.waitFor({ state: 'detached' })
})

it('a builder doesn’t run while a field has text that can’t be read', async () => {
  const runs = (): Promise<number[]> => page.evaluate(() => forms().runs)
  const weeks = page.getByRole('textbox', { name: 'Weeks' })
  const run = page.getByRole('button', { name: 'Run' })
  await weeks.fill('500')
  await weeks.press('Control+Enter')
  expect(await runs()).toEqual([])
  await expect.poll(() => run.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Enter a number from 1 to 99' }).click()
  expect(await weeks.evaluate((element) => element === document.activeElement)).toBe(true)
  await weeks.fill('3')
  await weeks.press('Control+Enter')
  expect(await runs()).toEqual([3])
})

describe('removable values', () => {
  const button = (name: string): Locator => page.getByRole('button', { name: `Remove ${name}` })
  const focused = (one: Locator): Promise<boolean> => one.evaluate((element) => element === document.activeElement)
  /** Lets a value go, as an edit does some time after its button was pressed. */
  async function settle(name: string): Promise<void> {
    await page.evaluate((name) => forms().remove(name), name)
    await button(name).waitFor({ state: 'detached' })
  }

  it('keeps the focus on the values, and leaves it on their field after the last one', async () => {
    const color = page.getByRole('combobox', { name: 'Color' })
    await button('Red').press('Enter')
    expect(await page.evaluate(() => forms().removed)).toEqual(['Red'])
    await settle('Red')
    expect(await focused(button('Green'))).toBe(true)
    await button('Blue').press('Enter')
    await settle('Blue')
    expect(await focused(button('Green'))).toBe(true)
    await button('Green').press('Enter')
    await settle('Green')
    expect(await focused(color)).toBe(true)
    await page.getByRole('list', { name: 'Colors' }).waitFor({ state: 'detached' })
  })
})

it('messages above a dialog in a low window leave its buttons uncovered', async () => {
  await page.setViewportSize({ width: 640, height: 260 })
  await page.evaluate(() => forms().show('Kept form'))
  await page.evaluate(() => forms().warn())
  const boxOf = (element: Locator): Promise<DOMRect> =>
    element.evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect)
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByText('Saved').waitFor()
  const save = page.getByRole('dialog', { name: 'Kept form' }).getByRole('button', { name: 'Save' })
  const gap = async (): Promise<number> => (await boxOf(messages)).top - (await boxOf(save)).bottom
  await expect.poll(gap).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.setViewportSize({ width: 900, height: 700 })
})

it('a builder can’t run while a run hasn’t ended', async () => {
  const run = page.getByRole('button', { name: 'Run' })
  await expect.poll(() => run.isEnabled()).toBe(true)
  await page.evaluate(() => forms().setRunning(true))
  await expect.poll(() => run.isDisabled()).toBe(true)
  const before = await page.evaluate(() => forms().runs.length)
  await page.getByRole('textbox', { name: 'Weeks' }).press('Control+Enter')
  expect(await page.evaluate(() => forms().runs.length)).toBe(before)
  await page.getByText('Running. You can run it again once it’s done or stopped.').waitFor()
  await page.evaluate(() => forms().setRunning(false))
  await expect.poll(() => run.isEnabled()).toBe(true)
})

describe('a long list', () => {
  const box = (name: string): Locator => page.getByRole('checkbox', { name, exact: true })
  const focused = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.closest('label, button')?.textContent?.trim())

  it('passes the focus of “Show more” to the first new line, once nothing more is left', async () => {
    const more = page.getByRole('button', { name: 'Show more' })
    await more.focus()
    await page.keyboard.press('Enter')
    await box('Three').waitFor()
    expect(await focused()).toBe('Show more')
    await page.keyboard.press('Enter')
    await more.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Four')
  })

  it('says that some of its lines are selected', async () => {
    const isMixed = (): Promise<boolean> =>
      box('All lines').evaluate((element) => (element as HTMLInputElement).indeterminate)
    await expect.poll(isMixed).toBe(true)
    await box('All lines').press(' ')
    await expect.poll(isMixed).toBe(false)
    await expect.poll(() => box('Two').isChecked()).toBe(true)
    await box('Two').press(' ')
    await expect.poll(isMixed).toBe(true)
    await box('Two').press(' ')
    await box('All lines').press(' ')
    await expect.poll(isMixed).toBe(false)
    await expect.poll(() => box('One').isChecked()).toBe(false)
  })

  it('keeps a box ticked if unticking it changes nothing', async () => {
    await box('Needed').press(' ')
    await expect.poll(() => box('Needed').isChecked()).toBe(true)
  })
})
