import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { dismissMessages, messages, pasteText, pressing, runCommand } from '../helpers/page'
import { asking } from '../helpers/sign-in'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
let elsewhere: Sandbox
let app: AppPage
let page: Page

beforeAll(async () => {
  elsewhere = await startSandbox({ seed: 'empty', now: clock.now })
  app = await openApp({ clock, service: service.sandbox, size: { width: 1440, height: 900 } })
  page = app.page
  await openSync(page)
  await startDownload(page)
  await untilDownloaded(page, 120_000)
  await asking(page, 'account/add', { label: 'Second', vocabulary: 'neutral', address: elsewhere.baseUrl })
})
afterAll(async () => {
  await app?.close()
  await elsewhere?.stop()
})

const press = pressing(() => page)
const grid = (): Locator => page.getByRole('grid', { name: 'Placements', exact: true })
const strip = (): Locator => page.getByRole('region', { name: 'Drafts' })
const shows = (name: string): Promise<void> =>
  expect.poll(() => page.getByRole('button', { name: /, accounts/ }).innerText()).toContain(name)
async function focusCell(head: string): Promise<void> {
  await grid().focus()
  await press('Control+Home')
  const column = Number(
    await grid().getByRole('columnheader', { name: head, exact: true }).getAttribute('aria-colindex'),
  )
  for (let at = 2; at < column; at++) await press('ArrowRight')
}
const paste = (text: string): Promise<void> => pasteText(page, text)
/** Lets the database accept `left` more records, then fail until there's space again. */
const room = (left: number): Promise<void> =>
  page.evaluate((left) => {
    const { prototype } = IDBObjectStore
    const own = ((globalThis as unknown as { put?: IDBObjectStore['put'] }).put ??= prototype.put)
    prototype.put = function (...args) {
      if (--left < 0) throw new DOMException('No room is left', 'QuotaExceededError')
      return own.apply(this, args)
    }
  }, left)
/** The unsent changes on disk, by account. */
const outbox = (): Promise<Record<string, number>> =>
  page.evaluate(async () => {
    const counts: Record<string, number> = {}
    for (const { name } of await indexedDB.databases()) {
      counts[name!] = await new Promise<number>((done) => {
        const opening = indexedDB.open(name!)
        opening.onsuccess = () => {
          const count = opening.result.transaction('outbox').objectStore('outbox').count()
          count.onsuccess = () => {
            opening.result.close()
            done(count.result)
          }
        }
      })
    }
    return counts
  })
const many = 300
const lines = (what: string): string => Array.from({ length: many }, (_unused, row) => `${what} ${row}`).join('\n')

beforeEach(async () => {
  await room(Infinity)
  await press('Control+Alt+1')
  await shows('Sample data')
  await runCommand(page, 'Campaigns: placements')
  await grid().locator('.body [role=row]').first().waitFor()
  await dismissMessages(page)
})

describe('while another account is open', () => {
  it('a paste continues, reports its result, and is undone, without touching that account', async () => {
    await focusCell('Plan line')
    await paste(lines('Going on'))
    await press('Control+Alt+2')
    await shows('Second')
    await messages(page).getByText(`Sample data: ${many} cells changed`, { exact: true }).waitFor()
    expect(Object.values(await outbox()).sort()).toEqual([0, many])
    await messages(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => Object.values(await outbox())).toEqual([0, 0])
  })

  it('a paste that fails on a full disk is reported and leaves nothing behind', async () => {
    await focusCell('Plan line')
    const before = await grid().locator('[role=row][aria-rowindex="2"]').innerText()
    await room(250)
    await paste(lines('Refused'))
    await press('Control+Alt+2')
    await shows('Second')
    await messages(page)
      .getByText(/^Sample data: Couldn’t save “Paste into 300 placements: plan line”\. Your disk is full.*/)
      .waitFor()
    await room(Infinity)
    await press('Control+Alt+1')
    await shows('Sample data')
    await runCommand(page, 'Campaigns: placements')
    await expect.poll(() => grid().locator('[role=row][aria-rowindex="2"]').innerText()).toBe(before)
    await strip().getByText('No drafts', { exact: true }).waitFor()
    // The next write also removes what the full disk kept.
    await press('Control+r')
    await expect.poll(async () => Object.values(await outbox()), { timeout: 60_000 }).toEqual([0, 0])
  })
})

