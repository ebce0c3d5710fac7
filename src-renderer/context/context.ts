import { createContext } from 'svelte'
import type { Account } from '#shared/ipc/account-questions'
import type { AppInfo, Bridge } from '#shared/ipc/contract'
import type { Change, Edited, EditOptions, Rehearsal, Replica, Work } from '../replica/api'
import type { Announcer } from '../ui/announcer.svelte'
import type { Toasts } from '../ui/toasts.svelte'
import type { Accounts } from './accounts.svelte'
import type { Clock } from './clock.svelte'
import type { Commands } from './commands.svelte'
import type { ExportPresets } from './export-presets.svelte'
import type { Navigation } from './navigation.svelte'
import type { Notifications } from './notifications.svelte'
import type { Preferences } from './preferences.svelte'
import type { ReportFilesModel } from './report-files.svelte'
import type { Settings } from './settings.svelte'
import type { Subscriptions } from './subscriptions.svelte'

export type { Command } from './commands.svelte'
export type { Place } from './navigation.svelte'

/** Messages of an edit. A message has a text of its own, because labels are commands, such as `Archive *Spring*`. */
type Receipt = { onfailed?: (why: string) => void; replica?: Replica } & (
  | { text?: string; show?: false }
  | { text: string; show: boolean }
)

/** Context of every view, provided by the shell. */
export interface AppContext {
  /** Reads inside effects, deriveds and templates are reactive. */
  readonly replica: Replica
  readonly bridge: Bridge
  readonly accounts: Accounts
  /** The shown account. */
  readonly account: Account
  readonly info: AppInfo
  readonly commands: Commands
  /** Notifications, and the reminders that ring. */
  readonly notifications: Notifications
  /** Calendars on the web. */
  readonly subscriptions: Subscriptions
  /** Export presets. */
  readonly presets: ExportPresets
  /** Location and number of report files. */
  readonly reportFiles: ReportFilesModel
  /** Settings of this window. `preferences` combines them with the service's. */
  readonly settings: Settings
  readonly preferences: Preferences
  readonly navigation: Navigation
  readonly clock: Clock
  readonly toasts: Toasts
  readonly announcer: Announcer
  /** Speaks through the live region. */
  announce(text: string): void
  /**
   * Edits through the replica and announces the receipt, which also appears as a message if `show` is set. A failure is
   * shown together with what's safe, or passed to `onfailed`. Returns null after a failure. `replica` is that of another account.
   * @throws the reason of an aborted signal, with nothing changed
   */
  edit(changes: readonly Change[], options: EditOptions, receipt?: Receipt, work?: Work): Promise<Edited | null>
  /** Shows a view of another account. Reports failures. */
  showAccount(id: string, view?: string): Promise<void>
  /**
   * Undoes the last step.
   * @param only ID of the intended step (`Edited.group`). If later ones exist, says so and changes nothing
   * @returns true if the step was undone
   */
  undo(only?: string): Promise<boolean>
  /** Makes the next undo run this instead, unless there's a newer step: for what isn't a step itself. */
  undoNext(run: () => Promise<unknown>): void
  redo(): Promise<void>
  /**
   * Tries drafts, and those that they depend on, in a sandbox of their own. Nothing changes, and the account's service isn't called.
   * @throws FaultError, or the reason of an aborted signal
   */
  rehearse(entryIds: readonly string[], work?: Work): Promise<Rehearsal>
}

export const [useApp, provideApp] = createContext<AppContext>()
