import { describe, expect, it } from 'vitest'
import { readDay, readTime } from '#shared/domain/quick-add/one-field'
import { clockText, shortDate } from '../../../../src-renderer/ui/dates'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const today = day('2026-07-14') // a Tuesday
const date = (text: string): string => {
  const reading = readDay(text, today)
  return 'value' in reading ? new Date(reading.value).toISOString().slice(0, 10) : reading.problem
}
const time = (text: string): number | string => {
  const reading = readTime(text)
  return 'value' in reading ? reading.value : reading.problem
}
const noDay = expect.stringMatching(/^Enter a date/) as string
const noTime = expect.stringMatching(/^Enter a time|isn’t a time of day/) as string

describe('a date field', () => {
  it.each([
    ['2026-07-20', '2026-07-20'],
    ['today', '2026-07-14'],
    ['tomorrow', '2026-07-15'],
    ['yesterday', '2026-07-13'],
    ['fri', '2026-07-17'],
    ['tuesday', '2026-07-14'],
    ['mon', '2026-07-20'],
    ['wed', '2026-07-15'],
    ['Sat.', '2026-07-18'],
    ['on sun', '2026-07-19'],
    ['monday next week', '2026-07-20'],
    ['14 jul', '2026-07-14'],
    ['13 jul', '2027-07-13'],
    ['Jul 20', '2026-07-20'],
    ['Mon 20 Jul', '2026-07-20'],
    ['20 Jul 2025', '2025-07-20'],
    ['1.8.', '2026-08-01'],
    ['25/12', '2026-12-25'],
    ['12/25', '2026-12-25'],
    ['7/7/2026', '2026-07-07'],
    ['25', '2026-07-25'],
    ['13', '2026-08-13'],
    ['31', '2026-07-31'],
    ['the 3rd', '2026-08-03'],
    ['end of month', '2026-07-31'],
    ['a week from friday', '2026-07-24'],
    ['übermorgen', '2026-07-16'],
    ['+3', '2026-07-17'],
    ['-1d', '2026-07-13'],
    ['2w', '2026-07-28'],
    ['in 2 weeks', '2026-07-28'],
    ['+1 month', '2026-08-14'],
    ['29 feb', '2028-02-29'],
  ])('parses “%s”', (text, expected) => {
    expect(date(text)).toBe(expected)
  })

  it.each([
    ['3/4', '3/4 could be two dates. Enter 3 Apr or 4 Mar'],
    ['next fri', '“next fri” could be Fri 17 Jul 2026 or Fri 24 Jul 2026. Enter the date'],
    ['31 jun', 'That date doesn’t exist'],
    ['99', noDay],
    ['soon', noDay],
    ['lunch tomorrow', noDay],
    ['tomorrow 9:00', noDay],
    ['3-5 aug', noDay],
    ['', noDay],
  ])("explains what's wrong with “%s”", (text, problem) => {
    expect(date(text)).toEqual(problem)
  })

  const reading = (text: string, meant: { around: string; latest?: string }): string => {
    const { around, latest } = meant
    const read = readDay(text, today, { around: day(around), ...(latest && { latest: day(latest) }) })
    return 'value' in read ? new Date(read.value).toISOString().slice(0, 10) : read.problem
  }
  it.each([
    ['15 jul', '2025-07-15'],
    ['14 jul', '2026-07-14'],
    ['1 may', '2026-05-01'],
    ['Fri 1 May', '2026-05-01'],
    ['1.12.', '2025-12-01'],
    ['29 feb', '2024-02-29'],
    ['25', '2026-06-25'],
    ['14', '2026-07-14'],
    ['31', '2026-05-31'],
    ['fri', '2026-07-10'],
    ['tuesday', '2026-07-14'],
    ['-1d', '2026-07-13'],
    ['yesterday', '2026-07-13'],
    ['1 Aug 2026', '2026-08-01'],
  ])('parses “%s” as the last such date for what is past', (text, expected) => {
    expect(reading(text, { around: '2026-07-14', latest: '2026-07-14' })).toBe(expected)
  })
  it.each([
    ['12 may', '2026-05-12'],
    ['Tue 12 May', '2026-05-12'],
    ['20 sep', '2026-09-20'],
    ['20 dec', '2026-12-20'],
    ['15 jan', '2026-01-15'],
    ['2', '2026-05-02'],
    ['28', '2026-05-28'],
    ['tomorrow', '2026-07-15'],
    ['fri', '2026-07-17'],
  ])('parses “%s” around a date that is over', (text, expected) => {
    expect(reading(text, { around: '2026-05-11' })).toBe(expected)
  })

  it('parses its own text', () => {
    for (let value = today; value < today + 400 * 86_400_000; value += 86_400_000)
      expect(readDay(shortDate(value, 0), today)).toEqual({ value })
  })
})

describe('a time field', () => {
  it.each([
    ['9', 540],
    ['930', 570],
    ['0930', 570],
    ['9:30', 570],
    ['9.30', 570],
    ['9.10', 550],
    ['15h30', 930],
    ['1530', 930],
    ['2pm', 840],
    ['2p', 840],
    ['12 am', 0],
    ['12pm', 720],
    ['noon', 720],
    ['midnight', 0],
    ['quarter past 3', 915],
    ['half past 9', 570],
    ['3 in the afternoon', 900],
    ['14 Uhr 30', 870],
    ['23:59', 1439],
    ['24:00', 1440],
  ])('parses “%s”', (text, expected) => {
    expect(time(text)).toBe(expected)
  })

  it.each([
    ['9:60', noTime],
    ['25:99', noTime],
    ['13pm', noTime],
    ['x', noTime],
    ['', noTime],
    ['tomorrow 9:00', noTime],
    ['9am Tokyo time', 'Set the time zone in its own field'],
  ])("explains what's wrong with “%s”", (text, problem) => {
    expect(time(text)).toEqual(problem)
  })

  it('parses its own text, with both clocks', () => {
    for (let value = 0; value < 1440; value += 7) {
      expect(readTime(clockText(value * 60_000))).toEqual({ value })
      expect(readTime(clockText(value * 60_000, true))).toEqual({ value })
    }
  })
})
