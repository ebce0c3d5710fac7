import { existsSync } from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceName } from '#shared/wire/services'
import { recordKey } from '#shared/domain/collections'
import type { Announcements } from '#shared/ipc/contract'
import type { Clock } from '#shared/time/clock'
import { SerialQueue } from '#shared/serial-queue'
import { Accounts } from '../accounts/accounts'
import type { EmbeddedService } from '../accounts/embedded'
import { builtInClient } from '../accounts/built-in-client'
import { hasSample } from '../accounts/file'
import { openVault, type Seal } from '../auth/vault'
import type { LocalLog } from '../diagnostics/local-log'
import { logRequests } from '../diagnostics/log-requests'
import { DraggedFiles } from '../exports/dragged-files'
import { CalendarReader } from '../exports/calendar-reader'
import { TableWriter } from '../exports/write-away'
import { isLoopback } from '../http/address'
import type { Fetch } from '../http/send'
import type { Answering } from '../ipc/answering'
import { requestingPage } from '../ipc/requesting-page'
import type { ChildProcess } from '../ipc/child-process'
import { answering } from '../ipc/handle'
import type { Journal } from '../journal/journal'
import { Reminders } from '../reminders/reminders'
import { ConversionBatches } from '../reports/conversion-batches'
import { RunManager } from '../reports/run-manager'
import { ManyExports } from '../reports/export-many'
import { AutoExports } from '../reports/auto-exports'
import { Library } from '../reports/library'
import { FileMover } from '../reports/move-files'
import { ReportFolder } from '../reports/report-folder'
import { SearchDefinitions } from '../reports/search-definitions'
import { SearchFiles } from '../reports/search-files'
import { SearchPlaces } from '../reports/search-places'
import { ConversionUploads } from '../reports/conversion-uploads'
import { UntrustedFiles } from '../reports/untrusted-files'
import { systemResolve } from '../subscriptions/local-network'
import { pinnedFetch } from '../subscriptions/pinned-fetch'
import { Subscriptions } from '../subscriptions/subscriptions'
import { ResultProcess } from '../tables/result-process'
import { SheetReader } from '../tables/sheet-reader'
import { Updates } from '../updates/updates'
import { WatchChannels } from '../watch/channels'
import { DatabaseFolder } from './database-folder'
import { Desktop } from './desktop'
import { ExportFolders } from './export-folders'
import { ExportPresets } from './export-presets'
import { runWriter } from './export-run'
import { ExportsUnderWay, type UnderWay } from './exports-under-way'
import { wasChosen } from './files'
import type { Flags } from './flags'
import { createHandlers, writesCommas, type Service } from './handlers'
import { NetworkSwitch } from './network'
import { channelsFile, offlineFile } from './kept-state'
import { Openings } from './openings'
import { AllPageEdits } from './page-edits'
import { QuickAddRelay } from './quick-add-relay'
import { Rehearsals, type RehearsalService } from './rehearsals'
import { SandboxAdmin } from './sandbox-admin'
import type { Shell } from './shell'
import type { TrayState } from './tray-menu'
import type { Feed } from './update-feed'
import { computerZone, ZoneWatch } from './zone-watch'

/** The sandbox behind the app: its own, or another one running on this computer. */
export interface LocalService extends Service {
  readonly address: { baseUrl: string; token: string }
  /** Resolves once a start in progress has succeeded or failed. */
  readonly started: Promise<unknown>
  /** Called when the service has issued a new token. */
  renewed(token: string): void
  /** Starts the service and restarts it when it ends unexpectedly. */
  keepRunning(): void
}

export interface BackendOptions {
  shell: Shell
  flags: Pick<Flags, 'saveTo' | 'openFile' | 'openLinksTo' | 'sample' | 'safeMode'>
  /** Log of this run, in the profile. */
  log: LocalLog
  /** File of the OAuth client that was built in when the app was packaged. It may not exist. */
  clientFile?: string | undefined
  /** Source of updates. Absent if this build has no update server. */
  feed?: Feed | undefined
  clock: Clock
  userData: string
  /** The folder of the built scripts. */
  built: string
  journal: Journal
  /** Creates the service; `changed` and `failed` report that it stopped or can't be restarted. */
  service: (events: { changed: () => void; failed: (message: string) => void }) => LocalService
  /** Creates the sandbox of a rehearsal. */
  rehearsalService: (dataDir: string) => RehearsalService
  /** Fetch that ignores offline mode. */
  fetch: Fetch
  /** True if the system's settings let a proxy connect to a URL. */
  usesProxy: (url: string) => Promise<boolean>
  /** Starts a built script in its own process. */
  fork: (script: string, name: string) => ChildProcess
  /** The system's keyring, if there is one. */
  seal: Seal | undefined
  announce: <N extends keyof Announcements>(name: N, payload: Announcements[N]) => void
  /** Called after something changed that the tray shows. */
  trayChanged?: () => void
  /** Reason why the current page was reloaded. */
  reloaded: () => 'crashed' | 'hung' | undefined
}

