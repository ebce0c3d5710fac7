import { isQuiet } from '#shared/domain/reminders'
import {
  mutedCalendar,
  type Coming,
  type NotificationSettings,
  type Reminder,
  type Ringing,
} from '#shared/ipc/reminder-questions'
import type { Clock } from '#shared/time/clock'

/** Delay in milliseconds after which a reminder counts as missed, because the computer slept or its clock was changed. */
const lateMs = 60_000
/** Maximum number of reminders to show one by one. More are shown as a summary. */
const maxAtOnce = 5
/** Maximum time between two checks of the clock, which may be changed at any time. */
const maxPauseMs = 10_000
/** Milliseconds before an event in which a late reminder still rings. */
const soonMs = 15 * 60_000
/** Milliseconds for which keys of reminders that rang stay stored. */
const keptMs = 14 * 86_400_000
const maxRinging = 100

/** Everything a scheduler knows about an account, as it’s stored. */
export interface Schedule extends Coming {
  /** Keys of reminders that rang, with their times. */
  rang: Record<string, number>
  /** Keys of snoozed reminders, with the moment at which they ring again. */
  snoozed: Record<string, number>
}

export interface ReminderPort {
  settings(): NotificationSettings
  /** Minute of the day on this computer. */
  minuteOfDay(now: number): number
  /** `quiet`: show it in the window only. */
  ring(ringing: Ringing, quiet: boolean): void
  /** Shows several missed reminders as one. */
  summarize(missed: readonly Ringing[], quiet: boolean): void
  /** The list of ringing reminders changed. */
  changed(): void
  /** An account’s schedule changed and must be stored. */
  keep(accountId: string): void
  /** Runs something after some milliseconds. Returns a function that cancels it. */
  wait(ms: number, run: () => void): () => void
}

const leadOf = ({ key }: Reminder): string => key.slice(key.lastIndexOf('\n'))
/** True for reminders of one event with the same lead, whenever it starts. */
const isSame = (a: Reminder, b: Reminder): boolean => a.item === b.item && leadOf(a) === leadOf(b)

export const emptySchedule = (): Schedule => ({ from: 0, until: 0, reminders: [], agenda: [], rang: {}, snoozed: {} })

/**
 * Rings reminders at their minute, each once. Checks the wall clock at least every few seconds, to notice sleep and clock
 * changes. Missed reminders then come as one summary.
 */
export class ReminderScheduler {
  readonly #clock: Pick<Clock, 'now'>
  readonly #port: ReminderPort
  readonly #schedules: Map<string, Schedule>
  #ringing: Ringing[] = []
  #cancel: (() => void) | undefined

  constructor(clock: Pick<Clock, 'now'>, port: ReminderPort, stored: ReadonlyMap<string, Schedule> = new Map()) {
    this.#clock = clock
    this.#port = port
    this.#schedules = new Map(stored)
  }

  get ringing(): readonly Ringing[] {
    return this.#ringing
  }

  schedule(accountId: string): Schedule | undefined {
    return this.#schedules.get(accountId)
  }

