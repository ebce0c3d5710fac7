import type { Locator } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { taskFields } from '#shared/domain/time-blocks'
import { dateOfWall, wallOfInstant } from '#shared/time/zones'
import { anotherClient } from '../helpers/another-client'
import { appForFile } from '../helpers/for-file'
import { choose, dismissMessages, messages, nothingPending, runCommand, workOffline } from '../helpers/page'

/** Title of events that the service says are locked, which no request can do. */
const locked = 'Closed tasting'
const { app, page } = appForFile(() => ({
  args: ['--seed', 'empty'],
  size: { width: 1280, height: 800 },
  fetch: async (...request) => {
    const answer = await fetch(...request)
    if (!String(answer.headers.get('content-type')).includes('json')) return answer
    const text = (await answer.text()).replaceAll(`"summary": "${locked}"`, `"summary": "${locked}", "locked": true`)
    return new Response(text, answer)
  },
}))
const primary = 'alex.morgan@flightplan.example'
let second = ''

const elsewhere = anotherClient(page)

/** `YYYY-MM-DD` of one of the app's days, in the demo calendars' time zone. */
const day = (offset = 0): string => dateOfWall(wallOfInstant(app.clock.now(), 'Europe/Berlin') + offset * 86_400_000)

/** Creates an event today at 10:00 on the service. */
async function made(summary: string, more: JsonObject = {}): Promise<string> {
  const today = day()
  const at = (hour: string): JsonObject => ({ dateTime: `${today}T${hour}:00:00`, timeZone: 'Europe/Berlin' })
  const event = { summary, start: at('10'), end: at('11'), ...more }
  const answer = await elsewhere('calendar.events.insert', { calendarId: primary }, event)
  await app.page.keyboard.press('F5')
  await chips(summary).first().waitFor()
  return String(answer['id'])
}

const chips = (title: string): Locator =>
  app.page.locator('[data-entry], button').filter({ hasText: title }).and(app.page.getByRole('button'))
const peek = (title: string): Locator => app.page.getByRole('dialog', { name: title })
async function open(title: string): Promise<Locator> {
  await chips(title).first().click()
  await peek(title).waitFor()
  return peek(title)
}
async function more(title: string, item: string | RegExp): Promise<void> {
  await (await open(title)).getByRole('button', { name: 'More actions' }).click()
  await app.page.getByRole('menuitem', { name: item }).first().click()
}
/** Titles the service has in a calendar once everything is sent. */
async function onService(calendarId: string): Promise<string[]> {
  const answer = await elsewhere('calendar.events.list', { calendarId, singleEvents: true })
  const list = answer
  return (list['items'] as JsonObject[]).map(({ summary }) => String(summary)).sort()
}
const within = (test: () => Promise<unknown>, wanted: unknown): Promise<void> => expect.poll(test).toEqual(wanted)
const count = async (title: string): Promise<number> =>
  (await onService(primary)).filter((summary) => summary === title).length

beforeAll(async () => {
  await app.page.keyboard.press('Control+1')
  // Show three days from today, so that tomorrow is visible on any day.
  await app.page.keyboard.press('Alt+3')
  const answer = await elsewhere('calendar.calendars.insert', {}, { summary: 'Second' })
  second = String(answer['id'])
  await app.page.keyboard.press('F5')
  await app.page.getByText('Second').first().waitFor()
})
afterEach(async () => {
  await app.page.keyboard.press('Escape')
  const footer = app.page.getByRole('contentinfo')
  await footer.getByText(/No pending changes/).waitFor()
  for (const calendarId of [primary, second]) {
    const answer = await elsewhere('calendar.events.list', { calendarId })
    for (const { id } of answer['items'] as JsonObject[]) {
      await elsewhere('calendar.events.delete', { calendarId, eventId: id! })
    }
  }
  await app.page.keyboard.press('F5')
  await expect.poll(() => app.page.locator('[data-key^="events"]').count()).toBe(0)
})

