import { dayFrom, dayMs, yearOf } from '../../../ui/dates'

/** Days on an axis: the first one, the day after the last one (walls of midnights), and the width of each in CSS pixels. */
export interface Scale {
  first: number
  last: number
  perDay: number
}

/** Widths of a day in CSS pixels: the narrowest, the widest, and those of the named zoom levels. */
export const narrowestDay = 0.75
export const widestDay = 56
export const zoomStep = 1.5

export const xOf = ({ first, perDay }: Scale, wall: number): number => ((wall - first) / dayMs) * perDay
export const wallAt = ({ first, perDay }: Scale, x: number): number => first + (x / perDay) * dayMs
export const widthOf = ({ first, last, perDay }: Scale): number => ((last - first) / dayMs) * perDay

export const clampedDay = (perDay: number): number => Math.max(narrowestDay, Math.min(widestDay, perDay))

/** Years before and after today that the axis reaches at most: the width of an element is limited, and a mistyped year isn't. */
const maxYears = 15

/**
 * Whole years around today and all flights, so that an edit seldom changes them.
 * @param flights the stretch of all flights (walls), if there are any
 * @param minDays days that the axis has at least
 */
export function extentOf(
  flights: { start: number; end: number } | undefined,
  today: number,
  minDays: number,
): Pick<Scale, 'first' | 'last'> {
  const [from, to] = [Math.min(today, flights?.start ?? today), Math.max(today, flights?.end ?? today)]
  const now = yearOf(today)
  // A quarter more, so that no flight begins or ends at the edge.
  const quarter = 91 * dayMs
  const first = dayFrom(Math.max(now - maxYears, yearOf(from - quarter)), 0, 1)
  const end = dayFrom(Math.min(now + maxYears, yearOf(to + quarter)) + 1, 0, 1)
  const least = first + minDays * dayMs
  return { first, last: end >= least ? end : dayFrom(yearOf(least) + 1, 0, 1) }
}

/** How to show a stretch of days in a number of pixels: the width of a day, and the wall at the left edge. */
export interface Fit {
  perDay: number
  from: number
}

/** Shows all of `spans` and today. If that's too much, shows what is around today. */
export function fitOf(spans: Iterable<{ start: number; end: number }>, today: number, width: number): Fit {
  let [from, to] = [today, today + dayMs]
  for (const { start, end } of spans) {
    from = Math.min(from, start)
    to = Math.max(to, end)
  }
  const days = (to - from) / dayMs
  const margin = Math.max(3, days * 0.04)
  const room = Math.max(width - labelRoom, width / 2)
  const perDay = Math.min(maxFitted, room / (days + 2 * margin))
  if (perDay < minFitted) return { perDay: minFitted, from: today - (width / minFitted / 3) * dayMs }
  // Centered where the flights are short.
  return { perDay, from: from - ((room / perDay - days) / 2) * dayMs }
}
/** Widths of a day that showing all flights leads to. */
const minFitted = 0.9
const maxFitted = 36
/** Room for the label after the last bar, in CSS pixels. */
const labelRoom = 110
