import { expect, it } from 'vitest'
import type { CalendarItem } from '../../../../src-renderer/replica/api'
import { eventsByDay } from '../../../../src-renderer/views/tasks/day-events'

const at = (text: string): number => Date.parse(text)
const item = (title: string, start: string, end: string, allDay = false): CalendarItem => ({
  itemKey: title,
  rowKey: title,
  calendarId: 'c',
  eventId: title,
  title,
  allDay,
  start: at(start),
  end: at(end),
  eventType: 'default',
  status: 'confirmed',
  transparent: false,
  recurring: false,
  mark: 'synced',
})

it('lists events on every day they touch, those without a time first', () => {
  const days = eventsByDay(
    [
      item('late', '2026-06-11T21:00:00Z', '2026-06-11T23:00:00Z'),
      item('early', '2026-06-11T06:00:00Z', '2026-06-11T07:00:00Z'),
      item('trip', '2026-06-10T00:00:00Z', '2026-06-13T00:00:00Z', true),
    ],
    at('2026-06-11T00:00:00Z'),
    at('2026-06-12T00:00:00Z'),
    'Europe/Berlin',
  )
  expect([...days].map(([day, events]) => [new Date(day).getUTCDate(), events.map(({ title }) => title)])).toEqual([
    [11, ['trip', 'early', 'late']],
    [12, ['late', 'trip']],
  ])
  expect(days.get(at('2026-06-11T00:00:00Z'))!.map(({ start }) => start && new Date(start).getUTCHours())).toEqual([
    null,
    8,
    23,
  ])
  expect(days.get(at('2026-06-12T00:00:00Z'))!.map(({ start }) => start)).toEqual([null, null])
})
