import { dated, dayMs, dayNumber, numberedDate } from './dates'
import { oneDay, weekdaysOfNextWeek, type DayReader } from './days'
import { countsFromToday, Question, type Days } from './items'
import type { Found, Line } from './line'

const found = (to: number, value: Days): Found<Days> => ({ to, value })

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
  const sameWeek = first.value.weekday ? weekdaysOfNextWeek(line, start, lead, today) : null
  if (sameWeek) return sameWeek
  const lastFrom = (day: number): Found<Days> | null => oneDay(line, lead, day) ?? oneDay(line, to, day)
  const fromToday = lastFrom(today)
  const last = fromToday && countsFromToday(fromToday.value) ? fromToday : lastFrom(first.value.first)
  if (!last || last.value.last !== undefined) return first
  const years = [typesYear(line, start, first.to), typesYear(line, lead, last.to)]
  let [from, end] = [first.value.first, last.value.first]
  if (!years[0] && years[1]) from = latestBefore(from, end)
  else if (!years[0]) {
    // "20 Dec - 3 Jan", typed while it lasts, has already begun.
    from = begunThisYear(first.value, line, lead, today)
    if (from < first.value.first) end = oneDay(line, lead, today)!.value.first
    if (end - from > 183 * dayMs) throw new Question('The last day is before the first. Add the years', start, last.to)
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

/** The latest such date before `end`. */
function latestBefore(day: number, end: number): number {
  const date = new Date(day)
  for (let year = new Date(end).getUTCFullYear(); ; year--) {
    const first = Date.UTC(year, date.getUTCMonth(), date.getUTCDate())
    if (first <= end && new Date(first).getUTCDate() === date.getUTCDate()) return first
  }
}

/** First day of a range without years that includes today. */
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
