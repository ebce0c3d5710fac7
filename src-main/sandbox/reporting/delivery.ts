import { dayMs, weekday, type Day } from './days'
import { draw } from './hash'
import { conversionStart, measureCount, measureIndex as at, type Sums } from './measures'
import type { Activity, Cell, Period } from './tree'

/** The generator's current time. Nothing is delivered later, and today only counts up to now. */
export interface Moment {
  today: Day
  /** Part of today that is over, 0 to 1. */
  passed: number
}

/** Monday to Sunday. */
const weekShape = [1.04, 1.06, 1.05, 1.02, 0.98, 0.86, 0.88]

/** Factor by season: higher in spring and before the holidays, lower in summer. */
const season = (day: Day): number => {
  const at = (day % 365.2425) / 365.2425
  return 1 + 0.12 * Math.cos(2 * Math.PI * (at - 0.9)) + 0.06 * Math.cos(4 * Math.PI * (at - 0.3))
}

const seasons = new Map<Day, number>()
function shapeOf(day: Day): number {
  let shape = seasons.get(day)
  if (shape === undefined) {
    shape = weekShape[weekday(day)]! * season(day)
    if (seasons.size > 20_000) seasons.clear()
    seasons.set(day, shape)
  }
  return shape
}

/** A random count with mean `expected`: its integer part, plus one with the probability of the rest. */
const count = (expected: number, chance: number): number => Math.floor(expected + chance)

/** Adds a cell's delivery on a day, without conversions and their cost, to `into`. @returns false if nothing was delivered */
export function deliver(cell: Cell, day: Day, moment: Moment, into: Sums): boolean {
  into.fill(0)
  if (day < cell.from || day > cell.to || day > moment.today) return false
  const seed = cell.seed
  const part = day === moment.today ? moment.passed : 1
  const expected = cell.level * cell.share * shapeOf(day) * (0.78 + 0.44 * draw(seed, day)) * part
  const clicks = count(expected * cell.clickRate * (0.7 + 0.6 * draw(seed + 1, day)), draw(seed + 2, day))
  const impressions = cell.clickTracker ? 0 : Math.max(count(expected, draw(seed + 3, day)), clicks)
  into[at.clicks] = clicks
  into[at.impressions] = impressions
  into[at.invalidClicks] = Math.floor(clicks * 0.05 * draw(seed + 4, day))
  into[at.invalidImpressions] = Math.floor(impressions * 0.03 * draw(seed + 5, day))
  into[at.measurable] = Math.floor(impressions * (0.86 + 0.12 * draw(seed + 6, day)))
  into[at.viewable] = Math.floor(into[at.measurable]! * (0.44 + 0.4 * draw(seed + 7, 0)))
  into[at.viewableSeconds] = Math.floor(into[at.viewable]! * (2 + 9 * draw(seed + 8, day)))
  if (cell.richMedia || cell.video) into[at.interactions] = Math.floor(impressions * 0.03 * (0.5 + draw(seed + 9, day)))
  if (cell.video) {
    const plays = Math.floor(impressions * (0.9 + 0.09 * draw(seed + 10, day)))
    into[at.videoPlays] = plays
    into[at.videoFirstQuartile] = Math.floor(plays * (0.8 + 0.1 * draw(seed + 11, day)))
    into[at.videoMidpoint] = Math.floor(into[at.videoFirstQuartile]! * (0.82 + 0.1 * draw(seed + 12, day)))
    into[at.videoThirdQuartile] = Math.floor(into[at.videoMidpoint]! * (0.84 + 0.1 * draw(seed + 13, day)))
    into[at.videoCompletions] = Math.floor(into[at.videoThirdQuartile]! * (0.86 + 0.1 * draw(seed + 14, day)))
    into[at.videoMutes] = Math.floor(plays * 0.05 * draw(seed + 15, day))
    into[at.videoPauses] = Math.floor(plays * 0.02 * draw(seed + 16, day))
  }
  into[at.costMicros] = costOf(cell, day, into, part)
  book(cell, day, into)
  return true
}

