import { dayMs, hourMs } from '../../../ui/dates'
import type { Entry } from './entry'

/** Busy hours of each day (wall midnight): of events with times that aren't free or declined, counting each time once. */
export function busyHours(entries: readonly Entry[]): Map<number, number> {
  const times = entries
    .filter(({ event, bar }) => event && !bar && !event.transparent && event.response !== 'declined')
    .sort((a, b) => a.start - b.start)
  const found = new Map<number, number>()
  let until = -Infinity
  for (const { start, end, firstDay, lastDay } of times) {
    const from = Math.max(start, until)
    until = Math.max(until, end)
    for (let day = firstDay; day <= lastDay; day += dayMs) {
      const busy = Math.min(end, day + dayMs) - Math.max(from, day)
      if (busy > 0) found.set(day, (found.get(day) ?? 0) + busy / hourMs)
    }
  }
  return found
}

/** Strength of a day's color, 0 to 4: up to 2, 4, and 6 busy hours, or more. */
export const heatOf = (hours: number): number => (hours <= 0 ? 0 : hours <= 2 ? 1 : hours <= 4 ? 2 : hours <= 6 ? 3 : 4)
