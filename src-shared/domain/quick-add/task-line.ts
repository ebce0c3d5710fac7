import { wallOfInstant } from '../../time/zones'
import { nextDue, repeatsFrom, type Repeat, type TaskExtras } from '../task-notes'
import { takeTags } from '../task-tags'
import { single } from './hours'
import { Question, type Repeat as Rule } from './items'
import type { Named } from './covered'
import { all, nothingLeft, takeApart, type Reading, type Surroundings } from './parsed-line'
import type { Line } from './line'
import { tooLongToRead } from './line-limit'

/** Context of reading. */
export interface TaskContext {
  /** Epoch milliseconds. */
  now: number
  zone: string
  /** Names of lists that `/Name` can mean. */
  lists: readonly Named[]
}

export interface TaskLine extends TaskExtras {
  title: string
  /** Wall reading of a midnight. */
  due: number | null
  /** Text of the day. Empty without one. */
  words: string
  /** Id of the list that was named. */
  list?: string
  /** Something a task can't hold, or that is unclear. Nothing is dropped, so the user must decide. */
  problem: string | null
}

/** What a line says that goes into the notes. */
export const extrasOf = ({ repeat, time, important, tags }: TaskLine): TaskExtras => ({
  ...(repeat && { repeat }),
  ...(time !== undefined && { time }),
  ...(important && { important }),
  ...(tags && { tags }),
})

/** Marks of an important task, as other planners have them. */
const importantMark = /(?<=^|\s)!(?:!{0,2}|1|high|important|hoch|wichtig)(?=\s|$)/giu

/**
 * Reads a task such as "Send plan by Friday at 15:00 ! #work /Home". A task has a day, may have a time and repeat, and may be
 * important. Reports anything else, and unclear days. A line without a day and a time is a title, whatever its words.
 */
export function readTaskLine(text: string, context: TaskContext): TaskLine {
  const { text: untagged, tags } = takeTags(text)
  // Blanks keep the positions.
  const rest = untagged.replaceAll(importantMark, (mark) => ''.padEnd(mark.length))
  const important = rest !== untagged
  const read = readUnmarked(rest, context)
  if (tags.length === 0 && !important) return read
  if (read.problem !== null) return { ...read, title: text.trim() }
  // A line that is only tags is a title, in which they count as well.
  if (read.title === '') return { ...read, title: tags.length > 0 ? tags.join(' ') : text.trim() }
  const title = read.title.replace(/\s+/g, ' ')
  return { ...read, title, ...(important && { important }), ...(tags.length > 0 && { tags }) }
}

