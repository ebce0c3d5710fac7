import type { PartOfDay } from './words/language'

/** The text isn't clear enough for an event. The message says why and what to do. */
export class Question extends Error {
  constructor(
    message: string,
    /** The tokens that it is about. */
    readonly from?: number,
    readonly to?: number,
    /** What can be written instead of those tokens, or of the words that the message quotes, likeliest first. */
    readonly answers: readonly string[] = [],
  ) {
    super(message)
  }
}

/** A day, or days: wall readings of midnights. */
export interface Days {
  first: number
  /** Inclusive. */
  last?: number
  /** Given by weekday only, so it means next week once its time has passed. */
  weekday?: boolean
  /** Relative to today ("tomorrow"), so the day depends on the zone. */
  relative?: boolean
  /** A stated start: "starting 1 Dec". The first occurrence may be later. */
  begins?: boolean
  /** "The 15th": the day of a month, this one or the next. */
  ofMonth?: number
}

/** "Wed" is the next one after another day, but "tomorrow" and "Wed next week" count from today. */
export const countsFromToday = ({ relative, weekday }: Days): boolean => relative === true && weekday !== true

/** An hour as typed, before its half of the day is known. Minutes are negative for "five to twelve". */
export interface Point {
  hour: number
  minute: number
  /** `bare`: "at 5". `clock`: "5:30". `spoken`: "half past 5". `full`: unambiguous, on the 24-hour clock. */
  form: 'bare' | 'clock' | 'spoken' | 'oclock' | 'full' | 'noon' | 'midnight'
  half?: 'am' | 'pm'
  part?: PartOfDay
  zone?: TypedZone
  said: string
}
export interface TypedZone {
  zone: string
  /** Minutes, where the name holds for one season only. */
  offset?: number
  said: string
}

export interface Repeat {
  frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  weekdays?: readonly number[]
  /** With one weekday: its numbers in the month. With several: the numbers among their days. -1 is the last. */
  nth?: readonly number[]
  /** -1: the last. */
  monthDays?: readonly number[]
}

export type Item =
  | { is: 'days'; days: Days }
  | { is: 'time'; start: Point; end?: Point; days?: { first: Days; last: Days } }
  | {
      is: 'length'
      minutes?: number
      days?: number
      months?: number
      /** "5 minute walk" */ inTitle?: boolean
      bound?: boolean
    }
  | { is: 'repeat'; repeat: Repeat }
  | { is: 'until'; days: Days }
  | { is: 'count'; count: number }
  | { is: 'part'; part: PartOfDay; tonight: boolean }
  | { is: 'allday' }
  | { is: 'remind'; minutes: number }
  /** Relative to now, in minutes. */
  | { is: 'soon'; minutes: number }
  | { is: 'question'; problem: string; answers: readonly string[] }

/** An item with its first token and the token after it. */
export interface Placed {
  from: number
  to: number
  item: Item
}
/** Reads one kind of item at a token. */
export type Read<What> = { to: number } & What

export const ask = (problem: string, ...answers: string[]): Item => ({ is: 'question', problem, answers })
