import { rfc3339, instantOfWall, instantsOfWalls, offsetAt, wallOfInstant } from '#shared/time/zones'
import { dateOfWall } from '#shared/time/zones'
import type { EventTime } from '#shared/time/event-time'
import { untilText, weekdayCodes } from '#shared/time/recurrence-lines'
import { addMonths, dayMs, dayWords, weekdayOf } from './dates'
import { Question, type Repeat, type TypedZone } from './items'

/** When an event is, as the calendar service writes it. */
export interface When {
  start: EventTime
  end: EventTime
  recurrence?: string[]
}

/** The end of a repetition, as typed. */
export interface Bound {
  until?: number
  count?: number
  days?: number
  months?: number
}

/** RRULE of a repetition that begins on a day. @throws Question */
export function ruleOf(repeat: Repeat, first: number, bound: Bound, zone: string | null): string {
  const parts = [`FREQ=${repeat.frequency}`]
  if (repeat.interval > 1) parts.push(`INTERVAL=${repeat.interval}`)
  const date = new Date(first).getUTCDate()
  const ofAll = isOfAll(repeat)
  if (repeat.nth && !ofAll)
    parts.push(`BYDAY=${repeat.nth.map((nth) => `${nth}${weekdayCodes[repeat.weekdays![0]!]}`).join(',')}`)
  else if (repeat.weekdays) parts.push(`BYDAY=${repeat.weekdays.map((day) => weekdayCodes[day]).join(',')}`)
  else if (repeat.monthDays) parts.push(`BYMONTHDAY=${repeat.monthDays.join(',')}`)
  if (ofAll) parts.push(`BYSETPOS=${repeat.nth!.join(',')}`)
  const late = (repeat.monthDays ?? [date]).find((day) => day > 28)
  if (repeat.frequency === 'MONTHLY' && repeat.nth === undefined && late !== undefined)
    throw new Question(`Not every month has day ${late}. Enter “last day of every month”, or a day up to 28`)
  // In a list such as “1st and 5th Friday”, months without a fifth skip it.
  if (repeat.nth?.[0] === 5 && !ofAll) throw new Question('Not every month has five of these days. Enter “last”')
  if (repeat.frequency === 'YEARLY' && date === 29 && new Date(first).getUTCMonth() === 1)
    throw new Question('29 Feb isn’t in every year. Enter 28 Feb or 1 Mar')
  const last = lastDay(first, bound)
  if (last !== undefined) {
    if (last < first) throw new Question(`This would end on ${dayWords(last)}, before it starts on ${dayWords(first)}`)
    parts.push(
      `UNTIL=${zone === null ? untilText(last, true) : untilText(instantOfWall(last + dayMs - 1000, zone), false)}`,
    )
  }
  if (bound.count !== undefined) parts.push(`COUNT=${bound.count}`)
  return `RRULE:${parts.join(';')}`
}

function lastDay(first: number, { until, days, months }: Bound): number | undefined {
  if (until !== undefined) return until
  if (days !== undefined) return first + (days - 1) * dayMs
  return months === undefined ? undefined : addMonths(first, months) - dayMs
}

/** “The last working day” is one of several weekdays. */
const isOfAll = ({ nth, weekdays }: Repeat): boolean => nth !== undefined && weekdays!.length > 1

/** The first day from `from` on that a repetition falls on. */
export function firstDay(repeat: Repeat, from: number): number {
  const falls = (day: number): boolean => {
    if (repeat.weekdays && !repeat.weekdays.includes(weekdayOf(day))) return false
    const date = new Date(day).getUTCDate()
    const lastDate = new Date(Date.UTC(new Date(day).getUTCFullYear(), new Date(day).getUTCMonth() + 1, 0)).getUTCDate()
    if (isOfAll(repeat))
      return repeat.nth!.some((nth) => numberAmong(repeat.weekdays!, day, nth < 0 ? lastDate : 1) === Math.abs(nth))
    if (repeat.nth) return repeat.nth.some((nth) => (nth < 0 ? date + 7 > lastDate : Math.ceil(date / 7) === nth))
    if (repeat.monthDays) return repeat.monthDays.includes(date) || (date === lastDate && repeat.monthDays.includes(-1))
    return true
  }
  for (let day = from; day < from + 800 * dayMs; day += dayMs) if (falls(day)) return day
  throw new Question('That date doesn’t exist')
}

/** Number of a day among those of its month on such weekdays, counted from a date, which may be the last of the month. */
function numberAmong(weekdays: readonly number[], day: number, from: number): number {
  const date = new Date(day).getUTCDate()
  const step = Math.sign(from - date) || 1
  const between = Array.from({ length: Math.abs(from - date) + 1 }, (_unused, n) => day + n * step * dayMs)
  return between.filter((one) => weekdays.includes(weekdayOf(one))).length
}

/** An all-day event; `end` is exclusive. */
export const allDay = (first: number, end: number): When => ({
  start: { date: dateOfWall(first) },
  end: { date: dateOfWall(end) },
})

/** Time zone of a wall-clock time, and its name. */
export interface Place {
  zone: string
  said?: TypedZone | undefined
}

/**
 * An event between two wall readings, each in its zone, or of a length in elapsed minutes. A start that the clocks skip
 * moves its end along. @throws Question
 */
export function timed(start: number, end: { wall: number; place: Place } | { minutes: number }, place: Place): When {
  const first = instantOfWall(start, place.zone)
  checkSeason(place, first)
  let last: number
  let endZone = place.zone
  if ('minutes' in end) last = first + end.minutes * 60_000
  else if (end.place.zone === place.zone) last = instantsOfWalls(start, end.wall, place.zone).end
  else {
    endZone = end.place.zone
    last = instantOfWall(end.wall, endZone)
    checkSeason(end.place, last)
  }
  if (last <= first) throw new Question('The end is before the start')
  return {
    start: { dateTime: rfc3339(first, place.zone), timeZone: place.zone },
    end: { dateTime: rfc3339(last, endZone), timeZone: endZone },
  }
}

/** "9am EST" in July: New York is on EDT then. */
function checkSeason({ zone, said }: Place, instant: number): void {
  if (said?.offset === undefined || offsetAt(instant, zone) === said.offset * 60_000) return
  throw new Question(
    `${said.said} isn’t in use in ${zone.replace(/.*\//, '').replace('_', ' ')} on ${dayWords(wallOfInstant(instant, zone))}. Enter a city, such as “9:00 ${zone.replace(/.*\//, '').replace('_', ' ')} time”`,
  )
}