it('a running paste shows progress and can be stopped after you leave and return to its view', async () => {
  await focusCell('Plan line')
  // Keep the disk busy.
  await page.evaluate(async () => {
    const name = (await indexedDB.databases()).map(({ name }) => name!).find((one) => one.endsWith('sandbox'))!
    const opening = indexedDB.open(name)
    await new Promise((done) => (opening.onsuccess = done))
    const store = opening.result.transaction('outbox', 'readwrite').objectStore('outbox')
    const busy = globalThis as unknown as { busy: boolean }
    busy.busy = true
    const goOn = (): void => {
      if (busy.busy) store.count().onsuccess = goOn
      else opening.result.close()
    }
    goOn()
  })
  await paste(lines('Stopped'))
  const bar = page.getByRole('progressbar', { name: 'Pasting' })
  await bar.waitFor()
  for (const [there, back] of [
    ['Control+1', 'Control+3'],
    ['Control+Alt+2', 'Control+Alt+1'],
  ] as const) {
    await press(there)
    await bar.waitFor({ state: 'detached' })
    await press(back)
    await bar.waitFor()
  }
  await strip().getByRole('button', { name: 'Stop' }).click()
  await page.evaluate(() => ((globalThis as unknown as { busy: boolean }).busy = false))
  await messages(page).getByText('Pasting stopped. Nothing changed.').waitFor()
  await bar.waitFor({ state: 'detached' })
  await strip().getByText('No drafts', { exact: true }).waitFor()
  await expect.poll(async () => Object.values(await outbox())).toEqual([0, 0])
})

describe('on a full disk', () => {
  it("cell text stays in an alert, and saves once there's space", async () => {
    await focusCell('Plan line')
    await room(0)
    await page.keyboard.type('no room')
    await press('Enter')
    await messages(page)
      .getByText(
        /^Couldn’t save “no room” as the plan line of .*\. Your disk is full\. .*Your text is in this message\.$/,
      )
      .waitFor()
    // Exactly one alert.
    await expect.poll(() => messages(page).getByRole('alert').count()).toBe(1)
    await room(Infinity)
    await messages(page).getByRole('button', { name: 'Try again' }).click()
    await strip().getByText('1 draft', { exact: true }).waitFor()
    await press('Control+z')
    await strip().getByText('No drafts', { exact: true }).waitFor()
  })

  it('form text appears in a single alert', async () => {
    await focusCell('Plan line')
    await press('Space')
    const form = page.getByRole('complementary', { name: 'Record' })
    const field = form.locator('[data-path="externalId"] input')
    await room(0)
    await field.fill('no room here')
    await press('Enter')
    const alert = messages(page).getByRole('alert')
    await alert.filter({ hasText: /^Couldn’t save “no room here” as the plan line of .*\. Your disk/ }).waitFor()
    await expect.poll(() => alert.count()).toBe(1)
    await room(Infinity)
    await messages(page).getByRole('button', { name: 'Dismiss message' }).click()
    await alert.waitFor({ state: 'detached' })
    await grid().focus()
    await press('Escape')
    await form.waitFor({ state: 'detached' })
  })

  it('an alert about invalid text survives switching views and accounts', async () => {
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('No room is left', 'QuotaExceededError')
      }
    })
    await focusCell('End date')
    await page.keyboard.type('30 Febr')
    await press('Control+1')
    const message = messages(page).getByText(/Couldn’t save “30 Febr” as the end date of .+/)
    await message.waitFor()
    await press('Control+Alt+2')
    await shows('Second')
    await message.waitFor()
    await page.reload()
    await page.getByRole('contentinfo').waitFor()
  })

  it("a download that can't be paused says so", async () => {
    await openSync(page)
    await room(0)
    await page
      .getByRole('button', { name: /^Pause: / })
      .first()
      .click()
    await messages(page)
      .getByText(/Couldn’t pause .* Your disk is full/)
      .waitFor()
    await room(Infinity)
    await page
      .getByRole('button', { name: /^Pause: / })
      .first()
      .click()
    await page
      .getByRole('button', { name: /^Resume: / })
      .first()
      .click()
  })
})

it('an oversized paste into one cell shows a bounded alert and can be copied from it', async () => {
  const text = 'One of very many. '.repeat(2_000).trim()
  await focusCell('Name')
  await press('F2', 'Control+a')
  await page.keyboard.insertText(text)
  await press('Enter')
  await grid()
    .locator('.editor .note')
    .getByText(/^Use at most [\d,]+ characters/)
    .waitFor()
  await press('Control+1')
  const message = messages(page)
    .getByRole('alert')
    .filter({ hasText: `(${text.length.toLocaleString('en')} characters)` })
  await message.waitFor()
  expect((await message.boundingBox())!.height).toBeLessThan(240)
  const copied = (): Promise<string> => app.readClipboard()
  await message.getByRole('button', { name: 'Copy text' }).click()
  await expect.poll(copied).toBe(text)
  await message.getByRole('button', { name: 'Dismiss message' }).click()
})

describe('fast key presses', () => {
  it('Undo reverts the latest edit, not the one before', async () => {
    await focusCell('Plan line')
    for (const text of ['first', 'second']) {
      await page.keyboard.type(text)
      await press('Enter')
    }
    await strip().getByText('2 drafts', { exact: true }).waitFor()
    await page.keyboard.type('third')
    await press('Enter', 'Control+z')
    await messages(page)
      .getByText(/^Undid: Change .*: plan line$/)
      .waitFor()
    await strip().getByText('2 drafts', { exact: true }).waitFor()
    const cells = grid().locator('.body').getByRole('gridcell')
    await expect
      .poll(() => cells.filter({ hasText: /^(first|second|third)$/ }).allTextContents())
      .toEqual(['first', 'second'])
    await press('Control+z', 'Control+z')
    await strip().getByText('No drafts', { exact: true }).waitFor()
  })
})
