import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { OperationId } from '#shared/wire/services'
import type { CalendarReader } from '../exports/calendar-reader'
import type { TableWriter } from '../exports/write-away'
import type { Handlers } from '../ipc/handle'
import type { Journal } from '../journal/journal'
import type { WatchChannels } from '../watch/channels'
import type { Fetch } from '../http/send'
import { reportFileHandlers, type ReportFileDeps } from './report-file-handlers'
import { reportHandlers, type ReportDeps } from './report-handlers'
import type { AutoExports } from '../reports/auto-exports'
import type { Library } from '../reports/library'
import type { FigureProcess } from '../tables/figure-process'
import { chartHandlers } from './chart-handlers'
import { conversionBatchHandlers, type BatchDeps } from './conversion-batch-handlers'
import { exportTableHandlers } from './export-table-handlers'
import type { ManyExports } from '../reports/export-many'
import type { ExportsUnderWay, UnderWay } from './exports-under-way'
import { exportManyHandlers } from './export-many-handlers'
import { exportFolderHandlers } from './export-folder-handlers'
import { exportPresetHandlers } from './export-preset-handlers'
import type { ExportPresets } from './export-presets'
import { exportRuleHandlers } from './export-rule-handlers'
import { figureHandlers } from './figure-handlers'
import { reminderHandlers, type ReminderDeps } from './reminder-handlers'
import { searchHandlers, type SearchDeps } from './search-handlers'
import { printWindow } from './printing'
import { syncHandlers } from './sync-handlers'
import { tableCall } from '../sync/pull'
import type { Accounts } from '../accounts/accounts'
import { discover } from '../accounts/discover'
import { chooseFile, saveAs, wasWritten, type FilePlaces } from './files'
import { safeExternalLink } from './links'
import type { NetworkSwitch } from './network'
import type { OfflineChoice } from './offline-choice'
import type { SandboxAdmin } from './sandbox-admin'
import type { Shell } from './shell'

/** Control of the sandbox by the renderer. */
export interface Service {
  readonly running: boolean
  readonly address: { baseUrl: string }
  start(): Promise<void>
  stop(): Promise<void>
}

