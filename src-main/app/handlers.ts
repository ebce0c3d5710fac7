import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isSubscribed } from '#shared/domain/subscribed'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { OperationId } from '#shared/wire/services'
import { savePrivate } from '../disk/private'
import type { CalendarReader } from '../exports/calendar-reader'
import type { DraggedFiles } from '../exports/dragged-files'
import { partName } from '../exports/left-parts'
import type { KeptFile } from '../disk/kept-file'
import type { Handlers } from '../ipc/handle'
import type { Journal } from '../journal/journal'
import type { WatchChannels } from '../watch/channels'
import type { Fetch } from '../http/send'
import { reportFileHandlers, type ReportFileDeps } from './report-file-handlers'
import { reportHandlers, type ReportDeps } from './report-handlers'
import type { Library } from '../reports/library'
import type { ResultProcess } from '../tables/result-process'
import { conversionBatchHandlers, type BatchDeps } from './conversion-batch-handlers'
import type { DatabaseFolder } from './database-folder'
import { desktopHandlers, type DesktopDeps } from './desktop'
import { diagnosticsHandlers, type DiagnosticsDeps } from './diagnostics-handlers'
import type { Openings } from './openings'
import type { UnderWay } from './exports-under-way'
import { exportHandlers, type ExportDeps } from './export-handlers'
import { checkRuleHandlers } from './check-rule-handlers'
import { resultHandlers } from './result-handlers'
import { pendingHandlers } from './pending-handlers'
import { rehearsalHandlers, type RehearsalHandlerDeps } from './rehearsal-handlers'
import { reminderHandlers, type ReminderDeps } from './reminder-handlers'
import { searchHandlers, type SearchDeps } from './search-handlers'
import { printWindow } from './printing'
import { sheetHandlers, type SheetDeps } from './sheet-handlers'
import { subscriptionHandlers, type SubscriptionDeps } from './subscription-handlers'
import { syncHandlers } from './sync-handlers'
import { updateHandlers, type UpdateDeps } from './update-handlers'
import { SubscribedSync } from '../subscriptions/subscribed-sync'
import { tableCall } from '../sync/pull'
import type { Accounts } from '../accounts/accounts'
import { discover } from '../accounts/discover'
import { chooseFile, leavingOut, saveAs, wasWritten } from './files'
import { safeExternalLink } from './links'
import { fillSample } from './sample-content'
import type { NetworkSwitch } from './network'
import type { SandboxAdmin } from './sandbox-admin'
import type { Shell } from './shell'
import { computerZone } from './zone-watch'

/** Control of the sandbox by the renderer. */
export interface Service {
  readonly running: boolean
  readonly address: { baseUrl: string }
  start(): Promise<void>
  stop(): Promise<void>
}

export interface HandlerDeps
  extends
    ReportDeps,
    ReportFileDeps,
    SearchDeps,
    BatchDeps,
    ReminderDeps,
    DesktopDeps,
    Pick<DiagnosticsDeps, 'log' | 'safeMode'>,
    UpdateDeps,
    SheetDeps,
    SubscriptionDeps,
    RehearsalHandlerDeps,
    Omit<ExportDeps, 'decimalComma'> {
  shell: Shell
  accounts: Accounts
  channels: WatchChannels
  journal: Journal
  databases: DatabaseFolder
  network: NetworkSwitch
  offlineMode: Pick<KeptFile<{ offline: boolean }>, 'write'>
  service: Service
  admin: SandboxAdmin
  imports: CalendarReader
  dragged: DraggedFiles
  results: ResultProcess
  library: Library
  /** Receives all unsaved edits of the window. `saved`: the window is closing, and all typed text is saved. */
  editing: (works: readonly UnderWay[], saved: boolean) => void
  /** Reason why the current page was reloaded. */
  reloaded: () => 'crashed' | 'hung' | undefined
  /** Links and files that were opened outside of the app. */
  openings: Openings
  /** Receives the state of sync. */
  statusChanged: (status: string) => void
  /** Announces that a file is being read. */
  reading: (fileName: string) => void
  networkChanged: () => void
  /** Respects offline mode. */
  fetch: Fetch
}

