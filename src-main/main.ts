import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, net, powerMonitor, safeStorage, session, shell } from 'electron'
import { recordKey } from '#shared/domain/collections'
import { offsetClock, offsetTo } from '#shared/time/clock'
import { Accounts } from './accounts/accounts'
import type { EmbeddedService } from './accounts/embedded'
import { systemSeal } from './app/seal'
import { readFlags, serviceTokenVariable, type Flags } from './app/flags'
import { createHandlers, type Service } from './app/handlers'
import { setMenu } from './app/menu'
import { NetworkSwitch } from './app/network'
import { OpenChannels } from './app/open-channels'
import { tightenPlaces } from './app/private-places'
import { appOrigin, declareScheme, serveRenderer } from './app/protocol'
import { forgetHttpCache } from './app/http-cache'
import { guardQuit } from './app/quit'
import { forkReader } from './app/reader-process'
import { SandboxAdmin } from './app/sandbox-admin'
import { ServiceProcess, type ServiceOptions } from './app/service-process'
import { checkFolders, failStart, failedAt } from './app/start-failure'
import { systemFetch } from './app/system-fetch'
import { openTray } from './app/tray'
import { watchWindow } from './app/window-health'
import { hardenSessions, openWindow } from './app/window'
import { openVault } from './auth/vault'
import { CalendarReader } from './exports/read-away'
import { isLoopback } from './http/address'
import { announce, handleRequests } from './ipc/handle'
import { Journal } from './journal/journal'
import { WatchChannels } from './watch/channels'

const flags = flagsOrEnd()
// Processes that are started from here have no use for it.
delete process.env[serviceTokenVariable]
/** Milliseconds that this run's wall clock is ahead of the computer's: in main, in the window and in the embedded service. */
const clockOffset = flags.now === undefined ? 0 : offsetTo(flags.now)
const clock = offsetClock(clockOffset)
if (flags.userData) app.setPath('userData', flags.userData)

const page = join(__dirname, '..', 'renderer', 'index.html')

declareScheme()
try {
  // Before the lock, which fails without a word in a folder that cannot be written.
  checkFolders(app.getPath('userData'), page)
  if (app.requestSingleInstanceLock()) {
    forgetHttpCache(app)
    app.whenReady().then(start).catch(fail)
  } else app.quit()
} catch (error) {
  fail(error)
}

