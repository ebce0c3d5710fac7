import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, net, powerMonitor, safeStorage, shell } from 'electron'
import { recordKey } from '#shared/domain/collections'
import type { Clock } from '#shared/time/clock'
import { Accounts } from '../accounts/accounts'
import type { EmbeddedService } from '../accounts/embedded'
import { openVault } from '../auth/vault'
import { CalendarReader } from '../exports/read-away'
import { TableWriter } from '../exports/write-away'
import { isLoopback } from '../http/address'
import { announce, type Answering } from '../ipc/door'
import { answering } from '../ipc/handle'
import { Journal } from '../journal/journal'
import { Library } from '../reports/library'
import { FigureProcess } from '../tables/figure-process'
import { WatchChannels } from '../watch/channels'
import type { Flags } from './flags'
import { createHandlers, writesCommas, type Service } from './handlers'
import { ExportFolders } from './export-folders'
import { ExportsUnderWay, type UnderWay } from './exports-under-way'
import { ExportPresets } from './export-presets'
import { wasChosen } from './files'
import { runWriter } from './export-run'
import { setMenu } from './menu'
import { NetworkSwitch } from './network'
import { OfflineChoice } from './offline-choice'
import { OpenChannels } from './open-channels'
import { tightenPlaces } from './private-places'
import { guardQuit } from './quit'
import { RunDesk } from '../reports/desk'
import { ManyExports } from '../reports/export-many'
import { FileMover } from '../reports/move-files'
import { ReportFolder } from '../reports/report-folder'
import { RuleDesk } from '../reports/export-rules-desk'
import { ConversionBatches } from '../reports/conversion-batches'
import { SearchDefinitions } from '../reports/search-definitions'
import { SearchFiles } from '../reports/search-files'
import { SearchPlaces } from '../reports/search-places'
import { SearchSendings } from '../reports/search-sendings'
import { forkScript } from './fork'
import { SandboxAdmin } from './sandbox-admin'
import { systemSeal } from './seal'
import { ServiceProcess, type ServiceOptions } from './service-process'
import { failedAt } from './start-failure'
import { systemFetch } from './system-fetch'
import { openTray } from './tray'
import { watchWindow } from './window-health'
import type { MainWindow } from './window'

/** What has been settled by the time the window is open. */
export interface Running extends MainWindow {
  flags: Flags
  clock: Clock
  /** Milliseconds that the wall clock is ahead of the computer's. */
  clockOffset: number
  userData: string
  /** The folder of the built scripts. */
  built: string
}

