import { z } from 'zod'
import type { AnsweredAsText } from './as-text'
import { cursorSchema, type Cursor } from './cursor'
import { collectionNames } from '#shared/domain/collections'
import type { Fault } from '#shared/fault'
import { figureQuestions, type FigureAnswers, type FigureProgress, type WrittenFile } from '#shared/figures/questions'
import type { JsonObject } from '#shared/json'
import { entrySchema, recordSchema, type OutboxEntry, type Outcome, type RemoteRecord } from '#shared/mutation/entry'
import type { UnknownEntry } from '#shared/mutation/unknown'
import { exportManyQuestions, type ExportManyAnswers } from '#shared/reports/export-many'
import { presetQuestions, type PresetAnswers } from '#shared/reports/export-presets'
import { exportRuleSchema, type ExportRuleSeen } from '#shared/reports/export-rules'
import { tableFormatSchema, tableHeadSchema, tableRowsSchema } from '#shared/reports/export-table'
import {
  reportFileQuestions,
  type FilesMoving,
  type ReportFileAnswers,
  type ReportFiles,
} from '#shared/reports/report-files'
import type { Run, SearchDefinition } from '#shared/reports/runs'
import { batchQuestions, type BatchAnswers } from '#shared/search-ads/batch-questions'
import { searchQuestions, type SearchAnswers, type Sending } from '#shared/search-ads/questions'
import { isZone } from '#shared/time/zones'
import type { ServiceName } from '#shared/wire/services'
import type { Vocabulary } from '#shared/wire/vocabulary'

export type { Cursor }

/**
 * The whole conversation between renderer and main. The renderer asks (`requests`: arguments are parsed by main, a
 * refusal is a Fault), main answers, and otherwise only announces (`Announcements`).
 */

const downloadWhat = z.union([
  z.enum(['all', 'index']),
  z.object({ collection: z.enum(collectionNames), id: z.string() }),
])
/** Parts of a service's records that the person chose to keep on this computer. */
export const keptDownloads = z
  .array(z.object({ parent: z.string(), what: downloadWhat, paused: z.boolean() }))
  .max(100_000)
export type KeptDownload = z.output<typeof keptDownloads>[number]

export interface Account {
  id: string
  /** The person's e-mail address; '' until it is known. */
  email: string
  label: string
  /** The embedded service, or one that is reached over the network. */
  kind: 'sandbox' | 'service'
  /** Which words the service speaks on the wire. */
  vocabulary: Vocabulary
  /** Base address of each service that the account has; empty for the embedded one while it has not started. */
  services: Partial<Record<ServiceName, string>>
  /** The version in use, for services that have several. */
  versions: { trafficking?: string }
  /** `out`: the person signed out or never signed in. `expired`: the service took the sign-in back. */
  signIn: 'in' | 'out' | 'expired'
  /** Where the sign-in is kept: encrypted by the system, only until the app quits, or the embedded service's own. */
  kept: 'system' | 'memory' | 'embedded'
  /** `signIn` is `in`. */
  signedIn: boolean
  /** Its replica was made on this computer before: an empty database then means a lost one. */
  opened: boolean
  /** As they were when they were last noted, for a database that is lost. */
  downloads: readonly KeptDownload[]
}

export interface PullPage {
  records: RemoteRecord[]
  /** Ask again with this page token; absent on the last page. */
  nextPage?: string
  /** Only on the last page: where the next pull goes on. */
  cursor?: Cursor
  /** True when this pull lists everything, so that what it does not name is gone (sweep after the last page). */
  full: boolean
  /** Records that are not what the interface says and so are not among `records`; by id where they have one. */
  unreadable?: { id: string | null; path: string }[]
  units: number
}

/** How much of one limit of a service is used, and when it is whole again (epoch milliseconds). */
export interface Budget {
  service: ServiceName
  per: 'second' | 'minute' | 'day'
  used: number
  limit: number
  renews: number
}

export type Answer<T> = { ok: true; value: T } | { ok: false; fault: Fault }

