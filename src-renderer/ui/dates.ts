/**
 * Formats dates and times. A `wall` is a wall-clock time in epoch milliseconds, as if it were UTC. A `day` is the wall
 * of a midnight. This module doesn't know time zones.
 */
export const dayMs = 86_400_000
export const minuteMs = 60_000
export const hourMs = 3_600_000

export const dayOf = (wall: number): number => Math.floor(wall / dayMs) * dayMs
/** 0 is Sunday. */
export const weekdayOf = (day: number): number => new Date(day).getUTCDay()
export const yearOf = (day: number): number => new Date(day).getUTCFullYear()
/** 0 is January. */
export const monthOf = (day: number): number => new Date(day).getUTCMonth()
export const dateOf = (day: number): number => new Date(day).getUTCDate()
export const dayFrom = (year: number, month: number, date: number): number => Date.UTC(year, month, date)

/** The first day of the week that holds `day`; `weekStart` 0 is Sunday. */
export function startOfWeek(day: number, weekStart: number): number {
  return day - ((weekdayOf(day) - weekStart + 7) % 7) * dayMs
}

export const startOfMonth = (day: number): number => dayFrom(yearOf(day), monthOf(day), 1)
export const daysInMonth = (day: number): number => new Date(dayFrom(yearOf(day), monthOf(day) + 1, 0)).getUTCDate()

/** The same date `count` months later, or the last day of a shorter month. */
export function addMonths(day: number, count: number): number {
  const first = dayFrom(yearOf(day), monthOf(day) + count, 1)
  return first + (Math.min(dateOf(day), daysInMonth(first)) - 1) * dayMs
}

/** ISO 8601 week number. */
export function weekNumber(day: number): number {
  const thursday = startOfWeek(day, 1) + 3 * dayMs
  return 1 + Math.floor((thursday - dayFrom(yearOf(thursday), 0, 1)) / (7 * dayMs))
}

export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

export const weekdayName = (day: number): string => weekdayNames[weekdayOf(day)]!
export const weekdayShort = (day: number): string => weekdayName(day).slice(0, 3)
export const monthName = (day: number): string => monthNames[monthOf(day)]!
export const monthShort = (day: number): string => monthName(day).slice(0, 3)

/** Due dates that menus of tasks offer. A week starts on Monday, as work does. */
export const dueChoices = (today: number): { label: string; day: number }[] => [
  { label: 'Due today', day: today },
  { label: 'Due tomorrow', day: today + dayMs },
  { label: 'Due next week', day: startOfWeek(today, 1) + 7 * dayMs },
]

/** `Tue 14 Jul`, with the year unless it's `thisYear`. */
export function shortDate(day: number, thisYear?: number): string {
  const year = thisYear !== undefined && yearOf(day) !== thisYear ? ` ${yearOf(day)}` : ''
  return `${weekdayShort(day)} ${dateOf(day)} ${monthShort(day)}${year}`
}

/** `Tuesday 14 July`, with the year unless it's `thisYear`. */
export function longDate(day: number, thisYear?: number): string {
  const year = thisYear !== undefined && yearOf(day) !== thisYear ? ` ${yearOf(day)}` : ''
  return `${weekdayName(day)} ${dateOf(day)} ${monthName(day)}${year}`
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** `14:30`, or `2:30 pm`. `short` drops `:00` in the twelve-hour form. */
export function clockText(wall: number, hour12 = false, short = false): string {
  const minutes = Math.floor((wall - dayOf(wall)) / minuteMs)
  const hour = Math.floor(minutes / 60)
  const minute = minutes % 60
  if (!hour12) return `${two(hour)}:${two(minute)}`
  const clock = hour % 12 === 0 ? 12 : hour % 12
  return `${clock}${short && minute === 0 ? '' : `:${two(minute)}`} ${hour < 12 ? 'am' : 'pm'}`
}

/** `23:15 −1`: a time counted from midnight, in milliseconds, with the days that it's before or after that day. */
export function clockAndDay(time: number, hour12 = false): string {
  const days = Math.floor(time / dayMs)
  return `${clockText(time, hour12, true)}${days < 0 ? ` −${-days}` : days > 0 ? ` +${days}` : ''}`
}

/** `14:00 to 14:30`, with dates if it ends on another day. */
export function spanText(start: number, end: number, hour12 = false): string {
  const sameDay = dayOf(start) === dayOf(end) || end - start === dayMs - (start - dayOf(start))
  const endText = sameDay ? clockText(end, hour12) : `${shortDate(dayOf(end))} ${clockText(end, hour12)}`
  return `${clockText(start, hour12)} to ${endText}`
}

/** `45 min`, `1 h 30 min`, `2 days`. */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / minuteMs)
  if (minutes !== 0 && minutes % 1440 === 0) return minutes === 1440 ? '1 day' : `${minutes / 1440} days`
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** `a moment ago`, `5 min ago`, `3 h ago`, `2 days ago`, of instants. */
export function agoWords(at: number, now: number): string {
  const minutes = Math.floor((now - at) / minuteMs)
  if (minutes < 1) return 'a moment ago'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`
}

/** `July 2026`, `29 Jun – 5 Jul 2026`: the heading of a stretch of days, `last` inclusive. */
export function rangeTitle(first: number, last: number): string {
  if (first === last) return `${weekdayName(first)} ${dateOf(first)} ${monthName(first)} ${yearOf(first)}`
  if (yearOf(first) !== yearOf(last)) {
    return `${dateOf(first)} ${monthShort(first)} ${yearOf(first)} – ${dateOf(last)} ${monthShort(last)} ${yearOf(last)}`
  }
  if (monthOf(first) !== monthOf(last)) {
    return `${dateOf(first)} ${monthShort(first)} – ${dateOf(last)} ${monthShort(last)} ${yearOf(last)}`
  }
  return `${dateOf(first)} – ${dateOf(last)} ${monthName(first)} ${yearOf(first)}`
}

/** Short form: `8 – 14 Jun`, `29 Jun – 5 Jul`, `Wed 10 Jun`, with the year unless it's `thisYear`. */
export function shortRangeTitle(first: number, last: number, thisYear: number): string {
  if (first === last) return shortDate(first, thisYear)
  const year = (day: number): string => (yearOf(day) === thisYear ? '' : ` ’${String(yearOf(day)).slice(-2)}`)
  const end = `${dateOf(last)} ${monthShort(last)}${year(last)}`
  if (yearOf(first) !== yearOf(last)) return `${dateOf(first)} ${monthShort(first)}${year(first)} – ${end}`
  return monthOf(first) === monthOf(last)
    ? `${dateOf(first)} – ${end}`
    : `${dateOf(first)} ${monthShort(first)} – ${end}`
}
