import { describe, expect, it } from 'vitest'
import { readQuickAdd, type QuickAddContext } from '#shared/domain/quick-add/event-line'
import type { EventTime } from '#shared/time/event-time'
import { elsewhere, phrases } from './phrases'

const context: QuickAddContext = {
  now: Date.parse('2026-11-21T11:00:00+01:00'),
  zone: 'Europe/Berlin',
  defaultMinutes: 30,
  calendars: [
    { id: 'team', name: 'Team' },
    { id: 'me', name: 'Nora Lind' },
  ],
}
const timeText = (time: EventTime, zone: string): string =>
  time.date ?? `${time.dateTime!.slice(0, 16).replace('T', ' ')}${time.timeZone === zone ? '' : ` ${time.timeZone}`}`

function reading(line: string, around = context): string {
  const { event, problem } = readQuickAdd(line, around)
  if (!event) return `? ${problem ?? ''}`
  return [
    event.summary,
    `${timeText(event.start, around.zone)}..${timeText(event.end, around.zone)}`,
    ...(event.recurrence ?? []).map((rule) => rule.replace('RRULE:', '')),
    event.location && `@${event.location}`,
    event.calendarId && `/${event.calendarId}`,
    ...event.guests,
    event.reminder !== undefined && `${event.reminder} min before`,
    event.past,
  ]
    .filter(Boolean)
    .join(' | ')
}

describe('quick add parses, asks, or rejects', () => {
  it.each(phrases)('%s', (line, expected) => {
    if (expected.startsWith('?')) expect(reading(line).slice(0, expected.length)).toBe(expected)
    else expect(reading(line)).toBe(expected)
  })

  it('has over 200 unique phrases', () => {
    expect(new Set(phrases.map(([line]) => line)).size).toBe(phrases.length)
    expect(phrases.length).toBeGreaterThan(212)
  })
})

describe.each(elsewhere)('quick add at $now in $zone', ({ phrases: some, ...moment }) => {
  it.each(some)('%s', (line, expected) => {
    const got = reading(line, { ...context, ...moment })
    expect(expected === '?' ? got.slice(0, 1) : got).toBe(expected)
  })
})
