import { readQuickAdd, type QuickEvent } from '#shared/domain/quick-add/event-line'
import { counted } from '../../ui/counted'
import { dayOf, durationText, minuteMs } from '../../ui/dates'
import { whenWords } from './event-labels'
import type { CalendarModel } from './model.svelte'
import { recurrenceWords } from './recurrence-form'

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
    weekStart: preferences.weekStart,
    calendars: model.calendars.filter(({ writable }) => writable).map(({ id, name }) => ({ id, name })),
  }
  const read = readQuickAdd(title, { ...context, now: clock.now })
  if (!read.event || read.parts.length === 0) return null
  if (read.parts.some(({ part }) => part === 'date' || part === 'repeat')) return read.event
  return readQuickAdd(title, { ...context, now: model.instant(dayOf(day)) }).event
}

/** Everything that an event in a title sets, in one line: time, recurrence, reminder, place, guests, and calendar. */
export function wordsOfEvent(model: CalendarModel, event: QuickEvent): string {
  const { recurrence, reminder, location, guests, calendarId, start } = event
  const span = model.spanOf(event)
  const parts = [
    span ? whenWords(span, model.words) : undefined,
    recurrence && recurrenceWords(recurrence, start),
    reminder === undefined ? undefined : `reminder ${durationText(reminder * minuteMs)} before`,
    location,
    guests.length === 1 ? `guest ${guests[0]}` : guests.length > 1 ? counted(guests.length, 'guest') : undefined,
    calendarId === undefined ? undefined : model.calendar(calendarId)?.name,
  ]
  return parts.filter(Boolean).join(', ')
}
