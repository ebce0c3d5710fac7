import { isNumeric, type CellKind } from './result-columns'

const number = /^-?\d+(?:\.\d+)?%?$/
const decimals = (least: number, most: number): Intl.NumberFormat =>
  new Intl.NumberFormat('en', { minimumFractionDigits: least, maximumFractionDigits: most })
const money = decimals(2, 2)
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const counts = decimals(0, 20)
const numbers = decimals(0, 2)

/** Formats a value for display: `19,841.74`, `−5`, `0.36%`, or a dash if missing. Other text is unchanged. */
export function numberWords(text: string, kind: CellKind): string {
  if (!isNumeric(kind)) return text
  if (text === '---') return '–'
  if (!number.test(text)) return text
  const percent = text.endsWith('%')
  const digits = percent ? text.slice(0, -1) : text
  return withMinus(written(digits, kind, percent))
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
      return Math.abs(Number(digits)) < 1 ? small.format(exact) : numbers.format(exact)
    default:
      return counts.format(exact)
  }
}
