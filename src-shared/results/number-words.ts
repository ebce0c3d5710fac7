import { isNumeric, type CellKind } from './result-columns'

const number = /^-?\d+(?:\.\d+)?%?$/
const decimals = (least: number, most: number): Intl.NumberFormat =>
  new Intl.NumberFormat('en', { minimumFractionDigits: least, maximumFractionDigits: most })
const money = decimals(2, 2)
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const counts = decimals(0, 20)
/** Numbers of a column have as many decimals as its file, or two, so that they line up. */
const numbers = [decimals(0, 0), decimals(1, 1), money] as const

/** Formats a value for display: `19,841.74`, `−5`, `0.36%`, or a dash if missing. Other text is unchanged. */
export function numberWords(text: string, kind: CellKind): string {
  if (!isNumeric(kind)) return text
  if (text === '---') return '–'
  if (!number.test(text)) return text
  const percent = text.endsWith('%')
  const digits = percent ? text.slice(0, -1) : text
  return withMinus(written(digits, kind, percent))
}

/** True for a number of which two decimals would leave next to nothing. */
const isSmall = (value: number): boolean => value !== 0 && Math.abs(value) < 0.1

const decimalsOf = (digits: string): 0 | 1 | 2 => {
  const length = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0
  return length > 1 ? 2 : length === 1 ? 1 : 0
}

/** Replaces the hyphen of a negative number with a minus sign. */
export const withMinus = (text: string): string => text.replace('-', '\u2212')

function written(digits: string, kind: CellKind, percent: boolean): string {
  // Engines accept strings and keep all digits. The types don't know that yet.
  const exact = digits as unknown as number
  switch (kind) {
    case 'money':
      return money.format(exact)
    case 'percent':
      return `${percent ? money.format(exact) : money.format(Number(digits) * 100)}%`
    case 'number':
      return isSmall(Number(digits)) ? small.format(exact) : numbers[decimalsOf(digits)].format(exact)
    default:
      return counts.format(exact)
  }
}