/** A line of the journal: an entry as it stands, or its end. The last line of an entry id counts. */
export const journalRecordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('entry'), entry: entrySchema }),
  z.object({ kind: z.literal('end'), entryId: z.string(), accountId: z.string(), how: z.string() }),
])
export type JournalRecord = z.infer<typeof journalRecordSchema>

export interface JournalState {
  /** Stands in the journal and in IndexedDB; where they differ the replica is fetched again. */
  epoch: string
  /** True when this journal was made just now (first start). */
  fresh: boolean
  /** Entries without an end, oldest first. */
  open: OutboxEntry[]
  /** Whole lines that this version does not understand: they stay in the journal for one that does. */
  unknown: UnknownEntry[]
  /** Lines that failed their checksum or hold no record; they are kept in a file beside. */
  damaged: number
  damagedFile?: string
}

/** What an address offers, as its API listing says. */
export interface Offer {
  /** Known services in the order of the wire tables; versions as in their tables, the preferred one first. */
  services: Array<{ service: ServiceName; baseUrl: string; versions: string[] }>
  /** Names in the listing that Flightplan has no use for. */
  others: number
  /** The issuer whose metadata were found at the address; null when there are none, so that one must be named. */
  issuer: string | null
}

const account = z.object({ accountId: z.string() })
const address = z.string().min(1).max(2048)
/** Base addresses by service name. */
const addresses = z.record(z.string().max(40), address)
const versions = z.object({ trafficking: z.string().max(20).optional() })
const label = z.string().trim().min(1).max(200)
/** Without a folder the person is asked; in one, no file that is there is replaced. */
const fileChoice = z.object({ suggestedName: z.string().max(200), folder: z.string().min(1).max(4_096).optional() })
const eventsFile = z.object({
  calendarName: z.string(),
  timeZone: z.string(),
  events: z.array(z.record(z.string(), z.unknown())),
})
const tableFile = z.object({
  columns: z.array(z.string()).max(200),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
})

const json = z.record(z.string(), z.unknown())
const ofRun = account.extend({ runId: z.string().max(100) })

