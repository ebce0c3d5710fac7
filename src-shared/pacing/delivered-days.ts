import { changeOf } from './change'
import type { DailyMetrics } from './anomalies'
import type { DailyDelivery, Measure } from './pacing'
import type { PlacementDays } from '../results/questions'

/** Number of full days that a pace is averaged over, one of each weekday. */
const week = 7

/** Reads packed daily deliveries. Days count from 1970. */
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

  /** Name from the report, or empty. */
  nameOf(placementId: string): string {
    return this.#file.names[this.#places.get(placementId) ?? -1] ?? ''
  }

  /** First and last day, or undefined without any. */
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

  /** True if the report includes the measure. Conversions must be those of the paid activity. */
  tells(measure: Measure, activityId?: string): boolean {
    if (measure === 'conversions') return this.#conversionsOf(activityId) !== undefined
    return this.#file.metrics[measure] !== undefined
  }

  #conversionsOf(activityId: string | undefined): Float64Array | undefined {
    const { activities } = this.#file
    return activityId !== undefined && Object.hasOwn(activities, activityId) ? activities[activityId] : undefined
  }

  /** Days of a placement in order, with the conversions of one activity. */
  of(placementId: string, activityId?: string): (DailyDelivery & DailyMetrics)[] {
    const place = this.#places.get(placementId)
    if (place === undefined) return []
    const { starts, days, metrics } = this.#file
    const { impressions, clicks, viewable, cost } = metrics
    const conversions = this.#conversionsOf(activityId)
    const found: (DailyDelivery & DailyMetrics)[] = []
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

  /** Totals of a placement until a day. Metrics missing from the report are absent. */
  totalsOf(placementId: string, until: number): Partial<Record<keyof PlacementDays['metrics'], number>> {
    const place = this.#places.get(placementId)
    if (place === undefined) return {}
    const { starts, days, metrics } = this.#file
    return Object.fromEntries(
      Object.entries(metrics).map(([name, values]) => {
        let sum = 0
        for (let at = starts[place]!; at < starts[place + 1]!; at++) if (days[at]! <= until) sum += values[at]!
        return [name, sum]
      }),
    )
  }

  /** Daily impressions of all placements. */
  impressions(from: number, to: number): Float64Array {
    const { days, metrics } = this.#file
    const sums = new Float64Array(Math.max(0, to - from + 1))
    for (let at = 0; at < days.length; at++) {
      const day = days[at]! - from
      if (day >= 0 && day < sums.length) sums[day]! += metrics.impressions[at]!
    }
    return sums
  }
}

/** Change of daily delivery between two days, each averaged over its previous seven full days. */
export interface Trend {
  /** Impressions per day. */
  before: number
  now: number
  /** Relative change. */
  change: number
}

/**
 * Trend from the week ending on `earlier` to the week ending on `asOf`. Undefined if either starts before `from` or is
 * empty.
 */
export function trendOf(days: DeliveredDays, from: number, earlier: number, asOf: number): Trend | undefined {
  if (earlier >= asOf || earlier - week + 1 < from) return undefined
  const mean = (until: number): number =>
    days.impressions(until - week + 1, until).reduce((sum, one) => sum + one, 0) / week
  const [before, now] = [mean(earlier), mean(asOf)]
  const change = changeOf(before, now)
  return change === undefined ? undefined : { before, now, change }
}
