import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { violationsByTheme } from '../helpers/axe'
import { appForFile, folderForFile } from '../helpers/for-file'
import { usualClock } from '../helpers/moment'
import { atRest, choose, messages, runCommand } from '../helpers/page'
import { pdfPages } from '../helpers/pdf-pages'

const saveTo = folderForFile('flightplan-calendar-paper-')
const { app, page } = appForFile(() => ({
  clock: usualClock(),
  args: ['--save-to', saveTo],
  size: { width: 1280, height: 800 },
}))

const heads = (): Promise<string[]> =>
  page.locator('.day-head').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
const announced = (text: string): Promise<void> =>
  page.getByTestId('announcements').filter({ hasText: text }).waitFor({ state: 'attached' })
const shows = (name: string | RegExp): Promise<void> => page.getByRole('grid', { name }).waitFor()

beforeEach(async () => {
  for (const key of ['Escape', 'Escape', 'Control+1', '2', 't']) await page.keyboard.press(key)
  await atRest(page)
})

describe('the layouts of days', () => {
  it('show any number of days by key, and turn by as many', async () => {
    await page.keyboard.press('Alt+4')
    await shows('4 days, 10 – 13 June 2026')
    await page.keyboard.press('j')
    await shows('4 days, 14 – 17 June 2026')
    expect(await heads()).toEqual(['Sunday 14 June', 'Monday 15 June', 'Tuesday 16 June', 'Wednesday 17 June'])
    await page.keyboard.press('2')
    await page.keyboard.press('8')
    await shows(/^4 days, /)
  })

  it('show the work week and two weeks, from the menu too', async () => {
    await page.keyboard.press('6')
    await shows('Work week, 8 – 12 June 2026')
    expect(await heads()).toHaveLength(5)
    await page.getByRole('button', { name: 'More layouts: Work week' }).click()
    await page.getByRole('menuitemcheckbox', { name: /^2 weeks/ }).click()
    await shows('2 weeks, 8 – 21 June 2026')
    expect(await heads()).toHaveLength(14)
  })

  it('leave out weekends, which arrow keys skip', async () => {
    await page.keyboard.press('7')
    await runCommand(page, 'Show or hide weekends')
    await shows('2 weeks, 8 – 19 June 2026')
    expect(await heads()).toHaveLength(10)
    const friday = page.locator('[data-cell]').nth(4)
    await friday.focus()
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(() =>
        page.evaluate(() => new Date(Number((document.activeElement as HTMLElement).dataset['cell'])).getUTCDate()),
      )
      .toBe(15)
    await runCommand(page, 'Show or hide weekends')
    await shows('2 weeks, 8 – 21 June 2026')
    await page.keyboard.press('2')
    await runCommand(page, 'Two weeks')
    await shows('2 weeks, 15 – 28 June 2026')
  })

  it('offer to show a hidden day that quick add or a search leads to', async () => {
    await page.keyboard.press('6')
    await shows('Work week, 8 – 12 June 2026')
    await page.keyboard.press('q')
    await page.locator('#quick-line').fill('Hike saturday 10-11')
    await page.keyboard.press('Enter')
    await messages(page).getByText('Saturday 13 June is hidden in this layout').waitFor()
    await messages(page).getByRole('button', { name: 'Show week' }).click()
    await page.locator('.chip').filter({ hasText: 'Hike' }).waitFor()
    await runCommand(page, 'Show or hide weekends')
    await page.locator('.chip').filter({ hasText: 'Hike' }).waitFor({ state: 'detached' })
    await runCommand(page, 'Hike')
    await messages(page).getByRole('button', { name: 'Show weekends' }).click()
    await page.getByRole('dialog', { name: 'Hike' }).waitFor()
  })

  it('make hours taller around the pointer and by key', async () => {
    const scroller = page.locator('.scroller')
    const column = page.locator('.column').first()
    const height = async (): Promise<number> => (await column.boundingBox())!.height
    const box = (await scroller.boundingBox())!
    const y = box.y + 200
    const hourAt = async (): Promise<number> => {
      const { y: top, height } = (await column.boundingBox())!
      return ((y - top) / height) * 24
    }
    const [before, hour] = [await height(), await hourAt()]
    await page.mouse.move(box.x + 300, y)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -100)
    await page.keyboard.up('Control')
    await expect.poll(height).toBeGreaterThan(before)
    expect(await hourAt()).toBeCloseTo(hour, 1)
    await page.keyboard.press('-')
    await expect.poll(height).toBeCloseTo(before, 0)
    await announced('Hour height: 48 px')
  })
})

