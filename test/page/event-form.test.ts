import type { Locator } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { offsetClock, offsetTo } from '#shared/time/clock'
import { violationsByTheme } from '../helpers/axe'
import { atRest, choose, nothingPending } from '../helpers/page'
import { asking } from '../helpers/sign-in'
import { appForFile } from '../helpers/for-file'
import { drawn } from '../helpers/ring'

// A Friday, two days before the clock change in Berlin.
const clock = offsetClock(offsetTo(Date.parse('2027-03-26T10:00:00+01:00')))
const { app } = appForFile(() => ({ clock, args: ['--seed', 'empty'], size: { width: 1280, height: 900 } }))

const form = (): Locator => app.page.locator('form.editor')
const field = (name: string): Locator => form().getByRole('textbox', { name, exact: true })
const title = (): Locator => field('Title')
const guests = (): Locator => form().getByRole('combobox', { name: 'Guests' })
const button = (name: string): Locator => form().getByRole('button', { name, exact: true })
const create = (): Locator => form().getByRole('button', { name: /^Create/ })
/** Shows every field of a new event. */
const more = (): Promise<void> => button('More options').click()
const gone = (): Promise<void> => form().waitFor({ state: 'detached' })
const value = (name: string): Promise<string> => field(name).inputValue()
async function fill(name: string, text: string): Promise<void> {
  await field(name).fill(text)
  await field(name).press('Tab')
}

const column = (day: string): Locator => app.page.locator(`.column[aria-label="${day}"]`)

async function drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await app.page.mouse.move(from.x, from.y)
  await app.page.mouse.down()
  await app.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
  await app.page.mouse.move(to.x, to.y, { steps: 4 })
  await app.page.mouse.up()
  await form().waitFor()
}
/** Draws a new event in a day's time grid, such as `Sunday 28 March`. */
async function drawHours(day: string, from: number, to: number): Promise<void> {
  await atRest(app.page)
  // Scroll to two hours above it, wherever the grid was.
  await column(day).evaluate((grid, hour) => {
    let scroller = grid.parentElement
    while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement
    if (scroller) scroller.scrollTop = ((hour - 2) / 24) * grid.clientHeight
  }, from)
  const box = (await column(day).boundingBox())!
  const at = (hour: number): { x: number; y: number } => ({
    x: box.x + box.width / 2,
    y: box.y + (hour / 24) * box.height,
  })
  await drag({ ...at(from), y: at(from).y + 3 }, { ...at(to), y: at(to).y - 3 })
}
async function drawDays(from: string, to: string): Promise<void> {
  await atRest(app.page)
  const middle = async (day: string): Promise<{ x: number; y: number }> => {
    const box = (await app.page.getByRole('gridcell', { name: `${day}, all day`, exact: true }).boundingBox())!
    return { x: box.x + box.width / 2, y: box.y + box.height - 4 }
  }
  const [first, last] = [await middle(from), await middle(to)]
  await drag({ ...first, x: first.x - 10 }, { ...last, x: last.x + 10 })
}
async function onService(summary: string) {
  await nothingPending(app.page)
  const primary = { accountId: 'sandbox', collection: 'events', parent: 'alex.morgan@flightplan.example' } as const
  const { records } = await asking(app.page, 'sync/pull', { ...primary, cursor: null, page: null })
  return records.map((record) => record.value).find((one) => one?.['summary'] === summary)
}
/** Counts frames from the announcement of the new event until the form closes. Saving it takes as long as the disk needs. */
async function framesToClose(name: string): Promise<number> {
  await app.page.evaluate((words) => {
    const counts = window as unknown as { frames: number }
    counts.frames = 0
    const count = (): void => {
      if (!document.querySelector('form.editor')) return
      if (document.querySelector('[data-testid="announcements"]')?.textContent?.includes(words)) counts.frames++
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  }, `${name} added`)
  await create().click()
  await gone()
  return app.page.evaluate(() => (window as unknown as { frames: number }).frames)
}

beforeEach(async () => {
  for (let round = 0; round < 3 && (await form().count()) > 0; round++) {
    await app.page.keyboard.press('Escape')
    await form()
      .waitFor({ state: 'detached', timeout: 1_000 })
      .catch(() => undefined)
  }
  await app.page.keyboard.press('Control+1')
  await app.page.keyboard.press('t')
  await app.page.keyboard.press('2')
  await column('Sunday 28 March').waitFor()
})

describe('saving', () => {
  it('handles a recurring event as fast as a single one', async () => {
    await drawHours('Saturday 27 March', 10, 11)
    await title().fill('Rehearsal')
    await more()
    await choose(form().getByRole('combobox', { name: 'Repeats' }), 'Every week on Saturday')
    expect(await framesToClose('Rehearsal')).toBeLessThan(30)
    await expect
      .poll(() => app.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''))
      .toContain('Rehearsal')
  })

  it('handles an event outside the visible range as fast', async () => {
    await drawHours('Saturday 27 March', 12, 13)
    await title().fill('Far away')
    await fill('Start date', '12 Aug 2027')
    expect(await framesToClose('Far away')).toBeLessThan(30)
    await expect.poll(() => app.page.getByRole('button', { name: /Far away/ }).count()).toBe(0)
  })
})

