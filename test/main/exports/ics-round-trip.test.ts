import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#shared/json'
import { instantOf, type EventTime } from '#shared/time/event-time'
import { occurrences, type Series } from '#shared/time/recurrence'
import { compactUtc, dateOfWall, rfc3339 } from '#shared/time/zones'
import { readIcs } from '../../../src-main/exports/ics-read'
import { icsChunks } from '../../../src-main/exports/ics-write'
import { cases } from '../../helpers/ring'

const dayMs = 86_400_000
const hourMs = 3_600_000
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'America/Santiago',
  'Etc/GMT-3',
]

/** What you type, and what breaks files: separators, quotes, folds, line breaks, multi-unit characters. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          ',',
          ';',
          ':',
          '\\',
          '"',
          "'",
          '^',
          '\n',
          '\t',
          ' ',
          '=',
          '\\n',
          '\\,',
          '^n',
          '&',
          '<',
          '>',
          '%',
          '🛫',
          'ä',
        ],
        ...['\u0301', '\u200d', '\u2028', '\u00a0', '\u0085', 'BEGIN:VEVENT', 'END:VEVENT', 'x'.repeat(80), '=C3'],
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((pieces) => pieces.join(''))
  .filter((value) => value.trim() !== '')

const rule = fc.constantFrom(
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3;COUNT=9',
  'FREQ=WEEKLY;WKST=SU;INTERVAL=2;BYDAY=MO,SU',
  'FREQ=MONTHLY;BYMONTHDAY=-1,15',
  'FREQ=MONTHLY;BYDAY=2TU,-1FR;COUNT=11',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
  'FREQ=YEARLY;BYWEEKNO=20',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
  'FREQ=HOURLY;INTERVAL=5;COUNT=20',
)

interface Plan {
  at: number
  length: number
  zone: string
  endZone: string
  allDay: boolean
  rule: string | undefined
  changed: number[]
  cancelled: number[]
  extra: number[]
  content: JsonObject
}

const optional = { requiredKeys: [] as [] }
const content = fc
  .record(
    {
      summary: text,
      description: text,
      location: text,
      transparency: fc.constant('transparent'),
      visibility: fc.constantFrom('private', 'public', 'confidential'),
      colorId: fc.constantFrom('1', '11'),
      attendees: fc.array(
        fc.record(
          {
            email: fc.constantFrom('a@example.com', 'b.c+d@example.org'),
            displayName: text,
            responseStatus: fc.constantFrom('needsAction', 'accepted', 'declined', 'tentative'),
            optional: fc.constant(true),
            comment: text,
          },
          { requiredKeys: ['email', 'responseStatus'] },
        ),
        { minLength: 1, maxLength: 2 },
      ),
      reminders: fc.record({
        useDefault: fc.constant(false),
        overrides: fc.array(
          fc.record({ method: fc.constantFrom('popup', 'email'), minutes: fc.integer({ min: 0, max: 40_320 }) }),
          { minLength: 1, maxLength: 5 },
        ),
      }),
    },
    optional,
  )
  .map((value) => value as unknown as JsonObject)

const plan: fc.Arbitrary<Plan> = fc.record({
  // Minutes in eleven years, and the hours around clock changes.
  at: fc
    .oneof(
      fc.integer({ min: Date.UTC(2019, 0, 1) / 60_000, max: Date.UTC(2030, 0, 1) / 60_000 }),
      fc.integer({ min: Date.UTC(2026, 9, 24, 22) / 60_000, max: Date.UTC(2026, 9, 25, 4) / 60_000 }),
      fc.integer({ min: Date.UTC(2026, 2, 28, 22) / 60_000, max: Date.UTC(2026, 2, 29, 4) / 60_000 }),
    )
    .map((minutes) => minutes * 60_000),
  length: fc.integer({ min: 0, max: 72 * 4 }).map((quarters) => (quarters * hourMs) / 4),
  zone: fc.constantFrom(...zones),
  endZone: fc.constantFrom(...zones),
  allDay: fc.boolean(),
  rule: fc.option(rule, { freq: 2, nil: undefined }),
  changed: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
  cancelled: fc.uniqueArray(fc.integer({ min: 6, max: 9 }), { maxLength: 2 }),
  extra: fc.array(fc.integer({ min: 400, max: 500 }), { maxLength: 2 }),
  content,
})

const time = (at: number, zone: string): JsonObject => ({ dateTime: rfc3339(at, zone), timeZone: zone })
const days = (from: number, count: number): [JsonObject, JsonObject] => [
  { date: dateOfWall(from) },
  { date: dateOfWall(from + count * dayMs) },
]

/** A series with changed and canceled occurrences, or a single event. */
function eventsOf(one: Plan, index: number): JsonObject[] {
  const allDay = one.allDay && !one.rule?.includes('HOURLY')
  const length = allDay ? 1 + Math.floor(one.length / dayMs) : one.length
  // A series in a file can't start in the second pass of a repeated hour.
  const at = one.rule
    ? Date.parse(rfc3339(one.at, one.zone)) - (isSecondPass(one.at, one.zone) ? 3 * hourMs : 0)
    : one.at
  const [start, end] = allDay
    ? days(at, length)
    : [time(at, one.zone), time(at + length, one.rule ? one.zone : one.endZone)]
  const id = `event${index}`
  const master: JsonObject = {
    ...one.content,
    id,
    iCalUID: `${id}@x`,
    status: 'confirmed',
    sequence: index,
    start,
    end,
  }
  if (!one.rule) return [master]
  const extra = one.extra.map((day) =>
    allDay ? dateOfWall(at + day * dayMs).replace(/-/g, '') : compactUtc(at + day * dayMs),
  )
  master['recurrence'] = [
    `RRULE:${one.rule}`,
    ...(extra.length > 0 ? [`RDATE${allDay ? ';VALUE=DATE' : ''}:${extra.join(',')}`] : []),
  ]
  const all = occurrences(master as unknown as Series, at - dayMs, at + 20 * 366 * dayMs, 12)
  const part = (place: number, value: JsonObject): JsonObject[] => {
    const occurrence = all[place]
    if (!occurrence) return []
    const original = occurrence.originalStart as unknown as JsonObject
    return [
      {
        ...value,
        id: `${id}_${occurrence.idSuffix}`,
        recurringEventId: id,
        iCalUID: `${id}@x`,
        originalStartTime: original,
      },
    ]
  }
  return [
    master,
    ...one.changed.flatMap((place) => {
      const moved = (all[place]?.start ?? 0) + 2 * dayMs
      const [from, to] = allDay ? days(moved, 2) : [time(moved, one.endZone), time(moved + hourMs, one.endZone)]
      return part(place, {
        ...one.content,
        status: 'confirmed',
        sequence: 1,
        summary: `Moved ${place}`,
        start: from,
        end: to,
      })
    }),
    ...one.cancelled.flatMap((place) => part(place, { status: 'cancelled' })),
  ]
}

