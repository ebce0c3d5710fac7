import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { importNotes } from '../../helpers/import-notes'
import { readIcs } from '../../../src-main/exports/ics-read'
import { decodedText } from '../../../src-main/exports/ics-text'
import { icsChunks } from '../../../src-main/exports/ics-write'

const wrap = (body: string, head = ''): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Elsewhere//EN\r\n${head}${body}END:VCALENDAR\r\n`
const vevent = (...lines: string[]): string => `BEGIN:VEVENT\r\nUID:u\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\n`
const vtimezone = (name: string, summer = true): string =>
  [
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    `TZOFFSETFROM:${summer ? '+0200' : '+0100'}`,
    'TZOFFSETTO:+0100',
    ...(summer ? ['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10'] : []),
    'END:STANDARD',
    ...(summer
      ? [
          'BEGIN:DAYLIGHT',
          'DTSTART:16010101T020000',
          'TZOFFSETFROM:+0100',
          'TZOFFSETTO:+0200',
          'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
          'END:DAYLIGHT',
        ]
      : []),
    'END:VTIMEZONE',
    '',
  ].join('\r\n')

const berlinMorning = { dateTime: '2026-01-05T09:00:00+01:00', timeZone: 'Europe/Berlin' }
const only = (text: string, zone?: string): JsonObject => {
  const { events, notes } = readIcs(text, zone)
  expect([events.length, importNotes(notes)]).toEqual([1, []])
  return events[0]!
}

describe('time zones of other programs', () => {
  const series = (tzid: string): string => vevent(`DTSTART;TZID=${tzid}:20260105T090000`, 'RRULE:FREQ=WEEKLY')

  it.each([
    [
      'a Windows name with its VTIMEZONE',
      wrap(vtimezone('W. Europe Standard Time') + series('W. Europe Standard Time')),
    ],
    ['a Windows name alone', wrap(series('W. Europe Standard Time'))],
    ['a custom name', wrap(vtimezone('Head office') + series('Head office'))],
    ['a quoted name', wrap(vtimezone('tzone://Microsoft/Custom') + series('"tzone://Microsoft/Custom"'))],
    ['a path before the name', wrap(series('/mozilla.org/20050126_1/Europe/Berlin'))],
  ])('%s keeps its daylight saving time', (_kind, text) => {
    expect(only(text)['start']).toEqual(berlinMorning)
  })

  it("a zone without daylight saving time isn't mistaken for one with it", () => {
    expect(only(wrap(vtimezone('Fixed', false) + series('Fixed')))['start']).toEqual({
      dateTime: '2026-01-05T09:00:00+01:00',
      timeZone: 'Etc/GMT-1',
    })
  })

  it("times without a zone use the calendar's or else yours", () => {
    const floating = vevent('DTSTART:20260105T090000')
    expect(only(wrap(floating), 'Europe/Berlin')['start']).toEqual(berlinMorning)
    expect(only(wrap(floating, 'X-WR-TIMEZONE:Asia/Tokyo\r\n'), 'Europe/Berlin')['start']).toEqual({
      dateTime: '2026-01-05T09:00:00+09:00',
      timeZone: 'Asia/Tokyo',
    })
  })

  it('an unknown zone only adds a note to its event', () => {
    const text = wrap(series('Mars/Olympus') + vevent('DTSTART:20260105T090000Z').replace('UID:u', 'UID:v'))
    const { events, notes } = readIcs(text, 'Europe/Berlin')
    expect(events.map(({ start }) => start)).toEqual([
      berlinMorning,
      { dateTime: '2026-01-05T09:00:00Z', timeZone: 'UTC' },
    ])
    expect(importNotes(notes)).toEqual([
      'An event without a title uses an unknown time zone, “Mars/Olympus”, so Europe/Berlin was used instead',
    ])
  })
})