export interface HandlerDeps extends ReportDeps, ReportFileDeps, SearchDeps, BatchDeps, ReminderDeps {
  shell: Shell
  accounts: Accounts
  channels: WatchChannels
  journal: Journal
  network: NetworkSwitch
  offlineChoice: Pick<OfflineChoice, 'keep'>
  service: Service
  admin: SandboxAdmin
  files: FilePlaces
  imports: CalendarReader
  figures: FigureProcess
  writer: TableWriter
  library: Library
  /** Exports that follow runs. */
  rules: AutoExports
  presets: ExportPresets
  many: ManyExports
  underWay: ExportsUnderWay
  /** Receives all unsaved edits of the window. */
  editing: (works: readonly UnderWay[]) => void
  /** The folder of the fonts of documents. */
  fonts: string
  /** Why the page that is shown was loaded again. */
  reloaded: () => 'crashed' | 'hung' | undefined
  /** Announces that a file is being read. */
  reading: (fileName: string) => void
  now: () => number
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
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
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
      return null
    },
    'app/reveal-file': ({ path }) => {
      if (!wasWritten(path))
        throw new FaultError({ code: 'invalid', message: 'Only files that Flightplan saved can be shown.' })
      shell.reveal(path)
      return null
    },
    'app/unsent': ({ count }) => {
      shell.setBadge(count)
      return null
    },
    'app/editing': ({ works }) => {
      deps.editing(
        works.map(({ name, done, of }) => ({ name, far: of > 0 ? { done, of, noun: 'records' } : undefined })),
      )
      return null
    },
    'app/print': (wanted) => printWindow(shell, files, wanted),
    'app/theme': ({ theme }) => {
      shell.setTheme(theme)
      return null
    },
    'account/list': () => accounts.list(),
    'account/discover': ({ address, vocabulary }) => discover(deps, address, vocabulary),
    'account/add': (wanted) => accounts.add(wanted),
    'account/change': (change) => accounts.change(change),
    'account/opened': async ({ accountId }) => {
      await accounts.opened(accountId)
      return null
    },
    'account/downloads': async (noted) => {
      await accounts.noteDownloads(noted)
      return null
    },
    'account/sign-in': async ({ accountId }) => {
      const open = accounts.get(accountId)
      await open.signIn()
      // The user returns from the browser. The sandbox's account needs no sign-in.
      if (open.account().kind === 'service') shell.show()
      return open.account()
    },
    'account/cancel-sign-in': ({ accountId }) => {
      accounts.get(accountId).cancel()
      return null
    },
    'account/sign-out': async ({ accountId }) => {
      const open = accounts.get(accountId)
      await open.signOut()
      return open.account()
    },
    'account/remove': async ({ accountId }) => {
      await accounts.remove(accountId)
      deps.reminders.forget(accountId)
      await deps.rules.quietly(() => deps.runManager.forget(accountId))
      return null
    },
    'network/offline': async ({ offline }) => {
      network.set(offline)
      await deps.offlineChoice.keep(offline)
      deps.networkChanged()
      return { offline: network.offline }
    },
    ...syncHandlers({ clientOf: (accountId) => accounts.get(accountId).client, now: deps.now }),
    'sync/watch': async ({ accountId, targets }) => ({
      watched: await channels.watch(accounts.get(accountId).id, targets),
    }),
    'sync/budget': ({ accountId }) => ({ budgets: accounts.get(accountId).quota?.budgets() ?? [] }),
    'service/call': async ({ accountId, operation, params, body }) => {
      const { client } = accounts.get(accountId)
      const answer = await tableCall(client)(operation as OperationId, params as JsonObject, { body: body as never })
      return answer.body ?? {}
    },
    ...reminderHandlers(deps),
    ...reportHandlers(deps),
    ...reportFileHandlers(deps),
    ...exportFolderHandlers(deps),
    ...exportRuleHandlers(deps),
    ...exportPresetHandlers(deps),
    ...exportManyHandlers(deps),
    ...searchHandlers({ ...deps, clientOf: (accountId) => accounts.get(accountId).client }),
    ...conversionBatchHandlers(deps),
    'journal/open': () => journal.state(),
    'journal/append': async ({ records }) => {
      await journal.append(records)
      return null
    },
    'export/ics': async ({ suggestedName, ...calendar }) => {
      const { icsChunks } = await import('../exports/ics-write')
      return saveAs(files, {
        name: suggestedName,
        extension: '.ics',
        kind: 'Calendar',
        rows: calendar.events.length,
        chunks: (leftOut) => icsChunks({ ...calendar, events: calendar.events as JsonObject[] }, deps.now(), leftOut),
      })
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
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      return { fileName: file.name, ...(await imports.read(file.path, zone)) }
    },
    'import/cancel': () => {
      imports.cancel()
      return null
    },
    ...chartHandlers(deps),
    ...exportTableHandlers({ ...deps, decimalComma }),
    ...figureHandlers({ ...deps, decimalComma }),
    'sandbox/state': () => state(),
    'sandbox/run': async ({ running }) => {
      await (running ? service.start() : service.stop())
      deps.networkChanged()
      return state()
    },
    'sandbox/trouble': async ({ trouble }) => {
      await (trouble ? admin.order('POST', '/trouble', trouble as JsonObject) : admin.order('DELETE', '/trouble'))
      return null
    },
    'sandbox/expire': async ({ what }) => {
      await admin.order('POST', what === 'sign-in' ? '/expire-bearer' : '/expire-sync-tokens')
      return null
    },
    'sandbox/as': ({ person, operation, params, body }) =>
      admin.order('POST', `/as/${encodeURIComponent(person)}`, { operation, params, body } as JsonObject),
  }
}

/** True where people write numbers with a decimal comma. */
export const writesCommas = (locale: string): boolean => new Intl.NumberFormat(locale).format(1.5).includes(',')