it('shows the whole focus ring of a bar in the month and above the hours', async () => {
  const above = (bar: Locator): Promise<boolean> =>
    bar.evaluate((one) => {
      ;(one as HTMLElement).focus({ focusVisible: true } as FocusOptions)
      const slots = [...one.closest('[role=row]')!.querySelectorAll('.slot')]
      const [own, ...others] = [one.closest('.slot')!, ...slots.filter((slot) => !slot.contains(one))].map((slot) =>
        Number(getComputedStyle(slot).zIndex),
      )
      return others.length > 0 && others.every((other) => other < own!)
    })
  const bar = page.getByRole('button', { name: /^Brightwell Tea — holiday flight/ }).first()
  await expect.poll(() => above(bar)).toBe(true)
  await page.keyboard.press('3')
  await page.getByRole('gridcell', { name: /^Wednesday 10 June, / }).waitFor()
  await expect.poll(() => above(bar)).toBe(true)
})

describe('the year', () => {
  it('shows how busy days are, walks by arrow keys, and opens a day', async () => {
    await page.keyboard.press('5')
    await page.getByRole('heading', { name: '2026', exact: true }).waitFor()
    const today = page.getByRole('button', { name: /^Wednesday 10 June, [\d.]+ busy hours$/ })
    await today.focus()
    await expect.poll(() => today.getAttribute('aria-current')).toBe('date')
    for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(/^Thursday 18 June/)
    await page.keyboard.press('Enter')
    await shows('Day, Thursday 18 June 2026')
    await page.keyboard.press('5')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: '2027', exact: true }).waitFor()
  })

  it('meets the rules of accessibility in both themes', async () => {
    await page.keyboard.press('5')
    await page.getByRole('region', { name: 'June 2026' }).waitFor()
    expect(await violationsByTheme(page)).toEqual([])
  })
})

describe('working hours', () => {
  it('are set for a weekday, and shade the other hours', async () => {
    await page.keyboard.press('1')
    const day = (name: string): Promise<{ from: string; to: string; off: boolean }> =>
      page
        .locator('.column')
        .and(page.getByRole('gridcell', { name, exact: true }))
        .evaluate((cell) => ({
          from: (cell as HTMLElement).style.getPropertyValue('--work-from'),
          to: (cell as HTMLElement).style.getPropertyValue('--work-to'),
          off: cell.classList.contains('off'),
        }))
    await expect.poll(() => day('Wednesday 10 June')).toEqual({ from: '432px', to: '816px', off: false })
    await runCommand(page, 'Go to Settings')
    const hours = page.getByRole('group', { name: 'Working hours' })
    const start = hours.getByRole('textbox', { name: 'Wednesday, start' })
    await start.fill('7')
    await start.press('Enter')
    await hours.getByRole('checkbox', { name: 'Thursday' }).uncheck()
    await hours.getByText('Day off').nth(2).waitFor()
    await page.keyboard.press('Control+1')
    await shows(/10 June 2026/)
    await expect.poll(() => day('Wednesday 10 June')).toEqual({ from: '336px', to: '816px', off: false })
    await page.keyboard.press('j')
    await shows(/11 June 2026/)
    await expect.poll(async () => (await day('Thursday 11 June')).off).toBe(true)
  })
})

describe('calendar sets', () => {
  const sets = () => page.getByRole('region', { name: 'Calendar sets' })

  it('are saved, shown from the sidebar and the palette, and deleted with a way back', async () => {
    const calendars = page.getByRole('region', { name: 'Calendars', exact: true }).getByRole('checkbox')
    const [first, second] = [calendars.nth(0), calendars.nth(1)]
    await second.uncheck()
    await page.getByRole('button', { name: 'Save shown calendars as a set' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save calendar set' })
    await dialog.getByRole('button', { name: 'Save set' }).click()
    await dialog.getByText('Enter a name').waitFor()
    await dialog.getByLabel('Name').fill('Quiet')
    await dialog.getByLabel('Name').press('Enter')
    const quiet = sets().getByRole('button', { name: 'Quiet', exact: true })
    await quiet.waitFor()
    await expect.poll(() => quiet.getAttribute('aria-current')).toBe('true')
    await second.check()
    await first.uncheck()
    await expect.poll(() => quiet.getAttribute('aria-current')).toBeNull()
    await quiet.click()
    await announced('Showing “Quiet”')
    await expect.poll(() => Promise.all([first.isChecked(), second.isChecked()])).toEqual([true, false])
    await second.check()
    await runCommand(page, 'Update calendar set Quiet')
    await messages(page).getByText('Updated calendar set “Quiet”').waitFor()
    await messages(page).getByRole('button', { name: 'Undo' }).click()
    await page.keyboard.press('Control+2')
    await runCommand(page, 'Show calendar set Quiet')
    await announced('Showing “Quiet”')
    await expect.poll(() => second.isChecked()).toBe(false)
    await quiet.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Calm')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename set' }).click()
    const calm = sets().getByRole('button', { name: 'Calm', exact: true })
    await calm.waitFor()
    expect(await violationsByTheme(page)).toEqual([])
    await runCommand(page, 'Delete calendar set Calm')
    await sets().waitFor({ state: 'detached' })
    await messages(page).getByRole('button', { name: 'Undo' }).click()
    await calm.waitFor()
    await runCommand(page, 'Delete calendar set Calm')
    await second.check()
  })
})

