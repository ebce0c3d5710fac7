import { dateOfWall, wallOfInstant } from '#shared/time/zones'
import { instantOf } from '#shared/time/event-time'
import { weekdayCodes } from '#shared/time/recurrence-lines'
import type { Named } from './covered'
import type { When } from './event'
import { Question } from './items'
import { tooLongToRead } from './line-limit'
import { nothingLeft, takeApart, type Reading } from './parsed-line'
import { sayWhen, whenOf } from './when'

export { sayWhen }

/** Context for parsing. Parsing is deterministic: the same text at the same moment has the same meaning. */
export interface QuickAddContext {
  /** Epoch milliseconds. */
  now: number
  zone: string
  /** Minutes of an event without an end. */
  defaultMinutes: number
  /** Names of calendars that `/Name` can mean. */
  calendars: readonly Named[]
  /** The user's locale has a 12-hour clock, so more hours are ambiguous. */
  hour12?: boolean
  /** First day of the week, from which every second week is counted: 0 is Sunday. Default: Monday. */
  weekStart?: number
}

/** An event read from one line, in the calendar service's terms: shown exactly as it's stored. */
export interface QuickEvent extends When {
  summary: string
  location?: string
  /** Minutes before the start. */
  reminder?: number
  guests: string[]
  calendarId?: string
  /** The event is in the past: it has begun, or is over. */
  past?: 'begun' | 'over'
}

export type QuickAddPart = 'date' | 'time' | 'duration' | 'repeat' | 'place' | 'guest' | 'calendar' | 'question'

export interface QuickAddResult {
  event: QuickEvent | null
  /** Why no event can be created, or what's unclear, as a sentence with a remedy. */
  problem: string | null
  /** The recognized ranges of the text with their meaning, including the unclear one. */
  parts: readonly { part: QuickAddPart; from: number; to: number }[]
  /** What can be written instead of the unclear range, or of the words that the problem quotes, likeliest first. */
  answers?: readonly string[]
}

/**
 * Reads an event from a line such as "lunch with Mina tomorrow 12-13 at Cafe Nord", in English or German. Times without a
 * day are in the future. A named day or time may be in the past, as people also note past events. Unclear or ambiguous
 * words of time cause a question. They're never guessed and never moved to the title. Quoted words are literal.
 */
export function readQuickAdd(text: string, context: QuickAddContext): QuickAddResult {
  if (text.trim() === '') return { event: null, problem: null, parts: [] }
  const tooLong = tooLongToRead(text)
  if (tooLong !== undefined) return { event: null, problem: tooLong, parts: [] }
  let reading: Reading | null = null
  try {
    reading = takeApart(text, { ...context, named: context.calendars, kind: 'calendar' })
    nothingLeft(reading)
    const event = eventOf(reading, context)
    return { event, problem: null, parts: partsOf(reading) }
  } catch (error) {
    if (!(error instanceof Question)) throw error
    const about =
      error.from !== undefined && error.to !== undefined
        ? { part: 'question' as const, from: error.from, to: error.to }
        : null
    const parts = (reading ? partsOf(reading) : []).filter(
      ({ from, to }) => !about || to <= about.from || from >= about.to,
    )
    return {
      event: null,
      problem: error.message,
      parts: sorted(about ? [...parts, about] : parts),
      answers: error.answers,
    }
  }
}

function eventOf(reading: Reading, context: QuickAddContext): QuickEvent {
  const { covered, placed, title, place } = reading
  const when = whenOf(reading, context)
  if (title === '') throw new Question('Add a title')
  const guests = [...new Set(covered.filter(({ is }) => is === 'guest').map(({ value }) => value))]
  const calendarId = covered.find(({ is }) => is === 'calendar')?.value
  const reminders = placed.flatMap(({ item }) => (item.is === 'remind' ? [item.minutes] : []))
  if (reminders.length > 1) throw new Question('Quick add supports one reminder. Add the others in the event')
  if (reminders.length > 0 && when.start.date)
    throw new Question('A reminder needs a start time. Add one, such as 9:30')
  if ((reminders[0] ?? 0) > 40_320) throw new Question('A reminder can be at most 4 weeks before the start')
  const past = pastOf(when, context)
  return {
    summary: title,
    ...when,
    ...(when.recurrence && { recurrence: when.recurrence.map((line) => countWeeks(line, context.weekStart)) }),
    guests,
    ...(place && { location: place.text }),
    ...(calendarId !== undefined && { calendarId }),
    ...(reminders.length > 0 && { reminder: reminders[0]! }),
    ...(past && { past }),
  }
}

/** A rule that skips weeks says which day they begin with. */
const countWeeks = (rule: string, weekStart = 1): string =>
  weekStart !== 1 && /FREQ=WEEKLY;INTERVAL=/.test(rule) ? `${rule};WKST=${weekdayCodes[weekStart]}` : rule

function pastOf({ start, end }: When, { now, zone }: QuickAddContext): 'begun' | 'over' | undefined {
  const wall = wallOfInstant(now, zone)
  if (start.date) {
    const today = dateOfWall(wall)
    return end.date! <= today ? 'over' : start.date < today ? 'begun' : undefined
  }
  return instantOf(end) <= now ? 'over' : instantOf(start) < Math.floor(now / 60_000) * 60_000 ? 'begun' : undefined
}

const kinds = {
  days: 'date',
  time: 'time',
  soon: 'time',
  part: 'time',
  allday: 'time',
  length: 'duration',
  remind: 'duration',
  repeat: 'repeat',
  until: 'repeat',
  count: 'repeat',
  question: 'question',
} as const

function partsOf({ line, placed, covered, place }: Reading): QuickAddResult['parts'] {
  return sorted([
    ...placed
      .filter(({ item }) => !(item.is === 'length' && item.inTitle))
      .map(({ from, to, item }) => ({
        part: kinds[item.is],
        from: line.tokens[from]!.from,
        to: line.tokens[to - 1]!.to,
      })),
    ...covered.flatMap(({ is, from, to }) => (is === 'guest' || is === 'calendar' ? [{ part: is, from, to }] : [])),
    ...(place ? [{ part: 'place' as const, from: place.from, to: place.to }] : []),
  ])
}

const sorted = (parts: QuickAddResult['parts']): QuickAddResult['parts'] => [...parts].sort((a, b) => a.from - b.from)
