import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'

describe('the first paint', () => {
  let app: RunningApp
  /** Loaded scripts, by the names of their sources. */
  const read: string[] = []
  beforeAll(async () => {
    app = await launchApp()
    // The test decides when idle time starts.
    await app.page.addInitScript(() => {
      const begin: (() => void)[] = []
      Object.assign(window, {
        requestIdleCallback: (run: () => void) => begin.push(run),
        beginIdleTime: () => {
          window.requestIdleCallback = (run) => window.setTimeout(run, 0)
          for (const run of begin) run()
        },
      })
    })
    // The page before the reload may still be loading the rest, even after the request for the next one.
    app.page.on('framenavigated', () => (read.length = 0))
    app.page.on('request', (request) => {
      const name = /assets\/([\w.]+)-[\w-]+\.js$/.exec(request.url())?.[1]
      if (name) read.push(name)
    })
    await app.page.reload()
    await app.page.locator('main [role="grid"]').waitFor()
  })
  afterAll(() => app.close())

  it('waits only for the view it shows', () => {
    expect(read).toContain('CalendarView')
    // Dialogs consist of `FormDialog`, which may be a file of its own.
    expect(read.filter((name) => /View$|(?<!^Form)Dialog$|^Palette$|^CheatSheet$|^AddAccount$/.test(name))).toEqual([
      'CalendarView',
    ])
  })

  it('is interactive: a view and the palette open by shortcut before idle time', async () => {
    await app.page.keyboard.press('Control+2')
    await app.page.getByRole('main', { name: 'Tasks' }).waitFor()
    await app.page.keyboard.press('Control+k')
    await app.page.getByRole('dialog').getByRole('combobox').waitFor()
    await app.page.keyboard.press('Escape')
    expect(read).not.toContain('SettingsView')
  })

  it('is followed by the rest in idle time', async () => {
    const last = app.page.waitForRequest(/assets\/SettingsView-/)
    await app.page.evaluate('beginIdleTime()')
    await last
    expect(read).toEqual(expect.arrayContaining(['TasksView', 'CampaignsView', 'SyncView', 'Palette']))
  })
})