const isSecondPass = (at: number, zone: string): boolean =>
  rfc3339(at, zone).slice(0, 19) === rfc3339(at - hourMs, zone).slice(0, 19) ||
  rfc3339(at, zone).slice(0, 19) === rfc3339(at - hourMs / 2, zone).slice(0, 19)

/** An event's meaning: instants, time zones, days, and all typed text. */
function meaning(event: JsonObject, gone: readonly JsonObject[]): unknown {
  const at = (value: unknown): unknown => {
    const { date, dateTime, timeZone } = value as EventTime
    if (date) return date
    const instant = instantOf(value as EventTime)
    return isSecondPass(instant, timeZone!) || timeZone === 'UTC' ? instant : `${dateTime} ${timeZone}`
  }
  const instants = (value: unknown): unknown => {
    const shown = at(value)
    return typeof shown === 'string' && shown.includes(' ') ? instantOf(value as EventTime) : shown
  }
  const ambiguous = [event['start'], event['end']].some((value) => typeof at(value) === 'number')
  const own = (name: string): unknown => event[name] ?? null
  const guests = Array.isArray(event['attendees']) ? event['attendees'].filter(isJsonObject) : []
  const from = instantOf(event['start'] as EventTime)
  const cut = new Set(gone.map((one) => instantOf(one['originalStartTime'] as EventTime)))
  return {
    uid: event['iCalUID'],
    sequence: event['sequence'],
    start: ambiguous ? instants(event['start']) : at(event['start']),
    end: ambiguous ? instants(event['end']) : at(event['end']),
    original: event['originalStartTime'] ? instants(event['originalStartTime']) : null,
    texts: ['summary', 'description', 'location'].map(own),
    flags: ['transparency', 'visibility', 'colorId', 'reminders'].map(own),
    guests: guests.map((guest) =>
      ['email', 'displayName', 'responseStatus', 'optional', 'comment'].map((name) => guest[name] ?? null),
    ),
    dates: event['recurrence']
      ? occurrences(event as unknown as Series, from - dayMs, from + 1_500 * dayMs, 200)
          .map(({ start }) => start)
          .filter((start) => !cut.has(start))
          .slice(0, 150)
      : null,
  }
}

/** Lines that give a parameter twice. Strict programs reject such a file. */
const repeating = (file: string): string[] =>
  file
    .replace(/\r\n /g, '')
    .split('\r\n')
    .filter((line) => {
      const names = [...(/^[^:"]*/.exec(line)?.[0] ?? '').matchAll(/;([^=;]+)=/g)].map(([, name]) => name)
      return new Set(names).size < names.length
    })

it('an export imports as the same events without notes', { timeout: 120_000 }, () => {
  let [events, series, changed] = [0, 0, 0]
  fc.assert(
    fc.property(fc.array(plan, { minLength: 1, maxLength: 4 }), fc.constantFrom(...zones), (plans, zone) => {
      const given = plans.flatMap(eventsOf)
      const gone = given.filter((event) => event['status'] === 'cancelled')
      const kept = given.filter((event) => event['status'] !== 'cancelled')
      const left: string[] = []
      const written = [
        ...icsChunks(
          { calendarName: 'Round trip', timeZone: zone, events: given },
          Date.UTC(2026, 0, 1),
          (title, why) => left.push(`${title}: ${why}`),
        ),
      ].join('')
      const read = readIcs(written, 'Asia/Tokyo')
      expect([left, read.notes, repeating(written)]).toEqual([[], [], []])
      expect(read.events.map((event) => meaning(event, []))).toEqual(
        kept.map((event) =>
          meaning(
            event,
            gone.filter((one) => one['recurringEventId'] === event['id']),
          ),
        ),
      )
      events += kept.length
      series += kept.filter((event) => event['recurrence']).length
      changed += kept.filter((event) => event['originalStartTime']).length
    }),
    { numRuns: cases(75, 300), seed: 20260610 },
  )
  expect(Math.min(events - 2 * cases(75, 300), series - cases(37, 150), changed - cases(37, 150))).toBeGreaterThan(0)
})
