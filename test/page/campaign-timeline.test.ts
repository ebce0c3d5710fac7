import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { downloadAdvertiser } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { atRest, dismissMessages, messages, pressing, runCommand } from '../helpers/page'

const clock = clockFromMoment()
const size = { width: 1440, height: 900 }
let app: AppPage
const service = serviceForFile({ seed: 'demo', now: clock.now })
let page: Page
/** Names of campaigns that run at different times. */
let campaigns: string[] = []

beforeAll(async () => {
  app = await openApp({ clock, service: service.sandbox, size })
  page = app.page
  await page.getByRole('contentinfo').waitFor()
  const { items } = (await service.client.call('trafficking.userProfiles.list', {})).body
  const { advertisers } = (
    await service.client.call('trafficking.advertisers.list', { profileId: items![0]!.profileId! })
  ).body
  await downloadAdvertiser(page, advertisers![0]!.name!)
  const found = await service.client.call('trafficking.campaigns.list', {
    profileId: items![0]!.profileId!,
    advertiserIds: [advertisers![0]!.id!],
  })
  // Sorted by start, so that the first and the last are far apart.
  const byStart = found.body
    .campaigns!.filter(({ archived }) => archived !== true)
    .sort((a, b) => a.startDate!.localeCompare(b.startDate!))
  campaigns = [byStart[0]!, byStart.at(-1)!, byStart[0]!].map(({ name }) => name!)
})
afterAll(() => app?.close())

const press = pressing(() => page)
const timeline = (): Locator => page.getByRole('grid', { name: /, timeline$/ })
const grid = (name = 'Placements'): Locator => page.getByRole('grid', { name, exact: true })
const row = (at: number): Locator => timeline().locator(`[role=row][aria-rowindex="${at}"]`)
const flight = (at: number): Locator => row(at).locator('[aria-colindex="3"]')
const bar = (at: number): Locator => flight(at).locator('.bar')
const label = async (at: number): Promise<string> => (await flight(at).getAttribute('aria-label'))!

