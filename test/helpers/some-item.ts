import type { CalendarItem } from '../../src-renderer/replica/api'

/** A half-hour event of a calendar. */
export const someItem = (more: Partial<CalendarItem> = {}): CalendarItem => ({
  itemKey: 'k',
  rowKey: 'k',
  calendarId: 'team',
  eventId: 'e',
  title: 'Stand-up',
  allDay: false,
  start: Date.UTC(2026, 6, 14, 14),
  end: Date.UTC(2026, 6, 14, 14, 30),
  eventType: 'default',
  status: 'confirmed',
  transparent: false,
  recurring: false,
  mark: 'synced',
  ...more,
})
