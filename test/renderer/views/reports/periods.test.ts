import { describe, expect, it } from 'vitest'
import {
  periodsOf,
  periodsProblem,
  periodsText,
  periodWords,
  readPeriods,
} from '../../../../src-renderer/views/reports/periods'

const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
const dates = ({ from, to }: { from: number; to: number }): string[] =>
  [from, to].map((one) => new Date(one * 86_400_000).toISOString().slice(0, 10))

describe('two periods', () => {
  it('end with the last full day and are adjacent', () => {
    const { first, second } = periodsOf('week', day('2026-06-09'))
    expect([dates(first), dates(second)]).toEqual([
      ['2026-05-27', '2026-06-02'],
      ['2026-06-03', '2026-06-09'],
    ])
    expect(periodWords({ first, second }, { from: day('2026-03-12') })).toBe('27 May – 2 Jun vs. 3 – 9 Jun')
  })

  it('of months may differ in length, with a note', () => {
    const months = periodsOf('month', day('2026-01-09'))
    expect([dates(months.first), dates(months.second)]).toEqual([
      ['2025-12-01', '2025-12-31'],
      ['2026-01-01', '2026-01-09'],
    ])
    expect(periodWords(months, {})).toContain(' · daily averages, 31 vs. 9 days')
  })

  it('that start before the data say so', () => {
    expect(periodWords(periodsOf('weeks', day('2026-06-09')), { from: day('2026-05-01') })).toContain(
      ' · data starts on Fri 1 May',
    )
  })

  it('with custom dates parse back, and invalid dates are rejected', () => {
    const chosen = {
      first: { from: day('2026-02-27'), to: day('2026-03-02') },
      second: { from: day('2026-03-03'), to: day('2026-03-03') },
    }
    expect(periodsText(chosen)).toBe('2026-02-27..2026-03-02 2026-03-03..2026-03-03')
    expect(readPeriods(periodsText(chosen))).toEqual(chosen)
    expect(readPeriods('month')).toBe('month')
    for (const odd of [
      ...['', 'year', '2026-03-02..2026-02-27 2026-03-03..2026-03-03', '2026-02-30..2026-03-02 2026-03-03..2026-03-03'],
      ...['2026-02-27..2026-03-02', undefined, 7, '----------..---------- ----------..----------'],
    ])
      expect(readPeriods(odd)).toBeUndefined()
    const file = { from: day('2026-03-01'), to: day('2026-03-20') }
    expect(periodWords(chosen, file)).toBe(
      '27 Feb – 2 Mar vs. Tue 3 Mar · daily averages, 4 vs. 1 day · data starts on Sun 1 Mar',
    )
  })

  it("without valid dates in the data aren't compared", () => {
    const file = { from: day('2026-03-01'), to: day('2026-03-20') }
    const second = { from: day('2026-03-05'), to: day('2026-03-06') }
    const span = (from: string, to: string): { from: number; to: number } => ({ from: day(from), to: day(to) })
    expect(periodsProblem({ first: span('2026-03-01', '2026-03-04'), second }, file)).toBeUndefined()
    expect(periodsProblem({ first: span('2026-03-04', '2026-03-01'), second }, file)).toContain('before the first')
    expect(periodsProblem({ first: span('2026-02-01', '2026-02-28'), second }, file)).toContain(
      '2026-03-01 to 2026-03-20',
    )
    const both = periodWords(
      { first: span('2026-03-04', '2026-03-05'), second: span('2026-03-05', '2026-03-22') },
      file,
    )
    expect(both).toContain('the date ranges overlap')
    expect(both).toContain('last full day Fri 20 Mar')
  })
})
