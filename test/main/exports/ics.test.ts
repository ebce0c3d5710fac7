import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { occurrences, type Series } from '#shared/time/recurrence'
import { importNotes } from '../../helpers/import-notes'
import { readIcs } from '../../../src-main/exports/ics-read'
import { icsChunks } from '../../../src-main/exports/ics-write'

const calendar = { calendarName: 'Team', timeZone: 'Europe/Berlin', email: 'alex@example.com' }
const write = (events: JsonObject[]): string =>
  [...icsChunks({ ...calendar, events }, Date.parse('2026-01-01T00:00:00Z'))].join('')
const zoned = (wall: string, offset: string, timeZone: string): JsonObject => ({
  dateTime: `${wall}${offset}`,
  timeZone,
})

const standup: JsonObject = {
  id: 'standup',
  iCalUID: 'standup@flightplan.example',
  summary: 'Stand-up; with, commas\nand a second line',
  start: zoned('2026-01-05T09:00:00', '+01:00', 'Europe/Berlin'),
  end: zoned('2026-01-05T09:15:00', '+01:00', 'Europe/Berlin'),
  recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR'],
  sequence: 2,
  status: 'confirmed',
  attendees: [
    { email: 'mina@example.com', displayName: 'Mina "M" Krüger', responseStatus: 'accepted' },
    { email: 'room@example.com', responseStatus: 'needsAction', resource: true, optional: true },
  ],
  organizer: { email: 'alex@example.com', displayName: 'Alex' },
  reminders: {
    useDefault: false,
    overrides: [
      { method: 'popup', minutes: 10 },
      { method: 'email', minutes: 1440 },
    ],
  },
  colorId: '5',
  visibility: 'private',
  extendedProperties: { private: { key: 'value' } },
}
const moved: JsonObject = {
  id: 'standup_20260330T070000Z',
  iCalUID: 'standup@flightplan.example',
  recurringEventId: 'standup',
  originalStartTime: zoned('2026-03-30T09:00:00', '+02:00', 'Europe/Berlin'),
  summary: 'Stand-up, moved',
  start: zoned('2026-03-30T11:00:00', '+02:00', 'Europe/Berlin'),
  end: zoned('2026-03-30T11:15:00', '+02:00', 'Europe/Berlin'),
  sequence: 3,
  status: 'confirmed',
}
const cancelled: JsonObject = {
  id: 'standup_20260401T070000Z',
  recurringEventId: 'standup',
  originalStartTime: zoned('2026-04-01T09:00:00', '+02:00', 'Europe/Berlin'),
  status: 'cancelled',
}
const holiday: JsonObject = {
  id: 'holiday',
  iCalUID: 'holiday@x',
  summary: 'Whit Monday',
  start: { date: '2026-05-25' },
  end: { date: '2026-05-26' },
  status: 'confirmed',
  sequence: 0,
  transparency: 'transparent',
}
const call: JsonObject = {
  id: 'call',
  iCalUID: 'call@x',
  summary: 'Call',
  description: '<p>Agenda: <b>budget</b></p>',
  location: 'Tokyo',
  start: zoned('2026-10-25T02:30:00', '+02:00', 'Europe/Berlin'),
  end: zoned('2026-10-26T09:00:00', '+09:00', 'Asia/Tokyo'),
  status: 'tentative',
  sequence: 0,
}

