import type { ElectronApplication } from 'playwright-core'
import { launchApp } from '../helpers/app'
import { comparison, goals, median, type Bench, type Comparison } from './measure'

const rounds = 9

/** From the shortcut to a field that accepts typing, compared with opening a window that has only a field. */
export async function* quickAdd({ step }: Bench): AsyncGenerator<Comparison, void, void> {
  step('starting the app')
  const app = await launchApp({ args: ['--seed', 'empty'] })
  try {
    await app.page
      .getByText(/No pending changes/)
      .first()
      .waitFor()
    // The script loader names functions through a helper.
    await app.electron.evaluate('globalThis.__name ??= (named) => named')
    const empty: number[] = []
    const first: number[] = []
    const again: number[] = []
    step('opening quick add and an empty window in turn')
    for (let round = 0; round < rounds; round++) {
      empty.push(await emptyWindow(app.electron))
      first.push(await quickAddWindow(app.electron, true))
      again.push(await quickAddWindow(app.electron, false))
    }
    const floor = median(empty)
    const floorIs = 'a new window with only a field'
    yield comparison('quick add, opened for the first time', floorIs, median(first), floor, { goal: goals.quickAdd })
    yield comparison('quick add, opened again', floorIs, median(again), floor, { goal: goals.quickAdd })
  } finally {
    await app.close()
  }
}

/** Milliseconds until a new window has a focused field. */
const emptyWindow = (electron: ElectronApplication): Promise<number> =>
  electron.evaluate(async ({ BrowserWindow }) => {
    const began = performance.now()
    const window = new BrowserWindow({
      ...{ width: 560, height: 72, frame: false },
      webPreferences: { sandbox: true, contextIsolation: true },
    })
    void window.loadURL('data:text/html,<!doctype html><input autofocus>')
    // Doesn't wait for the rest of the page, as the one of web contents would.
    const ready = `document.activeElement?.tagName === 'INPUT'`
    while (!(await window.webContents.mainFrame.executeJavaScript(ready)))
      await new Promise((done) => setTimeout(done, 2))
    const took = performance.now() - began
    window.destroy()
    return took
  })

/**
 * Milliseconds from the request to a focused field, as a second start makes it.
 * @param fresh true to create the window, as the first time
 */
const quickAddWindow = (electron: ElectronApplication, fresh: boolean): Promise<number> =>
  electron.evaluate(async ({ app, BrowserWindow }, fresh) => {
    const find = () => BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().endsWith('/quick-add.html'))
    if (fresh) find()?.destroy()
    else find()?.hide()
    const began = performance.now()
    app.emit('second-instance', {}, ['flightplan', '--quick-add'], '/')
    const ready = `document.activeElement?.tagName === 'INPUT' && !document.activeElement.readOnly`
    for (;;) {
      const window = find()
      if (window?.isVisible() && (await window.webContents.mainFrame.executeJavaScript(ready)))
        return performance.now() - began
      await new Promise((done) => setTimeout(done, 2))
    }
  }, fresh)
