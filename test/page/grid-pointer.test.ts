import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { wallOfInstant } from '#shared/time/zones'
import { usualClock } from '../helpers/moment'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { holdAsks } from '../helpers/held-asks'
import { anotherClient } from '../helpers/another-client'
import { atRest, messages, nothingPending } from '../helpers/page'
import { drawn } from '../helpers/ring'

let app: AppPage
let page: Page
const clock = usualClock()
/** Twelve events of a Thursday that overlap: minutes after 9 in Berlin, and how long. Some start together. */
const overlapping = [
  [0, 120],
  [0, 60],
  [0, 30],
  [15, 90],
  [15, 15],
  [30, 180],
  [45, 120],
  [60, 60],
  [60, 30],
  [75, 60],
  [120, 15],
  [150, 60],
] as const
const time = (minutes: number): string =>
  new Date(Date.UTC(2026, 5, 25, 7, minutes)).toISOString().replace(/[-:]|\.000/g, '')
/** And sixty events on the Friday after it: more than any window shows. */
const crowd = [
  'BEGIN:VCALENDAR',
  ...Array.from({ length: 60 }, (_, index) => [
    ...['BEGIN:VEVENT', `UID:crowd-${index}`, `SUMMARY:Crowd ${index}`],
    ...['DTSTART:20260626T120000Z', 'DTEND:20260626T130000Z', 'END:VEVENT'],
  ]).flat(),
  ...overlapping.flatMap(([from, length], at) => [
    ...['BEGIN:VEVENT', `UID:overlap-${at}`, `SUMMARY:Overlap ${at}`],
    ...[`DTSTART:${time(from)}`, `DTEND:${time(from + length)}`, 'END:VEVENT'],
  ]),
  'END:VCALENDAR',
  '',
].join('\r\n')

beforeAll(async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'flightplan-crowd-')), 'crowd.ics')
  await writeFile(file, crowd)
  app = await openApp({ clock, args: ['--open-file', file], size: { width: 1280, height: 800 } })
  page = app.page
  await nothingPending(page)
})
afterAll(() => app.close())
beforeEach(async () => {
  await to(1280, 800)
  for (const key of ['Escape', 'Escape', 'Control+1', '2', 't']) await page.keyboard.press(key)
  await atRest(page)
})

async function to(width: number, height: number): Promise<void> {
  await app.resize({ width, height })
  await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [width, height])
  await atRest(page)
}
const hours = (): Locator => page.getByRole('rowgroup', { name: 'Times of the day' })
const top = (): Promise<number> => hours().evaluate((one) => one.scrollTop)
const scrollTo = (y: number): Promise<void> =>
  hours().evaluate(
    (one, y) =>
      new Promise((done) => {
        one.addEventListener('scroll', () => requestAnimationFrame(() => done()), { once: true })
        one.scrollTop = y
      }),
    y,
  )
const box = async (one: Locator) => (await one.boundingBox())!
/** Presses at the first point, moves to the others, and returns a function that releases. */
async function drag(from: [number, number], ...to: Array<[number, number]>): Promise<() => Promise<void>> {
  await page.mouse.move(...from)
  await page.mouse.down()
  for (const point of to) await page.mouse.move(...point, { steps: 6 })
  return () => page.mouse.up()
}
const frames = (count: number): Promise<void> =>
  page.evaluate(async (count) => {
    for (let left = count; left > 0; left--) await new Promise((done) => setTimeout(done, 31))
  }, count)
const field = (name: string): Promise<string> => page.getByRole('textbox', { name, exact: true }).inputValue()
const announced = (): Promise<string> => page.getByTestId('announcements').locator('p').last().innerText()

