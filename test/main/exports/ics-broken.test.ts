import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { readIcs } from '../../../src-main/exports/ics-read'
import { decodedText } from '../../../src-main/exports/ics-text'

const head = 'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//X//Y//EN\n'
const file = (body: string): string => `${head}${body.trim()}\nEND:VCALENDAR\n`.replace(/\n/g, '\r\n')
const event = (lines: string): string => `BEGIN:VEVENT\n${lines}\nEND:VEVENT\n`
const named = (lines: string): string => event(`UID:1\nDTSTAMP:20260601T000000Z\nSUMMARY:A\n${lines}`)

const time = (value: unknown): string => {
  const { date, dateTime, timeZone } = value as { date?: string; dateTime?: string; timeZone?: string }
  return date ?? `${dateTime!.slice(0, 16)} ${timeZone!}`
}
const shown = (one: JsonObject): string =>
  [
    one['summary'],
    `${time(one['start'])} .. ${time(one['end'])}`,
    ...(Array.isArray(one['recurrence']) ? one['recurrence'] : []),
    ...(one['originalStartTime'] ? [`instead of ${time(one['originalStartTime'])}`] : []),
  ].join(' | ')
function read(bytes: Uint8Array | string): { events: string[]; notes: string[] } {
  const { events, notes } = readIcs(decodedText(Buffer.from(bytes)), 'Europe/Berlin')
  return { events: events.map(shown), notes: notes.map(({ words, names }) => `${names.join(', ')} ${words}`) }
}

const zone = (name: string, inside: string): string => `BEGIN:VTIMEZONE\nTZID:${name}\n${inside}END:VTIMEZONE\n`
const series = event('UID:s\nSUMMARY:S\nDTSTART:20260706T090000Z\nDTEND:20260706T100000Z\nRRULE:FREQ=DAILY;COUNT=10')

/** The file's content, the result, and the notes. */
const files: readonly [string, string, readonly string[], readonly string[]][] = [
  [
    'a lowercase duration',
    named('DTSTART:20260710T090000Z\nDURATION:pt1h'),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T10:00 UTC'],
    [],
  ],
  ...['PT1H30', 'PT1.5H', 'P', 'PT', '90'].map((length): [string, string, string[], string[]] => [
    `the length ${length}`,
    named(`DTSTART:20260710T090000Z\nDURATION:${length}`),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T09:00 UTC'],
    [
      length === '90'
        ? '“A” has an invalid line, which was skipped: DURATION'
        : `“A” has an invalid duration, which was skipped: DURATION:${length}`,
    ],
  ]),
  [
    'an alarm with an unreadable duration',
    named('DTSTART:20260710T090000Z\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT15\nEND:VALARM'),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T09:00 UTC'],
    ['“A” has unsupported reminders, which were skipped (after the start, weeks before, or too many)'],
  ],
  [
    'two starts and two titles',
    named('SUMMARY:B\nDTSTART:20260710T090000Z\nDTSTART:20260711T090000Z'),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T09:00 UTC'],
    [
      '“A” has SUMMARY more than once, so the first one was used',
      '“A” has DTSTART more than once, so the first one was used',
    ],
  ],
  [
    'the 30th of February',
    named('DTSTART;VALUE=DATE:20260230'),
    ['A | 2026-03-02 .. 2026-03-03'],
    ['“A” has a date or time that doesn’t exist, which was moved forward: DTSTART;VALUE=DATE:20260230'],
  ],
  [
    'the 30th of February, with hyphens',
    named('DTSTART;VALUE=DATE:2026-02-30'),
    ['A | 2026-03-02 .. 2026-03-03'],
    ['“A” has a date or time that doesn’t exist, which was moved forward: DTSTART;VALUE=DATE:2026-02-30'],
  ],
  [
    '25:61',
    named('DTSTART:20260710T256100Z'),
    ['A | 2026-07-11T02:01 UTC .. 2026-07-11T02:01 UTC'],
    ['“A” has a date or time that doesn’t exist, which was moved forward: DTSTART:20260710T256100Z'],
  ],
  ['a leap second', named('DTSTART:20261231T235960Z'), ['A | 2027-01-01T00:00 UTC .. 2027-01-01T00:00 UTC'], []],
  [
    'spaces and a group in property names',
    event(
      'UID :1\nitem1.SUMMARY : A\nDTSTART :20260710T090000Z\n DTEND'.replace('\n D', '\nD') + ' : 20260710T100000Z',
    ),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T10:00 UTC'],
    [],
  ],
  [
    'a start in a clock change moves the end along',
    named('DTSTART;TZID=Europe/Berlin:20260329T023000\nDTEND;TZID=Europe/Berlin:20260329T030000'),
    ['A | 2026-03-29T03:30 Europe/Berlin .. 2026-03-29T04:00 Europe/Berlin'],
    [],
  ],
  [
    'a zone without rules',
    zone('X', '') + named('DTSTART;TZID=X:20260710T090000'),
    ['A | 2026-07-10T09:00 Europe/Berlin .. 2026-07-10T09:00 Europe/Berlin'],
    ['“A” uses an unknown time zone, “X”, so Europe/Berlin was used instead'],
  ],
  [
    'city names between slashes',
    named('DTSTART;TZID="(GMT+01.00) Amsterdam / Berlin / Bern / Rome / Stockholm / Vienna":20260710T090000'),
    ['A | 2026-07-10T09:00 Europe/Berlin .. 2026-07-10T09:00 Europe/Berlin'],
    [],
  ],
  [
    "a time zone's URL",
    named('DTSTART;TZID=tzone://Microsoft/Utc:20260710T090000'),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T09:00 UTC'],
    [],
  ],
  [
    'an unclosed alarm',
    named('DTSTART:20260710T090000Z\nBEGIN:VALARM\nTRIGGER:-PT15M') +
      event('UID:2\nSUMMARY:B\nDTSTART:20260711T090000Z'),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T09:00 UTC', 'B | 2026-07-11T09:00 UTC .. 2026-07-11T09:00 UTC'],
    ['“A” has no END line, so it ends where the next entry begins'],
  ],
  [
    'an unclosed event',
    'BEGIN:VEVENT\nUID:1\nSUMMARY:A\nDTSTART:20260710T090000Z\n' + event('UID:2\nSUMMARY:B\nDTSTART:20260711T090000Z'),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T09:00 UTC', 'B | 2026-07-11T09:00 UTC .. 2026-07-11T09:00 UTC'],
    ['“A” has no END line, so it ends where the next entry begins'],
  ],
  [
    'the last possible date',
    named('DTSTART;VALUE=DATE:99991231'),
    [],
    ['“A” was skipped: it ends after the year 9999, which isn’t supported'],
  ],
  [
    'an END without a BEGIN',
    named('DTSTART:20260710T090000Z\nEND:VALARM'),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T09:00 UTC'],
    [],
  ],
  [
    'one UID for all events',
    named('DTSTART:20260710T090000Z') + named('DTSTART:20260711T090000Z').replace('SUMMARY:A', 'SUMMARY:B'),
    ['A | 2026-07-10T09:00 UTC .. 2026-07-10T09:00 UTC', 'B | 2026-07-11T09:00 UTC .. 2026-07-11T09:00 UTC'],
    ['“B” has the same UID as another event, so it got a new one'],
  ],
  [
    'this and all following, with a rule of its own',
    series +
      event(
        'UID:s\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260709T090000Z\nSUMMARY:L\nDTSTART:20260709T120000Z\nDTEND:20260709T130000Z\nRRULE:FREQ=WEEKLY;COUNT=3',
      ),
    [
      'S | 2026-07-06T09:00 UTC .. 2026-07-06T10:00 UTC | RRULE:FREQ=DAILY;UNTIL=20260709T085959Z',
      'L | 2026-07-09T12:00 UTC .. 2026-07-09T13:00 UTC | RRULE:FREQ=WEEKLY;COUNT=3',
    ],
    ['“L” changes “this and all following” of its series, so the series was split there'],
  ],
  [
    'one occurrence, with a rule of its own',
    series +
      event('UID:s\nRECURRENCE-ID:20260709T090000Z\nSUMMARY:L\nDTSTART:20260709T120000Z\nRRULE:FREQ=WEEKLY;COUNT=3'),
    [
      'S | 2026-07-06T09:00 UTC .. 2026-07-06T10:00 UTC | RRULE:FREQ=DAILY;COUNT=10',
      'L | 2026-07-09T12:00 UTC .. 2026-07-09T12:00 UTC | instead of 2026-07-09T09:00 UTC',
    ],
    ['“L” changes one occurrence but also has its own recurrence rule, which was skipped'],
  ],
]

