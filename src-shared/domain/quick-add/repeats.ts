import { dateOfWall } from '#shared/time/zones'
import { dayNumber, numberedDate, weekday } from './dates'
import { oneDay } from './days'
import { firstDay } from './event'
import { ask, type Item, type Placed, type Repeat } from './items'
import type { Found, Line } from './line'
import { de } from './words/de'

const codesOfWeek = [1, 2, 3, 4, 5]
const mondayFirst = (a: number, b: number): number => ((a + 6) % 7) - ((b + 6) % 7)
const unique = (days: readonly number[]): number[] => [...new Set(days)].sort(mondayFirst)
const placed = (from: number, to: number, item: Item): Placed => ({ from, to, item })
const repeated = (from: number, to: number, repeat: Repeat): Placed => placed(from, to, { is: 'repeat', repeat })

/** `every other Tuesday`, `weekly`, `first Monday of every month`, `jeden 15.`, `mondays` */
export function repeatAt(line: Line, at: number, today: number): Placed | null {
  const adverb = line.find(at, 'adverb')
  if (adverb) {
    const [frequency, interval] = adverb.value
    const on = line.past(adverb.to, 'on', 'the')
    const day = frequency === 'MONTHLY' && on > adverb.to ? dayOfMonth(line, on) : null
    return (
      (day && monthly(line, at, day.to, interval, day)) ??
      (frequency === 'WEEKLY' ? weeklyAt(line, adverb.to, at, interval) : null) ??
      repeated(at, adverb.to, { frequency, interval })
    )
  }
  return monthlyAt(line, line.past(at, 'on', 'the'), at, today) ?? everyAt(line, at) ?? weeklyAt(line, at)
}

/** `mondays and fridays`, `weekdays`, `werktags`, after a rule that begins at `from`, such as `fortnightly` */
function weeklyAt(line: Line, at: number, from = at, interval = 1): Placed | null {
  const start = line.past(at, 'on')
  if (/^(weekdays|workdays|werktags|wochentags)$/.test(line.low(start)))
    return repeated(from, start + 1, { frequency: 'WEEKLY', interval, weekdays: codesOfWeek })
  const days: number[] = []
  let to = start
  for (let next: number | null = start; next !== null;) {
    const day = line.find(next, 'weekly')
    if (!day) break
    days.push(day.value)
    to = day.to
    next = separator(line, to)
  }
  return days.length > 0 ? repeated(from, to, { frequency: 'WEEKLY', interval, weekdays: unique(days) }) : null
}

function separator(line: Line, at: number): number | null {
  const comma = line.low(at) === ',' || line.low(at) === '&' || line.low(at) === '/' ? at + 1 : at
  const and = line.past(comma, 'and')
  return and > at ? and : null
}

/** Monday, Wed and Fri; Mon-Fri. */
function weekdaysAt(line: Line, at: number): { to: number; days: number[] } | null {
  const first = weekday(line, at, true)
  if (!first) return null
  const dash = line.dash(first.to) ?? line.skip(first.to, 'to')
  const last = dash === null ? null : weekday(line, dash, true)
  if (last) {
    const days = [first.value]
    while (days.at(-1) !== last.value) days.push((days.at(-1)! + 1) % 7)
    return { to: last.to, days: unique(days) }
  }
  const days = [first.value]
  let { to } = first
  for (;;) {
    const next = separator(line, to)
    const day = next === null ? listed(line, to) : weekday(line, line.past(next, 'every'), true)
    if (!day) break
    days.push(day.value)
    to = day.to
  }
  return { to, days: unique(days) }
}

/** The next weekday of a list without commas, unless it belongs to a date: "every Mon Wed Fri", but "every Mon, Fri 5 Dec". */
function listed(line: Line, at: number): Found<number> | null {
  const sure = weekday(line, at)
  const day = sure ?? weekday(line, at, true)
  // "wed" and "sat" are words of their own: "every Mon wed Fri", but not "every Mon sat down".
  return day && (sure || weekday(line, day.to, true)) && !numberedDate(line, day.to) ? day : null
}

