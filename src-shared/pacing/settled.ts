import type { ColumnAbout } from '../results/result-columns'

/** Number of recent full days that services may still correct. */
export const unsettledDays = 2

const dayMs = 86_400_000
const quarterOf = (day: string): number => Math.ceil(Number(day.slice(5, 7)) / 3)
const weekBack = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 6 * dayMs).toISOString().slice(0, 10)

/** Smallest cell text that covers `day` or later, by kind or field of the column. */
const minTexts: Readonly<Record<string, (day: string) => string>> = {
  day: (day) => day,
  week: weekBack,
  month: (day) => day.slice(0, 7),
  quarter: (day) => `${day.slice(0, 4)}-Q${quarterOf(day)}`,
  year: (day) => day.slice(0, 4),
  // Periods that are written as their first day.
  weekStart: weekBack,
  monthStart: (day) => `${day.slice(0, 7)}-01`,
  quarterStart: (day) => `${day.slice(0, 4)}-${String(quarterOf(day) * 3 - 2).padStart(2, '0')}-01`,
  yearStart: (day) => `${day.slice(0, 4)}-01-01`,
}

/**
 * First day, week, month, … of a column with values that may still change, in the column's format. `from`: first such
 * day, as `2026-03-01`. Undefined for columns without days.
 */
export function firstUnsettled(
  { kind, field = '' }: Pick<ColumnAbout, 'kind' | 'field'>,
  from: string,
): string | undefined {
  return (minTexts[field] ?? minTexts[kind])?.(from)
}

/** True if a cell isn't before `first`, from `firstUnsettled`. */
export const isUnsettled = (text: string, first: string | undefined): boolean =>
  first !== undefined && /^\d{4}/.test(text) && text >= first
