import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { offsetClock, offsetTo } from '#shared/time/clock'
import { launchApp, startAlone, type RunningApp } from '../helpers/app'
import { asking } from '../helpers/sign-in'
import { nothingPending } from '../helpers/page'

// The end of a leap day.
const clock = offsetClock(offsetTo(Date.parse('2028-02-29T23:35:00+01:00')))
let app: RunningApp

beforeAll(async () => {
  app = await launchApp({ clock, args: ['--seed', 'empty'] })
  await nothingPending(app.page)
})
afterAll(() => app?.close())

async function onService(page: Page): Promise<JsonObject[]> {
  const primary = { accountId: 'sandbox', collection: 'events', parent: 'alex.morgan@flightplan.example' } as const
  const { records } = await asking(page, 'sync/pull', { ...primary, cursor: null, page: null })
  return records.flatMap(({ value }) => (value ? [value] : []))
}
const eventCalled = async (title: string): Promise<JsonObject> =>
  (await onService(app.page)).find(({ summary }) => summary === title)!
const atTheMoment = (stamp: unknown): boolean => /^2028-02-29T22:[3-5]/.test(String(stamp))

describe('an app started at another time', () => {
  it('shows that day', async () => {
    await app.page.keyboard.press('1')
    await app.page.getByTitle('Tuesday 29 February 2028').waitFor()
  })

  it('creates an event in the past and says so', async () => {
    await app.page.keyboard.press('q')
    await app.page.locator('#quick-line').fill('Breakfast with Mina today 9:00')
    await app.page.getByText('This event has already ended').waitFor()
    await app.page.locator('#quick-line').fill('Party tonight at 1am')
    await app.page.getByText('This event has already ended').waitFor({ state: 'detached' })
    await app.page.locator('#quick-line').fill('Breakfast with Mina today 9:00')
    await app.page.keyboard.press('Enter')
    await app.page.getByText('“Breakfast with Mina” created', { exact: true }).waitFor()
    await nothingPending(app.page)
    const { start, created } = await eventCalled('Breakfast with Mina')
    expect(start).toMatchObject({ dateTime: '2028-02-29T09:00:00+01:00' })
    expect([created, atTheMoment(created)]).toEqual([created, true])
  })

  it('uses that time in the sandbox, also after a restart', async () => {
    await asking(app.page, 'sandbox/run', { running: false })
    await asking(app.page, 'sandbox/run', { running: true })
    await app.page.keyboard.press('q')
    await app.page.locator('#quick-line').fill('Supper tonight at 1am')
    await app.page.keyboard.press('Enter')
    await app.page.getByText('“Supper” created', { exact: true }).waitFor()
    await nothingPending(app.page)
    const { start, created } = await eventCalled('Supper')
    expect(start).toMatchObject({ dateTime: '2028-03-01T01:00:00+01:00' })
    expect([created, atTheMoment(created)]).toEqual([created, true])
  })

  it("offers the next half hour, even when it's tomorrow, and scrolls to it", async () => {
    await app.page.keyboard.press('1')
    await app.page.keyboard.press('t')
    await app.page.getByRole('button', { name: 'New event' }).click()
    await app.page.getByRole('textbox', { name: 'Title', exact: true }).fill('Night train')
    await app.page.keyboard.press('Control+Enter')
    await app.page
      .getByRole('button', { name: /Night train/ })
      .first()
      .waitFor()
    await nothingPending(app.page)
    expect((await eventCalled('Night train'))['start']).toMatchObject({ dateTime: '2028-03-01T00:00:00+01:00' })
  })
})

it('an invalid time stops the start with an error', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'flightplan-app-'))
  const { code, said } = await startAlone(userData, ['--hidden', '--now', 'noon'])
  expect(code).toBe(2)
  expect(said).toContain('--now: Not a date and time with a UTC offset, such as 2026-06-10T08:00:00+02:00: noon')
})
