import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { nothingPending } from '../helpers/page'

let app: RunningApp | undefined
afterEach(async () => {
  await app?.kill()
  app = undefined
})

/** Crashes the page's process, as a Chromium bug would. Resolves once the page is back or given up. */
const crash = (running: RunningApp): Promise<void> =>
  running.electron.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((done) => {
        const { webContents } = BrowserWindow.getAllWindows()[0]!
        webContents.once('render-process-gone', () => setTimeout(done, 0))
        webContents.forcefullyCrashRenderer()
      }),
  )
/** The window's text, read from main because the test's page is gone. */
const text = (running: RunningApp): Promise<string> =>
  running.electron.evaluate(async ({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!
    if (webContents.isCrashed() || webContents.isLoading()) return ''
    return String(await webContents.executeJavaScript('document.body.innerText'))
  })
const shows = (running: RunningApp, words: string): Promise<void> =>
  expect.poll(() => text(running), { timeout: 30_000 }).toContain(words)
const isDead = (running: RunningApp): Promise<boolean> =>
  running.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.isCrashed())

async function addTask(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+2')
  await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
  await page.keyboard.press('c')
  await page.keyboard.type(title)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page
    .getByRole('checkbox', { name: new RegExp(title) })
    .first()
    .waitFor()
}
const launch = async (): Promise<RunningApp> => {
  const running = await launchApp({ args: ['--seed', 'empty'] })
  app = running
  await nothingPending(running.page)
  return running
}

it('in safe mode, the app restarts without it, and with everything that isn’t sent', async () => {
  const running = await launchApp({ args: ['--seed', 'empty', '--safe-mode'], attended: true })
  app = running
  await nothingPending(running.page)
  await running.page.evaluate(() => window.flightplan.ask('network/offline', { offline: true }))
  await addTask(running.page, 'Typed in safe mode')
  // Electron’s own part is to start this again after it has ended.
  const again = await running.electron.evaluateHandle(({ app }) => {
    const seen: { args: string[] } = { args: [] }
    app.relaunch = (options) => void (seen.args = options?.args ?? [])
    const stay = app.quit.bind(app)
    let calls = 0
    // The first call begins to quit. The second one ends the app, and with it what was seen.
    app.quit = () => (++calls < 2 ? stay() : undefined)
    return seen
  })
  await running.page.getByRole('button', { name: 'Restart normally' }).click()
  await expect.poll(() => again.evaluate(({ args }) => args.length)).toBeGreaterThan(0)
  const args = await again.evaluate((seen) => seen.args)
  expect(args).toContain(running.userData)
  expect(args).not.toContain('--safe-mode')
  const journal = await readFile(join(running.userData, 'journal', 'outbox.journal'), 'utf8')
  expect(journal).toContain('Typed in safe mode')
  const log = await readFile(join(running.userData, 'logs', 'log.jsonl'), 'utf8')
  expect(log).toContain('"safeMode":true')
  expect(log.trimEnd()).toMatch(/"what":"quit"\}$/)
  expect(log).not.toContain('Typed')
})

describe('a crashed window', () => {
  it('reloads with every unsent edit, and says so', async () => {
    const running = await launch()
    await running.page.evaluate(() => window.flightplan.ask('network/offline', { offline: true }))
    await addTask(running.page, 'Typed before the crash')
    await crash(running)
    await shows(running, 'The window crashed and was reloaded')
    await shows(running, 'Typed before the crash')
    await shows(running, '1 of them is pending')
    await running.electron.evaluate(async ({ BrowserWindow }) => {
      await BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(
        'window.flightplan.ask("network/offline", { offline: false })',
      )
    })
    await shows(running, 'No pending changes')
  })

  it('stops reloading after repeated crashes, says so, and reloads on request', async () => {
    const running = await launch()
    for (let round = 0; round < 3; round++) {
      await crash(running)
      await shows(running, 'was reloaded')
    }
    await crash(running)
    await expect.poll(() => running.log.join('')).toContain('keeps crashing')
    expect(running.log.join('')).toContain('All your changes have been sent.')
    expect(await isDead(running)).toBe(true)
    // A second start hands over to this one.
    await running.electron.evaluate(({ app }) => app.emit('second-instance', {}, ['flightplan'], '/'))
    await shows(running, 'was reloaded')
    expect(await isDead(running)).toBe(false)
  })

  it('reloads when it hangs with no one to ask', async () => {
    const running = await launch()
    await running.electron.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((done) => {
          const window = BrowserWindow.getAllWindows()[0]!
          void window.webContents.executeJavaScript('for (;;);').catch(() => undefined)
          window.webContents.once('did-finish-load', () => done())
          window.emit('unresponsive')
        }),
    )
    await shows(running, 'stopped responding and was reloaded')
  })
})
