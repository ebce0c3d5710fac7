import type { Locator } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { violationsByTheme } from '../helpers/axe'
import { downloadAdvertiser } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { atRest, dismissMessages, messages, nothingPending, runCommand } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))
beforeAll(() => downloadAdvertiser(page), 180_000)

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
const matrix = (): Locator => page.getByRole('grid', { name: 'Placements, matrix' })
type Place = readonly [row: number, column: number]
const cell = ([row, column]: Place): Locator =>
  matrix().locator(`[aria-rowindex="${row}"] > [aria-colindex="${column}"]`)
const stateOf = (place: Place): Promise<string> =>
  cell(place).evaluate(
    (one) => ['assigned', 'possible', 'impossible'].find((name) => one.classList.contains(name)) ?? '',
  )
/** Cells in sight that have a state. */
const placesOf = (state: string): Promise<Place[]> =>
  matrix().evaluate((one, name) => {
    const room = one.getBoundingClientRect()
    return [...one.querySelectorAll(`.${name}[role=gridcell]`)].flatMap((found): [number, number][] => {
      const { right, bottom } = found.getBoundingClientRect()
      const row = Number(found.parentElement!.getAttribute('aria-rowindex'))
      return right < room.right - 20 && bottom < room.bottom - 20
        ? [[row, Number(found.getAttribute('aria-colindex'))]]
        : []
    })
  }, state)
/** Goes to a cell by keyboard. */
async function go([row, column]: Place): Promise<void> {
  await matrix().focus()
  await press('Control+Home')
  for (let at = 2; at < row; at++) await press('ArrowDown')
  for (let at = 1; at < column; at++) await press('ArrowRight')
  await expect
    .poll(() =>
      matrix().evaluate((one) => {
        const active = document.getElementById(one.getAttribute('aria-activedescendant') ?? '')
        return [active?.parentElement?.getAttribute('aria-rowindex'), active?.getAttribute('aria-colindex')].join()
      }),
    )
    .toBe(`${row},${column}`)
}

beforeEach(async () => {
  await press('Escape', 'Escape')
  await runCommand(page, 'Campaigns: placements')
  await page.getByRole('grid').first().waitFor()
  await press('Alt+3')
  await expect.poll(async () => (await placesOf('possible')).length).toBeGreaterThan(1)
  await dismissMessages(page)
})

describe('the matrix', () => {
  it('is chosen by key, command, and switch, for placements only', async () => {
    await press('Alt+1')
    await page.getByRole('grid', { name: 'Placements', exact: true }).waitFor()
    await runCommand(page, 'Show as matrix')
    await matrix().waitFor()
    await runCommand(page, 'Campaigns: ads')
    await page.getByRole('grid', { name: 'Ads', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('radiogroup', { name: 'Layout' }).getByText('Matrix').count()).toBe(0)
    await runCommand(page, 'Campaigns: placements')
    await matrix().waitFor()
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click()
    await matrix().waitFor({ state: 'detached' })
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Matrix').click()
    await matrix().waitFor()
  })

  it('says why a cell can’t be assigned', async () => {
    const [place] = await placesOf('impossible')
    await expect.poll(() => cell(place!).getAttribute('aria-label')).toMatch(/^Can’t be assigned\. .+/)
    await expect.poll(() => cell(place!).getAttribute('title')).toMatch(/^Can’t be assigned\. .+/)
    await go(place!)
    await press('Space')
    expect(await stateOf(place!)).toBe('impossible')
  })

  it('opens the record of a row', async () => {
    await go([3, 1])
    await press('Enter')
    const name = (await cell([3, 1]).locator('.title').textContent())!
    await page.getByRole('heading', { name }).first().waitFor()
    await press('Escape')
  })

  it('has no accessibility violations', async () => {
    await go((await placesOf('possible'))[0]!)
    await atRest(page)
    expect(await violationsByTheme(page)).toEqual([])
  })
})

describe('assigning', () => {
  it('by keyboard, and undoing', async () => {
    const [place] = await placesOf('possible')
    await go(place!)
    await press('Space')
    await expect.poll(() => stateOf(place!)).toBe('assigned')
    await messages(page)
      .getByText(/^Assign “.+” to “.+”/)
      .first()
      .waitFor()
    await press('Control+z')
    await expect.poll(() => stateOf(place!)).toBe('possible')
    await press('Control+y')
    await expect.poll(() => stateOf(place!)).toBe('assigned')
    await matrix().focus()
    await press('Space')
    // Until it's saved, Ctrl+Z only stops it.
    await messages(page)
      .getByText(/^Remove “.+” from “.+”/)
      .waitFor()
    await press('Control+z', 'Control+z')
    await expect.poll(() => stateOf(place!)).toBe('possible')
  })

  it('by pointer, and by the menu', async () => {
    const [place] = await placesOf('possible')
    await cell(place!).locator('.mark').click()
    await expect.poll(() => stateOf(place!)).toBe('assigned')
    await cell(place!).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Open ad “/ }).waitFor()
    await page.getByRole('menuitem', { name: /^Remove/ }).click()
    await expect.poll(() => stateOf(place!)).toBe('possible')
    await matrix().focus()
    await dismissMessages(page)
    await press('Shift+F10')
    await page.getByRole('menuitem', { name: /^Assign/ }).click()
    // Until it's saved, Ctrl+Z only stops it.
    await messages(page)
      .getByText(/^Assign “/)
      .waitFor()
    await press('Control+z', 'Control+z', 'Control+z')
    await expect.poll(() => stateOf(place!)).toBe('possible')
  })

  it('fills all that match, and posts it', async () => {
    const [place] = await placesOf('possible')
    await go([place![0], 2])
    await press('Shift+End', 'Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Fill matching' })
    await dialog.getByText(/^Assigns \d+ cells?: /).waitFor()
    await dialog.getByText('Creative', { exact: true }).click()
    await expect.poll(() => dialog.getByRole('list', { name: 'Ads' }).getByRole('listitem').count()).toBeGreaterThan(0)
    await dialog.getByRole('button', { name: /^Assign \d+ cells?$/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => stateOf(place!)).toBe('assigned')
    await expect.poll(async () => (await placesOf('possible')).filter(([row]) => row === place![0]).length).toBe(0)
    await press('Control+Shift+Enter')
    const post = page.getByRole('dialog', { name: /^Post/ })
    await post.getByRole('button', { name: /^Post \d+/ }).click()
    await nothingPending(page)
    expect(await stateOf(place!)).toBe('assigned')
  })
})
