import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linkText } from '#shared/links/link'
import { recordKey } from '#shared/domain/collections'
import { launchApp, startAlone, type RunningApp } from '../helpers/app'
import { calendarText, serving, startCalendarFeed, tripFile } from '../helpers/calendar-feed'
import { clockFromMoment } from '../helpers/moment'
import { dismissMessages, messages, nothingPending, runCommand } from '../helpers/page'
import { answerQuestions } from '../helpers/questions'
import { startService, type TestService } from '../helpers/service'
import { primary } from '../helpers/some-event'

// What reaches the app from outside of its window: quick add, links, and files, from a second start.

const clock = clockFromMoment()
let service: TestService
let app: RunningApp

beforeAll(async () => {
  service = await startService({ seed: 'empty', now: clock.now })
  app = await launchApp({ clock, service: service.sandbox, attended: true, size: { width: 1280, height: 800 } })
  await answerQuestions(app, 0)
  await nothingPending(app.page)
})
afterAll(async () => {
  await app?.close()
  await service?.stop()
})

/** Starts the app again, which passes its arguments on and ends. */
async function startAgain(...args: string[]): Promise<void> {
  expect(await startAlone(app.userData, args)).toMatchObject({ code: 0 })
}

const isVisible = (): Promise<boolean> =>
  app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((one) => one.getTitle() === 'Flightplan')!
      .isVisible(),
  )

async function quickAdd(): Promise<Page> {
  const known = app.electron.windows().find((page) => page.url().endsWith('/quick-add.html'))
  const opened = known ?? app.electron.waitForEvent('window')
  await startAgain('--quick-add')
  const page = await opened
  await page.getByRole('textbox').waitFor()
  return page
}

it('quick add adds an event from a small window, without the main one', async () => {
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())
  await expect.poll(isVisible).toBe(false)
  const page = await quickAdd()
  await page.getByRole('textbox', { name: 'Describe the event' }).fill('Lunch with Mina tomorrow 12-13')
  await page.getByText(/^Lunch with Mina · Thursday 11 June, 12:00 to 13:00 · /).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('')
  expect(await isVisible()).toBe(false)
  await app.page.getByRole('button', { name: /^Lunch with Mina, Thursday 11 June/ }).waitFor()
  await expect
    .poll(async () => {
      const { body } = await service.client.call('calendar.events.list', { calendarId: primary })
      return (body as { items: { summary: string }[] }).items.map(({ summary }) => summary)
    })
    .toContain('Lunch with Mina')
})

it('quick add adds several tasks, and keeps what it can’t read', async () => {
  const page = await quickAdd()
  await page.keyboard.press('Tab')
  const field = page.getByRole('textbox', { name: 'Describe the task' })
  await field.fill('Call the printer fri')
  await page.getByText(/^Call the printer · due Friday 12 June · /).waitFor()
  await page.keyboard.press('Shift+Enter')
  await page.getByText(/^Added: Call the printer/).waitFor()
  await page.keyboard.press('Tab')
  await page.getByRole('textbox', { name: 'Describe the event' }).fill('Talk 25:00')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('Talk 25:00')
  // A new window, as after a restart.
  await page.reload()
  await expect.poll(() => page.getByRole('textbox', { name: 'Describe the event' }).inputValue()).toBe('Talk 25:00')
  await page.keyboard.press('Tab')
  await page.reload()
  await expect.poll(() => page.getByRole('textbox', { name: 'Describe the task' }).inputValue()).toBe('Talk 25:00')
  await page.keyboard.press('Tab')
})

it('the global shortcut is registered, and can be changed', async () => {
  const has = (keys: string): Promise<boolean> =>
    app.electron.evaluate(({ globalShortcut }, keys) => globalShortcut.isRegistered(keys), keys)
  expect(await has('Control+Alt+Space')).toBe(true)
  await startAgain()
  await expect.poll(isVisible).toBe(true)
  await app.page.keyboard.press('Control+,')
  await app.page.getByRole('button', { name: 'Quick add shortcut: Ctrl+Alt+Space' }).click()
  await app.page.keyboard.press('Control+Alt+KeyJ')
  await app.page.getByRole('button', { name: 'Quick add shortcut: Ctrl+Alt+J' }).waitFor()
  expect([await has('Control+Alt+Space'), await has('Control+Alt+J')]).toEqual([false, true])
})

