import { instantOf, isAllDay, timeAtInstant, wallOf, type EventTime } from '#shared/time/event-time'
import { dateOfWall, instantsOfWalls, offsetAt, wallOfInstant } from '#shared/time/zones'
import type { JsonObject } from '#shared/json'
import type { Event } from '#shared/wire/calendar/types'
import { clockText, dayMs, minuteMs } from '../../ui/dates'
import type { Span } from './layout/drag'
import type { Entry } from './layout/entry'

interface Times {
  start: EventTime
  end: EventTime
}
interface Instants {
  start: number
  end: number
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

/** An instant, and the later one that a clock shows as the same time, if its hour is repeated. */
function passesOf(first: number, zone: string): number[] {
  const second = first + offsetAt(first, zone) - offsetAt(first + dayMs, zone)
  return second > first && wallOfInstant(second, zone) === wallOfInstant(first, zone) ? [first, second] : [first]
}

/**
 * The instants of a span on screen. In a repeated hour, it keeps its length, and if both passes do, the offset that it had.
 * @param kept what doesn’t change of an event’s instants
 */
function instantsOfSpan(span: Span, zone: string, kept: Partial<Instants> = {}, hadOffset?: number): Instants {
  const walls = instantsOfWalls(span.start, span.end, zone)
  const starts = kept.start === undefined ? passesOf(walls.start, zone) : [kept.start]
  const ends = kept.end === undefined ? passesOf(walls.end, zone) : [kept.end]
  const off = ({ start, end }: Instants): number => Math.abs(end - start - (span.end - span.start))
  const keeps = ({ start }: Instants): boolean => offsetAt(start, zone) === hadOffset
  const [best] = starts
    .flatMap((start) => ends.map((end) => ({ start, end })))
    .filter(({ start, end }) => end >= start)
    .sort((a, b) => off(a) - off(b) || Number(keeps(b)) - Number(keeps(a)))
  return best ?? { start: starts[0]!, end: ends[0]! }
}

/** Start and end of the service for a span that the screen shows in `zone`. */
export function timesOfSpan(span: Span, zone: string): { start: JsonObject; end: JsonObject } {
  if (span.allDay)
    return {
      start: { date: dateOfWall(span.start) },
      end: { date: dateOfWall(Math.max(span.end, span.start + dayMs)) },
    }
  const { start, end } = instantsOfSpan(span, zone)
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
  const had = entry.event!
  const kept = { ...(keepsStart && { start: had.start }), ...(keepsEnd && { end: had.end }) }
  const { start, end: ends } = instantsOfSpan(span, zone, kept, wasAllDay ? undefined : offsetAt(had.start, zone))
  const end = Math.max(ends, span.end > span.start ? start + minuteMs : start)
  return { start: { ...timeAtInstant(start, startZone) }, end: { ...timeAtInstant(end, endZone) } }
}
