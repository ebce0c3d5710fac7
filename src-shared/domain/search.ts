/**
 * Word search that ignores case, accents, and typos. Each item is one searchable text with its title in the first line.
 */

/** Lowercase text without accents: `Café` equals `cafe`, and `Straße` equals `strasse`. */
export function folded(text: string): string {
  const small = text.toLowerCase()
  return !/[^ -~\s]/.test(small) ? small : small.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')
}

/** Searchable text of an item. */
export const textOf = (title: string, ...rest: readonly string[]): string =>
  folded([title.replace(/\s+/g, ' '), ...rest].join('\n'))

export const termsOf = (query: string): string[] => folded(query).split(/\s+/).filter(Boolean)

/** Below this number of exact matches, fuzzy matches are included. */
const few = 4

/** Calls `visit` for each item with its searchable text. Faster than an iterator for many items. */
export type Things<T> = (visit: (thing: T, text: string) => void) => void

/**
 * The best `limit` of `things`, by `rankOf`. Typos come last, and only if there are few other matches. Equal matches are
 * ordered by `compare`, which is called as rarely as possible. `words`: words of the titles, if the caller caches them.
 */
export function search<T>(
  query: string,
  things: Things<T>,
  limit: number,
  compare: (a: T, b: T) => number,
  words: () => Iterable<string> = () => wordsOf(things),
): T[] {
  const terms = termsOf(query)
  if (terms.length === 0 || limit < 1) return []
  const best = new Best(limit, compare)
  things((thing, text) => {
    const rank = rankOf(terms, text)
    if (rank !== undefined) best.take(thing, rank)
  })
  if (best.count < few && terms.some((term) => slipsOf(term) > 0)) {
    const near = nearWords(terms, words())
    things((thing, text) => {
      if (slipped(terms, near, text) && rankOf(terms, text) === undefined) best.take(thing, worst)
    })
  }
  return best.things
}

function wordsOf<T>(things: Things<T>): Iterable<string> {
  const words = new Set<string>()
  things((_thing, text) => titleWords(text).forEach((word) => words.add(word)))
  return words
}

/** Rank of a match by typos. */
export const worst = 6

/** Rank of a match by its title and other words, from 0 (best) to `worst` for typos. */
export function qualityOf(query: string, title: string): number {
  const terms = termsOf(query)
  const text = textOf(title)
  if (text === terms.join(' ')) return 0
  const rank = rankOf(terms, text)
  if (rank !== undefined) return rank
  return slipped(terms, nearWords(terms, titleWords(text)), text) ? worst : worst - 1
}

/**
 * Rank of a match. 1: the title begins with the first term, and the others begin words of it. 2: each term begins a word of the
 * title. 3: the title contains all terms. 4: each term begins a word of the text. 5: the text contains all terms. Undefined if
 * a term is missing.
 */
export function rankOf(terms: readonly string[], text: string): number | undefined {
  for (const term of terms) if (!text.includes(term)) return undefined
  const title = titleOf(text)
  if (!terms.every((term) => title.includes(term))) return terms.every((term) => beginsWord(text, term)) ? 4 : 5
  if (!terms.every((term) => beginsWord(title, term))) return 3
  return title.startsWith(terms[0]!) ? 1 : 2
}

/** Occurrences of terms in a text, as pairs of offsets, in order and without overlaps. Ignores case and accents. */
export function matchesIn(text: string, terms: readonly string[]): [from: number, to: number][] {
  /** Start and end of the original character of each folded letter. */
  const spans: { from: number; to: number }[] = []
  let plain = ''
  let at = 0
  for (const character of text) {
    const small = folded(character)
    const span = { from: at, to: (at += character.length) }
    plain += small
    // A combining accent belongs to the letter before it.
    if (small === '' && spans.length > 0) spans.at(-1)!.to = at
    for (let unit = 0; unit < small.length; unit++) spans.push(span)
  }
  const hits = new Set<number>()
  for (const term of terms)
    for (let from = plain.indexOf(term); term !== '' && from >= 0; from = plain.indexOf(term, from + 1))
      for (let unit = from; unit < from + term.length; unit++) hits.add(unit)
  const matches: [number, number][] = []
  for (const { from, to } of [...hits].sort((a, b) => a - b).map((unit) => spans[unit]!)) {
    const last = matches.at(-1)
    if (last && last[1] >= from) last[1] = to
    else matches.push([from, to])
  }
  return matches
}

