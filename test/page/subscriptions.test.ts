import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { calendarText, serving, startCalendarFeed, type CalendarFeed } from '../helpers/calendar-feed'
import { dismissMessages, messages, nothingPending, runCommand } from '../helpers/page'

// Calendars on the web: subscribing by address and by link, what the sidebar and the settings say, and leaving them.

let app: AppPage
let feed: CalendarFeed
const holidays = (title: string): string =>
  calendarText('Holidays', [
    ['UID:1@example.org', `SUMMARY:${title}`, 'DTSTART;VALUE=DATE:20260611', 'DTEND;VALUE=DATE:20260612'],
  ])

beforeAll(async () => {
  feed = await startCalendarFeed(holidays('Corpus Christi'))
  app = await openApp({ args: ['--seed', 'empty'] })
  await app.page
    .getByText(/No pending changes/)
    .first()
    .waitFor()
})
afterAll(async () => {
  await app?.close()
  await feed?.stop()
})
beforeEach(async () => {
  await dismissMessages(app.page)
  await runCommand(app.page, 'Go to Calendar')
})

const dialog = (name: string | RegExp = 'Subscribe to a calendar') => app.page.getByRole('dialog', { name })
const others = () => app.page.getByRole('region', { name: 'Other calendars' })
const event = (title: string) => app.page.getByRole('main').getByRole('button', { name: new RegExp(title) })

async function subscribe(address: string): Promise<void> {
  await others().getByRole('button', { name: 'Subscribe to a calendar' }).click()
  await dialog().getByLabel('Address').fill(address)
  await dialog().getByRole('button', { name: 'Subscribe' }).click()
}

describe('subscribing', () => {
  it('shows what is wrong with an address, and keeps what was typed', async () => {
    await subscribe('ftp://example.org/')
    await dialog().getByText('Enter an address that starts with https, http, or webcal').waitFor()
    feed.answer = (_request, response) => response.writeHead(404).end()
    await dialog().getByLabel('Address').fill(feed.address)
    await dialog().getByLabel('Name').fill('Days off')
    await dialog().getByRole('button', { name: 'Subscribe' }).click()
    await dialog().getByText(`${feed.host} has no calendar at this address.`).waitFor()
    await expect.poll(() => dialog().getByLabel('Name').inputValue()).toBe('Days off')
    feed.answer = serving(holidays('Corpus Christi'), '"1"')
    await app.page.keyboard.press('Escape')
  })

  it('leaves the next dialog open if a subscription ends after its own', async () => {
    const asked = feed.requests.length
    let answer = (): void => undefined
    feed.answer = (request, response) => (answer = () => serving(holidays('Late'), '"1"')(request, response))
    await subscribe(feed.address)
    await expect.poll(() => feed.requests.length).toBeGreaterThan(asked)
    await app.page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await others().getByRole('button', { name: 'Subscribe to a calendar' }).click()
    await dialog().getByLabel('Address').fill('https://example.org/other.ics')
    answer()
    await messages(app.page).getByText('Subscribed to “Holidays”').waitFor()
    await expect.poll(() => dialog().getByLabel('Address').inputValue()).toBe('https://example.org/other.ics')
    await app.page.keyboard.press('Escape')
    await messages(app.page).getByRole('button', { name: 'Undo' }).click()
    await others().getByRole('checkbox', { name: 'Holidays' }).waitFor({ state: 'detached' })
    feed.answer = serving(holidays('Corpus Christi'), '"1"')
  })

  it('adds the calendar to the sidebar and its events to the days', async () => {
    await subscribe(feed.address)
    await dialog().waitFor({ state: 'detached' })
    await messages(app.page).getByText('Subscribed to “Holidays”').waitFor()
    await others().getByRole('checkbox', { name: 'Holidays' }).waitFor()
    await event('Corpus Christi').first().waitFor()
    expect(await violationsByTheme(app.page)).toEqual([])
  })

  it('follows its source, and says when that fails', async () => {
    feed.answer = serving(holidays('Corpus Christi (Germany)'), '"2"')
    await runCommand(app.page, 'Refresh subscribed calendars')
    await event('Corpus Christi \\(Germany\\)').first().waitFor()
    feed.answer = (_request, response) => response.writeHead(503).end()
    await runCommand(app.page, 'Refresh subscribed calendars')
    await others().getByLabel('Couldn’t refresh').waitFor()
    await others().getByRole('checkbox', { name: 'Holidays' }).click({ button: 'right' })
    await app.page.getByRole('menuitem', { name: 'Subscription settings…' }).click()
    const words = `Couldn’t refresh. ${feed.host} returned status 503. Try again later. Showing the copy from today, 08:00.`
    await app.page.getByText(words).waitFor()
    expect(await violationsByTheme(app.page)).toEqual([])
  })

  it('has its own name and reminders, which go nowhere', async () => {
    await others().getByRole('checkbox', { name: 'Holidays' }).click({ button: 'right' })
    await app.page.getByRole('menuitem', { name: 'Subscription settings…' }).click()
    const form = app.page.getByRole('listitem').filter({ has: app.page.getByRole('button', { name: 'Unsubscribe' }) })
    await form.getByLabel('Name').fill('Days off')
    await form.getByLabel('Name').press('Enter')
    await form.getByRole('button', { name: /Days off/ }).waitFor()
    await form.getByLabel('Use the events’ own reminders').press('Space')
    await form.getByText('For events without their own.').waitFor()
    await form.getByLabel('Reminders', { exact: true }).click()
    await app.page.getByRole('option', { name: '1 day before' }).click()
    await form.getByRole('combobox', { name: 'Reminders' }).and(app.page.getByTitle('1 day before')).waitFor()
    await runCommand(app.page, 'Go to Calendar')
    await others().getByRole('checkbox', { name: 'Days off' }).waitFor()
    // While something is read, the status line says that instead.
    await nothingPending(app.page)
    await runCommand(app.page, 'Go to Sync')
    await app.page.getByRole('heading', { name: 'Sync', level: 1 }).waitFor()
    await app.page.getByRole('list', { name: 'Recent activity' }).waitFor({ state: 'detached' })
    await runCommand(app.page, 'Go to Calendar')
  })

  it('ends with its events, and can be undone', async () => {
    feed.answer = serving(holidays('Corpus Christi'), '"3"')
    await others().getByRole('checkbox', { name: 'Days off' }).click({ button: 'right' })
    await app.page.getByRole('menuitem', { name: 'Unsubscribe' }).click()
    await event('Corpus Christi').first().waitFor({ state: 'detached' })
    await messages(app.page).getByRole('button', { name: 'Undo' }).click()
    await event('Corpus Christi').first().waitFor()
    await others().getByRole('checkbox', { name: 'Days off' }).waitFor()
  })
})

describe('a webcal link', () => {
  it('asks first, naming the server, and may not lead into the local network', async () => {
    const requests = feed.requests.length
    app.backend.openings.add({ links: [feed.address.replace('http:', 'webcal:').replace('team', 'other')], files: [] })
    const asked = dialog(`Subscribe to a calendar on ${feed.host}?`)
    await asked.waitFor()
    expect(feed.requests).toHaveLength(requests)
    await asked.getByRole('button', { name: 'Subscribe' }).click()
    await asked.getByText(`${feed.host} is on a local network. If you trust it, enter the address yourself.`).waitFor()
    expect(feed.requests).toHaveLength(requests)
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'detached' })
  })
})
