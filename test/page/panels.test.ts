import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openApp, type AppPage } from '../helpers/app-page'
import { violations } from '../helpers/axe'
import { usualClock } from '../helpers/moment'
import { atRest, choose, nothingPending, workOffline } from '../helpers/page'
import { drawn } from '../helpers/ring'

const clock = usualClock()
let app: AppPage
let page: Page

beforeAll(async () => {
  app = await openApp({ clock, size: { width: 1280, height: 800 } })
  page = app.page
  await nothingPending(page)
})
afterAll(() => app.close())

async function to(width: number, height: number): Promise<void> {
  await app.resize({ width, height })
  await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [width, height])
  await atRest(page)
}
beforeEach(async () => {
  await to(1280, 800)
  for (const key of ['Escape', 'Escape', 'Control+1', '2', 't']) await page.keyboard.press(key)
  await page.getByRole('textbox', { name: 'Title' }).waitFor({ state: 'detached' })
  await atRest(page)
})

const goTo = (view: string): Promise<void> =>
  page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: new RegExp(`^${view}`) })
    .click()
const form = (): Locator => page.locator('form.editor')
/** Shows every field of a new event, in the panel. */
const more = (): Promise<void> => page.getByRole('button', { name: 'More options' }).click()
const boxes = (): Promise<unknown> =>
  page.locator('.column').evaluateAll((columns) =>
    columns.map((one) => {
      const { left, width, top } = one.getBoundingClientRect()
      return [left, width, top]
    }),
  )
const sidebar = (): Locator => page.getByRole('complementary', { name: 'Calendar sidebar' })

describe('a new event', () => {
  it.each(drawn([1010, 1280, 1680], 1))('shifts no week content in a window %i px wide', async (width) => {
    await to(width, 800)
    const before = await boxes()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await atRest(page)
    expect(await boxes()).toEqual(before)
  })

  it.each(drawn([1010, 1200, 1280, 1680], 2))(
    'leaves every day, and the sidebar if there’s room, beside its panel in a window %i px wide',
    async (width) => {
      await to(width, 800)
      await page.keyboard.press('c')
      await page.getByRole('textbox', { name: 'Title' }).waitFor()
      await more()
      await atRest(page)
      const sunday = (await page.locator('.column').last().boundingBox())!
      const panel = (await form().boundingBox())!
      expect(sunday.x + sunday.width).toBeLessThanOrEqual(panel.x)
      await expect.poll(() => sidebar().isVisible()).toBe(width >= 1280)
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Title' }).evaluate((one) => one === document.activeElement))
        .toBe(true)
    },
  )

  it('keeps its side, its text, and the focus while the window is resized', async () => {
    const date = form().getByRole('textbox', { name: 'Start date' })
    await to(1400, 800)
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Title' }).fill('Long haul')
    await date.fill('fri')
    await date.press('Tab')
    await expect.poll(() => date.inputValue()).toBe('Fri 12 Jun')
    await more()
    await form().getByRole('combobox', { name: 'Guests' }).waitFor()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Title' }).evaluate((one) => one === document.activeElement))
      .toBe(true)
    // Text that hasn’t been read yet.
    await date.fill('thu')
    for (const width of [1290, 1270, 700, 1400]) {
      await to(width, 800)
      const right = await form().evaluate((one) => Math.round(one.closest('aside')!.getBoundingClientRect().right))
      expect([width, right]).toEqual([width, width])
      expect(await date.evaluate((one) => [one === document.activeElement, (one as HTMLInputElement).value])).toEqual([
        true,
        'thu',
      ])
    }
    await expect.poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Long haul')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor({ state: 'detached' })
  })

  it.each(drawn(['Monday 8 June', 'Wednesday 10 June', 'Friday 12 June', 'Sunday 14 June'], 2))(
    'stays visible next to its form when drawn on %s',
    async (day) => {
      await to(1680, 800)
      // In the evening, where there's nothing else.
      await page.getByRole('rowgroup', { name: 'Times of the day' }).evaluate((hours) => (hours.scrollTop = 9999))
      const column = (await page.locator(`.column[aria-label="${day}"]`).boundingBox())!
      const x = column.x + column.width / 2
      const y = column.y + (22 / 24) * column.height + 3
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x, y + 10, { steps: 3 })
      await page.mouse.move(x, y + 40, { steps: 3 })
      await page.mouse.up()
      await page.getByRole('textbox', { name: 'Title' }).waitFor()
      await atRest(page)
      const [draft, panel] = [
        (await page.locator('[data-ghost]').boundingBox())!,
        (await page.getByRole('dialog', { name: 'New event' }).boundingBox())!,
      ]
      expect(draft.x + draft.width <= panel.x || draft.x >= panel.x + panel.width).toBe(true)
    },
  )

  it('fits its form on one screen, with rare fields one key away', async () => {
    await to(1280, 750)
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await more()
    const fields = form().locator('.fields')
    expect(await fields.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
    await expect.poll(() => form().getByRole('radiogroup', { name: 'Color' }).isVisible()).toBe(false)
    await form().locator('summary').press('Enter')
    await form().getByRole('radiogroup', { name: 'Color' }).waitFor()
    expect(await violations(page, { within: form() })).toEqual([])
  })

  it('finds time zones by city and offset, shows the local time, and keeps Escape in the form', async () => {
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await form().getByRole('button', { name: 'Time zone' }).click()
    const zone = form().getByRole('combobox', { name: 'Time zone' })
    await zone.click()
    await page.getByRole('option', { name: /Berlin/, selected: true }).waitFor()
    expect(await violations(page, { within: form() })).toEqual([])
    await zone.fill('tokyo')
    await zone.press('Escape')
    await expect.poll(() => zone.inputValue()).toBe('Berlin')
    await expect.poll(() => form().isVisible()).toBe(true)
    await zone.fill('gmt+9 tok')
    await zone.press('Enter')
    await expect.poll(() => zone.inputValue()).toBe('Tokyo')
    await form()
      .getByText(/^\d\d:\d\d in Berlin$/)
      .waitFor()
  })

  it('lets you choose a calendar by name and color', async () => {
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    const calendar = form().getByRole('combobox', { name: 'Calendar' })
    const dot = (): Promise<string> =>
      form()
        .locator('.combobox .dot')
        .evaluate((one) => getComputedStyle(one).backgroundColor)
    const before = await dot()
    await choose(calendar, 'Team')
    await expect.poll(() => calendar.inputValue()).toBe('Team')
    expect(await dot()).not.toBe(before)
  })
})

