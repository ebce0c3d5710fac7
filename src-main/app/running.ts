import { join } from 'node:path'
import { app, type BrowserWindow, globalShortcut, net, powerMonitor, safeStorage, session, shell } from 'electron'
import type { Clock } from '#shared/time/clock'
import { announce } from '../ipc/renderer-requests'
import type { Answering } from '../ipc/answering'
import { backUpBefore } from '../journal/backup'
import { LocalLog } from '../diagnostics/local-log'
import { errorEvent } from '../diagnostics/events'
import { Journal } from '../journal/journal'
import { openBackend } from './backend'
import { electronShell } from './electron-shell'
import type { Flags } from './flags'
import { forkScript } from './fork'
import { setMenu } from './menu'
import type { OpeningInbox } from './openings'
import { OutsideService } from './outside-service'
import { QuickAddWindow } from './quick-add-window'
import { restrictFiles } from './private-files'
import { guardQuit, until } from './quit'
import { systemSeal } from './seal'
import { ServiceProcess, type ServiceOptions } from './service-process'
import { failedAt } from './start-failure'
import { networkPartition, systemFetch } from './system-fetch'
import { feedOf } from './update-feed'
import { openTray, type OpenTray } from './tray'
import { watchHelpers, watchWindow, type WindowHealth } from './window-health'
import type { MainWindow } from './window'
import { WindowSession } from './window-session'
import { Windows, type OpeningWindow } from './windows'

/** State at the time the window is open. */
export interface Running extends MainWindow {
  flags: Flags
  clock: Clock
  /** Milliseconds that the wall clock is ahead of the computer's. */
  clockOffset: number
  userData: string
  /** The folder of the built scripts. */
  built: string
  /** The built preload script. */
  preload: string
  openings: OpeningInbox
}

/**
 * Runs the backend in Electron, with window, tray, menu, power events, and quitting.
 * @returns the handlers of window requests
 * @throws StartFailure
 */