describe('compact density', () => {
  const entries = (): Promise<number> => page.locator('.slot [data-key]').count()
  const tasksHeight = (): Promise<number> =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('checkbox') })
      .first()
      .evaluate((row) => row.clientHeight)

  it('shows more events per day in the month and more tasks, and stays so after a reload', async () => {
    await page.keyboard.press('3')
    await shows('Month, June 2026')
    const comfortable = await entries()
    await runCommand(page, 'Density: compact')
    await expect.poll(entries).toBeGreaterThan(comfortable)
    // No box of a task is cut off.
    const cut = await page.locator('.slot .tick-box').evaluateAll((boxes) =>
      boxes.filter((box) => {
        const [inner, outer] = [box.getBoundingClientRect(), box.closest('.slot')!.getBoundingClientRect()]
        return inner.top < outer.top || inner.bottom > outer.bottom
      }),
    )
    expect(cut).toEqual([])
    await page.reload()
    await page.keyboard.press('3')
    await expect.poll(entries).toBeGreaterThan(comfortable)

    // The rail has icons alone, whose names screen readers still say.
    const rail = page.getByRole('navigation', { name: 'Views' })
    expect((await rail.boundingBox())?.width).toBe(52)
    await rail.getByRole('button', { name: 'Tasks' }).press('Enter')
    await expect.poll(tasksHeight).toBe(28)
    await page.keyboard.press('Control+,')
    const density = page.getByRole('radiogroup', { name: 'Density' })
    await density.getByRole('radio', { name: 'Compact', checked: true }).waitFor()
    await density.getByRole('radio', { name: 'Compact' }).press('ArrowLeft')
    await page.keyboard.press('Control+2')
    await expect.poll(tasksHeight).toBe(32)
  })
})

it('an address to share a calendar with is still there after a restart, until it is discarded', async () => {
  const open = async (): Promise<ReturnType<typeof page.getByLabel>> => {
    await page.keyboard.press('Control+,')
    const head = page.getByRole('button', { name: /primary calendar/ })
    await head.waitFor()
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
    return page.getByLabel('Share with')
  }
  await (await open()).fill('mina@flightplan.exam')
  await page.reload()
  const field = await open()
  await expect.poll(() => field.inputValue()).toBe('mina@flightplan.exam')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => field.inputValue()).toBe('')

  await field.fill('mina@flightplan.example')
  await page.getByRole('button', { name: 'Save sharing' }).click()
  await announced('Sharing of')
  await expect.poll(() => field.inputValue()).toBe('')
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
})

it('an address to share a calendar with is checked once it is left, and those who have access are named', async () => {
  await page.keyboard.press('Control+,')
  const head = page.getByRole('button', { name: /^Team yours/ })
  await head.waitFor()
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
  const shared = page.getByRole('region', { name: 'Shared with' })
  await expect
    .poll(() => shared.getByRole('listitem').allInnerTexts())
    .toContainEqual(expect.stringMatching(/^Mina Park\s+mina\.park@flightplan\.example/))
  const field = page.getByLabel('Share with')
  const problem = page.getByText('Enter a valid email address')
  await field.pressSequentially('mina@flight')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBeNull()
  await field.press('Enter')
  await problem.waitFor()
  await field.pressSequentially('plan')
  await problem.waitFor({ state: 'detached' })
  await field.press('Tab')
  await problem.waitFor()
  await field.fill('')
  await problem.waitFor({ state: 'detached' })
})