const letter = /[\p{L}\p{N}]/u

function inWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code > 127) return letter.test(text[at]!)
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
}

/** True if a term starts one of the words. */
export function beginsWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (at === 0 || !inWord(text, at - 1)) return true
  return false
}

const titleOf = (text: string): string => {
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

/** Words of a text's title, without numbers. Hyphenated ones count as one and as several: `stand-up`. */
export function titleWords(text: string): string[] {
  const words = titleOf(text).match(/[\p{L}\p{N}]+(?:[-'’/.][\p{L}\p{N}]+)*/gu) ?? []
  return words.flatMap((word) => {
    if (/^[\d.]+$/.test(word)) return []
    const parts = word.match(/[\p{L}\p{N}]+/gu)!
    return parts.length === 1 ? word : [word, ...parts]
  })
}

/** Number of typos allowed in a term. Short terms allow none, because they would match anything. */
const slipsOf = (term: string): number => (term.length < 4 ? 0 : term.length < 8 ? 1 : 2)

/** Words that each term may be a typo of. */
function nearWords(terms: readonly string[], words: Iterable<string>): string[][] {
  const near = terms.map((): string[] => [])
  for (const word of words)
    terms.forEach((term, at) => {
      const most = slipsOf(term)
      // An unfinished term is the beginning of a word.
      if (most > 0 && (withinSlips(term, word, most) || withinSlips(term, word.slice(0, term.length), most)))
        near[at]!.push(word)
    })
  return near
}

function slipped(terms: readonly string[], near: readonly string[][], text: string): boolean {
  const title = titleOf(text)
  return terms.every((term, at) => text.includes(term) || near[at]!.some((word) => title.includes(word)))
}

/** True if `b` differs from `a` by at most `most` inserted, deleted, replaced, or swapped letters. */
export function withinSlips(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return false
    before = last
    last = row
  }
  return last[b.length]! <= most
}

/** Keeps the best few of many. */
export class Best<T> {
  readonly #kept: { thing: T; rank: number }[] = []
  count = 0

  constructor(
    readonly limit: number,
    readonly compare: (a: T, b: T) => number,
  ) {}

  take(thing: T, rank: number): void {
    this.count++
    const better = (one: { thing: T; rank: number }): boolean =>
      rank !== one.rank ? rank < one.rank : this.compare(thing, one.thing) < 0
    if (this.#kept.length === this.limit && !better(this.#kept.at(-1)!)) return
    let from = 0
    let to = this.#kept.length
    while (from < to) {
      const middle = (from + to) >> 1
      if (better(this.#kept[middle]!)) to = middle
      else from = middle + 1
    }
    this.#kept.splice(from, 0, { thing, rank })
    if (this.#kept.length > this.limit) this.#kept.pop()
  }

  /** The worst item so far. Undefined while there's room for more. */
  get worst(): { thing: T; rank: number } | undefined {
    return this.#kept.length < this.limit ? undefined : this.#kept.at(-1)
  }

  get things(): T[] {
    return this.#kept.map(({ thing }) => thing)
  }
}

/** Time range of an item. Null if it has none. */
export interface Span {
  start: number
  end: number
}

/** Sorts current and future items first, then the most recent ones, then those without a time. */
export function byNearness(a: Span | null, b: Span | null, now: number): number {
  if (!a || !b) return a ? -1 : b ? 1 : 0
  const [aAhead, bAhead] = [a.end > now, b.end > now]
  if (aAhead !== bAhead) return aAhead ? -1 : 1
  return aAhead ? a.start - b.start || a.end - b.end : b.start - a.start || b.end - a.end
}
