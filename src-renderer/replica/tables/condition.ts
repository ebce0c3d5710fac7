import type { Condition } from '#shared/fields/condition'
import type { Expression } from '#shared/fields/expression'
import type { Cell } from '../blocks/layout'
import { textOf } from './order'

/** Condition in a form that can test cells. */
export interface CellTest {
  test: (cell: Cell) => boolean
  /** Lowercase words that a matching text must contain. */
  words?: readonly string[]
  /** The texts that pass. */
  texts?: ReadonlySet<string>
}

/** Parses a pattern. Undefined if it’s invalid, and then no cell passes. */
type ReadPattern = (source: string) => Expression | undefined

/** Parses patterns. Undefined if no condition has one, because the parser is large. */
export async function patternsIn(conditions: readonly Condition[]): Promise<ReadPattern | undefined> {
  if (!conditions.some((one) => 'matches' in one || 'matchesNot' in one)) return undefined
  const { readExpression } = await import('#shared/fields/expression')
  return (source) => {
    const read = readExpression(source, true)
    return 'problem' in read ? undefined : read
  }
}

/** Test of a cell for a condition. */
export function testOf(condition: Condition, read?: ReadPattern): CellTest & { column: string } {
  return {
    column: condition.column,
    test: testFor(condition, read),
    ...('has' in condition && { words: wordsOf(condition.has) }),
    ...('is' in condition && { texts: new Set(condition.is) }),
  }
}

/** Search words, in lowercase. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

function testFor(condition: Condition, read?: ReadPattern): (cell: Cell) => boolean {
  if ('is' in condition || 'isNot' in condition) {
    const wanted = 'is' in condition
    const values = new Set(wanted ? condition.is : condition.isNot)
    // One matching member of a list is enough.
    const fits = (cell: Cell): boolean =>
      Array.isArray(cell) && cell.length > 0 ? cell.some((one) => values.has(textOf(one))) : values.has(textOf(cell))
    return (cell) => fits(cell) === wanted
  }
  if ('has' in condition || 'hasNot' in condition) {
    const wanted = 'has' in condition
    const words = wordsOf(wanted ? condition.has : condition.hasNot)
    return (cell) => {
      const text = textOf(cell).toLowerCase()
      return words.every((word) => text.includes(word)) === wanted
    }
  }
  if ('matches' in condition || 'matchesNot' in condition) {
    const wanted = 'matches' in condition
    const expression = read?.(wanted ? condition.matches : condition.matchesNot)
    return (cell) => expression !== undefined && expression.test(textOf(cell)) === wanted
  }
  if ('longer' in condition) return (cell) => textOf(cell).length > condition.longer
  if ('empty' in condition) return (cell) => (textOf(cell) === '') === condition.empty
  if ('above' in condition || 'below' in condition) {
    const sign = 'above' in condition ? 1 : -1
    const compare = comparedTo('above' in condition ? condition.above : condition.below)!
    return (cell) => {
      const text = textOf(cell)
      return text !== '' && compare(text) * sign > 0
    }
  }
  const [from, to] = [comparedTo(condition.from), comparedTo(condition.to)]
  return (cell) => {
    const text = textOf(cell)
    return text !== '' && (!from || from(text) >= 0) && (!to || to(text) <= 0)
  }
}

const number = /^-?\d+(\.\d+)?$/
const whole = /^-?\d+$/

/** Compares with a bound: numbers by value, and dates and times as text. Other texts are incomparable with a number. */
function comparedTo(bound: string | undefined): ((text: string) => number) | undefined {
  if (bound === undefined) return undefined
  const asTexts = (text: string): number => (text < bound ? -1 : text > bound ? 1 : 0)
  if (!number.test(bound)) return asTexts
  const size = Number(bound)
  const exact = whole.test(bound) ? BigInt(bound) : undefined
  return (text) => {
    if (!number.test(text)) return NaN
    return Number(text) - size || (exact !== undefined && whole.test(text) ? Number(BigInt(text) - exact) : 0)
  }
}