it('a link opens a date and an event, and a broken one says so', async () => {
  await startAgain('flightplan://date/2026-07-01')
  await app.page.getByRole('heading', { name: /29 Jun – 5 Jul 2026/ }).waitFor()
  await dismissMessages(app.page)
  await startAgain('flightplan://date/../../etc/passwd')
  await messages(app.page)
    .getByText(/^Couldn’t open the link\. It’s incomplete/)
    .waitFor()
  await dismissMessages(app.page)
  await runCommand(app.page, 'Copy link to this page')
  await expect
    .poll(() => app.electron.evaluate(({ clipboard }) => clipboard.readText()))
    .toBe('flightplan://date/2026-07-01')
})

it('a link to an event that isn’t here offers to look for it', async () => {
  const { body } = await service.client.call(
    'calendar.events.insert',
    { calendarId: primary },
    {
      body: {
        summary: 'Linked review',
        start: { dateTime: '2026-06-16T10:00:00+02:00' },
        end: { dateTime: '2026-06-16T11:00:00+02:00' },
      } as never,
    },
  )
  const { id } = body as { id: string }
  const link = (id: string): string => linkText({ to: 'record', key: recordKey('events', primary, id) })!
  await startAgain(link(id))
  await app.page
    .getByRole('dialog', { name: 'Linked review' })
    .or(app.page.getByRole('button', { name: 'Look for it' }))
    .first()
    .waitFor()
  await app.page.keyboard.press('Escape')
  await dismissMessages(app.page)
  await startAgain(link('nowhere1234567890'))
  await messages(app.page).getByText('This event isn’t on this computer.').waitFor()
  await app.page.getByRole('button', { name: 'Look for it' }).click()
  await messages(app.page)
    .getByText(/^Couldn’t open this event\. It was deleted, or you don’t have access/)
    .waitFor()
  await dismissMessages(app.page)
})

it('a calendar file that is opened in the file manager is read', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'flightplan-opened-')), 'trip.ics')
  await writeFile(file, tripFile)
  await startAgain(file)
  await app.page.getByRole('dialog').getByText('trip.ics').first().waitFor()
})

it('a webcal link asks to subscribe, and a calendar is followed to where its server moved it', async () => {
  await app.page.keyboard.press('Escape')
  await startAgain('webcal://calendars.example/team.ics')
  const asked = app.page.getByRole('dialog', { name: 'Subscribe to a calendar on calendars.example?' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  const event = ['UID:1', 'SUMMARY:Moved here', 'DTSTART;VALUE=DATE:20260611', 'DTEND;VALUE=DATE:20260612']
  const serve = serving(calendarText('Moved', [event]), '"1"')
  const feed = await startCalendarFeed('')
  feed.answer = (request, response) =>
    request.url === '/new.ics' ? serve(request, response) : response.writeHead(301, { location: '/new.ics' }).end()
  await runCommand(app.page, 'Subscribe to a calendar')
  const dialog = app.page.getByRole('dialog', { name: 'Subscribe to a calendar' })
  await dialog.getByLabel('Address').fill(feed.address)
  await dialog.getByRole('button', { name: 'Subscribe' }).click()
  await dialog.waitFor({ state: 'detached' })
  await app.page.getByRole('checkbox', { name: 'Moved', exact: true }).waitFor()
  feed.answer = (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()
  await runCommand(app.page, 'Refresh subscribed calendars')
  await app.page.getByTitle('redirects to an address that can’t be a calendar').waitFor()
  await feed.stop()
})

it('a right click in a field opens the menu of the system, and elsewhere that of the app', async () => {
  const { page, electron } = app
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await electron.evaluate(({ Menu }) => {
    const opened: string[][] = []
    Object.assign(globalThis, { openedMenus: opened })
    Menu.prototype.popup = function (this: Electron.Menu) {
      opened.push(this.items.map(({ label, type, enabled }) => (type === 'separator' ? '—' : enabled ? label : '')))
    }
  })
  const opened = (): Promise<string[][]> =>
    electron.evaluate(() => (globalThis as unknown as { openedMenus: string[][] }).openedMenus)
  await page.keyboard.press('Control+1')
  const event = page.getByRole('button', { name: /^Linked review/ }).first()
  await event.click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.keyboard.press('q')
  const line = page.locator('#quick-line')
  await line.fill('Dinner')
  await line.selectText()
  await line.click({ button: 'right' })
  await expect.poll(opened).toEqual([['Cut', 'Copy', expect.any(String), '—', 'Select all']])
  await expect.poll(() => page.getByRole('menu').count()).toBe(0)
  await page.keyboard.press('Escape')
})
