import { dateOfWall } from '#shared/time/zones'
import {
  addMonths,
  comingWeekday,
  dated,
  dayMs,
  dayNumber,
  daysText,
  dayWords,
  inNextWeek,
  lastOfMonth,
  nextWeekday,
  numberedDate,
  weekday,
  weekdayOf,
  type ReferenceDay,
} from './dates'
import { Question, type Days } from './items'
import type { Found, Line } from './line'

export type DayReader = (line: Line, at: number, today: number, reference?: ReferenceDay) => Found<Days> | null

const word = (line: Line, at: number, ...words: string[]): boolean => words.every((one, n) => line.low(at + n) === one)
const found = (to: number, value: Days): Found<Days> => ({ to, value })
const comma = (line: Line, at: number): number => (line.low(at) === ',' ? at + 1 : at)

/** `20 Dec`, `Sun 20 Dec`, `20 Dec (Sun)` */
const numbered: DayReader = (line, at, today, reference) => {
  const named = weekday(line, at, true)
  const from = named ? line.past(comma(line, named.to), 'the', 'on') : at
  const date = numberedDate(line, from)
  if (!date) return null
  const { date: number, month, year } = date.value
  const first = dated(number, month, year, today, reference)
  if (named && weekdayOf(first) !== named.value) {
    const ahead = comingWeekday(named.value, first)
    const near = ahead - first > 3 * dayMs && ahead - 7 * dayMs >= today ? ahead - 7 * dayMs : ahead
    throw new Question(
      `${dayWords(first)} isn’t a ${line.said(at, at + 1)}. Keep the date or the weekday`,
      at,
      date.to,
      [first, near].map(dateOfWall),
    )
  }
  return found(date.to, { first })
}

/** `today`, `tomorrow`, `heute in einer Woche` */
const near: DayReader = (line, at, today) => {
  const day = line.find(at, 'day')
  if (!day) return null
  // "Montag morgen" is the morning; "morgen" after nothing is tomorrow.
  const first = today + day.value * dayMs
  const later = line.skip(day.to, 'in') && counted(line, line.skip(day.to, 'in')!)
  if (later) return found(later.to, { first: shifted(first, later.value, later.to), relative: true })
  return found(day.to, { first, relative: true })
}

interface Shift {
  days: number
  months: number
}
const shifted = (day: number, { days, months }: Shift, to: number): number => addMonths(day, months, to) + days * dayMs

/** `3 days`, `a week`, `two months` */
function counted(line: Line, at: number): Found<Shift> | null {
  const number = line.number(at)
  const unit = number && line.find(number.to, 'unit')
  if (!number || !unit) return null
  const { value } = number
  if (unit.value === 'day') return { to: unit.to, value: { days: value, months: 0 } }
  if (unit.value === 'week') return { to: unit.to, value: { days: 7 * value, months: 0 } }
  if (unit.value === 'month') return { to: unit.to, value: { days: 0, months: value } }
  if (unit.value === 'year') return { to: unit.to, value: { days: 0, months: 12 * value } }
  return null
}

