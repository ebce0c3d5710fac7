import type { ColumnAbout } from './kinds'

/** So many of the newest full days services still correct. */
export const unsettledDays = 2

const dayMs = 86_400_000
const quarterOf = (day: string): number => Math.ceil(Number(day.slice(5, 7)) / 3)
const weekBack = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 6 * dayMs).toISOString().slice(0, 10)

/** By kind or field of a column, its least text of which a day from `day` on is a part. */
const leastTexts: Readonly<Record<string, (day: string) => string>> = {
  day: (day) => day,
  week: weekBack,
  month: (day) => day.slice(0, 7),
  quarter: (day) => `${day.slice(0, 4)}-Q${quarterOf(day)}`,
  year: (day) => day.slice(0, 4),
  // Longer stretches that are written as the day they begin with.
  weekStart: weekBack,
  monthStart: (day) => `${day.slice(0, 7)}-01`,
  quarterStart: (day) => `${day.slice(0, 4)}-${String(quarterOf(day) * 3 - 2).padStart(2, '0')}-01`,
  yearStart: (day) => `${day.slice(0, 4)}-01-01`,
}

/**
 * The first day, week, month … of a column whose figures may still change, as its cells write it. `from`: the first such day,
 * as `2026-03-01`. Undefined for columns without days.
 */
export function firstUnsettled(
  { kind, field = '' }: Pick<ColumnAbout, 'kind' | 'field'>,
  from: string,
): string | undefined {
  return (leastTexts[field] ?? leastTexts[kind])?.(from)
}

/** Whether a cell is of the stretch that begins with `first`, of `firstUnsettled`. */
export const isUnsettled = (text: string, first: string | undefined): boolean =>
  first !== undefined && /^\d{4}/.test(text) && text >= first
