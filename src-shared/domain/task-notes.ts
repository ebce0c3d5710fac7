import { isTag, tagKey, tagsIn, uniqueTags } from './task-tags'

/**
 * Values beyond the service's fields, written in the last line of a task's notes, which other clients show and preserve:
 * `↻ every 2 weeks on Mon, Thu · at 15:00 · ! important · #work`. A line with anything else is text. Other clients may add text
 * below it. A single time or only tags count in the last line alone, because people write those.
 */
export interface TaskExtras {
  repeat?: Repeat
  important?: true
  /** Minutes of the day it’s due on, in the user’s time zone. */
  time?: number
  /** With `#`. */
  tags?: readonly string[]
}

/** Repetition of a task, counted from its due date. */
export interface Repeat {
  every: number
  unit: 'day' | 'week' | 'month' | 'year'
  /** For weeks: 0 is Sunday. */
  weekdays?: readonly number[]
  /** For months and years: the day of the month, so that a short month doesn’t change it permanently. */
  date?: number
  /** For years: 0 is January. */
  month?: number
}

export interface TaskNotes {
  text: string
  extras: TaskExtras
}

const dayMs = 86_400_000
const mostEvery = 999
const separator = ' · '
const importantWord = '! important'
const repeatSign = '↻ '
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const workdays = [1, 2, 3, 4, 5]

/** Splits notes into text and extras. */
export function readNotes(notes: string): TaskNotes {
  const lines = notes.trimEnd().split('\n')
  const { at, extras } = markerOf(lines)
  if (!extras) return { text: notes, extras: {} }
  const [above, below] = [lines.slice(0, at), lines.slice(at + 1)]
  if (below.length === 0) return { text: above.join('\n').trimEnd(), extras }
  while (above.every((line) => line.trim() === '') && below[0]?.trim() === '') below.shift()
  return { text: [...above, ...below].join('\n'), extras }
}

/** Replaces the marker line of notes and moves it to the end. Adds no empty line, because the service limits the length. */
export function withMarkerLast(notes: string, marker: string): string {
  const lines = notes.trimEnd().split('\n')
  const { at } = markerOf(lines)
  return [...lines.filter((_, index) => index !== at), marker].join('\n')
}

/** Finds the marker line: preferably one with a rule, then another that only Flightplan writes, then the last line. */
function markerOf(lines: readonly string[]): { at: number; extras: TaskExtras | null } {
  const read = lines.map((line) => (marker.test(line) ? readExtras(line) : null))
  const isOwn = (extras: TaskExtras): boolean => extras.important === true || Object.keys(extras).length > 1
  let at = lines.length - 1
  let rank = 0
  for (const [index, extras] of read.entries()) {
    const own = !extras ? 0 : extras.repeat ? 2 : isOwn(extras) ? 1 : 0
    if (own > 0 && own >= rank) [at, rank] = [index, own]
  }
  return { at, extras: read[at] ?? null }
}

