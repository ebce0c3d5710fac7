import type { Condition } from '../api'
import type { Cell } from '../blocks/layout'
import { textOf } from './order'

/** A condition that cells can be tested by. */
export interface CellTest {
  test: (cell: Cell) => boolean
  /** In small letters, all that a text has to hold to pass. */
  words?: readonly string[]
  /** The texts that pass. */
  texts?: readonly string[]
}

/** Whether a cell is as a condition wants it. */
export function testOf(condition: Condition): CellTest & { column: string } {
  return {
    column: condition.column,
    test: testFor(condition),
    ...('has' in condition && { words: wordsOf(condition.has) }),
    ...('is' in condition && { texts: condition.is }),
  }
}

/** Words that are looked for, in small letters. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

function testFor(condition: Condition): (cell: Cell) => boolean {
  if ('is' in condition || 'isNot' in condition) {
    const wanted = 'is' in condition
    const values = new Set(wanted ? condition.is : condition.isNot)
    // Of a list one of its members is enough.
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
  const { from, to } = condition
  return (cell) => {
    const text = textOf(cell)
    return (
      text !== '' && (from === undefined || compare(text, from) >= 0) && (to === undefined || compare(text, to) <= 0)
    )
  }
}

const number = /^-?\d+(\.\d+)?$/
const whole = /^-?\d+$/

/** Figures by their size, whatever they are as texts; dates and moments are in order as they are written. */
function compare(a: string, b: string): number {
  if (whole.test(a) && whole.test(b)) return Number(a) - Number(b) || Number(BigInt(a) - BigInt(b))
  if (number.test(a) && number.test(b)) return Number(a) - Number(b)
  return a < b ? -1 : a > b ? 1 : 0
}