export interface Backend {
  tray(): TrayState
  /** Links and files that were opened outside of the app. */
  openings: Openings
  answering: Answering
  /** Exports and edits that quitting would interrupt. */
  writing(): readonly UnderWay[]
  /** @param page ID of a page, for its edits only */
  editing(page?: number): readonly UnderWay[]
  /** Makes the pages save typed text before the app ends. Resolves when they have, or after a while without an answer. */
  saveTyped(): Promise<void>
  /** Makes one page save typed text, because its window closes. @param ask sends the request to the page */
  savePage(page: number, ask: () => void): Promise<void>
  /** True if nothing is being sent or written. */
  quiet(): boolean
  /** New versions. Install one after `close`. */
  updates: Pick<Updates, 'install' | 'startAgain' | 'stay'>
  /** Called when a page is reloading or gone. Drops its pending work. `owns`: true for the main window’s page. */
  pageGone(page?: number, owns?: boolean): void
  /** Called when the computer woke from sleep. */
  resumed(): void
  /** Closes everything in order. The journal is the last part that doesn't need the network. */
  close(): Promise<void>
}

/**
 * Everything behind the window, in plain Node: accounts, sync, reports, exports, and the answers to the window's requests.
 * Electron is passed in as a `Shell`, so that tests run the same composition without it.
 */