  get accounts(): readonly string[] {
    return [...this.#schedules.keys()]
  }

  /** Replaces the coming reminders of an account. Ones that are no longer listed stop ringing. */
  set(accountId: string, coming: Coming): void {
    const now = this.#clock.now()
    const before = this.#schedules.get(accountId) ?? emptySchedule()
    const known = new Set(before.reminders.map(({ key }) => key))
    const listed = new Map(coming.reminders.map((one) => [one.key, one]))
    const rang: Record<string, number> = {}
    for (const [key, at] of Object.entries(before.rang)) if (at > now - keptMs) rang[key] = at
    for (const { key, at, kind, start } of coming.reminders) {
      if (at > now || known.has(key) || key in rang) continue
      if (kind !== 'event' || start <= now || start - now > soonMs) rang[key] = at
    }
    // A moved event has other keys. Its ringing reminder stays, unless the event rings again anyway.
    const movedTo = new Map<string, Reminder>()
    const ofAccount = this.#ringing.filter((one) => one.accountId === accountId).map(({ reminder }) => reminder)
    for (const old of [...ofAccount, ...before.reminders.filter(({ key }) => key in before.snoozed)]) {
      if (old.kind !== 'event' || listed.has(old.key)) continue
      const next = coming.reminders.find((one) => isSame(one, old) && one.at <= now && one.end > now)
      if (!next) continue
      movedTo.set(old.key, next)
      rang[next.key] = next.at
    }
    // Older reminders aren't listed, and stay until someone dismisses them.
    const isGone = ({ key, at }: Reminder): boolean => at >= coming.from && !listed.has(key) && !movedTo.has(key)
    const older = before.reminders.filter(
      (one) => (one.at < coming.from || one.at > coming.until) && one.key in before.snoozed && !listed.has(one.key),
    )
    const reminders = [...older, ...coming.reminders]
    const there = new Set(reminders.map(({ key }) => key))
    const snoozed: Record<string, number> = {}
    for (const [key, until] of Object.entries(before.snoozed)) {
      const next = movedTo.get(key)
      const untilStart = before.reminders.some((one) => one.key === key && one.start === until)
      if (next) snoozed[next.key] = untilStart ? next.start : until
      else if (there.has(key)) snoozed[key] = until
    }
    this.#schedules.set(accountId, { ...coming, reminders, rang, snoozed })
    const ringing = this.#ringing
      .filter((one) => one.accountId !== accountId || !isGone(one.reminder))
      .map((one) =>
        one.accountId === accountId
          ? { ...one, reminder: movedTo.get(one.reminder.key) ?? listed.get(one.reminder.key) ?? one.reminder }
          : one,
      )
    const changed = JSON.stringify(ringing) !== JSON.stringify(this.#ringing)
    this.#ringing = ringing
    this.#port.keep(accountId)
    if (changed) this.#port.changed()
    this.check()
  }

  /** Forgets an account that was removed. */
  forget(accountId: string): void {
    this.#schedules.delete(accountId)
    this.#drop((one) => one.accountId === accountId)
  }

  dismiss(chosen: readonly { accountId: string; key: string }[]): void {
    this.#drop((one) => chosen.some(({ accountId, key }) => one.accountId === accountId && one.reminder.key === key))
  }

  /** Rings again after some minutes, or at the start. */
  snooze(accountId: string, key: string, minutes: number | 'start'): void {
    const schedule = this.#schedules.get(accountId)
    const reminder =
      this.#ringing.find((one) => one.accountId === accountId && one.reminder.key === key)?.reminder ??
      schedule?.reminders.find((one) => one.key === key)
    if (!schedule || !reminder) return
    const now = this.#clock.now()
    const until = minutes === 'start' ? Math.max(reminder.start, now + 1) : now + minutes * 60_000
    schedule.snoozed[key] = until
    if (!schedule.reminders.some((one) => one.key === key)) schedule.reminders.push(reminder)
    this.#port.keep(accountId)
    this.dismiss([{ accountId, key }])
    this.check()
  }

  /** Rings due reminders and waits for the next one. Call at the start, after sleep, and after settings change. */
  check(): void {
    this.#cancel?.()
    const now = this.#clock.now()
    const onTime: Ringing[] = []
    const missed: Ringing[] = []
    let next = now + maxPauseMs
    for (const [accountId, schedule] of this.#schedules) {
      let rangAny = false
      for (const reminder of schedule.reminders) {
        const { key } = reminder
        const again = schedule.snoozed[key]
        if (again === undefined && key in schedule.rang) continue
        const at = again ?? reminder.at
        if (at > now) {
          next = Math.min(next, at)
          continue
        }
        rangAny = true
        schedule.rang[key] = Math.max(reminder.at, at)
        delete schedule.snoozed[key]
        if (!this.#isWanted(accountId, reminder)) continue
        const late = now - at >= lateMs
        ;(late ? missed : onTime).push({ accountId, reminder, missed: late })
      }
      if (rangAny) this.#port.keep(accountId)
    }
    this.#cancel = this.#port.wait(Math.max(next - now, 1), () => this.check())
    if (onTime.length + missed.length > 0) this.#ring(onTime, missed, now)
  }

  close(): void {
    this.#cancel?.()
  }

  #ring(onTime: Ringing[], missed: Ringing[], now: number): void {
    const quiet = isQuiet(this.#port.settings().quiet, this.#port.minuteOfDay(now))
    const all = [...missed, ...onTime]
    this.#ringing = [...this.#ringing, ...all].slice(-maxRinging)
    const single = missed.length === 1 ? [...missed, ...onTime] : onTime
    const together = missed.length > 1 ? missed : []
    if (single.length > maxAtOnce) this.#port.summarize([...together, ...single], quiet)
    else {
      if (together.length > 0) this.#port.summarize(together, quiet)
      for (const one of single) this.#port.ring(one, quiet)
    }
    this.#port.changed()
  }

  #isWanted(accountId: string, { kind, calendar }: Reminder): boolean {
    const { on, events, tasks, muted } = this.#port.settings()
    if (!on) return false
    return kind === 'task' ? tasks : events && !muted.includes(mutedCalendar(accountId, calendar))
  }

  #drop(isGone: (one: Ringing) => boolean): void {
    const left = this.#ringing.filter((one) => !isGone(one))
    if (left.length === this.#ringing.length) return
    this.#ringing = left
    this.#port.changed()
  }
}