describe('mistakes of other programs', () => {
  it.each([
    ['CR', '\r'],
    ['LF', '\n'],
    ['trailing spaces and CRLF', ' \r\n'],
  ])('line ends of type %s are accepted', (_name, ending) => {
    const text = wrap(vevent('DTSTART:20260105T090000Z', 'SUMMARY:Plan')).replaceAll('\r\n', ending)
    const { events } = readIcs(text)
    expect(events.map((event) => [event['iCalUID'], String(event['summary']).trim()])).toEqual([['u', 'Plan']])
  })

  it('a folded character, byte order mark, UTF-16, and Windows-1252 are read', () => {
    const text = wrap(vevent('DTSTART:20260105T090000Z', 'SUMMARY:Größe'))
    const bytes = Buffer.from(text)
    const cut = bytes.indexOf('ö') + 1
    const folded = Buffer.concat([bytes.subarray(0, cut), Buffer.from('\r\n '), bytes.subarray(cut)])
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    for (const file of [folded, Buffer.from(`\ufeff${text}`), utf16, Buffer.from(text, 'latin1')]) {
      expect(only(decodedText(file))['summary']).toBe('Größe')
    }
  })

  it('an unmarked date, empty rule, and zero-length day are repaired', () => {
    expect(only(wrap(vevent('DTSTART:20260105', 'DTEND:20260106', 'RRULE:', 'EXDATE:')))).toMatchObject({
      start: { date: '2026-01-05' },
      end: { date: '2026-01-06' },
    })
    expect(only(wrap(vevent('DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20260105')))['end']).toEqual({
      date: '2026-01-06',
    })
  })

  it('an event that ends before it starts is kept with a note', () => {
    const { events, notes } = readIcs(wrap(vevent('DTSTART:20260105T090000Z', 'DTEND:20260105T080000Z')))
    expect(events[0]!['end']).toEqual(events[0]!['start'])
    expect(importNotes(notes)).toEqual([
      'An event without a title ends before it starts, so it was imported without a duration',
    ])
  })

  it("to-dos, journals, and broken lines don't affect events", () => {
    const others =
      'BEGIN:VTODO\r\nUID:t\r\nDUE:bad\r\njunk\r\nBEGIN:VALARM\r\nEND:VALARM\r\nEND:VTODO\r\nBEGIN:VTIMEZONE\r\nnothing\r\nEND:VTIMEZONE\r\n'
    const { events, notes } = readIcs(wrap(others + vevent('DTSTART:20260105T090000Z', 'junk'), 'junk\r\n'))
    expect(events).toHaveLength(1)
    expect(importNotes(notes)).toEqual([
      '1 to-do was skipped, because only events are imported',
      'An event without a title has an invalid line, which was skipped: junk',
    ])
  })

  it('a nonstandard property is reported, and X- ones are ignored', () => {
    const { events, notes } = readIcs(wrap(vevent('MOOD:good', 'X-MOOD:good', 'DTSTART:20260105T090000Z')))
    expect(events).toHaveLength(1)
    expect(importNotes(notes)).toEqual(['An event without a title has an invalid line, which was skipped: MOOD:good'])
  })

  it.each([
    ['the end', 'TRIGGER;RELATED=END:-PT90M', 30],
    ['a timestamp', 'TRIGGER;VALUE=DATE-TIME:20260105T083000Z', 30],
    ['the start', 'TRIGGER:-PT1H', 60],
  ])('an alarm relative to %s fires on time', (_from, trigger, minutes) => {
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', trigger, 'END:VALARM']
    const event = only(wrap(vevent('DTSTART:20260105T090000Z', 'DTEND:20260105T100000Z', ...alarm)))
    expect(event['reminders']).toEqual({ useDefault: false, overrides: [{ method: 'popup', minutes }] })
  })

  it('a canceled event stays canceled', () => {
    expect(only(wrap(vevent('DTSTART:20260105T090000Z'), 'METHOD:CANCEL\r\n'))['status']).toBe('cancelled')
  })

  it('a guest is read from EMAIL, and one without an address is named', () => {
    const guests = ['ATTENDEE;CN="Doe, J: x";EMAIL=j@example.com:urn:uuid:1', 'ATTENDEE;CN=Nobody:urn:uuid:2']
    const { events, notes } = readIcs(wrap(vevent('DTSTART:20260105T090000Z', ...guests)))
    expect(events[0]!['attendees']).toEqual([
      { email: 'j@example.com', displayName: 'Doe, J: x', responseStatus: 'needsAction' },
    ])
    expect(importNotes(notes)).toEqual([
      'An event without a title has a guest without an email address, who was skipped: Nobody',
    ])
  })

  it.each(['', 'hello', '<html></html>', wrap(vevent('DTSTART:20260105T090000Z')).slice(0, -15)])(
    'an incomplete calendar is rejected: %#',
    (text) => {
      expect(() => readIcs(text)).toThrow(/Nothing was imported/)
    },
  )
})

