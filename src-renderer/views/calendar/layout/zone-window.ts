import { instantOfWall, offsetAt } from '#shared/time/zones'
import { dayMs, dayOf, minuteMs } from '../../../ui/dates'

/** A change of a zone's clocks. */
export interface Transition {
  /** Epoch milliseconds of the first instant with the new offset. */
  at: number
  before: number
  after: number
}

/**
 * Wall times of many instants within a range, at the cost of a comparison each. Computes the zone's offset once per day
 * rather than once per event.
 */
export class ZoneWindow {
  readonly transitions: readonly Transition[]
  readonly #first: number

  /** `from` and `to` are epoch milliseconds; instants outside are read with the nearest offset inside. */
  constructor(
    readonly zone: string,
    readonly from: number,
    readonly to: number,
  ) {
    this.#first = offsetAt(from, zone)
    const found: Transition[] = []
    let before = this.#first
    for (let at = from; at < to; at += dayMs) {
      const next = Math.min(at + dayMs, to)
      const after = offsetAt(next, zone)
      if (after !== before) found.push({ at: firstWith(after, at, next, zone), before, after })
      before = after
    }
    this.transitions = found
  }

  wall(instant: number): number {
    let offset = this.#first
    for (const transition of this.transitions) {
      if (instant < transition.at) break
      offset = transition.after
    }
    return instant + offset
  }

  /** Minutes that a day gains (60) or loses (-60) when its clocks change; 0 on other days. */
  shiftOn(day: number): number {
    let shift = 0
    for (const { at, before, after } of this.transitions) {
      if (dayOf(at + before) === day) shift += (before - after) / 60_000
    }
    return shift
  }
}

function firstWith(offset: number, from: number, to: number, zone: string): number {
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(middle, zone) === offset) high = middle
    else low = middle
  }
  return high
}

let last: ZoneWindow | undefined

/** The window over whole days in a zone, `first` to `last` inclusive (wall midnights), with a day to spare on each side. */
export function zoneWindow(zone: string, first: number, lastDay: number): ZoneWindow {
  const from = instantOfWall(first - dayMs, zone)
  const to = instantOfWall(lastDay + 2 * dayMs, zone)
  if (!last || last.zone !== zone || last.from !== from || last.to !== to) last = new ZoneWindow(zone, from, to)
  return last
}

/** Minutes that a zone is ahead of another at noon of a day. */
export function aheadOn(day: number, zone: string, own: string): number {
  const noon = instantOfWall(day + dayMs / 2, own)
  return (offsetAt(noon, zone) - offsetAt(noon, own)) / minuteMs
}

/** The days on which other zones are ahead by what they are on most of them. Of as many, the first. */
export function usualDays(days: readonly number[], zones: readonly string[], own: string): number[] {
  const alike = new Map<string, number[]>()
  for (const day of days) {
    const key = zones.map((zone) => aheadOn(day, zone, own)).join()
    alike.set(key, [...(alike.get(key) ?? []), day])
  }
  return [...alike.values()].reduce((most, some) => (some.length > most.length ? some : most))
}