describe('a custom rule', () => {
  it('stays open while it’s edited, also when it’s a common one', async () => {
    await app.page.keyboard.press('q')
    await app.page.locator('#quick-line').fill('Market every week on Sat and Sun 8:00-9:00')
    await app.page.keyboard.press('Enter')
    await app.page.getByText('“Market” created', { exact: true }).waitFor()
    await app.page.getByRole('button', { name: /^Market, Sunday 28 March/ }).focus()
    await app.page.keyboard.press('e')
    await button('Saturday').press('Space')
    await form()
      .getByText(/^every week on Sunday$/i)
      .waitFor()
    await button('Monday').press('Space', { timeout: 5_000 })
    await expect.poll(() => button('Monday').getAttribute('aria-pressed')).toBe('true')
    await button('Discard').click()
    await gone()
  })
})

describe('a button below a field', () => {
  it('is pressed although the reason why the field’s text is invalid moves it', async () => {
    await drawHours('Saturday 27 March', 14, 15)
    await title().fill('Retreat')
    await field('Start date').fill('soonish')
    await atRest(app.page)
    const before = (await button('More options').boundingBox())!
    await app.page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
    await app.page.mouse.down()
    await form().getByRole('alert').waitFor()
    await expect.poll(async () => (await button('More options').boundingBox())?.y).not.toBe(before.y)
    await app.page.mouse.up()
    await guests().waitFor()
    await expect.poll(() => title().inputValue()).toBe('Retreat')
    await button('Cancel').click()
    await gone()
  })
})

describe('unsaved input for a new event', () => {
  it('keeps its dates and is fully restored', async () => {
    await drawDays('Monday 22 March', 'Wednesday 24 March')
    await title().fill('Conference Lisbon')
    await app.page.keyboard.press('Escape')
    await gone()
    await drawHours('Sunday 28 March', 10, 11)
    await expect.poll(() => title().inputValue()).toBe('')
    await app.page.keyboard.press('Escape')
    await gone()
    await drawDays('Monday 22 March', 'Wednesday 24 March')
    await form().getByText('Restored your unsaved changes').waitFor()
    await expect.poll(() => title().inputValue()).toBe('Conference Lisbon')
    expect([await value('Start date'), await value('End date')]).toEqual(['Mon 22 Mar', 'Wed 24 Mar'])
  })

  it('is offered elsewhere and fully restored there', async () => {
    await drawHours('Sunday 28 March', 12, 13)
    await expect.poll(() => title().inputValue()).toBe('')
    await button('Continue with “Conference Lisbon”').click()
    await expect.poll(() => title().inputValue()).toBe('Conference Lisbon')
    expect([await value('Start date'), await value('End date')]).toEqual(['Mon 22 Mar', 'Wed 24 Mar'])
  })

  it('can be discarded, leaving an empty form with working shortcuts', async () => {
    await drawDays('Monday 22 March', 'Wednesday 24 March')
    await button('Discard changes').click()
    await expect.poll(() => title().inputValue()).toBe('')
    await app.page.keyboard.type('jt3d')
    await expect.poll(() => title().inputValue()).toBe('jt3d')
    expect([await value('Start date'), await value('End date')]).toEqual(['Mon 22 Mar', 'Wed 24 Mar'])
    await more()
    await button('Cancel').click()
    await gone()
    await column('Sunday 28 March').waitFor()
  })
})

