import { isAllDay, type EventTime } from '#shared/time/event-time'
import {
  parseRecurrenceLine,
  rulePart,
  untilInstant,
  untilText,
  withRulePart,
  type DateValue,
} from '#shared/time/recurrence-lines'
import { compactUtc, dateOfWall, instantOfWall, wallOfInstant } from '#shared/time/zones'

const dayMs = 86_400_000
const dayCodes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Move of a series: its kind of time and zone before and after, and the shift of its wall-clock time. */
export interface Shift {
  from: EventTime
  to: EventTime
  /** Milliseconds between the wall-clock readings of `from` and `to`. */
  wall: number
}

/**
 * Recurrence lines for a series whose start moved: weekdays, days of the month, UNTIL, RDATE, and EXDATE move along. Rules
 * with several days of the month of which one leaves its month stay unchanged.
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

function movedDays(rule: string, days: number, startWall: number): string {
  const frequency = rulePart(rule, 'FREQ')
  const byDay = rulePart(rule, 'BYDAY')?.split(',')
  if (byDay && (frequency === 'WEEKLY' || frequency === 'DAILY')) {
    const order = (code: string): number => (dayCodes.indexOf(code) + 6) % 7
    const moved = byDay.map((code) => dayCodes[(((dayCodes.indexOf(code.slice(-2)) + days) % 7) + 7) % 7]!)
    return withRulePart(rule, 'BYDAY', moved.sort((a, b) => order(a) - order(b)).join(','))
  }
  const start = new Date(startWall)
  let moved = rule
  const position = rulePart(rule, 'BYSETPOS')
  const nthDay = byDay?.length === 1 ? `${/\d/.test(byDay[0]!) ? '' : (position ?? '')}${byDay[0]}` : ''
  if (/^[+-]?[1-5][A-Z]+$/i.test(nthDay)) {
    const nthNow = parseInt(nthDay)
    const isLast = start.getUTCDate() + 7 > daysInMonth(start)
    const nth = Math.ceil(start.getUTCDate() / 7)
    // Few months have a fifth one.
    const moves = isLast && (nthNow < 0 || (nth === 5 && nthNow !== 5)) ? -1 : nth
    moved = withRulePart(withRulePart(moved, 'BYSETPOS', undefined), 'BYDAY', `${moves}${dayCodes[start.getUTCDay()]}`)
  }
  const monthDays = (rulePart(rule, 'BYMONTHDAY') ?? '').split(',').filter(Boolean).map(Number)
  if (monthDays.length === 1) {
    const [before] = monthDays as [number]
    const after = before + days
    // There's no day 0: the day before the first is the last one.
    const fromEnd = before > 0 && after <= 0 ? after - 1 : after
    // Not every month has a 29th last one.
    moved = withRulePart(moved, 'BYMONTHDAY', String(fromEnd < 0 && fromEnd >= -28 ? fromEnd : start.getUTCDate()))
  } else if (monthDays.length > 1) {
    const after = monthDays.map((before) => before + days)
    // All of them stay in their month.
    const stay = after.every((date, at) => Math.sign(date) === Math.sign(monthDays[at]!) && Math.abs(date) <= 28)
    if (stay) moved = withRulePart(moved, 'BYMONTHDAY', after.join(','))
  }
  const month = rulePart(rule, 'BYMONTH')
  if (month && /^\d+$/.test(month)) moved = withRulePart(moved, 'BYMONTH', String(start.getUTCMonth() + 1))
  return moved
}

const daysInMonth = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