export const requests = {
  'app/info': z.object({}),
  'app/open-link': z.object({ url: z.string().max(4096) }),
  'app/reveal-file': z.object({ path: z.string() }),
  /** How many changes wait, so that quitting can say so. */
  'app/unsent': z.object({ count: z.number().int().nonnegative() }),
  /** What the window shows, on paper or as a PDF. */
  'app/print': z.object({ name: z.string().max(200), to: z.enum(['printer', 'file']), landscape: z.boolean() }),
  'app/theme': z.object({ theme: z.enum(['system', 'light', 'dark']) }),
  'account/list': z.object({}),
  /** Reads the API listing at an address, without any sign-in. */
  'account/discover': z.object({ address, vocabulary: z.enum(['neutral', 'public']) }),
  /** Adds an account, signed out. Without `services`, `address` serves all that its listing names. */
  'account/add': z.object({
    label,
    vocabulary: z.enum(['neutral', 'public']),
    address: address.optional(),
    services: addresses.optional(),
    versions: versions.optional(),
    /** Where to sign in; the address when absent. */
    issuer: address.optional(),
    clientId: z.string().max(500).optional(),
    clientSecret: z.string().max(500).optional(),
    /** What stands before the names of permissions, where the service's metadata do not list them. */
    scopeBase: z.string().max(500).optional(),
  }),
  /** A base address on another host ends the sign-in: tokens stay with the hosts they were given for. */
  'account/change': account.extend({
    label: label.optional(),
    services: addresses.optional(),
    versions: versions.optional(),
  }),
  /** The replica is there. */
  'account/opened': account,
  /** Notes what is chosen to be kept here, beside the database that may be lost. */
  'account/downloads': account.extend({ downloads: keptDownloads }),
  /** Answers when the person is done in the browser. The embedded account renews its sign-in at once. */
  'account/sign-in': account,
  'account/cancel-sign-in': account,
  /** Revokes and forgets the sign-in; replica and queue stay. */
  'account/sign-out': account,
  /** Refused while the journal holds changes of it that were not sent. The renderer deletes the replica. */
  'account/remove': account,
  'network/offline': z.object({ offline: z.boolean() }),
  'sync/pull': account.extend({
    collection: z.enum(collectionNames),
    parent: z.string().nullable(),
    cursor: cursorSchema.nullable(),
    page: z.string().nullable(),
    /** The record to GET, for collections with an etag cursor. */
    id: z.string().optional(),
    /** Parameters of the list that cut a part out of it, as `{ advertiserIds: ['12'] }`. */
    within: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])).optional(),
  }),
  /** Which targets should be watched for changes; the answer names those that are, the others have to be polled. */
  'sync/watch': account.extend({
    targets: z.array(z.object({ collection: z.enum(collectionNames), parent: z.string().nullable() })).max(1_000),
  }),
  /** How much of what each service allows this account is used. */
  'sync/budget': account,
  /** `seen`: what the service said of the record a moment ago, so that it need not be read before it is compared. */
  'sync/push': account.extend({ entry: entrySchema, seen: recordSchema.optional() }),
  /** What the service says about one record now (used by conflicts and audits). */
  'sync/read': account.extend({ collection: z.enum(collectionNames), parent: z.string().nullable(), id: z.string() }),
  /** The same for many records of one place, in as few calls as the service allows. */
  'sync/read-many': account.extend({
    collection: z.enum(collectionNames),
    parent: z.string().nullable(),
    ids: z.array(z.string()).max(10_000),
  }),
  /** Calls that only read: free times, colours, occurrences, what a report may hold, columns that were saved. */
  'service/call': account.extend({
    operation: z.enum([
      'calendar.freebusy.query',
      'calendar.colors.get',
      'calendar.events.instances',
      'trafficking.reports.compatibleFields.query',
      'trafficking.dimensionValues.query',
      'search.savedColumns.list',
    ]),
    params: z.record(z.string(), z.unknown()),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
  ...figureQuestions,
  ...searchQuestions,
  ...batchQuestions,
  ...presetQuestions,
  ...exportManyQuestions,
  ...reportFileQuestions,
  'reports/runs': account,
  /** A run of the same report that is not over is the answer. */
  'reports/run': account.extend({
    wanted: z.discriminatedUnion('service', [
      z.object({
        service: z.literal('trafficking'),
        profileId: z.string().max(100),
        report: json,
        /** Entries of the outbox; where there are any it waits until `reports/release` says that they are sent. */
        awaits: z.array(z.string().max(100)).max(10_000),
      }),
      z.object({
        service: z.literal('search'),
        reportId: z.string().max(100),
        name: z.string(),
        request: json,
        /** In which its days are told apart, until the service has said its own. */
        zone: z.string().max(100).refine(isZone, 'is no time zone'),
      }),
    ]),
  }),
  'reports/release': ofRun.extend({ report: json }),
  'reports/stop': ofRun,
  /** Goes on with one that was stopped or waits, runs one anew that failed, or is wanted `anew`. */
  'reports/again': ofRun.extend({ anew: z.boolean().optional() }),
  'reports/pin': ofRun.extend({ pinned: z.boolean() }),
  /** `reports/restore` takes it back, until the app is started again. */
  'reports/remove': ofRun,
  'reports/restore': ofRun,
  'reports/reveal': ofRun,
  'reports/definitions': account,
  /** A new one where it has no id. */
  'reports/keep-definition': account.extend({
    definition: z.object({ id: z.string().max(80).optional(), name: z.string().max(1_000), request: json }),
  }),
  'reports/remove-definition': account.extend({ definitionId: z.string().max(80) }),
  'rules/list': account,
  /** What follows each run of a report. Its folder is one that the person chose, or that the rule has. */
  'rules/keep': account.extend({ rule: exportRuleSchema }),
  'rules/remove': account.extend(exportRuleSchema.pick({ service: true, reportId: true }).shape),
  /** Tries what waits once more. */
  'rules/again': account,
  /** For exports of any kind; null where none was chosen. */
  'export-folders/choose': z.object({}),
  'journal/open': z.object({}),
  'journal/append': z.object({ records: z.array(journalRecordSchema) }),
  'export/ics': eventsFile.extend(fileChoice.shape),
  'export/csv': tableFile.extend(fileChoice.shape),
  /** A chart as the window drew it. */
  'export/chart': z.discriminatedUnion('format', [
    fileChoice.extend({ format: z.literal('svg'), text: z.string().max(20_000_000) }),
    fileChoice.extend({ format: z.literal('png'), bytes: z.instanceof(Uint8Array) }),
  ]),
  /** A table that the window holds, to a file that the person chooses: then its rows, then its end. null where none was chosen. */
  'table/begin': fileChoice.extend(tableFormatSchema.shape).extend({ head: tableHeadSchema }),
  'table/rows': z.object({ id: z.number().int(), rows: tableRowsSchema }),
  /** Writes what came, whole or not at all; announced as `table/progress`. */
  'table/end': z.object({ id: z.number().int() }),
  'table/stop': z.object({ id: z.number().int() }),
  'import/ics': z.object({}),
  /** Ends an import whose file is being read; it answers with `aborted`. */
  'import/cancel': z.object({}),
  /** The embedded service, for rehearsing: stopped, running, or with trouble ordered. */
  'sandbox/state': z.object({}),
  'sandbox/run': z.object({ running: z.boolean() }),
  'sandbox/trouble': z.object({ trouble: z.record(z.string(), z.unknown()).nullable() }),
  /** Declares the sign-in, or every sync token, expired. */
  'sandbox/expire': z.object({ what: z.enum(['sign-in', 'sync-tokens']) }),
  /** Runs one operation as the second user, to rehearse a conflict. */
  'sandbox/as': z.object({
    person: z.string(),
    operation: z.string(),
    params: z.record(z.string(), z.unknown()),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
} as const

export type RequestName = keyof typeof requests
export type RequestArguments<N extends RequestName> = z.input<(typeof requests)[N]>
/** The same once they were checked. */
export type CheckedArguments<N extends RequestName> = z.output<(typeof requests)[N]>

export interface SavedFile {
  path: string
  bytes: number
  rows: number
  /** What could not be written: how many, and the first of them in words. */
  leftOut: { count: number; names: string[] }
}

export interface ImportedEvents {
  fileName: string
  /** Events in the calendar service's shape, with iCalUID and sequence; exceptions carry originalStartTime. */
  events: JsonObject[]
  notes: ImportNote[]
}

/** What had to be put right in a file, or was left out of it (`lost`), and how often; `words` go on from each name. */
export interface ImportNote {
  words: string
  lost: boolean
  count: number
  /** The first of them. */
  names: string[]
}

export interface AppInfo {
  version: string
  electron: string
  platform: string
  /** The zone of this computer. */
  timeZone: string
  userDataPath: string
  offline: boolean
  /** Where sign-ins can be kept here: encrypted by the system, or only until the app quits. */
  keepsSignIns: 'system' | 'memory'
  /** The page was loaded anew, because the one before it died or did not answer. */
  reloaded?: 'crashed' | 'hung'
}

export interface RequestAnswers
  extends FigureAnswers, SearchAnswers, BatchAnswers, PresetAnswers, ExportManyAnswers, ReportFileAnswers {
  'app/info': AppInfo
  'app/open-link': null
  'app/reveal-file': null
  'app/unsent': null
  /** null: the person closed the dialog; a path where it went to a file. */
  'app/print': { path?: string } | null
  'app/theme': null
  'account/list': Account[]
  'account/discover': Offer
  'account/add': Account
  'account/change': Account
  'account/opened': null
  'account/downloads': null
  'account/sign-in': Account
  'account/cancel-sign-in': null
  'account/sign-out': Account
  'account/remove': null
  'network/offline': { offline: boolean }
  'sync/pull': PullPage
  /** Keys of targets (`recordKey` without an id). */
  'sync/watch': { watched: string[] }
  'sync/budget': { budgets: Budget[] }
  'sync/push': Outcome
  'sync/read': RemoteRecord
  'sync/read-many': { records: RemoteRecord[]; units: number }
  'service/call': JsonObject
  'reports/runs': { runs: Run[] }
  'reports/run': Run
  'reports/release': Run
  'reports/stop': Run
  'reports/again': Run
  'reports/pin': Run
  'reports/remove': null
  'reports/restore': Run
  'reports/reveal': null
  'reports/definitions': { definitions: SearchDefinition[] }
  'reports/keep-definition': SearchDefinition
  'reports/remove-definition': null
  'rules/list': { rules: ExportRuleSeen[] }
  'rules/keep': { rules: ExportRuleSeen[] }
  'rules/remove': { rules: ExportRuleSeen[] }
  'rules/again': { rules: ExportRuleSeen[] }
  'export-folders/choose': { folder: string } | null
  'journal/open': JournalState
  'journal/append': null
  /** null: the person closed the dialog without choosing. */
  'export/ics': SavedFile | null
  'export/csv': SavedFile | null
  'export/chart': Pick<SavedFile, 'path' | 'bytes'> | null
  'table/begin': { id: number } | null
  'table/rows': null
  'table/end': WrittenFile
  'table/stop': null
  'import/ics': ImportedEvents | null
  'import/cancel': null
  'sandbox/state': { running: boolean; baseUrl: string }
  'sandbox/run': { running: boolean; baseUrl: string }
  'sandbox/trouble': null
  'sandbox/expire': null
  'sandbox/as': JsonObject
}

export interface Announcements {
  /** Connectivity as main sees it, and the offline switch. */
  'network/changed': { offline: boolean; online: boolean }
  /** An account was added, changed, removed, or its sign-in ended or came back. */
  'account/changed': { accounts: Account[] }
  /** The service says that a watched target has changed: pull it. */
  'sync/changed': { accountId: string; key: string }
  /** The computer woke up: pull before the first push. */
  'app/resumed': Record<string, never>
  /** A menu or tray command for the renderer, by command id. */
  'app/command': { command: string }
  /** The embedded service ended by itself too often to be started again; in words. */
  'service/failed': { message: string }
  /** A file was chosen and is being read, which may take long. */
  'import/reading': { fileName: string }
  'figures/progress': FigureProgress
  /** Rows that were written of a table of the window. */
  'table/progress': { id: number; done: number; of: number }
  /** A run began, went on, or ended. */
  'reports/changed': { run: Run }
  'reports/removed': { accountId: string; id: string }
  /** Files of all runs are being taken to another folder. */
  'report-files/moving': FilesMoving
  /** They are somewhere else, or out of reach, or there again. */
  'report-files/changed': ReportFiles
  /** Files of several runs are being taken to a folder: `name` is next. */
  'many/progress': { done: number; of: number; name: string }
  /** What became of exports that follow runs. */
  'rules/changed': { accountId: string; rules: ExportRuleSeen[] }
  /** Of conversions and availabilities of search ads, all that are kept. */
  'search/sent': { accountId: string; sendings: Sending[] }
  /** The window is about to go: flush what is being typed. */
  'app/closing': Record<string, never>
}

/** What preload puts on `window.flightplan`. */
export interface Bridge {
  ask<N extends RequestName>(name: N, args: RequestArguments<N>): Promise<Answer<RequestAnswers[N]>>
  on<N extends keyof Announcements>(name: N, listener: (payload: Announcements[N]) => void): () => void
}

/** An answer on its way: the value, or its JSON. */
export type SentAnswer<N extends RequestName> = Answer<N extends AnsweredAsText ? string : RequestAnswers[N]>

/** What preload puts into the window. */
export interface ExposedBridge extends Pick<Bridge, 'on'> {
  ask<N extends RequestName>(name: N, args: RequestArguments<N>): Promise<SentAnswer<N>>
  /** Milliseconds by which this run's clock is ahead of the computer's; known before the first frame. */
  readonly clockOffset: number
}