describe('a new event next to its place', () => {
  it('is saved by a click elsewhere if it has a title', async () => {
    await drawHours('Wednesday 24 March', 20, 21)
    await title().fill('Clicked away')
    await app.page.getByRole('heading', { name: 'March 2027' }).first().click()
    await gone()
    await app.page.getByRole('button', { name: /^Clicked away/ }).waitFor()
    await drawHours('Wednesday 24 March', 18, 19)
    await app.page.getByRole('heading', { name: 'March 2027' }).first().click()
    await gone()
    await expect.poll(() => app.page.getByRole('button', { name: /\(No title\)/ }).count()).toBe(0)
    expect(await onService('Clicked away')).toMatchObject({ start: { dateTime: '2027-03-24T20:00:00+01:00' } })
  })

  it('takes time, place, and calendar from its title when asked', async () => {
    await drawHours('Wednesday 24 March', 10, 11)
    await title().pressSequentially('Lunch 12-13 at Café Nord')
    await button('Use Wednesday 24 March, 12:00 to 13:00, Café Nord').click()
    await expect.poll(() => title().inputValue()).toBe('Lunch')
    expect([await value('Start time'), await value('End time')]).toEqual(['12:00', '13:00'])
    await more()
    expect(await value('Location')).toBe('Café Nord')
    await button('Cancel').click()
    await gone()
  })

  it('takes them from its title when it’s saved, if nobody chose a time', async () => {
    await app.page.getByRole('button', { name: 'New event', exact: true }).first().click()
    await title().pressSequentially('Tea 27 March 16:15-17')
    await form().getByText('Saturday 27 March, 16:15 to 17:00').waitFor()
    await title().press('Enter')
    await gone()
    expect(await onService('Tea')).toMatchObject({ start: { dateTime: '2027-03-27T16:15:00+01:00' } })
    await app.page.getByRole('button', { name: 'New event', exact: true }).first().click()
    await title().pressSequentially('Coffee 27 March 10:00')
    await button('Keep in title').click()
    await button('Use Saturday 27 March, 10:00 to 10:30').waitFor()
    await title().press('Enter')
    await gone()
    expect(await onService('Coffee 27 March 10:00')).toMatchObject({ status: 'confirmed' })
  })

  it('shows everything that its title sets, and moves it to the fields with “More options”', async () => {
    await app.page.getByRole('button', { name: 'New event', exact: true }).first().click()
    await title().pressSequentially('Standup every Monday 9:00 with mina@example.com')
    await form()
      .getByText('Monday 29 March, 09:00 to 09:30, every week on Monday, guest mina@example.com', { exact: true })
      .waitFor()
    await more()
    await expect.poll(() => title().inputValue()).toBe('Standup')
    expect([await value('Start date'), await value('Start time')]).toEqual(['Mon 29 Mar', '09:00'])
    const repeats = form().getByRole('combobox', { name: 'Repeats' })
    await expect.poll(() => repeats.inputValue()).toBe('Every week on Monday')
    await form().getByRole('list', { name: 'Guests' }).getByText('mina@example.com').waitFor()
    await button('Cancel').click()
    await gone()
    await app.page.getByRole('button', { name: 'New event', exact: true }).first().click()
    await title().pressSequentially('Plan for Monday')
    await button('Keep in title').click()
    await more()
    await guests().waitFor()
    await button('Use Monday 29 March, all day').waitFor()
    await expect.poll(() => title().inputValue()).toBe('Plan for Monday')
    await button('Cancel').click()
    await gone()
  })

  it('says when it is if its title moves it out of sight', async () => {
    await app.page.getByRole('button', { name: 'New event', exact: true }).first().click()
    await title().pressSequentially('Retreat 28 April 16:15-17')
    await app.page.getByRole('heading', { name: 'March 2027' }).first().click()
    await gone()
    await app.page
      .getByText(/“Retreat” created, .*28 Apr.* 16:15/)
      .first()
      .waitFor()
  })

  it('takes them from its title without a grid to point at, too', async () => {
    await app.page.keyboard.press('4')
    await column('Sunday 28 March').waitFor({ state: 'detached' })
    await app.page.getByRole('button', { name: 'New event', exact: true }).first().click()
    await title().pressSequentially('Cake 27 March 16:15-17')
    await form().getByText('Saturday 27 March, 16:15 to 17:00', { exact: true }).waitFor()
    await title().press('Enter')
    await gone()
    expect(await onService('Cake')).toMatchObject({ start: { dateTime: '2027-03-27T16:15:00+01:00' } })
  })

  it('keeps its days and times when it turns into an all-day event and back', async () => {
    await drawDays('Monday 22 March', 'Wednesday 24 March')
    const allDay = form().getByRole('switch', { name: 'All day' })
    await allDay.click()
    expect([await value('Start date'), await value('Start time')]).toEqual(['Mon 22 Mar', '09:00'])
    expect([await value('End date'), await value('End time')]).toEqual(['Wed 24 Mar', '17:00'])
    await fill('Start time', '10:15')
    await allDay.click()
    expect([await value('Start date'), await value('End date')]).toEqual(['Mon 22 Mar', 'Wed 24 Mar'])
    await allDay.click()
    expect([await value('Start time'), await value('End time')]).toEqual(['10:15', '18:15'])
  })
})

