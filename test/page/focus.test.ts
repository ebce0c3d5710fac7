import { beforeEach, describe, expect, it } from 'vitest'
import { usualClock } from '../helpers/moment'
import { violationsByTheme } from '../helpers/axe'
import { atRest, messages, runCommand } from '../helpers/page'
import { appForFile } from '../helpers/for-file'
import { holdAsks } from '../helpers/held-asks'
import { drawn } from '../helpers/ring'

const { page } = appForFile(() => ({ clock: usualClock(), size: { width: 1280, height: 800 } }))

const press = (...keys: readonly string[]): Promise<void> =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

/** The focused element: its name and whether it's in the grid, or `body` if nothing has focus. */
const focused = (): Promise<{ name: string; inGrid: boolean }> =>
  page.evaluate(() => {
    const one = document.activeElement as HTMLElement | null
    const name = !one || one === document.body ? 'body' : (one.getAttribute('aria-label') ?? one.tagName.toLowerCase())
    return { name, inGrid: one?.matches('[data-key], [data-cell], [data-slot], [data-more]') ?? false }
  })
/** Waits until closing elements are gone, then checks the focus. */
async function after(act: () => Promise<unknown>): Promise<{ name: string; inGrid: boolean }> {
  await act()
  await atRest(page)
  await expect.poll(async () => (await focused()).name).not.toBe('body')
  return focused()
}
const block = (title: string | RegExp) => page.locator('.block').getByRole('button', { name: title }).first()
const peek = (title: string | RegExp) => page.getByRole('dialog', { name: title })
const kickOff = /^Kick-off: Brightwell Tea/

beforeEach(async () => {
  await press('Escape', 'Escape', 'Control+1', '2', 't')
  await atRest(page)
})

describe('focus after a peek', () => {
  it('returns to the event when opened by mouse and closed by keyboard', async () => {
    await block(kickOff).click()
    await peek(kickOff).waitFor()
    expect((await after(() => press('Escape'))).name).toMatch(kickOff)
  })

  it('returns to the event when opened and closed by mouse', async () => {
    await block(kickOff).click()
    const close = () => peek(kickOff).getByRole('button', { name: 'Close' }).click()
    expect((await after(close)).name).toMatch(kickOff)
    await peek(kickOff).waitFor({ state: 'detached' })
  })

  it('returns to the event after one Escape, even with a hint visible', async () => {
    await block(kickOff).focus()
    await press('Enter')
    await peek(kickOff).waitFor()
    expect((await after(() => press('Escape'))).name).toMatch(kickOff)
    await expect.poll(() => peek(kickOff).count()).toBe(0)
    await press('Enter')
    await peek(kickOff).waitFor()
    await press('Tab')
    await page.locator('.tooltip').first().waitFor()
    expect((await after(() => press('Escape'))).name).toMatch(kickOff)
    await expect.poll(() => peek(kickOff).count()).toBe(0)
    await expect.poll(() => page.locator('.tooltip').count()).toBe(0)
  })

  it('stays in the grid after deleting the event and after undo', async () => {
    await block(kickOff).click()
    const remove = () => peek(kickOff).getByRole('button', { name: 'Delete' }).click()
    await after(remove)
    // The event has guests, so the app asks whether to email them.
    const question = page.getByRole('dialog', { name: /^Delete/ })
    await after(() => question.getByRole('button', { name: 'Delete' }).click())
    await block(kickOff).waitFor({ state: 'detached' })
    await expect.poll(async () => (await focused()).inGrid).toBe(true)
    expect((await after(() => press('Control+z'))).name).not.toBe('body')
    await block(kickOff).waitFor()
  })
})

describe('focus in the grid', () => {
  it('follows to another week and back to today, and arrows continue from there', async () => {
    await page.mouse.click(1060, 250)
    await after(() => press('ArrowDown'))
    expect((await after(() => press('j'))).inGrid).toBe(true)
    const today = await after(() => press('t'))
    expect(today).toMatchObject({ inGrid: true, name: expect.stringContaining('Wednesday 10 June') as string })
    const next = await after(() => press('ArrowRight'))
    expect(next).toMatchObject({ inGrid: true, name: expect.stringContaining('Thursday 11 June') as string })
  })

  it.each(drawn(['1', '3', '4'], 1))('stays in the grid when the layout changes with %s', async (key) => {
    await page.mouse.click(1060, 250)
    await after(() => press('ArrowDown'))
    expect((await after(() => press(key))).inGrid).toBe(true)
  })

  it('stays in an editor that was opened while a quickly added event was being saved', async () => {
    const save = await holdAsks(page, 'journal/append')
    await block(kickOff).focus()
    await press('q')
    await page.keyboard.type('Studio visit today 18:00')
    await press('Enter')
    await page
      .getByRole('button', { name: /^Studio visit/ })
      .first()
      .waitFor()
    await block(kickOff).focus()
    await press('e')
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.waitFor()
    await save()
    await messages(page).getByText('“Studio visit” created').waitFor()
    await atRest(page)
    expect(await title.evaluate((input) => document.activeElement === input)).toBe(true)
    await press('Escape')
  })

  // Without guests, so that nothing is asked.
  it.each([
    ['an event', [/^Report template/]],
    ['several events', [/^Report template/, /^Lunch with Priya/]],
  ])('stays in an editor that was opened while the deletion of %s was being saved', async (_what, names) => {
    if (names.length > 1) for (const name of names) await block(name).click({ modifiers: ['Control'] })
    else await block(names[0]!).focus()
    const save = await holdAsks(page, 'journal/append')
    await press('Delete')
    for (const name of names) await block(name).waitFor({ state: 'detached' })
    await block(kickOff).focus()
    await press('e')
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.waitFor()
    await save()
    await messages(page)
      .getByText(/(Report template.*|2 events) deleted/)
      .first()
      .waitFor()
    await atRest(page)
    expect(await title.evaluate((input) => document.activeElement === input)).toBe(true)
    await press('Escape')
    await title.waitFor({ state: 'detached' })
    await press('Control+z')
    for (const name of names) await block(name).waitFor()
  })

  it('returns from another view with the first arrow key', async () => {
    await page.mouse.click(1060, 250)
    for (const view of ['Control+2', 'Control+3', 'Control+6', 'Control+4', 'Control+,', 'Control+1'])
      await after(() => press(view))
    expect((await after(() => press('ArrowDown'))).inGrid).toBe(true)
  })
})

