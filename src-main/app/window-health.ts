import type { LocalLog } from '../diagnostics/local-log'
import { app, dialog, type BrowserWindow, type RenderProcessGoneDetails } from 'electron'

/** Maximum number of reloads within a minute. Beyond that, reloading doesn't help. */
const maxReloads = 3
const withinMs = 60_000

export interface WindowHealthOptions {
  window: BrowserWindow
  /** True if no user is present to answer a dialog. */
  unattended: boolean
  /** Monotonic time in milliseconds. */
  elapsed: () => number
  /** Number of pending changes in the journal. */
  unsent: () => number
  log: Pick<LocalLog, 'add'>
}

export interface WindowHealth {
  /** Reloads a dead page again when the user opens the window. */
  revive(): void
  /** Reason why the current page was reloaded. */
  readonly reloaded: 'crashed' | 'hung' | undefined
}

/**
 * Keeps a window alive: reloads a crashed page, and offers to reload one that hangs. Neither loses saved changes, because
 * the journal belongs to main.
 */
export function watchWindow(options: WindowHealthOptions): WindowHealth {
  const { window, log } = options
  const { webContents } = window
  const reloads: number[] = []
  let dead = false
  let reloaded: WindowHealth['reloaded']
  let asking = false

  function reload(why: 'crashed' | 'hung'): void {
    dead = false
    reloads.push(options.elapsed())
    reloaded = why
    webContents.reload()
  }

  function mayReload(): boolean {
    const since = options.elapsed() - withinMs
    while (reloads[0] !== undefined && reloads[0] < since) reloads.shift()
    return reloads.length < maxReloads
  }

  function onGone(details: Pick<RenderProcessGoneDetails, 'reason'>): void {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return
    console.error(`The window's process ended (${details.reason}).`)
    log.add({ what: 'window', happened: 'crashed', reason: details.reason })
    dead = true
    if (mayReload()) reload('crashed')
    else void giveUp(details.reason)
  }

  async function giveUp(reason: string): Promise<void> {
    log.add({ what: 'window', happened: 'gave up' })
    const message = 'Flightplan keeps crashing.'
    const detail = `${reason === 'oom' ? 'It ran out of memory. ' : ''}The window was reloaded ${maxReloads} times within a minute. ${kept(options.unsent())} Try again, or quit and restart Flightplan.`
    if (options.unattended) console.error(`${message} ${detail}`)
    else if (!asking) {
      asking = true
      const { response } = await dialog.showMessageBox({
        type: 'error',
        title: 'Flightplan',
        message,
        detail,
        buttons: ['Try again', 'Quit'],
        defaultId: 0,
        cancelId: 0,
      })
      asking = false
      if (response === 1) app.quit()
      else if (dead) {
        reloads.length = 0
        reload('crashed')
      }
    }
  }

  async function onHung(): Promise<void> {
    if (dead || asking) return
    log.add({ what: 'window', happened: 'hung' })
    if (options.unattended) return restart()
    asking = true
    const answered = new AbortController()
    // The page may recover while the question is open.
    const responsive = (): void => answered.abort()
    window.once('responsive', responsive)
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: 'Flightplan isn’t responding.',
      detail: `${kept(options.unsent())} If you reload, unsaved text in open forms may be lost.`,
      buttons: ['Wait', 'Reload'],
      defaultId: 0,
      cancelId: 0,
      signal: answered.signal,
    })
    window.removeListener('responsive', responsive)
    asking = false
    if (response === 1 && !answered.signal.aborted) restart()
  }

  /** Ends the page's process first, because a hanging page can't reload. */
  function restart(): void {
    if (!mayReload()) {
      void giveUp('hung')
      return
    }
    webContents.removeListener('render-process-gone', gone)
    webContents.once('render-process-gone', () => {
      webContents.on('render-process-gone', gone)
      reload('hung')
    })
    webContents.forcefullyCrashRenderer()
  }

  const gone = (_event: unknown, details: RenderProcessGoneDetails): void => onGone(details)
  webContents.on('render-process-gone', gone)
  window.on('unresponsive', () => void onHung())
  return {
    get reloaded() {
      return reloaded
    },
    revive: () => {
      if (dead || webContents.isCrashed()) {
        reloads.length = 0
        reload('crashed')
      }
    },
  }
}

/** Logs that a helper process ended. Chromium restarts the GPU process and others on its own. */
export function watchHelpers(log: Pick<LocalLog, 'add'>): void {
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason === 'clean-exit' || reason === 'killed') return
    console.error(`A helper process (${type}) ended (${reason}).`)
    log.add({ what: 'helper process', type: type.toLowerCase().replaceAll(' ', '-'), reason })
  })
}

function kept(unsent: number): string {
  if (unsent === 0) return 'All your changes have been sent.'
  return unsent === 1
    ? '1 pending change is saved on this computer.'
    : `${unsent.toLocaleString('en')} pending changes are saved on this computer.`
}
