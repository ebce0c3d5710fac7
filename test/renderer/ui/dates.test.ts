import { describe, expect, it } from 'vitest'
import {
  addMonths,
  clockAndDay,
  clockText,
  durationText,
  longDate,
  rangeTitle,
  spanText,
  startOfWeek,
  weekNumber,
} from '../../../src-renderer/ui/dates'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const date = (value: number | null): string | null =>
  value === null ? null : new Date(value).toISOString().slice(0, 10)
const today = day('2026-07-14') // a Tuesday

describe('date text', () => {
  it('names days, ranges, and durations', () => {
    expect(longDate(today, 2026)).toBe('Tuesday 14 July')
    expect(longDate(today, 2025)).toBe('Tuesday 14 July 2026')
    expect(rangeTitle(day('2026-06-29'), day('2026-07-05'))).toBe('29 Jun – 5 Jul 2026')
    expect(spanText(today + 840 * 60_000, today + 870 * 60_000)).toBe('14:00 to 14:30')
    expect(spanText(today + 1320 * 60_000, today + 1560 * 60_000)).toBe('22:00 to Wed 15 Jul 02:00')
    expect(spanText(today + 1320 * 60_000, today + 1440 * 60_000)).toBe('22:00 to 00:00')
    expect([15, 60, 90, 1440, 4320].map((minutes) => durationText(minutes * 60_000))).toEqual([
      '15 min',
      '1 h',
      '1 h 30 min',
      '1 day',
      '3 days',
    ])
    expect(clockText(0, true)).toBe('12:00 am')
  })
  it('names the days between zones, which may be two', () => {
    const hours = [-25.5, -0.25, 0, 23.75, 24, 48.75].map((hour) => clockAndDay(hour * 3_600_000))
    expect(hours).toEqual(['22:30 −2', '23:45 −1', '00:00', '23:45', '00:00 +1', '00:45 +2'])
    expect(clockAndDay(12 * 3_600_000, true)).toBe('12 pm')
  })
})

describe('weeks', () => {
  it.each([
    ['2026-01-01', 1],
    ['2027-01-01', 53],
    ['2024-12-30', 1],
    ['2026-07-14', 29],
  ])('%s is in week %i', (text, week) => {
    expect(weekNumber(day(text))).toBe(week)
  })
  it('start on the given day', () => {
    expect(date(startOfWeek(today, 1))).toBe('2026-07-13')
    expect(date(startOfWeek(today, 0))).toBe('2026-07-12')
    expect(date(startOfWeek(today, 6))).toBe('2026-07-11')
  })
  it('adding a month never skips one', () => {
    expect(date(addMonths(day('2026-08-31'), 1))).toBe('2026-09-30')
    expect(date(addMonths(day('2026-03-31'), -1))).toBe('2026-02-28')
  })
})
