/** Parts of a day. times.ts defines their hours. */
export type PartOfDay = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'
export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'workday' | 'weekend' | 'quarter'
export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/**
 * Words of a language, in lowercase. Phrases separate words with single spaces, and write a hyphen as ` - `. There's no
 * grammar, and all languages use the same kinds of phrases.
 */
export interface Language {
  /** From January; the full name first. */
  months: readonly (readonly string[])[]
  /** From Sunday. */
  weekdays: readonly (readonly string[])[]
  /** Abbreviations that are also words ("sun", "Do"), so they're days only in certain positions. Start with Sunday. */
  doubtfulWeekdays: readonly (readonly string[])[]
  /** On every such weekday: "mondays". From Sunday. */
  weekly: readonly (readonly string[])[]
  /** Days from today. */
  days: Readonly<Record<string, number>>
  numbers: Readonly<Record<string, number>>
  /** -1 is the last. */
  ordinals: Readonly<Record<string, number>>
  units: Readonly<Record<string, Unit>>
  /** "a week", "an hour" have their number in front; these hold number and unit together, in minutes. */
  lengths: Readonly<Record<string, number>>
  parts: Readonly<Record<string, PartOfDay>>
  adverbs: Readonly<Record<string, readonly [Frequency, number]>>
  /** Minutes to add to the hour that follows: "half past" 30, "viertel vor" -15. */
  pastHour: Readonly<Record<string, number>>
  joints: Readonly<Partial<Record<Joint, readonly string[]>>>
  /** A number after one of these counts or names something: "chapter 5". */
  labels: readonly string[]
  /** Evening activities, whose hours are ambiguous. */
  evening: readonly string[]
  /** Holidays whose day isn't computed. */
  holidays: readonly string[]
  /** Holidays on the same date every year: 1224 is 24 December. */
  feasts: Readonly<Record<string, number>>
  /** Meals. "At lunch" has no definite time. */
  meals: readonly string[]
  /** Other occasions that people date by: "after work". */
  occasions: readonly string[]
  /** Phrases with words of time that say no time: "good morning". */
  idioms: readonly string[]
  /** Words of time that say no time: "later", "biweekly". */
  vague: readonly string[]
}

/** Function words. */
export type Joint =
  | 'until'
  | 'to'
  | 'on'
  | 'at'
  | 'from'
  | 'between'
  | 'and'
  | 'of'
  | 'the'
  | 'in'
  | 'for'
  | 'every'
  | 'other'
  | 'this'
  | 'next'
  | 'times'
  | 'starting'
  | 'ago'
  | 'end'
  | 'oclock'
  | 'noon'
  | 'midnight'
  | 'allday'
  | 'remind'
  | 'before'
  | 'fromNow'
  | 'half'
  | 'with'
  | 'place'
  | 'zone'
  /** Verbs after which "Thu to Fri" isn't a range. */
  | 'moves'
  | 'per'
  /** Changes the meaning of the next time: "before", "by", "around". */
  | 'bends'
  /** Before, after or during something. */
  | 'order'
