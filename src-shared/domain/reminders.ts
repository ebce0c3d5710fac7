import { isJsonObject, type Json } from '#shared/json'
import { instantOfWall } from '#shared/time/zones'

/** Reminders of events and tasks: which there are, when they ring, and how far away something is in words. */

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
/** The service’s limit: four weeks. */
export const maxLeadMs = 40_320 * minuteMs

/** Minutes of the day between which a reminder of an all-day event may ring. */
const waking = { from: 7 * 60, to: 22 * 60 }
const morning = 9 * 60
const eveningBefore = 17 * 60

/** Something that a reminder is about. Times are epoch milliseconds, all-day ones the UTC midnights of their dates. */
export interface Reminded {
  /** Key of the item on screen, such as an occurrence’s. */
  item: string
  start: number
  allDay: boolean
}

export interface ReminderTime {
  /** Equal in every zone, so that nothing rings twice while traveling. A moved event has other keys. */
  key: string
  /** Epoch milliseconds. */
  at: number
}

/**
 * Minutes before the start at which an event reminds, without emails, in ascending order.
 * @param reminders the event’s own, or undefined
 * @param defaults those of its calendar
 */
export function leadMinutes(reminders: Json | undefined, defaults: Json | undefined): number[] {
  const own = isJsonObject(reminders) && reminders['useDefault'] !== true
  const list = own ? reminders['overrides'] : defaults
  if (!Array.isArray(list)) return []
  const minutes = list.flatMap((one) => {
    if (!isJsonObject(one) || one['method'] === 'email') return []
    const before = one['minutes'] ?? 0
    return typeof before === 'number' && Number.isInteger(before) && before >= 0 && before * minuteMs <= maxLeadMs
      ? [before]
      : []
  })
  return [...new Set(minutes)].sort((a, b) => a - b)
}

/**
 * Times of an event’s reminders. Those of an all-day event that would ring at night ring at 9:00 of the day, or at 17:00
 * of the day before if they are a day or more ahead.
 */
export function eventReminders(event: Reminded, minutes: readonly number[], zone: string): ReminderTime[] {
  const seen = new Set<number>()
  return minutes.flatMap((before) => {
    const at = event.allDay ? instantOfWall(allDayWall(event.start, before), zone) : event.start - before * minuteMs
    if (seen.has(at)) return []
    seen.add(at)
    return [{ key: `${event.item}\n${event.start}\n${before}`, at }]
  })
}

/** Wall-clock time of an all-day event’s reminder, counted back from midnight of its first day. */
export function allDayWall(day: number, minutes: number): number {
  const wall = day - minutes * minuteMs
  const ofDay = (wall - Math.floor(wall / dayMs) * dayMs) / minuteMs
  if (ofDay >= waking.from && ofDay < waking.to) return wall
  const days = Math.floor(minutes / 1440)
  return days === 0 ? day + morning * minuteMs : day - days * dayMs + eveningBefore * minuteMs
}

/**
 * Reminder of a task that’s due on a day.
 * @param dueAt minutes of the day for tasks without a time
 * @param own minutes of the day of this task. A reminder at another time has another key
 */
export function taskReminder(item: string, day: number, dueAt: number, zone: string, own?: number): ReminderTime {
  if (own !== undefined) return { key: `${item}\n${day}\n${own}`, at: instantOfWall(day + own * minuteMs, zone) }
  return { key: `${item}\n${day}`, at: instantOfWall(day + dueAt * minuteMs, zone) }
}

/** `5 min`, `1 h 30 min`, `2 days`. */
export function spanWords(ms: number): string {
  const minutes = Math.round(ms / minuteMs)
  if (minutes < 60) return `${minutes} min`
  if (minutes < 1440) {
    const rest = minutes % 60
    return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`
  }
  const days = Math.round(ms / dayMs)
  return days === 1 ? '1 day' : `${days} days`
}

/**
 * How far away something is: `in 10 min`, `now`, `started 7 min ago`, `ended`, `tomorrow`, and of a task `due today`.
 * @param about `start` and `end` in epoch milliseconds, of an all-day event those of its local midnights. A task ends with
 * the day on which it’s due
 */
export function awayWords(
  about: { start: number; end: number; allDay: boolean; kind?: 'event' | 'task' },
  now: number,
): string {
  const { start, end, allDay, kind } = about
  if (kind === 'task') return now < end ? 'due today' : 'overdue'
  if (now >= end && end > start) return 'ended'
  if (allDay) {
    if (start <= now) return 'today'
    // A day with a clock change has up to 25 hours.
    return start - now <= dayMs + hourMs ? 'tomorrow' : `in ${Math.ceil((start - now - hourMs) / dayMs)} days`
  }
  const minutes = Math.round((start - now) / minuteMs)
  if (minutes === 0) return 'now'
  return minutes > 0 ? `in ${spanWords(start - now)}` : `started ${spanWords(now - start)} ago`
}

/** True within quiet hours, which may go past midnight. All are minutes of the day. */
export const isQuiet = (quiet: { from: number; to: number } | null, minute: number): boolean =>
  quiet !== null &&
  (quiet.from <= quiet.to ? minute >= quiet.from && minute < quiet.to : minute >= quiet.from || minute < quiet.to)