/** Day numbers of a date such as `Wed 10 Jun`, with the year unless it's this one. */
const dayNumber = (text: string): number => {
  const year = new Date(clock.now()).toLocaleString('en', { timeZone: 'Europe/Berlin', year: 'numeric' })
  return Date.parse(`${/ \d{4}$/.test(text) ? text : `${text} ${year}`} UTC`) / 86_400_000
}
/** First and last day of a row's flight, as day numbers. */
async function days(at: number): Promise<[number, number]> {
  const [, start, end] = /: \w{3} (\d+ \w{3}(?: \d{4})?) – \w{3} (\d+ \w{3}(?: \d{4})?) \(/.exec(await label(at))!
  return [dayNumber(start!), dayNumber(end!)]
}
const moved = ([start, end]: [number, number], by: number, byEnd = by): [number, number] => [start + by, end + byEnd]
const isFocusedAt = (at: number): Promise<void> =>
  expect
    .poll(() =>
      timeline().evaluate(
        (one) =>
          document.activeElement === one &&
          document
            .getElementById(one.getAttribute('aria-activedescendant') ?? '')
            ?.closest('[role=row]')
            ?.getAttribute('aria-rowindex'),
      ),
    )
    .toBe(String(at))
const selectedRows = (): Promise<(string | null)[]> =>
  timeline().evaluate((one) =>
    [...one.querySelectorAll('[aria-colindex="3"][aria-selected=true]')]
      .map((cell) => cell.closest('[role=row]')!.getAttribute('aria-rowindex'))
      .sort((a, b) => Number(a) - Number(b)),
  )
/** Focuses a row by keyboard, with its flight in sight. */
async function focusRow(at: number): Promise<void> {
  await timeline().focus()
  await press('Home')
  for (let row = 2; row < at; row++) await press('ArrowDown')
  await isFocusedAt(at)
  await press('Enter')
  await expect.poll(() => isInSight(at)).toBe(true)
}
const isInSight = (at: number): Promise<boolean> =>
  flight(at).evaluate((cell) => {
    const [bar, grid] = [cell.querySelector('.bar'), cell.closest('[role=grid]')!]
    const name = cell.parentElement!.querySelector('[aria-colindex="2"]')!.getBoundingClientRect()
    if (!bar) return false
    const { left, right } = bar.getBoundingClientRect()
    return right > name.right && left < grid.getBoundingClientRect().right
  })
/** Width of a day in CSS pixels. */
async function dayWidth(at = 2): Promise<number> {
  const [start, end] = await days(at)
  return (await bar(at).boundingBox())!.width / (end - start + 1)
}
/** Presses the mouse on a bar and moves it by days. */
async function grab(at: number, by: number, part: 'start' | 'middle' | 'end' = 'middle'): Promise<void> {
  const { x, y, width, height } = (await bar(at).boundingBox())!
  const from = { start: x + 2, middle: x + width / 2, end: x + width - 2 }[part]
  const wide = await dayWidth(at)
  await page.mouse.move(from, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(from + (by * wide) / 2, y + height / 2)
  await page.mouse.move(from + by * wide, y + height / 2)
}
const tip = (): Locator => timeline().locator('.tip')

const alongDialog = (): Locator => page.getByRole('dialog', { name: /^Move \d+ ads?, too\?$/ })
/** A row whose placement hasn't ended, and so has ads that may move along. */
async function servedRow(): Promise<number> {
  for (let at = 2; ; at++) if (/\)\. (Live|Upcoming)/.test(await label(at))) return at
}
/** Moves a placement with its ads, which is asked first, and says that those of all other tests stay. */
async function answerOnce(): Promise<void> {
  const at = await servedRow()
  await focusRow(at)
  const before = await days(at)
  await press('Alt+ArrowRight')
  await alongDialog().getByRole('button', { name: 'Cancel' }).click()
  await alongDialog().waitFor({ state: 'detached' })
  await isFocusedAt(at)
  expect(await days(at)).toEqual(before)
  await press('Alt+ArrowRight')
  await alongDialog().waitFor()
  await press('Enter')
  await expect.poll(() => days(at)).toEqual(moved(before, 1))
  await messages(page)
    .getByText(/^[2-9] flights moved/)
    .first()
    .waitFor()
  await press('Control+z')
  await expect.poll(() => days(at)).toEqual(before)
  await press('Alt+ArrowRight')
  await alongDialog().getByLabel('Don’t ask again').check()
  await alongDialog().getByRole('button', { name: 'Don’t move' }).click()
  await expect.poll(() => days(at)).toEqual(moved(before, 1))
  await press('Control+z')
  await expect.poll(() => days(at)).toEqual(before)
  await press('Home', '0')
}
let isAsked = true

beforeEach(async () => {
  await press('Escape', 'Escape')
  await app.resize(size)
  await runCommand(page, 'Campaigns: placements')
  await page.getByRole('grid').first().waitFor()
  await press('Alt+2')
  await row(2).waitFor()
  await press('0')
  if (isAsked) await answerOnce()
  isAsked = false
  await dismissMessages(page)
})

describe('the layout', () => {
  it('is chosen by key, command, and switch, and remembered for kinds with flights', async () => {
    await press('Alt+1')
    await grid().waitFor()
    await timeline().waitFor({ state: 'detached' })
    await runCommand(page, 'Show as timeline')
    await isFocusedAt(2)
    await runCommand(page, 'Campaigns: creatives')
    await grid('Creatives').waitFor()
    await expect.poll(() => page.getByRole('radiogroup', { name: 'Layout' }).count()).toBe(0)
    await runCommand(page, 'Campaigns: ads')
    await timeline().waitFor()
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click()
    await grid('Ads').waitFor()
    await app.resize({ width: 700, height: 700 })
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitemcheckbox', { name: /^Timeline/ }).click()
    await isFocusedAt(2)
  })

  it('keeps the selected row, the search, and the empty state', async () => {
    await focusRow(5)
    const name = await row(5).locator('.title').textContent()
    await press('Alt+1')
    await expect
      .poll(() =>
        grid().evaluate((one) => document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.textContent),
      )
      .toBe(name)
    await press('Alt+2')
    await isFocusedAt(5)
    const search = page.getByRole('searchbox', { name: 'Search in placements' })
    await search.fill('no such placement')
    await page.getByRole('heading', { name: 'No matches' }).waitFor()
    await search.fill('')
    await timeline().waitFor()
  })
})

describe('bars', () => {
  it('say their dates, phase, and on how many days ads run', async () => {
    const words = /^.+: \w{3} \d+ \w{3}( \d{4})? – \w{3} \d+ \w{3}( \d{4})? \(\d+ days?\)\. (Upcoming|Live|Ended)/
    for (const at of [2, 3, 4]) expect(await label(at)).toMatch(words)
    await expect
      .poll(() =>
        timeline().evaluate((one) =>
          [...one.querySelectorAll('[aria-colindex="3"]')].some((cell) =>
            /Ads on (all days|\d+ of \d+ days)/.test(cell.getAttribute('aria-label')!),
          ),
        ),
      )
      .toBe(true)
    await expect.poll(() => timeline().locator('.served').count()).toBeGreaterThan(0)
  })

  it('are all in sight at first, with today', async () => {
    await expect
      .poll(() =>
        timeline()
          .getByRole('button', { name: /^Show the flight/ })
          .count(),
      )
      .toBe(0)
    const line = timeline().locator('.now')
    const { x } = (await line.boundingBox())!
    const { x: left, width } = (await timeline().boundingBox())!
    expect(x).toBeGreaterThan(left)
    expect(x).toBeLessThan(left + width)
  })

  it('have all labels of the axis in sight, at any width', async () => {
    const edges = (): Promise<{ end: number; axis: number }> =>
      timeline().evaluate((one) => ({
        end: document.querySelector('[role=toolbar][aria-label="Time axis"]')!.getBoundingClientRect().right,
        axis: one.querySelector('[role=columnheader][aria-colindex="2"]')!.getBoundingClientRect().right,
      }))
    for (const width of [640, 1024, 1440]) {
      await app.resize({ width, height: 800 })
      await expect.poll(async () => (await edges()).end <= (await edges()).axis).toBe(true)
    }
  })

  it('are all in sight in each campaign, even far from today', async () => {
    const find = page.getByRole('searchbox', { name: 'Find in the tree' })
    for (const name of campaigns) {
      await find.fill(name)
      await page.getByRole('tree').getByRole('treeitem', { name }).first().click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await row(2).waitFor()
      await expect
        .poll(() =>
          timeline()
            .getByRole('button', { name: /^Show the flight/ })
            .count(),
        )
        .toBe(0)
      // Nothing of this is left in the next campaign.
      await timeline().focus()
      await press('+', '+', '+', '+', '+', 't')
    }
    await find.fill('')
    await page.getByRole('tree').getByRole('treeitem').first().click()
  })

  it('zoom, scroll, and come back into sight', async () => {
    await focusRow(2)
    const before = await dayWidth()
    await press('+', '+', '+', '+')
    await expect.poll(async () => (await dayWidth()) / before).toBeGreaterThan(4)
    // Sunday and Saturday are shaded where days are wide enough.
    await expect.poll(() => timeline().locator('.weekend').count()).toBeGreaterThan(0)
    for (let times = 0; times < 40; times++) await press('ArrowRight')
    await expect.poll(() => isInSight(2)).toBe(false)
    await row(2)
      .getByRole('button', { name: /^Show the flight/ })
      .click()
    await expect.poll(() => isInSight(2)).toBe(true)
    await expect
      .poll(() =>
        row(2)
          .getByRole('button', { name: /^Show the flight/ })
          .count(),
      )
      .toBe(0)
    await press('t')
    const visible = (): Promise<boolean> =>
      timeline().evaluate((one) => {
        const line = one.querySelector('.now')?.getBoundingClientRect()
        const { left, right } = one.getBoundingClientRect()
        return line !== undefined && line.left > left && line.right < right
      })
    await expect.poll(visible).toBe(true)
    await press('-', '-', '-', '-')
    await expect.poll(async () => Math.abs((await dayWidth()) / before - 1)).toBeLessThan(0.05)
    const { x, y } = (await timeline().boundingBox())!
    await page.mouse.move(x + 700, y + 200)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -100)
    await page.keyboard.up('Control')
    await expect.poll(async () => (await dayWidth()) / before).toBeGreaterThan(1.1)
  })
})