/** Media cost of a day by the placement's pricing, in micros, without the cost of conversions. */
function costOf(cell: Cell, day: Day, sums: Sums, part: number): number {
  const { type } = cell.pricing
  const period = periodOn(cell, day)
  if (!period) return 0
  switch (type) {
    case 'PRICING_TYPE_CPM':
      return Math.round((sums[at.impressions]! * period.micros) / 1000)
    case 'PRICING_TYPE_CPM_ACTIVEVIEW':
      return Math.round((sums[at.viewable]! * period.micros) / 1000)
    case 'PRICING_TYPE_CPC':
      return sums[at.clicks]! * period.micros
    case 'PRICING_TYPE_FLAT_RATE_IMPRESSIONS':
    case 'PRICING_TYPE_FLAT_RATE_CLICKS':
      return sliceOf(cell, period, day, period.micros, part)
    default:
      return 0
  }
}

const periodOn = ({ pricing }: Cell, day: Day): Period | undefined =>
  pricing.periods.find((one) => day >= one.from && day <= one.to)

/** Slice of a whole for a day and cell, cut at fixed points, so that all slices add up to the whole exactly. */
function sliceOf(cell: Cell, period: Period, day: Day, whole: number, part = 1): number {
  const days = period.to - period.from + 1
  const sliceAt = (point: number): number => Math.round((whole * point) / days)
  const from = sliceAt(day - period.from)
  const slice = Math.floor((sliceAt(day - period.from + 1) - from) * part)
  return Math.round(slice * Math.min(1, cell.shareFrom + cell.share)) - Math.round(slice * cell.shareFrom)
}

/** Adds a day's share of the booked units and price, spread evenly over the period. */
function book(cell: Cell, day: Day, into: Sums): void {
  const period = periodOn(cell, day)
  if (!period) return
  const { type } = cell.pricing
  const byThousand = type.startsWith('PRICING_TYPE_CPM')
  const flat = type.startsWith('PRICING_TYPE_FLAT')
  if (byThousand || type.endsWith('IMPRESSIONS')) into[at.bookedImpressions] = sliceOf(cell, period, day, period.units)
  if (type.endsWith('CPC') || type.endsWith('CLICKS')) into[at.bookedClicks] = sliceOf(cell, period, day, period.units)
  const price = flat ? period.micros : (period.units * period.micros) / (byThousand ? 1000 : 1)
  into[at.plannedMicros] = sliceOf(cell, period, day, Math.round(price))
}

/** Value of one conversion of an activity, in micros. */
export function saleValue(cell: Cell, activity: Activity, day: Day, number: number, afterClick: boolean): number {
  const chance = draw(cell.seed ^ activity.seed, day * 64 + number * 2 + (afterClick ? 1 : 0))
  return Math.round((activity.valueMicros * (0.5 + chance)) / 10_000) * 10_000
}

/** Conversions of one activity, derived from a cell's delivery on a day. Only writes conversion metrics to `into`. */
export function convert(cell: Cell, activity: Activity, index: number, day: Day, delivered: Sums, into: Sums): boolean {
  into.fill(0, conversionStart, measureCount)
  const seed = cell.seed + 101 * (index + 1)
  const clicks = count(delivered[at.clicks]! * cell.afterClick * activity.share, draw(seed, day) * 0.999)
  const click = Math.min(clicks, delivered[at.clicks]!)
  const views = count(delivered[at.impressions]! * cell.afterView * activity.share, draw(seed + 1, day) * 0.999)
  const view = Math.min(views, Math.max(0, delivered[at.impressions]! - click))
  if (click + view === 0) return false
  into[at.clickConversions] = click
  into[at.viewConversions] = view
  into[at.quantity] = click + view
  if (activity.sale) {
    into[at.clickTransactions] = click
    into[at.viewTransactions] = view
    for (let number = 0; number < click; number++)
      into[at.clickRevenueMicros]! += saleValue(cell, activity, day, number, true)
    for (let number = 0; number < view; number++)
      into[at.viewRevenueMicros]! += saleValue(cell, activity, day, number, false)
  }
  return true
}

/** Cost of a day's conversions, in micros. */
export function conversionCost(cell: Cell, activity: Activity, day: Day, converted: Sums): number {
  const { pricing } = cell
  if (pricing.type !== 'PRICING_TYPE_CPA') return 0
  if (pricing.activityId !== undefined && pricing.activityId !== activity.id) return 0
  const period = periodOn(cell, day)
  return period ? period.micros * (converted[at.clickConversions]! + converted[at.viewConversions]!) : 0
}

/** Moment of a clock in the account's zone, rounded to the hour, so that consecutive reports agree on today. */
export function momentAt(wall: number): Moment {
  const today = Math.floor(wall / dayMs)
  return { today, passed: Math.floor((24 * (wall - today * dayMs)) / dayMs) / 24 }
}
