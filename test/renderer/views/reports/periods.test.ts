import { describe, expect, it } from 'vitest'
import { periodsOf, periodWords } from '../../../../src-renderer/views/reports/periods'

const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
const dates = ({ from, to }: { from: number; to: number }): string[] =>
  [from, to].map((one) => new Date(one * 86_400_000).toISOString().slice(0, 10))

describe('two stretches of days', () => {
  it('end with the last full day, and touch each other', () => {
    const { first, second } = periodsOf('week', day('2026-06-09'))
    expect([dates(first), dates(second)]).toEqual([
      ['2026-05-27', '2026-06-02'],
      ['2026-06-03', '2026-06-09'],
    ])
    expect(periodWords({ first, second }, day('2026-03-12'))).toBe('27 May – 2 Jun, against 3 – 9 Jun')
  })

  it('of months are as long as those are, which is said', () => {
    const months = periodsOf('month', day('2026-01-09'))
    expect([dates(months.first), dates(months.second)]).toEqual([
      ['2025-12-01', '2025-12-31'],
      ['2026-01-01', '2026-01-09'],
    ])
    expect(periodWords(months, undefined)).toContain('; per day, as 31 days are compared with 9')
  })

  it('that begin before the file say so', () => {
    expect(periodWords(periodsOf('weeks', day('2026-06-09')), day('2026-05-01'))).toContain(
      '; the file begins on Fri 1 May',
    )
  })
})
