import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { anotherClient } from '../helpers/another-client'
import { violationsByTheme } from '../helpers/axe'
import { nothingPending, runCommand, workOffline } from '../helpers/page'
import { appForFile } from '../helpers/for-file'

const { app, page } = appForFile(() => ({ args: ['--seed', 'empty'], size: { width: 1280, height: 900 } }))
const elsewhere = anotherClient(page)
const calendarId = 'alex.morgan@flightplan.example'

beforeAll(async () => {
  // No sync token covers what's lost behind the app's back.
  for (const [at, summary] of ['Book the room', 'Call the printer', 'Send the invoice'].entries())
    await elsewhere(
      'calendar.events.insert',
      { calendarId },
      {
        summary,
        start: { dateTime: `2026-03-0${at + 2}T10:00:00Z` },
        end: { dateTime: `2026-03-0${at + 2}T11:00:00Z` },
      },
    )
  await app.page.keyboard.press('Control+r')
})

async function ask(name: string, order: JsonObject): Promise<JsonObject> {
  const text = JSON.stringify([name, order])
  const answer = await app.page.evaluate((text) => {
    const [name, order] = JSON.parse(text) as [never, never]
    return window.flightplan.ask(name, order)
  }, text)
  if (!answer.ok) throw new Error((answer as { fault: { message: string } }).fault.message)
  return answer.value as JsonObject
}
const trouble = (order: JsonObject | null): Promise<JsonObject> => ask('sandbox/trouble', { trouble: order })

/** Counts or removes the calendar's rows in the database, behind the app's back. */
const touchRows = (remove: number): Promise<number> =>
  app.page.evaluate(
    async ([calendarId, remove]) => {
      const done = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const { name } = (await indexedDB.databases()).find(({ name }) => name?.startsWith('flightplan-'))!
      const db = await done(indexedDB.open(name!))
      const rows = db.transaction('rows', 'readwrite').objectStore('rows')
      const keys = (await done(rows.getAllKeys())).filter((key) => String(key).startsWith(`events\n${calendarId}\n`))
      for (const key of keys.slice(0, remove as number)) await done(rows.delete(key))
      db.close()
      return keys.length
    },
    [calendarId, remove] as const,
  )
const rows = (): Promise<number> => touchRows(0)

async function lose(count: number): Promise<void> {
  await expect.poll(() => rows()).toBe(3)
  await touchRows(count)
  await app.page.reload()
  await nothingPending(app.page)
  await app.page.keyboard.press('Control+6')
}
const lane = (name: string): Locator =>
  app.page.getByRole('list', { name: 'Services' }).getByRole('listitem').filter({ hasText: name })
const button = (name: string): Locator => lane('Calendar').getByRole('button', { name })

describe('a sync check', () => {
  it('started from the palette, names what it restored in which list', async () => {
    await lose(2)
    await app.page.keyboard.press('Control+1')
    await runCommand(app.page, 'Check sync')
    await lane('Calendar')
      .getByText(/^Sync check \(today \S+( [ap]m)?\)\. [^:]+: 2 missing records restored\.$/)
      .waitFor()
    await lane('Tasks')
      .getByText(/Everything matches\.$/)
      .waitFor()
    await lane('Calendar').getByText('2 repaired records').click()
    const names = app.page.getByRole('list', { name: 'Repaired records of Calendar' }).getByRole('listitem')
    await expect
      .poll(() => names.allTextContents())
      .toEqual([expect.stringMatching(/\(.+, restored\)$/), expect.stringMatching(/\(.+, restored\)$/)])
    expect(await rows()).toBe(3)
    expect(await violationsByTheme(app.page)).toEqual([])
  })

  it('keeps its result over a restart until the next check', async () => {
    await lose(0)
    await lane('Calendar')
      .getByText(/[^:]+: 2 missing records restored\.$/)
      .waitFor()
    await button('Check sync: Calendar').click()
    await lane('Calendar')
      .getByText(/^Checked \d+ lists .* Everything matches\.$/)
      .waitFor()
  })

  it('starts and cancels with the same button, by keyboard', async () => {
    await trouble({ operation: 'calendar.', count: 1_000, latencyMs: 60_000 })
    await button('Check sync: Calendar').focus()
    await app.page.keyboard.press('Enter')
    await lane('Calendar')
      .getByText(/^Checking list 1 of \d+$/)
      .waitFor()
    await lane('Calendar').getByRole('progressbar', { name: 'Sync check of Calendar' }).waitFor()
    expect(await button('Cancel sync check: Calendar').evaluate((it) => it === document.activeElement)).toBe(true)
    await app.page.keyboard.press('Enter')
    await button('Check sync: Calendar').waitFor()
    await expect
      .poll(() =>
        lane('Calendar')
          .getByText(/^Checking list/)
          .count(),
      )
      .toBe(0)
    await trouble(null)
  })

  it("says why it couldn't run", async () => {
    await app.page.reload()
    await nothingPending(app.page)
    await app.page.keyboard.press('Control+6')
    await trouble({ operation: 'calendar.events.list', count: 1_000, status: 503 })
    await button('Check sync: Calendar').click()
    await lane('Calendar')
      .getByText(/^Couldn’t check all lists \(today/)
      .waitFor()
    await trouble(null)
  })

  it("explains that it can't run offline", async () => {
    await workOffline(app.page)
    await app.page.getByRole('list', { name: 'Services' }).getByText('Offline').first().waitFor()
    await expect.poll(() => button('Check sync: Calendar').isDisabled()).toBe(true)
    await runCommand(app.page, 'Check sync')
    await app.page.getByText('Can’t check sync while you’re offline').first().waitFor()
    await workOffline(app.page)
  })
})
