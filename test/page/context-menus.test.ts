import type { Locator } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { violationsByTheme } from '../helpers/axe'
import { usualClock } from '../helpers/moment'
import { atRest, holdFrames } from '../helpers/page'
import { appForFile } from '../helpers/for-file'

const { page } = appForFile(() => ({ clock: usualClock(), size: { width: 1280, height: 800 } }))

beforeEach(async () => {
  for (const key of ['Escape', 'Escape', 'Control+1', '2', 't']) await page.keyboard.press(key)
  await atRest(page)
})

const menu = (): Locator => page.getByRole('menu').first()
const item = (name: string | RegExp): Locator => page.getByRole('menuitem', { name })
const event = (title: string): Locator => page.locator('.block .hit').filter({ hasText: title }).first()
const focusedLabel = (): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

describe('the menu of an event', () => {
  it('opens by right click, names what it is for, and acts on that event', async () => {
    await event('Wrap-up: Pinecrest').click({ button: 'right' })
    await expect.poll(() => menu().getAttribute('aria-label')).toContain('Wrap-up: Pinecrest')
    await item(/^Duplicate/).click()
    await page.getByTestId('announcements').filter({ hasText: 'Wrap-up: Pinecrest' }).waitFor({ state: 'attached' })
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.locator('.block .hit').filter({ hasText: 'Wrap-up: Pinecrest' }).count()).toBe(1)
  })

  it('opens by Shift+F10 and returns the focus to the event when closed', async () => {
    await event('1:1 Mina').focus()
    await page.keyboard.press('Shift+F10')
    await menu().waitFor()
    await page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
    expect(await focusedLabel()).toContain('1:1 Mina')
  })

  it('keeps keys after its shortcut from the view, even before the next frame', async () => {
    await event('Pacing call').focus()
    const release = await holdFrames(page)
    try {
      await page.keyboard.press('Shift+F10')
      await page.keyboard.press('c')
    } finally {
      await release()
    }
    await page.locator('[role=menuitem][data-highlighted]').waitFor()
    await expect.poll(() => page.getByRole('dialog', { name: 'New event' }).count()).toBe(0)
  })

  it('sets a color from its submenu by keys', async () => {
    await event('Pacing call').focus()
    await page.keyboard.press('Shift+F10')
    await menu().waitFor()
    await page.keyboard.press('c')
    while (!(await item('Color').evaluate((one) => one.matches('[data-highlighted]'))))
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await item('Banana').waitFor()
    await page.keyboard.press('b')
    await page.keyboard.press('Enter')
    await page.getByTestId('announcements').filter({ hasText: 'Color of “Pacing call' }).waitFor({ state: 'attached' })
  })

  it('says why nothing can be changed in a read-only calendar', async () => {
    await page.keyboard.press('3')
    for (const month of ['June', 'July', 'August', 'September']) {
      await page.getByRole('grid', { name: `Month, ${month} 2026` }).waitFor()
      await page.keyboard.press('j')
    }
    await page.locator('.chip .hit[aria-label*="Holidays"]').filter({ hasText: 'Unity Day' }).click({ button: 'right' })
    await menu().getByText('Holidays is read-only').waitFor()
    await expect.poll(() => item(/^Delete/).getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => item(/^Copy details/).getAttribute('aria-disabled')).not.toBe('true')
    await item(/^View all details/).click()
    const details = page.getByRole('complementary', { name: 'Event details' })
    const copy = details.getByRole('button', { name: 'Duplicate' })
    await expect.poll(() => copy.evaluate((one) => one === document.activeElement)).toBe(true)
    await expect.poll(() => details.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await details.getByPlaceholder('You can’t add guests').waitFor()
    await copy.click()
    await details.waitFor({ state: 'detached' })
    await page.locator('.chip .hit[aria-label*="Alex Morgan"]').filter({ hasText: 'Unity Day' }).waitFor()
  })
})

describe('the menu of free time', () => {
  it('creates an event where it was opened', async () => {
    const column = page.locator('.column').nth(5)
    const box = (await column.boundingBox())!
    await page.mouse.click(box.x + 40, box.y + (16.2 / 24) * box.height, { button: 'right' })
    await item(/^New event here/).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Start time', exact: true }).inputValue()).toBe('16:00')
  })

  it('brings the day and the time into quick add', async () => {
    await page.locator('[data-slot]').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ContextMenu')
    await item(/^Quick add here/).click()
    const line = page.getByRole('textbox', { name: 'Describe the event' })
    await line.press('End')
    await line.pressSequentially('Coffee')
    await page.getByRole('button', { name: 'Create' }).waitFor()
    await expect.poll(() => page.locator('#quick-reading').innerText()).toMatch(/Coffee[\s\S]*\d\d:\d\d/)
  })

  it('brings the day into a new task', async () => {
    await page.getByRole('button', { name: 'Open Friday 12 June' }).click({ button: 'right' })
    await item(/^New task on this day/).click()
    const field = page.getByRole('textbox', { name: 'New task' })
    await field.press('End')
    await field.pressSequentially(' Buy tape')
    await page.getByText('Due Friday 12 June').waitFor()
    await field.press('Enter')
    await page.getByTestId('announcements').filter({ hasText: 'Buy tape' }).waitFor({ state: 'attached' })
  })
})

