import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { instantOf, type EventTime } from '#shared/time/event-time'
import { readCalendarFile } from '../../../src-main/exports/read-file'
import { importNotes } from '../../helpers/import-notes'

const folder = resolve(import.meta.dirname, '../../fixtures/ics')
const person = 'Europe/Berlin'

/** Summary of an event: start with time zone, duration, and series information. */
function summaryOf(event: JsonObject): string {
  const [start, end] = [event['start'] as EventTime, event['end'] as EventTime]
  const hours = (instantOf(end) - instantOf(start)) / 3_600_000
  const original = event['originalStartTime'] as EventTime | undefined
  return [
    String(event['summary']).replace(/\n/g, '⏎'),
    start.date ?? `${start.dateTime} ${start.timeZone}`,
    start.date ? `${hours / 24}d` : `${hours}h`,
    ...(Array.isArray(event['recurrence']) ? event['recurrence'].map(String) : []),
    ...(original ? [`for ${original.date ?? original.dateTime}`] : []),
    ...(event['status'] === 'cancelled' ? ['cancelled'] : []),
  ].join(' | ')
}
const read = async (name: string): Promise<{ events: string[]; notes: string[]; raw: JsonObject[] }> => {
  const { events, notes } = await readCalendarFile(join(folder, `${name}.ics`), person)
  return { events: events.map(summaryOf), notes: importNotes(notes), raw: events }
}

