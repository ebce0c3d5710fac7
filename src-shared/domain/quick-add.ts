import { dateOfWall, instantOfWall, wallOfInstant } from '#shared/time/zones'

/** What the text is read against. Reading is deterministic: the same text at the same moment means the same. */
export interface QuickAddContext {
  /** Epoch milliseconds. */
  now: number
  zone: string
  /** Minutes of an event without an end. */
  defaultMinutes: number
  /** Names of calendars that `/Name` can mean. */
  calendars: readonly { id: string; name: string }[]
}

/** An event read from one line. Times are wall readings in the context's zone; all-day: midnights, `end` exclusive. */
export interface QuickEvent {
  title: string
  start: number
  end: number
  allDay: boolean
  /** RRULE line. */
  recurrence?: string
  location?: string
  guests: string[]
  calendarId?: string
  /** It lies in the past: it has begun, or is over altogether. */
  past?: 'begun' | 'over'
}

export type QuickAddPart = 'date' | 'time' | 'duration' | 'repeat' | 'place' | 'guest' | 'calendar'

export interface QuickAddResult {
  event: QuickEvent | null
  /** Why nothing is made of it, or what is unclear, in a sentence with a way out. */
  problem: string | null
  /** Which stretches of the text were understood as what. */
  parts: readonly { part: QuickAddPart; from: number; to: number }[]
}

const dayMs = 86_400_000
const minuteMs = 60_000
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const codes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

const weekdayWord = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?'
const monthWord =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const clock = '(\\d{1,2})(?:[:.](\\d{2}))?\\s*(am|pm|a\\.m\\.|p\\.m\\.)?'
const end = '(?![\\p{L}\\d])'
const begin = '(?<![\\p{L}\\d])'
const form = (source: string): RegExp => new RegExp(`${begin}${source}${end}`, 'iu')

class Problem extends Error {}

/** Text that shrinks as parts are taken out of it; what is left is the title. */
class Reader {
  parts: { part: QuickAddPart; from: number; to: number }[] = []
  constructor(public text: string) {}

  take(part: QuickAddPart, pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.text)
    if (!match) return null
    this.parts.push({ part, from: match.index, to: match.index + match[0].length })
    // The same length in blanks, so that positions stay those of the typed text.
    this.text =
      this.text.slice(0, match.index) +
      '\u0000'.repeat(match[0].length) +
      this.text.slice(match.index + match[0].length)
    return match
  }
}

/**
 * Reads an event from a line such as "lunch with Mina tomorrow 12-13 at Cafe Nord". What is said without a day lies
 * ahead; a day or time that is named may be over, as people note what has been. What has two meanings is refused with the
 * question it raises, not guessed.
 */
