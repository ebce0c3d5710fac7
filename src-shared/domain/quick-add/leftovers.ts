import type { Line } from './line'
import { afterLabel } from './times'
import { lexicon, meals, misspelled, occasions, type Meaning } from './words/lexicon'
import { alsoWords, doubtfulZones, zoneNames, zonePlaces, zoneWords } from './words/zones'

/** Facts about the rest of the line. */
export interface Known {
  /** True if a token was read as a time, place, or guest. */
  taken: (at: number) => boolean
  /** True if a token was read as a day or an hour. */
  when: (at: number) => boolean
  /** True if it was read as an hour. */
  hour: (at: number) => boolean
  /** The kind of a token read as a day, an hour, or a repetition, but not as a length. */
  moment: (at: number) => string | undefined
  date: boolean
  time: boolean
}

type Kind = Meaning['is']
const always: readonly Kind[] = [
  'every',
  'next',
  'times',
  'starting',
  'ago',
  'month',
  'weekday',
  'weekly',
  'day',
  'ordinal',
  'adverb',
  'vague',
  'foreign',
  'until',
]
/** Words of these with other meanings, which count only next to a number or a day. */
const besideOnly = new Set(
  'mornings afternoons evenings nights jeweils ev early late following folgenden darauf drauf spät through thru ab mal alle beginning ends ending ends on seit mitte anfang mid once starts so mo mi di do fr sa termine mär occurrences repetitions in u der second lang'.split(
    ' ',
  ),
)

/**
 * Finds the first unread token that is a word of time, or a number that could be an hour or a date. Its meaning is unknown,
 * so Flightplan asks instead of moving it to the title. @returns the range to ask about
 */
export function unread(line: Line, known: Known): { from: number; to: number } | null {
  for (let at = 0; at < line.tokens.length; at++) {
    if (known.taken(at)) continue
    if (!doubtful(line, at, known)) continue
    const feast = line.find(at, 'feast')
    if (feast) return { from: at, to: feast.to }
    let to = at + 1
    while (to < line.tokens.length && to < at + 3 && !known.taken(to) && line.shape(to, 'mark') === null) to++
    if (
      bends(line, at, known) ||
      occasion(line, at, known) ||
      line.skip(at, 'until', 'every', 'starting', 'next', 'ordinal', 'ago') !== null
    )
      while (to < line.tokens.length && to < at + 3 && line.shape(to, 'mark') === null) to++
    else to = at + 1
    if (tornRange(line, at, known)) return { from: at - 1, to: at + 2 }
    if (tornWord(line, at, known)) return { from: wordBefore(line, at), to: wordAfter(line, at) }
    return { from: line.low(at) === 'ish' ? wordBefore(line, at) : at, to }
  }
  return null
}

/** Start of the word that ends at a token: `tomorrow-ish`. */
function wordBefore(line: Line, at: number): number {
  let from = at
  while (from > 0 && line.tokens[from]!.glued) from--
  return from
}

function wordAfter(line: Line, at: number): number {
  let to = at + 1
  while (line.tokens[to]?.glued) to++
  return to
}

/** Digits with letters that are no time: 3D, 5k, 10km, 1080p, 1,000. */
const harmless =
  /^(?:\d+(?:[kKDGg]|FA|GB|TB|MB|cm|mm|kg|km|ml|px|on1|in1|x\d+|v\d+)|\d{3,}p|\d{1,3}(?:[.,]\d{3})+|\d{3,}[\d.,]*)$/

function doubtful(line: Line, at: number, known: Known): boolean {
  const { shape, low, text } = line.tokens[at]!
  switch (shape.is) {
    case 'literal':
      return false
    case 'mark':
      return (
        (low === '~' && known.when(at + 1)) ||
        tornRange(line, at, known) ||
        tornWord(line, at, known) ||
        (/^[&+]$/.test(low) && joins(line, at, known))
      )
    case 'number':
      return !mayStay(line, at, known)
    case 'dotted':
      return !afterLabel(line, at)
    case 'mixed':
      return !harmless.test(text) && !(afterLabel(line, at) && /^\d+(?:[.,]\d+)*\p{L}?$/u.test(text))
    case 'word':
      return word(line, at, known) || zone(at, known, low, text)
    default:
      return true
  }
}

