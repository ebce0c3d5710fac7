import type { Locator } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { violationsByTheme } from '../helpers/axe'
import { appForFile } from '../helpers/for-file'
import { atRest, messages } from '../helpers/page'

const { page } = appForFile(() => ({ size: { width: 1280, height: 800 } }))

const rows = (grid: string): Locator => page.getByRole('treegrid', { name: grid }).getByRole('row')
const heading = (name: string | RegExp): Locator => page.getByRole('heading', { name, level: 2 })
const field = (): Locator => page.getByRole('textbox', { name: 'New task' })
const announced = (text: string): Promise<void> =>
  page.getByTestId('announcements').filter({ hasText: text }).waitFor({ state: 'attached' })

beforeEach(async () => {
  for (const key of ['Escape', 'Escape', 'Control+2']) await page.keyboard.press(key)
  await atRest(page)
})

describe('Today', () => {
  it('reschedules everything overdue to today as one step', async () => {
    await page.keyboard.press('t')
    await heading('Overdue').waitFor()
    const late = await rows('Overdue').count()
    expect(late).toBeGreaterThan(1)
    const due = await rows('Today').count()
    await page.getByRole('button', { name: 'Reschedule all to today' }).click()
    await heading('Overdue').waitFor({ state: 'detached' })
    expect(await rows('Today').count()).toBe(due + late)
    await messages(page).getByText(`${late} tasks rescheduled to today`).waitFor()
    await page.keyboard.press('Control+z')
    await heading('Overdue').waitFor()
    expect([await rows('Overdue').count(), await rows('Today').count()]).toEqual([late, due])
  })

  it('keeps what was done today below what is left', async () => {
    await page.keyboard.press('t')
    await field().fill('Water the plants')
    await field().press('Enter')
    const row = page.getByRole('row', { name: /^Water the plants/ })
    await row.getByRole('checkbox').click()
    await page.keyboard.press('h')
    const done = page.getByRole('treegrid', { name: 'Done today' })
    await done.getByRole('row', { name: /^Water the plants, completed/ }).waitFor()
    await page.keyboard.press('3')
    await page.getByRole('heading', { name: 'Logbook', level: 1 }).waitFor()
    await rows('Today').filter({ hasText: 'Water the plants' }).waitFor()
    await page.keyboard.press('t')
    await page.keyboard.press('h')
  })
})

describe('Upcoming', () => {
  it('shows days with their events, and adds a task to the day chosen', async () => {
    await page.keyboard.press('u')
    await heading('Tomorrow').waitFor()
    expect(await page.locator('.section h2').count()).toBeGreaterThanOrEqual(14)
    await page.getByRole('button', { name: /^Open Tomorrow in the calendar/ }).waitFor()
    await page.getByRole('button', { name: 'Add a task on Friday 12 June' }).click()
    await field().fill('Pack the samples')
    await field().press('Enter')
    await rows('Friday 12 June').filter({ hasText: 'Pack the samples' }).waitFor()
  })

  it('moves a task to the day it is dropped on', async () => {
    await page.keyboard.press('u')
    await field().fill('Order paper')
    await field().press('Enter')
    const row = rows('Tomorrow').filter({ hasText: 'Order paper' })
    await row.dragTo(heading('Friday 12 June'))
    await announced('Order paper due Friday 12 June')
    await rows('Friday 12 June').filter({ hasText: 'Order paper' }).waitFor()
  })

  it('opens a day in the calendar', async () => {
    await page.keyboard.press('u')
    await page.getByRole('button', { name: /^Open Tomorrow in the calendar/ }).click()
    await page.getByRole('grid', { name: /^Day, Thursday 11 June/ }).waitFor()
  })

  it('meets the rules of accessibility in both themes', async () => {
    await page.keyboard.press('u')
    await heading('Tomorrow').waitFor()
    expect(await violationsByTheme(page)).toEqual([])
    await page.keyboard.press('t')
    expect(await violationsByTheme(page)).toEqual([])
  })
})
