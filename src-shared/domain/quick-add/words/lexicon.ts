import { de } from './de'
import { en } from './en'
import type { Frequency, Joint, PartOfDay, Unit } from './language'

/** Possible meanings of a word or phrase. Some have several ("second", "am", "May"). */
export type Meaning =
  | {
      is: 'month' | 'weekday' | 'doubtful' | 'weekly' | 'day' | 'number' | 'ordinal' | 'length' | 'pastHour' | 'feast'
      value: number
    }
  | { is: 'unit'; value: Unit }
  | { is: 'part'; value: PartOfDay }
  | { is: 'adverb'; value: readonly [Frequency, number] }
  | { is: Joint | 'label' | 'evening' | 'idiom' | 'holiday' | 'vague' | 'foreign' }

/** Time words of neighboring languages. They aren't parsed, but can't be part of a title, either. */
const foreign =
  'demain hier lundi mardi mercredi jeudi vendredi samedi dimanche mañana ayer lunes miércoles miercoles jueves viernes sábado domingo domani ieri lunedì martedì mercoledì giovedì venerdì amanhã segunda terça quarta quinta sexta vandaag gisteren maandag dinsdag woensdag donderdag vrijdag zaterdag zondag imorgon'.split(
    ' ',
  )

/** All known phrases with their meanings, in all languages at once. */
export const lexicon: ReadonlyMap<string, readonly Meaning[]> = (() => {
  const found = new Map<string, Meaning[]>()
  const put = (phrase: string, meaning: Meaning): void => {
    found.set(phrase, [...(found.get(phrase) ?? []), meaning])
  }
  const lists = (is: 'month' | 'weekday' | 'doubtful' | 'weekly', names: readonly (readonly string[])[]): void =>
    names.forEach((same, value) => same.forEach((phrase) => put(phrase, { is, value })))
  const numbers = (
    is: 'day' | 'number' | 'ordinal' | 'length' | 'pastHour' | 'feast',
    table: Readonly<Record<string, number>>,
  ): void => Object.entries(table).forEach(([phrase, value]) => put(phrase, { is, value }))
  for (const language of [en, de]) {
    lists('month', language.months)
    lists('weekday', language.weekdays)
    lists('doubtful', language.doubtfulWeekdays)
    lists('weekly', language.weekly)
    numbers('day', language.days)
    numbers('number', language.numbers)
    numbers('ordinal', language.ordinals)
    numbers('length', language.lengths)
    numbers('pastHour', language.pastHour)
    for (const [phrase, value] of Object.entries(language.units)) put(phrase, { is: 'unit', value })
    for (const [phrase, value] of Object.entries(language.parts)) put(phrase, { is: 'part', value })
    for (const [phrase, value] of Object.entries(language.adverbs)) put(phrase, { is: 'adverb', value })
    for (const [is, phrases] of Object.entries(language.joints))
      for (const phrase of phrases) put(phrase, { is: is as Joint })
    for (const phrase of language.labels) put(phrase, { is: 'label' })
    for (const phrase of language.evening) put(phrase, { is: 'evening' })
    numbers('feast', language.feasts)
    for (const phrase of [...language.holidays, ...Object.keys(language.feasts)]) put(phrase, { is: 'holiday' })
    for (const phrase of language.idioms) put(phrase, { is: 'idiom' })
    for (const phrase of language.vague) put(phrase, { is: 'vague' })
  }
  for (const phrase of foreign) put(phrase, { is: 'foreign' })
  return found
})()

/** Plain words in a title; a time behind "at" or "after". */
export const meals: ReadonlySet<string> = new Set([en, de].flatMap((language) => language.meals))
export const occasions: ReadonlySet<string> = new Set([en, de].flatMap((language) => language.occasions))

/** Words of the longest phrase. */
export const maxPhraseWords = Math.max(...[...lexicon.keys()].map((phrase) => phrase.split(' ').length))

const spelled = [...lexicon].flatMap(([phrase, meanings]) =>
  phrase.length >= 6 &&
  !phrase.includes(' ') &&
  meanings.some(({ is }) => ['month', 'weekday', 'day', 'weekly'].includes(is))
    ? [phrase]
    : [],
)

/** Short words that change the meaning of the time next to them. */
const bending = 'every jeden until today heute'.split(' ')

/** Names that are one slip from a word of time. */
const names = new Set('morten frida marsha'.split(' '))

/**
 * The time word that was probably meant: "tomorow", "wendsday". Allows one typo, or two in long words. Next to a day or
 * hour (`beside`), also allows a missing letter or ending: "mnday", "satur".
 */
export function misspelled(word: string, beside: boolean): string | undefined {
  if (lexicon.has(word) || names.has(word)) return undefined
  const bends = beside ? bending.find((right) => lacksOne(word, right) || swapped(word, right)) : undefined
  if (bends !== undefined || word.length < 5) return bends
  if (beside) {
    const right = spelled.find((right) => right.startsWith(word) || (word.length === 5 && lacksOne(word, right)))
    if (right !== undefined) return right
  }
  if (word.length < 6) return undefined
  return spelled.find((right) => right[0] === word[0] && slips(word, right, word.length < 8 ? 1 : 2))
}

/** True if one letter inside the word is missing. */
const lacksOne = (word: string, right: string): boolean =>
  word.length === right.length - 1 && word[0] === right[0] && word.at(-1) === right.at(-1) && slips(word, right, 1)
const swapped = (word: string, right: string): boolean =>
  word.length === right.length &&
  word[0] === right[0] &&
  [...word].sort().join('') === [...right].sort().join('') &&
  slips(word, right, 1)

/** True if at most `most` edits (change, drop, insert, or swap letters) lead from one word to the other. */
function slips(word: string, right: string, most: number): boolean {
  let at = 0
  while (at < word.length && word[at] === right[at]) at++
  const [rest, wanted] = [word.slice(at), right.slice(at)]
  if (rest === wanted) return true
  if (most === 0) return false
  return (
    slips(rest.slice(1), wanted, most - 1) ||
    slips(rest, wanted.slice(1), most - 1) ||
    slips(rest.slice(1), wanted.slice(1), most - 1) ||
    (rest[0] === wanted[1] && rest[1] === wanted[0] && slips(rest.slice(2), wanted.slice(2), most - 1))
  )
}