export async function run(about: Running): Promise<Answering> {
  const { window, show: showWindow, flags, clock, userData, built } = about
  const resources = join(app.getAppPath(), 'resources')
  await restrictFiles(userData)
  const log = new LocalLog({ userData, now: clock.now })
  log.add({
    what: 'start',
    version: app.getVersion(),
    electron: process.versions['electron'],
    ...{ platform: process.platform, arch: process.arch, safeMode: flags.safeMode },
  })
  process.on('uncaughtExceptionMonitor', (error) => log.add(errorEvent('main', error)))
  const journalPath = join(userData, 'journal', 'outbox.journal')
  await backUpBefore(app.getVersion(), { userData, journal: journalPath, now: clock.now() }).catch((error: unknown) => {
    // A full disk isn't a reason not to start, because opening the journal still loses nothing.
    console.error(`Couldn’t back up the journal: ${error instanceof Error ? error.message : String(error)}`)
    log.add({ what: 'backup', ok: false })
  })
  const journal = await Journal.open(journalPath, clock.now).catch((error: unknown) => {
    throw failedAt('Couldn’t open the journal of pending changes', journalPath, error)
  })
  const windows = new Windows({
    ...{ main: window, preload: about.preload, clockOffset: about.clockOffset },
    ...{ hidden: flags.hidden, safeMode: flags.safeMode },
  })
  const healths = new Map<number, WindowHealth>()
  const watchHealth = (one: BrowserWindow): void => {
    const { unattended } = flags
    const { elapsed } = clock
    const health = watchWindow({ window: one, unattended, elapsed, unsent: () => journal.unsent(), log })
    healths.set(one.webContents.id, health)
  }
  // Read now, because a destroyed window has no ID.
  const { id: mainPage } = window.webContents
  const watchPage = ({ webContents }: BrowserWindow): void => {
    const { id } = webContents
    const gone = (): void => backend.pageGone(id, id === mainPage)
    webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) gone()
    })
    webContents.on('render-process-gone', gone)
    webContents.once('destroyed', () => {
      healths.delete(id)
      gone()
    })
  }
  watchHealth(window)
  watchHelpers(log)
  /** Shows the window in front. A hidden one stays hidden while another is open. */
  const show = (): void => {
    void windowSession.reopen()
    const { front } = windows
    healths.get(front.webContents.id)?.revive()
    if (front === window) return showWindow()
    if (front.isMinimized()) front.restore()
    front.show()
    front.focus()
  }
  const openOther = (opening: OpeningWindow): void => {
    const other = windows.open(opening)
    watchHealth(other)
    watchPage(other)
    other.on('close', (event) => {
      if (quit.isDone) return
      event.preventDefault()
      if (quit.isLeaving) return
      if (hideOnClose() || windows.hasOther(other)) void closeSaved(other)
      else app.quit()
    })
  }
  /** Closes a window once its edits are done, and its typed text is saved. */
  async function closeSaved(other: BrowserWindow): Promise<void> {
    windows.leave(other)
    const { id } = other.webContents
    await until(() => backend.editing(id).length === 0)
    await backend.savePage(id, () => announce(other, 'app/closing', {}))
    if (!other.isDestroyed()) other.destroy()
    void windowSession.save()
  }
  const windowSession = new WindowSession(windows, { userData, safeMode: flags.safeMode, open: openOther })
  const hideOnClose = (): boolean => tray.open !== undefined && !flags.unattended
  const quickAdd = new QuickAddWindow(about.preload, about.clockOffset)
  const tray: { open?: OpenTray | undefined } = {}
  const backend = await openBackend({
    shell: electronShell(windows, {
      openWindow: (place) => {
        openOther({ place })
        void windowSession.save()
      },
      show: () => {
        if (!flags.hidden) show()
      },
      quickAdd,
      resources,
      restart: () => {
        backend.updates.startAgain()
        quit.restart()
      },
    }),
    log,
    trayChanged: () => tray.open?.update(),
    flags,
    clock,
    userData,
    built,
    clientFile: app.isPackaged ? join(built, 'oauth-client.json') : process.env['FLIGHTPLAN_OAUTH_CLIENT'],
    feed: await feedOf({ packaged: app.isPackaged, built, platform: process.platform, environment: process.env }),
    journal,
    service: (events) =>
      flags.serviceUrl
        ? new OutsideService(flags.serviceUrl, flags.serviceToken ?? '')
        : embeddedService(about, events),
    rehearsalService: (dataDir) =>
      new ServiceProcess({
        ...{ changed: () => undefined, failed: () => undefined },
        ...{ elapsed: clock.elapsed, script: join(built, 'sandbox.cjs'), dataDir },
        ...{ seed: 'empty', scale: 1, clockOffset: about.clockOffset },
      }),
    fetch: systemFetch((options) => net.request({ ...options, partition: networkPartition })),
    usesProxy: async (url) => (await session.fromPartition(networkPartition).resolveProxy(url)) !== 'DIRECT',
    fork: forkScript,
    seal: systemSeal(safeStorage, process.platform),
    announce: (name, payload) => windows.announce(name, payload),
    reloaded: () => healths.get(windows.asking.webContents.id)?.reloaded,
  })
  watchPage(window)

  const command = (id: string): void => windows.announce('app/command', { command: id })
  tray.open = openTray(
    resources,
    backend.tray,
    {
      show,
      quickAdd: () => quickAdd.open(),
      open: ({ accountId, ...item }) => {
        show()
        windows.announce('reminders/open', { accountId, item })
      },
      join: ({ join }) => {
        if (join !== undefined) void shell.openExternal(join)
      },
      sync: () => {
        show()
        command('go.sync')
      },
      toggleOffline: () => command('sync.offline'),
      quit: () => app.quit(),
    },
    clock.now,
  )
  setMenu(command)
  about.openings.follow((opening) => {
    if (opening.quickAdd) quickAdd.open()
    else if (opening.again) show()
    backend.openings.add(opening)
  })
  app.on('activate', show)
  app.on('window-all-closed', () => undefined)
  powerMonitor.on('resume', backend.resumed)
  if (!flags.startHidden) void windowSession.reopen()
  let installing = false
  const quit = guardQuit({
    window,
    front: () => windows.front,
    unsent: () => journal.unsent(),
    writing: backend.writing,
    editing: backend.editing,
    ask: !flags.unattended,
    hideOnClose: () => hideOnClose() || windows.hasOther(window),
    saveTyped: backend.saveTyped,
    before: async () => {
      await windowSession.save()
      quickAdd.destroy()
      globalShortcut.unregisterAll()
      const quiet = backend.quiet()
      await backend.close()
      installing = backend.updates.install(quiet)
      await log.close()
    },
    stayed: () => backend.updates.stay(),
    relaunch: () => {
      // Elsewhere, the installer starts the new version.
      if (!installing || process.platform === 'linux') relaunch()
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit())
  return backend.answering
}

function embeddedService(
  { flags, clock, clockOffset, userData, built }: Running,
  events: Pick<ServiceOptions, 'changed' | 'failed'>,
): ServiceProcess {
  return new ServiceProcess({
    ...events,
    elapsed: clock.elapsed,
    script: join(built, 'sandbox.cjs'),
    dataDir: join(userData, 'sandbox'),
    seed: flags.seed,
    scale: flags.scale,
    clockOffset,
  })
}

/** Starts the app again after it has quit, without safe mode. */
function relaunch(): void {
  const { APPIMAGE: image } = process.env
  const args = process.argv.slice(1).filter((word) => word !== '--safe-mode')
  app.relaunch({ args, ...(image && { execPath: image }) })
}
