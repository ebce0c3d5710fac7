import { describe, expect, it } from 'vitest'
import { readQuickAdd, type QuickAddContext } from '#shared/domain/quick-add/read'
import type { EventTime } from '#shared/time/event-time'
import { phrases } from './phrases'

const context: QuickAddContext = {
  now: Date.parse('2026-11-21T11:00:00+01:00'),
  zone: 'Europe/Berlin',
  defaultMinutes: 30,
  calendars: [
    { id: 'team', name: 'Team' },
    { id: 'me', name: 'Nora Lind' },
  ],
}
const timeText = (time: EventTime): string =>
  time.date ??
  `${time.dateTime!.slice(0, 16).replace('T', ' ')}${time.timeZone === context.zone ? '' : ` ${time.timeZone}`}`

function reading(line: string): string {
  const { event, problem } = readQuickAdd(line, context)
  if (!event) return `? ${problem ?? ''}`
  return [
    event.summary,
    `${timeText(event.start)}..${timeText(event.end)}`,
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

describe('quick add reads, asks or refuses', () => {
  it.each(phrases)('%s', (line, expected) => {
    if (expected.startsWith('?')) expect(reading(line).slice(0, expected.length)).toBe(expected)
    else expect(reading(line)).toBe(expected)
  })

  it('more than two hundred phrases, none twice', () => {
    expect(new Set(phrases.map(([line]) => line)).size).toBe(phrases.length)
    expect(phrases.length).toBeGreaterThan(212)
  })
})
