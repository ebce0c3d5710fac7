import { dayWords } from './dates'
import { readQuickAdd, type QuickAddContext, type QuickAddResult, type QuickEvent } from './event-line'

/** Another way to write a line that raised a question, and the event it means. */
export interface Suggestion {
  text: string
  event: QuickEvent
  /** What would change, such as `12:00`, or `Keep “12” in the title`. */
  label: string
}

/** Most suggestions that help. */
const limit = 3

/** Rewrites of the words in question. Each is offered only if the whole line can then be read. */
type Rewrite = (words: string) => readonly { words: string; label: string }[]

const keep: Rewrite = (words) =>
  words.includes('"') ? [] : [{ words: `"${words}"`, label: `Keep “${words}” in the title` }]

/** The answers that a question names, with dates in words. */
const answered =
  (answers: readonly string[]): Rewrite =>
  () =>
    answers.map((words) => {
      const label = words.replace(/\d{4}-\d\d-\d\d/g, (date) => dayWords(Date.parse(date))).replace(' - ', ' – ')
      // “Monday morning 9:00” adds a time.
      const time = / (\d{1,2}:\d\d)$/.exec(label)?.[1]
      return { words, label: time ?? label.replace(/^./u, (first) => first.toUpperCase()) }
    })

/**
 * A lone number, or `8ish`, is an hour. Hours that fit before and after noon are offered as both, the one of the working day
 * first.
 */
const asHour: Rewrite = (words) => {
  const hour = Number(/^(\d{1,2})(?:-?ish)?$/.exec(words)?.[1] ?? -1)
  if (hour < 0 || hour > 23) return []
  const times = hour === 0 || hour > 11 ? [hour] : hour < 8 ? [hour + 12, hour] : [hour, hour + 12]
  return times.map((time) => {
    const text = `${String(time).padStart(2, '0')}:00`
    return { words: text, label: text }
  })
}

/** `9a-5p` is 9am-5pm, also if only one half is in question. */
const asHalves: Rewrite = (words) => {
  const full = words.replace(/(\d)\s*([ap])(?![a-z])/gi, '$1$2m')
  return full === words ? [] : [{ words: full, label: full }]
}

/** `12th` is a day of a month, the next one. */
const asDate: Rewrite = (words) =>
  /^\d{1,2}(?:st|nd|rd|th)$/.test(words) ? [{ words: `the ${words}`, label: `The ${words}` }] : []

/** `5-6pm` of “room 5-6pm” is a range. */
const asRange: Rewrite = (words) =>
  /^\d[\d:.]*[-–]\d/.test(words) ? [{ words: `from ${words}`, label: `From ${words}` }] : []

/** Weekdays by their first letters, which may also be a name. */
const letters: readonly [RegExp, string][] = [
  [/\b(?:every )?M ?[-–] ?F\b/, 'every Mon-Fri'],
  [/\b(?:every )?M\/?W\/?F\b/, 'every Mon, Wed, Fri'],
  [/\b(?:every )?Tu?\/?Th\b/, 'every Tue, Thu'],
]

const day = '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)'
/** Several weekdays without “every”: `Mon Wed Fri`, `Tue/Thu`. */
const weekdays = new RegExp(`(?<!\\bevery )\\b${day}(?:(?:\\s*[/,&+]\\s*|\\s+and\\s+|\\s+)${day})+\\b`, 'i')

/** Deadlines by their initials. */
const ends: readonly [RegExp, string][] = [
  [/\b(?:by )?EOM\b/i, 'end of month'],
  [/\b(?:by )?EOY\b/i, 'end of year'],
  [/\b(?:by )?EOW\b/i, 'Friday'],
  [/\b(?:by )?EOD\b/i, '17:00'],
]

/** Rewrites of a whole line. */
function* wholeLine(text: string): Generator<{ text: string; label: string }> {
  for (const [short, days] of letters)
    if (short.test(text)) yield { text: text.replace(short, days), label: days.replace('every', 'Every') }
  const list = weekdays.exec(text)?.[0]
  if (list) {
    const days = list.split(/\s*[/,&+]\s*|\s+and\s+|\s+/i).join(', ')
    yield { text: text.replace(list, `every ${days}`), label: `Every ${days}` }
  }
  const alert = /\b(?:alert|alarm|reminder|remind)\s+(\d+)\s*(m|min|mins|minutes|h|hours?)\b/i
  if (alert.test(text))
    yield {
      text: text.replace(alert, (_all, count: string, unit: string) =>
        /^h/i.test(unit) ? `remind me ${count} hours before` : `remind me ${count} minutes before`,
      ),
      label: 'Remind me before the start',
    }
  const halves = text.replace(/\b(\d{1,2}(?::\d\d)?)([ap])\b/gi, '$1$2m')
  if (halves !== text) yield { text: halves, label: halves.match(/\d\S*[ap]m.*?[ap]m|\d\S*[ap]m/i)?.[0] ?? halves }
  const biweekly = /\bbi-?weekly\b/i
  if (biweekly.test(text)) yield { text: text.replace(biweekly, 'every 2 weeks'), label: 'Every 2 weeks' }
  for (const [short, words] of ends)
    if (short.test(text))
      yield { text: text.replace(short, words), label: words.replace(/^./u, (first) => first.toUpperCase()) }
  const monthFirst = /\bnext month,? (?:on )?(the )?(\d{1,2}(?:st|nd|rd|th))\b/i
  const ofNext = monthFirst.exec(text)?.[2]
  if (ofNext) yield { text: text.replace(monthFirst, 'on the $2 of next month'), label: `The ${ofNext} of next month` }
  const times = /(?<=\s)[x×]\s?(\d{1,3})\b/i
  const count = times.exec(text)?.[1]
  if (count) yield { text: text.replace(times, '$1 times'), label: `${count} times` }
  const due = /\b(?:due(?: (?:on|by))?|by) (?=\S)/i
  const deadline = due.exec(text)?.[0].trim()
  if (deadline) yield { text: text.replace(due, ''), label: `Leave out “${deadline}”` }
  const weekly = /^(\s*)weekly\b/i
  if (weekly.test(text)) yield { text: text.replace(weekly, '$1"Weekly"'), label: 'Keep “Weekly” in the title' }
}

