import { describe, expect, it } from 'vitest'
import {
  continuedFrom,
  endedBefore,
  nextOccurrences,
  occurrenceBySuffix,
  occurrences,
  seriesEnd,
  type Series,
} from '#shared/time/recurrence'
import { parseRecurrenceLine } from '#shared/time/recurrence-lines'
import { instantOfWall, isSkipped, rfc3339, wallOfText } from '#shared/time/zones'

function timed(zone: string, start: string, end: string, ...recurrence: string[]): Series {
  const time = (wall: string): { dateTime: string; timeZone: string } => ({
    dateTime: rfc3339(instantOfWall(wallOfText(wall), zone), zone),
    timeZone: zone,
  })
  return { start: time(start), end: time(end), recurrence }
}
const utc = (text: string): number => Date.parse(text)
const starts = (series: Series, from: string, to: string): string[] =>
  occurrences(series, utc(from), utc(to)).map((found) => found.originalStart.dateTime ?? found.originalStart.date!)

describe('wall-clock times and time zones', () => {
  /** Spring and autumn 2026 in zones with different rules: the wall-clock text and its instant. */
  it.each([
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00Z'],
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00Z'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00Z'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00Z'],
    ['Australia/Sydney', '2026-10-04T02:30', '2026-10-03T16:30:00Z'],
    ['Asia/Kathmandu', '2026-07-01T12:00', '2026-07-01T06:15:00Z'],
    ['Asia/Tokyo', '2026-07-01T00:00', '2026-06-30T15:00:00Z'],
    ['Pacific/Apia', '2026-07-01T00:00', '2026-06-30T11:00:00Z'],
    ['America/Sao_Paulo', '2026-07-01T00:00', '2026-07-01T03:00:00Z'],
  ])('%s %s is %s', (zone, wall, instant) => {
    expect(new Date(instantOfWall(wallOfText(wall), zone)).toISOString().replace('.000', '')).toBe(instant)
  })

  it('detect nonexistent local times', () => {
    expect(isSkipped(wallOfText('2026-03-29T02:30'), 'Europe/Berlin')).toBe(true)
    expect(isSkipped(wallOfText('2026-03-29T03:30'), 'Europe/Berlin')).toBe(false)
    expect(isSkipped(wallOfText('2026-10-25T02:30'), 'Europe/Berlin')).toBe(false)
  })
})

describe('occurrences', () => {
  it.each([
    'Europe/Berlin',
    'America/New_York',
    'Australia/Sydney',
    'America/Santiago',
    'Asia/Tokyo',
    'Africa/Casablanca',
  ])("keep their wall-clock time across a year's clock changes in %s", (zone) => {
    const series = timed(zone, '2026-01-01T09:30', '2026-01-01T10:00', 'RRULE:FREQ=DAILY')
    const found = starts(series, '2026-01-01T00:00Z', '2027-01-02T00:00Z')
    expect(found.length).toBeGreaterThanOrEqual(365)
    expect(found.filter((text) => text.slice(11, 16) !== '09:30')).toEqual([])
  })

  it('skip a nonexistent local time and use the first of a repeated one', () => {
    const series = timed('Europe/Berlin', '2026-03-01T02:30', '2026-03-01T03:00', 'RRULE:FREQ=DAILY')
    expect(starts(series, '2026-03-28T00:00Z', '2026-03-31T00:00Z')).toEqual([
      '2026-03-28T02:30:00+01:00',
      '2026-03-30T02:30:00+02:00',
    ])
    expect(starts(series, '2026-10-24T22:00Z', '2026-10-25T22:00Z')).toEqual(['2026-10-25T02:30:00+02:00'])
  })

  it('of all-day series are dates, in any time zone', () => {
    const series: Series = {
      start: { date: '2026-01-31' },
      end: { date: '2026-02-01' },
      recurrence: ['RRULE:FREQ=MONTHLY'],
    }
    expect(starts(series, '2026-01-01', '2026-06-30')).toEqual(['2026-01-31', '2026-03-31', '2026-05-31'])
  })

  it('overlap the range by their full length', () => {
    const series = timed('UTC', '2026-01-01T22:00', '2026-01-02T02:00', 'RRULE:FREQ=WEEKLY')
    expect(starts(series, '2026-01-02T00:00Z', '2026-01-02T01:00Z')).toEqual(['2026-01-01T22:00:00Z'])
    expect(starts(series, '2026-01-02T02:00Z', '2026-01-02T03:00Z')).toEqual([])
  })

  it('honor EXDATE, RDATE, and EXRULE', () => {
    const series = timed(
      'Europe/Berlin',
      '2026-01-05T09:00',
      '2026-01-05T10:00',
      'RRULE:FREQ=DAILY;COUNT=5',
      'EXDATE;TZID=Europe/Berlin:20260106T090000',
      'RDATE:20260120T080000Z',
      'EXRULE:FREQ=WEEKLY;BYDAY=TH',
    )
    expect(starts(series, '2026-01-01T00:00Z', '2026-02-01T00:00Z').map((text) => text.slice(0, 10))).toEqual([
      '2026-01-05',
      '2026-01-07',
      '2026-01-09',
      '2026-01-20',
    ])
  })

  it('end with UNTIL by instant if timed, and through the whole day for a date', () => {
    const until = (value: string): number =>
      starts(
        timed('Europe/Berlin', '2026-01-05T09:00', '2026-01-05T10:00', `RRULE:FREQ=DAILY;UNTIL=${value}`),
        '2026-01-01T00:00Z',
        '2026-02-01T00:00Z',
      ).length
    expect([until('20260107T080000Z'), until('20260107T075959Z'), until('20260107')]).toEqual([3, 2, 3])
  })

  it('are found by ID suffix, only if they exist', () => {
    const series = timed('Europe/Berlin', '2026-01-05T09:00', '2026-01-05T10:00', 'RRULE:FREQ=WEEKLY')
    expect(occurrenceBySuffix(series, '20260330T070000Z')?.originalStart.dateTime).toBe('2026-03-30T09:00:00+02:00')
    for (const suffix of ['20260330T080000Z', '20260330', 'nonsense', '20251229T080000Z'])
      expect(occurrenceBySuffix(series, suffix)).toBeUndefined()
  })

  it('of rare rules are found far ahead', () => {
    const series: Series = {
      start: { date: '2024-02-29' },
      end: { date: '2024-03-01' },
      recurrence: ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'],
    }
    expect(nextOccurrences(series, utc('2026-01-01'), 2).map((found) => found.originalStart.date)).toEqual([
      '2028-02-29',
      '2032-02-29',
    ])
  })

  it('end as the rule says, or never', () => {
    expect(seriesEnd(timed('UTC', '2026-01-01T09:00', '2026-01-01T10:00', 'RRULE:FREQ=DAILY;COUNT=3'))).toBe(
      utc('2026-01-03T10:00Z'),
    )
    expect(seriesEnd(timed('UTC', '2026-01-01T09:00', '2026-01-01T10:00', 'RRULE:FREQ=DAILY'))).toBeUndefined()
  })
})

