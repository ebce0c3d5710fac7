import { describe, expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import type { Bridge } from '#shared/ipc/contract'
import type { Run } from '#shared/reports/runs'
import {
  comparePeriods,
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
      '1 – 2 Mar vs. Tue 3 Mar · daily averages, 2 vs. 1 day · data starts on Sun 1 Mar',
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

describe('a comparison of periods', () => {
  const columns = [
    { head: 'Date', kind: 'day', adds: null },
    { head: 'Placement ID', kind: 'id', adds: null },
  ]
  /** The periods that are asked for and shown, or the message. */
  async function compared(range: { from: string; to: string }, wanted: Parameters<typeof comparePeriods>[2]) {
    let asked: unknown
    let words = ''
    const bridge = {
      ask: (_name: string, { days }: { days?: { first: never; second: never } }) => {
        if (days) asked = [...dates(days.first), ...dates(days.second)]
        return Promise.resolve({ ok: true, value: { table: 1, columns, about: [] } })
      },
    } as unknown as Bridge
    const run = { id: '1-a', accountId: 'a', asked: Date.parse('2026-11-20T08:00Z'), range } as Run
    const message = await comparePeriods(bridge, run, wanted, (about) => (words = about.words)).then(
      () => undefined,
      (error: unknown) => (error as FaultError).fault.message,
    )
    return { asked, words, ...(message !== undefined && { message }) }
  }

  it('covers only days of the results', async () => {
    expect(await compared({ from: '2026-10-21', to: '2026-11-20' }, 'month')).toEqual({
      asked: ['2026-10-21', '2026-10-31', '2026-11-01', '2026-11-19'],
      words: '21 – 31 Oct vs. 1 – 19 Nov · daily averages, 11 vs. 19 days · data starts on Wed 21 Oct',
    })
    const first = { from: day('2026-11-10'), to: day('2026-11-12') }
    const second = { from: day('2026-11-18'), to: day('2026-11-20') }
    expect(await compared({ from: '2026-10-21', to: '2026-11-20' }, { first, second })).toEqual({
      asked: ['2026-11-10', '2026-11-12', '2026-11-18', '2026-11-19'],
      words: '10 – 12 Nov vs. 18 – 19 Nov · daily averages, 3 vs. 2 days · last full day Thu 19 Nov',
    })
  })

  it('is refused without any, and still shows what was asked for', async () => {
    const message = 'This file has full days only from 2026-11-03 to 2026-11-19'
    const words = '1 – 31 Oct vs. 3 – 19 Nov · daily averages, 31 vs. 17 days · data starts on Tue 3 Nov'
    expect(await compared({ from: '2026-11-03', to: '2026-11-20' }, 'month')).toEqual({ message, words })
  })
})