it('a multiline HTML description is unchanged', () => {
  const description = '<p>One, two; three\\four</p>\n<p>C:\\new</p>'
  const event = { id: 'h', iCalUID: 'h@x', start: { date: '2026-01-05' }, end: { date: '2026-01-06' }, description }
  const text = [...icsChunks({ calendarName: 'A', timeZone: 'UTC', events: [event] }, 0)].join('')
  expect(only(text)['description']).toBe(description)
})

describe('written files', () => {
  const nasty: JsonObject = {
    id: 'nasty',
    iCalUID: 'nasty@x',
    summary: `${'Ünïcödé 🛫 '.repeat(20)}; a, b \\ c\r\nEND:VEVENT`,
    description: 'x\u0000\u0007y\r\nBEGIN:VEVENT\n\tindented',
    location: 'Hall "7": left, right; ^n',
    start: { dateTime: '2026-03-29T00:00:00+11:00', timeZone: 'Australia/Lord_Howe' },
    end: { dateTime: '2026-03-29T01:30:00+05:45', timeZone: 'Asia/Kathmandu' },
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=60;BYDAY=SA', 'EXDATE;TZID=Europe/Paris:20260404T150000'],
    attendees: [
      {
        email: 'a@example.com',
        displayName: 'A "Q" \n; Newline: ^ 🛫',
        responseStatus: 'accepted',
        comment: 'l1\r\nl2',
      },
    ],
    status: 'confirmed',
    sequence: 0,
  }
  const text = (): string =>
    [...icsChunks({ calendarName: 'A\r\nB:C', timeZone: 'UTC', events: [nasty] }, Date.UTC(2026, 0, 1))].join('')

  it('have 75-octet lines, CRLF, one event, and a VTIMEZONE per TZID', () => {
    const file = text()
    const lines = file.split('\r\n')
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f\ufffd]/)
    const plain = file.replace(/\r\n[ \t]/g, '')
    expect(plain.match(/^BEGIN:VEVENT$/gm)).toHaveLength(1)
    const used = new Set([...plain.matchAll(/;TZID="?([^":;]+)/g)].map(([, zone]) => zone))
    const defined = new Set([...plain.matchAll(/^TZID:(.+)$/gm)].map(([, zone]) => zone!.trim()))
    expect([...used].filter((zone) => !defined.has(zone!))).toEqual([])
  })

  it('preserve what you typed', () => {
    const { events, notes } = readIcs(text())
    expect(importNotes(notes)).toEqual([])
    expect(events[0]).toMatchObject({
      summary: `${'Ünïcödé 🛫 '.repeat(20)}; a, b \\ c\nEND:VEVENT`,
      description: 'xy\nBEGIN:VEVENT\n\tindented',
      location: nasty['location'],
      start: nasty['start'],
      end: nasty['end'],
    })
    expect((events[0]!['attendees'] as JsonObject[])[0]).toMatchObject({ displayName: 'A "Q" \n; Newline: ^ 🛫' })
  })
})
