import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { RequestAnswers } from '#shared/ipc/contract'
import { launchApp, startAlone } from '../helpers/app'
import { cases } from '../helpers/ring'
import { nothingPending, quickAdd } from '../helpers/page'

const empty = ['--seed', 'empty']

/** Creates an event with quick add. */
const runService = (page: Page, running: boolean): Promise<unknown> =>
  page.evaluate((value) => window.flightplan.ask('sandbox/run', { running: value }), running)

/** Titles of the primary calendar's events on the service. */
async function onService(page: Page): Promise<string[]> {
  const answer = await page.evaluate(() =>
    window.flightplan.ask('sync/pull', {
      accountId: 'sandbox',
      collection: 'events',
      parent: 'alex.morgan@flightplan.example',
      cursor: null,
      page: null,
    }),
  )
  if (!answer.ok) throw new Error(answer.fault.message)
  const { records } = JSON.parse(answer.value) as RequestAnswers['sync/pull']
  return records.flatMap(({ value }) => (value ? [String(value['summary'])] : [])).sort()
}

describe('no typed input is lost', () => {
  it('an edit made while the service is stopped shows at once, survives SIGKILL, and arrives exactly once', async () => {
    const first = await launchApp({ args: empty })
    await nothingPending(first.page)
    await runService(first.page, false)
    await quickAdd(first.page, 'Kick-off with the studio today 15:00')
    const item = first.page.getByRole('button', { name: /Kick-off with the studio/ }).first()
    await item.waitFor()
    await expect.poll(() => item.getAttribute('aria-label')).toMatch(/pending/i)
    await first.page.getByText(/1 pending change/).waitFor()
    await first.kill()

    const second = await launchApp({ userData: first.userData })
    await second.page
      .getByRole('button', { name: /Kick-off with the studio/ })
      .first()
      .waitFor()
    await nothingPending(second.page)
    expect(await onService(second.page)).toEqual(['Kick-off with the studio'])
    await expect.poll(() => second.page.getByRole('button', { name: /Kick-off with the studio/ }).count()).toBe(1)
    await second.close()
  })

  it('after SIGKILL during edits and sending, every acknowledged edit arrives, none twice', async () => {
    let userData: string | undefined
    const acknowledged: string[] = []
    const rounds = cases(2, 12)
    for (let round = 0; round < rounds; round++) {
      const app = await launchApp(userData === undefined ? { args: empty } : { userData })
      if (userData === undefined) await nothingPending(app.page)
      userData = app.userData
      await app.page.getByRole('grid').first().waitFor()
      for (let n = 0; n < 3; n++) {
        const title = `Round ${round} edit ${n}`
        await quickAdd(app.page, `"${title}" today 1${n + 3}:00`)
        // The receipt acknowledges the edit: it appears once store and journal have it, shortly after the event.
        await app.page.getByText(`“${title}” created`, { exact: true }).waitFor()
        acknowledged.push(title)
      }
      // Some time between the last key and the end of sending.
      await app.page.waitForTimeout((round / rounds) * 900)
      await app.kill()
    }
    const last = await launchApp({ userData: userData! })
    await nothingPending(last.page)
    expect(await onService(last.page)).toEqual(acknowledged.sort())
    await last.close()
  })

  it('a wiped IndexedDB is restored from the service and the journal, with an alert', async () => {
    const first = await launchApp({ args: empty })
    await nothingPending(first.page)
    await quickAdd(first.page, '"Sent before" today 14:00')
    await nothingPending(first.page)
    await runService(first.page, false)
    await quickAdd(first.page, 'Never sent today 16:00')
    await first.page.getByText(/1 pending change/).waitFor()
    await first.close()
    const databases = join(first.userData, 'IndexedDB')
    expect((await readdir(databases)).length).toBeGreaterThan(0)
    await rm(databases, { recursive: true })

    const second = await launchApp({ userData: first.userData })
    await second.page
      .getByText(/downloading again|restored|lost/i)
      .first()
      .waitFor()
    await second.page
      .getByRole('button', { name: /Never sent/ })
      .first()
      .waitFor()
    await nothingPending(second.page)
    expect(await onService(second.page)).toEqual(['Never sent', 'Sent before'])
    await second.close()
  })

  it('a second start of the same profile focuses the first window instead of adding a writer', async () => {
    const first = await launchApp({ args: empty })
    await nothingPending(first.page)
    expect((await startAlone(first.userData)).code).toBe(0)
    expect(await first.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
    await first.close()
  })
})
