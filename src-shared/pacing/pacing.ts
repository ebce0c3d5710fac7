import { isJsonObject, type Json, type JsonObject } from '../json'

/** Booked period. Days count from 1970-01-01, both ends are inclusive, and money is in the advertiser's currency. */
export interface Period {
  from: number
  to: number
  /** Booked impressions, clicks, or conversions. */
  units: number
  /** Per thousand, per click or conversion, or for the whole period if flat. */
  price: number
}

/** Delivery of a day. Absent values are 0. `conversions`: of the paid activity. */
export interface DailyDelivery {
  day: number
  impressions?: number
  viewable?: number
  clicks?: number
  conversions?: number
}

/** Deliveries of a report, from its first day to its last full day. */
export interface Deliveries {
  from: number
  asOf: number
  days: readonly DailyDelivery[]
}

export type Measure = 'impressions' | 'viewable' | 'clicks' | 'conversions'
/** Nouns for each measure. */
export const measureWords: Readonly<Record<Measure, readonly [one: string, many: string]>> = {
  impressions: ['impression', 'impressions'],
  viewable: ['viewable impression', 'viewable impressions'],
  clicks: ['click', 'clicks'],
  conversions: ['conversion', 'conversions'],
}

interface Pricing {
  measure: Measure
  /** Units that the price covers. `whole`: flat for the period. */
  per: 1 | 1000 | 'whole'
}
const pricings: Readonly<Record<string, Pricing>> = {
  PRICING_TYPE_CPM: { measure: 'impressions', per: 1000 },
  PRICING_TYPE_CPM_ACTIVEVIEW: { measure: 'viewable', per: 1000 },
  PRICING_TYPE_CPC: { measure: 'clicks', per: 1 },
  PRICING_TYPE_CPA: { measure: 'conversions', per: 1 },
  PRICING_TYPE_FLAT_RATE_IMPRESSIONS: { measure: 'impressions', per: 'whole' },
  PRICING_TYPE_FLAT_RATE_CLICKS: { measure: 'clicks', per: 'whole' },
}

export const pacingStates = [
  'farBehind',
  'behind',
  'onPlan',
  'ahead',
  'farAhead',
  'short',
  'delivered',
  'over',
  'tooEarly',
  'incomplete',
  'notStarted',
  'noGoal',
] as const
export type PacingState = (typeof pacingStates)[number]

/** Short words for each state, as the sentences begin. */
export const pacingStateWords: Readonly<Record<PacingState, string>> = {
  farBehind: 'Far behind',
  behind: 'Behind',
  onPlan: 'On plan',
  ahead: 'Ahead',
  farAhead: 'Far ahead',
  short: 'Ended short',
  delivered: 'Ended as booked',
  over: 'Ended over',
  tooEarly: 'Too early to judge',
  incomplete: 'Incomplete',
  notStarted: 'Not started',
  noGoal: 'No goal booked',
}

export interface Pacing {
  state: PacingState
  measure: Measure
  /** First and last day of all periods, or null without any. */
  from: number | null
  to: number | null
  goal: number
  /** Part of the goal due by the last full day with even delivery. */
  expected: number
  delivered: number
  /** Delivered divided by expected, or null if nothing is expected. */
  pace: number | null
  /** Delivered minus expected. */
  gap: number
  daysLeft: number
  /** Units per day needed to meet the goal, or null without days left. */
  needed: number | null
  /** Units per day, averaged over the last seven full days. */
  now: number
  forecast: number
  /** Cost of the delivered units, ignoring caps. */
  cost: number
  /** Price of the gap, if it's significant. */
  atRisk: number
  sentence: string
}

const dayMs = 86_400_000
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const dateWords = (day: number): string => dates.format(day * dayMs)

/** Converts `2026-03-01` to days since 1970. Returns undefined for anything else. */
export function dayNumber(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const day = Date.parse(`${text}T00:00:00Z`) / dayMs
  return Number.isInteger(day) && new Date(day * dayMs).toISOString().startsWith(text) ? day : undefined
}

const wholeNumber = (value: Json | undefined): number => {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
  return Number.isFinite(number) && number > 0 ? number : 0
}
const scheduleOf = (record: JsonObject): JsonObject =>
  isJsonObject(record.pricingSchedule) ? record.pricingSchedule : {}

