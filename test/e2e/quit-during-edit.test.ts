import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { openManyPlacements, patienceFor, showPlacements, type ManyPlacements } from '../helpers/many-placements'
import { pasteText } from '../helpers/page'
import { answerQuestions, questions } from '../helpers/questions'
import { cases } from '../helpers/ring'

// You quit during a paste into the grid: the app asks, and afterwards there's either all of it or nothing.

const scale = Number(process.env['FLIGHTPLAN_SCALE'] ?? cases(5, 10))
const patience = patienceFor(scale)
let open: ManyPlacements
let app: RunningApp
let page: Page
let count: number

beforeAll(async () => {
  open = await openManyPlacements(scale, ['externalId', 'name'], { attended: true })
  ;({ app, page } = open)
  await showPlacements(page)
  // After a reload, the list grows while the rest is read from disk.
  const rows = await page.waitForFunction(
    (seen: { count: number }) => {
      const before = seen.count
      const list = document.querySelector('[role=grid][aria-label="Placements"]')
      seen.count = Number(list?.getAttribute('aria-rowcount'))
      return seen.count === before && before > 1_000 && before
    },
    await page.evaluateHandle(() => ({ count: 0 })),
    { polling: 500 },
  )
  count = Number(await rows.jsonValue()) - 1
}, patience * 2)
afterAll(async () => {
  await app?.kill()
  await open?.service.stop()
})

const grid = () => page.getByRole('grid', { name: 'Placements', exact: true })
/** The first cell of the paste. */
const top = () => grid().locator('[role=row][aria-rowindex="2"] [role=gridcell][aria-colindex="2"]')
const exited = (): Promise<void> => new Promise((done) => app.electron.process().once('exit', () => done()))
const drafts = (): Promise<void> => page.getByText(`${count.toLocaleString('en')} drafts`, { exact: true }).waitFor()

/** Slows the page down so that a paste triggers the question on any machine. */
async function slowDown(rate: number): Promise<void> {
  const cdp = await app.electron.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Starts a paste into all rows and quits during it. */
async function quitDuringPaste(answer: number): Promise<void> {
  await answerQuestions(app, answer)
  await grid().focus()
  await page.keyboard.press('Control+Home')
  const text = Array.from({ length: count }, (_unused, row) => `Pasted ${row}`).join('\n')
  await slowDown(10)
  await pasteText(page, text)
  await page.getByText(/^Pasting [\d,]+ of [\d,]+$/).waitFor()
  await app.electron.evaluate(({ app }) => app.quit())
}

/** Restarts with the same data. */
async function again(): Promise<void> {
  app = await launchApp({
    ...{ userData: app.userData, service: open.service, attended: true },
    size: { width: 1440, height: 900 },
  })
  page = app.page
  await showPlacements(page)
}

it('staying continues the edit, after a warning about the effects of quitting', { timeout: patience }, async () => {
  await quitDuringPaste(2)
  await expect
    .poll(() => questions(app), { timeout: patience })
    .toEqual([
      {
        message: 'An edit isn’t finished yet.',
        detail: expect.stringMatching(
          /^Pasting: [\d,]+ of [\d,]+ records\n\nIf you stop now, unfinished edits are undone/,
        ),
      },
    ])
  await slowDown(1)
  await drafts()
  await page.keyboard.press('Control+z')
  await page.getByText('No drafts', { exact: true }).waitFor({ timeout: patience })
})

it('stopping it leaves no change at the next start', { timeout: patience }, async () => {
  const before = await top().textContent()
  const gone = exited()
  await quitDuringPaste(1)
  await gone
  await again()
  await page.getByText('No drafts', { exact: true }).waitFor()
  await expect.poll(() => top().textContent()).toBe(before)
  await expect.poll(() => page.getByText('A bulk change was interrupted').count()).toBe(0)
})

it('letting it finish keeps all changes at the next start', { timeout: patience }, async () => {
  const gone = exited()
  await quitDuringPaste(0)
  await expect.poll(() => questions(app), { timeout: patience }).toHaveLength(1)
  await slowDown(1)
  await gone
  await again()
  await drafts()
  await expect.poll(() => top().textContent()).toBe('Pasted 0')
})
