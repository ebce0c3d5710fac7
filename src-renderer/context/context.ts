import { createContext } from 'svelte'
import type { Account } from '#shared/ipc/account-questions'
import type { AppInfo, Bridge } from '#shared/ipc/contract'
import type { Change, Edited, EditOptions, Replica, Work } from '../replica/api'
import type { Announcer } from '../ui/announcer.svelte'
import type { Toasts } from '../ui/toasts.svelte'
import type { Accounts } from './accounts.svelte'
import type { Clock } from './clock.svelte'
import type { Commands } from './commands.svelte'
import type { ExportPresets } from './export-presets.svelte'
import type { Navigation } from './navigation.svelte'
import type { Preferences } from './preferences.svelte'
import type { ReportFilesModel } from './report-files.svelte'
import type { Settings } from './settings.svelte'

export type { Command } from './commands.svelte'
export type { Place } from './navigation.svelte'

/** What every view is handed by the shell. */
export interface AppContext {
  /** Reads inside effects, deriveds and templates are reactive. */
  readonly replica: Replica
  readonly bridge: Bridge
  readonly accounts: Accounts
  /** The account that is shown, as it is now. */
  readonly account: Account
  readonly info: AppInfo
  readonly commands: Commands
  /** How people export by hand. */
  readonly presets: ExportPresets
  /** Where files of reports are kept, and how many. */
  readonly reportFiles: ReportFilesModel
  /** What this window remembers; `preferences` is what follows from it and the service's settings. */
  readonly settings: Settings
  readonly preferences: Preferences
  readonly navigation: Navigation
  readonly clock: Clock
  readonly toasts: Toasts
  readonly announcer: Announcer
  /** Speaks through the live region. */
  announce(text: string): void
  /**
   * Edits through the replica and gives the receipt: spoken, and shown when `show` is set. A failure is shown with what
   * was kept, or handed to `onfailed`, who tells it with what was typed; then the answer is null. @throws what the signal says;
   * then nothing was changed
   */
  edit(
    changes: readonly Change[],
    options: EditOptions,
    receipt?: { text?: string; show?: boolean; onfailed?: (why: string) => void },
    work?: Work,
  ): Promise<Edited | null>
  /** Shows another account, on a view of it; what went wrong is shown. */
  showAccount(id: string, view?: string): Promise<void>
  /** Undo and redo wait for what was asked for before them, so that it is the last of it that they take back. */
  asked(work: Promise<unknown>): void
  /**
   * `only`: the step (`Edited.group`) that is meant; where more came after it, that is said and nothing is changed. Whether it
   * was taken back.
   */
  undo(only?: string): Promise<boolean>
  redo(): Promise<void>
}

export const [useApp, provideApp] = createContext<AppContext>()