/**
 * Booked periods of a placement or group, in order. A period without dates has those of the schedule. Skips invalid
 * ones.
 */
export function periodsOf(record: JsonObject): Period[] {
  const schedule = scheduleOf(record)
  const periods = Array.isArray(schedule.pricingPeriods) ? schedule.pricingPeriods.filter(isJsonObject) : []
  return periods
    .flatMap((period) => {
      const from = dayNumber(period.startDate || schedule.startDate)
      const to = dayNumber(period.endDate || schedule.endDate)
      if (from === undefined || to === undefined || to < from) return []
      return [{ from, to, units: wholeNumber(period.units), price: wholeNumber(period.rateOrCostNanos) / 1e9 }]
    })
    .sort((a, b) => a.from - b.from)
}

/** True if units are booked. */
export const hasGoal = (record: JsonObject): boolean => periodsOf(record).some(({ units }) => units > 0)

const daysOf = ({ from, to }: Period): number => to - from + 1
const daysDone = (period: Period, asOf: number): number => Math.max(0, Math.min(daysOf(period), asOf - period.from + 1))
const total = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((sum, one) => sum + of(one), 0)

const pricingOf = (record: JsonObject): Pricing =>
  pricings[String(scheduleOf(record).pricingType)] ?? pricings['PRICING_TYPE_CPM']!

/** Measure that a placement or group is booked in. */
export const measureOf = (record: JsonObject): Measure => pricingOf(record).measure

/** ID of the activity that's paid by conversions, or undefined. */
export function activityOf(record: JsonObject): string | undefined {
  const { trackingActivityId } = scheduleOf(record)
  const counts = measureOf(record) === 'conversions' && typeof trackingActivityId === 'string'
  return counts && trackingActivityId !== '' ? trackingActivityId : undefined
}

/** First and last booked day, or undefined without periods. */
export function flightOf(record: JsonObject): { from: number; to: number } | undefined {
  const periods = periodsOf(record)
  if (periods.length === 0) return undefined
  return { from: periods[0]!.from, to: Math.max(...periods.map(({ to }) => to)) }
}

/** Compares deliveries of a placement, or of a group's children, with the booking. */
export function pacingOf(record: JsonObject, { from: known, asOf, days }: Deliveries): Pacing {
  const { measure, per } = pricingOf(record)
  const periods = periodsOf(record)
  const first = periods[0]?.from ?? null
  const last = periods.length === 0 ? null : Math.max(...periods.map(({ to }) => to))
  const goal = total(periods, ({ units }) => units)
  const expected = total(periods, (period) => (period.units * daysDone(period, asOf)) / daysOf(period))
  const counted = days.filter(({ day }) => day <= asOf && (first === null || day >= first))
  const delivered = total(counted, (day) => day[measure] ?? 0)
  const daysLeft = total(periods, (period) => daysOf(period) - daysDone(period, asOf))
  const recent = Math.min(7, Math.max(1, asOf - Math.max(first ?? known, known) + 1))
  const now =
    total(
      counted.filter(({ day }) => day > asOf - recent),
      (day) => day[measure] ?? 0,
    ) / recent
  const values = {
    measure,
    from: first,
    to: last,
    goal,
    expected,
    delivered,
    pace: expected > 0 ? delivered / expected : null,
    gap: delivered - expected,
    daysLeft,
    needed: daysLeft > 0 ? Math.max(0, goal - delivered) / daysLeft : null,
    now,
    forecast: delivered + now * daysLeft,
    cost: costOf(periods, counted, measure, per, asOf),
  }
  const state = stateOf(values, periods, known, asOf)
  const judged = !['tooEarly', 'incomplete', 'notStarted', 'noGoal'].includes(state)
  const atRisk = judged ? Math.abs(values.gap) * unitPrice(periods, per, asOf) : 0
  return { state, ...values, atRisk, sentence: sentenceOf(state, values, known, asOf, periods) }
}

type PacingValues = Omit<Pacing, 'state' | 'atRisk' | 'sentence'>

function costOf(
  periods: readonly Period[],
  days: readonly DailyDelivery[],
  measure: Measure,
  per: Pricing['per'],
  asOf: number,
): number {
  if (per === 'whole') return total(periods, (period) => (period.price * daysDone(period, asOf)) / daysOf(period))
  return total(days, (day) => ((day[measure] ?? 0) * (periodAt(periods, day.day)?.price ?? 0)) / per)
}

