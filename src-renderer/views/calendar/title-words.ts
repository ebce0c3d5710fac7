import { readQuickAdd, type QuickEvent } from '#shared/domain/quick-add/read'
import { dayOf } from '../../ui/dates'
import type { CalendarModel } from './model.svelte'

/**
 * The event that a title describes, or null if it’s only a title.
 * @param day wall midnight that a time without a date belongs to
 */
export function eventInTitle(model: CalendarModel, title: string, day: number): QuickEvent | null {
  const { clock, preferences } = model.app
  const context = {
    zone: model.zone,
    defaultMinutes: preferences.eventLength,
    hour12: model.words.hour12,
    calendars: model.calendars.filter(({ writable }) => writable).map(({ id, name }) => ({ id, name })),
  }
  const read = readQuickAdd(title, { ...context, now: clock.now })
  if (!read.event || read.parts.length === 0) return null
  if (read.parts.some(({ part }) => part === 'date' || part === 'repeat')) return read.event
  return readQuickAdd(title, { ...context, now: model.instant(dayOf(day)) }).event
}
