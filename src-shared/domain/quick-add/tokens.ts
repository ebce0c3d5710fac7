import { lexicon, maxPhraseWords, type Meaning } from './words/lexicon'

/** Meaning of a token by its form alone. */
export type Shape =
  | { is: 'word' | 'mark' | 'literal' }
  | { is: 'number'; value: number; digits: number; ordinal: boolean; zero: boolean }
  | { is: 'date'; year?: number; month: number; day: number }
  | { is: 'slashed'; first: number; second: number; year?: number }
  /** `9.30`: a time, or the 9th of a month without its last dot. */
  | { is: 'dotted'; first: number; second: number; half?: 'am' | 'pm' }
  | { is: 'clock'; hour: number; minute: number; zero: boolean; half?: 'am' | 'pm' }
  /** `20h`, `2h30`: a time or a length. */
  | { is: 'hours'; hour: number; minute?: number }
  | { is: 'length'; minutes: number }
  | { is: 'mixed' }

export interface Token {
  text: string
  /** Lowercase. */
  low: string
  from: number
  to: number
  shape: Shape
  /** True if there is no space before this token. */
  glued: boolean
}

/** A phrase of the lexicon that starts at a token: its number of tokens and its meaning. */
export interface Phrase {
  size: number
  meanings: readonly Meaning[]
}

const half = '\\s*([ap])\\.?m\\.?(?![\\p{L}\\d])'
const over = '(?![\\p{L}\\d])'
const value = (text: string | undefined): number => Number(text ?? 0)
const yearOf = (text: string | undefined): { year?: number } =>
  text === undefined ? {} : { year: text.length === 2 ? 2000 + value(text) : value(text) }
const halfOf = (text: string | undefined): { half?: 'am' | 'pm' } =>
  text === undefined ? {} : { half: text === 'p' ? 'pm' : 'am' }

/** Forms of lowercase text, in the order in which they are tried. Ignoring case would make their `\p{L}` slow to compile. */
const forms: readonly [RegExp, (match: RegExpExecArray) => Shape][] = (
  [
    [
      // With the T of ISO 8601 before a time.
      '(\\d{4})([-./])(\\d{1,2})\\2(\\d{1,2})(?:t(?=\\d\\d:\\d\\d)|(?!\\d))',
      (m) => ({ is: 'date', ...yearOf(m[1]), month: value(m[3]) - 1, day: value(m[4]) }),
    ],
    [
      `(20\\d\\d)(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])${over}`,
      (m) => ({ is: 'date', ...yearOf(m[1]), month: value(m[2]) - 1, day: value(m[3]) }),
    ],
    // The 24th of July, or always.
    [`24/7(?!/)${over}`, () => ({ is: 'mixed' })],
    [
      '(\\d{1,2})\\.\\s?(\\d{1,2})\\.(?:\\s?(20\\d\\d)|(\\d{4}|\\d{2}))?(?![\\d:])',
      (m) => ({ is: 'date', day: value(m[1]), month: value(m[2]) - 1, ...yearOf(m[3] ?? m[4]) }),
    ],
    [
      `(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?(?![\\d/])${over}`,
      (m) => ({ is: 'slashed', first: value(m[1]), second: value(m[2]), ...yearOf(m[3]) }),
    ],
    [
      `(\\d{1,2}):(\\d{2})(?::\\d{2})?(?:${half}|([ap])${over}|\\s?h${over}|${over}(?!:\\d))`,
      (m) => ({
        is: 'clock',
        hour: value(m[1]),
        minute: value(m[2]),
        zero: m[1]!.startsWith('0'),
        ...halfOf(m[3] ?? m[4]),
      }),
    ],
    [
      `(\\d{1,2})(\\d{2})${half}`,
      (m) => ({ is: 'clock', hour: value(m[1]), minute: value(m[2]), zero: false, ...halfOf(m[3]) }),
    ],
    ['(?:1:[1-9]|[2-4]:[1-9]|16:9)(?!\\d)' + over, () => ({ is: 'literal' })],
    [
      `(\\d{1,2})\\.(\\d{2})(?:${half}|${over}(?!\\.?\\d))`,
      (m) => ({ is: 'dotted', first: value(m[1]), second: value(m[2]), ...halfOf(m[3]) }),
    ],
    [
      `(\\d{1,2})(?<!(?:1[3-9]|2\\d))(?!\\s+am\\s+(?:\\d{1,2}\\.|(?:mon|die|mit|don|fre|sam|son)\\p{L}+))${half}`,
      (m) => ({ is: 'clock', hour: value(m[1]), minute: 0, zero: false, ...halfOf(m[2]) }),
    ],
    [
      `(\\d{1,2})\\s*(?:h|hrs?|hours?|std)\\s*(\\d{1,2})\\s*(?:m|mins?|minutes?|minuten)${over}`,
      (m) => ({ is: 'length', minutes: value(m[1]) * 60 + value(m[2]) }),
    ],
    [
      `(\\d{1,2})h(?:(\\d{2})(?:m|min)?)?${over}`,
      (m) => ({ is: 'hours', hour: value(m[1]), ...(m[2] && { minute: value(m[2]) }) }),
    ],
    [
      `(\\d{1,3}(?:[.,]\\d+)?)\\s*(?:hrs?|hours?|std\\.?|stunden?)${over}`,
      (m) => ({ is: 'length', minutes: Math.round(Number(m[1]!.replace(',', '.')) * 60) }),
    ],
    [
      `(\\d{1,2}[.,]\\d+)\\s*h${over}`,
      (m) => ({ is: 'length', minutes: Math.round(Number(m[1]!.replace(',', '.')) * 60) }),
    ],
    [`(\\d{1,4})(?:\\s*(?:mins?|minutes?|minuten?)|m)${over}`, (m) => ({ is: 'length', minutes: value(m[1]) })],
    [`(\\d{1,2})(?:st|nd|rd|th)${over}`, (m) => number(m[1]!, true)],
    [`\\d+(?:[.,]\\d+)+${over}`, () => ({ is: 'mixed' })],
    [`(\\d+)\\.(?=\\s|$|-|–|,|\\p{L}{2})`, (m) => number(m[1]!, true)],
    [`(\\d+)${over}`, (m) => number(m[1]!, false)],
    ['\\d[\\p{L}\\d]*', () => ({ is: 'mixed' })],
    ['[ap]\\.m\\.', () => ({ is: 'word' })],
    ["\\p{L}[\\p{L}\\p{M}\\d]*(?:['’](?=\\p{L})[\\p{L}\\p{M}\\d]+|(?<=\\d)\\.(?=\\d)\\d+)*", () => ({ is: 'word' })],
    ['[^\\s]', () => ({ is: 'mark' })],
  ] as const satisfies readonly (readonly [string, (match: RegExpExecArray) => Shape])[]
).map(([source, shape]) => [new RegExp(source, 'uy'), shape])