/** `in 3 days`, `3 days ago`, `vor 3 Tagen`, `a week from Friday`, `2 weeks from now` */
const shiftedDay: DayReader = (line, at, today) => {
  const before = word(line, at, 'vor')
  const start = before ? at + 1 : line.skip(at, 'in')
  const ahead = start === null ? null : counted(line, start)
  if (ahead) {
    const by = before ? { days: -ahead.value.days, months: -ahead.value.months } : ahead.value
    return found(ahead.to, { first: shifted(today, by, ahead.to), relative: true })
  }
  const count = counted(line, at)
  if (!count) return null
  if (line.skip(count.to, 'ago') !== null)
    return found(line.skip(count.to, 'ago')!, {
      first: shifted(today, { days: -count.value.days, months: -count.value.months }, count.to),
      relative: true,
    })
  const now = line.skip(count.to, 'fromNow')
  if (now !== null) return found(now, { first: shifted(today, count.value, now), relative: true })
  const on = line.skip(count.to, 'on')
  // A number, or “for” before it, makes it a duration.
  const isIdiom = line.low(at) === 'a' && count.value.days === 7 && line.skip(at - 1, 'for') !== at
  const weekOn = on !== null && isIdiom ? onWeekday(line, on, today) : null
  if (weekOn) throw severalDays(line, at, weekOn.to, weekOn.value.first + 7 * dayMs, weekOn.value.first)
  const from = line.skip(count.to, 'from')
  if (from === null) return null
  const base = near(line, from, today) ?? onWeekday(line, from, today)
  if (!base && numbered(line, from, today))
    throw new Question(
      `“${line.said(at, from + 1)} …” could be a duration. If so, write “for ${line.said(at, count.to)} from”`,
      at,
      from + 1,
    )
  return base && found(base.to, { first: shifted(base.value.first, count.value, base.to), relative: true })
}

const thisWeek = (line: Line, at: number): number | null => {
  const to = line.skip(at, 'this')
  const unit = to === null ? null : line.find(to, 'unit')
  if (unit?.value !== 'week') return null
  if (!/^(this|diese[rsmn]?)$/.test(line.said(at, to!).toLowerCase()))
    throw new Question(`“${line.said(at, unit.to)}” could be this week or the next. Enter the date`, at, unit.to)
  return unit.to
}
const nextWeek = (line: Line, at: number): number | null => {
  const start = line.past(at, 'of')
  const to = /^kommende[rsmn]?$/.test(line.low(start)) ? start + 1 : line.skip(start, 'next')
  const unit = to === null ? null : line.find(to, 'unit')
  return unit?.value === 'week' ? unit.to : null
}

const severalDays = (line: Line, from: number, to: number, ...days: readonly number[]): Question =>
  new Question(`“${line.said(from, to)}” could mean more than one day. Enter the date`, from, to, days.map(dateOfWall))

/** `Friday`, `this Friday`, `next Friday`, `Friday next week`, `next week Friday` */
const onWeekday: DayReader = (line, at, today) => {
  const week = nextWeek(line, at)
  if (week !== null) {
    const day = weekday(line, line.past(comma(line, week), 'on'), true)
    return day && found(day.to, inNextWeek(day.value, today, { line, from: at, to: day.to }))
  }
  const next = line.skip(at, 'next')
  const lead = next ?? thisWeek(line, at) ?? line.skip(at, 'this')
  const day = weekday(line, lead ?? at, lead !== null)
  if (!day) return null
  if (next !== null) return found(day.to, nextWeekday(day.value, today, { line, from: at, to: day.to }))
  const after = nextWeek(line, comma(line, day.to))
  if (after !== null) return found(after, inNextWeek(day.value, today, { line, from: at, to: after }))
  const first = comingWeekday(day.value, today)
  const later = line.skip(day.to, 'in') && counted(line, line.skip(day.to, 'in')!)
  const trailing = later || line.find(day.to, 'unit')
  if (later || trailing?.value === 'week')
    throw severalDays(line, at, trailing!.to, first + 7 * dayMs, first + 14 * dayMs)
  const afterNext = line.low(day.to) === 'after' && line.low(day.to + 1) === 'next'
  const unit = afterNext ? line.find(day.to + 2, 'unit') : null
  if (unit) throw severalDays(line, at, unit.to)
  const beside = besideDay(line, day, today)
  if (beside) return beside
  if (afterNext) throw severalDays(line, at, day.to + 2, first + 7 * dayMs, first + 14 * dayMs)
  return found(thisWeek(line, day.to) ?? day.to, { first, weekday: lead === null, relative: true })
}

