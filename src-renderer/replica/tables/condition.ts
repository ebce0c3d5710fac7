import type { Condition } from '../api'
import type { Cell } from '../blocks/layout'
import { textOf } from './order'

/** A condition that cells can be tested by. */
export interface CellTest {
  test: (cell: Cell) => boolean
  /** Lowercase words that a matching text must contain. */
  words?: readonly string[]
  /** The texts that pass. */
  texts?: ReadonlySet<string>
}

/** Test of a cell for a condition. */
export function testOf(condition: Condition): CellTest & { column: string } {
  return {
    column: condition.column,
    test: testFor(condition),
    ...('has' in condition && { words: wordsOf(condition.has) }),
    ...('is' in condition && { texts: new Set(condition.is) }),
  }
}

/** Search words, in lowercase. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

function testFor(condition: Condition): (cell: Cell) => boolean {
  if ('is' in condition || 'isNot' in condition) {
    const wanted = 'is' in condition
    const values = new Set(wanted ? condition.is : condition.isNot)
    // One matching member of a list is enough.
    const fits = (cell: Cell): boolean =>
      Array.isArray(cell) && cell.length > 0 ? cell.some((one) => values.has(textOf(one))) : values.has(textOf(cell))
    return (cell) => fits(cell) === wanted
  }
  if ('has' in condition) {
    const words = wordsOf(condition.has)
    return (cell) => {
      const text = textOf(cell).toLowerCase()
      return words.every((word) => text.includes(word))
    }
  }
  if ('empty' in condition) return (cell) => (textOf(cell) === '') === condition.empty
  const [from, to] = [comparedTo(condition.from), comparedTo(condition.to)]
  return (cell) => {
    const text = textOf(cell)
    return text !== '' && (!from || from(text) >= 0) && (!to || to(text) <= 0)
  }
}

const number = /^-?\d+(\.\d+)?$/
const whole = /^-?\d+$/

/** Compares numbers by value. Dates and times are ordered as text. */
function comparedTo(bound: string | undefined): ((text: string) => number) | undefined {
  if (bound === undefined) return undefined
  const asTexts = (text: string): number => (text < bound ? -1 : text > bound ? 1 : 0)
  if (!number.test(bound)) return asTexts
  const size = Number(bound)
  const exact = whole.test(bound) ? BigInt(bound) : undefined
  return (text) => {
    if (!number.test(text)) return asTexts(text)
    return Number(text) - size || (exact !== undefined && whole.test(text) ? Number(BigInt(text) - exact) : 0)
  }
}