/** Handlers for all requests of the contract. */
export function createHandlers(deps: HandlerDeps): Handlers {
  const { shell, accounts, channels, journal, network, service, admin, files, imports } = deps
  const decimalComma = (): boolean => writesCommas(shell.locale())
  const state = (): { running: boolean; baseUrl: string } => ({
    running: service.running,
    baseUrl: service.address.baseUrl,
  })
  return {
    'app/info': () => {
      const reloaded = deps.reloaded()
      return {
        version: shell.version,
        electron: shell.electron,
        platform: process.platform,
        timeZone: computerZone(),
        userDataPath: deps.userData,
        offline: network.offline,
        keepsSignIns: accounts.keeps,
        ...(reloaded && { reloaded }),
      }
    },
    'app/open-link': async ({ url }) => {
      const link = safeExternalLink(url)
      if (!link) throw new FaultError({ code: 'invalid', message: 'Only web and email addresses can be opened.' })
      await shell.openLink(link)
    },
    'app/reveal-file': ({ path }) => {
      if (!wasWritten(path))
        throw new FaultError({ code: 'invalid', message: 'Only files that Flightplan saved can be shown.' })
      shell.reveal(path)
    },
    'app/unsent': ({ count, status }) => {
      shell.setBadge(count)
      deps.statusChanged(status)
    },
    'app/openings': () => deps.openings.take(),
    'app/editing': ({ works, saved }) => {
      deps.editing(
        works.map(({ name, done, of }) => ({ name, far: of > 0 ? { done, of, noun: 'records' } : undefined })),
        saved === true,
      )
    },
    'app/print': (wanted) => printWindow(shell, files, wanted),
    'app/new-window': ({ place }) => shell.openWindow(place),
    'app/theme': ({ theme }) => shell.setTheme(theme),
    'account/list': () => accounts.list(),
    'account/discover': ({ address, vocabulary }) => discover(deps, address, vocabulary),
    'account/offers': () => ({ builtInClient: accounts.hasBuiltInClient }),
    'account/add-sample': async () => {
      const account = await accounts.addSample()
      // If this fails, these views are empty and explain what to do.
      void fillSample(account.id, { ...deps, client: accounts.get(account.id).client }).catch(() => undefined)
      return account
    },
    'account/check': async ({ accountId }) => ({ services: await accounts.check(accountId) }),
    'account/add': (wanted) => accounts.add(wanted),
    'account/change': (change) => accounts.change(change),
    'account/opened': ({ accountId }) => accounts.opened(accountId),
    'account/downloads': (noted) => accounts.noteDownloads(noted),
    'account/sign-in': async ({ accountId }) => {
      const open = accounts.get(accountId)
      await open.signIn()
      // The user returns from the browser. The sandbox's account needs no sign-in.
      if (open.account().kind === 'service') shell.show()
      return open.account()
    },
    'account/cancel-sign-in': ({ accountId }) => accounts.get(accountId).cancel(),
    'account/sign-out': async ({ accountId }) => {
      const open = accounts.get(accountId)
      await open.signOut()
      return open.account()
    },
    'account/remove': async ({ accountId }) => {
      await accounts.remove(accountId)
      deps.reminders.forget(accountId)
      await deps.subscriptions.forget(accountId)
      await deps.rules.quietly(() => deps.runManager.forget(accountId))
      await deps.databases.forget()
    },
    'network/offline': async ({ offline }) => {
      network.set(offline)
      deps.log.add({ what: 'offline mode', on: offline })
      // On a full disk, the choice lasts until the app quits.
      await deps.offlineMode.write({ offline }).catch(() => undefined)
      deps.networkChanged()
      return { offline: network.offline }
    },
    ...syncHandlers({
      clientOf: (accountId) => accounts.get(accountId).client,
      now: deps.now,
      subscribed: new SubscribedSync(deps.subscriptions),
    }),
    'sync/watch': async ({ accountId, targets }) => ({
      watched: await channels.watch(
        accounts.get(accountId).id,
        targets.filter(({ parent }) => !isSubscribed(parent)),
      ),
    }),
    'sync/budget': ({ accountId }) => ({ budgets: accounts.get(accountId).quota?.budgets() ?? [] }),
    'service/call': async ({ accountId, operation, params, body }) => {
      const { client } = accounts.get(accountId)
      const answer = await tableCall(client)(operation as OperationId, params as JsonObject, { body: body as never })
      return answer.body ?? {}
    },
    ...reminderHandlers(deps),
    ...desktopHandlers(deps),
    ...diagnosticsHandlers(deps),
    ...pendingHandlers(deps),
    ...updateHandlers(deps),
    ...subscriptionHandlers(deps),
    ...reportHandlers(deps),
    ...reportFileHandlers(deps),
    ...searchHandlers({ ...deps, clientOf: (accountId) => accounts.get(accountId).client }),
    ...conversionBatchHandlers(deps),
    'journal/open': () => journal.state(),
    'databases/set-aside': async () => ({ path: await deps.databases.setAside() }),
    'journal/append': ({ records }) => journal.append(records),
    'export/ics': async ({ suggestedName, ...calendar }) => {
      const { icsChunks } = await import('../exports/ics-write')
      return saveAs(files, {
        name: suggestedName,
        extension: '.ics',
        kind: 'Calendar',
        rows: calendar.events.length,
        chunks: (leave) => icsChunks({ ...calendar, events: calendar.events as JsonObject[] }, deps.now(), leave),
      })
    },
    'export/draggable': async ({ name, ...calendar }) => {
      const { icsChunks } = await import('../exports/ics-write')
      const events = calendar.events as JsonObject[]
      const { leftOut, leave } = leavingOut()
      await deps.dragged.write(name, '.ics', icsChunks({ ...calendar, events }, deps.now(), leave))
      return { leftOut }
    },
    'export/drag': () => {
      if (deps.dragged.path !== undefined) shell.dragFile(deps.dragged.path)
    },
    'export/csv': async ({ suggestedName, columns, rows }) => {
      const { csvChunks } = await import('../exports/csv')
      return saveAs(files, {
        name: suggestedName,
        extension: '.csv',
        kind: 'Comma-separated values',
        rows: rows.length,
        chunks: () => csvChunks(columns, rows),
      })
    },
    'import/ics': async () => {
      const file = await chooseFile(files, 'Calendar', ['ics', 'ical', 'ifb', 'icalendar'])
      if (!file) return null
      deps.reading(file.name)
      const zone = computerZone()
      return { fileName: file.name, ...(await imports.read(file.path, zone)) }
    },
    'import/dropped': async ({ name, bytes }) => {
      deps.reading(name)
      const zone = computerZone()
      // Deleted at the next start if this process ends here.
      const path = join(deps.userData, partName('dropped.ics'))
      try {
        await savePrivate(path, [bytes])
        return { fileName: name, ...(await imports.read(path, zone)) }
      } finally {
        await rm(path, { force: true })
      }
    },
    'import/cancel': () => imports.cancel(),
    ...rehearsalHandlers(deps),
    ...sheetHandlers(deps),
    ...checkRuleHandlers(deps),
    ...exportHandlers({ ...deps, decimalComma }),
    ...resultHandlers({ ...deps, decimalComma }),
    'sandbox/state': () => state(),
    'sandbox/run': async ({ running }) => {
      await (running ? service.start() : service.stop())
      deps.networkChanged()
      return state()
    },
    'sandbox/trouble': async ({ trouble }) => {
      await (trouble ? admin.order('POST', '/trouble', trouble as JsonObject) : admin.order('DELETE', '/trouble'))
    },
    'sandbox/expire': async ({ what }) => {
      await admin.order('POST', what === 'sign-in' ? '/expire-bearer' : '/expire-sync-tokens')
    },
    'sandbox/as': ({ person, operation, params, body }) =>
      admin.order('POST', `/as/${encodeURIComponent(person)}`, { operation, params, body } as JsonObject),
  }
}

/** True if a locale uses a decimal comma. */
export const writesCommas = (locale: string): boolean => new Intl.NumberFormat(locale).format(1.5).includes(',')