describe('focus after closing', () => {
  const opened: Array<[string, () => Promise<unknown>]> = [
    ['quick add', () => press('q')],
    ['go to a date', () => press('g')],
    ['the palette', () => press('Control+k')],
    ['the shortcuts sheet', () => press('F1')],
    ['the editor', () => press('c')],
    ['a menu', () => page.getByRole('button', { name: 'View options' }).click()],
    ['the accounts', () => page.getByRole('button', { name: /, accounts/ }).click()],
  ]
  it.each(drawn(opened, 4))("%s isn't lost", async (_name, open) => {
    await page.mouse.click(1060, 250)
    await after(() => press('ArrowDown'))
    await after(open)
    await after(() => press('Escape'))
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
  })

  it("a day's list returns to its opener", async () => {
    await press('3')
    const more = page.locator('[data-more]').last()
    const name = await more.getAttribute('aria-label')
    await after(() => more.click())
    await page.getByRole('dialog', { name: 'All entries on this day' }).waitFor()
    expect((await after(() => press('Escape'))).name).toBe(name)
  })

  it("an alert isn't lost", async () => {
    await block(kickOff).focus()
    await after(() => press('Alt+ArrowDown'))
    await after(() => press('Control+z'))
    await after(() => page.getByRole('button', { name: 'Dismiss message' }).click())
  })
})

describe('messages', () => {
  const removed = async (): Promise<void> => {
    await block(kickOff).focus()
    await press('Delete')
    await page
      .getByRole('dialog', { name: /^Delete “Kick-off/ })
      .getByRole('button', { name: 'Delete' })
      .click()
    await messages(page)
      .getByText(/^“Kick-off.* deleted/)
      .waitFor()
  }

  it('cover no event and no button, and F6 reaches them', async () => {
    await removed()
    const view = (await page.locator('main').boundingBox())!
    const message = (await messages(page).locator('.toast').first().boundingBox())!
    expect(message.y).toBeGreaterThanOrEqual(view.y + view.height)
    const search = (await page.getByRole('button', { name: 'Search and commands' }).boundingBox())!
    expect(message.x + message.width).toBeLessThanOrEqual(search.x)
    await press('F6')
    expect((await focused()).name).toBe('button')
    expect((await after(() => press('Escape'))).inGrid).toBe(true)
    await press('F6', 'Enter')
    await block(kickOff).waitFor()
    expect((await after(() => press('ArrowDown'))).inGrid).toBe(true)
  })

  it('stay in a list, whose Undo still works', async () => {
    await removed()
    const error = { message: 'Couldn’t read the calendar.' }
    await page.evaluate((error) => globalThis.flightplanHear?.('service/failed', error), error)
    await messages(page).getByRole('alert').getByText(error.message).waitFor()
    await messages(page).getByRole('button', { name: 'Dismiss message' }).first().click()
    await page.getByRole('button', { name: 'Recent messages' }).click()
    const list = page.getByRole('dialog', { name: 'Recent messages' })
    await list.waitFor()
    expect(await violationsByTheme(page)).toEqual([])
    const row = list.getByRole('listitem').filter({ hasText: /^“Kick-off.*deleted/ })
    await row.getByRole('button', { name: 'Undo' }).click()
    await block(kickOff).waitFor()
  })
})

it('goes to the first step of adding an account, not to the button that closes it', async () => {
  await runCommand(page, 'Add an account')
  const kinds = page.getByRole('dialog', { name: 'Add an account' })
  await kinds.getByRole('button', { name: /^Campaign Manager 360/ }).click()
  const steps = page.getByRole('dialog', { name: 'Campaign Manager 360' })
  await steps.getByRole('heading', { name: 'Create a client' }).waitFor()
  await expect.poll(() => steps.locator('.body').evaluate((one) => one.contains(document.activeElement))).toBe(true)
  await press('Escape')
  await steps.waitFor({ state: 'detached' })
})