it('an event that is moved elsewhere while you drag it stays where it was moved to', async () => {
  const elsewhere = anotherClient(page)
  const at = (hour: number): JsonObject => ({ dateTime: `2026-06-13T${hour}:00:00`, timeZone: 'Europe/Berlin' })
  const calendarId = 'alex.morgan@flightplan.example'
  const event = { summary: 'Rehearsal', start: at(13), end: at(14) }
  const { id } = await elsewhere('calendar.events.insert', { calendarId }, event)
  await page.keyboard.press('F5')
  const chip = page.getByRole('button', { name: /^Rehearsal, / })
  await chip.waitFor()
  await atRest(page)
  const { x, y } = await box(chip)
  const up = await drag([x + 20, y + 12], [x + 20, y + 60])
  await elsewhere('calendar.events.patch', { calendarId, eventId: id! }, { start: at(16), end: at(17) })
  await page.keyboard.press('F5')
  await page.getByRole('button', { name: /^Rehearsal, .*16:00 to 17:00/ }).waitFor()
  await up()
  await messages(page)
    .getByText('“Rehearsal” was moved or deleted elsewhere while you dragged it. Nothing moved.')
    .waitFor()
  await page.getByRole('button', { name: /^Rehearsal, .*16:00 to 17:00, .*Synced/ }).waitFor()
  await elsewhere('calendar.events.delete', { calendarId, eventId: id! })
  await page.keyboard.press('F5')
  await chip.waitFor({ state: 'detached' })
})