/** `Friday after next Monday`, `Friday before Christmas`: the nearest one on that side of a day. */
function besideDay(line: Line, { to, value }: Found<number>, today: number): Found<Days> | null {
  const isAfter = /^(after|nach)$/.test(line.low(to))
  if (!isAfter && !/^(before|vor)$/.test(line.low(to))) return null
  const at = line.past(to + 1, 'the')
  const base = oneDay(line, at, today) ?? feastAt(line, at, today)
  if (!base) return null
  const { first, last = first, relative } = base.value
  const following = comingWeekday(value, isAfter ? last + dayMs : first)
  return found(base.to, { first: isAfter ? following : following - 7 * dayMs, ...(relative && { relative }) })
}

/** `Mon - Wed next week`: both are in the week that only the second names. @throws Question */
export function weekdaysOfNextWeek(line: Line, first: number, second: number, today: number): Found<Days> | null {
  const [a, b] = [weekday(line, first, true), weekday(line, second, true)]
  const to = b && nextWeek(line, comma(line, b.to))
  if (!a || to === null) return null
  const last = inNextWeek(b!.value, today, { line, from: second, to }).first
  const from = inNextWeek(a.value, today, { line, from: first, to }).first
  return from < last ? found(to, { first: from, last, relative: true }) : null
}

const weekendFrom = (day: number): string => daysText(comingWeekday(6, day), comingWeekday(6, day) + dayMs)

/** `this weekend`, `end of month`, `end of March`, `Ende März` */
const named: DayReader = (line, at, today) => {
  const date = new Date(today)
  const lead = line.skip(at, 'this')
  const weekend = lead === null ? null : line.find(lead, 'unit')
  if (weekend?.value === 'weekend') {
    if (weekdayOf(today) === 0)
      throw new Question('Today is Sunday. Enter the date of the weekend', at, weekend.to, [
        'today',
        weekendFrom(today + dayMs),
      ])
    const saturday = comingWeekday(6, today)
    return found(weekend.to, { first: saturday, last: saturday + dayMs, relative: true })
  }
  const later = line.skip(at, 'next')
  const whole = later === null ? null : line.find(later, 'unit')
  if (whole?.value === 'weekend')
    throw new Question(`“${line.said(at, whole.to)}” could mean either weekend. Enter the date`, at, whole.to, [
      weekendFrom(today),
      weekendFrom(today + 7 * dayMs),
    ])
  if (whole?.value === 'week' && !weekday(line, line.past(comma(line, whole.to), 'on'), true)) {
    const monday = comingWeekday(1, today + dayMs)
    throw new Question(`“${line.said(at, whole.to)}” isn’t a day. Enter the date`, at, whole.to, [
      daysText(monday, monday + 4 * dayMs),
      daysText(monday, monday + 6 * dayMs),
      dateOfWall(monday),
    ])
  }
  if (line.low(at) === 'monatsende')
    return found(at + 1, { first: lastOfMonth(date.getUTCFullYear(), date.getUTCMonth()) })
  const end = line.skip(at, 'end')
  if (end === null) return null
  const which = line.past(end, 'this', 'the')
  const month = line.find(which, 'month')
  if (month) {
    const year = date.getUTCFullYear() + (month.value < date.getUTCMonth() ? 1 : 0)
    const said = line.shape(month.to, 'number')
    const typed = said && said.digits === 4 && said.value >= 2000 && said.value < 2100 ? said.value : undefined
    return found(typed ? month.to + 1 : month.to, { first: lastOfMonth(typed ?? year, month.value) })
  }
  const next = line.skip(which, 'next')
  const unit = line.find(next ?? which, 'unit')
  const step = next === null ? 0 : 1
  if (unit?.value === 'month')
    return found(unit.to, { first: lastOfMonth(date.getUTCFullYear(), date.getUTCMonth() + step) })
  if (unit?.value === 'year') return found(unit.to, { first: Date.UTC(date.getUTCFullYear() + step, 11, 31) })
  return null
}

