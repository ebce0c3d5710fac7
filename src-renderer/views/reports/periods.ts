import { FaultError } from '#shared/fault'
import type { OpenTable } from '#shared/figures/questions'
import type { Bridge } from '#shared/ipc/contract'
import type { Run } from '#shared/reports/runs'
import { ask } from '../../bridge'
import { lastFullDay } from '../../context/delivery-files'
import { dayMs, shortDate, shortRangeTitle, startOfMonth, yearOf } from '../../ui/dates'
import { keyColumns } from './joins'

/** Both among them, since 1970. */
interface Days {
  from: number
  to: number
}

/** Stretches of full days that are compared, by what the place of the window calls them. */
export const periodPresets = [
  { id: 'week', label: 'Compare the last 7 days with the 7 before' },
  { id: 'weeks', label: 'Compare the last 28 days with the 28 before' },
  { id: 'month', label: 'Compare this month with the last' },
] as const
export type PeriodPreset = (typeof periodPresets)[number]['id']

/** The earlier stretch and the later one, which ends with the last full day. */
export function periodsOf(preset: PeriodPreset, asOf: number): { first: Days; second: Days } {
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

/** What is compared, said above it. `begins`: the first day of the file. */
export function periodWords({ first, second }: ReturnType<typeof periodsOf>, begins: number | undefined): string {
  const year = yearOf(second.to * dayMs)
  const days = ({ from, to }: Days): number => to - from + 1
  const words = (span: Days): string =>
    span.from === span.to
      ? shortDate(span.from * dayMs, year)
      : shortRangeTitle(span.from * dayMs, span.to * dayMs, year)
  const unequal = days(first) !== days(second)
  return [
    `${words(first)}, against ${words(second)}`,
    unequal ? `per day, as ${days(first)} days are compared with ${days(second)}` : '',
    begins !== undefined && begins > first.from ? `the file begins on ${shortDate(begins * dayMs, year)}` : '',
  ]
    .filter(Boolean)
    .join('; ')
}

/** Two stretches of days of one file side by side, and how to say which. @throws FaultError */
export async function comparePeriods(
  bridge: Bridge,
  run: Run,
  preset: PeriodPreset,
): Promise<{ table: OpenTable; words: string }> {
  const opened = await ask(bridge, 'figures/open', { accountId: run.accountId, runId: run.id })
  try {
    const column = opened.columns.find(({ kind }) => kind === 'day')?.head
    const asOf = lastFullDay(run, opened.about.find(([name]) => name === 'Report Time Zone')?.[1] ?? 'UTC')
    const by = keyColumns(opened.columns).filter((head) => head !== column)
    if (column === undefined || asOf === undefined || by.length === 0)
      throw new FaultError({ code: 'invalid', message: 'This file has no days that could be compared.' })
    const days = { column, ...periodsOf(preset, asOf) }
    const { table: first } = opened
    const table = await ask(bridge, 'figures/compare', { first, second: first, by, days })
    const begins = run.range && Date.parse(`${run.range.from}T00:00:00Z`) / dayMs
    return { table, words: periodWords(days, begins) }
  } finally {
    void ask(bridge, 'figures/close', { table: opened.table }).catch(() => undefined)
  }
}
