import { dateOfWall } from '#shared/time/zones'
import { Question, type Days } from './items'
import type { Found, Line } from './line'

export const dayMs = 86_400_000
export const weekdayOf = (day: number): number => new Date(day).getUTCDay()
const mondayOf = (day: number): number => day - ((weekdayOf(day) + 6) % 7) * dayMs
export const comingWeekday = (weekday: number, day: number): number =>
  day + ((weekday - weekdayOf(day) + 7) % 7) * dayMs

export const shortMonths = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const shortWeekdays = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ')
/** `Fri 4 Dec 2026` */
export const dayWords = (day: number): string => {
  const date = new Date(day)
  return `${shortWeekdays[date.getUTCDay()]} ${date.getUTCDate()} ${shortMonths[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** Days as typed, from one to another: `2026-06-11 - 2026-06-12`. */
export const daysText = (first: number, last: number): string => `${dateOfWall(first)} - ${dateOfWall(last)}`

/** @throws Question when the month has no such day. */
function realDay(year: number, month: number, date: number): number {
  const day = Date.UTC(year, month, date)
  if (new Date(day).getUTCMonth() !== month || new Date(day).getUTCDate() !== date || year < 1900 || year > 2199)
    throw new Question('That date doesn’t exist')
  return day
}

/** A day that dates without a year or a month are close to, rather after than before it, but not after `latest`. */
export interface ReferenceDay {
  around: number
  latest?: number | undefined
}

/**
 * Of days in order, the one close to the reference day, by default the next from today. Earlier days count as twice as far, since
 * plans move later more often than earlier.
 */
export function closestDay(
  days: readonly number[],
  today: number,
  reference: ReferenceDay | undefined,
): number | undefined {
  if (!reference) return days.find((day) => day >= today)
  const { around, latest = Infinity } = reference
  const distance = (day: number): number => (day < around ? 2 * (around - day) : day - around)
  return days.filter((day) => day <= latest).sort((a, b) => distance(a) - distance(b))[0]
}

/**
 * The date of a day and month, of which the year may be missing.
 * @throws Question
 */
export function dated(
  date: number,
  month: number,
  year: number | undefined,
  today: number,
  reference?: ReferenceDay,
): number {
  if (year !== undefined) return realDay(year, month, date)
  const near = new Date(reference?.around ?? today).getUTCFullYear()
  const days = Array.from({ length: 17 }, (_, index) => Date.UTC(near + index - 8, month, date))
  const day = closestDay(
    days.filter((one) => new Date(one).getUTCDate() === date && new Date(one).getUTCMonth() === month),
    today,
    reference,
  )
  if (day === undefined) throw new Question('That date doesn’t exist')
  return day
}

/**
 * The same date in a later month.
 * @param to where the words end that say so
 * @throws Question if that month is shorter
 */
export function addMonths(day: number, months: number, to?: number): number {
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const last = lastOfMonth(year, month)
  if (date.getUTCDate() > new Date(last).getUTCDate())
    throw new Question(`That month ends on ${dayWords(last)}. Enter the date`, undefined, to, [dateOfWall(last)])
  return realDay(year + Math.floor(month / 12), ((month % 12) + 12) % 12, date.getUTCDate())
}

export const lastOfMonth = (year: number, month: number): number => Date.UTC(year, month + 1, 0)

/** `20.12.`, `2026-12-20`, `12/20`, `20 Dec [2026]`, `Dec 20[, 2026]`: a date by its number. @throws Question */
export interface Numbered {
  date: number
  month: number
  year?: number
}
export function numberedDate(line: Line, at: number): Found<Numbered> | null {
  const shape = line.tokens[at]?.shape
  if (shape?.is === 'date') {
    const { day: date, month, year } = shape
    if (month < 0 || month > 11) throw new Question('That date doesn’t exist', at, at + 1)
    return { to: at + 1, value: { date, month, ...(year !== undefined && { year }) } }
  }
  if (shape?.is === 'slashed') {
    const { first: a, second: b, year } = shape
    if (a <= 12 && b <= 12 && a !== b && a > 0 && b > 0)
      throw new Question(
        `${line.said(at, at + 1)} could be two dates. Enter ${a} ${shortMonths[b - 1]} or ${b} ${shortMonths[a - 1]}`,
        at,
        at + 1,
        [`${a} ${shortMonths[b - 1]}`, `${b} ${shortMonths[a - 1]}`],
      )
    const [date, month] = a > 12 ? [a, b] : [b, a]
    if (month < 1 || month > 12) throw new Question('That date doesn’t exist', at, at + 1)
    return { to: at + 1, value: { date, month: month - 1, ...(year !== undefined && { year }) } }
  }
  // 24.12 without its final dot, where it can't be a time.
  if (
    shape?.is === 'dotted' &&
    !shape.half &&
    (shape.first > 23 || shape.second > 59) &&
    shape.second <= 12 &&
    shape.first <= 31
  )
    return { to: at + 1, value: { date: shape.first, month: shape.second - 1 } }
  const date = dayNumber(line, at)
  if (date) {
    const of = line.skip(date.to, 'of') ?? date.to
    const month = line.find(of, 'month')
    if (month) return withYear(line, month.to, date.value, month.value)
  }
  const month = line.find(at, 'month')
  if (!month) return null
  const after = dayNumber(line, line.past(line.low(month.to) === '.' ? month.to + 1 : month.to, 'the'))
  return after && withYear(line, after.to, after.value, month.value)
}

/** 1 to 31, also as "3rd" or "3.". */
export function dayNumber(line: Line, at: number): Found<number> | null {
  const number = line.shape(at, 'number')
  if (number)
    return number.digits <= 2 && number.value >= 1 && number.value <= 31 ? { to: at + 1, value: number.value } : null
  const ordinal = line.find(at, 'ordinal')
  return ordinal && ordinal.value > 0 ? ordinal : null
}

function withYear(line: Line, at: number, date: number, month: number): Found<Numbered> {
  let to = line.low(at) === '.' && line.tokens[at]!.glued ? at + 1 : at
  const year = line.shape(line.low(to) === ',' ? to + 1 : to, 'number')
  if (year && !year.ordinal && year.digits === 4 && year.value >= 2000 && year.value < 2100)
    return { to: (line.low(to) === ',' ? to + 1 : to) + 1, value: { date, month, year: year.value } }
  if (to > at && to === line.tokens.length) to = at
  return { to, value: { date, month } }
}

/** A weekday by name. Short forms that are also other words count only in the position of a day. */
export function weekday(line: Line, at: number, sure = false): Found<number> | null {
  const named = line.find(at, 'weekday')
  if (named) return dotted(line, named)
  const doubtful = line.find(at, 'doubtful')
  if (!doubtful || (!sure && !standsLikeADay(line, at))) return null
  return dotted(line, doubtful)
}

const dotted = (line: Line, found: Found<number>): Found<number> =>
  line.low(found.to) === '.' && line.tokens[found.to]!.glued ? { ...found, to: found.to + 1 } : found

function standsLikeADay(line: Line, at: number): boolean {
  const { text, low, to } = line.tokens[at]!
  // German ones ("Do", "So", "Mi") are written with a capital; "do" and "so" are English words.
  if (low.length === 2 && text[0] === low[0]) return false
  let next = at + 1
  if (line.low(next) === '.' || line.low(next) === ',') next++
  if (next >= line.tokens.length) return at > 0
  // "Lunch Sat with Sam", but "dad sat with Sam".
  if (/^(with|w|mit|@)$/.test(line.low(next)) && text[0] !== low[0]) return at > 0
  const range = line.dash(next) ?? line.skip(next, 'to')
  if (range !== null) return line.find(range, 'weekday') !== null || line.find(range, 'doubtful') !== null
  const shape = line.tokens[next]!.shape.is
  if (shape !== 'word' && shape !== 'mark' && shape !== 'literal') return true
  if (line.text.slice(to).startsWith('’s') || line.text.slice(to).startsWith("'s")) return false
  return (
    line.skip(next, 'at', 'from', 'part', 'noon', 'month', 'pastHour', 'between', 'allday', 'until', 'next', 'day') !==
    null
  )
}

/** Asks which of two days is meant. */
const oneOf = ({ line, from, to }: Words, ...days: readonly [number, number]): Question =>
  new Question(
    `“${line.said(from, to)}” could be ${days.map(dayWords).join(' or ')}. Enter the date`,
    from,
    to,
    days.map(dateOfWall),
  )

/** Tokens of a line. */
interface Words {
  line: Line
  from: number
  to: number
}

/**
 * "Next Friday" on a Tuesday means different days to different people.
 * @throws Question
 */
export function nextWeekday(weekday: number, today: number, said: Words): Days {
  const coming = comingWeekday(weekday, today)
  if (mondayOf(coming) !== mondayOf(today)) return { first: coming, relative: true }
  const after = coming + 7 * dayMs
  throw oneOf(said, coming, after)
}

/** A weekday of next week, where weeks from Monday and from Sunday agree. @throws Question */
export function inNextWeek(weekday: number, today: number, said: Words): Days {
  const fromMonday = mondayOf(today) + (7 + ((weekday + 6) % 7)) * dayMs
  const fromSunday = today + (7 - weekdayOf(today) + weekday) * dayMs
  if (fromMonday === fromSunday) return { first: fromMonday, relative: true }
  throw oneOf(said, Math.min(fromMonday, fromSunday), Math.max(fromMonday, fromSunday))
}