async function start(): Promise<void> {
  const userData = app.getPath('userData')
  const resources = join(app.getAppPath(), 'resources')
  await tightenPlaces(userData)
  hardenSessions()
  serveRenderer(session.defaultSession, join(__dirname, '..', 'renderer'))

  const service = flags.serviceUrl
    ? new OutsideService(flags.serviceUrl)
    : embeddedService(userData, {
        changed: () => networkChanged(),
        failed: (message) => announce(window, 'service/failed', { message }),
      })
  service.keepRunning()

  const network = new NetworkSwitch()
  const netFetch = systemFetch((options) => net.request(options))
  const fetch = network.guard(netFetch)
  const admin = new SandboxAdmin(netFetch, () => service.address, clock.now)
  const journalPath = join(userData, 'journal', 'outbox.journal')
  const journal = await Journal.open(journalPath, clock.now).catch((error: unknown) => {
    throw failedAt('The journal of unsent changes cannot be used', journalPath, error)
  })
  const { window, show: showWindow } = openWindow({
    preload: join(__dirname, '..', 'preload', 'preload.cjs'),
    userData,
    hidden: flags.hidden,
    clockOffset,
  })
  const health = watchWindow({
    window,
    unattended: flags.unattended,
    elapsed: clock.elapsed,
    unsent: () => journal.unsent(),
  })
  const show = (): void => {
    health.revive()
    showWindow()
  }
  const networkChanged = (): void =>
    announce(window, 'network/changed', { offline: network.offline, online: service.running })

  const embedded: EmbeddedService = {
    get address() {
      return service.address
    },
    get started() {
      return service.started
    },
    renewToken: async () => {
      const renewed = await admin.order('POST', '/renew-bearer')
      if (typeof renewed['token'] === 'string') service.renewed(renewed['token'])
    },
  }
  const opening = Accounts.open({
    folder: userData,
    vault: openVault(join(userData, 'accounts'), systemSeal(safeStorage, process.platform)),
    fetch,
    clock,
    openBrowser,
    embedded,
    unsent: (accountId) => journal.unsent(accountId),
    changed: (accounts) => announce(window, 'account/changed', { accounts }),
  })
  const openChannels = new OpenChannels(userData)
  let accounts: Accounts | undefined
  const channels = new WatchChannels({
    client: (accountId) => {
      const open = accounts?.find(accountId)
      // Only a service on this computer can reach this computer.
      const { calendar } = open?.account().services ?? {}
      return calendar && isLoopback(new URL(calendar).hostname) ? open?.client : undefined
    },
    changed: (accountId, { collection, parent }) =>
      announce(window, 'sync/changed', { accountId, key: recordKey(collection, parent, '') }),
    keep: (open) => openChannels.keep(open),
    clock,
  })

  const handlers = opening.then((opened) => {
    accounts = opened
    void openChannels.read().then((left) => channels.sweep(left))
    return createHandlers({
      accounts,
      channels,
      journal,
      network,
      service,
      admin,
      files: { window: () => window, saveTo: flags.saveTo, openFile: flags.openFile },
      imports: new CalendarReader(() => forkReader(join(__dirname, 'read-ics.cjs'))),
      health,
      reading: (fileName) => announce(window, 'import/reading', { fileName }),
      now: clock.now,
      networkChanged,
      fetch,
      show: () => {
        if (!flags.hidden) show()
      },
    })
  })
  handleRequests(handlers, appOrigin)

  const tray = openTray(resources, { show, quit: () => app.quit() })
  setMenu((command) => announce(window, 'app/command', { command }))
  app.on('second-instance', show)
  app.on('activate', show)
  app.on('window-all-closed', () => undefined)
  powerMonitor.on('resume', () => announce(window, 'app/resumed', {}))
  guardQuit({
    window,
    unsent: () => journal.unsent(),
    ask: !flags.unattended,
    hideOnClose: () => tray !== undefined && !flags.unattended,
    closing: () => announce(window, 'app/closing', {}),
    before: async () => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      await journal.close()
      await channels.close()
      await openChannels.settled()
      await accounts?.close()
      await service.stop()
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit())
}

function flagsOrEnd(): Flags {
  try {
    return readFlags(process.argv.slice(1), process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

function embeddedService(userData: string, told: Pick<ServiceOptions, 'changed' | 'failed'>): ServiceProcess {
  return new ServiceProcess({
    ...told,
    elapsed: clock.elapsed,
    script: join(__dirname, 'sandbox.cjs'),
    dataDir: join(userData, 'sandbox'),
    seed: flags.seed,
    scale: flags.scale,
    clockOffset,
  })
}

/** A service that somebody else runs: it cannot be stopped from here. */
class OutsideService implements Service {
  readonly running = true
  readonly started = Promise.resolve()
  address: { baseUrl: string; token: string }

  constructor(baseUrl: string) {
    this.address = { baseUrl, token: flags.serviceToken ?? '' }
  }

  renewed(token: string): void {
    this.address = { ...this.address, token }
  }

  keepRunning(): void {}

  start(): Promise<void> {
    return Promise.resolve()
  }

  stop(): Promise<void> {
    return Promise.resolve()
  }
}

/** The person's own browser; a file in its place where a test says so. */
async function openBrowser(address: string): Promise<void> {
  if (flags.openLinksTo) await appendFile(flags.openLinksTo, `${address}\n`)
  else await shell.openExternal(address)
}

function fail(error: unknown): void {
  failStart(error, flags.unattended)
}