/**
 * "May 5-7pm", "room 5-7pm", "house 7-9 Dec": a dash without blanks between a number of a day, or one with a name, and an
 * hour or a date could belong to either.
 */
function tornRange(line: Line, at: number, known: Known): boolean {
  if (line.dash(at) === null || !known.when(at + 1)) return false
  const isGlued = [line.tokens[at]!.glued, line.tokens[at + 1]?.glued ?? false]
  return known.when(at - 1) ? isGlued.includes(true) : isNumber(line, at - 1) && !isGlued.includes(false)
}

/** "8pm-late", "semi-annually": a word that is tied to a time may change it. */
function tornWord(line: Line, at: number, known: Known): boolean {
  const after = line.tokens[at + 1]
  if (line.dash(at) === null || !line.tokens[at]!.glued || !after?.glued) return false
  return (
    (known.moment(at - 1) !== undefined && plainWord(line, at + 1, known)) ||
    (known.moment(at + 1) !== undefined && plainWord(line, at - 1, known))
  )
}
const plainWord = (line: Line, at: number, known: Known): boolean => line.shape(at, 'word') !== null && !known.taken(at)

/** True within "the 1st and 15th of every month", where neither side is complete. Repeated kinds are reported later. */
function joins(line: Line, at: number, known: Known): boolean {
  const [before, after] = [known.moment(at - 1), known.moment(line.past(at + 1, 'on', 'at', 'the'))]
  return (before === 'days' && after === 'repeat') || (before === 'repeat' && after === 'days')
}

/** True for an unknown time such as "after work" or "at lunch". */
function occasion(line: Line, at: number, known: Known): boolean {
  if (known.time || !known.date || known.taken(at)) return false
  const to = line.skip(at, 'order', 'at')
  if (to === null) return false
  const thing = line.past(to, 'the')
  // "after the show", "nach dem Spiel"; "vor dem Rathaus" is a place.
  if (/^(after|before|during|nach|während)$/.test(line.low(at)) && thing > to && plainWord(line, thing, known))
    return true
  const what = line.low(thing)
  return meals.has(what) || (line.skip(at, 'order') !== null && occasions.has(what))
}

/** "tomorrow-ish", "tomorrowish", "3 ish": about then. Short names of days are parts of names: "Satish". */
function about(line: Line, at: number, known: Known): boolean {
  const low = line.low(at)
  if (low === 'ish') {
    const before = line.dash(at - 1) === null ? at - 1 : at - 2
    return known.when(before) || isNumber(line, before) || timely(meaningsOf(line.low(before)))
  }
  const stem = /^(\p{L}{3,})ish$/u.exec(low)?.[1]
  return stem !== undefined && timely(meaningsOf(stem).filter(({ is }) => stem.length > 3 || is === 'number'))
}
const sayWhen: ReadonlySet<Kind> = new Set<Kind>([...always, 'doubtful', 'noon', 'midnight', 'part', 'number'])
const timeWords: ReadonlySet<Kind> = new Set<Kind>(['month', 'weekday', 'doubtful', 'at', 'from', 'until'])
const timely = (meanings: readonly Meaning[]): boolean => meanings.some(({ is }) => sayWhen.has(is))