/** Everything behind the window. @returns what answers its requests. @throws StartFailure */
export async function run(about: Running): Promise<Answering> {
  const { window, show: showWindow, flags, clock, userData, built } = about
  const resources = join(app.getAppPath(), 'resources')
  await tightenPlaces(userData)

  const service = flags.serviceUrl
    ? new OutsideService(flags.serviceUrl, flags.serviceToken ?? '')
    : embeddedService(about, {
        changed: () => networkChanged(),
        failed: (message) => announce(window, 'service/failed', { message }),
      })
  service.keepRunning()

  const offlineChoice = new OfflineChoice(userData)
  const network = new NetworkSwitch(await offlineChoice.read())
  const netFetch = systemFetch((options) => net.request(options))
  const fetch = network.guard(netFetch)
  const admin = new SandboxAdmin(netFetch, () => service.address, clock.now)
  const journalPath = join(userData, 'journal', 'outbox.journal')
  const journal = await Journal.open(journalPath, clock.now).catch((error: unknown) => {
    throw failedAt('The journal of unsent changes cannot be used', journalPath, error)
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
  let accounts: Accounts | undefined
  const reportFolder = await ReportFolder.open(userData)
  const library = new Library(reportFolder.usual, reportFolder)
  const underWay = new ExportsUnderWay()
  const figures = new FigureProcess(
    () => forkScript(join(built, 'figures.cjs'), 'Flightplan figures'),
    (progress) => {
      const { view, done, of } = progress
      if (view !== undefined) underWay.tell(`view ${view}`, { done, of, noun: 'rows' })
      announce(window, 'figures/progress', progress)
    },
  )
  const fonts = join(built, 'fonts')
  const writing = {
    library,
    accountName: (accountId: string) => accounts?.find(accountId)?.account().label ?? '',
    write: runWriter({ figures, library, fonts, decimalComma: writesCommas, now: clock.now }),
  }
  const many = new ManyExports({
    ...writing,
    onprogress: (progress) => {
      underWay.tell('many', { done: progress.done, of: progress.of, noun: 'files' })
      announce(window, 'many/progress', progress)
    },
  })
  const rules = new RuleDesk({
    ...writing,
    clock,
    changed: (accountId, rules) => announce(window, 'rules/changed', { accountId, rules }),
  })
  const exportAll = (): void => {
    for (const { id } of accounts?.list() ?? []) void rules.carryOut(id).catch(() => undefined)
  }
  const desk = new RunDesk({
    library,
    kept: ({ accountId }) => void rules.carryOut(accountId).catch(() => undefined),
    awaited: (accountId) => rules.awaited(accountId),
    keep: () => reportFolder.keep,
    clientOf: (accountId) => accounts?.find(accountId)?.client,
    clock,
    random: Math.random,
    changed: (run) => announce(window, 'reports/changed', { run }),
    removed: ({ accountId, id }) => {
      announce(window, 'reports/removed', { accountId, id })
      void rules.tellAgain(accountId).catch(() => undefined)
    },
  })
  const mover = new FileMover({
    folder: reportFolder,
    library,
    whileHeld: (work) => desk.whileHeld(work),
    quietly: (work) => rules.quietly(work),
    onprogress: (moving) => announce(window, 'report-files/moving', moving),
  })
  /** Files are somewhere else, or there again: whatever waits for them goes on. */
  const filesMoved = async (): Promise<void> => {
    announce(window, 'report-files/changed', await mover.state())
    for (const { id } of accounts?.list() ?? []) await desk.tellAgain(id)
    desk.wake()
    exportAll()
  }
  const batches = new ConversionBatches(library, clock.now)
  const sendings = new SearchSendings({
    library,
    batches,
    clientOf: (accountId) => accounts?.find(accountId)?.client,
    now: clock.now,
    changed: (accountId, sendings) => announce(window, 'search/sent', { accountId, sendings }),
  })
  /** The network is back, a sign-in was renewed, the computer woke: what waits need not wait on. */
  const wake = (): void => {
    desk.wake()
    for (const { id } of accounts?.list() ?? []) void sendings.wake(id)
  }
  const networkChanged = (): void => {
    announce(window, 'network/changed', { offline: network.offline, online: service.running })
    wake()
  }

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
    openBrowser: (address) => openBrowser(address, flags.openLinksTo),
    embedded,
    unsent: (accountId) => journal.unsent(accountId),
    changed: (accounts) => {
      announce(window, 'account/changed', { accounts })
      wake()
    },
  })
  const openChannels = new OpenChannels(userData)
  const exportFolders = new ExportFolders(userData)
  const presets = new ExportPresets(userData, wasChosen)
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

  const writer = new TableWriter(
    () => forkScript(join(built, 'write-table.cjs'), 'Flightplan export'),
    (progress) => {
      underWay.tell(`table ${progress.id}`, { done: progress.done, of: progress.of, noun: 'rows' })
      announce(window, 'table/progress', progress)
    },
  )
  let editing: readonly UnderWay[] = []
  // What the page gathered for a file, or edits, dies with it, and the next one does not know of it.
  const pageGoes = (): void => {
    editing = []
    void writer.close()
  }
  window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) pageGoes()
  })
  window.webContents.on('render-process-gone', pageGoes)
  const handlers = opening.then((opened) => {
    accounts = opened
    void openChannels.read().then((left) => channels.sweep(left))
    void exportFolders.clear().then(exportAll)
    void mover.begin().catch(() => undefined)
    for (const { id } of opened.list()) {
      desk.resume(id).catch(() => undefined)
      void sendings.wake(id)
    }
    return createHandlers({
      accounts,
      channels,
      journal,
      network,
      offlineChoice,
      service,
      admin,
      files: {
        window: () => window,
        saveTo: flags.saveTo,
        openFile: flags.openFile,
        note: (folder) => exportFolders.note(folder),
        takes: (folder) => presets.takes(folder),
      },
      imports: new CalendarReader(() => forkScript(join(built, 'read-ics.cjs'), 'Flightplan reader')),
      figures,
      writer,
      library,
      fonts,
      rules,
      presets,
      many,
      underWay,
      editing: (works) => (editing = works),
      health,
      desk,
      mover,
      reportFolder,
      userData,
      filesMoved,
      definitions: new SearchDefinitions(library, clock.now),
      searchPlaces: new SearchPlaces(library, clock.now),
      searchFiles: new SearchFiles(library, clock.now),
      batches,
      sendings,
      reading: (fileName) => announce(window, 'import/reading', { fileName }),
      now: clock.now,
      networkChanged,
      fetch,
      show: () => {
        if (!flags.hidden) show()
      },
    })
  })

  const tray = openTray(resources, { show, quit: () => app.quit() })
  setMenu((command) => announce(window, 'app/command', { command }))
  app.on('second-instance', show)
  app.on('activate', show)
  app.on('window-all-closed', () => undefined)
  powerMonitor.on('resume', () => {
    announce(window, 'app/resumed', {})
    wake()
    exportAll()
  })
  guardQuit({
    window,
    unsent: () => journal.unsent(),
    writing: () => underWay.list,
    editing: () => editing,
    ask: !flags.unattended,
    hideOnClose: () => tray !== undefined && !flags.unattended,
    closing: () => announce(window, 'app/closing', {}),
    before: async () => {
      await mover.close()
      await desk.close()
      await rules.close()
      many.stop()
      sendings.close()
      await journal.close()
      await figures.close()
      await writer.close()
      await channels.close()
      await openChannels.settled()
      await accounts?.close()
      await service.stop()
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit())
  return async (name, args) => answering(await handlers)(name, args)
}

function embeddedService(
  { flags, clock, clockOffset, userData, built }: Running,
  told: Pick<ServiceOptions, 'changed' | 'failed'>,
): ServiceProcess {
  return new ServiceProcess({
    ...told,
    elapsed: clock.elapsed,
    script: join(built, 'sandbox.cjs'),
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

  constructor(baseUrl: string, token: string) {
    this.address = { baseUrl, token }
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
async function openBrowser(address: string, file: string | undefined): Promise<void> {
  if (file !== undefined) await appendFile(file, `${address}\n`)
  else await shell.openExternal(address)
}