export async function openBackend(about: BackendOptions): Promise<Backend> {
  const { shell, flags, log, clock, userData, built, journal, fork, announce } = about
  const service = about.service({
    changed: () => networkChanged(),
    failed: (message) => announce('service/failed', { message }),
  })
  const sampleFolder = join(userData, 'sandbox')
  // Profiles of earlier versions may have the sandbox without a stored account.
  const sample = flags.sample || existsSync(sampleFolder) || (await hasSample(userData))
  if (sample) service.keepRunning()
  const offlineMode = offlineFile(userData)
  const network = new NetworkSwitch((await offlineMode.read()).offline)
  const fetch = network.guard(about.fetch)
  const admin = new SandboxAdmin(about.fetch, () => service.address, clock.now)
  let accounts: Accounts | undefined
  const reminders = await Reminders.open({
    userData,
    clock,
    notify: (note) => shell.notify(note),
    keepNotes: (tags) => shell.keepNotes(tags),
    focused: () => shell.focused(),
    show: () => shell.show(),
    openLink: (address) => shell.openLink(address),
    announce,
    changed: () => about.trayChanged?.(),
  })
  const updates = await Updates.open({
    userData,
    ...(about.feed && { source: about.feed.updatable }),
    engine: async () => {
      const { openEngine } = await import('../updates/engine')
      return openEngine({
        source: about.feed!.source,
        fetch,
        version: shell.version,
        ...{ platform: process.platform, arch: process.arch, folder: join(userData, 'updates') },
        ...(process.platform === 'win32' && { publisherFile: join(process.resourcesPath, 'app-update.yml') }),
      })
    },
    now: clock.now,
    changed: (state) => announce('updates/changed', { state }),
    log: (happened, code) => log.add({ what: 'update', happened, ...(code && { code }) }),
  })
  const subscribedReader = new CalendarReader(() => fork(join(built, 'read-ics.cjs'), 'Flightplan reader'), 60_000)
  const subscriptions = await Subscriptions.open({
    userData,
    network: {
      fetch,
      resolve: (hostname) => (network.offline ? Promise.resolve([]) : systemResolve(hostname)),
      pinned: (addresses) => network.guard(pinnedFetch(addresses)),
      usesProxy: about.usesProxy,
    },
    read: (path, zone) => subscribedReader.read(path, zone),
    now: clock.now,
    zone: computerZone,
    off: flags.safeMode,
    changed: (accountId, all) => announce('subscriptions/changed', { accountId, subscriptions: all }),
    pull: (accountId, key) => announce('sync/changed', { accountId, key }),
  })
  const zones = new ZoneWatch({
    changed: (timeZone) => {
      announce('app/zone', { timeZone })
      subscriptions.wake()
    },
  })
  const dragged = new DraggedFiles(userData)
  await dragged.clear()
  const rehearsals = new Rehearsals({
    folder: join(userData, 'rehearsals'),
    service: about.rehearsalService,
    versionsOf: (accountId) => accounts?.find(accountId)?.client.versions ?? {},
    fetch: about.fetch,
    now: clock.now,
  })
  await rehearsals.clear()
  const desktop = await Desktop.open(userData, shell)
  const quickAdd = new QuickAddRelay((asked) => announce('quick-add/add', asked))
  const openings = new Openings(() => announce('app/opening', {}))
  let status = ''
  const reportFolder = await ReportFolder.open(userData)
  const library = new Library(reportFolder.usual, reportFolder)
  const underWay = new ExportsUnderWay()
  const results = new ResultProcess(
    () => fork(join(built, 'results.cjs'), 'Flightplan tables'),
    (progress) => {
      const { view, done, of } = progress
      if (view !== undefined) underWay.tell(`view ${view}`, { done, of, noun: 'rows' })
      announce('results/progress', progress)
    },
  )
  const fonts = join(built, 'fonts')
  const writing = {
    library,
    accountName: (accountId: string) => accounts?.find(accountId)?.account().label ?? '',
    write: runWriter({ results, library, fonts, decimalComma: () => writesCommas(shell.locale()), now: clock.now }),
  }
  const many = new ManyExports({
    ...writing,
    onprogress: (progress) => {
      underWay.tell('many', { done: progress.done, of: progress.of, noun: 'files' })
      announce('many/progress', progress)
    },
  })
  const rules = new AutoExports({
    ...writing,
    clock,
    changed: (accountId, rules) => announce('rules/changed', { accountId, rules }),
  })
  const exportAll = (): void => {
    for (const { id } of accounts?.list() ?? []) void rules.carryOut(id).catch(() => undefined)
  }
  const sheets = new SheetReader(() => fork(join(built, 'read-sheet.cjs'), 'Flightplan reader'))
  const untrustedFiles = new UntrustedFiles(() => fork(join(built, 'read-file.cjs'), 'Flightplan reader'))
  const runManager = new RunManager({
    library,
    readFacts: untrustedFiles.facts,
    kept: ({ accountId }) => void rules.carryOut(accountId).catch(() => undefined),
    awaited: (accountId) => rules.awaited(accountId),
    keep: () => reportFolder.keep,
    clientOf: (accountId) => accounts?.find(accountId)?.client,
    clock,
    random: Math.random,
    changed: (run) => {
      announce('reports/changed', { run })
      reminders.runChanged(run)
    },
    removed: ({ accountId, id }) => {
      announce('reports/removed', { accountId, id })
      void rules.tellAgain(accountId).catch(() => undefined)
    },
  })
  const mover = new FileMover({
    folder: reportFolder,
    library,
    whileHeld: (work) => runManager.whileHeld(work),
    quietly: (work) => rules.quietly(work),
    onprogress: (moving) => announce('report-files/moving', moving),
  })
  const looks = new SerialQueue()
  /** Resumes work that waits for report files, after they moved or became available. */
  const filesMoved = (): Promise<void> =>
    // One after the other, so that an earlier result isn't announced after a later one.
    looks.run(async () => {
      announce('report-files/changed', await mover.state())
      for (const { id } of accounts?.list() ?? []) await runManager.tellAgain(id)
      runManager.wake()
      exportAll()
    })
  const batches = new ConversionBatches(library, clock.now)
  const searchFiles = new SearchFiles(library, clock.now)
  const sendings = new ConversionUploads({
    library,
    batches,
    shownOf: (accountId, bodies) => searchFiles.shownOf(accountId, bodies),
    clientOf: (accountId) => accounts?.find(accountId)?.client,
    now: clock.now,
    changed: (accountId, sendings) => announce('search/sent', { accountId, sendings }),
  })
  /** Retries pending work after the network is back, a sign-in was renewed, or the computer woke. */
  const wake = (): void => {
    runManager.wake()
    subscriptions.wake()
    for (const { id } of accounts?.list() ?? []) void sendings.wake(id)
  }
  const networkChanged = (): void => {
    announce('network/changed', { offline: network.offline, online: service.running })
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
    vault: openVault(join(userData, 'accounts'), about.seal),
    fetch,
    clock,
    openBrowser: (address) => openBrowser(address),
    embedded,
    sample,
    sampleData: {
      begin: async () => {
        await service.start()
        networkChanged()
      },
      remove: async () => {
        await service.stop()
        await rm(sampleFolder, { recursive: true, force: true })
      },
    },
    ...(about.clientFile && { builtInClient: await builtInClient(about.clientFile) }),
    unsent: (accountId) => journal.unsent(accountId),
    changed: (accounts) => {
      announce('account/changed', { accounts })
      wake()
    },
  })
  const openChannels = channelsFile(userData)
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
      announce('sync/changed', { accountId, key: recordKey(collection, parent, '') }),
    // A channel whose note is lost expires on its own.
    keep: (open) => void openChannels.write(open).catch(() => undefined),
    clock,
  })

  const writer = new TableWriter(
    () => fork(join(built, 'write-table.cjs'), 'Flightplan export'),
    (progress) => {
      underWay.tell(`table ${progress.id}`, { done: progress.done, of: progress.of, noun: 'rows' })
      announce('table/progress', progress)
    },
  )
  const edits = new AllPageEdits()
  /** Number of changes that are being sent. */
  let sending = 0
  // A reloaded page doesn't know what the previous one was editing or exporting.
  const pageGone = (page = 0, owns = true): void => {
    if (owns) quickAdd.gone()
    edits.of(page).gone()
    void writer.close(page)
    void rehearsals.close(page)
  }
  const handlers = opening.then((opened) => {
    accounts = opened
    const { unknown, damaged } = journal.state()
    log.add({ what: 'journal', pending: journal.unsent(), unknown: unknown.length, damaged })
    for (const [at, { kind, services, signIn }] of opened.list().entries())
      log.add({ what: 'account', account: at, kind, services: Object.keys(services) as ServiceName[], signIn })
    void openChannels.read().then((left) => channels.sweep(left))
    void exportFolders.clear().then(exportAll)
    void mover.begin().catch(() => undefined)
    for (const { id } of opened.list()) {
      runManager.resume(id).catch(() => undefined)
      void sendings.wake(id)
    }
    return createHandlers({
      shell,
      accounts,
      reminders,
      desktop,
      quickAdd,
      rehearsals,
      log,
      updates,
      subscriptions,
      safeMode: flags.safeMode,
      openings,
      statusChanged: (words) => {
        status = words
        about.trayChanged?.()
      },
      channels,
      journal,
      databases: new DatabaseFolder(userData),
      network,
      offlineMode,
      service,
      admin,
      files: {
        shell,
        saveTo: flags.saveTo,
        openFile: flags.openFile,
        opened: () => openings.takeFile(),
        note: (folder) => exportFolders.note(folder),
        takes: (folder) => presets.takes(folder),
      },
      untrustedFiles,
      dragged,
      imports: new CalendarReader(() => fork(join(built, 'read-ics.cjs'), 'Flightplan reader')),
      sheets,
      results,
      writer,
      library,
      fonts,
      rules,
      presets,
      many,
      underWay,
      editing: (works, saved) => edits.of(requestingPage()).report(works, saved),
      reloaded: about.reloaded,
      runManager,
      mover,
      reportFolder,
      userData,
      filesMoved,
      definitions: new SearchDefinitions(library, clock.now),
      searchPlaces: new SearchPlaces(library, clock.now),
      searchFiles,
      batches,
      sendings,
      reading: (fileName) => announce('import/reading', { fileName }),
      now: clock.now,
      networkChanged,
      fetch,
    })
  })

  reminders.scheduler.check()

  return {
    openings,
    tray: () => ({
      agenda: reminders.agenda,
      pending: journal.unsent(),
      status,
      offline: network.offline,
      shortcut: desktop.state.shortcutProblem === '' ? desktop.state.shortcut : '',
    }),
    answering: logRequests(
      async (name, args) => {
        const sends = name === 'sync/push'
        if (sends) sending++
        try {
          return await answering(await handlers)(name, args)
        } finally {
          if (sends) sending--
        }
      },
      log,
      (accountId) => accounts?.list().findIndex(({ id }) => id === accountId) ?? -1,
    ),
    writing: () => underWay.list,
    quiet: () => sending === 0 && underWay.list.length === 0 && edits.works.length === 0,
    updates,
    editing: (page) => (page === undefined ? edits : edits.of(page)).works,
    saveTyped: () => edits.save(() => announce('app/closing', {})),
    savePage: (page, ask) => edits.of(page).save(ask),
    pageGone,
    resumed: () => {
      log.add({ what: 'resume' })
      zones.check()
      reminders.scheduler.check()
      announce('app/resumed', {})
      wake()
      exportAll()
    },
    close: async () => {
      log.add({ what: 'quit' })
      updates.close()
      zones.close()
      subscribedReader.cancel()
      await dragged.clear()
      await rehearsals.close()
      await subscriptions.close()
      await reminders.close()
      await mover.close()
      await runManager.close()
      await rules.close()
      many.stop()
      sendings.close()
      await journal.close()
      sheets.close()
      await results.close()
      await writer.close()
      await channels.close()
      await openChannels.settled()
      await accounts?.close()
      await service.stop()
      await log.close()
    },
  }

  /** Opens the user's browser. Tests write the address to a file instead. */
  async function openBrowser(address: string): Promise<void> {
    if (flags.openLinksTo !== undefined) await appendFile(flags.openLinksTo, `${address}\n`)
    else await shell.openLink(address)
  }
}
