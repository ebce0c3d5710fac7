import { join } from 'node:path'
import { app, net, powerMonitor, session } from 'electron'
import { sandboxAccount } from './app/accounts'
import { readFlags } from './app/flags'
import { createHandlers, type Service } from './app/handlers'
import { setMenu } from './app/menu'
import { NetworkSwitch } from './app/network'
import { appOrigin, declareScheme, serveRenderer } from './app/protocol'
import { guardQuit } from './app/quit'
import { SandboxAdmin } from './app/sandbox-admin'
import { ServiceProcess } from './app/service-process'
import { openTray } from './app/tray'
import { hardenSessions, openWindow } from './app/window'
import type { Fetch } from './http/send'
import { announce, handleRequests } from './ipc/handle'
import { Journal } from './journal/journal'
import { createClient } from './services/client'

const flags = readFlags(process.argv.slice(1))
if (flags.userData) app.setPath('userData', flags.userData)

declareScheme()
if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(fail)
else app.quit()

async function start(): Promise<void> {
  const userData = app.getPath('userData')
  const resources = join(app.getAppPath(), 'resources')
  hardenSessions()
  serveRenderer(session.defaultSession, join(__dirname, '..', 'renderer'))

  const service = flags.serviceUrl ? outsideService(flags.serviceUrl) : embeddedService(userData)
  const address = (): { baseUrl: string; token: string } =>
    flags.serviceUrl
      ? { baseUrl: flags.serviceUrl, token: token ?? flags.serviceToken ?? '' }
      : { ...(service as ServiceProcess).address, ...(token ? { token } : {}) }
  let token: string | undefined
  const started = service
    .start()
    .catch((error: unknown) => console.error(error instanceof Error ? error.message : error))

  const network = new NetworkSwitch()
  const netFetch: Fetch = (url, init) => net.fetch(url, init)
  const client = createClient({
    baseUrl: () => address().baseUrl || 'http://127.0.0.1:9',
    token: async () => {
      await started
      return address().token
    },
    fetch: network.guard(netFetch),
    now: Date.now,
  })
  const admin = new SandboxAdmin(netFetch, address)
  const journal = await Journal.open(join(userData, 'journal', 'outbox.journal'))
  const { window, show } = openWindow({
    preload: join(__dirname, '..', 'preload', 'preload.cjs'),
    userData,
    hidden: flags.hidden,
  })
  const networkChanged = (): void =>
    announce(window, 'network/changed', { offline: network.offline, online: service.running })

  const handlers = sandboxAccount(join(userData, 'accounts.json'), client).then((account) =>
    createHandlers({
      account,
      client,
      journal,
      network,
      service,
      admin,
      files: { window: () => window, saveTo: flags.saveTo, openFile: flags.openFile },
      now: Date.now,
      networkChanged,
      signIn: async () => {
        const renewed = await admin.order('POST', '/renew-bearer')
        if (typeof renewed['token'] === 'string') token = renewed['token']
      },
    }),
  )
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
      await service.stop()
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit())
}

function embeddedService(userData: string): ServiceProcess {
  return new ServiceProcess({
    script: join(__dirname, 'sandbox.cjs'),
    dataDir: join(userData, 'sandbox'),
    seed: flags.seed,
    scale: flags.scale,
  })
}

/** A service that somebody else runs: it cannot be stopped from here. */
function outsideService(baseUrl: string): Service {
  return { running: true, address: { baseUrl }, start: () => Promise.resolve(), stop: () => Promise.resolve() }
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.stack : error)
  app.exit(1)
}
