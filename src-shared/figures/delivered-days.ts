import { changeOf } from './change'
import type { DayFigures } from './noticed'
import type { DailyDelivery, Measure } from './pacing'
import type { PlacementDays } from './questions'

/** Full days of which a pace is the mean: every weekday once. */
const week = 7

/** Reads packed days of placements. Days are counted since 1970. */
export class DeliveredDays {
  readonly #file: PlacementDays
  readonly #places: ReadonlyMap<string, number>

  constructor(file: PlacementDays) {
    this.#file = file
    this.#places = new Map(file.ids.map((id, place) => [id, place]))
  }

  get ids(): readonly string[] {
    return this.#file.ids
  }

  has(placementId: string): boolean {
    return this.#places.has(placementId)
  }

  /** As the file writes it; empty where it does not. */
  nameOf(placementId: string): string {
    return this.#file.names[this.#places.get(placementId) ?? -1] ?? ''
  }

  /** First and last day of all; undefined where the file has none. */
  get span(): { from: number; to: number } | undefined {
    const { days } = this.#file
    if (days.length === 0) return undefined
    let [from, to] = [days[0]!, days[0]!]
    for (const day of days) {
      if (day < from) from = day
      if (day > to) to = day
    }
    return { from, to }
  }

  /** Whether the file tells what is booked so. Conversions: those of the activity that is paid for, not of all. */
  tells(measure: Measure, activityId?: string): boolean {
    if (measure === 'conversions') return this.#conversionsOf(activityId) !== undefined
    return this.#file.figures[measure] !== undefined
  }

  #conversionsOf(activityId: string | undefined): Float64Array | undefined {
    const { activities } = this.#file
    return activityId !== undefined && Object.hasOwn(activities, activityId) ? activities[activityId] : undefined
  }

  /** Days of a placement in order, with conversions of one activity; none where the file has nothing of it. */
  of(placementId: string, activityId?: string): (DailyDelivery & DayFigures)[] {
    const place = this.#places.get(placementId)
    if (place === undefined) return []
    const { starts, days, figures } = this.#file
    const { impressions, clicks, viewable, cost } = figures
    const conversions = this.#conversionsOf(activityId)
    const found: (DailyDelivery & DayFigures)[] = []
    for (let at = starts[place]!; at < starts[place + 1]!; at++)
      found.push({
        day: days[at]!,
        impressions: impressions[at]!,
        ...(clicks && { clicks: clicks[at]! }),
        ...(viewable && { viewable: viewable[at]! }),
        ...(cost && { cost: cost[at]! }),
        ...(conversions && { conversions: conversions[at]! }),
      })
    return found
  }

  /** What a placement came to until a day; a figure that the file does not have is absent. */
  totalsOf(placementId: string, until: number): Partial<Record<keyof PlacementDays['figures'], number>> {
    const place = this.#places.get(placementId)
    if (place === undefined) return {}
    const { starts, days, figures } = this.#file
    return Object.fromEntries(
      Object.entries(figures).map(([name, values]) => {
        let sum = 0
        for (let at = starts[place]!; at < starts[place + 1]!; at++) if (days[at]! <= until) sum += values[at]!
        return [name, sum]
      }),
    )
  }

  /** Impressions of each day from one to another, of all placements. */
  impressions(from: number, to: number): Float64Array {
    const { days, figures } = this.#file
    const sums = new Float64Array(Math.max(0, to - from + 1))
    for (let at = 0; at < days.length; at++) {
      const day = days[at]! - from
      if (day >= 0 && day < sums.length) sums[day]! += figures.impressions[at]!
    }
    return sums
  }
}

/** How delivery a day changed between two moments, as means of the seven full days before each. */
export interface Trend {
  /** Impressions a day. */
  before: number
  now: number
  /** As a part of what was before. */
  change: number
}

/** From the week up to `earlier` to the week up to `asOf`; undefined where one of them lies before `from`, or had nothing. */
export function trendOf(days: DeliveredDays, from: number, earlier: number, asOf: number): Trend | undefined {
  if (earlier >= asOf || earlier - week + 1 < from) return undefined
  const mean = (until: number): number =>
    days.impressions(until - week + 1, until).reduce((sum, one) => sum + one, 0) / week
  const [before, now] = [mean(earlier), mean(asOf)]
  const change = changeOf(before, now)
  return change === undefined ? undefined : { before, now, change }
}