/** `the 15th`, `on the 15th`, `am 15.`, `Mon 15th`, `the 5th of next month` */
const ofMonth: DayReader = (line, at, today) => {
  const number = line.shape(at, 'number')
  const led =
    at > 0 &&
    (line.skip(at - 1, 'the', 'on') !== null || line.skip(at - 2, 'on') !== null || weekday(line, at - 1)?.to === at)
  const day = dayNumber(line, at)
  if (!number?.ordinal || !day || !led) return null
  const date = new Date(today)
  const of = line.past(day.to, 'of')
  const next = line.skip(of, 'next')
  const unit = line.find(next ?? line.past(of, 'this', 'the'), 'unit')
  if (unit?.value === 'month' && (next !== null || of > day.to)) {
    const month = date.getUTCMonth() + (next === null ? 0 : 1)
    const first = Date.UTC(date.getUTCFullYear(), month, day.value)
    if (new Date(first).getUTCDate() !== day.value) throw new Question('That date doesn’t exist', at, unit.to)
    return found(unit.to, { first, relative: true })
  }
  for (let month = date.getUTCMonth(); ; month++) {
    const first = Date.UTC(date.getUTCFullYear(), month, day.value)
    if (first >= today && new Date(first).getUTCDate() === day.value)
      return found(day.to, { first, ofMonth: day.value })
  }
}

/**
 * `on Christmas Eve`, `bis Silvester 2027`: only where a day is expected, because holidays are also parts of titles. An
 * ordinal makes it a day anywhere: `2. Weihnachtstag`.
 */
const holiday: DayReader = (line, at, today) => {
  const ordinal = line.ordinal(at)
  if (ordinal && /^weihnachts(?:feier)?tag$/.test(line.low(ordinal.to)) && [1, 2].includes(ordinal.value))
    return found(ordinal.to + 1, { first: dated(24 + ordinal.value, 11, undefined, today) })
  if (ordinal && line.low(ordinal.to) === 'advent' && ordinal.value >= 1 && ordinal.value <= 4)
    return found(ordinal.to + 1, { first: sundayOfAdvent(ordinal.value, today) })
  const isExpected = line.skip(at - 1, 'on', 'from', 'to', 'until', 'starting') !== null || line.low(at - 1) === 'by'
  return isExpected ? feastAt(line, at, today) : null
}

const feastAt: DayReader = (line, at, today) => {
  const feast = line.find(at, 'feast')
  if (!feast) return null
  const [date, month] = [feast.value % 100, Math.floor(feast.value / 100) - 1]
  const year = line.shape(feast.to, 'number')
  if (year?.digits === 4 && year.value >= 2000 && year.value < 2100)
    return found(feast.to + 1, { first: dated(date, month, year.value, today) })
  if (line.shape(feast.to, 'word') && line.skip(feast.to, ...afterDay) === null) return null
  return found(feast.to, { first: dated(date, month, undefined, today) })
}
const afterDay = ['at', 'from', 'to', 'until', 'between', 'part', 'noon', 'midnight', 'for', 'every', 'allday'] as const

/** The next such Sunday before Christmas. */
function sundayOfAdvent(number: number, today: number): number {
  const inYear = (year: number): number => {
    const christmas = Date.UTC(year, 11, 25)
    return christmas - ((weekdayOf(christmas) || 7) + 7 * (4 - number)) * dayMs
  }
  const year = new Date(today).getUTCFullYear()
  return inYear(year) >= today ? inYear(year) : inYear(year + 1)
}

/**
 * One day in any form.
 * @throws Question
 */
export const oneDay: DayReader = (line, at, today, reference) => {
  let best: Found<Days> | null = null
  for (const read of [numbered, shiftedDay, near, onWeekday, named, ofMonth, holiday]) {
    const found = read(line, at, today, reference)
    if (found && found.to > (best?.to ?? 0)) best = found
  }
  return best
}
