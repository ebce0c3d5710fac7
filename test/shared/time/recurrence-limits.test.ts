import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  nextOccurrences,
  occurrenceBySuffix,
  occurrences,
  seriesEnd,
  whyUnreadable,
  type Series,
} from '#shared/time/recurrence'
import { parseRecurrence, parseRecurrenceLine } from '#shared/time/recurrence-lines'
import { YearlyRule } from '#shared/time/recurrence-yearly'
import { cases } from '../../helpers/ring'

const upTo = (last: number): string => Array.from({ length: last + 1 }, (_, index) => index).join(',')
const everySecond = `RRULE:FREQ=DAILY;BYHOUR=${upTo(23)};BYMINUTE=${upTo(59)};BYSECOND=${upTo(59)}`

function series(recurrence: string[], start = '2026-01-05T09:00:00Z', zone = 'Europe/Berlin'): Series {
  const time = { dateTime: start, timeZone: zone }
  return { start: time, end: time, recurrence }
}
const june: [number, number] = [Date.UTC(2026, 5, 1), Date.UTC(2026, 6, 1)]

afterEach(() => void vi.restoreAllMocks())

describe('a rule that repeats more than 24 times a day', () => {
  it.each([
    everySecond,
    'RRULE:FREQ=SECONDLY',
    'RRULE:FREQ=SECONDLY;COUNT=999999999',
    'RRULE:FREQ=SECONDLY;INTERVAL=3599',
    'RRULE:FREQ=MINUTELY',
    'RRULE:FREQ=MINUTELY;INTERVAL=30',
    'RRULE:FREQ=HOURLY;BYMINUTE=0,30',
    'RRULE:FREQ=DAILY;BYHOUR=8,9,10,11,12;BYMINUTE=0,10,20,30,40',
    'EXRULE:FREQ=MINUTELY',
    'RRULE:FREQ=YEARLY;BYSECOND=' + upTo(24),
  ])('is rejected: %.60s', (line) => {
    expect(() => parseRecurrenceLine(line)).toThrow(RangeError)
    expect(() => occurrences(series([line]), ...june)).toThrow('24 times a day')
  })

  it.each([
    'RRULE:FREQ=HOURLY',
    'RRULE:FREQ=MINUTELY;INTERVAL=60',
    'RRULE:FREQ=SECONDLY;INTERVAL=3600',
    'RRULE:FREQ=DAILY;BYHOUR=' + upTo(23),
    'RRULE:FREQ=MINUTELY;BYHOUR=9;BYMINUTE=0,30',
    'RRULE:FREQ=HOURLY;INTERVAL=6;BYMINUTE=0,15,30,45',
  ])('and a slower one is followed: %.60s', (line) => {
    expect(parseRecurrenceLine(line)).toMatchObject({ kind: 'RRULE' })
    expect(occurrences(series([line]), ...june).length).toBeGreaterThan(0)
  })
})

describe('a series with too many parts is rejected with a message', () => {
  const dates = (count: number): string => Array.from({ length: count }, () => '20260101T090000Z').join(',')
  it.each([
    ['5,001 dates in one line', [`RDATE:${dates(5_001)}`]],
    ['5,001 dates in two', [`RDATE:${dates(2_501)}`, `EXDATE:${dates(2_500)}`]],
    ['11 rules', Array.from({ length: 11 }, () => 'RRULE:FREQ=DAILY')],
    ['a one-megabyte line', [`RRULE:FREQ=DAILY;BYHOUR=${'1,'.repeat(500_000)}1`]],
  ])('%s', (_name, lines) => {
    expect(() => parseRecurrence(lines)).toThrow(/can have up to|too long/)
  })
})

it('a huge COUNT from the year 1 acts like no end', () => {
  const old = series(['RRULE:FREQ=DAILY;COUNT=100000000'], '0001-01-01T09:00:00Z')
  expect(occurrences(old, ...june)).toHaveLength(30)
  expect(seriesEnd(old)).toBeUndefined()
})

it('an INTERVAL beyond the calendar leaves only the first date', () => {
  const once = series(['RRULE:FREQ=YEARLY;INTERVAL=999999999'])
  expect(occurrences(once, -8.64e15, 8.64e15, 1)).toHaveLength(1)
  expect(occurrences(once, ...june)).toEqual([])
})

it('a partly excluded rule keeps the rest, even for small ranges', () => {
  const rest = series(['RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY'])
  expect(occurrences(rest, -8.64e15, 8.64e15, 1)[0]?.idSuffix).toBe('20260106T090000Z')
})