describe('unsaved changes to an event', () => {
  it('are restored with it, and can be discarded with the title focused', async () => {
    const event = app.page.getByRole('button', { name: /^Rehearsal/ }).first()
    await event.dblclick()
    await title().fill('Rehearsal, moved')
    await app.page.keyboard.press('Escape')
    await gone()
    await event.dblclick()
    await form().getByText('Restored your unsaved changes').waitFor()
    await expect.poll(() => title().inputValue()).toBe('Rehearsal, moved')
    await button('Discard changes').click()
    await expect.poll(() => title().inputValue()).toBe('Rehearsal')
    await app.page.keyboard.press('End')
    await app.page.keyboard.type(' j')
    await expect.poll(() => title().inputValue()).toBe('Rehearsal j')
  })

  it('can be restored after discarding', async () => {
    const event = app.page.getByRole('button', { name: /^Rehearsal/ }).first()
    await event.dblclick()
    await title().fill('Rehearsal, typed')
    await button('Discard').click()
    await gone()
    await app.page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(() => title().inputValue()).toBe('Rehearsal, typed')
    await button('Discard').click()
    await gone()
  })
})

describe('date and time fields', () => {
  it('stand in one line, in the window next to the place and in the panel', async () => {
    await drawHours('Saturday 27 March', 14, 15)
    const inputs = form().locator('.times input')
    const lines = (): Promise<number> =>
      inputs.evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))).size)
    await field('End time').waitFor()
    await expect.poll(async () => [await inputs.count(), await lines()]).toEqual([3, 1])
    await more()
    await guests().waitFor()
    await expect.poll(async () => [await inputs.count(), await lines()]).toEqual([3, 1])
    await button('Cancel').click()
    await gone()
  })

  it('have consistent names', async () => {
    await drawHours('Saturday 27 March', 14, 15)
    await button('End date').click()
    await expect.poll(() => field('End date').evaluate((input) => input === document.activeElement)).toBe(true)
    for (const name of ['Start date', 'Start time', 'End date', 'End time']) await field(name).waitFor()
  })

  const dates = [
    ['tomorrow', 'Sat 27 Mar'],
    ['25', 'Sun 25 Apr'],
    ['monday next week', 'Mon 29 Mar'],
    ['in 2 weeks', 'Fri 9 Apr'],
    ['24 dec', 'Fri 24 Dec'],
  ] as const
  it.each(drawn(dates, 1))('accept the date “%s”', async (typed, shown) => {
    await drawHours('Saturday 27 March', 14, 15)
    await fill('Start date', typed)
    await expect.poll(() => value('Start date')).toBe(shown)
  })

  const times = [
    ['quarter past 3', '15:15'],
    ['3pm', '15:00'],
    ['1530', '15:30'],
    ['noon', '12:00'],
    ['7', '07:00'],
  ] as const
  it.each(drawn(times, 1))('accept the time “%s”', async (typed, shown) => {
    await drawHours('Saturday 27 March', 14, 15)
    await fill('Start time', typed)
    await expect.poll(() => value('Start time')).toBe(shown)
  })

  it("keep invalid input with the reason and don't save it", async () => {
    await drawHours('Saturday 27 March', 14, 15)
    await title().fill('Unread')
    await button('End date').click()
    for (const [name, typed, reason] of [
      ['Start date', 'blursday', /Enter a date/],
      ['End date', '12/1', /12 Jan or 1 Dec/],
      ['Start time', '25:99', /isn’t a time of day/],
      ['End time', 'teatime', /Enter a time/],
    ] as const) {
      const before = await value(name)
      await fill(name, typed)
      expect(await value(name)).toBe(typed)
      await expect.poll(() => field(name).getAttribute('aria-invalid')).toBe('true')
      await form().getByText(reason).waitFor()
      const described = await field(name).getAttribute('aria-describedby')
      await expect.poll(() => app.page.locator(`[id="${described}"]`).textContent()).toMatch(reason)
      await create().click()
      await form().getByText('Fix 1 field before saving').waitFor()
      expect(await field(name).evaluate((input) => input === document.activeElement)).toBe(true)
      // Escape restores the old value.
      await field(name).press('Escape')
      await expect.poll(() => value(name)).toBe(before)
    }
    await create().click()
    await gone()
  })

  it('expose errors to assistive technology, in both themes', async () => {
    await drawHours('Thursday 25 March', 11, 12)
    await fill('Start date', 'blursday')
    await fill('End time', 'teatime')
    await more()
    await guests().fill('nobody')
    await guests().press('Tab')
    expect(await violationsByTheme(app.page, { within: 'form.editor' })).toEqual([])
  })

  it('move an end before the start to the next day, and back when the start changes', async () => {
    await drawHours('Thursday 25 March', 11, 12)
    await fill('End time', '8:00')
    expect(await value('End date')).toBe('Fri 26 Mar')
    await fill('End time', '17')
    await field('End date').waitFor({ state: 'detached' })
    await button('End date').click()
    expect([await value('End date'), await value('End time')]).toEqual(['Thu 25 Mar', '17:00'])
    // An end on another day stays there.
    await fill('End date', '29 mar')
    await fill('End time', '18')
    expect([await value('End date'), await value('End time')]).toEqual(['Mon 29 Mar', '18:00'])
  })

  it('move the end along when the start falls in a clock change', async () => {
    await drawHours('Sunday 28 March', 10, 10.5)
    await title().fill('In the gap')
    await fill('Start time', '2:30')
    await form()
      .getByText(/Clocks go forward on this day/)
      .waitFor()
    expect([await value('Start time'), await value('End time')]).toEqual(['03:30', '04:00'])
    await create().click()
    await gone()
    expect(await onService('In the gap')).toMatchObject({
      start: { dateTime: '2027-03-28T03:30:00+02:00' },
      end: { dateTime: '2027-03-28T04:00:00+02:00' },
    })
  })

  it('keep the length in the repeated hour of autumn, and an end typed there', async () => {
    await drawHours('Sunday 28 March', 10, 11)
    await title().fill('In the second hour')
    await fill('Start date', '31 oct')
    await fill('Start time', '2:30')
    expect([await value('Start time'), await value('End time')]).toEqual(['02:30', '03:30'])
    const length = form().locator('.length')
    await expect.poll(() => length.textContent()).toBe('1 h')
    await fill('End time', '2:45')
    await expect.poll(() => length.textContent()).toBe('15 min')
    await create().click()
    await gone()
    expect(await onService('In the second hour')).toMatchObject({
      start: { dateTime: '2027-10-31T02:30:00+01:00' },
      end: { dateTime: '2027-10-31T02:45:00+01:00' },
    })
  })

  it('move an end that falls in a clock change, with a note', async () => {
    await drawHours('Sunday 28 March', 10, 10.5)
    await fill('Start time', '1:00')
    await fill('End time', '2:30')
    await form()
      .getByText(/Clocks go forward on this day/)
      .waitFor()
    expect([await value('Start time'), await value('End time')]).toEqual(['01:00', '03:30'])
  })
})

