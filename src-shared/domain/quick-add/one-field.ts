import { addMonths, comingWeekday, dayMs, dayNumber, closestDay, weekday, type ReferenceDay } from './dates'
import { oneDay } from './days'
import { single } from './hours'
import { Question, type Point } from './items'
import type { Found } from './line'
import { Line } from './line'
import { pointAt } from './times'
import { tokensOf } from './tokens'

/** Result of a field with a single value: its value, or an error message. */
export type FieldReading = { value: number } | { problem: string }

const noDay = 'Enter a date, such as 25 Jun, fri, or +3'
const noTime = 'Enter a time, such as 9:30 or 3pm'

/**
 * Reads one day, as the wall-clock time of its midnight: `2026-07-14`, `14 jul`, `tomorrow`, `fri`, `25` (the next such
 * date, unless `reference` is another day), `in 2 weeks`, and the short forms `+3`, `-1d`, `2w`, `+1 month`. Two dates are an error.
 */
export function readDay(text: string, today: number, reference?: ReferenceDay): FieldReading {
  return reading(noDay, () => {
    const short = shortDay(text.trim(), today)
    if (short !== null) return short
    const line = new Line(text, tokensOf(text, []))
    const at = line.past(line.past(0, 'on'), 'the')
    const number = dayNumber(line, at)
    if (number && ends(line, number)) return dateOfMonth(number.value, today, reference)
    // “sun” and “wed” are also other words, but not in a field for days.
    const named = weekday(line, at, true)
    if (named && ends(line, named))
      return comingWeekday(named.value, reference?.latest === undefined ? today : reference.latest - 6 * dayMs)
    const day = oneDay(line, at, today, reference)
    return day && ends(line, day) && day.value.last === undefined ? day.value.first : null
  })
}

/**
 * Reads one time of day in minutes after midnight, 1440 for 24:00: `9:30`, `930`, `3pm`, `noon`, `15h30`. Numbers use the
 * 24-hour clock. "quarter past 3" is in the afternoon.
 */
export function readTime(text: string): FieldReading {
  return reading(noTime, () => {
    const whole = text.replace(/(\d)\s*([ap])\.?\s*$/i, '$1$2m')
    const line = new Line(whole, tokensOf(whole, []))
    const point = pointAt(line, line.past(0, 'at'), true)
    if (!point || !ends(line, point)) return null
    if (point.value.zone) throw new Question('Set the time zone in its own field')
    return minutesOf(point.value)
  })
}

function reading(otherwise: string, read: () => number | null): FieldReading {
  try {
    const value = read()
    return value === null ? { problem: otherwise } : { value }
  } catch (error) {
    if (!(error instanceof Question)) throw error
    return { problem: error.message }
  }
}

const ends = (line: Line, { to }: Found<unknown>): boolean =>
  to === line.tokens.length || (to === line.tokens.length - 1 && /^[.,]$/.test(line.low(to)))

const units: Readonly<Record<string, number>> = { d: 1, w: 7 }

function shortDay(text: string, today: number): number | null {
  const match = /^([+-]?)\s?(\d{1,4})\s?(?:(d|w|m)|(d)ays?|(w)eeks?|(m)onths?)?$/i.exec(text)
  const unit = match && (match[3] ?? match[4] ?? match[5] ?? match[6])?.toLowerCase()
  if (!match || (!match[1] && !unit)) return null
  const count = Number(match[2]) * (match[1] === '-' ? -1 : 1)
  return unit === 'm' ? addMonths(today, count) : today + count * (units[unit ?? 'd'] ?? 1) * dayMs
}

function dateOfMonth(date: number, today: number, reference: ReferenceDay | undefined): number | null {
  const near = new Date(reference?.around ?? today)
  const days = Array.from({ length: 7 }, (_, index) =>
    Date.UTC(near.getUTCFullYear(), near.getUTCMonth() + index - 3, date),
  )
  return (
    closestDay(
      days.filter((day) => new Date(day).getUTCDate() === date),
      today,
      reference,
    ) ?? null
  )
}

const noHints = { evening: false, hour12: false }
const dayBegins = 7

function minutesOf(point: Point): number {
  const { hour, minute, form, half, part } = point
  if (form === 'midnight') return 0
  if (half || part || form === 'noon') return single(point, noHints)
  return (hour + (form === 'spoken' && hour < dayBegins ? 12 : 0)) * 60 + minute
}