interface Line {
  text: string
  labels: readonly string[]
}

/** Lines that a person may have meant by one that raised a question. Nothing is chosen for them. */
export function suggestLines(text: string, context: QuickAddContext): Suggestion[] {
  const seen = new Set<string>()
  let lines: Line[] = [{ text, labels: [] }]
  // A line with two questions takes two steps.
  for (let step = 0; step < 2; step++) {
    const answers = lines.map((line) =>
      rewritten(line, context).filter(({ text: other }) => !seen.has(other) && seen.add(other)),
    )
    // The likeliest answers to the second question, for each answer to the first.
    const next = interleaved(answers)
    const found = next.flatMap((line) => {
      const { event } = readQuickAdd(line.text, context)
      return event && keepsWords(line.text, event) ? [{ text: line.text, event, label: line.labels.join(', ') }] : []
    })
    if (found.length > 0) return found.slice(0, limit)
    lines = next.slice(0, 12)
  }
  return []
}

/** The first of each list, then the second of each, and so on. */
const interleaved = <T>(lists: readonly (readonly T[])[]): T[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_unused, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat()

/** `4:30 pm` for `16:30`. Midnight stays, because 12 am isn't clear about its day. */
const on12 = (words: string): string =>
  words.replace(/\b(?!00:00|24:00)(\d\d?):(\d\d)\b(?! ?[ap]m)/gi, (_all, hour: string, minute: string) =>
    [`${Number(hour) % 12 || 12}:${minute}`, Number(hour) < 12 ? 'am' : 'pm'].join(' '),
  )

function rewritten({ text, labels }: Line, context: QuickAddContext): Line[] {
  const own = context.hour12 ? on12 : (words: string): string => words
  const lines: Line[] = []
  const { problem, parts, answers = [] } = readQuickAdd(text, context)
  const named = quoted(text, problem ?? '', parts)
  const part = parts.find((one) => one.part === 'question') ?? named[0]
  const rewrite = (from: number, to: number, by: Rewrite): void => {
    for (const { words, label } of by(text.slice(from, to)))
      lines.push({ text: text.slice(0, from) + own(words) + text.slice(to), labels: [...labels, own(label)] })
  }
  if (part && answers.length > 0) rewrite(part.from, part.to, answered(answers))
  for (const { text: next, label } of wholeLine(text)) lines.push({ text: next, labels: [...labels, own(label)] })
  if (!part) return lines
  const { from } = part
  const to = part.to + (/^-?ish\b/i.exec(text.slice(part.to))?.[0].length ?? 0)
  // If two parts contradict each other, either may belong to the title.
  for (const other of named.filter((one) => one.from !== from)) rewrite(other.from, other.to, keep)
  if (answers.length === 0) for (const by of [asHour, asDate, asHalves, asRange]) rewrite(from, to, by)
  rewrite(from, to, keep)
  // “for 4” belongs together.
  const led = /\b(?:for|of|no|number)\s+$/i.exec(text.slice(0, from))
  if (led) rewrite(led.index, to, keep)
  return lines
}

/** Places of the words that a question quotes. If words occur twice, as in “in 3 weeks at 3”, the place that was read as a time. */
const quoted = (text: string, problem: string, parts: QuickAddResult['parts']): { from: number; to: number }[] =>
  [...problem.matchAll(/“([^”]+)”/g)].flatMap(([, words = '']) => {
    const all = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(words)}(?![\\p{L}\\p{N}])`, 'gu')
    const places = [...text.matchAll(all)].map(({ index }) => ({ from: index, to: index + words.length }))
    const asTime = places.find((one) =>
      parts.some(({ part, from, to }) => part === 'time' && from <= one.from && one.to <= to),
    )
    return asTime ?? places[0] ?? []
  })
const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** True if the title has everything that should stay in it. */
const keepsWords = (text: string, { summary }: QuickEvent): boolean =>
  [...text.matchAll(/"([^"]+)"/g)].every(([, words]) => summary.includes(words!))