describe('a calendar file', () => {
  it('contains the same events when read back', () => {
    const { events, notes } = readIcs(write([standup, moved, cancelled, holiday, call]))
    expect(notes).toEqual([])
    expect(events).toHaveLength(4)
    for (const [index, original] of [standup, moved, holiday, call].entries()) {
      const { id: _id, recurringEventId: _series, recurrence, ...fields } = original
      expect(events[index]).toMatchObject(fields)
      if (recurrence) expect((events[index]!['recurrence'] as string[])[0]).toContain('FREQ=WEEKLY')
    }
  })

  it('says who gets an email reminder, and with what subject', () => {
    const alarms = write([{ ...standup, summary: 'Stand-up' }])
      .split('BEGIN:VALARM\r\n')
      .slice(1)
    expect(alarms.map((alarm) => alarm.split('\r\nEND:VALARM')[0]!.split('\r\n'))).toEqual([
      ['ACTION:DISPLAY', 'TRIGGER:-PT10M', 'DESCRIPTION:Stand-up'],
      ['ACTION:EMAIL', 'TRIGGER:-P1D', 'DESCRIPTION:Stand-up', 'SUMMARY:Stand-up', 'ATTENDEE:mailto:alex@example.com'],
    ])
  })

  it('omits a canceled occurrence from the series', () => {
    const [series] = readIcs(write([standup, cancelled])).events as unknown as Series[]
    const days = occurrences(series!, Date.parse('2026-03-30'), Date.parse('2026-04-04')).map(
      ({ originalStart }) => originalStart.dateTime,
    )
    expect(days).toEqual(['2026-03-30T09:00:00+02:00', '2026-04-03T09:00:00+02:00'])
  })

  it('means the same to another parser, on both sides of a clock change', () => {
    const text = write([standup, call])
    const root = new ICAL.Component(ICAL.parse(text) as never)
    for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(zone))
    const [first, second] = root.getAllSubcomponents('vevent').map((part) => new ICAL.Event(part))
    const iterator = first!.iterator()
    const instants: number[] = []
    for (let next = iterator.next(); next && instants.length < 60; next = iterator.next())
      instants.push(next.toUnixTime() * 1000)
    const ours = occurrences(standup as unknown as Series, 0, Date.parse('2027-01-01'), 60).map(({ start }) => start)
    expect(instants).toEqual(ours)
    expect(second!.endDate.toUnixTime() * 1000).toBe(Date.parse('2026-10-26T00:00:00Z'))
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 76)).toBe(true)
  })

  it('by other programs is read: durations, custom time zones, several calendars, no UID', () => {
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTIMEZONE\r\nTZID:Custom Zone\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Custom Zone:20260102T120000\r\nDURATION:PT90M\r\nSUMMARY:Noon\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20260102\r\nSUMMARY:No UID\r\nEND:VEVENT\r\nEND:VCALENDAR\r\nBEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:2\r\nDTSTART:20260102T120000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    const { events, notes } = readIcs(text)
    expect(notes).toEqual([])
    expect(Date.parse((events[0]!['start'] as { dateTime: string }).dateTime)).toBe(Date.parse('2026-01-02T09:00:00Z'))
    expect(Date.parse((events[0]!['end'] as { dateTime: string }).dateTime)).toBe(Date.parse('2026-01-02T10:30:00Z'))
    expect(events[1]).toMatchObject({ start: { date: '2026-01-02' }, end: { date: '2026-01-03' } })
    expect(readIcs(text).events[1]!['iCalUID']).toBe(events[1]!['iCalUID'])
    expect(events).toHaveLength(3)
  })

  it('with a broken event names it and reads the rest', () => {
    const { events, notes } = readIcs(
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Broken\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nDTSTART:20260102T120000Z\nRRULE:FREQ=SOMETIMES\nSUMMARY:Bad rule\nEND:VEVENT\nBEGIN:VEVENT\nUID:3\nDTSTART:20260102T120000Z\nEND:VEVENT\nEND:VCALENDAR',
    )
    expect(events.map((event) => event['iCalUID'])).toEqual(['2', '3'])
    expect(importNotes(notes)).toEqual([
      '“Broken” was skipped: it has no start',
      '“Bad rule” has a recurrence rule that isn’t supported, so only its first date was imported (Unknown frequency: SOMETIMES)',
    ])
  })

  it.each(['', 'hello', '{"a":1}', '<html></html>', 'BEGIN:VCARD\nEND:VCARD', 'BEGIN:VCALENDAR\nBEGIN:VEVENT'])(
    "that isn't one is rejected with a message: %j",
    (text) => {
      expect(() => readIcs(text)).toThrow(/Nothing was imported/)
    },
  )
})

describe("what can't be written affects nothing else", () => {
  const at = (field: string, value: unknown): JsonObject => ({ ...holiday, [field]: value as JsonObject })
  const broken: [string, JsonObject][] = [
    ['an unreadable rule', at('recurrence', ['RRULE:FREQ=SOMETIMES'])],
    ['an impossible rule', at('recurrence', ['RRULE:FREQ=SECONDLY'])],
    ['an unknown zone', at('start', { dateTime: '2026-01-05T09:00:00+01:00', timeZone: 'Mars/Olympus' })],
    ['no start', at('start', null)],
    ['no end', at('end', null)],
    ['an unreadable start', at('start', { dateTime: 'soon', timeZone: 'Europe/Berlin' })],
    ['an unreadable original start', at('originalStartTime', { dateTime: 'soon' })],
  ]

  it.each(broken)('%s', (_name, event) => {
    const left: string[] = []
    const events = [standup, { ...event, summary: 'Broken' }, moved]
    const calendar = { calendarName: 'Team', timeZone: 'Europe/Berlin', events }
    const text = [...icsChunks(calendar, 0, (title, why) => left.push(`${title}: ${why}`))].join('')
    expect(left).toHaveLength(1)
    expect(left[0]).toMatch(/^Broken: .+/)
    expect(readIcs(text).events.map(({ iCalUID }) => iCalUID)).toEqual([standup['iCalUID'], moved['iCalUID']])
  })

  it('a canceled occurrence without a time leaves its series complete', () => {
    const { originalStartTime: _gone, ...nameless } = cancelled
    const left: string[] = []
    const calendar = { calendarName: 'Team', timeZone: 'Europe/Berlin', events: [standup, nameless] }
    const text = [...icsChunks(calendar, 0, (title) => left.push(title))].join('')
    expect([left, readIcs(text).events.length]).toEqual([[], 1])
  })

  it("an occurrence canceled past the zone's ten years keeps its instant", () => {
    const late = { ...cancelled, originalStartTime: zoned('2046-04-02T09:00:00', '+02:00', 'Europe/Berlin') }
    const { events, notes } = readIcs(write([standup, { ...late, id: 'standup_20460402T070000Z' }]))
    expect(notes).toEqual([])
    expect(events[0]!['recurrence']).toContain('EXDATE:20460402T070000Z')
  })

  it('the second pass of a repeated hour keeps its instant', () => {
    const start = zoned('2026-10-25T02:30:00', '+01:00', 'Europe/Berlin')
    const [event] = readIcs(write([{ ...holiday, start, end: start }])).events
    expect(Date.parse((event!['start'] as { dateTime: string }).dateTime)).toBe(Date.parse('2026-10-25T01:30:00Z'))
  })

  it("an event in the year 9999 lists only known years' offsets", () => {
    const far = (year: string): JsonObject => zoned(`${year}-06-01T09:00:00`, '+02:00', 'Europe/Berlin')
    const text = write([{ ...holiday, start: far('2026'), end: far('9999') }])
    expect(text.match(/BEGIN:(?:STANDARD|DAYLIGHT)/g)!.length).toBeLessThan(500)
  })
})