function readUnmarked(text: string, { now, zone, lists }: TaskContext): TaskLine {
  const plain = { title: text.trim(), due: null, words: '' }
  const tooLong = tooLongToRead(text)
  if (tooLong !== undefined) return { ...plain, problem: tooLong }
  try {
    const around: Surroundings = { now, zone, named: lists, kind: 'list' }
    const reading = takeApart(withoutDeadline(text, around), around)
    const list = reading.covered.find(({ is }) => is === 'calendar')
    const named = list ? { list: list.value } : {}
    const title = withPlace(text, reading.covered)
    const asked = reading.placed.filter(
      ({ item }) => item.is !== 'length' && item.is !== 'part' && item.is !== 'remind',
    )
    if (asked.length === 0) {
      const tonight = reading.placed.find(({ item }) => item.is === 'part' && item.tonight)
      if (tonight) return { ...plain, ...named, problem: noTime(reading.line.said(tonight.from, tonight.to)) }
      const week = wholeWeek(reading.line)
      const problem = week === null ? null : `“${week}” isn’t a day. Enter a day, or keep it as text`
      return { ...plain, title, ...named, problem }
    }
    const said = (is: string): string | undefined => {
      const found = reading.placed.find(({ item }) => item.is === is)
      return found && reading.line.said(found.from, found.to)
    }
    const repeat = said('count') ?? said('repeat')
    const [rule, ...more] = reading.placed.flatMap(({ item }) => (item.is === 'repeat' ? [item.repeat] : []))
    const isPlain =
      rule &&
      more.length === 0 &&
      said('count') === undefined &&
      rule.nth === undefined &&
      (rule.monthDays ?? [0]).length === 1
    if (repeat && !isPlain)
      return {
        ...plain,
        ...named,
        problem: `Tasks can’t repeat “${repeat}”. Remove it, or keep it as text`,
      }
    const soon = said('soon')
    if (soon) return { ...plain, ...named, problem: noTime(soon) }
    const unfit = reading.placed.find(({ item }) => (item.is === 'length' && !item.inTitle) || item.is === 'remind')
    if (unfit) {
      const words = reading.line.said(unfit.from, unfit.to)
      const problem = `${unfit.item.is === 'length' ? 'Tasks don’t have a duration' : 'Tasks don’t have their own reminders'}. Remove “${words}”, or keep it as text`
      return { ...plain, ...named, problem }
    }
    const time = timeIn(reading)
    if (time === null)
      return {
        ...plain,
        ...named,
        problem: 'Use one time, in your time zone, or keep the line as text',
      }
    const part = said('part')
    if (part !== undefined && time === undefined) return { ...plain, ...named, problem: noTime(part) }
    const timed = time === undefined ? {} : { time }
    nothingLeft(reading)
    const days = all(reading.placed, 'days')
    const day = days[0]
    const others = reading.placed.filter(({ item }) => item.is === 'until' || item.is === 'allday')
    if (isPlain && days.length <= 1 && day?.days.last === undefined && others.length === 0) {
      const rest = titleOf(reading.title, reading.place?.text, text)
      if (rest === '') return { ...plain, ...named, problem: null }
      return {
        title: rest,
        ...repeated(rule, day?.days.first ?? null, firstDay(time, wallOfInstant(now, zone))),
        words: said('repeat')!,
        ...timed,
        ...named,
        problem: null,
      }
    }
    if (!day && time !== undefined && others.length === 0) {
      const rest = titleOf(reading.title, reading.place?.text, text)
      if (rest === '') return { ...plain, ...named, problem: null }
      const due = firstDay(time, wallOfInstant(now, zone))
      return { title: rest, due, time, words: said('time')!, ...named, problem: null }
    }
    if (!day && !others.some(({ item }) => item.is === 'until')) return { ...plain, title, ...named, problem: null }
    if (!day || days.length > 1 || day.days.last !== undefined || others.length > 0)
      return {
        ...plain,
        ...named,
        problem: 'Use one due date, or keep the line as text',
      }
    const rest = titleOf(reading.title, reading.place?.text, text)
    if (rest === '') return { ...plain, ...named, problem: null }
    return {
      title: rest,
      due: day.days.first,
      words: [reading.line.said(day.at.from, day.at.to), said('time')].filter(Boolean).join(' '),
      ...timed,
      ...named,
      problem: null,
    }
  } catch (error) {
    if (!(error instanceof Question)) throw error
    return { ...plain, problem: error.message }
  }
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** The time of day that a line names, in minutes. Null if it names more than one. @throws Question if it’s ambiguous */
function timeIn({ placed, hints }: Reading): number | null | undefined {
  const [first, ...more] = all(placed, 'time')
  if (!first) return undefined
  if (more.length > 0 || first.end || first.days || first.start.zone) return null
  const minutes = single(first.start, hints)
  return minutes < 1440 ? minutes : null
}

/** Today, or tomorrow if the time is past. `now`: a wall reading. */
function firstDay(time: number | undefined, now: number): number {
  const today = Math.floor(now / dayMs) * dayMs
  return time === undefined || today + time * minuteMs >= now ? today : today + dayMs
}

/** A rule as tasks have it, and the day of the first one, which is `from` at the earliest unless it's given. */
function repeated(rule: Rule, day: number | null, from: number): { repeat: Repeat; due: number } {
  const { daily, weekly, monthly, yearly } = repeatsFrom(day ?? from)
  const { frequency, interval: every, weekdays, monthDays } = rule
  const monthDay = monthDays?.[0]
  const plain: Record<Rule['frequency'], Repeat> = {
    DAILY: daily,
    WEEKLY: { ...weekly, ...(weekdays && { weekdays }) },
    // The last day of every month.
    MONTHLY: { ...monthly, ...(monthDay !== undefined && { date: monthDay < 0 ? 31 : monthDay }) },
    YEARLY: yearly,
  }
  const repeat = plain[frequency]
  const before = from - dayMs
  return { repeat: { ...repeat, every }, due: day ?? nextDue(repeat, before, before) }
}

const noTime = (said: string): string => `“${said}” isn’t an exact time. Enter one, such as 15:00, or keep it as text`

/**
 * Removes "by" and "due" before days, because a task's day is its due date. Keeps the length, so that positions stay
 * valid.
 */
function withoutDeadline(text: string, around: Surroundings): string {
  const { line, placed } = takeApart(text, around)
  // A holiday is a day only behind a word for it.
  const blank = (day: number, words: string): string =>
    (line.find(day, 'feast') === null ? '' : 'on').padEnd(words.length)
  let result = text
  for (const { from, item } of placed) {
    const start = line.tokens[from]!.from
    const until = item.is === 'until' ? /^bis\s+(?:zum\s+|spätestens\s+)?/iu.exec(text.slice(start))?.[0] : undefined
    if (until) result = result.slice(0, start) + blank(from + 1, until) + result.slice(start + until.length)
    if (item.is !== 'days') continue
    const words =
      /(?<=\s)(?:by|due(?:\s+(?:on|by))?|spätestens|fällig(?:\s+am)?)\s+$/iu.exec(text.slice(0, start))?.[0] ?? ''
    result = `${result.slice(0, start - words.length)}${blank(from, words)}${result.slice(start)}`
  }
  return result
}

/** "next week", without a day. */
function wholeWeek(line: Line): string | null {
  for (let at = 0; at < line.tokens.length; at++) {
    const next = line.skip(at, 'next', 'this')
    const unit = next === null ? null : line.find(next, 'unit')
    if (unit && (unit.value === 'week' || line.skip(at, 'next') !== null)) return line.said(at, unit.to)
  }
  return null
}

/** The line without the name of its list. */
function withPlace(text: string, covered: readonly { is: string; from: number; to: number }[]): string {
  const list = covered.find(({ is }) => is === 'calendar')
  return (list ? `${text.slice(0, list.from)} ${text.slice(list.to)}` : text).replace(/\s+/g, ' ').trim()
}

/** Tasks have no place, so it stays in the title. */
function titleOf(title: string, place: string | undefined, text: string): string {
  if (place === undefined) return title
  const lead = /(?:^|\s)(at|in|@|im|beim|bei)\s+["“„«]?$/iu.exec(text.slice(0, text.indexOf(place)))?.[1] ?? 'at'
  return `${title} ${lead} ${place}`.trim()
}
