/**
 * Words for dates and times. A `wall` is a wall-clock reading as if it were UTC, in epoch milliseconds; a `day` is the
 * wall reading of a midnight. Nothing here knows time zones.
 */
export const dayMs = 86_400_000
export const minuteMs = 60_000

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

/** The same date `count` months on; the 31st becomes the last day of a shorter month. */
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

/** `Tue 14 Jul`, with the year when it is not `thisYear`. */
export function shortDate(day: number, thisYear?: number): string {
  const year = thisYear !== undefined && yearOf(day) !== thisYear ? ` ${yearOf(day)}` : ''
  return `${weekdayShort(day)} ${dateOf(day)} ${monthShort(day)}${year}`
}

/** `Tuesday 14 July`, with the year when it is not `thisYear`. */
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

/** `14:00 to 14:30`, or with dates when it ends on another day. */
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

/** The same where room is short: `8 – 14 Jun`, `29 Jun – 5 Jul`, `Wed 10 Jun`; the year only when it is not `thisYear`. */
export function shortRangeTitle(first: number, last: number, thisYear: number): string {
  if (first === last) return shortDate(first, thisYear)
  const year = (day: number): string => (yearOf(day) === thisYear ? '' : ` ’${String(yearOf(day)).slice(-2)}`)
  const end = `${dateOf(last)} ${monthShort(last)}${year(last)}`
  if (yearOf(first) !== yearOf(last)) return `${dateOf(first)} ${monthShort(first)}${year(first)} – ${end}`
  return monthOf(first) === monthOf(last)
    ? `${dateOf(first)} – ${end}`
    : `${dateOf(first)} ${monthShort(first)} – ${end}`
}

/**
 * Reads what people type into a date field: `2026-07-14`, `14.7.`, `14 jul`, `jul 14 2027`, `today`, `tomorrow`, `fri`,
 * `+3`, `in 2 weeks`. Dates without a year are the next such date from `today`. null: not understood, or two meanings.
 */
export function parseDay(text: string, today: number): number | null {
  const words = text.trim().toLowerCase().replace(/,/g, ' ').replace(/\s+/g, ' ')
  if (words === '') return null
  if (words === 'today' || words === 'now') return today
  if (words === 'tomorrow' || words === 'tom') return today + dayMs
  if (words === 'yesterday') return today - dayMs
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(words)
  if (iso) return validDay(+iso[1]!, +iso[2]! - 1, +iso[3]!)
  const relative = /^(?:in )?([+-]?)(\d{1,4}) ?(d|days?|w|weeks?|months?)?$/.exec(words)
  if (relative && (relative[1] || relative[3])) {
    const count = (relative[1] === '-' ? -1 : 1) * +relative[2]!
    const unit = relative[3] ?? 'd'
    return unit.startsWith('m') ? addMonths(today, count) : today + count * dayMs * (unit.startsWith('w') ? 7 : 1)
  }
  const weekday = weekdayIndex(words)
  if (weekday !== undefined) return today + ((weekday - weekdayOf(today) + 7) % 7) * dayMs
  const dotted = /^(\d{1,2})\.(\d{1,2})\.?(\d{4})?$/.exec(words)
  if (dotted) return nextDate(+dotted[1]!, +dotted[2]! - 1, dotted[3], today)
  const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(words)
  if (slashed) {
    const [a, b] = [+slashed[1]!, +slashed[2]!]
    if (a <= 12 && b <= 12 && a !== b) return null
    return a > 12 ? nextDate(a, b - 1, slashed[3], today) : nextDate(b, a - 1, slashed[3], today)
  }
  const dayFirst = /^(?:[a-z]+ )?(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\.?(?: (\d{4}))?$/.exec(words)
  if (dayFirst) return withMonth(dayFirst[1]!, dayFirst[2]!, dayFirst[3], today)
  const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/.exec(words)
  if (monthFirst) return withMonth(monthFirst[2]!, monthFirst[1]!, monthFirst[3], today)
  return null
}

export function weekdayIndex(word: string): number | undefined {
  if (word.length < 3) return undefined
  const index = weekdayNames.findIndex(
    (name) => name.toLowerCase().startsWith(word) || (word === 'thurs' && name === 'Thursday'),
  )
  return index < 0 ? undefined : index
}

function withMonth(date: string, month: string, year: string | undefined, today: number): number | null {
  const index = monthNames.findIndex(
    (name) => name.toLowerCase().startsWith(month) || (month === 'sept' && name === 'September'),
  )
  return index < 0 ? null : nextDate(+date, index, year, today)
}

function nextDate(date: number, month: number, year: string | undefined, today: number): number | null {
  if (year) return validDay(+year, month, date)
  for (let candidate = yearOf(today); candidate < yearOf(today) + 9; candidate++) {
    const day = validDay(candidate, month, date)
    if (day !== null && day >= today) return day
  }
  return null
}

function validDay(year: number, month: number, date: number): number | null {
  const day = dayFrom(year, month, date)
  return monthOf(day) === month && dateOf(day) === date ? day : null
}

/** Reads a time of day: `9`, `930`, `9:30`, `9.30`, `2pm`, `14:05`, `noon`. Answers minutes after midnight, or null. */
export function parseClock(text: string): number | null {
  const words = text.trim().toLowerCase()
  if (words === 'noon') return 720
  if (words === 'midnight') return 0
  const match = /^(\d{1,2})(?:[:.h]?(\d{2}))? ?(a|p|am|pm|a\.m\.|p\.m\.)?$/.exec(words)
  if (!match) return null
  let hour = +match[1]!
  const minute = +(match[2] ?? 0)
  if (match[3]) {
    if (hour < 1 || hour > 12) return null
    hour = (hour % 12) + (match[3].startsWith('p') ? 12 : 0)
  }
  return hour > 23 || minute > 59 ? null : hour * 60 + minute
}