/** The expected result and notes of each file. */
const table: Record<string, { events: string[]; notes: string[] }> = {
  'alarms-and-guests': {
    events: ['Alarms | 2026-07-06T09:00:00Z UTC | 1h', 'Guests | 2026-07-06T09:00:00Z UTC | 0h'],
    notes: [
      '“Alarms” has unsupported reminders, which were skipped (after the start, weeks before, or too many)',
      '“Guests” has a guest without an email address, who was skipped: Nobody',
    ],
  },
  'bad-folding': {
    events: ['Folded in the middle | 2026-07-06T09:00:00Z UTC | 0h'],
    notes: ['“Folded in the middle” has a line that wasn’t folded correctly, which was joined'],
  },
  'bare-event': {
    events: ['No calendar around | 2026-07-06T09:00:00Z UTC | 1h'],
    notes: [],
  },
  'both-encodings': {
    events: ['Größe – fünf | 2026-07-06T09:00:00Z UTC | 0h', 'Straße | 2026-07-07T09:00:00Z UTC | 0h'],
    notes: [],
  },
  'dates-of-series': {
    events: [
      'Other zone | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h | RRULE:FREQ=DAILY;COUNT=6 | EXDATE:20260707T070000Z | EXDATE:20260708T070000Z | EXDATE;VALUE=DATE:20260709 | EXDATE:20260710T070000Z',
      'Days by times | 2026-07-06 | 1d | RRULE:FREQ=DAILY;COUNT=4 | EXDATE;VALUE=DATE:20260707',
      'Extra periods | 2026-07-06T09:00:00Z UTC | 1h | RRULE:FREQ=DAILY;COUNT=2 | RDATE:20260710T090000Z,20260711T090000Z',
      'Bad dates | 2026-07-06T09:00:00Z UTC | 0h | RRULE:FREQ=DAILY;COUNT=2',
      'Bad rule | 2026-07-06T09:00:00Z UTC | 0h',
      'Twice an end | 2026-07-06T09:00:00Z UTC | 0h | RRULE:FREQ=DAILY;UNTIL=20260708T090000Z',
      'Sloppy rule | 2026-07-06T09:00:00Z UTC | 0h | RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3',
      'Empty rule | 2026-07-06T09:00:00Z UTC | 0h',
    ],
    notes: [
      '“Extra periods” has extra dates with their own duration, which were imported with the duration of the series',
      '“Bad dates” has invalid dates (EXDATE), which were skipped',
      '“Bad rule” has a recurrence rule that isn’t supported, so only its first date was imported (Unknown frequency: SOMETIMES)',
      '“Twice an end” has both an end date and a number of occurrences, so the end date was used',
    ],
  },
  invitation: {
    events: [
      'Review | 2026-07-06T09:00:00Z UTC | 1h',
      'Gone | 2026-07-07T09:00:00Z UTC | 0h | cancelled',
      'News | 2026-07-08T09:00:00Z UTC | 0h',
    ],
    notes: [
      '“Review” proposes another time, so the event was imported without the proposal',
      '“Review” is a reply to an invitation, so it was added to the event',
      '“Gone” is in the file in several versions, so the newest was imported',
    ],
  },
  'kinds-of-end': {
    events: [
      'Day to time | 2026-07-06 | 2d',
      'Time to day | 2026-07-06T09:00:00+02:00 Europe/Berlin | 39h',
      'Duration | 2026-07-06T09:00:00Z UTC | 26h',
      'Duration over the clock change | 2026-03-28T12:00:00+01:00 Europe/Berlin | 23h',
      'Days | 2026-07-06 | 3d',
      'No end | 2026-07-06T09:00:00Z UTC | 0h',
      'No end of a day | 2026-07-06 | 1d',
      'Zero | 2026-07-06T09:00:00Z UTC | 0h',
      'Backwards | 2026-07-06T09:00:00Z UTC | 0h',
      'Negative duration | 2026-07-06T09:00:00Z UTC | 0h',
      'Day backwards | 2026-07-06 | 1d',
      'Unreadable end | 2026-07-06T09:00:00Z UTC | 0h',
      'Floating | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'Written out | 2026-07-06T07:00:00Z UTC | 1h',
      'No seconds | 2026-07-06T09:00:00Z UTC | 15h',
    ],
    notes: [
      '“No start” was skipped: it has no start',
      '“Unreadable start” was skipped: its start is invalid',
      '“Day to time” has a start date but an end time, so it was imported as an all-day event',
      '“Time to day” has a start time but an end date, so it was imported up to the start of that day',
      '“Backwards” ends before it starts, so it was imported without a duration',
      '“Negative duration” ends before it starts, so it was imported without a duration',
      '“Day backwards” ends before it starts, so it was imported as one day',
      '“Unreadable end” has an invalid end time, which was skipped',
    ],
  },
  'latin-1': {
    events: ['Größe – fünf | 2026-07-06T09:00:00Z UTC | 0h'],
    notes: [],
  },
  'old-phone-odd-zone': {
    events: ['Ship | 2026-07-06T07:43:00Z UTC | 0h'],
    notes: ['“Ship” uses a custom time zone, and was imported at UTC+01:17'],
  },
  'old-phone': {
    events: [
      'Grüße⏎aus dem Norden; mit Komma, und \\ Strich | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'Café | 2026-12-06T09:00:00+01:00 Europe/Berlin | 0h | RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10',
      'Daily for ever | 2026-07-06T07:00:00Z UTC | 0h | RRULE:FREQ=DAILY',
      'Second Tuesday | 2026-07-14T09:00:00+02:00 Europe/Berlin | 0h | RRULE:FREQ=MONTHLY;BYDAY=2TU;UNTIL=20261231T000000 | EXDATE:20260811T070000Z,20260908T070000Z',
      'Ends of months | 2026-07-31T09:00:00+02:00 Europe/Berlin | 0h | RRULE:FREQ=MONTHLY;BYMONTHDAY=15,-1;COUNT=4',
      'Yearly | 2026-07-06T09:00:00+02:00 Europe/Berlin | 0h | RRULE:FREQ=YEARLY;BYMONTH=7;COUNT=3',
    ],
    notes: ['“Grüße aus dem Norden; mit Komma, und \\ Strich” has categories that can’t be imported'],
  },
  outlook: {
    events: [
      'Whole day | 2026-07-06 | 2d',
      'Not a whole day | 2026-07-06T00:00:00+02:00 Europe/Berlin | 24h',
      'Day that says time | 2026-07-06 | 1d',
      'Day in a zone | 2026-07-06 | 1d',
    ],
    notes: [],
  },
  'recurrence-ids': {
    events: [
      'Timed | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h | RRULE:FREQ=DAILY;COUNT=9',
      'By day | 2026-07-07T10:00:00+02:00 Europe/Berlin | 0h | for 2026-07-07T09:00:00+02:00',
      'By UTC | 2026-07-08T10:00:00+02:00 Europe/Berlin | 0h | for 2026-07-08T09:00:00+02:00',
      'By New York | 2026-07-09T10:00:00+02:00 Europe/Berlin | 0h | for 2026-07-09T09:00:00+02:00',
      'By a wrong hour | 2026-07-10T10:00:00+02:00 Europe/Berlin | 0h | for 2026-07-10T09:00:00+02:00',
      'Not in the series | 2027-01-01T10:00:00Z UTC | 0h',
      'Days | 2026-07-06 | 1d | RRULE:FREQ=DAILY;COUNT=9',
      'Day by time | 2026-07-09 | 1d | for 2026-07-07',
      'Excluded and changed | 2026-07-06T09:00:00Z UTC | 0h | RRULE:FREQ=DAILY;COUNT=3 | EXDATE:20260708T090000Z',
      'The changed one | 2026-07-07T10:00:00Z UTC | 0h | for 2026-07-07T09:00:00Z',
    ],
    notes: [
      '“Not in the series” changes an occurrence that its series doesn’t have, so it was imported as a separate event',
    ],
  },
  'several-calendars': {
    events: [
      'First | 2026-07-06T09:00:00+09:00 Asia/Tokyo | 0h',
      'Second | 2026-07-06T09:00:00+02:00 Europe/Berlin | 0h',
    ],
    notes: ['1 to-do was skipped, because only events are imported'],
  },
  texts: {
    events: ['a, b; c\\ d⏎e | 2026-07-06T09:00:00Z UTC | 0h'],
    notes: [
      '“a, b; c\\ d e” has a UID of more than 1,000 characters, which was replaced',
      '“a, b; c\\ d e” has categories that can’t be imported',
      '“a, b; c\\ d e” has a place on the map that can’t be imported',
    ],
  },
  'this-and-future': {
    events: [
      'Stand-up | 2026-07-06T09:00:00+02:00 Europe/Berlin | 0.25h | RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260803T065959Z | EXDATE:20260713T070000Z',
      'Stand-up later | 2026-08-04T11:00:00+02:00 Europe/Berlin | 0.5h | RRULE:FREQ=WEEKLY;COUNT=6;BYDAY=TU | EXDATE:20260811T090000Z',
      'Stand-up in the hall | 2026-08-18T12:00:00+02:00 Europe/Berlin | 0.5h | for 2026-08-18T11:00:00+02:00',
      'Early one | 2026-07-20T08:00:00+02:00 Europe/Berlin | 0.25h | for 2026-07-20T09:00:00+02:00',
      'Without its series | 2026-08-03T10:00:00Z UTC | 0h | for 2026-08-03T09:00:00Z',
    ],
    notes: [
      '“Without its series” changes “this and all following” of a series that isn’t in the file, so only this occurrence was imported',
      '“Stand-up later” changes “this and all following” of its series, so the series was split there',
    ],
  },
  'utf-16-without-mark': {
    events: ['Größe – fünf | 2026-07-06T09:00:00Z UTC | 0h'],
    notes: [],
  },
  'utf-16': {
    events: ['Größe – fünf | 2026-07-06T09:00:00Z UTC | 0h'],
    notes: [],
  },
  versions: {
    events: [
      'Plan v3 | 2026-07-06T11:00:00Z UTC | 0h',
      'Stamp new | 2026-07-06T12:00:00Z UTC | 0h',
      'Series moved | 2026-07-07T15:00:00Z UTC | 0h | for 2026-07-07T09:00:00Z',
      'Series renamed | 2026-07-06T09:00:00Z UTC | 0h | RRULE:FREQ=DAILY;COUNT=5',
      'Orphan | 2026-07-07T15:00:00Z UTC | 0h | for 2026-07-07T09:00:00Z',
    ],
    notes: [
      '“Plan v2” is in the file in several versions, so the newest was imported',
      '“Plan v1” is in the file in several versions, so the newest was imported',
      '“Stamp old” is in the file in several versions, so the newest was imported',
      '“Series” is in the file in several versions, so the newest was imported',
    ],
  },
  'with-a-mark': {
    events: ['Größe – fünf | 2026-07-06T09:00:00Z UTC | 0h'],
    notes: [],
  },
  'zones-by-name': {
    events: [
      'Outlook label | 2026-07-06T09:00:00-04:00 America/New_York | 1h',
      'Quoted label | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'Lotus | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'Path | 2026-07-06T09:00:00-03:00 America/Argentina/Buenos_Aires | 1h',
      'Evolution | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'Quoted | 2026-07-06T09:00:00+09:00 Asia/Tokyo | 1h',
      'Other case | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'Windows other case | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'Windows summer | 2026-07-06T09:00:00-04:00 America/New_York | 1h',
      'Offset | 2026-07-06T09:00:00+01:00 Etc/GMT-1 | 1h',
      'Offset with colon | 2026-07-06T09:00:00+02:00 Etc/GMT-2 | 1h',
      'Offset with half | 2026-07-06T09:00:00+05:30 Asia/Kolkata | 1h',
      'Label nobody knows | 2026-07-06T12:30:00Z UTC | 1h',
      'Customized | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'Nobody knows | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
    ],
    notes: [
      '“Label nobody knows” uses an unknown time zone, “(UTC-03:30) Nowhere in Particular”, so the offset in its name was used (UTC-03:30)',
      '“Customized” uses an unknown time zone, “Customized Time Zone”, so Europe/Berlin was used instead',
      '“Nobody knows” uses an unknown time zone, “Mars/Olympus”, so Europe/Berlin was used instead',
    ],
  },
  'zones-by-rules': {
    events: [
      'North | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'South | 2026-01-06T09:00:00+11:00 Australia/Sydney | 1h | RRULE:FREQ=MONTHLY;COUNT=5',
      'Lotus | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'Label | 2026-07-06T09:00:00-04:00 America/New_York | 1h',
      'Name against rules | 2026-07-06T09:00:00+03:00 Etc/GMT-3 | 1h',
      'Own name, other case | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'World against rules | 2026-07-06T09:00:00+02:00 Europe/Berlin | 1h',
      'No zone of the world | 2026-07-06T07:43:00Z UTC | 1h',
      'Rules of no zone | 2026-07-06T09:00:00+02:00 Etc/GMT-2 | 1h | RRULE:FREQ=WEEKLY;COUNT=3',
    ],
    notes: [
      '“World against rules” defines its own rules for the time zone Europe/Berlin, but the standard rules were used',
      '“No zone of the world” uses a custom time zone, “Ship”, and was imported at UTC+01:17',
      '“Rules of no zone” uses a custom time zone, “Summer in June”, and was imported at UTC+02:00',
    ],
  },
}

