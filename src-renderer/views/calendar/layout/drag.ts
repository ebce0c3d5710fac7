import { dayMs, dayOf, minuteMs } from '../../../ui/dates'

/** Start and end in wall time. For all-day entries, midnights with an exclusive `end`. */
export interface Span {
  start: number
  end: number
  /** What the clock shows at the end. Absent unless it was set back in between, so that this isn't `end`. */
  clockEnd?: number
  allDay: boolean
}

/** Pointer position: a time column, the all-day lane, or a day of the month, which keeps times. */
export interface Spot {
  day: number
  lane: 'time' | 'allDay' | 'day'
  /** Minutes after midnight in lane `time`. */
  minute: number
}

/** A grid that entries are dragged over. */
export interface Surface {
  /** The place under a point of the window, or null outside the surface and a margin around it. */
  locate(x: number, y: number): Spot | null
  /** Scrolled while the pointer is near its edges. */
  scroller?: () => HTMLElement | null
  create(span: Span): void
}

export type Grip = 'create' | 'move' | 'start' | 'end'

export const snapMinutes = 15
const snap = (minutes: number): number => Math.round(minutes / snapMinutes) * snapMinutes
const snapDown = (minutes: number): number => Math.floor(minutes / snapMinutes) * snapMinutes
const at = (spot: Spot, minute: number): number => spot.day + minute * minuteMs
const minDuration = snapMinutes * minuteMs

/** The result of dragging `span` from one spot to another. `create` ignores `span`. */
export function dragged(grip: Grip, span: Span, from: Spot, to: Spot, defaultMinutes: number): Span {
  if (grip === 'create') return created(from, to)
  if (grip === 'move') return moved(span, from, to, defaultMinutes)
  if (span.allDay || to.lane !== 'time') return stretchedByDays(grip, span, to)
  const wall = at(to, snap(to.minute))
  return grip === 'end'
    ? { ...span, end: Math.max(wall, span.start + minDuration) }
    : { ...span, start: Math.min(wall, span.end - minDuration) }
}

function created(from: Spot, to: Spot): Span {
  if (from.lane !== 'time') {
    const [first, last] = [Math.min(from.day, to.day), Math.max(from.day, to.day)]
    return { start: first, end: last + dayMs, allDay: true }
  }
  const a = at(from, snapDown(from.minute))
  const b = to.lane === 'time' ? at(to, snapDown(to.minute)) : at({ ...to, day: to.day }, 0)
  return b >= a ? { start: a, end: b + minDuration, allDay: false } : { start: b, end: a + minDuration, allDay: false }
}

function moved(span: Span, from: Spot, to: Spot, defaultMinutes: number): Span {
  const days = to.day - from.day
  // Long events with times are in the all-day lane, too.
  if (to.lane === 'day' || (to.lane === 'allDay' && (span.allDay || from.lane === 'allDay')))
    return { ...span, start: span.start + days, end: span.end + days }
  if (to.lane === 'allDay') {
    const length = Math.max(1, Math.round((dayOf(span.end - 1) - dayOf(span.start)) / dayMs) + 1)
    return { start: to.day, end: to.day + length * dayMs, allDay: true }
  }
  if (span.allDay || from.lane !== 'time') {
    const start = at(to, snapDown(to.minute))
    const length = span.allDay ? defaultMinutes * minuteMs : span.end - span.start
    return { start, end: start + length, allDay: false }
  }
  const delta = days + (to.minute - from.minute) * minuteMs
  const start = dayOf(span.start + delta) + snap((span.start + delta - dayOf(span.start + delta)) / minuteMs) * minuteMs
  return { ...span, start, end: start + (span.end - span.start) }
}

/** The time, or the day, that a task gets where it’s dropped. */
export function planned(to: Spot, defaultMinutes: number): Span {
  if (to.lane !== 'time') return { start: to.day, end: to.day + dayMs, allDay: true }
  const start = at(to, Math.min(snapDown(to.minute), 24 * 60 - snapMinutes))
  return { start, end: start + defaultMinutes * minuteMs, allDay: false }
}

function stretchedByDays(grip: 'start' | 'end', span: Span, to: Spot): Span {
  if (span.allDay) {
    return grip === 'end'
      ? { ...span, end: Math.max(to.day + dayMs, span.start + dayMs) }
      : { ...span, start: Math.min(to.day, span.end - dayMs) }
  }
  const timeOfDay = (wall: number): number => wall - dayOf(wall)
  return grip === 'end'
    ? { ...span, end: Math.max(to.day + timeOfDay(span.end), span.start + minDuration) }
    : { ...span, start: Math.min(to.day + timeOfDay(span.start), span.end - minDuration) }
}

/** How far several entries move, in milliseconds: whole days, and `by` those that have a time. */
export interface Shift {
  days: number
  by: number
}
/** How far an entry was moved. */
export const shiftOf = (from: Pick<Span, 'start'>, to: Pick<Span, 'start'>): Shift => ({
  days: dayOf(to.start) - dayOf(from.start),
  by: to.start - from.start,
})
export const shifted = ({ start, end, allDay }: Span, { days, by }: Shift): Span => {
  const far = allDay ? days : by
  return { start: start + far, end: end + far, allDay }
}

/** Moving by key: a quarter of an hour or a day at a time. */
export function nudged(span: Span, grip: 'move' | 'end', minutes: number, days: number): Span {
  const by = minutes * minuteMs + days * dayMs
  if (grip === 'move') return { ...span, start: span.start + by, end: span.end + by }
  const shortest = span.allDay ? dayMs : minDuration
  return { ...span, end: Math.max(span.end + by, span.start + shortest) }
}
