import { dateOfWall, instantOfWall, wallOfInstant } from '#shared/time/zones'
import { addMonths, dayMs, dayWords, weekdayOf } from './dates'
import { allDay, firstDay, ruleOf, timed, type Bound, type Place, type When } from './event'
import { both, single } from './hours'
import { Question, type Days, type Point, type Repeat } from './items'
import type { Reading } from './parsed-line'
import { askWhereTo } from './moves'
import { collectTimes, type TypedTimes, type Time } from './typed-times'

const minuteMs = 60_000
/** Question for a line without a date or time. */
export const sayWhen = 'Add a day, a time, or both'
const nightEnds = 6 * 60

export interface Moment {
  now: number
  zone: string
  defaultMinutes: number
}

/**
 * Start and end of an event.
 * @throws Question if the line says nothing, too much, or something ambiguous
 */
export function whenOf(reading: Reading, moment: Moment): When {
  const said = collectTimes(reading)
  askWhereTo(reading)
  if (said.soon !== undefined) return inAWhile(said, moment)
  if (said.time?.days) return betweenMoments(said, said.time, moment)
  return said.time ? timedOn(said, said.time, moment) : wholeDays(said)
}

function inAWhile(
  { soon, time, days, repeat, until, allDay: whole, length }: TypedTimes,
  { now, zone, defaultMinutes }: Moment,
): When {
  if (time ?? days ?? repeat ?? until ?? (whole || undefined))
    throw new Question('A time such as “in 2 hours” can’t be combined with another day or time. Keep one')
  const start = wallOfInstant(Math.ceil(now / minuteMs) * minuteMs + soon! * minuteMs, zone)
  const minutes = length?.minutes ?? defaultMinutes
  if (length && length.minutes === undefined) throw new Question('Enter the duration in hours or minutes')
  return timed(start, { minutes }, { zone })
}

function betweenMoments(said: TypedTimes, { start, end, days }: Time, { zone }: Moment): When {
  if (said.repeat ?? said.until ?? said.length)
    throw new Question('An event over several days can’t repeat or have a duration here. Add that in the event')
  const from = days!.first.first + single(start, said.hints) * minuteMs
  // 22:00 is on the 24-hour clock, and so is the 2:00 that follows.
  const full = start.form === 'full' && !start.half && end!.form === 'clock' && !end!.half
  const to = days!.last.first + single(full ? { ...end!, form: 'full' } : end!, said.hints) * minuteMs
  const place = placeOf(start, zone)
  const last = end!.zone ? placeOf(end!, zone) : place
  if (place.zone === last.zone && to <= from) throw new Question('The end is before the start')
  return timed(from, { wall: to, place: last }, place)
}

const placeOf = (point: Point, zone: string): Place =>
  point.zone ? { zone: point.zone.zone, said: point.zone } : { zone }

function wholeDays(said: TypedTimes): When {
  const { days, repeat, length, today, hints } = said
  if (hints.part && !said.allDay && (said.tonight || days || repeat)) throw whenIn(hints.part, said)
  if (!days && !repeat && !length && !said.allDay && said.until === undefined) throw new Question(sayWhen)
  if (length?.minutes !== undefined) throw new Question('A duration needs a start. Add a time, such as 9:30')
  if (said.until !== undefined && !repeat) {
    if (!days) throw new Question('Add the first day. Enter both days, such as 7 Dec - 9 Dec')
    if (days.last !== undefined || length) throw new Question('There are two end times. Keep one')
    if (said.until < days.first) throw new Question('The last day is before the first')
    return allDay(days.first, said.until + dayMs)
  }
  if (!days && !repeat && length) throw new Question('Add the first day, such as tomorrow')
  const first = repeat ? firstDay(ruled(repeat, days), days?.first ?? today) : (days?.first ?? today)
  if (days?.last !== undefined && length) throw new Question('The end and the duration don’t match. Keep one')
  const count = length?.days ?? 1
  if (length?.months && (!length.bound || repeat)) throw new Question('Add the last day, such as “until 31 Jan”')
  if (length?.months) return allDay(first, addMonths(first, length.months))
  const end = days?.last !== undefined ? first + (days.last - days.first) + dayMs : first + count * dayMs
  if (!repeat) return allDay(first, end)
  tooLong(repeat, end - first)
  return { ...allDay(first, end), recurrence: [ruleOf(ruled(repeat, days), first, boundOf(said), null)] }
}