describe('malformed calendar files', () => {
  it.each(files)('%s', (_, body, events, notes) => {
    expect(read(file(body))).toEqual({ events, notes })
  })

  it('a space after a quoted-printable soft break is text, even in non-UTF-8 bytes', () => {
    const body = event(
      'UID:1\nSUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller=\n Test\nLOCATION:B\u00fcro\nDTSTART:20260710T090000Z',
    )
    for (const encoding of ['utf8', 'latin1'] as const)
      expect(read(Buffer.from(file(body), encoding)).events[0]).toMatch(/^Müller Test \|/)
  })

  it('a folded character is joined, even far before the calendar', () => {
    const bytes = Buffer.from(
      `${'X-Header: mail\r\n'.repeat(30)}${file(named('DTSTART:20260710T090000Z').replace('SUMMARY:A', 'SUMMARY:ü'))}`,
    )
    const at = bytes.indexOf(Buffer.from('ü')) + 1
    const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n '), bytes.subarray(at)])
    expect(read(folded).events[0]).toMatch(/^ü \|/)
    expect(read(folded)).toEqual(read(bytes))
  })

  it('long runs of spaces and unclosed tags take linear time', () => {
    const blanks = named(`DTSTART:20260710T090000Z\nRRULE:FREQ=DAILY${' '.repeat(200_000)};COUNT=2`)
    const tags = named(`DTSTART:20260710T090000Z\nX-ALT-DESC;FMTTYPE=text/html:${'<body '.repeat(60_000)}`)
    expect(read(file(blanks)).events).toEqual([
      'A | 2026-07-10T09:00 UTC .. 2026-07-10T09:00 UTC | RRULE:FREQ=DAILY;COUNT=2',
    ])
    expect(read(file(tags)).events.length).toBe(1)
    // Many times the actual duration. Quadratic work would take a minute.
  }, 10_000)
})
