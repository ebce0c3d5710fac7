// Only in test:all: opens every view with 20,000 events. Console messages fail all other tests, too.
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { atRest } from '../helpers/page'
import { reportScreens } from '../helpers/report-screens'

const idle = /No pending changes/
let app: RunningApp | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

/** The page's console messages: warnings, errors, and uncaught exceptions. */
const complaints = (): string[] => app!.log.filter((line) => /^(warning|error|pageerror): /.test(line))
const settled = (page: Page): Promise<void> => page.getByText(idle).first().waitFor({ timeout: 120_000 })

async function walk(page: Page): Promise<void> {
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
    await atRest(page)
  }
  for (let week = 0; week < 60; week++) await page.keyboard.press('j')
  for (let week = 0; week < 30; week++) await page.keyboard.press('k')
  await press('t', '1', 'j', '3', 'j', '4', 'j', '2', 't')
  for (const view of ['Control+2', 'Control+3', 'Control+6', 'Control+4', 'Control+,', 'Control+1']) await press(view)
  for (const [open, close] of [
    ['q', 'Escape'],
    ['g', 'Escape'],
    ['c', 'Escape'],
    ['Control+k', 'Escape'],
    ['F1', 'Escape'],
    ['Control+b', 'Control+b'],
  ])
    await press(open!, close!)
  for (const leave of ['Escape', 'j', 'Control+2', '3']) {
    await press('Control+1', '2', 't')
    await page.locator('.block').getByRole('button').nth(3).click()
    await page.getByRole('dialog').waitFor()
    await press(leave)
    await press('Escape', 'Escape')
  }
  await press('Control+1', '3')
  await page.locator('[data-more]').first().click()
  await page.getByRole('dialog').waitFor()
  await press('Escape', '2')
}

describe('the console stays clean', () => {
  it('with the demo, while you use it', async () => {
    app = await launchApp({ size: { width: 1280, height: 800 } })
    await settled(app.page)
    await walk(app.page)
    for (const [, show] of reportScreens) {
      await show(app.page)
      await atRest(app.page)
    }
    expect(complaints()).toEqual([])
  })

  it('when an edit finishes after you switched views', async () => {
    app = await launchApp({ size: { width: 1280, height: 800 } })
    await settled(app.page)
    const { page } = app
    const { keyboard } = page
    for (let round = 0; round < 12; round++) {
      await keyboard.press('Control+1')
      await page
        .getByRole('button', { name: /Prep for the Marlowe|Focus: media plans|Report template/ })
        .first()
        .focus()
      await keyboard.press(round % 2 === 0 ? 'Alt+ArrowDown' : 'Alt+ArrowUp')
      await keyboard.press('Control+2')
      await page.getByRole('main', { name: /tasks/i }).waitFor()
    }
    await settled(page)
    await expect.poll(() => page.getByRole('main', { name: /tasks/i }).count()).toBe(1)
    expect(complaints()).toEqual([])
  })

  it('when you leave before a new record is saved', async () => {
    app = await launchApp({ size: { width: 1280, height: 800 } })
    await settled(app.page)
    const { page } = app
    for (let round = 0; round < 8; round++) {
      await page.keyboard.press('Control+3')
      const make = page.getByRole('main').getByRole('button', { name: 'New', exact: true })
      await make.waitFor()
      // In a single call, since a fast machine would finish between two calls of the driver.
      await make.evaluate((button: HTMLElement) => {
        button.click()
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: '1', code: 'Digit1', ctrlKey: true, bubbles: true, cancelable: true }),
        )
      })
      await page.getByRole('main', { name: /calendar/i }).waitFor()
      await page
        .getByRole('contentinfo')
        .getByText(new RegExp(`^${round + 1} unposted draft`))
        .waitFor()
    }
    expect(complaints()).toEqual([])
  })

  it('with 20,000 events, at the first start and later ones', async () => {
    app = await launchApp({ args: ['--scale', '20'], size: { width: 1280, height: 800 } })
    await app.page.getByRole('heading', { name: /Opening your calendars|Syncing your calendars/ }).waitFor()
    await app.page.getByRole('progressbar').first().waitFor()
    await app.page.locator('[data-key]').first().waitFor({ timeout: 120_000 })
    for (let week = 0; week < 40; week++) await app.page.keyboard.press('j')
    await settled(app.page)
    const { userData } = app
    for (let start = 0; start < 3; start++) {
      expect({ start, complaints: complaints() }).toEqual({ start, complaints: [] })
      await app.close()
      app = await launchApp({ userData, size: { width: 1280, height: 800 } })
      await app.page.locator('[data-key]').first().waitFor({ timeout: 120_000 })
      await walk(app.page)
    }
    expect(complaints()).toEqual([])
  })
})
