import {
  addMonths,
  comingWeekday,
  dated,
  dayMs,
  dayNumber,
  dayWords,
  inNextWeek,
  lastOfMonth,
  nextWeekday,
  numberedDate,
  weekday,
  weekdayOf,
} from './dates'
import { Question, type Days } from './items'
import type { Found, Line } from './line'

type DayReader = (line: Line, at: number, today: number) => Found<Days> | null

const word = (line: Line, at: number, ...words: string[]): boolean => words.every((one, n) => line.low(at + n) === one)
const found = (to: number, value: Days): Found<Days> => ({ to, value })
const comma = (line: Line, at: number): number => (line.low(at) === ',' ? at + 1 : at)

/** `20 Dec`, `Sun 20 Dec`, `20 Dec (Sun)` */
const numbered: DayReader = (line, at, today) => {
  const named = weekday(line, at, true)
  const from = named ? line.past(comma(line, named.to), 'the', 'on') : at
  const date = numberedDate(line, from)
  if (!date) return null
  const { date: number, month, year } = date.value
  const first = dated(number, month, year, today)
  if (named && weekdayOf(first) !== named.value)
    throw new Question(`${dayWords(first)} is no ${line.said(at, at + 1)}: which day is meant?`, at, date.to)
  return found(date.to, { first })
}

/** `today`, `tomorrow`, `heute in einer Woche` */
const near: DayReader = (line, at, today) => {
  const day = line.find(at, 'day')
  if (!day) return null
  // "Montag morgen" is the morning; "morgen" after nothing is tomorrow.
  const first = today + day.value * dayMs
  const later = line.skip(day.to, 'in') && counted(line, line.skip(day.to, 'in')!)
  if (later) return found(later.to, { first: shifted(first, later.value), relative: true })
  return found(day.to, { first, relative: true })
}

interface Shift {
  days: number
  months: number
}
const shifted = (day: number, { days, months }: Shift): number => addMonths(day, months) + days * dayMs

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
    return found(ahead.to, { first: shifted(today, by), relative: true })
  }
  const count = counted(line, at)
  if (!count) return null
  if (line.skip(count.to, 'ago') !== null)
    return found(line.skip(count.to, 'ago')!, {
      first: shifted(today, { days: -count.value.days, months: -count.value.months }),
      relative: true,
    })
  const now = line.skip(count.to, 'fromNow')
  if (now !== null) return found(now, { first: shifted(today, count.value), relative: true })
  const from = line.skip(count.to, 'from')
  if (from === null) return null
  const base = near(line, from, today) ?? onWeekday(line, from, today)
  if (!base && numbered(line, from, today))
    throw new Question(
      `“${line.said(at, from + 1)} …”: is that the length? Write “for ${line.said(at, count.to)} from”`,
      at,
      from + 1,
    )
  return base && found(base.to, { first: shifted(base.value.first, count.value), relative: true })
}

const thisWeek = (line: Line, at: number): number | null => {
  const to = line.skip(at, 'this')
  const unit = to === null ? null : line.find(to, 'unit')
  return unit?.value === 'week' ? unit.to : null
}
const nextWeek = (line: Line, at: number): number | null => {
  const to = line.skip(line.past(at, 'of'), 'next')
  const unit = to === null ? null : line.find(to, 'unit')
  return unit?.value === 'week' ? unit.to : null
}

/** `Friday`, `this Friday`, `next Friday`, `Friday next week`, `next week Friday` */
const onWeekday: DayReader = (line, at, today) => {
  const week = nextWeek(line, at)
  if (week !== null) {
    const day = weekday(line, line.past(comma(line, week), 'on'), true)
    return day && found(day.to, inNextWeek(day.value, today, line.said(at, day.to)))
  }
  const next = line.skip(at, 'next')
  const lead = next ?? thisWeek(line, at) ?? line.skip(at, 'this')
  const day = weekday(line, lead ?? at, lead !== null)
  if (!day) return null
  if (next !== null) return found(day.to, nextWeekday(day.value, today, line.said(at, day.to)))
  const after = nextWeek(line, comma(line, day.to))
  if (after !== null) return found(after, inNextWeek(day.value, today, line.said(at, after)))
  const first = comingWeekday(day.value, today)
  const later = line.skip(day.to, 'in') && counted(line, line.skip(day.to, 'in')!)
  if (later) throw new Question(`“${line.said(at, later.to)}” could be several days: write the date`, at, later.to)
  const trailing = line.find(day.to, 'unit')
  if (trailing?.value === 'week') {
    throw new Question(`“${line.said(at, trailing.to)}”: which one? Write the date`, at, trailing.to)
  }
  return found(thisWeek(line, day.to) ?? day.to, { first, weekday: lead === null, relative: true })
}

