import { isAllDay, type EventTime } from '#shared/time/event-time'
import {
  parseRecurrenceLine,
  rulePart,
  untilInstant,
  untilText,
  weekdayCodes,
  withRulePart,
  type DateValue,
} from '#shared/time/recurrence-lines'
import { compactUtc, dateOfWall, instantOfWall, wallOfInstant } from '#shared/time/zones'

const dayMs = 86_400_000

/** Move of a series: its kind of time and zone before and after, and the shift of its wall-clock time. */
export interface Shift {
  from: EventTime
  to: EventTime
  /** Milliseconds between the wall-clock readings of `from` and `to`. */
  wall: number
}

/**
 * Recurrence lines for a series of which an occurrence moved: weekdays, days of the month, UNTIL, RDATE, and EXDATE move along.
 * @param newStartWall new wall-clock reading of that occurrence, which the moved rule has
 */
export function shiftedLines(lines: readonly string[], shift: Shift, newStartWall: number): string[] {
  if (!isMove(shift)) return [...lines]
  const days = Math.round((floorDay(newStartWall) - floorDay(newStartWall - shift.wall)) / dayMs)
  return lines.map((line) => {
    const parsed = parseRecurrenceLine(line)
    if (parsed.kind === 'RDATE' || parsed.kind === 'EXDATE') {
      return dateLine(
        parsed.kind,
        parsed.values.map((value) => wallOfValue(value, shift.from) + shift.wall),
        shift.to,
      )
    }
    const until = rulePart(parsed.rule, 'UNTIL')
    const moved = days === 0 ? parsed.rule : movedDays(parsed.rule, days, newStartWall)
    return `${parsed.kind}:${until ? withRulePart(moved, 'UNTIL', movedUntil(until, shift)) : moved}`
  })
}

/** True if occurrences get other times, or the same in another zone or kind. */
export const isMove = ({ from, to, wall }: Shift): boolean =>
  wall !== 0 || zoneOf(from) !== zoneOf(to) || isAllDay(from) !== isAllDay(to)

/** A single RDATE or EXDATE line for occurrences at these wall-clock times. */
export function dateLine(kind: 'RDATE' | 'EXDATE', walls: readonly number[], start: EventTime): string {
  if (isAllDay(start)) return `${kind};VALUE=DATE:${walls.map((wall) => dateOfWall(wall).replace(/-/g, '')).join(',')}`
  return `${kind}:${walls.map((wall) => compactUtc(instantOfWall(wall, zoneOf(start)))).join(',')}`
}

const zoneOf = (time: EventTime): string => (isAllDay(time) ? 'UTC' : (time.timeZone ?? 'UTC'))
const floorDay = (wall: number): number => Math.floor(wall / dayMs) * dayMs

function wallOfValue(value: DateValue, like: EventTime): number {
  return value.instant === undefined || isAllDay(like) ? value.wall : wallOfInstant(value.instant, zoneOf(like))
}

function movedUntil(until: string, shift: Shift): string {
  const wall = wallOfInstant(untilInstant(until, zoneOf(shift.from), isAllDay(shift.from)), zoneOf(shift.from))
  if (isAllDay(shift.to)) return untilText(floorDay(wall + shift.wall), true)
  return untilText(instantOfWall(wall + shift.wall, zoneOf(shift.to)), false)
}

/** True if a rule names days that can't be moved by a number of days, such as the last weekday of a month. */
export function fixesDays(lines: readonly string[]): boolean {
  return lines.some((line) => {
    const parsed = parseRecurrenceLine(line)
    if (parsed.kind === 'RDATE' || parsed.kind === 'EXDATE') return false
    const { rule } = parsed
    if (rulePart(rule, 'BYYEARDAY') !== undefined || rulePart(rule, 'BYWEEKNO') !== undefined) return true
    if (rulePart(rule, 'BYDAY') === undefined) return rulePart(rule, 'BYSETPOS') !== undefined
    return !/^(WEEKLY|DAILY)$/.test(rulePart(rule, 'FREQ') ?? '') && nthDaysIn(rule) === undefined
  })
}