const number = (text: string, ordinal: boolean): Shape => ({
  is: 'number',
  value: Number(text),
  digits: text.length,
  ordinal,
  zero: text.length > 1 && text.startsWith('0'),
})

/** Converts digits and punctuation of other scripts, and invisible characters to blanks. Keeps the length. */
const plainMarks = (text: string): string =>
  text
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => (digit.length === 1 ? String(digitValue(digit)) : digit))
    .replace(/：/g, ':')
    .replace(/[\u2010-\u2012\u2212]/g, '-')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ' ')

/** Lowercase, in the same length. */
const lowered = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter))

/** Digits of a script are consecutive, from zero on. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!
  let zero = code
  while (zero > code - 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}

/** The line cut into words, numbers, dates, times and marks; `covered` stretches are left out. */
export function tokensOf(typed: string, covered: readonly { from: number; to: number }[]): Token[] {
  const line = plainMarks(typed)
  const low = lowered(line)
  const tokens: Token[] = []
  for (let at = 0; at < line.length;) {
    const over = covered.find(({ from, to }) => from <= at && at < to)
    if (over) at = over.to
    else if (/\s/u.test(line[at]!)) at++
    else {
      const token = tokenAt(line, low, at)
      token.glued = tokens.at(-1)?.to === at
      tokens.push(...partsOf(token))
      at = token.to
    }
  }
  return tokens
}

const compound =
  /^(montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|heute|morgen)(morgen|früh|vormittag|mittag|nachmittag|abend|nacht)$/

/** "Freitagabend" is two words. */
function partsOf(token: Token): Token[] {
  const parts = compound.exec(token.low)
  if (!parts) return [token]
  const middle = parts[1]!.length
  const cut = (from: number, to: number, glued: boolean): Token => ({
    ...token,
    text: token.text.slice(from, to),
    low: token.low.slice(from, to),
    from: token.from + from,
    to: token.from + to,
    glued,
  })
  return [cut(0, middle, token.glued), cut(middle, token.text.length, true)]
}

function tokenAt(line: string, low: string, from: number): Token {
  for (const [form, shapeOf] of forms) {
    form.lastIndex = from
    const match = form.exec(low)
    if (!match) continue
    const text = line.slice(from, from + match[0].trimEnd().length)
    const money =
      /[$€£¥#§&]$/u.test(line.slice(0, from)) || /^\s?(?:[%€$£°]|EUR|USD|km|kg)/u.test(line.slice(from + text.length))
    const shape = money && /^\d/.test(text) ? ({ is: 'literal' } as const) : shapeOf(match)
    return { text, low: text.toLowerCase(), from, to: from + text.length, shape, glued: false }
  }
  const text = String.fromCodePoint(line.codePointAt(from)!)
  return { text, low: text, from, to: from + text.length, shape: { is: 'mark' }, glued: false }
}

/** The phrases that begin at each token, longest first. */
export function phrasesOf(tokens: readonly Token[]): Phrase[][] {
  const found = phrasesAt(tokens)
  // "Good morning" isn't a time of day, and "Good Friday" is a holiday.
  found.forEach((phrases, at) => {
    const whole = phrases.find(({ size, meanings }) =>
      meanings.some(({ is }) => is === 'idiom' || (is === 'holiday' && size > 1)),
    )
    if (!whole) return
    for (let inside = at; inside < at + whole.size; inside++) found[inside] = []
    if (whole.meanings.some(({ is }) => is === 'holiday')) found[at] = [whole]
  })
  return found
}

const phrasesAt = (tokens: readonly Token[]): Phrase[][] =>
  tokens.map((first, at) => {
    if (first.shape.is !== 'word' && first.low !== '@') return []
    const found: Phrase[] = []
    let phrase = ''
    for (let size = 1; size <= maxPhraseWords && at + size <= tokens.length; size++) {
      const token = tokens[at + size - 1]!
      if (size > 1 && tokens[at + size - 2]!.to < token.from - 3) break
      const low = token.low.replace('’', "'")
      phrase = size === 1 ? low : `${phrase} ${low}`
      const meanings = lexicon.get(phrase)
      if (meanings) found.unshift({ size, meanings })
    }
    return found
  })
