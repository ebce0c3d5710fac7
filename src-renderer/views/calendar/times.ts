import { instantOf, isAllDay, timeAtInstant, wallOf, type EventTime } from '#shared/time/event-time'
import { dateOfWall, instantOfWall, instantsOfWalls, wallOfInstant } from '#shared/time/zones'
import type { JsonObject } from '#shared/json'
import type { Event } from '#shared/wire/calendar/types'
import { clockText, dayMs, minuteMs } from '../../ui/dates'
import type { Span } from './layout/drag'
import type { Entry } from './layout/entry'

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

/** `09:00 in Tokyo`, for a start or end in another zone. Empty if both are in this one. */
export function placesOf({ start, end }: Times, zone: string, hour12: boolean): string {
  if (isAllDay(start)) return ''
  const said = (time: EventTime): string =>
    `${clockText(wallOf(time), hour12)} in ${time.timeZone!.replace(/^.*\//, '').replaceAll('_', ' ')}`
  const other = [start, end].filter((time) => time.timeZone !== undefined && time.timeZone !== zone)
  if (other.length === 2 && start.timeZone === end.timeZone) return said(start)
  return other.map(said).join(', ')
}

/** Start and end of the service for a span that the screen shows in `zone`. */
export function timesOfSpan(span: Span, zone: string): { start: JsonObject; end: JsonObject } {
  if (span.allDay)
    return {
      start: { date: dateOfWall(span.start) },
      end: { date: dateOfWall(Math.max(span.end, span.start + dayMs)) },
    }
  const { start, end } = instantsOfWalls(span.start, span.end, zone)
  return { start: { ...timeAtInstant(start, zone) }, end: { ...timeAtInstant(end, zone) } }
}

/** New start and end of an event for a span that the screen shows in `zone`: the event keeps its own zones. */
export function timePatch(event: Event, entry: Entry, span: Span, zone: string): JsonObject {
  if (span.allDay) return timesOfSpan(span, zone)
  const wasAllDay = isAllDay((event.start ?? {}) as EventTime)
  const startZone = wasAllDay ? zone : (event.start?.timeZone ?? zone)
  const endZone = wasAllDay ? zone : (event.end?.timeZone ?? startZone)
  const keepsStart = span.start === entry.start && !wasAllDay
  // An unchanged end stays the same instant, because its wall time may be ambiguous.
  const keepsEnd = span.end === entry.end && !wasAllDay
  const walls = instantsOfWalls(span.start, span.end, zone)
  const start = keepsStart ? entry.event!.start : walls.start
  const shortest = span.end > span.start ? start + minuteMs : start
  const end = Math.max(keepsEnd ? entry.event!.end : keepsStart ? instantOfWall(span.end, zone) : walls.end, shortest)
  return { start: { ...timeAtInstant(start, startZone) }, end: { ...timeAtInstant(end, endZone) } }
}
