import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsByTheme } from '../helpers/axe'
import { usualClock } from '../helpers/moment'
import { atRest } from '../helpers/page'
import { lostInWindow } from '../helpers/reflow'
import { reportScreens, showExport } from '../helpers/report-screens'
import { drawn } from '../helpers/ring'
import { appForFile } from '../helpers/for-file'

const { app, page } = appForFile(() => ({ clock: usualClock(), size: { width: 1280, height: 800 } }))

/** Resizes the window and waits until the page has adapted. */
async function to(width: number, height = 640): Promise<void> {
  await app.resize({ width, height })
  await page.waitForFunction((wanted) => innerWidth === wanted, width)
  await atRest(page)
}

/** Names of controls the pointer can't reach: outside the window or covered. */
function outOfReach(within: string): Promise<string[]> {
  return page.evaluate((within) => {
    const names: string[] = []
    for (const one of document.querySelectorAll(within)) {
      if (!one.checkVisibility({ checkVisibilityCSS: true }) || one.closest('[inert]')) continue
      const { left, right, top, bottom, width, height } = one.getBoundingClientRect()
      if (width === 0) continue
      const inside = left >= -0.5 && right <= innerWidth + 0.5 && top >= -0.5 && bottom <= innerHeight + 0.5
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      const free = hit !== null && (one.contains(hit) || one.closest('label')?.contains(hit) === true)
      if (!inside || !free) names.push((one.getAttribute('aria-label') ?? one.textContent ?? '').trim())
    }
    return names
  }, within)
}
const chrome = ['header', 'footer', 'nav'].flatMap((part) => [`${part} button`, `${part} input`]).join(', ')

/** Texts of headings and buttons that are cut off without an ellipsis. */
const cutTitle = (): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main header h1, main header h1 *')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
      .filter((one) => getComputedStyle(one).textOverflow !== 'ellipsis' && getComputedStyle(one).display !== 'inline')
      .map((one) => one.textContent ?? ''),
  )

/** What the calendar shows, if even its short form is cut off. */
const cutPeriod = (): Promise<string[]> =>
  page
    .locator('main header h1 button')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent ?? ''))

const screens: ReadonlyArray<[name: string, keys: readonly string[]]> = [
  ['day', ['Control+1', '1']],
  ['week', ['2']],
  ['month', ['3']],
  ['agenda', ['4']],
  ['tasks', ['Control+2']],
  ['campaigns', ['Control+3']],
  ['sync', ['Control+6']],
  ['settings', ['Control+,']],
]
async function go(keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
  await atRest(page)
}

/** The minimum width, and widths at which the layout changes. */
const widths = [640, ...drawn([800, 853, 900, 960, 1024, 1280, 2560], 1)]

