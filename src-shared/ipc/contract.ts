import { z } from 'zod'
import { accountQuestions, type Account, type AccountAnswers } from './account-questions'
import type { AnsweredAsText } from './as-text'
import { checkRuleQuestions, type CheckRuleAnswers } from './check-rule-questions'
import { desktopQuestions, type DesktopAnnouncements, type DesktopAnswers } from './desktop-questions'
import { diagnosticsQuestions, type DiagnosticsAnswers } from './diagnostics-questions'
import { fileQuestions, type FileAnswers } from './file-questions'
import { sandboxQuestions, type SandboxAnswers } from './sandbox-questions'
import { sheetQuestions, type SheetAnswers } from './sheet-questions'
import {
  subscriptionQuestions,
  type SubscriptionAnnouncements,
  type SubscriptionAnswers,
} from './subscription-questions'
import { syncQuestions, type SyncAnswers } from './sync-questions'
import type { Fault } from '#shared/fault'
import { placeSchema } from '#shared/links/place'
import { resultQuestions, type ResultAnswers, type ResultProgress } from '#shared/results/questions'
import { exportManyQuestions, type ExportManyAnswers } from '#shared/reports/export-many'
import { presetQuestions, type PresetAnswers } from '#shared/reports/export-presets'
import type { ExportRuleSeen } from '#shared/reports/export-rules'
import {
  reportFileQuestions,
  type FilesMoving,
  type ReportFileAnswers,
  type ReportFiles,
} from '#shared/reports/report-files'
import { pendingQuestions, type PendingAnswers } from './pending-questions'
import { rehearsalQuestions, type RehearsalAnswers } from './rehearsal-questions'
import { reminderQuestions, type ReminderAnnouncements, type ReminderAnswers } from './reminder-questions'
import { runQuestions, type RunAnswers } from './run-questions'
import { updateQuestions, type UpdateAnnouncements, type UpdateAnswers } from './update-questions'
import type { Run } from '#shared/reports/runs'
import { batchQuestions, type BatchAnswers } from '#shared/search-ads/batch-questions'
import { searchQuestions, type SearchAnswers, type Sending } from '#shared/search-ads/questions'

/**
 * The whole conversation between renderer and main. The renderer asks (`requests`: arguments are parsed by main, a
 * refusal is a Fault), main answers, and otherwise only announces (`Announcements`).
 */

export type Answer<T> = { ok: true; value: T } | { ok: false; fault: Fault }

export const requests = {
  'app/info': z.object({}),
  'app/open-link': z.object({ url: z.string().max(4096) }),
  'app/reveal-file': z.object({ path: z.string() }),
  /** Number of pending changes, for the question when quitting. */
  'app/unsent': z.object({
    count: z.number().int().nonnegative(),
    /** Why they wait, or what sync does, for the tray. */
    status: z.string().max(500),
  }),
  /** Takes links that were opened outside of the app, and the number of files that `import/ics` reads next. */
  'app/openings': z.object({}),
  /** Unsaved edits, for the question when quitting: progress of each, of a total (0 if unknown). */
  'app/editing': z.object({
    works: z
      .array(
        z.object({
          name: z.string().max(200),
          done: z.number().int().nonnegative(),
          of: z.number().int().nonnegative(),
        }),
      )
      .max(10_000),
    /** Answers `app/closing`: everything that was typed is saved. */
    saved: z.literal(true).optional(),
  }),
  /** Prints the window, or saves it as a PDF. */
  'app/print': z.object({ name: z.string().max(200), to: z.enum(['printer', 'file']), landscape: z.boolean() }),
  /** Opens another window at a place. */
  'app/new-window': z.object({ place: placeSchema }),
  'app/theme': z.object({ theme: z.enum(['system', 'light', 'dark']) }),
  'network/offline': z.object({ offline: z.boolean() }),
  ...accountQuestions,
  ...syncQuestions,
  ...rehearsalQuestions,
  ...resultQuestions,
  ...searchQuestions,
  ...batchQuestions,
  ...presetQuestions,
  ...exportManyQuestions,
  ...reportFileQuestions,
  ...runQuestions,
  ...fileQuestions,
  ...sheetQuestions,
  ...checkRuleQuestions,
  ...sandboxQuestions,
  ...reminderQuestions,
  ...desktopQuestions,
  ...diagnosticsQuestions,
  ...pendingQuestions,
  ...updateQuestions,
  ...subscriptionQuestions,
} as const