describe('guests', () => {
  it('are suggested by name, and a time is found for them', async () => {
    await drawHours('Thursday 25 March', 16, 17)
    await title().fill('Review with Mina')
    await more()
    await guests().fill('Mina Park <mina.park@example.com>')
    await guests().press('Enter')
    await form().getByRole('list', { name: 'Guests' }).getByText('Mina Park').waitFor()
    await create().click()
    await app.page
      .getByRole('dialog', { name: 'Create “Review with Mina”' })
      .getByRole('button', { name: 'Create' })
      .click()
    await gone()

    await drawHours('Thursday 25 March', 13, 14)
    await more()
    await guests().fill('par')
    const people = app.page.getByRole('listbox', { name: 'People' })
    await people.getByRole('option', { name: /^Mina Park/, selected: true }).waitFor()
    expect(await violationsByTheme(app.page)).toEqual([])
    await guests().press('Enter')
    await people.waitFor({ state: 'detached' })
    await form().getByRole('list', { name: 'Guests' }).getByText('Mina Park').waitFor()
    await expect.poll(() => form().getByRole('list', { name: 'Guests' }).getByText('You').count()).toBe(1)
    await button('Find a time').click()
    await form().getByText('Mina Park doesn’t share when they’re free.').waitFor()
    const offers = form().getByRole('group', { name: 'Free times' }).getByRole('button')
    await expect.poll(() => offers.count()).toBe(3)
    const offered = (await offers.last().innerText()).replace(/\s+/g, ' ')
    await offers.last().click()
    const [day, from] = [await value('Start date'), await value('Start time')]
    expect(offered).toContain(`${day} ${from}`)
    expect(await value('End time')).toBe((Number(from.slice(0, 2)) + 1 + from.slice(2)).padStart(5, '0'))
  })
})