describe('the calendars of the sidebar', () => {
  const section = (): Locator => page.getByRole('region', { name: 'Calendars', exact: true })
  const names = (): Promise<string[]> => section().locator('li .name').allInnerTexts()
  const item = (name: string): Locator => section().getByRole('listitem').filter({ hasText: name })
  const isListed = (first: readonly string[]): Promise<void> =>
    expect.poll(async () => (await names()).slice(0, first.length)).toEqual(first)

  it('are reordered by menu, by key, and by drag, and stay so after a reload', async () => {
    await isListed(['Alex Morgan', 'Campaign launches', 'Family'])
    await item('Family').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await isListed(['Alex Morgan', 'Family', 'Campaign launches'])
    await announced('“Family” moved to position 2 of')
    await item('Campaign launches').getByRole('checkbox').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await isListed(['Campaign launches', 'Alex Morgan', 'Family'])
    await expect
      .poll(() =>
        item('Campaign launches')
          .getByRole('checkbox')
          .evaluate((one) => one === document.activeElement),
      )
      .toBe(true)
    await item('Campaign launches').dragTo(item('Family'))
    await isListed(['Alex Morgan', 'Family', 'Campaign launches'])
    await page.reload()
    await isListed(['Alex Morgan', 'Family', 'Campaign launches'])
  })

  it('get a color from their menu, in one undo step', async () => {
    const color = (): Promise<string> => item('Family').evaluate((one) => one.className)
    const before = await color()
    await item('Family').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Color', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Teal' }).click()
    await announced('Color of “Family” changed')
    await expect.poll(color).not.toBe(before)
    await page.keyboard.press('Control+z')
    await expect.poll(color).toBe(before)
  })
})

it('shows the times of two other zones, and compares any moment by pointer and keys', async () => {
  const none = page.getByRole('slider', { name: 'Compare times' })
  await expect.poll(() => none.count()).toBe(0)
  await runCommand(page, 'Other time zones')
  const dialog = page.getByRole('dialog', { name: 'Other time zones' })
  for (const [field, city] of [
    ['Second time zone', 'New York'],
    ['Third time zone', 'Tokyo'],
  ] as const) {
    await dialog.getByRole('combobox', { name: field }).fill(city)
    await page
      .getByRole('option', { name: new RegExp(`^${city}`) })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
  }
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => page.locator('.zone-names span').allInnerTexts()).toEqual(['New York', 'Tokyo', 'Berlin'])
  const slider = page.getByRole('slider', { name: 'Compare times' })
  await slider.focus()
  await page.keyboard.press('ArrowDown')
  await expect
    .poll(() => slider.getAttribute('aria-valuetext'))
    .toBe('12:15 in Berlin, 06:15 in New York, and 19:15 in Tokyo')
  await expect.poll(() => page.locator('.compared').allInnerTexts()).toEqual(['06:15', '19:15', '12:15'])
  await page.keyboard.press('Home')
  await expect.poll(() => page.locator('.compared').allInnerTexts()).toEqual(['18:00 −1', '07:00', '00:00'])
  const hours = (await slider.boundingBox())!
  await page.mouse.move(hours.x + 20, hours.y + (15.5 / 24) * hours.height)
  await expect.poll(() => page.locator('.compared').allInnerTexts()).toEqual(['09:30', '22:30', '15:30'])
  expect(await violationsByTheme(page)).toEqual([])
  // Pulling at it draws no event, and leaves its keys and those of the view at hand.
  await page.mouse.down()
  await page.mouse.move(hours.x + 20, hours.y + (16.5 / 24) * hours.height)
  await page.mouse.up()
  await expect.poll(() => page.locator('.compared').allInnerTexts()).toEqual(['10:30', '23:30', '16:30'])
  await page.keyboard.press('End')
  await expect.poll(() => page.locator('.compared').allInnerTexts()).toEqual(['17:45', '06:45 +1', '23:45'])
  // Clocks of New York change a week after those of Berlin.
  await page.keyboard.press('g')
  await page.keyboard.type('26 oct 2026')
  await page.keyboard.press('Enter')
  const sunday = page.getByTitle('New York is 6 h behind on this day')
  await expect.poll(() => sunday.innerText()).toBe('New York −6 h')
  const differing = page.locator('.day-head .shift')
  await expect.poll(() => differing.count()).toBe(1)
  const isCut = (one: Element): boolean => one.scrollWidth > one.clientWidth
  await expect.poll(() => differing.evaluate(isCut)).toBe(false)
  await slider.focus()
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/ in Tokyo on Mon 26 Oct$/)
  // The hours are those of most days, also if the day that differs is selected.
  await page.keyboard.press('g')
  await page.keyboard.type('1 nov 2026')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.locator('[tabindex="0"][aria-label^="Sunday 1 November"][aria-label$="free"]').count())
    .toBe(1)
  await expect.poll(() => sunday.innerText()).toBe('New York −6 h')
  await expect.poll(() => differing.count()).toBe(1)
  await page.setViewportSize({ width: 640, height: 800 })
  const heights = (): Promise<number[]> =>
    page.locator('.day-head .date').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  await expect.poll(async () => Math.max(...(await heights()))).toBeLessThan(26)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('t')
  await page.keyboard.press('6')
  await expect.poll(() => page.locator('.day-head').count()).toBe(5)
  await page.mouse.move(hours.x + 400, hours.y + hours.height / 2)
  await slider.evaluate((one) => (one as HTMLElement).blur())
  await expect.poll(() => page.locator('.compared').count()).toBe(0)
  // Longer with the 12-hour clock, they still don't run into the column before.
  await page.keyboard.press('Control+,')
  await choose(page.getByRole('combobox', { name: 'Clock' }), '2:30 pm')
  await page.keyboard.press('Control+1')
  await page.mouse.move(hours.x + 20, hours.y + (17.25 / 24) * hours.height)
  const tokyo = page.locator('.zone').nth(1)
  await expect.poll(() => tokyo.locator('.compared').innerText()).toMatch(/^12:\d\d am \+1$/)
  const leftOf = async (one: Locator): Promise<number> => (await one.boundingBox())!.x
  await expect.poll(async () => (await leftOf(tokyo.locator('.compared'))) - (await leftOf(tokyo))).toBeGreaterThan(4)
})

