import { dayMs, minuteMs } from '../../../ui/dates'
import type { Block, Rest } from './block'
import { dayLayout } from './day-columns'
import { byPlace, type Entry } from './entry'

/**
 * Keyboard stop of a day: its all-day cell, an entry, or free time. Ordered by `minute`, with the all-day cell and bars
 * before midnight.
 */
export type Stop =
  | { kind: 'cell'; day: number; minute: number }
  | { kind: 'slot'; day: number; minute: number }
  | { kind: 'entry'; day: number; minute: number; key: string }
  | { kind: 'more'; day: number; minute: number }

export const slotMinutes = 30

/** Where all-day entries are in the order of a day’s stops. */
export const barMinute = -1

/**
 * The stops of a day in a time grid, from top to bottom.
 * @param moreBars true if all-day entries have no room
 */
export function timeStops(
  entries: readonly Entry[],
  day: number,
  { blocks, rests }: { blocks: readonly Block[]; rests: readonly Rest[] } = dayLayout(entries, day),
  moreBars = false,
): Stop[] {
  const stops: Stop[] = [{ kind: 'cell', day, minute: -2 }]
  const here = entries.filter((entry) => entry.lastDay >= day && entry.firstDay <= day)
  for (const entry of here.filter((entry) => entry.bar).sort(byPlace))
    stops.push({ kind: 'entry', day, minute: barMinute, key: entry.key })
  if (moreBars) stops.push({ kind: 'more', day, minute: barMinute })
  const timed: Stop[] = [
    ...blocks.map((block): Stop => ({ kind: 'entry', day, minute: block.from, key: block.entry.key })),
    ...rests.map((rest): Stop => ({ kind: 'more', day, minute: rest.from })),
  ]
  for (let minute = 0; minute < 1440; minute += slotMinutes) {
    const free = ({ from, to }: { from: number; to: number }): boolean => to <= minute || from >= minute + slotMinutes
    if (blocks.every(free) && rests.every(free)) timed.push({ kind: 'slot', day, minute })
  }
  return [...stops, ...timed.sort((a, b) => a.minute - b.minute)]
}

/** Stops of a day in the month view: the cell, its entries, and "+n more". */
export function monthStops(day: number, keys: readonly string[], more: boolean): Stop[] {
  return [
    { kind: 'cell', day, minute: -1 },
    ...keys.map((key, index): Stop => ({ kind: 'entry', day, minute: index, key })),
    ...(more ? [{ kind: 'more', day, minute: keys.length } as const] : []),
  ]
}

export const sameStop = (a: Stop, b: Stop): boolean =>
  a.kind === b.kind &&
  a.day === b.day &&
  (a.kind === 'entry' && b.kind === 'entry' ? a.key === b.key : a.minute === b.minute)

/** Index of a stop, or of the one nearest to it in time when it is gone. */
export function nearest(stops: readonly Stop[], stop: Stop): number {
  const exact = stops.findIndex((other) => sameStop(other, stop))
  if (exact >= 0) return exact
  let best = 0
  for (let index = 1; index < stops.length; index++) {
    if (Math.abs(stops[index]!.minute - stop.minute) < Math.abs(stops[best]!.minute - stop.minute)) best = index
  }
  return best
}

/** The stop on a day closest to `minute`: the entry at that time, or the last one before it. */
export function stopAt(stops: readonly Stop[], minute: number, entryEnd: (key: string) => number): Stop {
  let found = stops[0]!
  for (const stop of stops) {
    if (stop.minute > minute) break
    const end = stop.kind === 'entry' && stop.minute >= 0 ? entryEnd(stop.key) : Infinity
    if (end > minute || found.minute < 0) found = stop
  }
  return found
}

/** The next free slot of a day: after the current time today, and at nine o'clock on other days. */
export function slotNear(day: number, wall: number): Stop {
  const minute = Math.min(1440 - slotMinutes, Math.ceil((wall - day) / minuteMs / slotMinutes) * slotMinutes)
  return { kind: 'slot', day, minute: wall >= day && wall < day + dayMs ? minute : 9 * 60 }
}
