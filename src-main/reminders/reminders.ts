import { faultOf } from '#shared/fault'
import { isQuiet } from '#shared/domain/reminders'
import type { Announcements } from '#shared/ipc/contract'
import type { AgendaItem, NotificationSettings, Ringing } from '#shared/ipc/reminder-questions'
import { isOver, type Run } from '#shared/reports/runs'
import type { Clock } from '#shared/time/clock'
import { wallOfInstant } from '#shared/time/zones'
import { ReminderFiles } from './files'
import { ReminderScheduler } from './scheduler'
import { NotificationChoice } from './settings'
import { failureOf, noteOf, summaryOf, type Note } from './reminder-words'

/** A notification of the system. */
export interface SystemNote extends Note {
  silent: boolean
  /** Set for reminders, see `RemindersOptions.keepNotes`. */
  tag?: string
  /** Labels of buttons, where the system has any. */
  actions: readonly string[]
  onclick: () => void
  onaction: (index: number) => void
}

export interface RemindersOptions {
  userData: string
  clock: Clock
  /** Returns the reason why the system showed nothing, or an empty string. */
  notify: (note: SystemNote) => Promise<string>
  /** Removes notifications with other tags, because someone dismissed their reminders or they no longer apply. */
  keepNotes: (tags: ReadonlySet<string>) => void
  /** True while the window has the focus. */
  focused: () => boolean
  show: () => void
  openLink: (address: string) => Promise<void>
  announce: <N extends keyof Announcements>(name: N, payload: Announcements[N]) => void
  /** Called after anything changed that the tray shows. */
  changed: () => void
}

const minuteOfDay = (now: number): number => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return Math.floor((((wallOfInstant(now, zone) % dayMs) + dayMs) % dayMs) / 60_000)
}
const dayMs = 86_400_000
const tagOf = ({ accountId, reminder }: Ringing): string => `${accountId}\n${reminder.key}`

/** Reminders that ring, and other notifications: by the system, and as cards in the window. */
export class Reminders {
  readonly #about: RemindersOptions
  readonly #files: ReminderFiles
  readonly #choice: NotificationChoice
  readonly scheduler: ReminderScheduler
  /** Runs in progress. Only their end is worth a notification. */
  readonly #running = new Set<string>()
  #attention = 0

  private constructor(
    about: RemindersOptions,
    files: ReminderFiles,
    choice: NotificationChoice,
    stored: Awaited<ReturnType<ReminderFiles['read']>>,
  ) {
    this.#about = about
    this.#files = files
    this.#choice = choice
    this.scheduler = new ReminderScheduler(
      about.clock,
      {
        settings: () => choice.values,
        minuteOfDay: (now) => minuteOfDay(now),
        ring: (ringing, quiet) => void this.#ring(ringing, quiet),
        summarize: (missed, quiet) => void this.#summarize(missed, quiet),
        changed: () => this.#changed(),
        keep: (accountId) => {
          const schedule = this.scheduler.schedule(accountId)
          if (schedule) files.keep(accountId, schedule)
          about.changed()
        },
        wait: (ms, run) => {
          const timer = setTimeout(run, ms)
          return () => clearTimeout(timer)
        },
      },
      stored,
    )
  }

  static async open(about: RemindersOptions): Promise<Reminders> {
    const files = new ReminderFiles(about.userData)
    const [choice, stored] = await Promise.all([NotificationChoice.open(about.userData), files.read()])
    return new Reminders(about, files, choice, stored)
  }

  get settings(): NotificationSettings {
    return this.#choice.values
  }

  /** Events of all accounts that aren’t over, by start. */
  get agenda(): (AgendaItem & { accountId: string })[] {
    const { accounts } = this.scheduler
    return accounts
      .flatMap((accountId) =>
        (this.scheduler.schedule(accountId)?.agenda ?? []).map((item) => ({ ...item, accountId })),
      )
      .sort((a, b) => a.start - b.start)
  }

  /** @throws FaultError `storage` */
  async change(patch: Partial<NotificationSettings>): Promise<NotificationSettings> {
    const values = await this.#choice.change(patch)
    this.#about.announce('notifications/changed', values)
    this.scheduler.check()
    return values
  }