/** `-1FR` for BYDAY=FR;BYSETPOS=-1. Undefined if a day has no position of its own. */
function nthDaysIn(rule: string): string[] | undefined {
  const byDay = rulePart(rule, 'BYDAY')?.toUpperCase().split(',')
  const position = rulePart(rule, 'BYSETPOS') ?? ''
  const nthDays = byDay?.map((code) => `${byDay.length > 1 || /\d/.test(code) ? '' : position}${code}`)
  return nthDays?.every((code) => /^[+-]?[1-5][A-Z]+$/.test(code)) ? nthDays : undefined
}

function movedDays(rule: string, days: number, startWall: number): string {
  const frequency = rulePart(rule, 'FREQ')
  const byDay = rulePart(rule, 'BYDAY')?.toUpperCase().split(',')
  if (byDay && (frequency === 'WEEKLY' || frequency === 'DAILY')) {
    const order = (code: string): number => (weekdayCodes.indexOf(code) + 6) % 7
    const moved = byDay.map((code) => weekdayAfter(code, days))
    return withRulePart(rule, 'BYDAY', moved.sort((a, b) => order(a) - order(b)).join(','))
  }
  const start = new Date(startWall)
  const old = new Date(startWall - days * dayMs)
  let moved = rule
  const nthDays = nthDaysIn(rule)
  if (nthDays) {
    const after = nthDays.map((code) => {
      const nthBefore = parseInt(code)
      const isOwn = nthDays.length === 1 || (code.endsWith(weekdayCodes[old.getUTCDay()]!) && isNth(nthBefore, old))
      if (!isOwn) return `${nthBefore}${weekdayAfter(code, days)}`
      const isLast = start.getUTCDate() + 7 > daysInMonth(start)
      const nth = Math.ceil(start.getUTCDate() / 7)
      // Few months have a fifth one.
      const moves = isLast && (nthBefore < 0 || (nth === 5 && nthBefore !== 5)) ? -1 : nth
      return `${moves}${weekdayCodes[start.getUTCDay()]}`
    })
    if (nthDays.length === 1) moved = withRulePart(moved, 'BYSETPOS', undefined)
    moved = withRulePart(moved, 'BYDAY', [...new Set(after)].join(','))
  }
  const monthDays = (rulePart(rule, 'BYMONTHDAY') ?? '').split(',').filter(Boolean).map(Number)
  if (monthDays.length > 0) {
    const own = monthDays.length === 1 ? monthDays : monthDays.filter((date) => isOn(date, old))
    const after = monthDays.map((before) => {
      const date = before + days
      // There's no day 0: the day before the first is the last one.
      const next = before > 0 && date <= 0 ? date - 1 : before < 0 && date >= 0 ? date + 1 : date
      // Not every month has a 29th last one.
      if (own.includes(before)) return next < 0 && next >= -28 ? next : start.getUTCDate()
      return Math.sign(next) * (((Math.abs(next) - 1) % 31) + 1)
    })
    moved = withRulePart(moved, 'BYMONTHDAY', [...new Set(after)].join(','))
  }
  const months = (rulePart(rule, 'BYMONTH') ?? '').split(',').filter(Boolean).map(Number)
  if (months.length > 0) {
    const later = start.getUTCMonth() - (months.length === 1 ? months[0]! - 1 : old.getUTCMonth())
    moved = withRulePart(moved, 'BYMONTH', months.map((month) => ((month + later + 11) % 12) + 1).join(','))
  }
  // Every year has a last day of February.
  const isDate = !/BY(DAY|YEARDAY|WEEKNO)=/i.test(rule) && monthDays.length <= months.length && months.length < 2
  if (frequency === 'YEARLY' && isDate && start.getUTCMonth() === 1 && start.getUTCDate() === 29)
    moved = withRulePart(withRulePart(moved, 'BYMONTH', '2'), 'BYMONTHDAY', '-1')
  return moved
}

const weekdayAfter = (code: string, days: number): string =>
  weekdayCodes[(((weekdayCodes.indexOf(code.slice(-2)) + days) % 7) + 7) % 7]!

/** True if a date is the nth of its weekday in its month, counted from the end if negative. */
const isNth = (nth: number, date: Date): boolean =>
  Math.ceil((nth < 0 ? daysInMonth(date) + 1 - date.getUTCDate() : date.getUTCDate()) / 7) === Math.abs(nth)

/** True if a day of the month, counted from its end if negative, is that date. */
const isOn = (monthDay: number, date: Date): boolean =>
  date.getUTCDate() === (monthDay < 0 ? daysInMonth(date) + 1 + monthDay : monthDay)

const daysInMonth = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