function everyAt(line: Line, at: number): Placed | null {
  const every = line.skip(at, 'every')
  if (every === null) return null
  const other = line.skip(every, 'other')
  const step = other === null ? (line.ordinal(every) ?? line.number(every)) : { to: other, value: 2 }
  const interval = step ? step.value : 1
  const to = step ? step.to : every
  const part = line.find(every, 'part')
  if (part || line.low(every) === 'morgen') return repeated(at, every, { frequency: 'DAILY', interval: 1 })
  const often = (to: number): Placed =>
    placed(at, to, ask('Events can’t repeat more than once a day. Add one event for each time'))
  if (line.shape(every, 'length') ?? line.shape(every, 'hours')) return often(every + 1)
  const unit = line.find(to, 'unit')
  if (unit && interval > 0) {
    // "every 2nd day" is an interval. "every 2nd of the month" is a date, which was tried before.
    switch (unit.value) {
      case 'workday':
        return interval === 1
          ? repeated(at, unit.to, { frequency: 'WEEKLY', interval: 1, weekdays: codesOfWeek })
          : placed(at, unit.to, ask(`“${line.said(at, unit.to)}” can’t be a recurrence rule. Name the weekdays`))
      case 'weekend':
        return repeated(at, unit.to, { frequency: 'WEEKLY', interval, weekdays: [6, 0] })
      case 'day':
        return repeated(at, unit.to, { frequency: 'DAILY', interval })
      case 'week': {
        // A single weekday is the day of the first event.
        const on = weekdaysAt(line, line.past(unit.to, 'on'))
        return on && on.days.length > 1
          ? repeated(at, on.to, { frequency: 'WEEKLY', interval, weekdays: on.days })
          : (weeklyAt(line, unit.to, at, interval) ?? repeated(at, unit.to, { frequency: 'WEEKLY', interval }))
      }
      case 'month':
        return repeated(at, unit.to, { frequency: 'MONTHLY', interval })
      case 'quarter':
        return repeated(at, unit.to, { frequency: 'MONTHLY', interval: 3 * interval })
      case 'year':
        return repeated(at, unit.to, { frequency: 'YEARLY', interval })
      default:
        return often(unit.to)
    }
  }
  const days = weekdaysAt(line, to)
  if (days && interval > 0) {
    const typed = line.shape(every, 'number')
    if (step && other === null && interval > 2 && interval <= 5 && (typed?.ordinal ?? true))
      return placed(
        at,
        days.to,
        ask(
          `“${line.said(at, days.to)}” could be monthly or every ${interval} weeks. Enter “${ordinal(interval)} ${line.said(to, days.to)} of every month” or “every ${interval} weeks”`,
          `${ordinal(interval)} ${line.said(to, days.to)} of every month`,
          `every ${interval} weeks on ${line.said(to, days.to)}`,
        ),
      )
    if (step && other === null && /^(first|erst|letzt)/.test(line.low(every))) return null
    return repeated(at, days.to, { frequency: 'WEEKLY', interval, weekdays: days.days })
  }
  // "every 12 May", "jeden 24. Dezember"
  const date = oneDayOrNull(line, every)
  if (date) return repeated(at, every, { frequency: 'YEARLY', interval: 1 })
  return null
}

const oneDayOrNull = (line: Line, at: number): boolean => {
  const month = dayNumber(line, at)
  const named = month && line.find(line.past(month.to, 'of'), 'month')
  return (named !== null && named !== undefined) || (line.find(at, 'month') !== null && oneDay(line, at, 0) !== null)
}

const ordinal = (count: number): string => ['', 'first', 'second', 'third', 'fourth', 'fifth'][count]!

/** "of every month", "jedes Monats", "of the month", "im Monat". `sure` is true if the phrase says "every". */
function ofMonth(line: Line, at: number): { to: number; sure: boolean; interval: number } | null {
  const of = line.past(at, 'of')
  const every = line.skip(line.low(of - 1) === 'every' || line.low(of - 1) === 'each' ? of - 1 : of, 'every')
  const start = every ?? of
  const other = every === null ? null : line.skip(start, 'other')
  const step =
    other !== null ? { to: other, value: 2 } : every === null ? null : (line.ordinal(start) ?? line.number(start))
  const unit = line.find(step?.to ?? start, 'unit')
  if (!unit || (of === at && every === null)) return null
  if (unit.value === 'month') return { to: unit.to, sure: every !== null, interval: step?.value ?? 1 }
  if (unit.value === 'quarter') return { to: unit.to, sure: false, interval: 0 }
  return null
}

