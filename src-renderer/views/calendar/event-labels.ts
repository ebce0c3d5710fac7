import type { Fixed } from '#shared/domain/guest-rights'
import { allDayWall } from '#shared/domain/reminders'
import { counted } from '../../ui/counted'
import {
  clockText,
  dateOf,
  dayMs,
  dayOf,
  durationText,
  longDate,
  minuteMs,
  monthShort,
  shortDate,
  spanText,
} from '../../ui/dates'
import { markWords } from '../../ui/marks'
import type { Entry } from './layout/entry'
import type { Span } from './layout/drag'

export interface WordContext {
  hour12: boolean
  thisYear: number
}

/** Why the organizer’s fields of an event can’t be changed. `what`: its title, or `this event`. */
export const fixedWords: Readonly<Record<Fixed, (what: string) => string>> = {
  guest: (what) => `Only the organizer can change ${what}`,
  locked: (what) => `The organizer locked ${what}`,
}

/** `14:00 to 14:30`, `all day`, `all day until Fri 17 Jul`; where clocks go back, `02:45 to 02:15 (30 min)`. */
export function timeWords(span: Span, { hour12, thisYear }: WordContext): string {
  const { clockEnd } = span
  if (clockEnd !== undefined)
    return `${spanText(span.start, clockEnd, hour12)} (${durationText(span.end - span.start)})`
  if (!span.allDay) return spanText(span.start, span.end, hour12)
  const last = span.end - dayMs
  return last <= span.start ? 'all day' : `all day until ${shortDate(last, thisYear)}`
}

/** `Tuesday 14 July, 14:00 to 14:30`. */
export function whenWords(span: Span, context: WordContext): string {
  return `${longDate(dayOf(span.start), context.thisYear)}, ${timeWords(span, context)}`
}

/** `Due Monday 16 November, 15:00 · 5 days late`. */
export function dueWords(entry: Entry, today: number, { thisYear, hour12 }: WordContext): string {
  const late = entry.done ? 0 : Math.round((today - entry.start) / dayMs)
  const time = entry.dueTime === undefined ? '' : `, ${clockText(entry.dueTime * minuteMs, hour12)}`
  const due = `Due ${longDate(entry.start, thisYear)}${time}`
  return late > 0 ? `${due} · ${counted(late, 'day')} late` : due
}

/** `Tuesday 14:00 to 14:30` for nearby dates, for announced receipts. */
export function receiptWhen(span: Span, context: WordContext): string {
  const day = longDate(dayOf(span.start), context.thisYear)
  return span.allDay ? `${day}, ${timeWords(span, context)}` : `${day} ${timeWords(span, context)}`
}

/** `−5 h`, `+3 h 30 min`, `±0 h`. */
export const aheadText = (minutes: number): string =>
  minutes === 0 ? '±0 h' : `${minutes < 0 ? '−' : '+'}${durationText(Math.abs(minutes) * minuteMs)}`

/** `New York is 5 h behind on this day`. */
export const aheadWords = (city: string, minutes: number): string =>
  minutes === 0
    ? `No time difference with ${city} on this day`
    : `${city} is ${durationText(Math.abs(minutes) * minuteMs)} ${minutes < 0 ? 'behind' : 'ahead'} on this day`

const partOfDay = (hour: number): string =>
  hour < 5 ? 'night' : hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'

/**
 * Time of an all-day event's reminder: `Wed 24 Mar 17:00, the evening before`. Notifications never come at night, and
 * emails are the service's.
 */
export function reminderWhen(day: number, minutes: number, context: WordContext, method = 'popup'): string {
  const { hour12, thisYear } = context
  const wall = method === 'email' ? day - minutes * minuteMs : allDayWall(day, minutes)
  const part = partOfDay(Math.floor((wall - dayOf(wall)) / (60 * minuteMs)))
  const days = (day - dayOf(wall)) / dayMs
  const words =
    days === 0
      ? wall === day
        ? 'at the start of the day'
        : `in the ${part}`
      : days === 1
        ? `the ${part} before`
        : `${counted(days, 'day')} before, ${part === 'night' ? 'at' : 'in the'} ${part}`
  return `${shortDate(dayOf(wall), thisYear)} ${clockText(wall, hour12)}, ${words}`
}

