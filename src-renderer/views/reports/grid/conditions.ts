import { numberText } from '#shared/fields/number-text'
import { isNumeric, type ColumnAbout } from '#shared/results/result-columns'
import type { TableShape } from '#shared/results/questions'

export type ResultFilter = TableShape['filters'][number]
export type FilterOperator = ResultFilter['condition']['how']

export const operatorLabels: Readonly<Record<FilterOperator, string>> = {
  is: 'is one of',
  isNot: 'is none of',
  contains: 'contains',
  containsNot: 'doesn’t contain',
  between: 'is between',
}

const dayMs = 86_400_000

/** Filter operators of a column, most common first. */
export function operatorsFor({ kind }: ColumnAbout): FilterOperator[] {
  if (isNumeric(kind)) return ['between', 'is', 'isNot']
  if (kind === 'day') return ['between', 'is', 'isNot']
  return ['is', 'contains', 'isNot', 'containsNot']
}

/** Parses a bound in the units of the column. Undefined if empty, null if invalid. */
export function boundOf(typed: string, { kind }: ColumnAbout): number | undefined | null {
  const text = typed.trim()
  if (text === '') return undefined
  if (kind === 'day') {
    const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
    return Number.isNaN(at) ? null : at / dayMs
  }
  const plain = numberText(text.replace(/%$/, ''))
  if (plain === undefined) return null
  const number = Number(plain)
  if (kind === 'money') return Math.round(number * 1e6)
  return kind === 'percent' ? number / 100 : number
}

/** Formats a bound for editing. */
export function boundWords(bound: number | undefined, { kind }: ColumnAbout): string {
  if (bound === undefined) return ''
  if (kind === 'day') return new Date(bound * dayMs).toISOString().slice(0, 10)
  if (kind === 'money') return String(bound / 1e6)
  return kind === 'percent' ? `${Number((bound * 100).toPrecision(12))}%` : String(bound)
}

/** Describes a filter, such as `Site: A and 2 more`. */
export function filterWords({ column, condition }: ResultFilter, about: ColumnAbout | undefined): string {
  if (condition.how === 'between') {
    const asked = about ?? { head: column, kind: 'number', adds: null }
    const [from, to] = [boundWords(condition.from, asked), boundWords(condition.to, asked)]
    if (from !== '' && to !== '') return `${column}: ${from} to ${to}`
    return from === '' ? `${column}: at most ${to}` : `${column}: at least ${from}`
  }
  if ('text' in condition) return `${column} ${operatorLabels[condition.how]} “${condition.text}”`
  const [first = '', ...others] = condition.texts
  const rest = others.length > 0 ? ` and ${others.length} more` : ''
  return condition.how === 'is' ? `${column}: ${first}${rest}` : `${column}: not ${first}${rest}`
}
