import { daysText, dayMs, weekdayOf } from './dates'
import type { Hints } from './hours'
import { Question, type Days, type Item, type Placed, type Repeat } from './items'
import type { Line } from './line'
import { all, offsets, type Reading } from './parsed-line'

export type Time = Extract<Item, { is: 'time' }>
type Length = Extract<Item, { is: 'length' }>

/** Words as typed, and their range in the text. */
export interface Typed {
  said: string
  from: number
  to: number
}

/** Everything typed about the time, one of each kind. */
export interface TypedTimes {
  time?: Time
  days?: Days
  repeat?: Repeat
  until?: number
  count?: number
  length?: Length
  /** Length of the repetition. */
  bounding?: Length
  soon?: number
  allDay: boolean
  tonight: boolean
  /** The first part of the day. */
  part?: Typed
  /** The day, or the days. */
  typedDays?: Typed
  hints: Hints
  today: number
}

/** Collects the times of a line, at most one of each kind. @throws Question if there are two */
export function collectTimes(reading: Reading): TypedTimes {
  const { line, placed, hints, today } = reading
  const one = <Is extends Item['is']>(is: Is, what: string) => {
    const found = all(placed, is)
    if (found.length > 1) {
      const [a, b] = [found[0]!.at, found[1]!.at]
      throw new Question(
        `“${line.said(a.from, a.to)}” and “${line.said(b.from, b.to)}” are two ${what}. Keep one`,
        ...offsets(line, b),
      )
    }
    return found[0]
  }
  const times = all(placed, 'time')
  if (times.length === 0) yearOrHour(reading)
  halfMoments(reading, times)
  // "10:00 8h": next to another time, it's the duration.
  const spare =
    times.length === 2 ? times.find(({ start, end }) => !end && /^\d{1,2}h(\d\d)?$/.test(start.said)) : undefined
  const chosen = spare ? times.find((time) => time !== spare) : one('time', 'times')
  const lengths = all(placed, 'length').filter(
    ({ inTitle, minutes, days }) =>
      !inTitle || (chosen ? minutes !== undefined : days !== undefined || minutes !== undefined),
  )
  const open = lengths.filter(({ inTitle }) => !inTitle || !chosen?.end)
  const repeat = one('repeat', 'recurrence rules')
  const bounds = repeat ? open.filter(({ bound }) => bound) : []
  const rest = open.filter((length) => !bounds.includes(length))
  if (rest.length + bounds.length > 1 && (rest.length > 1 || bounds.length > 1 || spare))
    throw new Question('There are two durations. Keep one', ...offsets(line, open[1]!.at))
  const length: Length | undefined = spare
    ? { is: 'length', minutes: spare.start.hour * 60 + spare.start.minute }
    : rest[0]
  const until = one('until', 'end dates')
  const said = dayOf(reading)
  // "every Tuesday from 6 Jan to 24 Feb": the stretch is that of the repetition.
  const stretched =
    said?.last !== undefined && !said.relative && repeat && /DAILY|WEEKLY/.test(repeat.repeat.frequency)
      ? said.last
      : undefined
  const days = stretched === undefined ? said : { first: said!.first, begins: true }
  const count = one('count', 'numbers of occurrences')
  if ((until ?? stretched) !== undefined && (count ?? (until && stretched)) !== undefined)
    throw new Question('There are two ends, a date and a count. Keep one')
  if (count && !repeat)
    throw new Question(
      `“${line.said(count.at.from, count.at.to)}” doesn’t say how often. Add a rule, such as “every week”`,
      ...offsets(line, count.at),
    )
  const soon = one('soon', 'times')
  const part = all(placed, 'part')[0]
  const dated = all(placed, 'days')[0]
  return {
    allDay: all(placed, 'allday').length > 0,
    tonight: all(placed, 'part').some(({ tonight }) => tonight),
    hints,
    today,
    ...(part && { part: rangeOf(line, part.at) }),
    ...(dated && { typedDays: rangeOf(line, dated.at) }),
    ...(chosen && { time: chosen }),
    ...(days && { days }),
    ...(repeat && { repeat: repeat.repeat }),
    ...(stretched !== undefined && { until: stretched }),
    ...(until && { until: until.days.last ?? until.days.first }),
    ...(count && { count: count.count }),
    ...(length && { length }),
    ...(bounds[0] && { bounding: bounds[0] }),
    ...(soon && { soon: soon.minutes }),
  }
}

function rangeOf(line: Line, at: Placed): Typed {
  const [from, to] = offsets(line, at)
  return { said: line.said(at.from, at.to), from, to }
}

/** "22:00 - 7 Jan 03:00": an end with its day, a start without. @throws Question */
function halfMoments({ line, placed }: Reading, times: readonly { at: { from: number; to: number } }[]): void {
  const [first, second] = times
  if (!first || !second || times.length > 2) return
  const day = placed.find(
    ({ item, from }) => (item.is === 'days' || item.is === 'until') && from >= first.at.to && from < second.at.from,
  )
  if (!day || day.from > first.at.to + 1) return
  const joined = line.dash(first.at.to) ?? line.skip(first.at.to, 'to', 'until')
  if (joined === null || placed.some(({ item, to }) => item.is === 'days' && to <= first.at.from)) return
  throw new Question('Add a start day. Enter both days, such as 6 Jan 22:00 - 7 Jan 03:00', ...offsets(line, first.at))
}

const farYears = 10

/** "4 July 2000" without an hour could be at 20:00. @throws Question */
function yearOrHour({ line, placed, today }: Reading): void {
  const now = new Date(today).getUTCFullYear()
  for (const { at } of all(placed, 'days')) {
    const shape = line.shape(at.to - 1, 'number')
    if (shape?.digits !== 4 || shape.value % 100 > 59 || line.low(at.to - 2) === ',') continue
    if (Math.abs(shape.value - now) <= farYears) continue
    const clock = String(shape.value).replace(/(..)$/, ':$1')
    throw new Question(
      `${shape.value} could be a year or a time. Enter ${clock}, or put a comma before the year`,
      ...offsets(line, { from: at.to - 1, to: at.to }),
    )
  }
}

/**
 * The day that all date phrases agree on.
 * @throws Question if they don't
 */
function dayOf({ line, placed, today }: Reading): Days | undefined {
  const found = all(placed, 'days')
  const tonight = all(placed, 'part').some((part) => part.tonight)
  const [first, ...others] = found
  if (!first) return tonight ? { first: today, relative: true } : undefined
  let { days } = first
  for (const other of others) {
    const dates = [days, other.days]
    const named = dates.find(({ weekday }) => weekday)
    const exact = dates.find(({ weekday }) => !weekday)
    const agree = named && exact ? weekdayOf(named.first) === weekdayOf(exact.first) : days.first === other.days.first
    const follow =
      days.last === undefined && other.days.first === days.first + dayMs && !all(placed, 'time').length && !others[1]
    if (
      !agree ||
      (!named && !(other.days.ofMonth ?? days.ofMonth)) ||
      days.last !== undefined ||
      other.days.last !== undefined
    )
      throw new Question(
        `“${line.said(first.at.from, first.at.to)}” and “${line.said(other.at.from, other.at.to)}” are two days. Keep one`,
        ...offsets(line, follow ? { from: first.at.from, to: other.at.to } : other.at),
        follow ? [daysText(days.first, other.days.first)] : [],
      )
    days = exact ?? days
  }
  if (tonight && days.first !== today)
    throw new Question('“Tonight” is a different day from the one you wrote. Keep one')
  return days
}
