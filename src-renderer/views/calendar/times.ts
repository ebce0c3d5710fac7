import { instantOf, isAllDay, wallOf, type EventTime } from '#shared/time/event-time'
import { wallOfInstant } from '#shared/time/zones'
import { clockText } from '../../ui/dates'
import type { Span } from './layout/drag'

interface Times {
  start: EventTime
  end: EventTime
}

/** The span on screen of an event's times, as the clock of `zone` shows them. */
export function spanOfTimes({ start, end }: Times, zone: string): Span {
  const allDay = isAllDay(start)
  const wall = (time: EventTime): number => (allDay ? instantOf(time) : wallOfInstant(instantOf(time), zone))
  return { start: wall(start), end: wall(end), allDay }
}

/** `09:00 in Tokyo`, for a start or end that is written in another zone; empty where both are in this one. */
export function placesOf({ start, end }: Times, zone: string, hour12: boolean): string {
  if (isAllDay(start)) return ''
  const said = (time: EventTime): string =>
    `${clockText(wallOf(time), hour12)} in ${time.timeZone!.replace(/^.*\//, '').replaceAll('_', ' ')}`
  const other = [start, end].filter((time) => time.timeZone !== undefined && time.timeZone !== zone)
  if (other.length === 2 && start.timeZone === end.timeZone) return said(start)
  return other.map(said).join(', ')
}
