import { phrasesOf, type Phrase, type Shape, type Token } from './tokens'
import type { Meaning } from './words/lexicon'

type Valued = Extract<Meaning, { value: unknown }>
type ValueOf<Is> = Extract<Valued, { is: Is }>['value']

/** A phrase found at a token: the token after it, and its value. */
export interface Found<Value> {
  to: number
  value: Value
}

/** The tokens of a line, to be read from any of them. */
export class Line {
  readonly phrases: readonly Phrase[][]
  constructor(
    readonly text: string,
    readonly tokens: readonly Token[],
  ) {
    this.phrases = phrasesOf(tokens)
  }

  /** The longest phrase at `at` that can mean `is`. */
  find<Is extends Valued['is']>(at: number, is: Is): Found<ValueOf<Is>> | null {
    for (const { size, meanings } of this.phrases[at] ?? []) {
      const meaning = meanings.find((one) => one.is === is)
      if (meaning && 'value' in meaning) return { to: at + size, value: meaning.value as ValueOf<Is> }
    }
    return null
  }

  /** The token after the longest phrase at `at` that can mean one of `kinds`, or null. */
  skip(at: number, ...kinds: Meaning['is'][]): number | null {
    for (const { size, meanings } of this.phrases[at] ?? [])
      if (meanings.some(({ is }) => kinds.includes(is))) return at + size
    return null
  }

  /** Like `skip`, but stays if there's nothing to skip. */
  past(at: number, ...kinds: Meaning['is'][]): number {
    return this.skip(at, ...kinds) ?? at
  }

  shape<Is extends Shape['is']>(at: number, is: Is): Extract<Shape, { is: Is }> | null {
    const shape = this.tokens[at]?.shape
    return shape?.is === is ? (shape as Extract<Shape, { is: Is }>) : null
  }

  low(at: number): string {
    return this.tokens[at]?.low ?? ''
  }

  /** The words between two tokens, as typed. */
  said(from: number, to: number): string {
    const [first, last] = [this.tokens[from], this.tokens[to - 1]]
    return first && last ? this.text.slice(first.from, last.to) : ''
  }

  /** The token after a hyphen or dash, or null. */
  dash(at: number): number | null {
    return /^[-–—]$/.test(this.low(at)) ? at + 1 : null
  }

  /** A whole number in digits or words. */
  number(at: number): Found<number> | null {
    const digits = this.shape(at, 'number')
    if (digits && !digits.ordinal) return { to: at + 1, value: digits.value }
    return this.find(at, 'number')
  }

  /** "2nd", "15.", "second", "last" (-1). */
  ordinal(at: number): Found<number> | null {
    const digits = this.shape(at, 'number')
    if (digits?.ordinal) return { to: at + 1, value: digits.value }
    return this.find(at, 'ordinal')
  }
}