describe('panel widths', () => {
  const handle = (name: string): Locator => page.getByRole('separator', { name })
  const width = async (one: Locator): Promise<number> => (await one.boundingBox())!.width

  it('change by keyboard within limits and persist across views', async () => {
    const side = handle('Sidebar width')
    await side.focus()
    const before = await width(sidebar())
    await page.keyboard.press('ArrowRight')
    expect(await width(sidebar())).toBe(before + 16)
    for (let round = 0; round < 6; round++) await page.keyboard.press('Shift+ArrowLeft')
    expect(await width(sidebar())).toBe(180)
    await page.keyboard.press('Control+2')
    const lists = page.getByRole('complementary', { name: 'Tasks sidebar' })
    await lists.waitFor()
    expect(await width(lists)).toBe(180)
    await side.dblclick()
    expect(await width(lists)).toBe(232)
  })

  it('change by mouse', async () => {
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await more()
    const panel = page.getByRole('complementary', { name: 'New event' })
    const before = await width(panel)
    const box = (await handle('Panel width').boundingBox())!
    await page.mouse.move(box.x + 3, box.y + 200)
    await page.mouse.down()
    await page.mouse.move(box.x - 57, box.y + 200, { steps: 5 })
    await page.mouse.up()
    expect(await width(panel)).toBe(before + 60)
    await handle('Panel width').dblclick()
    expect(await width(panel)).toBe(372)
  })
})

describe('the status line', () => {
  const chip = (): Locator => page.getByRole('contentinfo').getByRole('button', { name: /synced|Offline/ })

  it('announces going online and offline once each', async () => {
    await expect.poll(() => chip().innerText()).toMatch(/^Online · synced/)
    await workOffline(page)
    await expect.poll(() => chip().innerText()).toMatch(/^Offline/)
    await goTo('Sync')
    await page.getByRole('heading', { name: 'Sync', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('switch').count()).toBe(0)
    await workOffline(page)
    await expect.poll(() => chip().innerText()).toMatch(/^Online/)
  })

  it('keeps offline mode over a restart and a kill', async () => {
    await workOffline(page)
    await expect.poll(() => chip().innerText()).toMatch(/^Offline/)
    await app.kill()
    app = await openApp({ clock, userData: app.userData, size: { width: 1280, height: 800 } })
    page = app.page
    await expect.poll(() => chip().innerText()).toMatch(/^Offline/)
    await workOffline(page)
    await expect.poll(() => chip().innerText()).toMatch(/^Online/)
  })

  it('toggles by keyboard', async () => {
    await chip().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Offline mode' }).waitFor()
    expect(await violations(page, { within: page.getByRole('menu') })).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => chip().innerText()).toMatch(/^Offline/)
    await page.keyboard.press('Control+Shift+o')
    await expect.poll(() => chip().innerText()).toMatch(/^Online/)
  })

  it("marks pending changes with a dot that shifts nothing, until they're sent", async () => {
    await workOffline(page)
    const chipOf = page.locator('.chip').filter({ hasText: 'Weekly planning' }).first()
    const title = chipOf.locator('.title')
    const place = async (): Promise<number> => (await title.boundingBox())!.x
    const before = await place()
    await expect.poll(() => chipOf.locator('.mark').count()).toBe(0)
    await chipOf.locator('.hit').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByRole('dialog').getByRole('button', { name: 'This event' }).click()
    await chipOf.locator('.mark').waitFor()
    expect(await place()).toBe(before)
    await page.keyboard.press('Control+z')
    await workOffline(page)
    await expect.poll(() => page.locator('.chip .mark').count()).toBe(0)
  })
})

it('only developers can simulate errors', async () => {
  await goTo('Sync')
  await expect.poll(() => page.getByRole('heading', { name: 'Simulator' }).count()).toBe(0)
  await page.keyboard.press('Control+,')
  await page.getByRole('switch', { name: 'Simulate problems' }).click()
  await goTo('Sync')
  await page.getByRole('heading', { name: 'Simulator' }).waitFor()
})
