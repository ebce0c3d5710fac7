import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { violationsByTheme } from '../helpers/axe'
import { appForFile } from '../helpers/for-file'
import { drawn } from '../helpers/ring'

const idle = /No pending changes/
const { app } = appForFile(() => ({ args: ['--seed', 'empty'], size: { width: 1280, height: 900 } }))

async function order(trouble: JsonObject | null): Promise<void> {
  const answer = await app.page.evaluate(
    (text) => window.flightplan.ask('sandbox/trouble', { trouble: JSON.parse(text) as never }),
    JSON.stringify(trouble),
  )
  if (!answer.ok) throw new Error(answer.fault.message)
}
const lane = (name: string): Locator =>
  app.page.getByRole('list', { name: 'Services' }).getByRole('listitem').filter({ hasText: name })
const syncNow = (name: string): Locator => lane(name).getByRole('button', { name: `Sync now: ${name}` })
const statusLine = (): Locator => app.page.getByRole('contentinfo')
const resize = (width: number): Promise<unknown> => app.resize({ width, height: 800 })

describe('Sync, when one of two services has used up its daily quota', () => {
  it("names the service, its error, and the next try, and doesn't blame the other", async () => {
    await app.page.keyboard.press('Control+6')
    await lane('Tasks').getByText('No pending changes').waitFor()
    await order({ operation: 'tasks.', count: 1_000, status: 403, reason: 'dailyLimitExceeded' })
    await syncNow('Tasks').focus()
    await app.page.keyboard.press('Enter')
    await lane('Tasks')
      .getByText(/^Daily quota used up, retrying in \d+ (min|h)$/)
      .waitFor()
    await lane('Tasks')
      .getByText(/^Next retry /)
      .waitFor()
    await lane('Calendar').getByText('No pending changes').waitFor()
    await expect.poll(() => lane('Calendar').textContent()).not.toMatch(/used up, retrying|Next retry/)
  })

  it('shows both in the status line, with the age of the rest', async () => {
    await statusLine()
      .getByText(/Tasks: daily quota used up, retrying in \d+ (min|h) · Other services: synced/)
      .waitFor()
    await expect.poll(() => statusLine().getByText(idle).count()).toBe(0)
  })

  it('sends an event and keeps the task pending', async () => {
    await app.page.keyboard.press('Control+1')
    await app.page.keyboard.press('q')
    await app.page.locator('#quick-line').fill('Stand-up tomorrow 10:00')
    await app.page.keyboard.press('Enter')
    await app.page.keyboard.press('Control+6')
    const done = app.page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem')
    await done.filter({ hasText: 'Stand-up' }).waitFor()
    await app.page.keyboard.press('Control+2')
    await app.page.keyboard.press('c')
    await app.page.keyboard.type('Write the brief')
    await app.page.keyboard.press('Enter')
    await app.page.keyboard.press('Escape')
    await app.page.keyboard.press('Control+6')
    await lane('Tasks').getByText('1 pending change').waitFor()
    await statusLine().getByText('1 pending change').waitFor()
    await expect.poll(() => lane('Calendar').textContent()).not.toMatch(/1 pending/)
  })

  it.each(drawn([640, 1280, 2560], 1))('fits in a window %i px wide', async (width) => {
    await resize(width)
    await expect.poll(() => app.page.evaluate(() => window.innerWidth)).toBe(width)
    expect(await violationsByTheme(app.page)).toEqual([])
    const wide = await app.page.evaluate(() =>
      [...document.querySelectorAll('[data-lane], [data-lane] *')]
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
        .map((element) => element.className),
    )
    expect(wide).toEqual([])
  })

  it('sends pending changes on request once quota is back', async () => {
    await resize(1280)
    await order(null)
    await syncNow('Tasks').focus()
    await app.page.keyboard.press('Enter')
    await statusLine().getByText(idle).waitFor()
    await lane('Tasks').getByText('No pending changes').waitFor()
  })
})

it('counts down to the next try by the second, as the status line does', async () => {
  await order({ operation: 'tasks.', count: 1_000, status: 429, reason: 'rateLimitExceeded', retryAfter: 80 })
  await syncNow('Tasks').click()
  /** Seconds in the list and in the status line, drawn at the same time. */
  const seconds = (): Promise<number[]> =>
    app.page.evaluate(() =>
      [document.querySelector('[aria-label="Services"]'), document.querySelector('footer')].map((where) =>
        Number(/rate limited, retrying in (\d+) s/i.exec(where?.textContent ?? '')?.[1] ?? 0),
      ),
    )
  let [listed = 0, inStatus = 0]: number[] = []
  await expect.poll(async () => ([listed = 0, inStatus = 0] = await seconds())).not.toContain(0)
  const later = inStatus - 1
  await expect.poll(async () => ([listed = 0, inStatus = 0] = await seconds())[1]).toBeLessThan(later)
  expect(Math.abs(listed - inStatus)).toBeLessThan(2)
  await order(null)
})