export const titleOf = (title: string): string => title.trim() || '(No title)'

const responseWords = {
  needsAction: 'no reply yet',
  declined: 'declined',
  tentative: 'replied maybe',
  accepted: 'accepted',
} as const

const typeWords: Readonly<Record<string, string>> = {
  outOfOffice: 'out of office',
  focusTime: 'focus time',
  workingLocation: 'working location',
  birthday: 'birthday',
}

/** Accessible name of an entry with everything it shows: title, time, calendar, state, and overlaps. */
export function entryName(entry: Entry, calendar: string, overlaps: number, context: WordContext): string {
  const parts = [titleOf(entry.title), whenWords(entry, context), calendar]
  if (entry.task) parts.unshift(entry.done ? 'Completed task' : 'Task')
  if (entry.plans) parts.unshift(entry.done ? 'Time block of a completed task' : 'Time block')
  if (entry.dueTime !== undefined) parts.push(`due at ${clockText(entry.dueTime * minuteMs, context.hour12)}`)
  const event = entry.event
  if (event) {
    if (typeWords[event.eventType]) parts.push(typeWords[event.eventType]!)
    if (event.recurring) parts.push('repeats')
    if (event.response) parts.push(responseWords[event.response])
    if (event.status === 'tentative') parts.push('tentative')
    if (event.transparent) parts.push('shown as free')
  }
  if (overlaps > 0) parts.push(overlaps === 1 ? 'overlaps 1 other entry' : `overlaps ${overlaps} other entries`)
  parts.push(markWords[entry.mark])
  return parts.join(', ')
}

/** Names an empty place of the grid. */
export function slotName(day: number, minute: number | null, { hour12, thisYear }: WordContext): string {
  const date = longDate(day, thisYear)
  return minute === null ? date : `${date}, ${clockText(minute * 60_000, hour12)}, free`
}

/** `14 Jul` for a month's first cell, else `14`. */
export const cellNumber = (day: number, first: boolean): string =>
  first || dateOf(day) === 1 ? `${dateOf(day)} ${monthShort(day)}` : String(dateOf(day))

/** Time of an entry on one of its days: `from 22:15`, `until 07:40`, `all day`, `14:00 – 14:30`. */
export function dayTimeWords(entry: Entry, day: number, { hour12 }: WordContext): string {
  const begins = entry.start >= day
  const ends = entry.end <= day + dayMs
  if (entry.allDay || (entry.start <= day && entry.end >= day + dayMs)) return 'all day'
  const until = clockText(entry.clockEnd ?? entry.end, hour12)
  if (begins && ends) return `${clockText(entry.start, hour12)} – ${until}`
  return begins ? `from ${clockText(entry.start, hour12)}` : `until ${until}`
}

/** `In 2 days`, `In 45 min`, `Now, 12 min left`: how far an event is from now. */
export function distanceWords(
  { start, end, allDay, lastDay }: Pick<Entry, 'start' | 'end' | 'allDay' | 'lastDay'>,
  now: number,
): string {
  const today = dayOf(now)
  const [from, to] = [dayOf(start), lastDay]
  if (!allDay && start <= now && now < end)
    return `Now, ${durationText(Math.ceil((end - now) / minuteMs) * minuteMs)} left`
  if (allDay && from <= today && today <= to) return 'Today'
  if (!allDay && start > now && from === today)
    return `In ${durationText(Math.ceil((start - now) / minuteMs) * minuteMs)}`
  if (start <= now && to === today) return 'Earlier today'
  const days = (start > now ? from - today : to - today) / dayMs
  if (Math.abs(days) === 1) return days > 0 ? 'Tomorrow' : 'Yesterday'
  return days > 0 ? `In ${days} days` : `${-days} days ago`
}