describe.each(widths)('a window %i px wide', (width) => {
  it('keeps every control of its frame reachable on every screen', async () => {
    await to(width, width > 2000 ? 1300 : 640)
    const found: Record<string, string[]> = {}
    for (const [name, keys] of screens) {
      await go(keys)
      const lost = [...(await outOfReach(chrome)), ...(await cutTitle()), ...(await cutPeriod())]
      if (lost.length > 0) found[name] = lost
    }
    for (const [name, show] of reportScreens) {
      await show(page)
      await atRest(page)
      const title = await page
        .locator('main header h1')
        .evaluate((one) => one.clientWidth >= Math.min(one.scrollWidth, 96))
      const lost = [...(await outOfReach(`${chrome}, [role=toolbar] button`)), ...(await cutTitle())]
      if (!title) lost.push('the title has no room')
      if (lost.length > 0) found[name] = lost
    }
    expect(found).toEqual({})
  })

  it('shows the editor with its heading and close button', async () => {
    await go(['Control+1', '2'])
    await page.getByRole('button', { name: 'New event' }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    const more = page.getByRole('button', { name: 'More options' })
    if (await more.isVisible()) await more.click()
    expect(await outOfReach(chrome)).toEqual([])
    await page.getByRole('complementary', { name: 'New event' }).getByRole('button', { name: 'Close panel' }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Next week' }).click()
    await page.getByRole('button', { name: 'Today' }).click()
  })
})

/** The dates with the longest titles of each layout: in two months, in two years, and in another year. */
it.each(['30 Sep 2026', '30 Dec 2026', '28 Sep 2027'])('the period around %s is shown at any width', async (date) => {
  await to(1280)
  const cut: string[] = []
  for (const layout of ['1', '2', '3', '4', '5']) {
    await go(['Control+1', layout, 'g'])
    const asked = page.getByRole('dialog', { name: 'Go to a date' })
    await asked.waitFor()
    await page.keyboard.type(date)
    await page.keyboard.press('Enter')
    await asked.waitFor({ state: 'detached' })
    await atRest(page)
    cut.push(
      ...(await page.locator('main header').evaluate((header: HTMLElement) => {
        const period = header.querySelector<HTMLElement>('h1 button')!
        const cut: string[] = []
        // From the bar of the smallest window to one in which everything has room.
        for (let width = 568; width <= 1500; width += 4) {
          header.style.width = `${width}px`
          if (period.scrollWidth > period.clientWidth || header.scrollWidth > header.clientWidth)
            cut.push(`${period.innerText} at ${width} px`)
        }
        header.style.width = ''
        return cut
      })),
    )
  }
  expect(cut).toEqual([])
  await go(['t'])
})

it('uses the small layout at 200% zoom', async () => {
  await to(1280, 800)
  const { zoom } = app
  for (const factor of [1.5, 2]) {
    await zoom(factor)
    await page.waitForFunction((wanted) => Math.abs(innerWidth - wanted) < 2, 1280 / factor)
    await go(['Control+1', '2'])
    expect(await outOfReach(chrome)).toEqual([])
  }
  await zoom(1)
  await page.waitForFunction(() => innerWidth === 1280)
})

describe('at 200% zoom in a window 640 px wide', () => {
  const zoom = async (factor: number): Promise<void> => {
    await app.resize({ width: 640, height: 960 })
    await app.zoom(factor)
    await page.waitForFunction((wanted) => innerWidth === wanted, 640 / factor)
  }
  beforeAll(() => zoom(2))
  afterAll(() => zoom(1))

  const over: ReadonlyArray<[name: string, open: () => Promise<unknown>]> = [
    ['calendar sidebar', () => go(['Control+1', '2', 'Control+b'])],
    ['quick add', () => go(['Control+1', 'q'])],
    ['new event', () => go(['Control+1', 'c'])],
    ['command palette', () => go(['Control+k'])],
    ['settings sidebar', () => go(['Control+,', 'Control+b'])],
    [
      'what to download',
      async () => {
        await go(['Control+6'])
        await page.getByRole('button', { name: 'Choose what to download…' }).first().click()
        await page.getByRole('dialog').getByRole('radio', { name: 'Advertisers' }).waitFor()
      },
    ],
    [
      'a calendar and all details in the settings',
      async () => {
        await go(['Control+,'])
        await page
          .getByRole('main')
          .getByRole('button', { name: /primary calendar/ })
          .click()
        await page.getByRole('heading', { name: 'Shared with' }).waitFor()
        const closed = page.locator('main details:not([open]) > summary')
        while ((await closed.count()) > 0) await closed.first().click()
      },
    ],
  ]
  const all = [
    ...screens.map(([name, keys]) => [name, () => go(keys)] as const),
    ...reportScreens.map(([name, show]) => [name, () => show(page)] as const),
    ...over,
    ['export', () => showExport(page)] as const,
  ]
  it.each(drawn(all, 8))('%s shows everything', async (_name, open) => {
    await open()
    await atRest(page)
    expect(await lostInWindow(page)).toEqual([])
    await go(['Escape', 'Escape'])
  })

  it('the download search shows no matches and can be cleared', async () => {
    await go(['Control+6'])
    await page.getByRole('button', { name: 'Choose what to download…' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Choose what to download' })
    const option = dialog.getByRole('option').first()
    await option.waitFor()
    const search = dialog.getByRole('searchbox', { name: 'Search in advertisers' })
    await search.fill('nobody has this name')
    await dialog.getByRole('heading', { name: 'No matches for “nobody has this name”' }).waitFor()
    await expect.poll(() => dialog.getByRole('listbox').count()).toBe(0)
    await atRest(page)
    expect(await lostInWindow(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Clear search' }).click()
    await option.waitFor()
    await expect.poll(() => search.inputValue()).toBe('')
    expect(await search.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('the list of today doesn’t scroll sideways, and details of a task break no words', async () => {
    await go(['Control+2', 't'])
    const pane = page.locator('main .pane').first()
    await page.getByRole('button', { name: 'Reschedule all to today' }).waitFor()
    await expect.poll(() => pane.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(1)
    await go(['ArrowDown', 'e'])
    const box = page.getByRole('complementary').locator('label').filter({ hasText: 'Completed' })
    await expect.poll(async () => (await box.boundingBox())!.height).toBeLessThan(30)
    await go(['Escape', 'Escape'])
  })

  it('a filter of campaigns shows its column and its condition', async () => {
    await go(['Control+3', 'Control+Shift+F'])
    const dialog = page.getByRole('dialog', { name: 'Filter campaigns' })
    for (const name of ['Column', 'Condition'])
      await expect
        .poll(async () => (await dialog.getByRole('combobox', { name }).boundingBox())!.width)
        .toBeGreaterThan(64)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('the agenda shows events below their times', async () => {
    await go(['Control+1', '4'])
    const title = page.locator('.agenda').getByText('Brightwell Tea — holiday flight').first()
    await title.waitFor()
    const inside = await title.evaluate((one) => {
      const { left, right } = one.getBoundingClientRect()
      return left >= 0 && right <= innerWidth && right - left > 80
    })
    expect(inside).toBe(true)
  })
})

describe("when the sidebar doesn't fit", () => {
  const side = () => page.getByRole('dialog', { name: 'Calendar sidebar' })
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName ?? '')

  it('a button opens it as an overlay, Escape closes it, and focus moves in and back', async () => {
    await to(800)
    await go(['Control+1', '2'])
    await expect.poll(() => page.getByRole('complementary', { name: 'Calendar sidebar' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show sidebar' }).click()
    await side().waitFor()
    await expect.poll(focused).toBe('Calendar sidebar')
    await page.keyboard.press('Escape')
    await side().waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Show sidebar')
  })

  it('a click outside closes it', async () => {
    await page.keyboard.press('Control+b')
    await side().waitFor()
    await page.mouse.click(700, 400)
    await side().waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Show sidebar')
  })

  it("navigating from it closes it, and toggling a calendar doesn't", async () => {
    await page.keyboard.press('Control+b')
    const team = side().getByRole('checkbox', { name: 'Team' })
    const label = side().locator('label').filter({ hasText: 'Team' })
    await label.click()
    await expect.poll(() => team.isChecked()).toBe(false)
    await label.click()
    await expect.poll(() => team.isChecked()).toBe(true)
    await side()
      .getByRole('button', { name: /Wednesday 17 June/ })
      .click()
    await side().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^15 – 21 Jun$/ }).waitFor()
    await page.getByRole('button', { name: 'Today' }).click()
  })

  it('a menu offers the layouts', async () => {
    await to(640)
    await page.getByRole('button', { name: 'Layout: Week' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Month' }).click()
    await page.getByRole('grid', { name: /^Month/ }).waitFor()
    await page.keyboard.press('2')
  })

  it('details of an event leave its row in the agenda free', async () => {
    await to(640, 720)
    await go(['Control+1', '4'])
    const row = page.locator('.agenda .hit').first()
    await row.click()
    const details = page.locator('.popover[role=dialog]')
    await details.waitFor()
    const covered = async (): Promise<boolean> => {
      const [one, other] = [(await row.boundingBox())!, (await details.boundingBox())!]
      return other.y < one.y + one.height && other.y + other.height > one.y
    }
    await expect.poll(covered).toBe(false)
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await to(640)
  })

  it('task lists and settings sections open the same way', async () => {
    await go(['Control+2', 'Control+b'])
    const lists = page.getByRole('dialog', { name: 'Tasks sidebar' })
    await lists.getByText('Home').click()
    await lists.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await go(['Control+,', 'Control+b'])
    const sections = page.getByRole('dialog', { name: 'Settings sidebar' })
    await sections.getByRole('button', { name: 'This computer' }).click()
    await sections.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('settings-storage')
  })
})

describe('axe finds no violations in a small window', () => {
  const modal = '[role=dialog]'
  const cases: Array<[string, number, () => Promise<unknown>, within?: string]> = [
    ...screens.map(([name, keys]): [string, number, () => Promise<unknown>] => [name, 640, () => go(keys)]),
    ...reportScreens.map(([name, show]): [string, number, () => Promise<unknown>] => [name, 640, () => show(page)]),
    [
      'overlay sidebar',
      640,
      async () => (await go(['Control+1', '2', 'Control+b']), await page.getByRole('dialog').waitFor()),
      modal,
    ],
    [
      'layout menu',
      640,
      async () => (await go(['Control+1', '2']), await page.getByRole('button', { name: 'Layout: Week' }).click()),
      '[role=menu]',
    ],
    ['overlay editor', 800, () => go(['Control+1', 'c']), 'form.editor'],
    ['editor next to the view', 960, () => go(['Control+1', 'c']), 'form.editor'],
    ['quick add', 640, () => go(['Control+1', 'q']), modal],
    ['command palette', 640, () => go(['Escape', 'Control+k']), modal],
    ['agenda between', 900, () => go(['Control+1', '4'])],
  ]
  it.each(drawn(cases, 4))('on the screen: %s, %i px', async (_name, width, open, within) => {
    await page.keyboard.press('Escape')
    await to(width)
    await open()
    expect(await violationsByTheme(page, { within })).toEqual([])
  })
})
