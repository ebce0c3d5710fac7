import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { dateOfWall, wallOfInstant } from '#shared/time/zones'
import { appForFile } from '../helpers/for-file'
import { dismissMessages, holdFrames, messages, runCommand } from '../helpers/page'

const primary = 'alex.morgan@flightplan.example'
const { app } = appForFile(() => ({ args: ['--seed', 'empty'], size: { width: 1280, height: 900 } }))

const day = (offset: number): string =>
  dateOfWall(wallOfInstant(app.clock.now(), 'Europe/Berlin') + offset * 86_400_000)
/** Asks the service as another of the user’s devices does. */
async function elsewhere(operation: string, params: JsonObject, body: JsonObject): Promise<JsonObject> {
  const order = JSON.stringify({ person: 'you', operation, params: { calendarId: primary, ...params }, body })
  const answer = await app.page.evaluate(
    (text) => window.flightplan.ask('sandbox/as', JSON.parse(text) as never),
    order,
  )
  if (!answer.ok) throw new Error(answer.fault.message)
  return (answer.value['body'] ?? answer.value) as JsonObject
}
async function made(summary: string, offset: number, more: JsonObject = {}, calendarId = primary): Promise<string> {
  const at = (time: string): JsonObject => ({ dateTime: `${day(offset)}T${time}:00`, timeZone: 'Europe/Berlin' })
  const body = { summary, start: at('12:00'), end: at('13:00'), ...more }
  return String((await elsewhere('calendar.events.insert', { calendarId }, body))['id'])
}

beforeAll(async () => {
  await made('Report template review', 50, { description: 'The Brightwell numbers' })
  await made('Dentist, far', 300)
  await made('Dentist, past', -20)
  await made('Dentist, next', 5)
  await made('Dentist, past but recent', -3)
  await made('Brightwell lunch', 9)
  await made('Café Nord', 4)
  await made('Reports', 2)
  await made('Yoga class', -30, { recurrence: ['RRULE:FREQ=WEEKLY'] })
  const attendees = [{ email: primary }, { email: 'mina.park@example.com', displayName: 'Mina Park' }]
  await made('Budget review', -4, { attendees })
  await made('Budget talk', 6, { attendees })
  await app.page.keyboard.press('Control+1')
  await app.page.keyboard.press('4')
  await app.page.keyboard.press('F5')
  await app.page.getByText('Brightwell lunch').first().waitFor()
  await app.page.keyboard.press('Control+2')
  const line = app.page.getByRole('textbox', { name: 'New task' })
  for (const text of ['Call the dentist', 'Send plan']) {
    await line.fill(text)
    await line.press('Enter')
    await app.page.getByRole('checkbox', { name: text }).first().waitFor()
  }
})

const words = () => app.page.getByRole('combobox', { name: 'Search and commands' })
async function found(text: string): Promise<string[]> {
  await app.page.keyboard.press('Control+k')
  await words().fill(text)
  // Counts them once they are those of the whole text.
  await app.page
    .getByRole('dialog', { name: 'Search and commands' })
    .getByRole('status')
    .filter({ hasText: /^\s*\d+ results?\s*$/ })
    .waitFor({ state: 'attached' })
  const shown = await app.page
    .getByRole('listbox', { name: 'Results' })
    .getByRole('option')
    .locator('.title')
    .allTextContents()
  await app.page.keyboard.press('Escape')
  await words().waitFor({ state: 'detached' })
  return shown
}