describe('the form of an event', () => {
  it('says that it was deleted elsewhere, and saves what was typed once it is restored', async () => {
    const id = await made('Tasting')
    await chips('Tasting').first().focus()
    await app.page.keyboard.press('e')
    const form = app.page.getByRole('complementary', { name: 'Edit event' })
    await form.getByRole('textbox', { name: 'Title' }).fill('Tasting of teas')
    await elsewhere('calendar.events.delete', { calendarId: primary, eventId: id })
    await app.page.keyboard.press('F5')
    await form.getByText('This event was deleted or moved to another calendar').waitFor()
    await form.getByText('Your changes are still in this form.').waitFor()
    await form.getByRole('button', { name: 'Recently deleted' }).click()
    const dialog = app.page.getByRole('dialog', { name: 'Recently deleted' })
    await dialog.getByRole('button', { name: 'Restore “Tasting”' }).click()
    await app.page.keyboard.press('Escape')
    await form.getByText('This event was deleted or moved to another calendar').waitFor({ state: 'detached' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await within(() => onService(primary), ['Tasting of teas'])
  })

  it('saves what was typed as a copy if it was deleted elsewhere', async () => {
    const id = await made('Tasting')
    await chips('Tasting').first().focus()
    await app.page.keyboard.press('e')
    const form = app.page.getByRole('complementary', { name: 'Edit event' })
    await form.getByRole('textbox', { name: 'Title' }).fill('Tasting of teas')
    await elsewhere('calendar.events.delete', { calendarId: primary, eventId: id })
    await app.page.keyboard.press('F5')
    await form.getByRole('button', { name: 'Duplicate' }).waitFor()
    await app.page.keyboard.press('Control+Enter')
    await messages(app.page)
      .getByText('This event no longer exists. To save your changes, restore it or duplicate it.')
      .waitFor()
    await form.getByRole('button', { name: 'Duplicate' }).click()
    await form.waitFor({ state: 'detached' })
    await within(() => onService(primary), ['Tasting of teas'])
  })
})

it('the form of an event saves by key also if the panel around it has the focus', async () => {
  await made('Tasting')
  await chips('Tasting').first().focus()
  await app.page.keyboard.press('e')
  const form = app.page.getByRole('complementary', { name: 'Edit event' })
  await form.getByRole('textbox', { name: 'Title' }).fill('Tasting of teas')
  await form.focus()
  await app.page.keyboard.press('Control+Enter')
  await form.waitFor({ state: 'detached' })
  await within(() => onService(primary), ['Tasting of teas'])
})

describe('the form of an event that someone else changes', () => {
  it('says so at once, and takes their value on request', async () => {
    const id = await made('Tasting')
    await chips('Tasting').first().focus()
    await app.page.keyboard.press('e')
    const form = app.page.getByRole('complementary', { name: 'Edit event' })
    const field = form.getByRole('textbox', { name: 'Title' })
    await field.fill('Tasting of teas')
    await elsewhere('calendar.events.patch', { calendarId: primary, eventId: id }, { summary: 'Wine tasting' })
    await app.page.keyboard.press('F5')
    await form.getByText('Someone changed the title to “Wine tasting”').waitFor()
    await expect.poll(() => field.inputValue()).toBe('Tasting of teas')
    await form.getByRole('button', { name: 'Use theirs' }).click()
    await expect.poll(() => field.inputValue()).toBe('Wine tasting')
    await form.getByText('Someone changed the title').waitFor({ state: 'detached' })
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)

    // Also once the form is closed.
    await app.page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await messages(app.page).getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(() => field.inputValue()).toBe('Tasting of teas')
    await form.getByText('Someone changed the title to “Wine tasting”').waitFor()

    // A draft doesn't know who it was.
    await app.page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await chips('Wine tasting').first().focus()
    await app.page.keyboard.press('e')
    await form.getByText('The title changed to “Wine tasting” since you typed this').waitFor()
    await expect.poll(() => form.getByText('Someone changed').count()).toBe(0)
    await form.getByRole('button', { name: 'Use current value' }).click()
    await expect.poll(() => field.inputValue()).toBe('Wine tasting')
    await messages(app.page).getByText('Replaced your input in “Title” with the current value').waitFor()
    await messages(app.page).getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(() => field.inputValue()).toBe('Tasting of teas')
    await form.getByText('The title changed to “Wine tasting” since you typed this').waitFor()
    await form.getByRole('button', { name: 'Discard', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await dismissMessages(app.page)
  })

  it('takes the whole time at once', async () => {
    const id = await made('Tasting')
    await chips('Tasting').first().focus()
    await app.page.keyboard.press('e')
    const form = app.page.getByRole('complementary', { name: 'Edit event' })
    const time = (label: string) => form.getByRole('textbox', { name: label })
    const times = () => Promise.all(['Start time', 'End time'].map((label) => time(label).inputValue()))
    await time('Start time').fill('16:00')
    await time('Start time').press('Tab')
    await expect.poll(times).toEqual(['16:00', '17:00'])
    const at = (hour: string): JsonObject => ({ dateTime: `${day()}T${hour}:00:00`, timeZone: 'Europe/Berlin' })
    await elsewhere('calendar.events.patch', { calendarId: primary, eventId: id }, { start: at('14'), end: at('15') })
    await app.page.keyboard.press('F5')
    await form.getByText(/^Someone changed the time to .*14:00 to 15:00$/).waitFor()
    await expect.poll(times).toEqual(['16:00', '17:00'])
    await form.getByRole('button', { name: 'Use theirs for “Time”' }).click()
    await expect.poll(times).toEqual(['14:00', '15:00'])
    await messages(app.page).getByText('Replaced your input in “Time” with theirs').waitFor()
    await messages(app.page).getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(times).toEqual(['16:00', '17:00'])
    await form.getByRole('button', { name: 'Discard', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await dismissMessages(app.page)
  })
})

it('the form of a locked event begins with what can be changed', async () => {
  await made(locked, { recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3'] })
  await chips(locked).first().focus()
  await app.page.keyboard.press('e')
  const form = app.page.getByRole('complementary', { name: 'Edit event' })
  await form.getByText('The organizer locked this event').waitFor()
  const guests = form.getByPlaceholder('Add guests by name or email')
  await expect.poll(() => guests.evaluate((one) => one === document.activeElement)).toBe(true)
  for (const name of ['Repeats', 'Every', 'Unit', 'Ends', 'Number of times'])
    await expect.poll(() => form.getByLabel(name, { exact: true }).first().isDisabled()).toBe(true)
  await expect.poll(() => form.getByRole('button', { name: 'Monday', exact: true }).isDisabled()).toBe(true)
})

it('the form of an invitation changes what is one’s own, and its event stays where it is', async () => {
  const at = (hour: string): JsonObject => ({ dateTime: `${day()}T${hour}:00:00`, timeZone: 'Europe/Berlin' })
  const host = { email: 'host@example.com' }
  const attendees = [host, { email: 'third@example.com' }, { email: primary }]
  const event = { summary: 'Host’s tasting', iCalUID: 'tasting@host', organizer: host, attendees }
  await elsewhere('calendar.events.import', { calendarId: primary }, { ...event, start: at('16'), end: at('17') })
  await app.page.keyboard.press('F5')
  const chip = chips('Host’s tasting').first()
  await chip.focus()
  await app.page.keyboard.press('Alt+ArrowDown')
  await messages(app.page).getByText('Only the organizer can change “Host’s tasting”.').waitFor()
  await dismissMessages(app.page)
  const { x, y, width, height } = (await chip.boundingBox())!
  await app.page.mouse.move(x + width / 2, y + height / 2)
  await app.page.mouse.down()
  await app.page.mouse.move(x + width / 2, y + height / 2 + 60, { steps: 4 })
  await app.page.mouse.up()
  await messages(app.page).getByText('Only the organizer can change “Host’s tasting”.').waitFor()
  await dismissMessages(app.page)
  await chip.focus()
  await app.page.keyboard.press('e')
  const form = app.page.getByRole('complementary', { name: 'Edit event' })
  await form.getByText('Only the organizer can change this event').waitFor()
  const reply = form.getByRole('radiogroup', { name: 'Your reply' })
  await expect.poll(() => reply.evaluate((one) => one.contains(document.activeElement))).toBe(true)
  await form.locator('details.more > summary').click()
  const isOff = (one: Locator): Promise<boolean> => one.first().isDisabled()
  for (const name of ['Title', 'Start date', 'Repeats', 'Location', 'Calendar', 'Status'])
    await within(() => isOff(form.getByLabel(name, { exact: true })), true)
  for (const name of ['Show as', 'Visibility', 'Sage', 'Maybe'])
    await within(() => isOff(form.getByLabel(name, { exact: true })), false)
  await within(() => isOff(form.getByPlaceholder('Add guests by name or email')), false)
  for (const name of ['Remove third@example.com', 'End date', 'Time zone'])
    await within(() => form.getByRole('button', { name, exact: true }).count(), 0)
  await form.getByLabel('Note with your reply').fill('Ten minutes late')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const note = async (): Promise<unknown> => {
    const answer = await elsewhere('calendar.events.list', { calendarId: primary, q: 'tasting' })
    const guests = (answer['items'] as JsonObject[])[0]!['attendees'] as JsonObject[]
    return guests.find(({ self }) => self)?.['comment']
  }
  await within(note, 'Ten minutes late')
})

it('what was typed in the form of an event whose calendar was removed becomes a copy', async () => {
  const { id } = await elsewhere('calendar.calendars.insert', {}, { summary: 'Short-lived' })
  const at = (hour: string): JsonObject => ({ dateTime: `${day()}T${hour}:00:00`, timeZone: 'Europe/Berlin' })
  const calendarId = String(id)
  await elsewhere('calendar.events.insert', { calendarId }, { summary: 'Orphan', start: at('15'), end: at('16') })
  await app.page.keyboard.press('F5')
  await chips('Orphan').first().focus()
  await app.page.keyboard.press('e')
  const title = app.page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('Orphan with a new home')
  await elsewhere('calendar.calendars.delete', { calendarId })
  await app.page.keyboard.press('F5')
  const form = app.page.getByRole('complementary', { name: 'Event details' })
  await form.getByText('This event’s calendar is no longer in your list').waitFor()
  await form.getByText('Your changes are still in this form.').waitFor()
  await expect.poll(() => form.getByText('read-only').count()).toBe(0)
  await form.getByRole('button', { name: 'Duplicate' }).click()
  await form.waitFor({ state: 'detached' })
  await chips('Orphan with a new home').first().waitFor()
  await expect.poll(() => onService(primary)).toContain('Orphan with a new home')
})

describe('a new event goes to another calendar', () => {
  it.each([
    {
      how: 'removed',
      end: (calendarId: string) => elsewhere('calendar.calendars.delete', { calendarId }),
    },
    {
      how: 'hidden',
      end: (calendarId: string) => elsewhere('calendar.calendarList.patch', { calendarId }, { hidden: true }),
    },
  ])('if its own is $how', async ({ how, end }) => {
    const name = `Brief ${how}`
    const { id } = await elsewhere('calendar.calendars.insert', {}, { summary: name })
    await app.page.keyboard.press('F5')
    await app.page.getByRole('checkbox', { name }).first().waitFor()
    await app.page.keyboard.press('c')
    await app.page.getByRole('button', { name: 'More options' }).click()
    const form = app.page.getByRole('complementary', { name: 'New event' })
    const title = `Finds a home, ${how}`
    await form.getByRole('textbox', { name: 'Title', exact: true }).fill(title)
    const calendar = form.getByRole('combobox', { name: 'Calendar', exact: true })
    await choose(calendar, name)
    await end(String(id))
    await app.page.keyboard.press('F5')
    await messages(app.page).getByText('This event’s calendar is no longer in your list.').waitFor()
    await expect.poll(() => calendar.inputValue()).not.toBe('')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => onService(primary)).toContain(title)
  })
})

it('a new event follows its calendar to the ID that sending gives it', async () => {
  await workOffline(page)
  await runCommand(page, 'New calendar')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Made here')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Made here' }).first().waitFor()
  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'More options' }).click()
  const form = page.getByRole('complementary', { name: 'New event' })
  await form.getByRole('textbox', { name: 'Title', exact: true }).fill('Stays in its calendar')
  const calendar = form.getByRole('combobox', { name: 'Calendar', exact: true })
  await choose(calendar, 'Made here')
  await workOffline(page)
  await expect
    .poll(async () => (await elsewhere('calendar.calendarList.list', {})).items)
    .toContainEqual(expect.objectContaining({ summary: 'Made here' }))
  await nothingPending(page)
  await expect.poll(() => calendar.inputValue()).toBe('Made here')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const { items } = (await elsewhere('calendar.calendarList.list', {})) as { items: { id: string; summary: string }[] }
  const made = items.find(({ summary }) => summary === 'Made here')!
  await expect.poll(() => onService(made.id)).toContain('Stays in its calendar')
  await elsewhere('calendar.calendars.delete', { calendarId: made.id })
})

describe('the peek of a single event, by mouse', () => {
  it('opens its attachments', async () => {
    const attachments = [
      { fileUrl: 'https://files.example/plan', title: 'Plan.pdf' },
      { fileUrl: 'https://files.example/2' },
    ]
    await elsewhere(
      'calendar.events.insert',
      { calendarId: primary, supportsAttachments: true },
      {
        ...{ summary: 'With files', attachments },
        ...{
          start: { dateTime: `${day()}T13:00:00`, timeZone: 'Europe/Berlin' },
          end: { dateTime: `${day()}T14:00:00`, timeZone: 'Europe/Berlin' },
        },
      },
    )
    await app.page.keyboard.press('F5')
    await chips('With files').first().waitFor()
    const files = (await open('With files')).getByRole('list', { name: 'Attachments' }).getByRole('button')
    await expect.poll(() => files.allInnerTexts()).toEqual(['Plan.pdf', 'https://files.example/2'])
    await files.first().click()
    await expect.poll(() => app.shell.links).toEqual(['https://files.example/plan'])
    await app.page.keyboard.press('Escape')
  })

  it('shows what guests wrote with their replies', async () => {
    const comment = 'Can we start at 10:30?'
    const attendees = [{ email: 'mina@example.com', responseStatus: 'tentative', comment }]
    await made('Lunch', { attendees })
    await chips('Lunch').click()
    await app.page.getByRole('dialog').getByRole('list', { name: 'Guests' }).getByText(`“${comment}”`).waitFor()
    await app.page.keyboard.press('Escape')
  })

  it('deletes it', async () => {
    await made('Bin me')
    await (await open('Bin me')).getByRole('button', { name: 'Delete' }).click()
    await peek('Bin me').waitFor({ state: 'detached' })
    await within(() => count('Bin me'), 0)
    await expect.poll(() => chips('Bin me').count()).toBe(0)
  })

  it('duplicates it', async () => {
    await made('Twice')
    await more('Twice', 'Duplicate')
    await within(() => count('Twice'), 2)
  })

  it('copies it, to be pasted', async () => {
    await made('Copied')
    await more('Copied', 'Copy')
    await peek('Copied').waitFor({ state: 'detached' })
    await app.page.getByText('“Copied” copied').waitFor({ state: 'attached' })
    await app.page.keyboard.press('Control+v')
    await within(() => count('Copied'), 2)
  })

  it('moves it to another calendar', async () => {
    await made('Goes away')
    await more('Goes away', 'Calendar')
    await app.page.getByRole('menuitem', { name: 'Second' }).click()
    await within(() => onService(second), ['Goes away'])
    expect(await count('Goes away')).toBe(0)
  })

  it('reschedules it in a dialog', async () => {
    await made('Later')
    await more('Later', /Move to/)
    const dialog = app.page.getByRole('dialog', { name: /Move “Later”/ })
    await dialog.getByRole('textbox', { name: 'Time', exact: true }).fill('15:00')
    await dialog.getByRole('button', { name: 'Move' }).click()
    await app.page
      .getByRole('button', { name: /Later.*15:00/ })
      .first()
      .waitFor()
  })
})

describe('the peek of a recurring event, by mouse', () => {
  const daily = { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }

  it('asks what to delete and deletes it', async () => {
    await made('Series bin', daily)
    await (await open('Series bin')).getByRole('button', { name: 'Delete' }).click()
    const question = app.page.getByRole('dialog', { name: /Delete “Series bin”/ })
    await question.getByRole('button', { name: 'This event' }).click()
    await within(() => count('Series bin'), 2)
  })

  it('duplicates one occurrence', async () => {
    await made('Series twice', daily)
    await more('Series twice', 'Duplicate')
    await within(() => count('Series twice'), 4)
  })

  it('copies one occurrence', async () => {
    await made('Series copied', daily)
    await more('Series copied', 'Copy')
    await app.page.getByText('“Series copied” copied').waitFor({ state: 'attached' })
    await app.page.keyboard.press('Control+v')
    await within(() => count('Series copied'), 4)
  })

  it('moves the whole series to another calendar', async () => {
    await made('Series goes', daily)
    await more('Series goes', 'Calendar')
    await app.page.getByRole('menuitem', { name: 'Second' }).click()
    await within(async () => (await onService(second)).filter((title) => title === 'Series goes').length, 3)
    expect(await count('Series goes')).toBe(0)
  })
})

it('removes a time block whose task was deleted elsewhere, and says so', async () => {
  const [start, end] = ['10', '11'].map((hour) => ({ dateTime: `${day()}T${hour}:00:00`, timeZone: 'Europe/Berlin' }))
  const block = { summary: 'Draft the brief', start: start!, end: end!, ...taskFields('a-task-that-is-gone') }
  await elsewhere('calendar.events.insert', { calendarId: primary }, block)
  await app.page.keyboard.press('F5')
  await messages(app.page).getByText('Time block of “Draft the brief” removed, because its task was deleted').waitFor()
  await within(() => count('Draft the brief'), 0)
})