it('names the first month beside the names while it’s scrolled', async () => {
  await focusRow(2)
  const zoomed = async (key: string): Promise<void> => {
    const before = await dayWidth()
    await press(key)
    await expect.poll(() => dayWidth()).not.toBe(before)
  }
  // Months are the smaller part, and wider than their names.
  while ((await dayWidth()) >= 4) await zoomed('-')
  while ((await dayWidth()) < 2) await zoomed('+')
  const covered = (): Promise<number> =>
    timeline().evaluate((one) => {
      const { right } = one.querySelector('[role=columnheader][aria-colindex="2"]')!.getBoundingClientRect()
      const ticks = [...one.querySelectorAll('.lower')]
      const first = ticks.find((tick) => tick.getBoundingClientRect().right > right + 40)!
      const { left } = first.getBoundingClientRect()
      if (left > right - 12) one.scrollLeft += left - right + 12
      return right - first.querySelector('.label')!.getBoundingClientRect().left
    })
  await covered()
  await expect.poll(covered).toBeLessThan(1)
})

describe('moving flights by key', () => {
  it('moves all selected ones, or their ends, and is undone in one step', async () => {
    await focusRow(3)
    const before = [await days(3), await days(4)] as const
    await press('Shift+ArrowDown')
    await expect.poll(selectedRows).toEqual(['3', '4'])
    await press('Alt+ArrowRight', 'Alt+ArrowRight')
    await expect.poll(() => days(3)).toEqual(moved(before[0], 2))
    await expect.poll(() => days(4)).toEqual(moved(before[1], 2))
    await messages(page).getByText('2 flights moved').first().waitFor()
    await press('Alt+Shift+ArrowLeft')
    await expect.poll(() => days(4)).toEqual(moved(before[1], 2, 1))
    await row(3).getByText('Draft').waitFor({ state: 'attached' })
    await expect.poll(() => flight(3).locator('.ghost').count()).toBe(1)
    await expect.poll(() => label(3)).toContain('Was ')
    await press('Control+z')
    await expect.poll(() => days(4)).toEqual(moved(before[1], 2))
    await press('Control+z')
    await expect.poll(() => days(4)).toEqual(moved(before[1], 1))
    await press('Control+z')
    await expect.poll(() => days(3)).toEqual(before[0])
    await expect.poll(() => days(4)).toEqual(before[1])
    await expect.poll(() => flight(3).locator('.ghost').count()).toBe(0)
  })

  it('goes back instead where the timeline has no focus', async () => {
    await runCommand(page, 'Campaigns: campaigns')
    await page.getByRole('grid', { name: 'Campaigns, timeline' }).waitFor()
    await runCommand(page, 'Campaigns: placements')
    const placements = page.getByRole('grid', { name: 'Placements, timeline' })
    await placements.waitFor()
    await focusRow(3)
    const before = await days(3)
    await page.getByRole('button', { name: 'Filter', exact: true }).focus()
    await press('Alt+ArrowLeft')
    await page.getByRole('grid', { name: 'Campaigns, timeline' }).waitFor()
    await press('Alt+ArrowRight')
    await placements.waitFor()
    await expect.poll(() => days(3)).toEqual(before)
  })

  it('is found in the palette', async () => {
    await focusRow(3)
    const before = await days(3)
    await runCommand(page, 'Start flights a day earlier')
    await expect.poll(() => days(3)).toEqual(moved(before, -1, 0))
    await press('Control+z')
    await expect.poll(() => days(3)).toEqual(before)
  })
})

