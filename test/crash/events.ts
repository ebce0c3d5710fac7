import type { Page } from 'playwright-core'
import type { RequestAnswers } from '#shared/ipc/contract'
import { launchApp, type RunningApp } from '../helpers/app'
import type { Counts } from './suite'

const idle = /No pending changes/

/** Adds an event with quick add and waits for the receipt, which appears once database and journal have it. */
export async function addEvent(page: Page, title: string): Promise<void> {
  await page.keyboard.press('q')
  await page.locator('#quick-line').fill(`"${title}" today 15:00`)
  await page.keyboard.press('Enter')
  await page.getByText(`“${title}” created`, { exact: true }).waitFor()
}

/** Starts the app and waits until its queue is empty. @returns null after two minutes, with the app closed */
export async function startIdle(userData: string | undefined, complains?: RegExp): Promise<RunningApp | null> {
  const args = userData === undefined ? ['--seed', 'empty'] : []
  const app = await launchApp({ args, ...(userData && { userData }), ...(complains && { complains }) })
  const done = await app.page
    .getByText(idle)
    .first()
    .waitFor({ timeout: 120_000 })
    .then(
      () => true,
      () => false,
    )
  if (done) return app
  await app.kill()
  return null
}

/** The number of events per title in the service's primary calendar. */
export async function titlesOnService(page: Page): Promise<Map<string, number>> {
  const titles = new Map<string, number>()
  let next: string | null = null
  do {
    const answer = await page.evaluate(
      (at) =>
        window.flightplan.ask('sync/pull', {
          accountId: 'sandbox',
          collection: 'events',
          parent: 'alex.morgan@flightplan.example',
          cursor: null,
          page: at,
        }),
      next,
    )
    if (!answer.ok) throw new Error(answer.fault.message)
    const { records, nextPage } = JSON.parse(answer.value) as RequestAnswers['sync/pull']
    for (const { value } of records) {
      const title = String(value?.['summary'])
      if (value) titles.set(title, (titles.get(title) ?? 0) + 1)
    }
    next = nextPage ?? null
  } while (next !== null)
  return titles
}

/** Counts acknowledged edits missing on the service, and duplicates. */
export async function compare(page: Page, acknowledged: ReadonlySet<string>, counts: Counts): Promise<string[]> {
  const titles = await titlesOnService(page)
  const lost = [...acknowledged].filter((title) => !titles.has(title))
  const doubled = [...titles].filter(([, times]) => times > 1).map(([title]) => title)
  counts.lost += lost.length
  counts.doubled += doubled.length
  return [...lost.map((title) => `lost: ${title}`), ...doubled.map((title) => `doubled: ${title}`)]
}

/** Stops or starts the sandbox. */
export const runService = (page: Page, running: boolean): Promise<unknown> =>
  page.evaluate((value) => window.flightplan.ask('sandbox/run', { running: value }), running)
