import { describe, expect, it } from 'vitest'
import { importNotes } from '../../helpers/import-notes'
import { readIcs } from '../../../src-main/exports/ics-read'

const wrap = (body: string): string => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${body}END:VCALENDAR\r\n`
const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n`
const event = (summary: string, ...more: string[]): string =>
  lines('BEGIN:VEVENT', `UID:${summary}`, `SUMMARY:${summary}`, ...more, 'END:VEVENT')
const observance = (...more: string[]): string[] => [
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0117',
  ...more,
  'END:STANDARD',
]
const zone = (...inner: string[]): string => lines('BEGIN:VTIMEZONE', 'TZID:Odd', ...inner, 'END:VTIMEZONE')
const plain = event('Plain', 'DTSTART:20260105T090000Z')
const odd = event('Odd', 'DTSTART;TZID=Odd:20260105T090000')

describe("an impossible time zone isn't expanded, and the rest is read", () => {
  it.each([
    ['every second', observance('RRULE:FREQ=SECONDLY')],
    ['every minute', observance('RRULE:FREQ=MINUTELY')],
    ['every hour', observance('RRULE:FREQ=HOURLY')],
    ['every day', observance('RRULE:FREQ=DAILY')],
    ['at every minute of a year’s day', observance('RRULE:FREQ=YEARLY;BYMONTH=1;BYMINUTE=0,1,2,3')],
    ['in each month on each weekday', observance('RRULE:FREQ=YEARLY;BYMONTH=1,2,3,4;BYDAY=MO,TU,WE,TH')],
    ['by a rule folded over lines', observance('RRULE:FREQ=SECO', ' NDLY')],
    ['10,000 times', Array.from({ length: 10_000 }, () => observance()).flat()],
    ['by 30 rules', Array.from({ length: 30 }, () => observance('RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU')).flat()],
    ['on 1,000 dates', observance(`RDATE:${Array.from({ length: 1_000 }, () => '20260101T000000').join(',')}`)],
  ])('%s', (_name, inner) => {
    const { events, notes } = readIcs(wrap(zone(...inner) + plain + odd))
    expect(events.map(({ summary }) => summary)).toEqual(['Plain', 'Odd'])
    expect(importNotes(notes)[0]).toMatch(/^“Odd” is a time zone with an unreadable definition in the file: /)
    expect(importNotes(notes)[1]).toBe('“Odd” uses an unknown time zone, “Odd”, so UTC was used instead')
  })

  it('a possible one still is', () => {
    const rule = observance('RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10')
    const { events, notes } = readIcs(wrap(zone(...rule) + odd))
    expect(events.map(({ start }) => start)).toEqual([{ dateTime: '2026-01-05T07:43:00Z', timeZone: 'UTC' }])
    expect(importNotes(notes)).toEqual(['“Odd” uses a custom time zone, “Odd”, and was imported at UTC+01:17'])
  })
})

describe('the size limits', () => {
  it.each([
    [
      'is nested too deeply',
      [...Array<string>(5_000).fill('BEGIN:VALARM'), ...Array<string>(5_000).fill('END:VALARM')],
    ],
    ['has too many parts', Array.from({ length: 1_000 }, () => ['BEGIN:VALARM', 'END:VALARM']).flat()],
    ['has too many lines', Array<string>(30_000).fill('X-A:1')],
  ])('skip an event that %s', (_name, more) => {
    const big = event('Big', 'DTSTART:20260105T090000Z', ...more)
    const { events, notes } = readIcs(wrap(big + plain))
    expect(events.map(({ summary }) => summary)).toEqual(['Plain'])
    expect(notes).toMatchObject([
      { lost: true, count: 1, names: ['“Big”'], words: expect.stringMatching(/^was skipped: /) as string },
    ])
  })

  it.each([
    ['repeats too often', ['RRULE:FREQ=SECONDLY']],
    ['has too many dates', [`RDATE:${Array.from({ length: 5_001 }, () => '20260101T090000Z').join(',')}`]],
  ])('import an event that %s once', (_name, more) => {
    const { events, notes } = readIcs(wrap(event('Big', 'DTSTART:20260105T090000Z', ...more) + plain))
    expect(events.map(({ summary, recurrence }) => [summary, recurrence])).toEqual([
      ['Big', undefined],
      ['Plain', undefined],
    ])
    expect(notes).toMatchObject([{ lost: false, count: 1, names: ['“Big”'] }])
  })

  it.each([
    ['SUMMARY', 'summary', 10_000],
    ['DESCRIPTION', 'description', 100_000],
    ['LOCATION', 'location', 10_000],
  ] as const)("truncate a %s that's too long, with a note", (property, field, most) => {
    const long = lines(
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTART:20260105T090000Z',
      `${property}:${'<a '.repeat(400_000)}`,
      'END:VEVENT',
    )
    const { events, notes } = readIcs(wrap(long))
    expect((events[0]![field] as string).length).toBe(most)
    const shown = field === 'summary' ? 'title' : field
    expect(notes[0]!.words).toBe(
      `has a ${shown} of more than ${most.toLocaleString('en')} characters, which was shortened`,
    )
  })

  it('reject a file with more than 50,000 events before parsing any', () => {
    const many = 'BEGIN:VEVENT\r\nEND:VEVENT\r\n'.repeat(50_001)
    expect(() => readIcs(wrap(many))).toThrow('The file has more than 50,000 events. Nothing was imported.')
  })
})