describe('the menu of a day', () => {
  const labels = (): Promise<string[]> => page.getByRole('menuitem').allInnerTexts()

  it('opens on a day of the small month by right click and by keys', async () => {
    const day = page.locator('.mini').getByRole('button', { name: 'Friday 12 June' })
    await day.click({ button: 'right' })
    await expect.poll(() => menu().getAttribute('aria-label')).toBe('Friday 12 June')
    await page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
    await expect.poll(focusedLabel).toBe('Friday 12 June')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => menu().getAttribute('aria-label')).toBe('Saturday 13 June')
    await item('Open day').click()
    await page.getByRole('heading', { name: 'Sat 13 Jun', exact: true }).waitFor()
  })

  it('opens on hidden entries of a month, and creates an event on that day', async () => {
    await page.keyboard.press('3')
    const more = page.locator('[data-more]').first()
    const name = (await more.getAttribute('aria-label'))!.replace(/^.* more on /, '')
    await more.focus()
    await page.keyboard.press('ContextMenu')
    await expect.poll(() => menu().getAttribute('aria-label')).toBe(name)
    await item('New event on this day').click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    const start = page.getByRole('combobox', { name: 'Start date' }).or(page.getByLabel('Start date'))
    await expect.poll(() => start.first().inputValue()).toContain(name.split(' ')[1]!)
  })

  it('opens on all-day entries that have no room, which the arrow keys reach', async () => {
    await page.keyboard.press('1')
    for (const title of ['Fair', 'Show', 'Expo', 'Demo']) {
      await page.keyboard.press('q')
      await page.locator('#quick-line').fill(`${title} all day tomorrow`)
      await page.keyboard.press('Enter')
      await page.locator('#quick-line').waitFor({ state: 'detached' })
    }
    const more = page.locator('.lane [data-more]').first()
    const name = (await more.getAttribute('aria-label'))!
    expect(name).toMatch(/^\d+ more all day on /)
    await more.click({ button: 'right' })
    await expect.poll(() => menu().getAttribute('aria-label')).toBe(name.replace(/^.* on /, ''))
    await page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
    await page.locator('.lane [data-cell]').first().focus()
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown')
        await atRest(page)
        // An entry added last may have come since.
        return (await focusedLabel()) === (await more.getAttribute('aria-label'))
      })
      .toBe(true)
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => menu().getAttribute('aria-label')).toBe(name.replace(/^.* on /, ''))
    await page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await more.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.lane .chip') !== null)).toBe(true)
  })

  it('opens on the head of a day in the agenda', async () => {
    await page.keyboard.press('4')
    await page.locator('.agenda [data-day-head]').first().click({ button: 'right' })
    await expect.poll(labels).toContain('Open week')
    await item('Open week').click()
    await page.locator('.agenda').waitFor({ state: 'detached' })
  })
})

describe('the menu of tasks', () => {
  it('makes a task due tomorrow, and all selected ones at once', async () => {
    await page.keyboard.press('Control+2')
    const rows = page.locator('[data-task]')
    await rows.first().click({ button: 'right' })
    await item('Due tomorrow').click()
    await rows.first().getByText('Tomorrow').waitFor()
    await rows.nth(1).click()
    await rows.nth(2).click({ modifiers: ['Shift'] })
    await rows.nth(1).click({ button: 'right' })
    await expect.poll(() => menu().getAttribute('aria-label')).toBe('2 tasks')
    await item(/^Delete 2/).waitFor()
    await item('Due tomorrow').click()
    await rows.nth(2).getByText('Tomorrow').waitFor()
  })

  it('of a day in Upcoming opens by right click and by keys', async () => {
    await page.keyboard.press('Control+2')
    await page.keyboard.press('u')
    await page.getByRole('heading', { name: 'Tomorrow', exact: true }).click({ button: 'right' })
    await expect.poll(() => menu().getAttribute('aria-label')).toBe('Tomorrow')
    await item('New task on this day…').click()
    const field = page.getByRole('textbox', { name: 'New task' })
    await field.fill('Pack the bags')
    await field.press('Enter')
    await page.getByRole('treegrid', { name: 'Tomorrow' }).getByText('Pack the bags').waitFor()
    await page.getByRole('button', { name: 'Add a task on Tomorrow' }).focus()
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => menu().getAttribute('aria-label')).toBe('Tomorrow')
    await item('New event on this day…').click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Describe the event' }).inputValue()).toBe('2026-06-11 ')
  })

  it('of a list opens by right click on the list', async () => {
    await page.keyboard.press('Control+2')
    await page.locator('.side li .item').last().click({ button: 'right' })
    await item('Rename…').waitFor()
    await page.keyboard.press('Escape')
  })

  it('of a list gives the keyboard back to the list', async () => {
    await page.keyboard.press('Control+2')
    const list = page.locator('.side li .item').last()
    await list.focus()
    await page.keyboard.press('Shift+F10')
    await item('Rename…').waitFor()
    await page.keyboard.press('Escape')
    await item('Rename…').waitFor({ state: 'detached' })
    await expect.poll(() => list.evaluate((one) => one === document.activeElement)).toBe(true)
  })
})

describe('the menu of a button', () => {
  it('keeps keys from the view as soon as it opens, even before the next frame', async () => {
    await page.getByRole('button', { name: 'View options' }).focus()
    const release = await holdFrames(page)
    try {
      await page.keyboard.press('Enter')
      await page.keyboard.press('c')
    } finally {
      await release()
    }
    await page.locator('[role=menuitem][data-highlighted]').waitFor()
    await expect.poll(() => page.getByRole('dialog', { name: 'New event' }).count()).toBe(0)
  })
})

it('meets the rules of accessibility in both themes', async () => {
  await event('1:1 Mina').click({ button: 'right' })
  await menu().waitFor()
  expect(await violationsByTheme(page, { within: '[role="menu"]' })).toEqual([])
})