/** Beginning of a marker line, to skip most lines of long notes quickly. */
const marker = /^\s*(?:↻ |! important|at \d|#)/

/** The tags of a task: those in its notes’ last line, and those that someone wrote in its title. */
export const tagsOf = (title: string, { tags = [] }: TaskExtras): string[] => uniqueTags([...tags, ...tagsIn(title)])

/** Notes with extras in their last line. */
export function writeNotes({ text, extras }: TaskNotes): string {
  const line = extrasLine(extras)
  if (line === '') return text
  return text.trim() === '' ? line : `${text.trimEnd()}\n\n${line}`
}

/** The last line of notes with these extras. Empty without any. */
export function extrasLine({ repeat, time, important, tags = [] }: TaskExtras): string {
  return [
    ...(repeat ? [repeatSign + repeatWords(repeat)] : []),
    ...(time === undefined ? [] : [timeWords(time)]),
    ...(important ? [importantWord] : []),
    ...(tags.length > 0 ? [tags.join(' ')] : []),
  ].join(separator)
}

/** `at 15:00`. */
const timeWords = (time: number): string =>
  `at ${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`

function readTime(words: string): number | null {
  const [, hour, minute] = /^at ([01]\d|2[0-3]):([0-5]\d)$/.exec(words) ?? []
  return hour === undefined ? null : Number(hour) * 60 + Number(minute)
}

/** Null unless writing them back changes nothing. */
function readTags(words: string): string[] | null {
  const tags = words.split(' ')
  return tags.every(isTag) && new Set(tags.map(tagKey)).size === tags.length ? tags : null
}

function readExtras(line: string): TaskExtras | null {
  const extras: TaskExtras = {}
  for (const part of line.trim().split(separator)) {
    const time = extras.time === undefined ? readTime(part) : null
    const tags = extras.tags ? null : readTags(part)
    if (part === importantWord && !extras.important) extras.important = true
    else if (time !== null) extras.time = time
    else if (tags) extras.tags = tags
    else {
      const repeat = part.startsWith(repeatSign) && !extras.repeat ? readRepeat(part.slice(repeatSign.length)) : null
      if (!repeat) return null
      extras.repeat = repeat
    }
  }
  return extras
}

/** `every day`, `every weekday`, `every 2 weeks on Mon, Thu`, `every month on 31`, `every year on 29 Feb`. */
export function repeatWords({ every, unit, weekdays: on, date, month }: Repeat): string {
  if (unit === 'week' && every === 1 && on?.join() === workdays.join()) return 'every weekday'
  const unitWords = every === 1 ? unit : `${every} ${unit}s`
  const place =
    unit === 'week'
      ? (on ?? []).map((day) => weekdays[day]!).join(', ')
      : [date, unit === 'year' && month !== undefined ? months[month] : undefined]
          .filter((part) => part !== undefined)
          .join(' ')
  return `every ${unitWords}${place === '' ? '' : ` on ${place}`}`
}

/** Reads what `repeatWords` writes. Null for anything else. */
export function readRepeat(words: string): Repeat | null {
  if (words === 'every weekday') return { every: 1, unit: 'week', weekdays: workdays }
  const found = /^every (?:(\d{1,3}) )?(day|week|month|year)s?(?: on (.+))?$/.exec(words)
  if (!found) return null
  const [, count = '1', unit, place] = found
  const every = Number(count)
  if (every < 1 || every > mostEvery) return null
  const repeat = placed({ every, unit: unit as Repeat['unit'] }, place)
  // Anything written differently is text, so that writing it back never changes it.
  return repeat && repeatWords(repeat) === words ? repeat : null
}

function placed(repeat: Repeat, place: string | undefined): Repeat | null {
  if (place === undefined) return repeat.unit === 'day' ? repeat : null
  if (repeat.unit === 'week') {
    const days = place.split(', ').map((name) => weekdays.indexOf(name as (typeof weekdays)[number]))
    return days.includes(-1) || new Set(days).size < days.length ? null : { ...repeat, weekdays: days }
  }
  const [, day, name] = /^(\d{1,2})(?: (\w{3}))?$/.exec(place) ?? []
  const date = Number(day)
  if (!(date >= 1 && date <= 31)) return null
  if (repeat.unit === 'month') return name === undefined ? { ...repeat, date } : null
  const month = months.indexOf(name as (typeof months)[number])
  return repeat.unit === 'year' && month >= 0 ? { ...repeat, date, month } : null
}

/** The plain rules that a task due on `day` (a wall midnight) can repeat by. */
export function repeatsFrom(day: number): {
  daily: Repeat
  weekdays: Repeat
  weekly: Repeat
  monthly: Repeat
  yearly: Repeat
} {
  const at = new Date(day)
  const [date, month] = [at.getUTCDate(), at.getUTCMonth()]
  return {
    daily: { every: 1, unit: 'day' },
    weekdays: { every: 1, unit: 'week', weekdays: workdays },
    weekly: { every: 1, unit: 'week', weekdays: [at.getUTCDay()] },
    monthly: { every: 1, unit: 'month', date },
    yearly: { every: 1, unit: 'year', date, month },
  }
}

/** The first day of a rule after its due date that is also after today, all as wall midnights. */
export function nextDue(repeat: Repeat, due: number, today: number): number {
  const after = Math.max(due, today)
  const { every, unit } = repeat
  if (unit === 'day') {
    const steps = Math.floor((after - due) / dayMs / every) + 1
    return due + steps * every * dayMs
  }
  if (unit === 'week') {
    const days = repeat.weekdays?.length ? repeat.weekdays : [new Date(due).getUTCDay()]
    const week = (day: number): number => Math.floor((day / dayMs + 3) / 7)
    for (let day = after + dayMs; ; day += dayMs)
      if ((week(day) - week(due)) % every === 0 && days.includes(new Date(day).getUTCDay())) return day
  }
  const from = new Date(due)
  const date = repeat.date ?? from.getUTCDate()
  const month = unit === 'year' ? (repeat.month ?? from.getUTCMonth()) : from.getUTCMonth()
  const step = unit === 'year' ? every * 12 : every
  for (let months = 0; ; months += step) {
    const first = new Date(Date.UTC(from.getUTCFullYear(), month + months, 1))
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
    const day = Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(date, last))
    if (day > after) return day
  }
}
