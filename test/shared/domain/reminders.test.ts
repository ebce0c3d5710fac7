import { describe, expect, it } from 'vitest'
import {
  allDayWall,
  awayWords,
  eventReminders,
  isQuiet,
  leadMinutes,
  spanWords,
  taskReminder,
} from '#shared/domain/reminders'
import { rfc3339, wallOfText } from '#shared/time/zones'

const minute = 60_000
const hour = 60 * minute

describe('the minutes of an event’s reminders', () => {
  const defaults = [
    { method: 'popup', minutes: 30 },
    { method: 'email', minutes: 600 },
  ]
  it('are those of its calendar unless it has its own', () => {
    expect(leadMinutes(undefined, defaults)).toEqual([30])
    expect(leadMinutes({ useDefault: true }, defaults)).toEqual([30])
    expect(leadMinutes({ useDefault: false }, defaults)).toEqual([])
    const overrides = [
      { method: 'popup', minutes: 10 },
      { method: 'popup', minutes: 0 },
      { method: 'email', minutes: 5 },
    ]
    expect(leadMinutes({ useDefault: false, overrides }, defaults)).toEqual([0, 10])
  })

  it('come each once, and leave out what isn’t a number of minutes', () => {
    const overrides = [
      { minutes: 10 },
      { minutes: 10 },
      { minutes: -1 },
      { minutes: 1.5 },
      { minutes: 50_000 },
      null,
      'x',
    ]
    expect(leadMinutes({ useDefault: false, overrides: overrides as never }, null)).toEqual([10])
    expect(leadMinutes(undefined, 'soon')).toEqual([])
  })
})

describe('reminders ring', () => {
  it('before a timed event, at the same instant in every zone', () => {
    const start = Date.parse('2026-06-10T09:00:00+02:00')
    const event = { item: 'a', start, allDay: false }
    const times = eventReminders(event, [0, 10], 'Europe/Berlin')
    expect(times.map(({ at }) => at)).toEqual([start, start - 10 * minute])
    expect(eventReminders(event, [0, 10], 'America/New_York')).toEqual(times)
  })

  it('for an all-day event at 9:00 of the day or 17:00 of a day before, never at night', () => {
    const day = wallOfText('2026-06-10')
    const at = (minutes: number): string => new Date(allDayWall(day, minutes)).toISOString().slice(0, 16)
    expect(at(0)).toBe('2026-06-10T09:00')
    expect(at(10)).toBe('2026-06-10T09:00')
    expect(at(30)).toBe('2026-06-10T09:00')
    expect(at(1440)).toBe('2026-06-09T17:00')
    expect(at(2 * 1440)).toBe('2026-06-08T17:00')
    // Chosen for the day before.
    expect(at(15 * 60)).toBe('2026-06-09T09:00')
    expect(at(7 * 60)).toBe('2026-06-09T17:00')
    for (let minutes = 0; minutes <= 40_320; minutes += 5) {
      const hourOfDay = new Date(allDayWall(day, minutes)).getUTCHours()
      expect(hourOfDay).toBeGreaterThanOrEqual(7)
      expect(hourOfDay).toBeLessThan(22)
    }
  })

  it('of an all-day event once if two would ring together', () => {
    const event = { item: 'a', start: wallOfText('2026-06-10'), allDay: true }
    expect(eventReminders(event, [0, 10], 'Europe/Berlin')).toHaveLength(1)
  })

  it('of an all-day event and of a task at the time of each zone, with the same key', () => {
    const day = wallOfText('2026-03-29')
    const berlin = eventReminders({ item: 'a', start: day, allDay: true }, [0], 'Europe/Berlin')
    const york = eventReminders({ item: 'a', start: day, allDay: true }, [0], 'America/New_York')
    expect(berlin[0]!.key).toBe(york[0]!.key)
    // The clocks change on this day in Berlin.
    expect(rfc3339(berlin[0]!.at, 'Europe/Berlin')).toBe('2026-03-29T09:00:00+02:00')
    expect(rfc3339(york[0]!.at, 'America/New_York')).toBe('2026-03-29T09:00:00-04:00')
    expect(rfc3339(taskReminder('t', day, 540, 'Europe/Berlin').at, 'Europe/Berlin')).toBe('2026-03-29T09:00:00+02:00')
  })

  it('again for an event that moved, with another key', () => {
    const start = Date.parse('2026-06-10T09:00:00Z')
    const keyAt = (at: number): string => eventReminders({ item: 'a', start: at, allDay: false }, [10], 'UTC')[0]!.key
    expect(keyAt(start)).not.toBe(keyAt(start + hour))
  })
})

it('how far away an event is reads as people say it', () => {
  const start = Date.parse('2026-06-10T09:00:00Z')
  const about = { start, end: start + hour, allDay: false }
  expect(awayWords(about, start - 10 * minute)).toBe('in 10 min')
  expect(awayWords(about, start - 90 * minute)).toBe('in 1 h 30 min')
  expect(awayWords(about, start - 48 * hour)).toBe('in 2 days')
  expect(awayWords(about, start)).toBe('now')
  expect(awayWords(about, start + 7 * minute)).toBe('started 7 min ago')
  expect(awayWords(about, start + 2 * hour)).toBe('ended')
  const allDay = { start, end: start + 24 * hour, allDay: true }
  const task = { start: start + 9 * hour, end: start + 24 * hour, allDay: false, kind: 'task' } as const
  expect([20, 24].map((hours) => awayWords(task, start + hours * hour))).toEqual(['due today', 'overdue'])
  expect(awayWords(allDay, start + 9 * hour)).toBe('today')
  expect(awayWords(allDay, start - 7 * hour)).toBe('tomorrow')
  expect(awayWords(allDay, start - 31 * hour)).toBe('in 2 days')
  expect(spanWords(24 * hour)).toBe('1 day')
})

it('quiet hours may go past midnight', () => {
  const night = { from: 22 * 60, to: 7 * 60 }
  expect([21 * 60, 22 * 60, 0, 419, 420].map((at) => isQuiet(night, at))).toEqual([false, true, true, true, false])
  const noon = { from: 720, to: 780 }
  expect([719, 720, 779, 780].map((at) => isQuiet(noon, at))).toEqual([false, true, true, false])
  expect(isQuiet(null, 0)).toBe(false)
})
