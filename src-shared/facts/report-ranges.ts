/** A calendar day as the number of days since 1970-01-01. */
export type Day = number

const dayMs = 86_400_000

export interface Span {
  from: Day
  /** Included. */
  to: Day
}

/** @param text `YYYY-MM-DD`, possibly as the start of a timestamp. NaN if invalid */
export const dayOf = (text: string): Day => Math.floor(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / dayMs)
export const dayText = (day: Day): string => new Date(day * dayMs).toISOString().slice(0, 10)
/** 0 is Monday. */
export const weekday = (day: Day): number => (((day + 3) % 7) + 7) % 7
export const weekStart = (day: Day): Day => day - weekday(day)

function shifted(day: Day, months: number, date?: number): Day {
  const at = new Date(day * dayMs)
  const month = at.getUTCMonth() + months
  const last = new Date(Date.UTC(at.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return Date.UTC(at.getUTCFullYear(), month, Math.min(date ?? at.getUTCDate(), last)) / dayMs
}

export const monthStart = (day: Day): Day => shifted(day, 0, 1)
export const quarterStart = (day: Day): Day => shifted(day, -(new Date(day * dayMs).getUTCMonth() % 3), 1)
export const yearStart = (day: Day): Day => shifted(day, -new Date(day * dayMs).getUTCMonth(), 1)

/** Ranges that move along with the day on which a report runs, in the order in which they are offered, and their words. */
export const relativeRanges = {
  TODAY: 'Today',
  YESTERDAY: 'Yesterday',
  LAST_7_DAYS: 'Last 7 days',
  LAST_14_DAYS: 'Last 14 days',
  LAST_30_DAYS: 'Last 30 days',
  LAST_60_DAYS: 'Last 60 days',
  LAST_90_DAYS: 'Last 90 days',
  LAST_365_DAYS: 'Last 365 days',
  LAST_24_MONTHS: 'Last 24 months',
  WEEK_TO_DATE: 'This week to date',
  MONTH_TO_DATE: 'This month to date',
  QUARTER_TO_DATE: 'This quarter to date',
  YEAR_TO_DATE: 'This year to date',
  PREVIOUS_WEEK: 'Previous week',
  PREVIOUS_MONTH: 'Previous month',
  PREVIOUS_QUARTER: 'Previous quarter',
  PREVIOUS_YEAR: 'Previous year',
} as const
export type RelativeRange = keyof typeof relativeRanges

export const isRelativeRange = (text: unknown): text is RelativeRange =>
  typeof text === 'string' && Object.hasOwn(relativeRanges, text)

/**
 * The days of a relative range as of today. "Last" ranges end yesterday, and "to date" ranges end today. Weeks begin on
 * Monday. Undefined for an unknown range.
 */
export function relativeSpan(range: string, today: Day): Span | undefined {
  const last = /^LAST_(\d+)_DAYS$/.exec(range)
  if (last) return { from: today - Number(last[1]), to: today - 1 }
  switch (range) {
    case 'TODAY':
      return { from: today, to: today }
    case 'YESTERDAY':
      return { from: today - 1, to: today - 1 }
    case 'WEEK_TO_DATE':
      return { from: weekStart(today), to: today }
    case 'MONTH_TO_DATE':
      return { from: monthStart(today), to: today }
    case 'QUARTER_TO_DATE':
      return { from: quarterStart(today), to: today }
    case 'YEAR_TO_DATE':
      return { from: yearStart(today), to: today }
    case 'PREVIOUS_WEEK':
      return { from: weekStart(today) - 7, to: weekStart(today) - 1 }
    case 'PREVIOUS_MONTH':
      return { from: shifted(today, -1, 1), to: monthStart(today) - 1 }
    case 'PREVIOUS_QUARTER':
      return { from: shifted(quarterStart(today), -3, 1), to: quarterStart(today) - 1 }
    case 'PREVIOUS_YEAR':
      return { from: shifted(yearStart(today), -12, 1), to: yearStart(today) - 1 }
    case 'LAST_24_MONTHS':
      return { from: shifted(today, -24), to: today - 1 }
    default:
      return undefined
  }
}