export function readQuickAdd(text: string, context: QuickAddContext): QuickAddResult {
  const reader = new Reader(text)
  try {
    return { event: text.trim() === '' ? null : read(reader, context), problem: null, parts: sorted(reader) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { event: null, problem: error.message, parts: sorted(reader) }
  }
}

const sorted = (reader: Reader): QuickAddResult['parts'] => [...reader.parts].sort((a, b) => a.from - b.from)

function read(reader: Reader, context: QuickAddContext): QuickEvent {
  const now = wallOfInstant(context.now, context.zone)
  const today = Math.floor(now / dayMs) * dayMs
  const guests = takeGuests(reader)
  const calendarId = takeCalendar(reader, context)
  const allDay = reader.take('time', form('all[ -]day')) !== null
  const duration = takeDuration(reader)
  const repeat = takeRepeat(reader)
  const dates = takeDates(reader, today)
  const time = allDay ? null : takeTime(reader)
  const location = takePlace(reader)
  const title = reader.text
    .split('\u0000')
    .map((piece) => piece.trim())
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/(?:\s+(?:on|at|from|for|with|by|in|to))+$/i, '')
    .replace(/^[\s,;:–-]+|[\s,;:–-]+$/g, '')

  if (!time && !dates && !repeat && !duration && !allDay) throw new Problem('Say when: a day, a time, or both')
  if (title === '') throw new Problem('Say what: a few words for the title')

  const extras = {
    guests,
    ...(calendarId !== undefined && { calendarId }),
    ...(location !== undefined && { location }),
  }
  if (!time) {
    if (duration && !duration.days && !allDay) throw new Problem('A length needs a start: add a time such as 9:30')
    const first = dates?.first ?? (repeat ? firstDay(repeat, today, today) : today)
    const last = dates?.last ?? first + ((duration?.days ?? 1) - 1) * dayMs
    const start = repeat ? firstDay(repeat, first, today) : first
    const stop = start + (last - first) + dayMs
    return {
      title,
      start,
      end: stop,
      allDay: true,
      ...pastOf(start < today, stop <= now),
      ...(repeat && { recurrence: repeat.line }),
      ...extras,
    }
  }

  const day = startDay(time.from, dates, repeat, today, now)
  const start = day + time.from * minuteMs
  let length =
    time.to !== undefined
      ? time.to - time.from
      : (duration?.minutes ?? (duration?.days ? duration.days * 1440 : context.defaultMinutes))
  if (time.to !== undefined && duration?.minutes && duration.minutes !== length)
    throw new Problem('The end and the length disagree: give one of them')
  if (length <= 0) length += 1440
  const stop = dates?.last !== undefined ? dates.last + (time.to ?? time.from) * minuteMs : start + length * minuteMs
  if (instantOfWall(stop, context.zone) <= instantOfWall(start, context.zone))
    throw new Problem('The end is before the start')
  const past = pastOf(start < now, stop <= now)
  return { title, start, end: stop, allDay: false, ...past, ...(repeat && { recurrence: repeat.line }), ...extras }
}

const pastOf = (begun: boolean, over: boolean): Pick<QuickEvent, 'past'> =>
  over ? { past: 'over' } : begun ? { past: 'begun' } : {}

function takeGuests(reader: Reader): string[] {
  const guests: string[] = []
  for (;;) {
    const match = reader.take(
      'guest',
      /(?:(?<![\p{L}\d])(?:with|and|invite)\s+)?[^\s@,;<>"()]+@[^\s@,;<>"()]+\.[\p{L}]{2,}\s*,?/iu,
    )
    if (!match) return guests
    guests.push(
      match[0]
        .replace(/^(?:with|and|invite)\s+/i, '')
        .replace(/[\s,]+$/, '')
        .toLowerCase(),
    )
  }
}