  /** @returns the reason why the system shows no notifications, or an empty string */
  test(): Promise<string> {
    return this.#about.notify({
      title: 'Notifications work',
      body: 'Reminders will look like this.',
      silent: !this.settings.sound,
      actions: [],
      onclick: () => this.#about.show(),
      onaction: () => undefined,
    })
  }

  /** Notifies of a run that ended while no one was looking. */
  runChanged(run: Run): void {
    const { id, state, accountId } = run
    if (!isOver(state)) {
      this.#running.add(id)
      return
    }
    if (!this.#running.delete(id) || state === 'stopped' || !this.settings.reports) return
    const title = state === 'kept' ? `“${run.name}” is ready` : `“${run.name}” has no results`
    const body = state === 'kept' ? 'Its results are on this computer.' : run.words
    this.#tell({ title, body }, { view: 'reports', params: {}, accountId })
  }

  /** Notifies of changes that need attention, if there are more than before. */
  needAttention(count: number): void {
    const more = count > this.#attention
    this.#attention = count
    if (!more || !this.settings.attention) return
    const title = count === 1 ? '1 change needs attention' : `${count.toLocaleString('en')} changes need attention`
    this.#tell({ title, body: 'Open Sync to see why.' }, { view: 'sync', params: {} })
  }

  /** Notifies again of a task that couldn’t be completed. Its reminder still rings. */
  failed(accountId: string, key: string, why: string): void {
    const ringing = this.scheduler.ringing.find((one) => one.accountId === accountId && one.reminder.key === key)
    if (ringing) void this.#notify(ringing, failureOf('complete', ringing, why))
  }

  forget(accountId: string): void {
    this.scheduler.forget(accountId)
    this.#files.forget(accountId)
  }

  async close(): Promise<void> {
    this.scheduler.close()
    await this.#files.settled()
  }

  #tell(note: Note, place: Announcements['reminders/view']): void {
    if (!this.settings.on || this.#about.focused() || this.#isQuiet()) return
    void this.#about.notify({
      ...note,
      silent: !this.settings.sound,
      actions: [],
      onclick: () => {
        this.#about.show()
        this.#about.announce('reminders/view', place)
      },
      onaction: () => undefined,
    })
  }

  #isQuiet(): boolean {
    return isQuiet(this.settings.quiet, minuteOfDay(this.#about.clock.now()))
  }

  async #ring(ringing: Ringing, quiet: boolean): Promise<void> {
    if (!quiet) await this.#notify(ringing, noteOf(ringing, this.#about.clock.now()))
  }

  async #notify(ringing: Ringing, note: Note): Promise<void> {
    const { accountId, reminder } = ringing
    const acts: [label: string, run: () => void][] = []
    if (reminder.join !== undefined) acts.push(['Join', () => void this.#join(ringing)])
    if (reminder.kind === 'task')
      acts.push(['Complete', () => this.#about.announce('reminders/complete', { accountId, reminder })])
    acts.push(['Snooze 5 min', () => this.scheduler.snooze(accountId, reminder.key, 5)])
    await this.#about.notify({
      ...note,
      tag: tagOf(ringing),
      silent: !this.settings.sound,
      actions: acts.map(([label]) => label),
      onclick: () => {
        this.#about.show()
        this.#about.announce('reminders/open', { accountId, item: reminder })
      },
      onaction: (index) => acts[index]?.[1](),
    })
  }

  async #summarize(missed: readonly Ringing[], quiet: boolean): Promise<void> {
    if (quiet) return
    await this.#about.notify({
      ...summaryOf(missed),
      silent: !this.settings.sound,
      actions: [],
      onclick: () => this.#about.show(),
      onaction: () => undefined,
    })
  }

  async #join(ringing: Ringing): Promise<void> {
    const { accountId, reminder } = ringing
    try {
      if (reminder.join !== undefined) await this.#about.openLink(reminder.join)
      this.scheduler.dismiss([{ accountId, key: reminder.key }])
    } catch (error) {
      await this.#notify(ringing, failureOf('join', ringing, faultOf(error).message))
    }
  }

  #changed(): void {
    this.#about.keepNotes(new Set(this.scheduler.ringing.map(tagOf)))
    this.#about.announce('reminders/ringing', { ringing: [...this.scheduler.ringing] })
    this.#about.changed()
  }
}