const usualTimes = { morning: '9:00', noon: '12:30', afternoon: '15:00', evening: '19:00', night: '22:00' } as const

/** Asks for the time in a part of the day. */
function whenIn(part: keyof typeof usualTimes, { tonight, part: typed }: TypedTimes): Question {
  const time = tonight && part === 'night' ? '20:00' : usualTimes[part]
  const words = tonight
    ? part === 'night'
      ? 'tonight'
      : `this ${part}`
    : part === 'noon'
      ? 'around noon'
      : `in the ${part}`
  const answers = typed ? [`${typed.said} ${time}`] : []
  return new Question(`Add a time ${words}, such as ${time}`, typed?.from, typed?.to, answers)
}

function tooLong({ frequency, interval }: Repeat, ms: number): void {
  const days = { DAILY: 1, WEEKLY: 7, MONTHLY: 28, YEARLY: 365 }[frequency] * interval
  if (ms > days * dayMs) throw new Question('This would repeat before it ends. Change the duration or the recurrence')
}

const clean = (bound: { [Key in keyof Bound]: Bound[Key] | undefined }): Bound =>
  Object.fromEntries(Object.entries(bound).filter(([, value]) => value !== undefined))

function boundOf({ repeat, until, count, bounding }: TypedTimes): Bound {
  if (bounding) {
    const step = { DAILY: 1, WEEKLY: 7, MONTHLY: 28, YEARLY: 365 }[repeat!.frequency] * repeat!.interval
    if ((bounding.days ?? (bounding.months ?? 0) * 28) < step)
      throw new Question('That could be the duration or the end of the series. Enter “until” and a date')
    if (until !== undefined || count !== undefined) throw new Question('There are two end times. Keep one')
  }
  return clean({ until, count, days: bounding?.days, months: bounding?.months })
}

/** Combines "every month" and "the 15th" to one rule. @throws Question if repetition and day don't fit together */
function ruled(repeat: Repeat, days: Days | undefined): Repeat {
  if (!days) return repeat
  if (
    days.ofMonth !== undefined &&
    (repeat.nth !== undefined || !(repeat.monthDays ?? [days.ofMonth]).includes(days.ofMonth))
  )
    throw new Question('There are two days of the month. Create a separate event for each')
  if (repeat.frequency === 'MONTHLY' && !repeat.monthDays && repeat.nth === undefined) {
    if (days.ofMonth !== undefined) return { ...repeat, monthDays: [days.ofMonth] }
    if (days.weekday) throw new Question('Enter which week of the month, such as “first Friday of every month”')
  }
  if (
    days.weekday &&
    !(repeat.frequency === 'WEEKLY' && (!repeat.weekdays || repeat.weekdays.includes(weekdayOf(days.first))))
  )
    throw new Question('The day and the recurrence don’t match. Enter the first date, such as “starting 1 Dec”')
  if (days.ofMonth !== undefined && repeat.frequency !== 'MONTHLY')
    throw new Question('Add the month, such as “12 Jun”')
  if (!days.begins && firstDay(repeat, days.first) !== days.first)
    throw new Question('That day isn’t part of the recurrence. Enter “starting” before the first date')
  return repeat
}