/** Period of a day, or the previous one if the day is between two. */
const periodAt = (periods: readonly Period[], day: number): Period | undefined =>
  periods.filter(({ from, to }) => from <= day && day <= to).at(-1) ??
  periods.filter(({ from }) => from <= day).at(-1) ??
  periods[0]

function unitPrice(periods: readonly Period[], per: Pricing['per'], asOf: number): number {
  const period = periodAt(periods, asOf)
  if (!period) return 0
  if (per === 'whole') return period.units > 0 ? period.price / period.units : 0
  return period.price / per
}

function stateOf(
  { goal, from, to, pace, delivered }: PacingValues,
  periods: readonly Period[],
  known: number,
  asOf: number,
): PacingState {
  if (goal === 0 || from === null || to === null) return 'noGoal'
  if (asOf < from) return 'notStarted'
  if (known > from) return 'incomplete'
  if (asOf >= to) return delivered < goal * 0.97 ? 'short' : delivered > goal * 1.03 ? 'over' : 'delivered'
  const time = total(periods, daysOf)
  const done = total(periods, (period) => daysDone(period, asOf))
  if (done < 3 || done / time < 0.05 || pace === null) return 'tooEarly'
  // Near the end, there's less time to catch up.
  const reach = done / time >= 0.9 ? 0.02 : 0.05
  if (pace < 0.8) return 'farBehind'
  if (pace < 1 - reach - slip) return 'behind'
  if (pace <= 1 + reach + slip) return 'onPlan'
  return pace <= 1.2 ? 'ahead' : 'farAhead'
}
/** Tolerance for floating-point division. */
const slip = 1e-9

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const count = (value: number): string => whole.format(Math.round(value) + 0)
const percent = (share: number): string => `${whole.format(share * 100)}%`

function sentenceOf(
  state: PacingState,
  values: PacingValues,
  known: number,
  asOf: number,
  periods: readonly Period[],
): string {
  const { measure, goal, delivered, gap, pace, daysLeft, needed, now, from } = values
  const units = (value: number): string => `${count(value)} ${measureWords[measure][Math.round(value) === 1 ? 0 : 1]}`
  const left = `${count(daysLeft)} ${daysLeft === 1 ? 'day' : 'days'} left`
  const plan = pace === null ? '' : ` (${percent(pace)} of plan)`
  const rest =
    delivered >= goal
      ? `${left}. Goal met, still delivering ${count(now)} a day.`
      : `${left}. Needs ${count(needed ?? 0)} a day, but delivers ${count(now)}.`
  const ofGoal = goal > 0 ? ` (${percent(delivered / goal)} of the goal)` : ''
  const time = total(periods, daysOf)
  switch (state) {
    case 'farBehind':
      return `Far behind by ${units(-gap)}${plan}. ${rest}`
    case 'behind':
      return `Behind by ${units(-gap)}${plan}. ${rest}`
    case 'onPlan':
      return pace === null ? `On plan. ${rest}` : `On plan (${percent(pace)}). ${rest}`
    case 'ahead':
      return `Ahead by ${units(gap)}${plan}. ${rest}`
    case 'farAhead':
      return `Far ahead by ${units(gap)}${plan}. ${rest}`
    case 'short':
      return `Ended ${units(goal - delivered)} short${ofGoal}.`
    case 'over':
      return `Ended ${units(delivered - goal)} over${ofGoal}.`
    case 'delivered':
      return `Ended as booked, with ${units(delivered)}${ofGoal}.`
    case 'tooEarly':
      return `Too early to judge. ${count(total(periods, (period) => daysDone(period, asOf)))} of ${count(time)} days, ${units(delivered)} so far.`
    case 'incomplete':
      return `Incomplete. The flight starts on ${dateWords(from!)}, but the data starts on ${dateWords(known)}. Run a report from ${dateWords(from!)} to see pacing.`
    case 'notStarted':
      return `Starts on ${dateWords(from!)} with ${units(goal)} booked over ${count(time)} ${time === 1 ? 'day' : 'days'}.`
    case 'noGoal':
      return `No goal booked. ${units(delivered)} so far.`
  }
}