describe('moving flights by pointer', () => {
  beforeEach(async () => {
    await press('+', '+')
    await focusRow(3)
  })

  it('moves a flight, and says where to', async () => {
    const before = await days(3)
    await grab(3, 4)
    await tip().getByText('4 days later').waitFor()
    await expect.poll(() => flight(3).locator('.ghost').count()).toBe(1)
    await page.mouse.up()
    await expect.poll(() => days(3)).toEqual(moved(before, 4))
    await tip().waitFor({ state: 'detached' })
    await messages(page).getByText('1 flight moved').waitFor()
    await press('Control+z')
    await expect.poll(() => days(3)).toEqual(before)
  })

  it('moves an end', async () => {
    const before = await days(3)
    await grab(3, -3, 'end')
    await page.mouse.up()
    await expect.poll(() => days(3)).toEqual(moved(before, 0, -3))
    await grab(3, 2, 'start')
    await page.mouse.up()
    await expect.poll(() => days(3)).toEqual(moved(before, 2, -3))
    await press('Control+z')
    await expect.poll(() => days(3)).toEqual(moved(before, 0, -3))
    await press('Control+z')
    await expect.poll(() => days(3)).toEqual(before)
  })

  it('stays under the pointer when the axis is zoomed', async () => {
    const before = await days(3)
    await grab(3, 2, 'end')
    await tip().waitFor()
    const widthNow = async (): Promise<number> => (await bar(3).boundingBox())!.width
    const narrow = await widthNow()
    await press('+', '+')
    await expect.poll(widthNow).toBeGreaterThan(2 * narrow)
    const { x, y, width } = (await bar(3).boundingBox())!
    const day = width / (before[1] - before[0] + 3)
    const pointer = Math.round(x + width + 3 * day)
    await page.mouse.move(pointer, y + 5)
    await expect
      .poll(async () => {
        const { x, width } = (await bar(3).boundingBox())!
        return Math.abs(x + width - pointer) <= day
      })
      .toBe(true)
    await press('Escape')
    await page.mouse.up()
    expect(await days(3)).toEqual(before)
  })

  it('cancels with Escape', async () => {
    const before = await days(3)
    await grab(3, 5)
    await tip().waitFor()
    await press('Escape')
    await tip().waitFor({ state: 'detached' })
    await page.mouse.up()
    await expect.poll(() => days(3)).toEqual(before)
    await expect.poll(() => flight(3).locator('.ghost').count()).toBe(0)
  })

  it('moves all selected ones together, and a click selects one again', async () => {
    const before = [await days(3), await days(4)] as const
    await press('Shift+ArrowDown')
    await expect.poll(selectedRows).toEqual(['3', '4'])
    await grab(3, 3)
    await page.mouse.up()
    await expect.poll(() => days(3)).toEqual(moved(before[0], 3))
    await expect.poll(() => days(4)).toEqual(moved(before[1], 3))
    await press('Control+z')
    await expect.poll(() => days(3)).toEqual(before[0])
    await expect.poll(() => days(4)).toEqual(before[1])
    await bar(3).click()
    await expect.poll(selectedRows).toEqual(['3'])
  })
})