describe('splitting a series changes nothing outside the scope', () => {
  const zone = 'Europe/Berlin'
  it.each([
    ['endless', ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE']],
    ['counted', ['RRULE:FREQ=DAILY;COUNT=120']],
    ['until', ['RRULE:FREQ=DAILY;UNTIL=20260501T070000Z']],
    [
      'with extra and missing dates',
      ['RRULE:FREQ=WEEKLY', 'EXDATE:20260112T080000Z,20260413T070000Z', 'RDATE:20260114T080000Z,20260415T070000Z'],
    ],
  ])('%s', (_name, recurrence) => {
    const series = timed(zone, '2026-01-05T09:00', '2026-01-05T09:30', ...recurrence)
    const all = starts(series, '2026-01-01T00:00Z', '2026-07-01T00:00Z')
    const cut = all[Math.floor(all.length / 2)]!
    const before = { ...series, recurrence: endedBefore(series, { dateTime: cut, timeZone: zone }) }
    const after = {
      ...series,
      start: { dateTime: cut, timeZone: zone },
      end: { dateTime: rfc3339(utc(cut) + 1_800_000, zone), timeZone: zone },
      recurrence: continuedFrom(series, { dateTime: cut, timeZone: zone }),
    }
    expect(starts(before, '2026-01-01T00:00Z', '2026-07-01T00:00Z')).toEqual(
      all.filter((start) => utc(start) < utc(cut)),
    )
    expect(starts(after, '2026-01-01T00:00Z', '2026-07-01T00:00Z')).toEqual(
      all.filter((start) => utc(start) >= utc(cut)),
    )
  })
})

it.each([
  'DTSTART:20260101T090000Z',
  'DTEND:20260101',
  'RRULE:INTERVAL=2',
  'RRULE:FREQ=OFTEN',
  'RRULE:FREQ=DAILY;COUNT=0',
  'RRULE:FREQ=DAILY;COUNT=2;UNTIL=20260101',
  'RRULE:FREQ=DAILY;FREQ=WEEKLY',
  'EXDATE:tomorrow',
  'EXDATE;TZID=Mars/Olympus:20260101T090000',
  'hello',
  '',
])('the line "%s" is rejected', (line) => {
  expect(() => parseRecurrenceLine(line)).toThrow(RangeError)
})

it('a very large count is treated as endless', () => {
  const at = (hour: string) => ({ dateTime: `2026-01-05T${hour}:00:00+01:00`, timeZone: 'Europe/Berlin' })
  for (const rule of [
    'FREQ=DAILY;COUNT=100000000',
    'FREQ=WEEKLY;BYDAY=MO,TH;COUNT=50000',
    'FREQ=DAILY;UNTIL=99991231',
  ]) {
    expect(seriesEnd({ start: at('09'), end: at('10'), recurrence: [`RRULE:${rule}`] })).toBeUndefined()
  }
})
