import { instantOf, isAllDay, timeAtInstant, wallOf, type EventTime } from '#shared/time/event-time'
import { dateOfWall, instantOfWall, instantsOfWalls, offsetAt, sameZone, wallOfInstant } from '#shared/time/zones'
import type { JsonObject } from '#shared/json'
import type { Event } from '#shared/wire/calendar/types'
import { cityOf } from '../../context/zone-choices'
import { clockText, dayMs, minuteMs } from '../../ui/dates'
import { nudged, type Span } from './layout/drag'
import { spanOnScreen, type Entry } from './layout/entry'

interface Times {
  start: EventTime
  end: EventTime
}
export interface Instants {
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
  const said = (time: EventTime): string => `${clockText(wallOf(time), hour12)} in ${cityOf(time.timeZone!)}`
  const other = [start, end].filter((time) => time.timeZone !== undefined && !sameZone(time.timeZone, zone))
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
export function instantsOfSpan(
  span: Omit<Span, 'allDay'>,
  zone: string,
  kept: Partial<Instants> = {},
  hadOffset?: number,
): Instants {
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

/** Start and end of the service for a span that the screen shows in `zone`, in the time zones of `like` if it has any. */
export function timesOfSpan(
  span: Span,
  zone: string,
  like: Partial<Times> = {},
): { start: JsonObject; end: JsonObject } {
  if (span.allDay)
    return {
      start: { date: dateOfWall(span.start) },
      end: { date: dateOfWall(Math.max(span.end, span.start + dayMs)) },
    }
  const { start, end } = instantsOfSpan(span, zone)
  const startZone = like.start?.timeZone ?? zone
  return {
    start: { ...timeAtInstant(start, startZone) },
    end: { ...timeAtInstant(end, like.end?.timeZone ?? startZone) },
  }
}

/** Instants of an event with another start and the same elapsed length, even across a clock change. */
export function instantsOfLength(span: Omit<Span, 'allDay'>, zone: string, had: Instants): Instants {
  const length = had.end - had.start
  const drawnOff = (from: number): number => Math.abs(wallOfInstant(from + length, zone) - span.end)
  const keeps = (from: number): boolean => offsetAt(from, zone) === offsetAt(had.start, zone)
  const [from] = passesOf(instantOfWall(span.start, zone), zone).sort(
    (a, b) => drawnOff(a) - drawnOff(b) || Number(keeps(b)) - Number(keeps(a)),
  )
  return { start: from!, end: from! + length }
}

/**
 * Instants of an event at another span on screen. A moved event of less than a day keeps its elapsed length, even across a
 * clock change.
 */
function movedInstants({ event, start, end, allDay, bar }: Entry, span: Span, zone: string): Instants {
  if (allDay) return instantsOfSpan(span, zone)
  const had = event!
  const offset = offsetAt(had.start, zone)
  if (!bar && span.start !== start && span.end - span.start === end - start) return instantsOfLength(span, zone, had)
  // An unchanged start or end stays the same instant, because its wall time may be ambiguous.
  const kept = { ...(span.start === start && { start: had.start }), ...(span.end === end && { end: had.end }) }
  const moved = instantsOfSpan(span, zone, kept, offset)
  return { start: moved.start, end: Math.max(moved.end, span.end > span.start ? moved.start + minuteMs : moved.start) }
}

/** The span on screen at which an entry that’s dragged to `span` ends up. */
export function landing(entry: Entry, span: Span, zone: string): Span {
  if (!entry.event || span.allDay) return span
  const { start, end } = movedInstants(entry, span, zone)
  const from = wallOfInstant(start, zone)
  return spanOnScreen(from, wallOfInstant(end, zone), end - start)
}

/** Moves by key. An earlier time that’s skipped is as much before the gap. */
export function nudgedIn(zone: string, entry: Entry, grip: 'move' | 'end', minutes: number, days: number): Span {
  const span = nudged(entry, grip, minutes, days)
  const edge = grip === 'move' ? 'start' : 'end'
  const gap = landing(entry, span, zone)[edge] - span[edge]
  return minutes < 0 && gap > 0 ? nudged(entry, grip, minutes - gap / minuteMs, days) : span
}

/** New start and end of an event for a span that the screen shows in `zone`: the event keeps its own zones. */
export function timePatch(event: Event, entry: Entry, span: Span, zone: string): JsonObject {
  if (span.allDay) return timesOfSpan(span, zone)
  const startZone = entry.allDay ? zone : (event.start?.timeZone ?? zone)
  const endZone = entry.allDay ? zone : (event.end?.timeZone ?? startZone)
  const { start, end } = movedInstants(entry, span, zone)
  return { start: { ...timeAtInstant(start, startZone) }, end: { ...timeAtInstant(end, endZone) } }
}
