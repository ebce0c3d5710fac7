import { join } from 'node:path'
import { app, crashReporter, session } from 'electron'
import { offsetClock, offsetTo } from '#shared/time/clock'
import { commandOf, readFlags, serviceTokenVariable, type Flags } from './app/flags'
import { OpeningInbox, openingOf } from './app/openings'
import { forgetHttpCache } from './app/http-cache'
import { declareScheme, serveRenderer } from './app/protocol'
import { leaveProfile } from './app/leave-profile'
import type { ReadOnlyOptions } from './app/read-only'
import { appOrigin } from './app/renderer-files'
import { checkFolders, failStart } from './app/start-failure'
import { offerTextMenus } from './app/text-menu'
import { hardenSessions, openWindow } from './app/window'
import { answerRequests } from './ipc/renderer-requests'
import { newerVersionOf } from './journal/profile-version'

const flags = flagsOrEnd()
// Processes that are started from here have no use for it.
delete process.env[serviceTokenVariable]
/** Offset of this run's clock from the computer's, in milliseconds. Applies to main, the window, and the sandbox. */
const clockOffset = flags.now === undefined ? 0 : offsetTo(flags.now)
const clock = offsetClock(clockOffset)
if (flags.userData) app.setPath('userData', flags.userData)

const command = commandOf(process.argv, app.isPackaged)
const page = join(__dirname, '..', 'renderer', 'index.html')
const preload = join(__dirname, '..', 'preload', 'preload.cjs')
const openings = new OpeningInbox()

/** The version that opened the profile last, if it's newer. Then nothing of the profile may be changed. */
const newer = newerVersionOf(app.getPath('userData'), app.getVersion())

if (!command) open()
else if (newer === undefined) app.whenReady().then(carryOut).catch(endBadly)
else refuseCommand(newer)

/** Runs the report command without a window. Another process may have the app open. */
async function carryOut(): Promise<void> {
  app.dock?.hide()
  const { runCommand } = await import('./app/command-line')
  const about = { flags, clock, clockOffset, userData: app.getPath('userData'), built: __dirname }
  const code = await runCommand(command!, about)
  app.exit(code)
}

/** Before the app is ready, so that Electron writes nothing either. */
function refuseCommand(version: string): never {
  process.stderr.write(`This data needs Flightplan ${version} or newer. Nothing changed.\n`)
  process.exit(1)
}

function endBadly(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  app.exit(1)
}

function open(): void {
  declareScheme()
  listenForOpenings()
  // Startup allocates much long-lived data. With the default size, garbage collection would copy it about a dozen
  // times.
  app.commandLine.appendSwitch('js-flags', '--min-semi-space-size=8')
  // The display driver may be what goes wrong.
  if (flags.safeMode) app.disableHardwareAcceleration()
  try {
    const userData = app.getPath('userData')
    if (newer !== undefined) {
      // The newer version may be running: then this start only shows its window.
      if (!app.requestSingleInstanceLock()) return app.quit()
      leaveProfile(app)
      const about = { userData, newerVersion: newer, preload, flags, clock, clockOffset }
      app
        .whenReady()
        .then(() => startReadOnly(about))
        .catch(fail)
      return
    }
    // Before the lock, which fails silently if the folder can't be written.
    checkFolders(app.getPath('userData'), page)
    if (app.requestSingleInstanceLock()) {
      forgetHttpCache(app)
      // Dumps stay in the profile.
      crashReporter.start({ uploadToServer: false })
      app.whenReady().then(start).catch(fail)
    } else app.quit()
  } catch (error) {
    fail(error)
  }
}

async function startReadOnly(about: ReadOnlyOptions): Promise<void> {
  hardenSessions()
  void serveRenderer(session.defaultSession, join(__dirname, '..', 'renderer'))
  const { openReadOnly } = await import('./app/read-only')
  await openReadOnly(about)
}

/** Opens the window first, so that this process loads everything else while the renderer loads its scripts. */
async function start(): Promise<void> {
  const userData = app.getPath('userData')
  hardenSessions()
  offerTextMenus()
  const served = serveRenderer(session.defaultSession, join(__dirname, '..', 'renderer'))
  const opened = openWindow({
    preload,
    userData,
    hidden: flags.hidden,
    safeMode: flags.safeMode,
    startHidden: flags.startHidden || process.argv.includes('--quick-add'),
    clockOffset,
  })
  const running = served
    .then(() => import('./app/running'))
    .then(({ run }) =>
      run({ ...opened, ...{ flags, clock, clockOffset, userData, preload, openings }, built: __dirname }),
    )
  answerRequests(running, appOrigin)
  await running
}

/** What macOS and other starts of the app asked to open, before the backend runs. */
function listenForOpenings(): void {
  openings.add(openingOf(process.argv, process.cwd()))
  app.on('open-url', (event, url) => {
    event.preventDefault()
    openings.add({ links: [url] })
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    openings.add({ files: [path] })
  })
  app.on('second-instance', (_event, argv, folder) => openings.add({ ...openingOf(argv, folder), again: true }))
}

function flagsOrEnd(): Flags {
  try {
    return readFlags(process.argv.slice(1), process.env, app.isPackaged)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

function fail(error: unknown): void {
  failStart(error, flags.unattended)
}