describe('the timeline', () => {
  it('opens records, the menu, and the form of several', async () => {
    await focusRow(4)
    const name = (await row(4).locator('.title').textContent())!
    await press('Space')
    await page.getByRole('heading', { name }).first().waitFor()
    await press('Escape')
    await isFocusedAt(4)
    // Its name stays in sight, however far the days are scrolled.
    await row(3).locator('[aria-colindex="2"]').click({ button: 'right' })
    const menu = page.getByRole('menu')
    await menu.getByRole('menuitem', { name: 'Move dates' }).waitFor()
    await press('Escape')
    await menu.waitFor({ state: 'detached' })
    await isFocusedAt(3)
    await press('Shift+ArrowDown', 'Space')
    await page.getByRole('heading', { name: '2 placements' }).waitFor()
    await press('Escape')
  })

  it('has no accessibility violations', async () => {
    await focusRow(3)
    await press('Alt+ArrowRight')
    await row(3).getByText('Draft').waitFor({ state: 'attached' })
    await atRest(page)
    expect(await violationsByTheme(page)).toEqual([])
    await press('+', '+', '+', '+', '+')
    expect(await violationsByTheme(page, { within: timeline() })).toEqual([])
    await press('Control+z')
    await row(3).getByText('Draft').waitFor({ state: 'detached' })
  })
})
