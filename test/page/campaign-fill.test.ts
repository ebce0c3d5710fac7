import type { Locator } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { violationsByTheme } from '../helpers/axe'
import { downloadAdvertiser, firstAdvertiser } from '../helpers/campaign-download'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { clockFromMoment } from '../helpers/moment'
import { dismissMessages, messages, pressing, runCommand } from '../helpers/page'
import { recordGrid } from '../helpers/record-grid'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))
beforeAll(async () => downloadAdvertiser(page, await firstAdvertiser(service)), 180_000)
let column = 0

const press = pressing(() => page)
const { grid, columnOf, ...placements } = recordGrid(() => page)
const cell = (row: number, at = column): Locator => placements.cell(row, at)
const handle = (): Locator => grid().locator('.filler')
const outline = (): Locator => grid().locator('.outline')
const centerOf = async (one: Locator): Promise<[number, number]> => {
  const { x, y, width, height } = (await one.boundingBox())!
  return [x + width / 2, y + height / 2]
}
const hold = async (): Promise<void> => {
  await page.mouse.move(...(await centerOf(handle())))
  await page.mouse.down()
}
async function typeInto(row: number, text: string): Promise<void> {
  await cell(row).click()
  await page.keyboard.type(text)
  await press('Enter')
  await expect.poll(() => cell(row).textContent()).toBe(text)
}
beforeEach(async () => {
  await press('Escape', 'Escape')
  await runCommand(page, 'Campaigns: placements')
  await grid().getByRole('gridcell').first().waitFor()
  await dismissMessages(page)
  await grid().focus()
  await press('Control+Home')
  column = await columnOf('Plan line')
})

it('fills the cells that it’s dragged over, in one step, unless Escape cancels', async () => {
  const before = await cell(5).textContent()
  await typeInto(2, 'one')
  await typeInto(3, 'two')
  await cell(2).click()
  await cell(3).click({ modifiers: ['Shift'] })
  await hold()
  await page.mouse.move(...(await centerOf(cell(5))), { steps: 4 })
  await expect.poll(() => outline().textContent()).toBe('2 cells')
  expect(await violationsByTheme(page)).toEqual([])
  await press('Escape')
  await outline().waitFor({ state: 'detached' })
  await page.mouse.up()
  await expect.poll(() => cell(5).textContent()).toBe(before)

  await hold()
  await page.mouse.move(...(await centerOf(cell(6))), { steps: 4 })
  await expect.poll(() => outline().textContent()).toBe('3 cells')
  await page.mouse.up()
  await messages(page).getByText('3 cells filled').waitFor()
  for (const [row, text] of [
    [4, 'one'],
    [5, 'two'],
    [6, 'one'],
  ] as const)
    await expect.poll(() => cell(row).textContent()).toBe(text)
  await expect.poll(() => cell(6).getAttribute('aria-selected')).toBe('true')
  await press('Control+z')
  await expect.poll(() => cell(5).textContent()).toBe(before)
})

it('follows the pointer when the selection moves during a drag', async () => {
  await cell(2).click()
  await hold()
  await page.mouse.move(...(await centerOf(cell(5))), { steps: 4 })
  await expect.poll(() => outline().textContent()).toBe('3 cells')
  await press('ArrowDown')
  await expect.poll(() => outline().textContent()).toBe('2 cells')
  // Past the pointer, so nothing is left to fill.
  await press('ArrowDown', 'ArrowDown', 'ArrowDown')
  await outline().waitFor({ state: 'detached' })
  await page.mouse.up()
  await expect.poll(() => cell(6).getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => cell(7).getAttribute('aria-selected')).not.toBe('true')
})

it('fills to the right', async () => {
  await page.mouse.move(0, 0)
  const [units, rate] = [await columnOf('Units'), await columnOf('Rate/cost')]
  expect(rate).toBe(units + 1)
  const before = await cell(2, rate).textContent()
  await cell(2, units).click()
  await page.keyboard.type('12')
  await press('Enter')
  await cell(2, units).click()
  await hold()
  await page.mouse.move(...(await centerOf(cell(2, rate))), { steps: 4 })
  await expect.poll(() => outline().textContent()).toBe('1 cell')
  await page.mouse.up()
  await expect.poll(() => cell(2, rate).textContent()).toBe('12.00')
  await press('Control+z')
  await expect.poll(() => cell(2, rate).textContent()).toBe(before)
})

it('fills to the last row on a double click', async () => {
  const rows = Number(await grid().getAttribute('aria-rowcount')) - 1
  await typeInto(2, 'all')
  await cell(2).click()
  await handle().dblclick()
  await messages(page)
    .getByText(`${rows - 1} cells filled`)
    .waitFor()
  await press('Control+End')
  await expect.poll(() => cell(rows + 1).textContent()).toBe('all')
  await press('Control+z')
  await expect.poll(() => cell(rows + 1).textContent()).not.toBe('all')
})

it('scrolls at the edge to rows that weren’t drawn', async () => {
  const rows = Number(await grid().getAttribute('aria-rowcount')) - 1
  await typeInto(2, 'far')
  await cell(2).click()
  await hold()
  const { x, y, height } = (await grid().boundingBox())!
  await page.mouse.move(x + 600, y + height - 4, { steps: 4 })
  await expect.poll(() => outline().textContent()).toBe(`${rows - 1} cells`)
  await page.mouse.up()
  await messages(page)
    .getByText(`${rows - 1} cells filled`)
    .waitFor()
  await press('Control+z')
})

it('isn’t there for read-only cells, which say why', async () => {
  await cell(2, await columnOf('Site')).click()
  await expect.poll(() => handle().count()).toBe(0)
  await expect
    .poll(() => grid().locator('.closed').getAttribute('title'))
    .toBe('Can’t fill from here. Can’t be changed after creation')
  await cell(2).click()
  await expect.poll(() => handle().getAttribute('title')).toContain('Ctrl+D')
})
