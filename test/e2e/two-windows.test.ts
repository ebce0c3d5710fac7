import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { nothingPending, runCommand } from '../helpers/page'

let app: RunningApp
afterEach(() => app.kill())

/** Opens another window by its command. */
async function openWindow(from: Page): Promise<Page> {
  const opened = app.electron.waitForEvent('window')
  await runCommand(from, 'New window')
  const page = await opened
  await page.getByRole('grid').first().waitFor()
  await page.evaluate('globalThis.__name ??= (named) => named')
  return page
}

async function quickAdd(page: Page, line: string): Promise<void> {
  await page.keyboard.press('q')
  await page.locator('#quick-line').fill(line)
  await page.keyboard.press('Enter')
  await page.locator('#quick-line').waitFor({ state: 'detached' })
}

const events = (page: Page): (() => Promise<string[]>) => () =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-item] .title, .item .title')].map((one) => one.textContent.trim()).sort(),
  )

it('two windows edit one account, the first closes, and everything is there after a restart, once', async () => {
  app = await launchApp({ args: ['--seed', 'empty'] })
  await nothingPending(app.page)
  await app.page.evaluate(() => window.flightplan.ask('network/offline', { offline: true }))
  const other = await openWindow(app.page)
  other.on('console', (message) => console.log('other:', message.text()))
  other.on('pageerror', (error) => console.log('other error:', error))
  await quickAdd(other, 'Made there 10:00')
  await app.page.getByText('Made there').first().waitFor()
  await quickAdd(app.page, 'Made here 12:00')
  await other.getByText('Made here').first().waitFor()
})