describe('search', () => {
  it('lists the next event first, then upcoming, then past ones', async () => {
    expect((await found('dentist')).slice(0, 5)).toEqual([
      'Dentist, next',
      'Dentist, far',
      'Dentist, past but recent',
      'Dentist, past',
      'Call the dentist',
    ])
  })

  it('ranks titles over descriptions', async () => {
    expect((await found('brightwell')).slice(0, 2)).toEqual(['Brightwell lunch', 'Report template review'])
  })

  it('puts a command typed in full before others with the same words', async () => {
    expect((await found('Campaigns: campaigns'))[0]).toBe('Campaigns: campaigns')
  })

  it('leads to a view and to new records by their names alone, also from other views', async () => {
    const reports = await found('reports')
    expect(reports[0]).toBe('Go to Reports')
    expect(reports).toContain('Reports')
    await app.page.keyboard.press('Control+6')
    expect((await found('new event'))[0]).toBe('New event')
    expect((await found('new task'))[0]).toBe('New task')
    expect((await found('offline'))[0]).toBe('Work offline or go online')
    await app.page.keyboard.press('Control+2')
    expect((await found('new task'))[0]).toBe('New task')
  })

  it.each([
    ['go online', 'Work offline or go online'],
    ['dark mode', 'Theme: dark'],
    ['light mode', 'Theme: light'],
    ['preferences', 'Go to Settings'],
    ['exit', 'Quit Flightplan'],
    ['sign out', 'Settings: Accounts'],
    ['share calendar', 'Settings: Calendars and sharing'],
    ['quiet hours', 'Settings: Notifications'],
    ['check for updates', 'Settings: About and updates'],
    ['start at login', 'Settings: This computer'],
    ['conflicts', 'Go to Sync'],
    ['report a bug', 'Save diagnostics…'],
    ['hotkeys', 'Keyboard shortcuts'],
    ['new report', 'New report'],
  ])('leads from words people know to the command: %s', async (text, command) => {
    expect((await found(text))[0]).toBe(command)
  })

  it('tolerates a typo and a missing accent', async () => {
    expect((await found('dentsit'))[0]).toBe('Dentist, next')
    expect((await found('cafe'))[0]).toBe('Café Nord')
  })

  it('opens the top result for the current text on Enter, even when you type fast', async () => {
    await app.page.keyboard.press('Control+k')
    await words().fill('brightwell')
    await app.page.getByRole('option').filter({ hasText: 'Brightwell lunch' }).waitFor()
    await words().fill('dentist next')
    await words().press('Enter')
    await app.page.getByRole('dialog', { name: 'Dentist, next' }).waitFor()
    await app.page.keyboard.press('Escape')
  })

  it('catches every key after its shortcut, even before the next frame', async () => {
    // Its script is loaded when this resolves.
    await app.page.keyboard.press('Control+k')
    await words().waitFor()
    await app.page.keyboard.press('Escape')
    await words().waitFor({ state: 'detached' })
    const release = await holdFrames(app.page)
    try {
      await app.page.keyboard.press('Control+k')
      await app.page.keyboard.type('dentist')
    } finally {
      await release()
    }
    await words().waitFor()
    await expect.poll(() => words().inputValue()).toBe('dentist')
    await app.page.keyboard.press('Escape')
    await words().waitFor({ state: 'detached' })
  })

  const titles = (): Promise<string[]> =>
    app.page.getByRole('listbox', { name: 'Results' }).getByRole('option').locator('.title').allTextContents()
  /** Looks for a text, lists the commands of the first row, and keeps those with a word. */
  async function commandsOn(text: string, first: string, word: string): Promise<void> {
    await app.page.keyboard.press('Control+k')
    await words().fill(text)
    await words().press('Tab')
    await expect.poll(() => words().getAttribute('placeholder')).toBe(`Commands for “${first}”`)
    await words().fill(word)
  }

  it('lists the commands of a row by Tab, right click, and the menu key, and returns to it', async () => {
    await app.page.keyboard.press('Control+k')
    await words().fill('dentist')
    const row = app.page.getByRole('option').filter({ hasText: 'Dentist, far' })
    await row.waitFor()
    const before = await titles()
    await row.click({ button: 'right' })
    await expect.poll(titles).toContain('Duplicate')
    await words().fill('del')
    await expect.poll(titles).toEqual(['Delete'])
    await words().press('Escape')
    await expect.poll(titles).toEqual(before)
    await expect.poll(() => words().inputValue()).toBe('dentist')
    await expect.poll(() => row.getAttribute('aria-selected')).toBe('true')
    for (const [open, back] of [
      ['Tab', 'Shift+Tab'],
      ['Shift+F10', 'Backspace'],
    ] as const) {
      await words().press(open)
      await expect.poll(titles).toContain('Duplicate')
      await words().press(back)
      await expect.poll(titles).toEqual(before)
    }
    await words().press('Escape')
    await words().waitFor({ state: 'detached' })
  })

  it('runs a command on the event or task of a row', async () => {
    await app.page.keyboard.press('Control+2')
    await commandsOn('dentist far', 'Dentist, far', 'edit')
    await words().press('Enter')
    await expect.poll(() => app.page.getByLabel('Title').first().inputValue()).toBe('Dentist, far')
    await app.page.keyboard.press('Escape')
    await commandsOn('send plan', 'Send plan', 'complete')
    await words().press('Enter')
    await app.page.getByRole('main', { name: 'Tasks' }).waitFor()
    await app.page.getByRole('checkbox', { name: 'Send plan' }).first().waitFor({ state: 'detached' })
    await app.page.keyboard.press('Control+z')
    await app.page.getByRole('checkbox', { name: 'Send plan' }).first().waitFor()
  })

  it('runs no command if a key comes before its event is shown', async () => {
    await app.page.keyboard.press('Control+2')
    await commandsOn('dentist next', 'Dentist, next', 'delete')
    const release = await holdFrames(app.page)
    try {
      await words().press('Enter')
      await app.page.locator('main[aria-label="Calendar"]').waitFor({ state: 'attached' })
      await app.page.keyboard.press('Shift')
    } finally {
      await release()
    }
    await app.page.getByRole('dialog', { name: 'Dentist, next' }).waitFor()
    await app.page.keyboard.press('Escape')
  })

  it('finds only commands after “>”, calendars after “/”, and lists after “#”', async () => {
    await app.page.keyboard.press('Control+k')
    await words().fill('>theme dark')
    await expect.poll(async () => (await titles())[0]).toBe('Theme: dark')
    await words().fill('>dentist')
    await app.page.getByText('No commands match “dentist”.').waitFor()
    await words().fill('/')
    await app.page.getByRole('option').first().waitFor()
    const calendars = await titles()
    await words().fill(`/${calendars[0]!.slice(0, 4).toLowerCase()}`)
    await expect.poll(titles).toContain(calendars[0])
    await words().press('Tab')
    await expect.poll(titles).toEqual(['Open', 'Hide', 'Show only this'])
    await words().press('Escape')
    await words().fill('#')
    await app.page.getByText('Lists', { exact: true }).first().waitFor()
    await words().press('Escape')
    await words().waitFor({ state: 'detached' })
  })

  it('finds people after “@”, lists events with them, and invites them', async () => {
    const { page } = app
    await page.keyboard.press('Control+k')
    await words().fill('@alex')
    await page.getByText('No people match “alex”.').waitFor()
    await words().fill('@park')
    const row = page.getByRole('option').filter({ hasText: 'Mina Park' })
    await row.getByText(/^mina\.park@example\.com · next \D*\d/).waitFor()
    await words().press('Enter')
    await expect.poll(titles).toEqual(['Budget talk', 'Budget review'])
    // An event has its commands here, too.
    await words().press('ArrowDown')
    await words().press('Tab')
    await expect.poll(titles).toContain('Duplicate')
    await words().press('Escape')
    await expect.poll(titles).toEqual(['Budget talk', 'Budget review'])
    await words().fill('review')
    await expect.poll(titles).toEqual(['Budget review'])
    await words().press('Escape')
    await expect.poll(titles).toEqual(['Mina Park'])
    await words().press('Tab')
    await expect.poll(titles).toEqual(['Show events', 'New event', 'Find a time', 'Copy address'])
    await words().fill('find')
    await words().press('Enter')
    await page.getByRole('list', { name: 'Guests' }).getByText('Mina Park').waitFor()
    await page.getByRole('button', { name: 'Find a time', expanded: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('list', { name: 'Guests' }).waitFor({ state: 'detached' })
  })

  it('shows the next occurrence of a series', async () => {
    await app.page.keyboard.press('Control+k')
    await words().fill('yoga')
    const option = app.page.getByRole('option').filter({ hasText: 'Yoga class' })
    const [year, month, date] = day(5).split('-').map(Number) as [number, number, number]
    const name = new Date(Date.UTC(year, month - 1, date)).toLocaleString('en', { month: 'short', timeZone: 'UTC' })
    await option.getByText(`${date} ${name}`).waitFor()
    await app.page.keyboard.press('Escape')
  })
})

describe('an event that the search leads to', () => {
  const details = (title: string) => app.page.getByRole('dialog', { name: title, exact: true })
  const shows = (layout: string): Promise<void> => app.page.locator(`div.${layout}`).waitFor()
  /** Searches for a title and goes to the event, or runs a command on it. */
  async function to(title: string, command?: string): Promise<void> {
    await app.page.keyboard.press('Control+k')
    await words().fill(title)
    await app.page.getByRole('option', { selected: true }).filter({ hasText: title }).waitFor()
    if (command !== undefined) {
      await words().press('Tab')
      await words().fill(command)
      await app.page.getByRole('option', { name: command, selected: true }).waitFor()
    }
    await words().press('Enter')
    await words().waitFor({ state: 'detached' })
  }
  /** Closes the details once they’re open. */
  async function closed(title: string): Promise<void> {
    await details(title).waitFor()
    await app.page.keyboard.press('Escape')
    await details(title).waitFor({ state: 'detached' })
  }

  beforeAll(async () => {
    const whole = { start: { date: day(20) }, end: { date: day(21) } }
    for (let at = 1; at <= 9; at++) await made(`Fair ${at}`, 20, whole)
    for (let at = 1; at <= 3; at++) await made(`Stand ${at}`, 22, { start: { date: day(22) }, end: { date: day(23) } })
    const attendees = [{ email: primary, responseStatus: 'declined' }]
    await elsewhere('calendar.events.patch', { eventId: await made('Declined dinner', 21) }, { attendees })
    for (const key of ['Escape', 'Escape', 'Control+1', '4', 'F5']) await app.page.keyboard.press(key)
    await app.page.getByText('Stand 3').first().waitFor()
  })

  it('opens in a layout that draws it', async () => {
    const { page } = app
    await page.keyboard.press('5')
    await shows('year')
    await to('Stand 2')
    await page.getByRole('grid', { name: /^Day, / }).waitFor()
    await closed('Stand 2')
    // Neither the month nor the all-day lane of a day has room for nine.
    for (const key of ['3', '2', '1']) {
      await page.keyboard.press(key)
      await to('Fair 9')
      await shows('agenda')
      await closed('Fair 9')
    }
  })

  it('gets the command, and no other event does', async () => {
    const { page } = app
    await page.keyboard.press('2')
    for (const layout of ['week', 'year']) {
      await page.keyboard.press('2')
      await to('Stand 1')
      await closed('Stand 1')
      await runCommand(page, 'Select everything shown')
      if (layout === 'year') await page.keyboard.press('5')
      await to('Stand 2', 'Delete')
      await messages(page).getByText('“Stand 2” deleted').waitFor()
      expect((await found('stand')).filter((title) => title.startsWith('Stand'))).toEqual(['Stand 1', 'Stand 3'])
      await page.keyboard.press('Control+z')
      await expect.poll(() => found('stand')).toContain('Stand 2')
      await dismissMessages(page)
    }
  })

  it('is shown on request if it’s in a hidden calendar or declined', async () => {
    const { page } = app
    await page.keyboard.press('2')
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Declined events' }).click()
    await to('Declined dinner', 'Delete')
    await messages(page).getByText('“Declined dinner” is hidden because you declined it').waitFor()
    await messages(page).getByRole('button', { name: 'Show declined' }).click()
    await closed('Declined dinner')
    await page.keyboard.press('Control+k')
    await words().fill('/')
    await words().press('Tab')
    await words().fill('hide')
    await words().press('Enter')
    await words().waitFor({ state: 'detached' })
    await to('Café Nord')
    await messages(page)
      .getByText(/^“Café Nord” is in a hidden calendar, /)
      .waitFor()
    await messages(page).getByRole('button', { name: 'Show calendar' }).click()
    await closed('Café Nord')
  })

  it('is shown on request if its calendar was hidden from the list elsewhere', async () => {
    const { page } = app
    const away = { calendarId: undefined as never }
    const { id } = await elsewhere('calendar.calendars.insert', away, { summary: 'Side projects' })
    const calendarId = String(id)
    await made('Demo night', 3, {}, calendarId)
    await page.keyboard.press('F5')
    await expect.poll(() => found('demo night')).toContain('Demo night')
    await page.keyboard.press('Escape')
    await elsewhere('calendar.calendarList.patch', { calendarId }, { hidden: true })
    await page.keyboard.press('F5')
    await expect.poll(() => found('demo night')).toContain('Demo night')
    await page.keyboard.press('Escape')
    await page.keyboard.press('2')
    await to('Demo night')
    await messages(page).getByText('“Demo night” is in Side projects, which isn’t in your list of calendars').waitFor()
    await messages(page).getByRole('button', { name: 'Add to list' }).click()
    await closed('Demo night')
    await page.getByRole('checkbox', { name: 'Side projects' }).waitFor()
  })
})