describe('a new event', () => {
  it('starts at the next half hour when created by button, wherever focus was', async () => {
    // Focus the all-day cell of Monday, then leave with the mouse.
    await page
      .locator('[data-cell]')
      .first()
      .click({ position: { x: 60, y: 66 } })
    await page.getByRole('button', { name: 'New event' }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await expect.poll(() => page.getByRole('switch', { name: 'All day' }).isChecked()).toBe(false)
    const start = await page.getByRole('textbox', { name: /start time/i }).inputValue()
    const [hour, minute] = start.split(':').map(Number)
    const wall = wallOfInstant(clock.now(), 'Europe/Berlin')
    const minutes = hour! * 60 + minute! - Math.floor((wall % 86_400_000) / 60_000)
    expect(minutes).toBeGreaterThanOrEqual(0)
    expect(minutes).toBeLessThanOrEqual(30)
    expect(await field('Title')).toBe('')
  })

  it('starts at nine on the day that was chosen in the month', async () => {
    await page.keyboard.press('3')
    await page.locator('[data-cell]').nth(25).focus()
    await page.keyboard.press('2')
    await page.locator('[data-slot]').first().waitFor()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    expect(await field('Start date')).toBe('Fri 26 Jun')
    expect(await field('Start time')).toBe('09:00')
    await page.keyboard.press('Escape')
  })

  it('starts at the focused cell when created by keyboard', async () => {
    await page.locator('[data-cell]').nth(3).focus()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await expect.poll(() => page.getByRole('switch', { name: 'All day' }).isChecked()).toBe(true)
  })

  it('and the events it overlaps show their titles while you create it', async () => {
    const other = page.locator('.block').filter({ hasText: 'Invitation: measurement' }).first()
    await other.scrollIntoViewIfNeeded()
    const { x, y, width } = await box(other)
    // Draw over it, from the free half hour above.
    const up = await drag([x + width / 2, y - 18], [x + width / 2, y + 20])
    await up()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await atRest(page)
    const draft = await box(page.locator('[data-ghost]'))
    const under = await box(page.locator('.block').filter({ hasText: 'Invitation' }).first())
    const isNextTo = draft.x + draft.width <= under.x || under.x + under.width <= draft.x
    expect(isNextTo || Math.abs(draft.y - under.y) >= 16).toBe(true)
    expect(draft.width).toBeGreaterThan(30)
  })

  it('has its own row among all-day events', async () => {
    await page.locator('[data-cell]').nth(3).focus()
    await page.keyboard.press('c')
    const draft = await box(page.locator('[data-ghost]'))
    const over = await page.locator('[role="row"] .slot').evaluateAll(
      (slots, { x, y, width, height }) =>
        slots
          .filter((slot) => !slot.querySelector('[data-ghost]'))
          .filter((slot) => {
            const box = slot.getBoundingClientRect()
            return box.left < x + width && box.right > x && box.top < y + height && box.bottom > y
          })
          .map((slot) => slot.textContent),
      draft,
    )
    expect(over).toEqual([])
  })
})

describe('the time grid', () => {
  it('keeps its scroll position while you drag over the all-day row and after undo', async () => {
    await scrollTo(8 * 48)
    const chip = page.locator('.block').filter({ hasText: 'Kick-off' }).first()
    const { x, y, width } = await box(chip)
    const lane = await box(page.locator('[data-cell]').first())
    const before = await top()
    const up = await drag([x + width / 2, y + 10], [x + width / 2, lane.y + lane.height - 12])
    await frames(8)
    expect(await top()).toBe(before)
    await up()
    await page
      .getByText(/Kick-off.* moved|Move “Kick-off/)
      .first()
      .waitFor()
    await atRest(page)
    await page.keyboard.press('Control+z')
    await page.getByText(/Undid/).first().waitFor()
    expect(await top()).toBe(before)
  })

  it('keeps scrolling while you drag at its upper edge', async () => {
    await scrollTo(9 * 48)
    const { x, y, width } = await box(page.locator('.block').filter({ hasText: 'Kick-off' }).first())
    const edge = (await box(hours())).y + 8
    const before = await top()
    const up = await drag([x + width / 2, y + 10], [x + width / 2, edge])
    await expect.poll(top).toBeLessThan(before - 20)
    await page.keyboard.press('Escape')
    await up()
  })

  it('scrolls back to now with Today', async () => {
    await scrollTo(14 * 48)
    const now = page.locator('.now')
    await page.getByRole('button', { name: 'Today', exact: true }).click()
    const view = await box(hours())
    await expect.poll(async () => (await box(now)).y).toBeGreaterThan(view.y)
    expect((await box(now)).y).toBeLessThan(view.y + view.height)
  })

  it("doesn't scroll in a window that fits all hours", async () => {
    await scrollTo(10 * 48)
    await to(1280, 1450)
    expect(await top()).toBeLessThan(10 * 48)
    await to(1280, 800)
    expect(await top()).toBe(10 * 48)
  })
})

it('copies an event that is dragged with Ctrl, and says so', async () => {
  const event = page.locator('.chip.block').filter({ hasText: '1:1 Mina' })
  const { x, y, width } = await box(event.first())
  await page.keyboard.down('Control')
  const up = await drag([x + width / 2, y + 8], [x + width * 2.5, y + 8])
  await expect.poll(() => page.locator('.chip.moving').count()).toBe(0)
  await up()
  await page.keyboard.up('Control')
  await expect.poll(announced).toContain('“1:1 Mina” copied to Thursday 11 June 14:00')
  await expect.poll(() => event.count()).toBe(2)
  await page.keyboard.press('Control+z')
  await expect.poll(() => event.count()).toBe(1)
})

describe('a question about a series', () => {
  const question = (): Locator => page.getByRole('dialog', { name: 'Move “New York sync”' })
  const sync = (): Locator => page.locator('.chip.block').filter({ hasText: 'New York sync' }).first()
  const dropped = async (): Promise<void> => {
    // Wherever the tests before it left the hours, there is room to drop it.
    await hours().evaluate((one) => void (one.scrollTop = 12 * 48))
    await atRest(page)
    const { x, y, width } = await box(sync())
    const up = await drag([x + width / 2, y + 20], [x + width / 2, y + 68])
    await up()
    await question().waitFor()
    await atRest(page)
  }

  it('appears next to the dropped event without dimming the window, and Escape cancels the move', async () => {
    const before = await sync().innerText()
    await dropped()
    await expect.poll(() => page.locator('.dialog-scrim').count()).toBe(0)
    const ghost = await box(page.locator('[data-ghost]'))
    const asked = await box(question())
    expect(asked.x).toBeGreaterThanOrEqual(ghost.x + ghost.width)
    expect(asked.x - ghost.x - ghost.width).toBeLessThan(20)
    expect(await violationsByTheme(page)).toEqual([])
    await expect
      .poll(() =>
        question()
          .getByRole('checkbox', { name: /^Email/ })
          .isChecked(),
      )
      .toBe(false)
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    await expect.poll(() => sync().innerText()).toBe(before)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('New York sync')
  })

  it('is answered with the arrows and Enter, or with its number', async () => {
    await dropped()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('This event')
    await page.keyboard.press('Enter')
    await expect.poll(announced).toContain('“New York sync” moved to Wednesday 10 June 17:00')
    await page.keyboard.press('Control+z')
    await expect.poll(announced).toContain('Undid')
    await dropped()
    await page.keyboard.press('3')
    await question().waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.locator('.chip.block').filter({ hasText: 'New York sync' }).filter({ hasText: '17:00' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.locator('.chip.block').filter({ hasText: 'New York sync' }).filter({ hasText: '16:00' }).waitFor()
  })

  it('is a dialog while its event is out of sight', async () => {
    await sync().getByRole('button').focus()
    await scrollTo(2 * 48)
    await page.keyboard.press('Alt+ArrowDown')
    await question().waitFor()
    await expect.poll(() => page.locator('.dialog-scrim').count()).toBe(1)
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
  })
})

describe('several events', () => {
  const chip = (title: string): Locator => page.locator('.chip.block').filter({ hasText: title }).first()
  const pick = (title: string): Promise<void> =>
    chip(title)
      .getByRole('button')
      .click({ modifiers: ['Control'] })
  const picked = (): Promise<string[]> =>
    page.locator('.hit[aria-pressed="true"]').evaluateAll((hits) => hits.map((hit) => hit.ariaLabel!.split(',')[0]!))
  const timesOf = (titles: readonly string[]): Promise<string[]> =>
    Promise.all(
      titles.map(
        async (title) =>
          /\w+ \d+ June, \d\d:\d\d/.exec((await chip(title).getByRole('button').getAttribute('aria-label'))!)![0],
      ),
    )
  const two = ['Wrap-up: Pinecrest', 'Report template']

  it('are selected by Ctrl and click, moved together, and restored in one step', async () => {
    for (const title of two) await pick(title)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect((await picked()).length).toBe(2)
    expect(await violationsByTheme(page)).toEqual([])
    const before = await timesOf(two)
    const { x, y, width } = await box(chip(two[0]!))
    const column = await box(page.locator('.column').first())
    const up = await drag([x + width / 2, y + 10], [x + width / 2 + column.width, y + 58])
    await expect.poll(() => page.locator('[data-ghost]').count()).toBe(2)
    await up()
    await expect.poll(announced).toContain('2 events moved')
    await expect.poll(() => timesOf(two)).toEqual(['Wednesday 10 June, 13:15', 'Friday 12 June, 14:30'])
    await page.keyboard.press('Control+z')
    await expect.poll(() => timesOf(two)).toEqual(before)
  })

  it('are moved and deleted by keys, with one question for series and one step to undo', async () => {
    const titles = [two[1]!, 'Pick up Leo']
    for (const title of titles) await pick(title)
    await page.keyboard.press('Delete')
    const question = page.getByRole('dialog', { name: 'Delete 2 events' })
    await question.getByRole('button', { name: 'Only the selected events' }).click()
    for (const title of titles) await chip(title).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    for (const title of titles) await chip(title).waitFor()
    await pick(two[0]!)
    await pick(two[1]!)
    const before = await timesOf(two)
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => timesOf(two)).toEqual(['Tuesday 9 June, 12:30', 'Thursday 11 June, 13:45'])
    await page.keyboard.press('Control+z')
    await expect.poll(() => timesOf(two)).toEqual(before)
  })

  it('keep a selection that was made while the deletion of others was being saved', async () => {
    const save = await holdAsks(page, 'journal/append')
    // Without guests, so that nothing is asked.
    const titles = ['Report template', 'Lunch with Priya']
    for (const title of titles) await pick(title)
    await page.keyboard.press('Delete')
    for (const title of titles) await chip(title).waitFor({ state: 'detached' })
    await pick('Lumen Outdoor')
    await save()
    await expect.poll(announced).toContain('2 events deleted')
    await expect.poll(picked).toEqual([expect.stringContaining('Lumen Outdoor')])
    await page.keyboard.press('Control+z')
    for (const title of titles) await chip(title).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(picked).toEqual([])
  })

  it('are selected by an area drawn with Shift, and by Shift and arrows, until Escape', async () => {
    await scrollTo(10 * 48)
    const area = await box(page.locator('.column').nth(1))
    const { y } = await box(chip('Lumen Outdoor'))
    await page.keyboard.down('Shift')
    const up = await drag([area.x + 4, y - 20], [area.x + area.width - 4, y + 70])
    await page.locator('.lasso').waitFor()
    await up()
    await page.keyboard.up('Shift')
    expect(await picked()).toEqual(
      expect.arrayContaining([expect.stringContaining('Lumen Outdoor'), expect.stringContaining('Wrap-up: Pinecrest')]),
    )
    await expect.poll(() => page.locator('.lasso').count()).toBe(0)
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu', { name: /^\d+ selected$/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await expect.poll(picked).toEqual([])
    await chip('Lumen Outdoor').getByRole('button').focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(() => picked().then((all) => all.length)).toBe(2)
    await page.keyboard.press('Shift+ArrowUp')
    await expect.poll(() => picked().then((all) => all.length)).toBe(1)
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => picked().then((all) => all.length)).toBe(2)
    await page.keyboard.press('ArrowDown')
    await expect.poll(picked).toEqual([])
  })

  it('have a menu that acts on all and says what keeps it from doing so', async () => {
    for (const title of two) await pick(title)
    await chip(two[0]!).getByRole('button').click({ button: 'right' })
    const menu = page.getByRole('menu', { name: '2 selected' })
    await menu.getByRole('menuitem', { name: 'Color' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('menuitem', { name: 'Banana' }).click()
    await expect.poll(announced).toContain('Color of 2 events changed')
    await page.keyboard.press('Control+z')
    await expect.poll(announced).toContain('Undid')
    await page
      .locator('.chip.bar.task .hit')
      .first()
      .click({ modifiers: ['Control'] })
    await chip(two[0]!).getByRole('button').click({ button: 'right' })
    await page.getByRole('menu', { name: '3 selected' }).getByText('Tasks don’t have colors').waitFor()
    await expect.poll(() => page.getByRole('menuitem', { name: 'Color' }).getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
  })
})

it('turns the week while a dragged event rests at the edge, and moves it there', async () => {
  const event = page.locator('.chip.block').filter({ hasText: 'Report template' }).first()
  const { x, y, width } = await box(event)
  const grid = await box(page.getByRole('grid', { name: /^Week/ }))
  const up = await drag([x + width / 2, y + 8], [grid.x + grid.width - 6, y + 8])
  await page.locator('.edge.next').waitFor()
  await page.getByRole('grid', { name: /^Week, (?!8 – 14)/ }).waitFor()
  await page.mouse.move(x + width / 2, y + 8)
  await up()
  // A slow computer may turn more than one page.
  await expect.poll(announced).toMatch(/moved to Thursday (?!11 )\d+ \w+ 13:30/)
  await expect.poll(() => page.locator('.edge').count()).toBe(0)
  await page.keyboard.press('Control+z')
  await expect.poll(announced).toContain('Undid')
})

it('drags a task into the time grid to plan it, and along its row to another day', async () => {
  const chip = page.locator('.slot').filter({ hasText: 'Collect the numbers' }).first()
  const { x, y, width } = await box(chip)
  const view = await box(hours())
  const up = await drag([x + width / 2, y + 10], [x + width / 2 + 140, view.y + 200])
  await expect.poll(() => page.locator('.ghost').count()).toBe(1)
  await up()
  await expect.poll(announced).toContain('“Collect the numbers” planned for Thursday 11 June')
  await page.locator('.chip.plans').filter({ hasText: 'Collect the numbers' }).waitFor()
  await page.keyboard.press('Control+z')
  await page.locator('.chip.plans').filter({ hasText: 'Collect the numbers' }).waitFor({ state: 'detached' })
  const over = await drag([x + width / 2, y + 10], [x + width / 2 + 140, y + 12])
  await expect.poll(() => page.locator('[data-ghost]').count()).toBe(1)
  await over()
  await expect.poll(announced).toContain('moved to Thursday 11 June')
  await page.keyboard.press('Control+z')
})

describe("a day's list", () => {
  beforeAll(async () => {
    await page.keyboard.press('Control+Shift+i')
    const dialog = page.getByRole('dialog', { name: 'Import crowd.ics' })
    await dialog.getByRole('button', { name: 'Import 72 events' }).click()
    await page.getByText('72 events imported from crowd.ics').first().waitFor()
  })

  const sizes = [
    [1280, 800],
    [640, 480],
  ] as const
  it.each(drawn(sizes, 1))('fits in a window of %i × %i, wherever it opens', async (width, height) => {
    await to(width, height)
    await page.keyboard.press('3')
    const ways = [
      page.locator('[data-more]').first(),
      page.locator('[data-more]').last(),
      page.getByRole('button', { name: /more on Friday 26 June/ }),
    ]
    for (const way of ways) {
      await way.click()
      const list = page.getByRole('dialog', { name: 'All entries on this day' })
      await list.waitFor()
      await atRest(page)
      const { x, y, width: w, height: h } = await box(list)
      expect([x >= 0, y >= 0, x + w <= width, y + h <= height]).toEqual([true, true, true, true])
      const last = list.getByRole('listitem').last()
      await last.scrollIntoViewIfNeeded()
      expect((await box(last)).y).toBeLessThan(height)
      await page.keyboard.press('Escape')
      await list.waitFor({ state: 'detached' })
    }
  })
})

describe('twelve overlapping events', () => {
  it.each(drawn([700, 1024, 1440, 2560], 2))('can be read at a width of %i, in order of start', async (width) => {
    await to(width, 800)
    for (const key of ['2', 't', 'j', 'j']) await page.keyboard.press(key)
    await page.mouse.move(0, 0)
    const column = page.locator('.column').nth(3)
    await column.locator('.chip').first().scrollIntoViewIfNeeded()
    await atRest(page)
    // The upper left corner of each title is seen, and nothing else lies over it.
    const seen = await column.evaluate((column) =>
      [...column.querySelectorAll<HTMLElement>('.chip .hit, .rest')].map((one) => {
        one.scrollIntoView({ block: 'nearest' })
        const { left, top } = one.getBoundingClientRect()
        return document.elementFromPoint(left + 6, top + 8)?.closest('.hit, .rest') === one
      }),
    )
    expect(seen).toEqual(seen.map(() => true))
    const [starts, tops] = await column
      .locator('.chip .hit')
      .evaluateAll((hits) => [
        hits.map((one) => /\d\d:\d\d/.exec(one.getAttribute('aria-label')!)![0]),
        hits.map((one) => one.getBoundingClientRect().top),
      ])
    expect(starts).toEqual([...starts].sort())
    expect(tops).toEqual([...tops].sort((a, b) => a - b))
    // What has no room is one click away.
    const rest = column.locator('.rest')
    const hidden = await rest.evaluateAll((all) => all.map((one) => Number(one.textContent)))
    let found = await column.locator('.chip').filter({ hasText: 'Overlap' }).count()
    for (const [at, count] of hidden.entries()) {
      await rest.nth(at).click()
      const list = page.getByRole('dialog', { name: 'Overlapping entries' })
      await expect.poll(() => list.getByRole('listitem').count()).toBe(count)
      found += await list.getByRole('listitem').filter({ hasText: 'Overlap' }).count()
      await page.keyboard.press('Escape')
      await list.waitFor({ state: 'detached' })
    }
    expect(found).toBe(12)
  })

  it('show their title, time, and calendar under a resting pointer, which covers no other', async () => {
    for (const key of ['2', 't', 'j', 'j']) await page.keyboard.press(key)
    const covered = page.locator('.column').nth(3).locator('.block').first()
    await covered.hover({ position: { x: 30, y: 8 } })
    const tooltip = page.getByTestId('entry-tooltip')
    await tooltip.getByText('Overlap 0').waitFor()
    await expect.poll(() => tooltip.innerText()).toMatch(/Overlap 0\nThursday 25 June, 09:00 to 11:00\n/)
    const above = page.locator('.column').nth(3).locator('.block').nth(1)
    await above.click({ position: { x: 30, y: 8 }, trial: true })
    await page.keyboard.press('Shift')
    await tooltip.waitFor({ state: 'detached' })
  })

  it('show nothing if they come below a pointer that rests', async () => {
    for (const key of ['2', 't', 'j', 'j']) await page.keyboard.press(key)
    const block = page.locator('.column').nth(3).locator('.block').first()
    await page.mouse.move(0, 0)
    await block.hover({ position: { x: 30, y: 8 } })
    const tooltip = page.getByTestId('entry-tooltip')
    await tooltip.getByText('Overlap 0').waitFor()
    // Without the delay, a tooltip would be there at once.
    await page.evaluate(() => {
      const { setTimeout } = window
      const soon = (run: () => void, after?: number): number => setTimeout(run, after === 400 ? 0 : after)
      Object.assign(window, { setTimeout: soon, setTimeoutBefore: setTimeout })
    })
    await page.keyboard.press('j')
    await tooltip.waitFor({ state: 'detached' })
    await atRest(page)
    await page.keyboard.press('k')
    await atRest(page)
    // Browsers report this, with or without a move of the same place, once something is shown below the pointer.
    await block.dispatchEvent('pointerover', { bubbles: true, pointerType: 'mouse' })
    await atRest(page)
    await expect.poll(() => tooltip.count()).toBe(0)
    await block.hover({ position: { x: 31, y: 8 } })
    await tooltip.getByText('Overlap 0').waitFor()
    await page.evaluate('window.setTimeout = window.setTimeoutBefore')
    await page.keyboard.press('Shift')
  })
})

describe('text in blocks', () => {
  /** Texts that are cut off without an ellipsis. */
  const cut = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.block .title, .block .time, .slot .title, .slot .time')]
        .filter((one) => one.getClientRects().length > 0)
        .filter((one) => {
          const style = getComputedStyle(one)
          const [over, high] = [one.scrollWidth > one.clientWidth + 1, one.scrollHeight > one.clientHeight + 3]
          const hit = one.closest('.hit')!.getBoundingClientRect()
          const hasEllipsis = style.textOverflow === 'ellipsis' && style.whiteSpace === 'nowrap'
          const outside = one.getBoundingClientRect().right > hit.right + 1
          return (over && !hasEllipsis) || (high && style.webkitLineClamp === 'none') || outside
        })
        .map((one) => one.textContent?.trim() ?? ''),
    )

  it.each(drawn(['24', '12'], 1))(
    'is never cut off mid-line, with a %s-hour clock, at any width',
    async (hourCycle) => {
      await page.evaluate((hourCycle) => {
        const stored = JSON.parse(localStorage.getItem('flightplan.settings') ?? '{}') as object
        localStorage.setItem('flightplan.settings', JSON.stringify({ ...stored, hourCycle }))
      }, hourCycle)
      await page.reload()
      await nothingPending(page)
      for (const width of [640, 960, 1280, 1600]) {
        await to(width, 800)
        await atRest(page)
        expect({ width, cut: await cut() }).toEqual({ width, cut: [] })
        if (width === 1280 && hourCycle === '12')
          await expect
            .poll(() => page.locator('.block .time').allInnerTexts())
            .toEqual(expect.arrayContaining([expect.stringMatching(/^\d+(:\d\d)? ?– ?\d+(:\d\d)? pm$/)]) as string[])
      }
    },
  )
})

it('drags an event out of the window as a calendar file, and changes nothing', async () => {
  const { x, y, width } = await box(page.locator('.chip.block').filter({ hasText: '1:1 Mina' }).first())
  const up = await drag([x + width / 2, y + 8], [x + width * 1.5, y + 8])
  // The browser of page tests has no pointer outside of its window.
  const move = (buttons: number): Promise<boolean> =>
    page.evaluate(
      (buttons) => window.dispatchEvent(new PointerEvent('pointermove', { clientX: -60, clientY: 300, buttons })),
      buttons,
    )
  const further = async (): Promise<number> => {
    await move(1)
    return app.shell.dragged.length
  }
  await expect.poll(further).toBe(1)
  await up()
  const [path = ''] = app.shell.dragged
  expect(path).toMatch(/Mina\.ics$/)
  expect(await readFile(path, 'utf8')).toMatch(/SUMMARY:1:1 Mina\r\n/)
  await expect.poll(() => page.locator('.chip.moving').count()).toBe(0)
  await nothingPending(page)
})

it('saves an event to a calendar file from its menu', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-export-'))
  app.shell.answers = { save: join(folder, 'event.ics') }
  const chip = page.getByRole('button', { name: /^Weekly planning, Monday/ })
  await chip.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Export event…' }).press('Enter')
  await page
    .getByText(`Saved ${join(folder, 'event.ics')}`)
    .first()
    .waitFor()
  expect(await readFile(join(folder, 'event.ics'), 'utf8')).toMatch(/^BEGIN:VCALENDAR/)
  app.shell.answers = {}
})

it('dragging over the interface selects no text', async () => {
  const { x, y } = await box(page.getByRole('heading', { name: 'Calendars', exact: true }))
  const up = await drag([x, y], [x + 150, y + 120])
  await up()
  expect(await page.evaluate(() => String(getSelection()))).toBe('')
})