export type RequestName = keyof typeof requests
export type RequestArguments<N extends RequestName> = z.input<(typeof requests)[N]>
/** Arguments after validation. */
export type CheckedArguments<N extends RequestName> = z.output<(typeof requests)[N]>

export interface AppInfo {
  version: string
  electron: string
  platform: string
  /** The zone of this computer. */
  timeZone: string
  userDataPath: string
  offline: boolean
  /** Where sign-ins can be stored: encrypted by the system, or in memory until the app quits. */
  keepsSignIns: 'system' | 'memory'
  /** The page was reloaded because it crashed or hung. */
  reloaded?: 'crashed' | 'hung'
}

export interface RequestAnswers
  extends
    AccountAnswers,
    SyncAnswers,
    RehearsalAnswers,
    ResultAnswers,
    SearchAnswers,
    BatchAnswers,
    PresetAnswers,
    ExportManyAnswers,
    ReportFileAnswers,
    RunAnswers,
    FileAnswers,
    SheetAnswers,
    CheckRuleAnswers,
    SandboxAnswers,
    ReminderAnswers,
    DesktopAnswers,
    DiagnosticsAnswers,
    PendingAnswers,
    UpdateAnswers,
    SubscriptionAnswers {
  'app/info': AppInfo
  'app/open-link': null
  'app/reveal-file': null
  'app/unsent': null
  'app/openings': { links: string[]; files: number }
  'app/editing': null
  /** Null if the user closed the dialog. Has a path if printed to a file. */
  'app/print': { path?: string } | null
  'app/new-window': null
  'app/theme': null
  'network/offline': { offline: boolean }
}

export interface Announcements
  extends ReminderAnnouncements, DesktopAnnouncements, UpdateAnnouncements, SubscriptionAnnouncements {
  /** Connectivity as main sees it, and the offline switch. */
  'network/changed': { offline: boolean; online: boolean }
  /** An account was added, changed, or removed, or its sign-in expired or was renewed. */
  'account/changed': { accounts: Account[] }
  /** The service reports that a watched target has changed, so pull it. */
  'sync/changed': { accountId: string; key: string }
  /** The computer woke up: pull before the first push. */
  'app/resumed': Record<string, never>
  /** The computer is in another time zone. */
  'app/zone': Pick<AppInfo, 'timeZone'>
  /** A menu or tray command for the renderer, by command ID. */
  'app/command': { command: string }
  /** The sandbox ended too often to be restarted, with a message. */
  'service/failed': { message: string }
  /** A chosen file is being read, which may take long. */
  'import/reading': { fileName: string }
  'results/progress': ResultProgress
  /** Rows that were written of a table of the window. */
  'table/progress': { id: number; done: number; of: number }
  /** A run began, went on, or ended. */
  'reports/changed': { run: Run }
  'reports/removed': { accountId: string; id: string }
  /** Progress of moving all runs' files to another folder. */
  'report-files/moving': FilesMoving
  /** The report files moved or became unavailable or available. */
  'report-files/changed': ReportFiles
  /** Progress of exporting several runs to a folder. `name` is the next one. */
  'many/progress': { done: number; of: number; name: string }
  /** Results of automatic exports. */
  'rules/changed': { accountId: string; rules: ExportRuleSeen[] }
  /** All saved requests for conversions and availability of search ads. */
  'search/sent': { accountId: string; sendings: Sending[] }
  /** A link or file was opened outside of the app: ask `app/openings`. */
  'app/opening': Record<string, never>
  /** The window is about to close, so save the input. */
  'app/closing': Record<string, never>
}

/** The API that preload exposes as `window.flightplan`. */
export interface Bridge {
  ask<N extends RequestName>(name: N, args: RequestArguments<N>): Promise<Answer<RequestAnswers[N]>>
  on<N extends keyof Announcements>(name: N, listener: (payload: Announcements[N]) => void): () => void
}

/** An answer on its way: the value, or its JSON. */
export type SentAnswer<N extends RequestName> = Answer<N extends AnsweredAsText ? string : RequestAnswers[N]>

/** The raw API that preload exposes to the page. */
export interface ExposedBridge extends Pick<Bridge, 'on'> {
  ask<N extends RequestName>(name: N, args: RequestArguments<N>): Promise<SentAnswer<N>>
  /** Offset of this run's clock from the computer's in milliseconds, known before the first frame. */
  readonly clockOffset: number
  /** The app was started without what the window remembers. Known before the first frame, too. */
  readonly safeMode: boolean
  /** True in every window but the first: it follows the first one, which owns the data. */
  readonly follows: boolean
}
