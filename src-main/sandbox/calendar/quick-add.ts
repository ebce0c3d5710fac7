import { readQuickAdd, sayWhen } from '#shared/domain/quick-add/event-line'
import { rfc3339 } from '#shared/time/zones'
import type { Event } from '#shared/wire/calendar/types'
import { invalid } from '../problems'

const hourMs = 3_600_000

/**
 * Reads an event in a zone from a text such as "Lunch with Mina tomorrow 12:30-13:15 at Canteen". Without a time of day, it
 * lasts all day. Without any date, it starts now and lasts an hour. @throws Problem 400 if the text is unclear
 */
export function readQuickText(text: string, now: number, zone: string): Event {
  const { event, problem } = readQuickAdd(text, { now, zone, defaultMinutes: 60, calendars: [] })
  if (event) {
    const { summary, start, end, location, recurrence, reminder, guests } = event
    return {
      summary,
      start,
      end,
      ...(location && { location }),
      ...(recurrence && { recurrence }),
      ...(reminder !== undefined && {
        reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: reminder }] },
      }),
      ...(guests.length > 0 && { attendees: guests.map((email) => ({ email })) }),
    }
  }
  if (problem !== null && problem !== sayWhen) throw invalid(problem, 'text')
  const at = (instant: number): Event['start'] => ({ dateTime: rfc3339(instant, zone), timeZone: zone })
  return { summary: text.replace(/\s+/g, ' ').trim() || '(No title)', start: at(now), end: at(now + hourMs) }
}