function timedOn(said: TypedTimes, time: Time, { now, zone, defaultMinutes }: Moment): When {
  const { days, repeat, length, hints } = said
  if (said.allDay) throw new Question('This is both all day and at a time. Keep one')
  if (said.until !== undefined && !repeat) {
    const { said: words, from, to } = said.typedDays ?? {}
    throw new Question(
      'This could repeat each day or last until then. Enter “every day”, or both days with their times',
      from,
      to,
      days?.last !== undefined && !/\d/.test(words!) ? [`every ${words}`] : [],
    )
  }
  if (days?.last !== undefined) {
    const { said: words, from, to } = said.typedDays!
    const daily = `every day from ${dateOfWall(days.first)} until ${dateOfWall(days.last)}`
    throw new Question(
      'This could be an event on each of these days, or one long event. Enter “every day … until”, “every Mon-Fri”, or both days with their times',
      ...([from, to] as const),
      /\d/.test(words) ? [daily] : [`every ${words}`, daily],
    )
  }
  const place = placeOf(time.start, zone)
  const last = time.end?.zone ? placeOf(time.end, zone) : place
  const start = !time.start.zone && time.end?.zone ? last : place
  const here = today(now, start.zone)
  if (days?.relative && here !== said.today)
    throw new Question(`It’s ${dayWords(here)} there and ${dayWords(said.today)} here. Enter the date`)
  if ((time.start.part ?? hints.part) === 'night' && !said.tonight && (days || repeat?.weekdays) && !time.end)
    smallHours(single(time.start, hints), days)
  const midnight = said.tonight && !time.end && time.start.form === 'midnight'
  const { from, to } = time.end
    ? both(time.start, time.end, hints)
    : { from: midnight ? 1440 : single(time.start, hints), to: undefined }
  if (to !== undefined && length?.minutes && length.minutes !== to - from)
    throw new Question('The end and the duration don’t match. Keep one')
  if (length && length.minutes === undefined)
    throw new Question('There’s a time and a duration in days. Enter both days with their times')
  const wallNow = wallOfInstant(now, start.zone)
  const day = dayFor(said, from, here, wallNow)
  const minutes = length?.minutes ?? defaultMinutes
  const begin = day + from * minuteMs
  const finish = to === undefined ? { minutes } : { wall: endWall(day, from, to, start, last), place: last }
  const when = timed(begin, finish, start)
  if (!repeat) return when
  if (start.said?.offset !== undefined)
    throw new Question(`${start.said.said} applies only part of the year. Enter a city, such as “9:00 New York time”`)
  tooLong(repeat, to === undefined ? minutes * minuteMs : (to - from) * minuteMs)
  return {
    ...when,
    recurrence: [ruleOf(ruled(repeat, days), Math.floor(begin / dayMs) * dayMs, boundOf(said), start.zone)],
  }
}

/** "Friday night at 1am" is Saturday for most people. @throws Question */
function smallHours(minutes: number, days: Days | undefined): void {
  if (minutes >= nightEnds) return
  const which = days
    ? `on ${dayWords(days.first)}, or on ${dayWords(days.first + dayMs)}`
    : 'on that day, or on the next'
  throw new Question(`That could be ${which}. Leave out “night” and write the day`)
}

const today = (now: number, zone: string): number => Math.floor(wallOfInstant(now, zone) / dayMs) * dayMs

/** The wall reading of an end in its own zone: the first after the start that shows this time there. */
function endWall(day: number, from: number, to: number, start: Place, last: Place): number {
  if (start.zone === last.zone) return day + to * minuteMs
  const begins = instantOfWall(day + from * minuteMs, start.zone)
  for (let wall = day - dayMs + (to % 1440) * minuteMs; ; wall += dayMs)
    if (instantOfWall(wall, last.zone) > begins) return wall
}

/** The first day on which the time is still ahead, or the typed day. */
function dayFor({ days, repeat, tonight }: TypedTimes, minutes: number, here: number, now: number): number {
  const ahead = (day: number): boolean => day + minutes * minuteMs >= Math.floor(now / minuteMs) * minuteMs
  const rule = repeat && ruled(repeat, days)
  if (days) {
    const day = days.first
    if (rule) return firstDay(rule, days.weekday && !ahead(day) ? day + dayMs : day)
    if (days.weekday && !ahead(day)) return day + 7 * dayMs
    return tonight && minutes < nightEnds && !ahead(day) ? day + dayMs : day
  }
  const day = rule ? firstDay(rule, here) : here
  if (ahead(day)) return day
  return rule ? firstDay(rule, day + dayMs) : day + dayMs
}
