import { join } from 'node:path'
import { app, BrowserWindow } from 'electron'
import type { Clock } from '#shared/time/clock'
import { answerRequests } from '../ipc/renderer-requests'
import { answering } from '../ipc/handle'
import { Journal } from '../journal/journal'
import { electronShell } from './electron-shell'
import { wasWritten } from './files'
import type { Flags } from './flags'
import { pendingHandlers } from './pending-handlers'
import { QuickAddWindow } from './quick-add-window'
import { appOrigin } from './renderer-files'
import { failedAt } from './start-failure'
import { webPreferences } from './web-preferences'

export interface ReadOnlyOptions {
  userData: string
  /** The version that opened the profile last. */
  newerVersion: string
  /** The built preload script. */
  preload: string
  flags: Flags
  clock: Clock
  /** Milliseconds that the wall clock is ahead of the computer's. */
  clockOffset: number
}

/**
 * Opens a profile that a newer version used last, to show and export its pending changes. No other part of the app runs, so
 * nothing is changed or sent.
 * @throws StartFailure
 */
export async function openReadOnly(about: ReadOnlyOptions): Promise<void> {
  const { userData, newerVersion, preload, flags, clock, clockOffset } = about
  const path = join(userData, 'journal', 'outbox.journal')
  const journal = await Journal.peek(path).catch((error: unknown) => {
    throw failedAt('Couldn’t open the journal of pending changes', path, error)
  })
  const window = new BrowserWindow({
    ...{ width: 720, height: 640, minWidth: 480, minHeight: 400 },
    show: false,
    title: 'Flightplan',
    autoHideMenuBar: true,
    webPreferences: webPreferences(preload, clockOffset),
  })
  const show = (): void => {
    if (!flags.hidden) window.show()
  }
  window.once('ready-to-show', show)
  app.on('second-instance', show)
  const only = {
    asking: window,
    get isFocused() {
      return window.isFocused()
    },
  }
  const shell = electronShell(only, {
    openWindow: () => undefined,
    show,
    quickAdd: new QuickAddWindow(preload, clockOffset),
    restart: () => app.quit(),
    resources: join(app.getAppPath(), 'resources'),
  })
  const files = {
    shell,
    saveTo: flags.saveTo,
    opened: () => undefined,
    note: () => Promise.resolve(),
    takes: () => Promise.resolve(false),
  }
  const answers = answering({
    ...pendingHandlers({ shell, files, journal, now: clock.now, newerVersion }),
    'app/reveal-file': ({ path: file }) => {
      if (wasWritten(file)) shell.reveal(file)
    },
  })
  answerRequests(Promise.resolve(answers), appOrigin)
  await window.loadURL(`${appOrigin}/read-only.html`)
}