/** `this weekend`, `end of month`, `end of March`, `Ende März` */
const named: DayReader = (line, at, today) => {
  const date = new Date(today)
  const lead = line.skip(at, 'this')
  const weekend = lead === null ? null : line.find(lead, 'unit')
  if (weekend?.value === 'weekend') {
    if (weekdayOf(today) === 0) throw new Question('Today is Sunday: write the date of the weekend', at, weekend.to)
    const saturday = comingWeekday(6, today)
    return found(weekend.to, { first: saturday, last: saturday + dayMs, relative: true })
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

/** `the 15th`, `on the 15th`, `am 15.`, `the 5th of next month` */
const ofMonth: DayReader = (line, at, today) => {
  const number = line.shape(at, 'number')
  const led = at > 0 && (line.skip(at - 1, 'the', 'on') !== null || line.skip(at - 2, 'on') !== null)
  const day = dayNumber(line, at)
  if (!number?.ordinal || !day || !led) return null
  const date = new Date(today)
  const of = line.past(day.to, 'of')
  const next = line.skip(of, 'next')
  const unit = line.find(next ?? line.past(of, 'this', 'the'), 'unit')
  if (unit?.value === 'month' && (next !== null || of > day.to)) {
    const month = date.getUTCMonth() + (next === null ? 0 : 1)
    const first = Date.UTC(date.getUTCFullYear(), month, day.value)
    if (new Date(first).getUTCDate() !== day.value) throw new Question('There is no such date', at, unit.to)
    return found(unit.to, { first, relative: true })
  }
  for (let month = date.getUTCMonth(); ; month++) {
    const first = Date.UTC(date.getUTCFullYear(), month, day.value)
    if (first >= today && new Date(first).getUTCDate() === day.value)
      return found(day.to, { first, ofMonth: day.value })
  }
}

/** One day, however it is said. @throws Question */
export const oneDay: DayReader = (line, at, today) => {
  let best: Found<Days> | null = null
  for (const read of [numbered, shiftedDay, near, onWeekday, named, ofMonth]) {
    const found = read(line, at, today)
    if (found && found.to > (best?.to ?? 0)) best = found
  }
  return best
}

/** `7-9 Dec`, `Dec 7 - 9`, `20 Dec - 3 Jan`, `Monday to Thursday`, `vom 7. bis 9. Dezember`; one day as well. @throws Question */
export const someDays: DayReader = (line, at, today) => {
  const start = line.past(at, 'on')
  const shared = sharedMonth(line, start, today)
  if (shared) return shared
  const first = oneDay(line, start, today)
  if (!first) return null
  const to = line.dash(first.to) ?? line.skip(first.to, 'to', 'until')
  if (to === null || first.value.last !== undefined) return first
  const lead = line.past(to, 'on', 'the')
  const last = oneDay(line, lead, first.value.first) ?? oneDay(line, to, first.value.first)
  if (!last || last.value.last !== undefined) return first
  const years = [typesYear(line, start, first.to), typesYear(line, lead, last.to)]
  let [from, end] = [first.value.first, last.value.first]
  if (!years[0] && years[1]) from = latestBefore(from, end)
  else if (!years[0]) {
    // "20 Dec - 3 Jan": said while it lasts, it has begun.
    from = begunThisYear(first.value, line, lead, today)
    if (from < first.value.first) end = oneDay(line, lead, today)!.value.first
    if (end - from > 183 * dayMs) throw new Question('The last day is before the first: add the years', start, last.to)
  }
  if (end < from || (end === from && last.value.weekday))
    throw new Question('The last day is before the first', start, last.to)
  const { weekday: _, ...rest } = first.value
  return found(last.to, { ...rest, first: from, last: end })
}

const typesYear = (line: Line, from: number, to: number): boolean =>
  line.tokens
    .slice(from, to)
    .some(({ shape }) => (shape.is === 'number' && shape.digits === 4) || ('year' in shape && shape.year !== undefined))

/** The same date of the year in which it comes before `end`. */
function latestBefore(day: number, end: number): number {
  const date = new Date(day)
  for (let year = new Date(end).getUTCFullYear(); ; year--) {
    const first = Date.UTC(year, date.getUTCMonth(), date.getUTCDate())
    if (first <= end && new Date(first).getUTCDate() === date.getUTCDate()) return first
  }
}

/** The first day of a stretch without years that is still going on today. */
function begunThisYear(first: Days, line: Line, second: number, today: number): number {
  if (first.relative || first.ofMonth !== undefined) return first.first
  const end = oneDay(line, second, today)!.value.first
  const date = new Date(first.first)
  const earlier = Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth(), date.getUTCDate())
  return earlier < today && end < first.first && new Date(earlier).getUTCDate() === date.getUTCDate()
    ? earlier
    : first.first
}

/** Two days of one month: `7-9 Dec`, `Dec 7 - 9`, `7.-9.12.` @throws Question */
function sharedMonth(line: Line, at: number, today: number): Found<Days> | null {
  const a = dayNumber(line, at)
  const sep = a && (line.dash(a.to) ?? line.skip(a.to, 'to', 'until'))
  if (a && sep && line.shape(at, 'number')) {
    const lead = line.past(sep, 'the')
    const b = line.shape(lead, 'number') || line.shape(lead, 'date') ? numberedDate(line, lead) : null
    return b && stretch(a.value, b.value.date, b.value.month, b.value.year, b.to, today)
  }
  const month = line.find(at, 'month')
  const first = month && dayNumber(line, line.past(month.to, 'the'))
  const dash = first && (line.dash(first.to) ?? line.skip(first.to, 'to', 'until'))
  if (!month || !first || !dash) return null
  const second = line.shape(dash, 'number')
  if (!second || second.digits > 2 || second.value < 1 || second.value > 31) return null
  if (line.find(dash + 1, 'month') || line.skip(dash + 1, 'oclock') || line.low(dash + 1) === 'of') return null
  const comma = line.low(dash + 1) === ',' ? dash + 2 : dash + 1
  const year = line.shape(comma, 'number')
  const typed = year && year.digits === 4 && year.value >= 2000 && year.value < 2100
  return stretch(
    first.value,
    second.value,
    month.value,
    typed ? year.value : undefined,
    typed ? comma + 1 : dash + 1,
    today,
  )
}

function stretch(
  a: number,
  b: number,
  month: number,
  year: number | undefined,
  to: number,
  today: number,
): Found<Days> {
  // A stretch that has begun is this year's.
  const last = dated(b, month, year, today)
  const first = dated(a, month, new Date(last).getUTCFullYear(), today)
  if (last < first) throw new Question('The last day is before the first')
  return found(to, { first, last })
}