it('an unsupported series says why and finds no occurrence by ID', () => {
  expect(whyUnreadable(series([everySecond]))).toContain('24 times a day')
  expect(whyUnreadable(series(['RRULE:FREQ=WEEKLY']))).toBeUndefined()
  expect(occurrenceBySuffix(series([everySecond]), '20260601T090000Z')).toBeUndefined()
})

describe('the work per rule is bounded', () => {
  /** Counts requests to the library and to our own yearly code, limits the steps per result, and collects results. */
  function watched(): { asked: () => number; steps: () => number; given: () => number } {
    const between = vi.spyOn(RRuleTemporal.prototype, 'between')
    const yearly = vi.spyOn(YearlyRule.prototype, 'between')
    const limits = (): number[] =>
      between.mock.contexts.map((rule) => (rule as unknown as { maxIterations: number }).maxIterations)
    // A year is scanned in one pass over its days.
    const days = (): number[] =>
      yearly.mock.calls.map(([from, to], index) => {
        const first = (yearly.mock.contexts[index] as unknown as { first: number }).first
        return Math.max(0, to - Math.max(from, first)) / 86_400_000
      })
    const given = (spy: { mock: { results: { type: string; value?: unknown }[] } }): number =>
      spy.mock.results.reduce((sum, { type, value }) => sum + (type === 'return' ? (value as unknown[]).length : 0), 0)
    return {
      asked: () => between.mock.calls.length + yearly.mock.calls.length,
      steps: () => [...limits(), ...days()].reduce((sum, limit) => sum + limit, 0),
      given: () => given(between) + given(yearly),
    }
  }
  const quietly = (work: () => unknown): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }

  const list = (last: number, from = 0) =>
    fc.uniqueArray(fc.integer({ min: from, max: last }), { minLength: 1, maxLength: 6 }).map((items) => items.join(','))
  const rule = fc
    .record(
      {
        FREQ: fc.constantFrom('SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
        INTERVAL: fc.constantFrom('1', '2', '7', '61', '3600', '999999999'),
        COUNT: fc.constantFrom('1', '5', '19999', '20001', '999999999'),
        BYHOUR: list(23),
        BYMINUTE: list(59),
        BYSECOND: list(59),
        BYMONTH: list(12, 1),
        BYMONTHDAY: list(31, 1),
        BYYEARDAY: list(366, 1),
        BYWEEKNO: list(53, 1),
        BYDAY: fc.constantFrom('MO', 'MO,TU,WE,TH,FR', 'SU'),
        BYSETPOS: fc.constantFrom('1', '-1', '366', '-366'),
      },
      { requiredKeys: ['FREQ'] },
    )
    .map(
      (parts) =>
        `RRULE:${Object.entries(parts)
          .map(([name, value]) => `${name}=${value}`)
          .join(';')}`,
    )

  it('in calls to the library and results', { timeout: 240_000 }, () => {
    fc.assert(
      fc.property(
        rule,
        fc.constantFrom('0001-01-01T09:00:00Z', '2026-01-05T09:00:00Z', '9998-12-31T23:00:00Z'),
        fc.constantFrom('UTC', 'Europe/Berlin'),
        (line, start, zone) => {
          const asked = series([line], start, zone)
          for (const question of [
            () => occurrences(asked, ...june),
            () => occurrences(asked, -8.64e15, 8.64e15, 1),
            () => occurrenceBySuffix(asked, '20260601T070000Z'),
          ]) {
            const work = watched()
            quietly(question)
            expect(work.asked()).toBeLessThanOrEqual(13)
            expect(work.steps()).toBeLessThanOrEqual(20 * 22_000)
            expect(work.given()).toBeLessThanOrEqual(25_000)
            vi.restoreAllMocks()
          }
        },
      ),
      { numRuns: cases(8, 150), seed: 20260610 },
    )
  })

  it.each([
    'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=1;BYMINUTE=0;BYSECOND=0',
    `RRULE:FREQ=YEARLY;BYMONTH=1;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${upTo(10)};BYSETPOS=366`,
    'RRULE:FREQ=DAILY;COUNT=20000',
    'RRULE:FREQ=YEARLY;BYYEARDAY=1;BYMONTH=7',
    'RRULE:FREQ=YEARLY;BYWEEKNO=1;BYMONTH=7;COUNT=3',
  ])("and isn't repeated: %.60s", (line) => {
    const asked = series([line], '0001-01-01T09:00:00Z')
    const questions = [
      () => occurrences(asked, -8.64e15, 8.64e15, 1),
      () => nextOccurrences(asked, june[0], 5),
      () => seriesEnd(asked),
    ]
    questions.forEach(quietly)
    const work = watched()
    questions.slice(0, 1).forEach(quietly)
    expect(work.asked()).toBeLessThanOrEqual(1)
  })
})
