import { app, dialog, type BrowserWindow } from 'electron'

/**
 * Closing the window hides it, so that sync goes on; quitting with unsent changes says so first. `before` runs once
 * the person has decided, and may take a moment.
 */
export function guardQuit(options: {
  window: BrowserWindow
  unsent: () => number
  ask: boolean
  hideOnClose: () => boolean
  closing: () => void
  before: () => Promise<void>
}): void {
  let state: 'running' | 'asking' | 'leaving' | 'done' = 'running'

  async function leave(): Promise<void> {
    state = 'asking'
    const count = options.unsent()
    if (options.ask && count > 0 && (await staysOpen(options.window, count))) {
      state = 'running'
      return
    }
    state = 'leaving'
    options.closing()
    await options.before().catch(() => undefined)
    state = 'done'
    app.quit()
  }

  options.window.on('close', (event) => {
    if (state === 'done') return
    event.preventDefault()
    if (state !== 'running') return
    if (options.hideOnClose()) options.window.hide()
    else void leave()
  })
  app.on('before-quit', (event) => {
    if (state === 'done') return
    event.preventDefault()
    if (state === 'running') void leave()
  })
}

async function staysOpen(window: BrowserWindow, count: number): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'info',
    message: count === 1 ? 'One change has not been sent yet.' : `${count} changes have not been sent yet.`,
    detail: 'They are kept on this computer and are sent the next time Flightplan runs with a connection.',
    buttons: ['Quit', 'Keep running'],
    defaultId: 1,
    cancelId: 1,
  })
  return response === 1
}
