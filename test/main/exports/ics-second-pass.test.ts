import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { occurrences, type Series } from '#shared/time/recurrence'
import { instantOf, type EventTime } from '#shared/time/event-time'
import { icsChunks } from '../../../src-main/exports/ics-write'
import { readIcs } from '../../../src-main/exports/ics-read'

const zone = 'Europe/Berlin'
const at = (dateTime: string): JsonObject => ({ dateTime, timeZone: zone })
// On 25 October 2026, the hour from 2:00 to 3:00 occurs twice.
const nightly: JsonObject = {
  id: 'nightly',
  iCalUID: 'nightly@x',
  summary: 'Backup',
  status: 'confirmed',
  start: at('2026-10-25T02:30:00+01:00'),
  end: at('2026-10-25T02:45:00+01:00'),
  recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
}
const instant = (time: unknown): number => instantOf(time as EventTime)
const text = (when: number): string => new Date(when).toISOString().slice(0, 16)

/** Starts and ends of all occurrences, as the file's reader sees them. */
function read(events: JsonObject[]): string[] {
  const file = [...icsChunks({ calendarName: 'C', timeZone: zone, events }, 0)].join('')
  const found = readIcs(file, zone).events
  const master = found.find((event) => event['recurrence'])!
  const exceptions = found.filter((event) => event !== master)
  const replaced = new Set(exceptions.map((event) => instant(event['originalStartTime'])))
  return [
    ...occurrences(master as unknown as Series, 0, 8.64e15).filter(({ start }) => !replaced.has(start)),
    ...exceptions
      .filter((event) => event['status'] !== 'cancelled')
      .map((event) => ({ start: instant(event['start']), end: instant(event['end']) })),
  ]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end }) => `${text(start)} ${(end - start) / 60_000} min`)
}

describe('a series that starts in the second pass of a repeated hour', () => {
  it('keeps its instants in a file', () => {
    expect(read([nightly])).toEqual(['2026-10-25T01:30 15 min', '2026-10-26T01:30 15 min', '2026-10-27T01:30 15 min'])
  })

  it('keeps a moved or canceled first occurrence', () => {
    const first = {
      id: 'nightly_20261025T013000Z',
      iCalUID: 'nightly@x',
      recurringEventId: 'nightly',
      originalStartTime: nightly['start']!,
      summary: 'Backup',
    }
    const moved = {
      ...first,
      status: 'confirmed',
      start: at('2026-10-25T09:00:00+01:00'),
      end: at('2026-10-25T10:00:00+01:00'),
    }
    expect(read([nightly, moved])).toEqual([
      '2026-10-25T08:00 60 min',
      '2026-10-26T01:30 15 min',
      '2026-10-27T01:30 15 min',
    ])
    expect(read([nightly, { ...first, status: 'cancelled' }])).toEqual([
      '2026-10-26T01:30 15 min',
      '2026-10-27T01:30 15 min',
    ])
  })

  it('in the first pass is written as usual', () => {
    const early = { ...nightly, start: at('2026-10-25T02:30:00+02:00'), end: at('2026-10-25T02:45:00+02:00') }
    expect(read([early])[0]).toBe('2026-10-25T00:30 15 min')
  })
})