describe('calendar files of other programs', () => {
  it.each(Object.keys(table))('%s', async (name) => {
    const { events, notes } = await read(name)
    expect({ events, notes }).toEqual(table[name])
  })

  it('are all in the table', () => {
    expect(readdirSync(folder).sort()).toEqual(
      Object.keys(table)
        .map((name) => `${name}.ics`)
        .sort(),
    )
  })
})

describe('other than times', () => {
  it('a reply updates its invitation', async () => {
    expect((await read('invitation')).raw[0]).toMatchObject({
      attendees: [{ email: 'mina@example.com', responseStatus: 'accepted' }],
      organizer: { email: 'boss@example.com' },
    })
  })

  it('texts, class, and busy status are kept, and a 1,200-character UID gets a stable short one', async () => {
    const [first, again] = [await read('texts'), await read('texts')]
    expect(first.raw[0]).toMatchObject({
      summary: 'a, b; c\\ d\ne',
      description: '<p>rich, text</p>',
      transparency: 'transparent',
      visibility: 'confidential',
    })
    expect(String(first.raw[0]!['iCalUID'])).toMatch(/^[0-9a-f]{32}@/)
    expect(again.raw).toEqual(first.raw)
    expect((await read('outlook')).raw.map(({ transparency }) => transparency)).toEqual([
      'transparent',
      ...Array<undefined>(3),
    ])
  })

  it('an unfolded text is joined', async () => {
    expect((await read('bad-folding')).raw[0]!['description']).toBe(
      'First line\nsecond line\nNote: a third, with a colon',
    )
  })

  it('alarms of every type fire on time, and guests keep their responses', async () => {
    const [alarms, guests] = (await read('alarms-and-guests')).raw
    expect(alarms!['reminders']).toEqual({
      useDefault: false,
      overrides: [
        { method: 'popup', minutes: 15 },
        { method: 'email', minutes: 1_440 },
        { method: 'popup', minutes: 30 },
      ],
    })
    expect(guests!['attendees']).toEqual([
      {
        email: 'j@example.com',
        displayName: "Doe, J: 'x'",
        responseStatus: 'tentative',
        optional: true,
        additionalGuests: 2,
      },
      { email: 'room@example.com', responseStatus: 'needsAction', resource: true },
    ])
  })

  it("an old phone's alarm, busy status, and guests are kept", async () => {
    const { raw } = await read('old-phone')
    expect(raw[0]).toMatchObject({
      transparency: 'transparent',
      reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 15 }] },
    })
    expect(raw[5]!['attendees']).toEqual([
      { email: 'mina@example.com', displayName: 'Mina', responseStatus: 'accepted' },
    ])
  })
})
