import { describe, expect, it } from 'vitest'
import { readQuickAdd, type QuickAddContext } from '#shared/domain/quick-add/event-line'

// Tuesday 14 July 2026, 10:20 in Berlin.
const context: QuickAddContext = {
  now: Date.parse('2026-07-14T10:20:00+02:00'),
  zone: 'Europe/Berlin',
  defaultMinutes: 60,
  calendars: [
    { id: 'me', name: 'Nora Lind' },
    { id: 'team', name: 'Team' },
    { id: 'launch', name: 'Launches 2026' },
    { id: 'lab', name: 'Lab' },
  ],
}
const text = (time: { date?: string; dateTime?: string }): string =>
  time.date ?? time.dateTime!.slice(0, 16).replace('T', ' ')
const read = (line: string): string => {
  const { event, problem } = readQuickAdd(line, context)
  if (!event) return `? ${problem ?? ''}`
  return [
    event.summary,
    `${text(event.start)}..${text(event.end)}`,
    ...(event.recurrence ?? []),
    event.location && `@${event.location}`,
    event.calendarId && `/${event.calendarId}`,
    ...event.guests,
  ]
    .filter(Boolean)
    .join(' | ')
}

describe('quick add parses', () => {
  it.each([
    [
      'lunch with Mina tomorrow 12-13 at Cafe Nord',
      'lunch with Mina | 2026-07-15 12:00..2026-07-15 13:00 | @Cafe Nord',
    ],
    [
      'standup every weekday 9:30 for 15 min',
      'standup | 2026-07-15 09:30..2026-07-15 09:45 | RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    ],
    ['call Jonas Fri 4pm /Team', 'call Jonas | 2026-07-17 16:00..2026-07-17 17:00 | /team'],
    ['review 14:00', 'review | 2026-07-14 14:00..2026-07-14 15:00'],
    ['review 9:00', 'review | 2026-07-15 09:00..2026-07-15 10:00'],
    ['offsite 3-5 August', 'offsite | 2026-08-03..2026-08-06'],
    ['holiday all day 20 jul', 'holiday | 2026-07-20..2026-07-21'],
    ['trip from Monday to Thursday', 'trip | 2026-07-20..2026-07-24'],
    ['dentist on 2026-09-01 at 8:15am', 'dentist | 2026-09-01 08:15..2026-09-01 09:15'],
    [
      'sync with ute@partner.example, max@partner.example thu 15:00 for 1.5 h',
      'sync | 2026-07-16 15:00..2026-07-16 16:30 | ute@partner.example | max@partner.example',
    ],
    ['party sat 22:00-2:00', 'party | 2026-07-18 22:00..2026-07-19 02:00'],
    [
      'retro every other friday 3-4pm',
      'retro | 2026-07-17 15:00..2026-07-17 16:00 | RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR',
    ],
    ['gym every mon, wed and fri 18:00', 'gym | 2026-07-15 18:00..2026-07-15 19:00 | RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['rent monthly 1 aug', 'rent | 2026-08-01..2026-08-02 | RRULE:FREQ=MONTHLY'],
    ['kick-off in 2 weeks 10:00 /launches', 'kick-off | 2026-07-28 10:00..2026-07-28 11:00 | /launch'],
    ['tue 9:00 status', 'status | 2026-07-21 09:00..2026-07-21 10:00'],
    ['tue 11:00 status', 'status | 2026-07-14 11:00..2026-07-14 12:00'],
    ['lunch at noon tomorrow', 'lunch | 2026-07-15 12:00..2026-07-15 13:00'],
    ['flight 23.12. 6:40 for 2h 15m', 'flight | 2026-12-23 06:40..2026-12-23 08:55'],
    ['new year party 1 jan', 'new year party | 2027-01-01..2027-01-02'],
    ['leap day 29 feb', 'leap day | 2028-02-29..2028-03-01'],
    ['conference for 3 days 5 oct', 'conference | 2026-10-05..2026-10-08'],
    ['Ship v2.5 tomorrow', 'Ship v2.5 | 2026-07-15..2026-07-16'],
    ['1:1 with Ana thursday 11:30', '1:1 with Ana | 2026-07-16 11:30..2026-07-16 12:30'],
  ])('%s', (line, expected) => {
    expect(read(line)).toBe(expected)
  })
})

describe('quick add creates past events with a note', () => {
  it.each([
    ['call today 9:00', 'call | 2026-07-14 09:00..2026-07-14 10:00', 'over'],
    ['call today 10:00', 'call | 2026-07-14 10:00..2026-07-14 11:00', 'begun'],
    ['call today 10:20', 'call | 2026-07-14 10:20..2026-07-14 11:20', undefined],
    ['call 2026-07-01', 'call | 2026-07-01..2026-07-02', 'over'],
    ['call 1 july 2026 10:00', 'call | 2026-07-01 10:00..2026-07-01 11:00', 'over'],
    ['call yesterday', 'call | 2026-07-13..2026-07-14', 'over'],
    ['call yesterday 9:00', 'call | 2026-07-13 09:00..2026-07-13 10:00', 'over'],
    ['party yesterday 23:00-11:00', 'party | 2026-07-13 23:00..2026-07-14 11:00', 'begun'],
    ['trip 13-15 july', 'trip | 2026-07-13..2026-07-16', 'begun'],
    ['trip today', 'trip | 2026-07-14..2026-07-15', undefined],
  ])('%s', (line, expected, past) => {
    expect(read(line)).toBe(expected)
    expect(readQuickAdd(line, context).event?.past).toBe(past)
  })
})

describe('quick add reads tonight as the coming night', () => {
  it.each([
    ['2026-07-14T10:20:00+02:00', 'party tonight at 1am', '2026-07-15 01:00'],
    ['2026-07-14T23:50:00+02:00', 'party tonight at 1am', '2026-07-15 01:00'],
    ['2026-07-14T10:20:00+02:00', 'party tonight at midnight', '2026-07-15 00:00'],
    ['2026-07-14T00:30:00+02:00', 'party tonight at 1am', '2026-07-14 01:00'],
    ['2026-07-14T10:20:00+02:00', 'party tonight at 9pm', '2026-07-14 21:00'],
    ['2026-12-31T23:55:00+01:00', 'party tonight at 1am', '2027-01-01 01:00'],
    ['2028-02-29T12:00:00+01:00', 'party tonight at 2am', '2028-03-01 02:00'],
  ])('at %s: %s', (now, line, expected) => {
    const { event } = readQuickAdd(line, { ...context, now: Date.parse(now) })
    expect(event && [text(event.start), event.past]).toEqual([expected, undefined])
  })

  it("and a range that ends today as this year's", () => {
    const { event } = readQuickAdd('trip 30-31 dec', { ...context, now: Date.parse('2026-12-31T12:00:00+01:00') })
    expect(event && [text(event.start), text(event.end)]).toEqual(['2026-12-30', '2027-01-01'])
  })
})

describe('quick add rejects', () => {
  it.each([
    ['a date with an ambiguous day order', 'launch 3/4', /3 Apr or 4 Mar/],
    ['an ambiguous hour', 'dinner tomorrow at 7', /7am or 7pm/],
    ['“next” with a weekday of this week', 'call next friday 10:00', /Fri 17 Jul 2026 or Fri 24 Jul 2026/],
    ['a nonexistent date', 'call 31 june', /date doesn’t exist/],
    ['an unknown calendar', 'call tomorrow /nowhere', /No calendar/],
    ['an ambiguous calendar name', 'call tomorrow /la', /Launches 2026 or Lab/],
    ['contradictory end and duration', 'call tomorrow 10-11 for 30 min', /don’t match/],
    ['no title', 'tomorrow 10:00', /Add a title/],
    ['no time at all', 'think about things', /Add a day, a time/],
    ['a nonexistent time of day', 'call tomorrow 25:00', /isn’t a time of day/],
  ])('%s', (_, line, expected) => {
    const { event, problem } = readQuickAdd(line, context)
    expect(event).toBeNull()
    expect(problem).toMatch(expected)
  })

  it('quick add returns nothing for an empty line', () => {
    expect(readQuickAdd('  ', context)).toEqual({ event: null, problem: null, parts: [] })
  })
})

it('parsed words are highlighted in place', () => {
  const line = 'lunch tomorrow 12-13 at Cafe Nord'
  const { parts } = readQuickAdd(line, context)
  expect(parts.map(({ part, from, to }) => [part, line.slice(from, to)])).toEqual([
    ['date', 'tomorrow'],
    ['time', '12-13'],
    ['place', 'at Cafe Nord'],
  ])
})

it('the same words mean the same in any time zone of this computer', () => {
  expect(readQuickAdd('call tomorrow 8:00', context)).toEqual(readQuickAdd('call tomorrow 8:00', { ...context }))
  const honolulu = readQuickAdd('call tomorrow 8:00', { ...context, zone: 'Pacific/Honolulu' })
  expect(text(honolulu.event!.start)).toBe('2026-07-14 08:00')
})

describe('an oversized line', () => {
  it("isn't parsed, with a message, and the longest allowed one is", () => {
    // Parsing all of it would exceed the test's timeout.
    const { event, problem, parts } = readQuickAdd(`${'lunch tomorrow 12 '.repeat(65_536)}end`, context)
    expect([event, parts]).toEqual([null, []])
    expect(problem).toMatch(/^A line can have up to 2,048 characters, and this one has 1,179,651\. Shorten it/)
    const longest = `${'x'.repeat(2_048 - ' tomorrow 12:00'.length)} tomorrow 12:00`
    expect(readQuickAdd(longest, context).event?.summary).toHaveLength(2_033)
  })
})

describe('every second week', () => {
  const rule = (line: string, weekStart: number): string[] | undefined =>
    readQuickAdd(line, { ...context, weekStart }).event?.recurrence
  it('is counted from the first day of the week', () => {
    expect(rule('shift every 2 weeks on Sun and Mon 9:00', 0)).toEqual([
      'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU',
    ])
  })
  it('needs no mark if that is Monday, nor does every week', () => {
    expect(rule('shift every 2 weeks on Sun and Mon 9:00', 1)).toEqual(['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU'])
    expect(rule('shift every Sun and Mon 9:00', 0)).toEqual(['RRULE:FREQ=WEEKLY;BYDAY=MO,SU'])
  })
})