function takeCalendar(reader: Reader, { calendars }: QuickAddContext): string | undefined {
  const start = /(?:^|\s)\/(?=\p{L})/u.exec(reader.text)
  if (!start) return undefined
  const rest = reader.text.slice(start.index + start[0].length).toLowerCase()
  const named = [...calendars]
    .sort((a, b) => b.name.length - a.name.length)
    .find(({ name }) => rest.startsWith(name.toLowerCase()) && !/^[\p{L}\d]/u.test(rest.slice(name.length)))
  const word = /^[\p{L}\d_-]+/u.exec(rest)![0]
  const similar = named ? [named] : calendars.filter(({ name }) => name.toLowerCase().startsWith(word))
  if (similar.length === 0) throw new Problem(`No calendar is called “${word}”`)
  if (similar.length > 1) throw new Problem(`“/${word}” could be ${similar.map(({ name }) => name).join(' or ')}`)
  const length = named ? named.name.length : word.length
  reader.take(
    'calendar',
    new RegExp(`/${escape(reader.text.slice(start.index + start[0].length).slice(0, length))}`, 'u'),
  )
  return similar[0]!.id
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function takeDuration(reader: Reader): { minutes?: number; days?: number } | null {
  const match =
    reader.take(
      'duration',
      form(
        'for\\s+(?:(an|half an|one|\\d+(?:[.,]\\d+)?)\\s*(h|hrs?|hours?))(?:\\s*(?:and\\s+)?(\\d{1,2})\\s*(?:m|mins?|minutes?))?',
      ),
    ) ??
    reader.take(
      'duration',
      form('(?:for\\s+)?(\\d+(?:[.,]\\d+)?)\\s*(h|hrs?|hours?)(?:\\s*(\\d{1,2})\\s*(?:m|mins?|minutes?)?)?'),
    )
  if (match) {
    const word = match[1]!.toLowerCase().replace(',', '.')
    const hours = word === 'half an' ? 0.5 : word === 'an' || word === 'one' ? 1 : Number(word)
    return { minutes: Math.round(hours * 60) + Number(match[3] ?? 0) }
  }
  const minutes = reader.take('duration', form('(?:for\\s+)?(\\d{1,4})\\s*(?:m|mins?|minutes?)'))
  if (minutes) return { minutes: Number(minutes[1]) }
  const days = reader.take('duration', form('for\\s+(\\d{1,3})\\s*(days?|weeks?)'))
  return days ? { days: Number(days[1]) * (/^w/i.test(days[2]!) ? 7 : 1) } : null
}

interface Repeat {
  line: string
  /** Weekdays it falls on, when the rule names any. */
  days: readonly number[] | null
}

function takeRepeat(reader: Reader): Repeat | null {
  const interval = '(?:(other|second|2nd|third|3rd|\\d{1,2})\\s+)?'
  const step = (word: string | undefined): string => {
    if (!word) return ''
    const count = /^(other|second|2nd)$/i.test(word) ? 2 : /^(third|3rd)$/i.test(word) ? 3 : Number(word)
    return count > 1 ? `;INTERVAL=${count}` : ''
  }
  if (reader.take('repeat', form('(?:every\\s+(?:week|work)day|weekdays)'))) {
    return { line: 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', days: [1, 2, 3, 4, 5] }
  }
  const named = reader.take(
    'repeat',
    form(`every\\s+${interval}(${weekdayWord}(?:(?:\\s*,\\s*|\\s+and\\s+|\\s*&\\s*)${weekdayWord})*)`),
  )
  if (named) {
    const days = [
      ...new Set(
        named[2]!
          .split(/[\s,&]+|and/i)
          .filter(Boolean)
          .map(weekdayOf),
      ),
    ].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
    return { line: `RRULE:FREQ=WEEKLY${step(named[1])};BYDAY=${days.map((day) => codes[day]).join(',')}`, days }
  }
  const unit = reader.take('repeat', form(`every\\s+${interval}(days?|weeks?|months?|years?)`))
  if (unit) {
    const frequency = { d: 'DAILY', w: 'WEEKLY', m: 'MONTHLY', y: 'YEARLY' }[unit[2]![0]!.toLowerCase()]!
    return { line: `RRULE:FREQ=${frequency}${step(unit[1])}`, days: null }
  }
  const adverb = reader.take('repeat', form('(daily|weekly|monthly|yearly|annually)'))
  if (!adverb) return null
  const word = adverb[1]!.toUpperCase()
  return { line: `RRULE:FREQ=${word === 'ANNUALLY' ? 'YEARLY' : word}`, days: null }
}

const weekdayOf = (word: string): number =>
  weekdays.findIndex((name) => name.startsWith(word.toLowerCase().slice(0, 3)))
const monthOf = (word: string): number => months.findIndex((name) => name.startsWith(word.toLowerCase().slice(0, 3)))
const dayOfWeek = (day: number): number => new Date(day).getUTCDay()

interface Dates {
  first: number
  /** Set for a stretch of days. */
  last?: number
  /** The day was only named by its weekday, so a week later is meant once its time is over. */
  weekday?: boolean
  /** The night that begins on that day: its small hours belong to the next. */
  night?: boolean
}

function takeDates(reader: Reader, today: number): Dates | null {
  const on = '(?:on\\s+)?'
  const iso = reader.take('date', form(`${on}(\\d{4})-(\\d{2})-(\\d{2})`))
  if (iso) return { first: realDay(+iso[1]!, +iso[2]! - 1, +iso[3]!) }
  const slashed = reader.take('date', form(`${on}(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}))?`))
  if (slashed) {
    const [a, b] = [+slashed[1]!, +slashed[2]!]
    if (a <= 12 && b <= 12 && a !== b)
      throw new Problem(
        `${slashed[0]} could be two dates: write ${a} ${months[b - 1]!.slice(0, 3)} or ${b} ${months[a - 1]!.slice(0, 3)}`,
      )
    return { first: dated(a > 12 ? a : b, a > 12 ? b - 1 : a - 1, slashed[3], today) }
  }
  const range = reader.take(
    'date',
    form(
      `${on}(?:from\\s+)?(\\d{1,2})\\.?\\s*(?:-|–|to|until)\\s*(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(${monthWord})(?:\\s+(\\d{4}))?`,
    ),
  )
  if (range) {
    // A stretch that has begun is this year's.
    const last = dated(+range[2]!, monthOf(range[3]!), range[4], today)
    const first = realDay(new Date(last).getUTCFullYear(), monthOf(range[3]!), +range[1]!)
    if (last < first) throw new Problem('The last day is before the first')
    return { first, last }
  }
  const dayMonth = reader.take(
    'date',
    form(`${on}(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?(${monthWord})\\.?(?:\\s+(\\d{4}))?`),
  )
  if (dayMonth) return { first: dated(+dayMonth[1]!, monthOf(dayMonth[2]!), dayMonth[3], today) }
  const monthDay = reader.take(
    'date',
    form(`${on}(${monthWord})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?(?![:.]?\\d)(?:,?\\s+(\\d{4}))?`),
  )
  if (monthDay) return { first: dated(+monthDay[2]!, monthOf(monthDay[1]!), monthDay[3], today) }
  const dotted = reader.take('date', form(`${on}(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})?`))
  if (dotted) return { first: dated(+dotted[1]!, +dotted[2]! - 1, dotted[3], today) }
  if (reader.take('date', form('(?:the )?day after tomorrow'))) return { first: today + 2 * dayMs }
  const near = reader.take('date', form('(today|tonight|tomorrow|tmrw|yesterday)'))
  if (near) {
    const word = near[1]!.toLowerCase()
    if (word === 'yesterday') return { first: today - dayMs }
    if (word === 'tonight') return { first: today, night: true }
    return { first: word === 'today' ? today : today + dayMs }
  }
  const later = reader.take('date', form('in\\s+(a|one|\\d{1,3})\\s+(days?|weeks?)'))
  if (later)
    return { first: today + (/^\d/.test(later[1]!) ? +later[1]! : 1) * dayMs * (/^w/i.test(later[2]!) ? 7 : 1) }
  const between = reader.take(
    'date',
    form(`${on}(?:from\\s+)?(${weekdayWord})\\s*(?:-|–|to|until|through)\\s*(${weekdayWord})`),
  )
  if (between) {
    const first = nextWeekday(weekdayOf(between[1]!), today)
    return { first, last: first + ((weekdayOf(between[2]!) - dayOfWeek(first) + 7) % 7) * dayMs }
  }
  const named = reader.take('date', form(`${on}(?:(next|this|coming)\\s+)?(${weekdayWord})`))
  if (!named) return null
  const coming = nextWeekday(weekdayOf(named[2]!), today)
  if (named[1]?.toLowerCase() !== 'next') return { first: coming, weekday: true }
  // "Next Friday" said on a Tuesday is two different days for different people.
  const monday = (day: number): number => day - ((dayOfWeek(day) + 6) % 7) * dayMs
  if (monday(coming) !== monday(today)) return { first: coming }
  const after = coming + 7 * dayMs
  throw new Problem(`“${named[0].trim()}” could be ${dateOfWall(coming)} or ${dateOfWall(after)}: write the date`)
}

const nextWeekday = (weekday: number, today: number): number => today + ((weekday - dayOfWeek(today) + 7) % 7) * dayMs

function realDay(year: number, month: number, date: number): number {
  const day = Date.UTC(year, month, date)
  const read = new Date(day)
  if (read.getUTCMonth() !== month || read.getUTCDate() !== date) throw new Problem('There is no such date')
  return day
}

function dated(date: number, month: number, year: string | undefined, today: number): number {
  if (year) return realDay(+year, month, date)
  const thisYear = new Date(today).getUTCFullYear()
  for (let candidate = thisYear; candidate < thisYear + 9; candidate++) {
    const day = Date.UTC(candidate, month, date)
    if (new Date(day).getUTCDate() === date && new Date(day).getUTCMonth() === month && day >= today) return day
  }
  throw new Problem('There is no such date')
}

interface Time {
  /** Minutes after midnight. */
  from: number
  to?: number
}

function takeTime(reader: Reader): Time | null {
  const lead = '(?:(?:at|from|between|@)\\s*)?'
  const range = reader.take('time', form(`${lead}${clock}\\s*(?:-|–|to|until|till|and)\\s*${clock}`))
  if (range) {
    const [, h1, m1, half1, h2, m2, half2] = range
    const spoken = half1 ?? (half2 && Number(h1) <= Number(h2) && Number(h1) < 12 ? half2 : undefined)
    const from = minutesOf(
      h1!,
      m1,
      spoken,
      range[0],
      half2 !== undefined || m1 !== undefined || Number(h2) > 12 || Number(h1) >= 8,
    )
    const to = minutesOf(h2!, m2, half2, range[0], true)
    return { from, to: to <= from ? to + 1440 : to }
  }
  const word = reader.take('time', form(`${lead}(noon|midday|midnight)`))
  if (word) return { from: /^mid(?:night)/i.test(word[1]!) ? 0 : 720 }
  const exact =
    reader.take('time', form(`${lead}(\\d{1,2})[:.](\\d{2})\\s*(am|pm|a\\.m\\.|p\\.m\\.)?`)) ??
    reader.take('time', form(`${lead}(\\d{1,2})()\\s*(am|pm|a\\.m\\.|p\\.m\\.)`)) ??
    reader.take('time', form("(?:at|from|@)\\s*(\\d{1,2})()()(?:\\s*(?:h|o'clock))?")) ??
    reader.take('time', form('(?<=\u0000\\s*)(\\d{1,2})()()(?=\\s*(?:\u0000|$))'))
  if (!exact) return null
  return { from: minutesOf(exact[1]!, exact[2] || undefined, exact[3] || undefined, exact[0], exact[2] !== '') }
}

/** `sure`: the hour stands for itself; otherwise 1 to 7 could be morning or afternoon. */
function minutesOf(
  hours: string,
  minutes: string | undefined,
  half: string | undefined,
  said: string,
  sure: boolean,
): number {
  const hour = Number(hours)
  const minute = Number(minutes ?? 0)
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) throw new Problem(`${said.trim()} is no time of day`)
  if (half) {
    if (hour < 1 || hour > 12) throw new Problem(`${said.trim()} is no time of day`)
    return ((hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0)) * 60 + minute
  }
  if (!sure && hour >= 1 && hour <= 7)
    throw new Problem(`“${said.trim()}” could be morning or afternoon: write ${hour}am or ${hour}pm`)
  return hour * 60 + minute
}

function takePlace(reader: Reader): string | undefined {
  const match = reader.take('place', /(?<![\p{L}\d])(?:at|in|@)\s+([\p{Lu}\d"“][^\u0000,;]*)/u)
  return match?.[1]?.trim().replace(/^["“]|["”]$/g, '')
}

function firstDay(repeat: Repeat, from: number, today: number): number {
  let day = Math.max(from, today)
  if (repeat.days) while (!repeat.days.includes(dayOfWeek(day))) day += dayMs
  return day
}

/** Minutes after midnight that people still count to the night before. */
const smallHours = 6 * 60

/** The first day on which the time is still ahead; the day that was said where it says which. */
function startDay(minutes: number, dates: Dates | null, repeat: Repeat | null, today: number, now: number): number {
  const ahead = (day: number): boolean => day + minutes * minuteMs >= now
  if (dates) {
    let day = dates.first
    if (repeat) day = firstDay(repeat, day, today)
    else if (dates.weekday && !ahead(day)) day += 7 * dayMs
    else if (dates.night && minutes < smallHours && !ahead(day)) day += dayMs
    return day
  }
  let day = repeat ? firstDay(repeat, today, today) : today
  if (!ahead(day)) day = repeat ? firstDay(repeat, day + dayMs, today) : day + dayMs
  return day
}