it('follows the computer to another time zone, and stays in one that was chosen', async () => {
  await page.keyboard.press('Control+,')
  for (const zone of ['Second time zone', 'Third time zone'])
    await choose(page.getByRole('combobox', { name: zone, exact: true }), 'None')
  await page.keyboard.press('Control+1')
  const hours = (city: string): Locator => page.getByRole('rowheader', { name: `Times in ${city}` })
  const pick = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+,')
    await choose(page.getByRole('combobox', { name: 'Time zone', exact: true }), name)
    await page.keyboard.press('Control+1')
    await page.keyboard.press('2')
  }
  await pick('Same as this computer (Berlin)')
  await hours('Berlin').waitFor()
  await app.announce('app/zone', { timeZone: 'Asia/Tokyo' })
  await hours('Tokyo').waitFor()
  await pick('Account default (Berlin)')
  await hours('Berlin').waitFor()
  await app.announce('app/zone', { timeZone: 'America/New_York' })
  await messages(page)
    .getByText('This computer is now in New York time. Times are still shown in Berlin time.')
    .waitFor()
  await expect.poll(() => page.locator('.zone-names').innerText()).toBe('Berlin')
  const words = page.getByText('Berlin time', { exact: true })
  for (const [key, count] of [
    ['3', 1],
    ['4', 1],
    ['2', 0],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => words.count()).toBe(count)
  }
  await messages(page).getByRole('button', { name: 'Use New York time' }).click()
  await hours('New York').waitFor()
  await expect.poll(() => page.locator('.zone-names').count()).toBe(0)
  await page.keyboard.press('Control+,')
  const zone = page.getByRole('combobox', { name: 'Time zone', exact: true })
  await expect.poll(() => zone.inputValue()).toBe('Same as this computer (New York)')
  await page.keyboard.press('Control+1')
  await hours('New York').waitFor()
})

describe('on paper', () => {
  const files = async (): Promise<string[]> => (await readdir(saveTo)).filter((name) => /^[^.].*\.pdf$/.test(name))
  async function printed(): Promise<string[]> {
    for (const name of await files()) await rm(join(saveTo, name))
    await runCommand(page, 'Print as PDF')
    await expect.poll(files).toHaveLength(1)
    return pdfPages(join(saveTo, (await files())[0]!))
  }

  it('a week and a year take one page, and no entry of a day is left out', async () => {
    await shows('Week, 8 – 14 June 2026')
    await page.getByRole('button', { name: '2 more all day on Friday 12 June' }).waitFor()
    const hours = page.getByRole('rowgroup', { name: 'Times of the day' })
    const place = await hours.evaluate((one) => one.scrollTop)
    const week = await printed()
    expect(week).toHaveLength(1)
    expect(week[0]).not.toContain('more')
    await expect.poll(() => hours.evaluate((one) => one.scrollTop)).toBe(place)

    await page.keyboard.press('3')
    await shows('Month, June 2026')
    await page
      .getByRole('button', { name: / more on / })
      .first()
      .waitFor()
    const month = await printed()
    expect(month.join(' ')).toContain('30')
    expect(month.join(' ')).not.toContain('more')

    await page.keyboard.press('5')
    const year = await printed()
    expect(year).toHaveLength(1)
    expect(year[0]).toContain('December')
  })
})
