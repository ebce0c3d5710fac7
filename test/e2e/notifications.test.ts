import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { offsetClock, systemClock } from '#shared/time/clock'
import { launchApp, type RunningApp } from '../helpers/app'
import { moment } from '../helpers/moment'
import { startNotificationServer, type NotificationServer } from '../helpers/notification-server'
import { nothingPending, runCommand } from '../helpers/page'
import { answerQuestions } from '../helpers/questions'
import { startService, type TestService } from '../helpers/service'
import { primary } from '../helpers/some-event'

// Reminders through a real notification server, with the window open, closed, and offline.

const minute = 60_000
const offset = Date.parse(moment) - systemClock.now()
const clock = offsetClock(offset)
let notes: NotificationServer
let service: TestService
let app: RunningApp

beforeAll(async () => {
  notes = await startNotificationServer()
  service = await startService({ seed: 'empty', now: clock.now })
  await launch()
})
afterAll(async () => {
  await app?.close()
  await service?.stop()
  await notes?.stop()
})

async function launch(later = 0): Promise<void> {
  app = await launchApp({
    userData: app?.userData,
    clock: offsetClock(offset + later),
    service: service.sandbox,
    attended: true,
    env: notes.env,
    size: { width: 1280, height: 800 },
  })
  await answerQuestions(app, 0)
  await nothingPending(app.page)
}

/** Milliseconds that main's clock is ahead of the window's. */
let ahead = 0

/** Sets main's clock ahead, as after a short sleep. */
async function skip(ms: number): Promise<void> {
  ahead += ms
  await app.electron.evaluate(({ powerMonitor }, ms) => {
    // The computer's own clock is what changes.
    const computer = globalThis.Date
    const { now } = computer
    computer.now = () => now() + ms
    powerMonitor.emit('resume')
  }, ms)
}

const iso = (at: number): string => new Date(at).toISOString()

/** Adds an event on another device. @param rings milliseconds from now @param before minutes from then to its start */
async function add(summary: string, rings: number, before: number, self = 'accepted'): Promise<string> {
  const start = clock.now() + ahead + rings + before * minute
  const { body } = await service.client.call(
    'calendar.events.insert',
    { calendarId: primary },
    {
      body: {
        summary,
        start: { dateTime: iso(start) },
        end: { dateTime: iso(start + 30 * minute) },
        attendees: [{ email: primary, responseStatus: self }],
        reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: before }] },
      } as never,
    },
  )
  return String((body as { id: string }).id)
}

/** Titles in the schedule that main has stored. */
async function scheduled(): Promise<string[]> {
  const folder = join(app.userData, 'reminders')
  const files = await readdir(folder).catch(() => [])
  const schedules = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8').catch(() => '{}')))
  return schedules
    .flatMap((text) => (JSON.parse(text) as { reminders: { title: string }[] }).reminders ?? [])
    .map(({ title }) => title)
}

const isKnown = (title: string): Promise<void> => expect.poll(scheduled).toContain(title)
// Lists are read every half minute, so an event that is to ring at once may ring later, with fewer minutes left.
const isNoted = (title: RegExp): Promise<void> => expect.poll(notes.titles).toContainEqual(expect.stringMatching(title))
const isVisible = (): Promise<boolean> =>
  app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())
const card = () => app.page.getByRole('region', { name: 'Reminders' })

it('a reminder rings with the window open, and its card can be dismissed', async () => {
  await add('Stand-up', 4_000, 10)
  await isNoted(/^Stand-up · in (9|10) min$/)
  await card().getByRole('button', { name: 'Dismiss Stand-up' }).click()
  await card().waitFor({ state: 'detached' })
})

it('a reminder rings while the window is closed to the tray, and a click shows its event', async () => {
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())
  await expect.poll(isVisible).toBe(false)
  await notes.clear()
  await add('Design review', 4_000, 10)
  await isNoted(/^Design review · in (9|10) min$/)
  await notes.click()
  await expect.poll(isVisible).toBe(true)
  await app.page.getByRole('dialog', { name: 'Design review' }).waitFor()
  await app.page.keyboard.press('Escape')
  await card().getByRole('button', { name: 'Dismiss Design review' }).click()
})

it('a reminder rings offline', async () => {
  await add('Budget call', 10 * minute, 10)
  await isKnown('Budget call')
  await runCommand(app.page, 'Work offline or go online')
  await app.page.getByText('Offline mode').first().waitFor()
  await skip(10 * minute)
  await isNoted(/^Budget call · in 10 min$/)
  await runCommand(app.page, 'Work offline or go online')
})

it('a snoozed reminder rings again', async () => {
  // Its time has passed, but it starts soon.
  await add('Handover', -10_000, 5)
  await isNoted(/^Handover · in \d min/)
  const before = (await notes.titles()).filter((title) => title.startsWith('Handover')).length
  expect(before).toBe(1)
  await card().getByRole('button', { name: 'Snooze Handover' }).click()
  await app.page.getByRole('menuitem', { name: 'Until it starts' }).click()
  await skip(290_000)
  await expect.poll(notes.titles).toContain('Handover · now')
})

it('a reminder of an event that was declined elsewhere stays silent', async () => {
  const id = await add('Declined lunch', 5 * minute, 10)
  await isKnown('Declined lunch')
  await service.client.call(
    'calendar.events.patch',
    { calendarId: primary, eventId: id },
    {
      body: { attendees: [{ email: primary, responseStatus: 'declined' }] } as never,
    },
  )
  await expect.poll(scheduled).not.toContain('Declined lunch')
  await add('After lunch', 5 * minute, 10)
  await isKnown('After lunch')
  await skip(5 * minute)
  await isNoted(/^After lunch/)
  expect((await notes.titles()).filter((title) => title.startsWith('Declined'))).toEqual([])
})

it('three reminders that were missed come as one', async () => {
  await add('Morning call', 60 * minute, 10)
  await add('Noon call', 120 * minute, 10)
  await add('Evening call', 180 * minute, 10)
  await isKnown('Morning call')
  await isKnown('Evening call')
  const before = (await notes.titles()).length
  await app.close()
  ahead = 0
  await launch(24 * 60 * minute)
  await isNoted(/^3 reminders while you were away$/)
  await card().getByText('3 reminders while you were away').waitFor()
  expect((await notes.titles()).slice(before)).toEqual(['3 reminders while you were away'])
  await card().getByRole('button', { name: 'Dismiss all' }).click()
})

it('without a notification server, the test notification says why, and the card is there', async () => {
  const test = async (): Promise<void> => {
    await runCommand(app.page, 'Settings: Notifications')
    await app.page.getByRole('button', { name: 'Send a test notification' }).click()
  }
  await app.page.keyboard.press('Control+,')
  await test()
  await app.page
    .getByText(/^Sent\. If you don’t see it/)
    .first()
    .waitFor()
  await isNoted(/^Notifications work$/)
  await notes.endServer()
  await test()
  await app.page
    .getByText(/^Couldn’t show a notification\./)
    .first()
    .waitFor()
})