describe('wording', () => {
  it('keeps the focus in the list when guests are removed', async () => {
    await drawHours('Saturday 27 March', 7, 8)
    await more()
    await guests().fill('mina@example.com, jonas@example.com')
    await guests().press('Enter')
    // The button says what it does, so that a required guest doesn't seem optional.
    await button('Make optional: jonas@example.com').click()
    await button('Make required: jonas@example.com').waitFor()
    const focused = (): Promise<string | null> =>
      app.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement!.role)
    await button('Remove mina@example.com').press('Enter')
    await expect.poll(focused).toBe('Remove jonas@example.com')
    await app.page.keyboard.press('Enter')
    await expect.poll(focused).toBe('combobox')
    await expect.poll(() => guests().evaluate((one) => one === document.activeElement)).toBe(true)
    await app.page.keyboard.press('Escape')
    await gone()
  })

  it('forgets a rejected guest once the field is cleared', async () => {
    await drawHours('Saturday 27 March', 16, 17)
    await more()
    await guests().fill('not an address')
    await guests().press('Tab')
    await form().getByText('Enter an email address').waitFor()
    await guests().fill('')
    await expect.poll(() => form().getByText('Enter an email address').count()).toBe(0)
  })

  it('says “week” for 1 and “weeks” for more', async () => {
    await drawHours('Saturday 27 March', 16, 17)
    await more()
    await choose(form().getByRole('combobox', { name: 'Repeats' }), 'Custom…')
    const unit = form().getByRole('combobox', { name: 'Unit' })
    const shown = (): Promise<string> => unit.inputValue()
    expect(await shown()).toBe('week')
    await fill('Every', '2')
    await expect.poll(shown).toBe('weeks')
  })

  it('keeps a number of times while the end is of another kind', async () => {
    await drawHours('Saturday 27 March', 16, 17)
    await more()
    await choose(form().getByRole('combobox', { name: 'Repeats' }), 'Custom…')
    const ends = form().getByRole('combobox', { name: 'Ends' })
    await choose(ends, 'after')
    await fill('Number of times', '7')
    await choose(ends, 'on date')
    await choose(ends, 'after')
    await expect.poll(() => value('Number of times')).toBe('7')
  })

  it('shows when a reminder of an all-day event fires', async () => {
    await drawDays('Thursday 25 March', 'Thursday 25 March')
    await more()
    await form().getByRole('switch', { name: 'Calendar default reminders' }).click()
    await fill('Time before event', '10')
    await choose(form().getByRole('combobox', { name: 'Unit' }), 'minutes')
    await fill('Time before event', 'soon')
    await form().getByText('Enter a number from 0').waitFor()
    await fill('Time before event', '10')
    await form().getByText('Thu 25 Mar 09:00, in the morning', { exact: true }).waitFor()
  })
})

it('the page logged no errors', () => {
  expect(app.log.filter((line) => /pageerror|^error:|Cannot read properties/.test(line))).toEqual([])
})

it('keeps a guest who is being typed when the window closes', async () => {
  await drawHours('Saturday 27 March', 16, 17)
  await more()
  await title().fill('Half invited')
  await guests().fill('nora@example.com')
  await app.announce('app/closing', {})
  const stored = await app.page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith('flightplan.drafts.'))
      .map((key) => localStorage.getItem(key)!),
  )
  expect(stored.join()).toContain('nora@example.com')
})
