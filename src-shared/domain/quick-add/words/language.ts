/** Parts of a day; what hours they can mean is told in times.ts. */
export type PartOfDay = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'
export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'workday' | 'weekend' | 'quarter'
export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/**
 * The words of a language. All in small letters; a phrase of several words has single blanks between them, and ` - `
 * where a hyphen stands. No grammar: the phrases are the same in every language that is read.
 */
export interface Language {
  /** From January; the full name first. */
  months: readonly (readonly string[])[]
  /** From Sunday. */
  weekdays: readonly (readonly string[])[]
  /** Short forms that are words of their own as well ("sun", "Do"): days only where they stand like one. From Sunday. */
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
  /** What is done in the evening: its hours are asked for. */
  evening: readonly string[]
  /** Days with names of their own. They are not computed. */
  holidays: readonly string[]
  /** Meals: "at lunch" is a time that nobody knows. */
  meals: readonly string[]
  /** What else a day is measured by: "after work". */
  occasions: readonly string[]
  /** Phrases with words of time that say no time: "good morning". */
  idioms: readonly string[]
  /** Words of time that say no time: "later", "biweekly". */
  vague: readonly string[]
}

/** What the small words do. */
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
  | 'per'
  /** Makes another time of the time that follows: "before", "by", "around". */
  | 'bends'
  /** Before, after or during something. */
  | 'order'