function word(line: Line, at: number, known: Known): boolean {
  const { low } = line.tokens[at]!
  if (about(line, at, known)) return true
  const near = (step: 1 | -1): boolean =>
    known.when(at + step) || isNumber(line, at + step) || known.moment(beyondMark(line, at, step)) !== undefined
  const beside = near(1) || near(-1)
  if (bends(line, at, known) || occasion(line, at, known)) return true
  if (line.skip(at, 'and') !== null && joins(line, at, known)) return true
  // "tomorrow to 13:30"
  if (line.skip(at, 'to') !== null && known.moment(at - 1) === 'days' && known.moment(at + 1) === 'time') return true
  // "alle paar Tage"
  if (low === 'alle' && line.find(at + 2, 'unit') !== null) return true
  if (low === 'p' && known.hour(at - 1)) return true
  // "Fri AM", "in der Woche vom 23.3."
  if (low === 'am' && !known.time && known.moment(at - 1) === 'days' && !known.taken(at + 1)) return true
  if (/^(week|woche)$/.test(low) && known.moment(at + 1) === 'days' && line.skip(at + 1, 'from', 'of') !== null)
    return true
  const stem = low.replace(/['’]s?$/, '')
  const meanings = [...single(line, at), ...(stem === low ? [] : meaningsOf(stem))]
  const kinds = meanings.map(({ is }) => is)
  if (kinds.some((is) => always.includes(is))) return !besideOnly.has(low) || beside
  // "Arzt Mo vorm. 9 Uhr": a short name in capitals, where no day is known.
  if (kinds.includes('doubtful'))
    return (
      stem.length > 2 ||
      beside ||
      isMoved(line, at, known) ||
      (at > 0 && !known.date && line.tokens[at]!.text[0] !== low[0])
    )
  if (kinds.includes('holiday') || holiday(line, at)) return !known.date || line.skip(at - 1, 'on', 'at') !== null
  if (kinds.includes('oclock') && low !== 'hours' && low !== 'hrs') return true
  if (/^(pm|a\.m\.|p\.m\.)$/.test(low) || (low === 'am' && isNumber(line, at - 1))) return true
  // "dec25", "at5"
  const tied = /^(\p{L}+)\d{1,4}(?:st|nd|rd|th|[ap]m)?$/u.exec(low)?.[1]
  if (tied !== undefined && tied.length > 1 && meaningsOf(tied).some(({ is }) => timeWords.has(is))) return true
  if (/^x\d+$/.test(low) || inLetters(line, at)) return true
  // "4pm London", "4pm her time"
  if (known.hour(at - 1) && zonePlaces.has(low)) return true
  if (known.time && known.when(at - 1) && zoneWords.has(low) && !plainWord(line, at + 1, known)) return true
  if (kinds.includes('zone') && (known.when(at - 1) || known.when(at - 2))) return true
  if (numberWord(line, at, known)) return true
  if (line.skip(at, 'half', 'pastHour') !== null || low === 'quarter' || low === 'viertel')
    return line.number(at + 1) !== null && line.low(at + 1) !== 'a'
  const end = line.skip(at, 'end')
  if (end !== null && end > at + 1 && line.find(end, 'unit') !== null) return true
  if (kinds.includes('unit')) {
    if (
      /^(weekends?|wochenenden?|fortnight)$/.test(low) ||
      (/^(weeks?|wk|wochen?|months?|monate?)$/.test(low) && isNumber(line, at + 1))
    )
      return true
    if (at > 0 && line.find(at - 1, 'number') !== null && known.when(at + 1)) return true
    return (
      at > 0 &&
      !known.taken(at - 1) &&
      (line.skip(at - 1, 'this', 'next', 'ordinal', 'end', 'every', 'half') !== null || isNumber(line, at - 1))
    )
  }
  if (kinds.includes('end') && low !== 'end') return beside || line.find(at + 1, 'month') !== null
  if (kinds.includes('this')) return line.find(at + 1, 'unit') !== null || line.find(at + 1, 'part') !== null
  if (kinds.includes('noon') || kinds.includes('midnight')) return true
  return (
    misspelled(low, beside || !known.date) !== undefined ||
    (!known.date && compound.test(low)) ||
    /^\p{L}+tag(?:abends|morgens|nachts|mittags)$/u.test(low)
  )
}

/** "von Mo auf Di" */
const isMoved = (line: Line, at: number, known: Known): boolean => line.low(at + 1) === 'auf' && known.when(at + 2)

/** Matches a compound such as "Sonntagsfrühstück", which contains an unread day. */
const compound = /^(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\p{L}{3,}$/u

/** "M W F", "M/W" */
const inLetters = (line: Line, at: number): boolean =>
  /^[mtwf]$/.test(line.low(at)) &&
  ([at + 1, at - 1].some((next) => /^[mtwfs]$/.test(line.low(next))) ||
    (/^[/&+]$/.test(line.low(at + 1)) &&
      line.tokens[at + 2]?.glued === true &&
      /^(?:[mtwfs]|t[uh]|su)$/.test(line.low(at + 2))))

/** "at nine thirty", "Lunch twelve tomorrow": an hour in words. */
function numberWord(line: Line, at: number, known: Known): boolean {
  if (!line.find(at, 'number') || /^(an?|eine?[mnr]?)$/.test(line.low(at))) return false
  return known.when(at - 1) || (known.when(at + 1) && !known.time)
}

/** The token on one side, beyond a mark that joins: "Mo/Do", "fr. 18 uhr", "8pm - late". */
function beyondMark(line: Line, at: number, step: 1 | -1): number {
  let next = at + step
  for (let marks = 0; marks < 3 && (/^[-–—/+&.,()]$/.test(line.low(next)) || line.skip(next, 'and') !== null); marks++)
    next += step
  return next
}

const single = (line: Line, at: number): readonly Meaning[] =>
  line.phrases[at]!.flatMap(({ size, meanings }) =>
    size === 1 ? meanings : meanings.filter(({ is }) => is === 'vague' || is === 'holiday'),
  )
const meaningsOf = (word: string): readonly Meaning[] => lexicon.get(word) ?? []
const holiday = (line: Line, at: number): boolean => line.skip(at, 'holiday') !== null
const isNumber = (line: Line, at: number): boolean => line.shape(at, 'number') !== null

/** "before 10:00", "by Friday", "or Tuesday": a different time than the parsed one. */
function bends(line: Line, at: number, known: Known): boolean {
  const word = line.skip(at, 'bends')
  if (word === null || known.taken(at)) return false
  const to = line.low(word) === '.' ? word + 1 : word
  const behind = /^(of|or|oder)$/.test(line.low(at)) && known.when(at - 1)
  // "Tue after Thanksgiving"
  if (known.moment(at - 1) === 'days' && holiday(line, line.past(to, 'the'))) return true
  return known.when(line.past(to, 'the')) || (behind && (line.low(at) === 'of' || line.number(to) !== null))
}

function zone(at: number, known: Known, low: string, text: string): boolean {
  if (!zoneNames.has(low) && doubtfulZones[low] === undefined) return false
  if (text !== text.toUpperCase() && !(known.when(at - 1) && !alsoWords.has(low))) return false
  return !alsoWords.has(low) || known.when(at - 1) || known.when(at + 1)
}

/** True if a number can't be an hour or date: it's part of a name ("Room 12") or counts ("12 bottles"). */
function mayStay(line: Line, at: number, known: Known): boolean {
  const number = line.shape(at, 'number')!
  if (number.value > 31 && (number.digits > 4 || number.value % 100 > 59 || number.value > 2459)) return true
  if (number.digits <= 2 && number.value > 31) return true
  const year = number.digits === 4 && number.value >= 1900 && number.value < 2100
  const beside = known.when(at - 1) || known.when(at + 1)
  if (year) return !beside && known.date
  if (afterLabel(line, at) && !number.ordinal) return true
  if (
    line.dash(at - 1) !== null &&
    at > 2 &&
    isNumber(line, at - 2) &&
    afterLabel(line, at - 2) &&
    /(s|seiten)$/.test(line.low(at - 3))
  )
    return true
  if (at > 0 && /^\p{Ll}+\p{Lu}/u.test(line.tokens[at - 1]!.text)) return true
  if (number.digits === 4) return false
  if (number.ordinal || beside || line.skip(at - 1, 'at', 'on', 'from', 'until', 'in', 'to', 'for') !== null)
    return false
  const next = line.tokens[at + 1]
  if (!next || known.taken(at + 1) || next.shape.is !== 'word') return false
  const counted = at > 0 && (/^\p{Ll}{3,}s$/u.test(next.text) || irregular.has(next.text))
  const meanings = line.phrases[at + 1]!.flatMap((phrase) => phrase.meanings)
  // "20 pages", though "pages" names the number after it.
  return meanings.length === 0 ? known.time || counted : counted && meanings.every(({ is }) => is === 'label')
}
/** Plurals without an s. */
const irregular: ReadonlySet<string> = new Set(['people', 'men', 'women', 'children'])
