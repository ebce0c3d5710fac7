import { FaultError } from '#shared/fault'
import { dayOf, dayText } from '#shared/facts/report-ranges'
import type { OpenTable } from '#shared/results/questions'
import type { Bridge } from '#shared/ipc/contract'
import type { Run } from '#shared/reports/runs'
import { ask } from '../../bridge'
import { lastFullDay } from '../../context/delivery-files'
import { counted } from '../../ui/counted'
import { dayMs, shortDate, shortRangeTitle, startOfMonth, yearOf } from '../../ui/dates'
import { keyColumns } from './joins'

/** First and last day, inclusive, since 1970. */
export interface Days {
  from: number
  to: number
}
/** Earlier and later date range. */
export interface Periods {
  first: Days
  second: Days
}
export const daysIn = ({ from, to }: Days): number => to - from + 1

/** Preset comparisons of full days, by their name in the URL. */
export const periodPresets = [
  { id: 'week', label: 'Compare last 7 days with previous 7 days' },
  { id: 'weeks', label: 'Compare last 28 days with previous 28 days' },
  { id: 'month', label: 'Compare this month with last month' },
] as const
export type PeriodPreset = (typeof periodPresets)[number]['id']

/** Custom date ranges as written in the URL: `2026-10-01..2026-10-07 2026-10-08..2026-10-31`. */
export const periodsText = ({ first, second }: Periods): string =>
  [first, second].map(({ from, to }) => `${dayText(from)}..${dayText(to)}`).join(' ')

/** Parses the URL's date ranges. Undefined if invalid. */
export function readPeriods(text: unknown): PeriodPreset | Periods | undefined {
  const preset = periodPresets.find(({ id }) => id === text)?.id
  if (preset !== undefined || typeof text !== 'string') return preset
  const [, ...days] = /^([\d-]{10})\.\.([\d-]{10}) ([\d-]{10})\.\.([\d-]{10})$/.exec(text) ?? []
  const [a, b, c, d] = days.map(dayOf)
  if (days.length < 4 || a! > b! || c! > d! || ![a, b, c, d].every(Number.isInteger)) return undefined
  const periods = { first: { from: a!, to: b! }, second: { from: c!, to: d! } }
  // `Date` turns 30 February into a day in March.
  return periodsText(periods) === text ? periods : undefined
}

/** Why date ranges can't be compared, or undefined. `file`: full days in the results. */
export function periodsProblem({ first, second }: Periods, file: Days): string | undefined {
  if (daysIn(first) < 1 || daysIn(second) < 1) return 'The last day is before the first'
  const outside = [first, second].some(({ from, to }) => to < file.from || from > file.to)
  if (outside) return `This file has full days only from ${dayText(file.from)} to ${dayText(file.to)}`
  return undefined
}

/** Date ranges of a preset. The later one ends on the last full day. */
export function periodsOf(preset: PeriodPreset, asOf: number): Periods {
  if (preset === 'month') {
    const begin = startOfMonth(asOf * dayMs) / dayMs
    const before = startOfMonth((begin - 1) * dayMs) / dayMs
    return { first: { from: before, to: begin - 1 }, second: { from: begin, to: asOf } }
  }
  const length = preset === 'week' ? 7 : 28
  return {
    first: { from: asOf - 2 * length + 1, to: asOf - length },
    second: { from: asOf - length + 1, to: asOf },
  }
}

/** The days that the results have of a date range, or the range itself if there are none. */
function daysOf({ from, to }: Days, file: Partial<Days>): Days {
  const own = { from: Math.max(from, file.from ?? from), to: Math.min(to, file.to ?? to) }
  return own.from > own.to ? { from, to } : own
}

/** Caption of a comparison. `file`: full days in the results. */
export function periodWords(wanted: Periods, file: Partial<Days>): string {
  const [first, second] = [daysOf(wanted.first, file), daysOf(wanted.second, file)]
  const year = yearOf(second.to * dayMs)
  const [begin, end] = [Math.min(wanted.first.from, wanted.second.from), Math.max(wanted.first.to, wanted.second.to)]
  const words = (span: Days): string =>
    span.from === span.to
      ? shortDate(span.from * dayMs, year)
      : shortRangeTitle(span.from * dayMs, span.to * dayMs, year)
  const unequal = daysIn(first) !== daysIn(second)
  return [
    `${words(first)} vs. ${words(second)}`,
    unequal ? `daily averages, ${daysIn(first)} vs. ${counted(daysIn(second), 'day')}` : '',
    first.to >= second.from && second.to >= first.from ? 'the date ranges overlap' : '',
    file.from !== undefined && file.from > begin ? `data starts on ${shortDate(file.from * dayMs, year)}` : '',
    file.to !== undefined && file.to < end ? `last full day ${shortDate(file.to * dayMs, year)}` : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/**
 * Joins the days that one run's results have of two date ranges. `onperiods` gets the caption first, also of date ranges
 * that can't be compared. @throws FaultError
 */
export async function comparePeriods(
  bridge: Bridge,
  run: Run,
  wanted: PeriodPreset | Periods,
  onperiods: (about: { words: string; periods: Periods; file: Days }) => void,
): Promise<OpenTable> {
  const opened = await ask(bridge, 'results/open', { accountId: run.accountId, runId: run.id })
  try {
    const column = opened.columns.find(({ kind }) => kind === 'day')?.head
    const asOf = lastFullDay(run, opened.about.find(([name]) => name === 'Report Time Zone')?.[1] ?? 'UTC')
    const by = keyColumns(opened.columns).filter((head) => head !== column)
    if (column === undefined || asOf === undefined || by.length === 0)
      throw new FaultError({ code: 'invalid', message: 'Can’t compare dates. This report has no Date dimension.' })
    const periods = typeof wanted === 'string' ? periodsOf(wanted, asOf) : wanted
    const file = { from: run.range ? dayOf(run.range.from) : periods.first.from, to: asOf }
    onperiods({ words: periodWords(periods, file), periods, file })
    const message = periodsProblem(periods, file)
    if (message !== undefined) throw new FaultError({ code: 'invalid', message })
    const { table: first } = opened
    const days = { column, first: daysOf(periods.first, file), second: daysOf(periods.second, file) }
    return await ask(bridge, 'results/compare', { first, second: first, by, days })
  } finally {
    void ask(bridge, 'results/close', { table: opened.table }).catch(() => undefined)
  }
}