/** Days of a month: "[every] first Monday [of every month]", "every month on the 15th", "jeden 1.". */
function monthlyAt(line: Line, start: number, at: number, today: number): Placed | null {
  const every = line.skip(start, 'every')
  const from = line.past(every ?? start, 'the')
  const month = every === null ? null : everyMonth(line, every)
  if (month) {
    // every (3) month(s) [on] the first Monday | the 15th
    const on = line.past(line.low(month.to) === ',' ? month.to + 1 : month.to, 'on', 'the')
    if (on > month.to) {
      const day = dayOfMonth(line, on)
      if (day) return monthly(line, at, day.to, month.interval, day)
    }
    return null
  }
  const adverbial = dayOfMonth(line, from)
  if (!adverbial) return null
  const said = line.said(from, adverbial.to)
  // Answers keep to one language.
  const everyMonths =
    /^\d+\.$/.test(line.low(from)) || line.low(from) in de.ordinals ? 'jedes Monats' : 'of every month'
  const of = ofMonth(line, adverbial.to)
  if (of && (of.sure || every !== null) && of.interval > 0) return monthly(line, at, of.to, of.interval, adverbial)
  if (of && of.interval === 0)
    return placed(at, of.to, ask(`“${line.said(at, of.to)}” can’t be a recurrence rule. Enter the date`))
  const inMonth = line.find(line.past(adverbial.to, 'of'), 'month')
  if (inMonth && (adverbial.nth !== undefined || adverbial.monthDays?.[0] === -1))
    return placed(at, inMonth.to, ask(`“${line.said(at, inMonth.to)}” is unclear. Enter the date`))
  const severalDays = (adverbial.monthDays?.length ?? 0) > 1
  if (of && (adverbial.nth !== undefined || severalDays || adverbial.monthDays?.[0] === -1)) {
    return placed(
      at,
      of.to,
      ask(
        `“${line.said(at, of.to)}” could be once or every month. Enter the date, or “${said} ${everyMonths}”`,
        nextOf(adverbial, today),
        `${said} ${everyMonths}`,
      ),
    )
  }
  // “Every second Friday” may be every other one.
  if (every !== null && adverbial.nth && (adverbial.nth.length > 1 || Math.abs(adverbial.nth[0]!) === 1))
    return monthly(line, at, adverbial.to, 1, adverbial)
  if (
    every !== null &&
    adverbial.monthDays &&
    adverbial.monthDays[0]! > 0 &&
    line.shape(from, 'number')?.ordinal &&
    !line.find(adverbial.to, 'unit') &&
    !inMonth
  )
    return monthly(line, at, adverbial.to, 1, adverbial)
  if (every === null && (adverbial.nth !== undefined || (severalDays && !inMonth)))
    return placed(
      at,
      adverbial.to,
      ask(
        `“${line.said(at, adverbial.to)}” needs a month. Enter the date, or “${said} ${everyMonths}”`,
        nextOf(adverbial, today),
        `${said} ${everyMonths}`,
      ),
    )
  return null
}

function everyMonth(line: Line, at: number): { to: number; interval: number } | null {
  const other = line.skip(at, 'other')
  const step = other === null ? (line.ordinal(at) ?? line.number(at)) : { to: other, value: 2 }
  const unit = line.find(step?.to ?? at, 'unit')
  const interval = step?.value ?? 1
  if (unit?.value === 'month') return { to: unit.to, interval }
  return unit?.value === 'quarter' ? { to: unit.to, interval: 3 * interval } : null
}

interface DayOfMonth extends Pick<Repeat, 'nth' | 'weekdays' | 'monthDays'> {
  to: number
}

/** `first Monday`, `2nd and 4th Friday`, `last working day`, `last day`, `15th`, `1st and 15th`, `15th and last day` */
function dayOfMonth(line: Line, at: number): DayOfMonth | null {
  const numbers: number[] = []
  let to = at
  for (let next = line.ordinal(at); next && next.value <= 31;) {
    numbers.push(next.value)
    ;({ to } = next)
    const after = separator(line, to)
    next = after === null ? null : line.ordinal(line.past(after, 'the'))
  }
  if (numbers.length === 0) return null
  const several = numbers.length > 1
  // The last one comes last.
  const sorted = [...new Set(numbers)].sort((a, b) => Number(a < 0) - Number(b < 0) || a - b)
  const areWeeks = sorted.every((number) => number <= 5)
  const day = weekday(line, to, true)
  if (day) return areWeeks ? { to: day.to, nth: sorted, weekdays: [day.value] } : null
  const unit = line.find(to, 'unit')
  if (unit?.value === 'workday' && areWeeks) return { to: unit.to, nth: sorted, weekdays: codesOfWeek }
  // “Every 15th day” is an interval.
  if (unit?.value === 'day' && (several || Math.abs(sorted[0]!) === 1)) return { to: unit.to, monthDays: sorted }
  return unit || (!several && sorted[0]! < 1) ? null : { to, monthDays: sorted }
}

/** The next such day, as typed. */
const nextOf = ({ to: _, ...day }: DayOfMonth, today: number): string =>
  dateOfWall(firstDay({ frequency: 'MONTHLY', interval: 1, ...day }, today))

function monthly(line: Line, at: number, to: number, interval: number, { to: _, ...day }: DayOfMonth): Placed {
  if (interval < 1 || day.monthDays?.includes(0) || day.nth?.includes(0))
    return placed(at, to, ask(`“${line.said(at, to)}” can’t be a recurrence rule. Enter the date`))
  return repeated(at, to, { frequency: 'MONTHLY', interval, ...day })
}
