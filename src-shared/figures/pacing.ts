import { isJsonObject, type Json, type JsonObject } from '../json'

/** Days are counted since 1970-01-01, both ends of a stretch are inclusive; money is in units of the advertiser's currency. */
export interface Period {
  from: number
  to: number
  /** What was booked: impressions, clicks or conversions. */
  units: number
  /** Per thousand, per click or conversion, or for the whole period where the price is flat. */
  price: number
}

/** What a day delivered; absent is none. `conversions` of the activity that is paid for. */
export interface DailyDelivery {
  day: number
  impressions?: number
  viewable?: number
  clicks?: number
  conversions?: number
}

/** What a file tells of deliveries, from its first day to its last full one. */
export interface Deliveries {
  from: number
  asOf: number
  days: readonly DailyDelivery[]
}

export type Measure = 'impressions' | 'viewable' | 'clicks' | 'conversions'
/** What a measure counts, in words. */
export const measureWords: Readonly<Record<Measure, readonly [one: string, many: string]>> = {
  impressions: ['impression', 'impressions'],
  viewable: ['viewable impression', 'viewable impressions'],
  clicks: ['click', 'clicks'],
  conversions: ['conversion', 'conversions'],
}

interface Pricing {
  measure: Measure
  /** Units that the price is for; `whole`: for the period whatever is delivered. */
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

export interface Pacing {
  state: PacingState
  measure: Measure
  /** First and last day of all periods; null where there is none. */
  from: number | null
  to: number | null
  goal: number
  /** What of the goal is due on the last full day, if it is delivered evenly. */
  expected: number
  delivered: number
  /** Delivered by expected; null where nothing is expected. */
  pace: number | null
  /** Delivered less expected. */
  gap: number
  daysLeft: number
  /** A day, to meet the goal; null where no day is left. */
  needed: number | null
  /** A day, as the mean of the last seven full days. */
  now: number
  forecast: number
  /** What was delivered costs; caps are not considered. */
  cost: number
  /** Price of the gap, where there is one to speak of. */
  atRisk: number
  sentence: string
}

const dayMs = 86_400_000
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const dateWords = (day: number): string => dates.format(day * dayMs)

/** Days since 1970 of `2026-03-01`; undefined for anything else. */
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

/** Booked stretches of a placement or a group in order. One without days of its own has those of the schedule; one that cannot be read is left out. */
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

/** Whether there is something to be met. */
export const hasGoal = (record: JsonObject): boolean => periodsOf(record).some(({ units }) => units > 0)

const daysOf = ({ from, to }: Period): number => to - from + 1
const daysDone = (period: Period, asOf: number): number => Math.max(0, Math.min(daysOf(period), asOf - period.from + 1))
const total = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((sum, one) => sum + of(one), 0)

const pricingOf = (record: JsonObject): Pricing =>
  pricings[String(scheduleOf(record).pricingType)] ?? pricings['PRICING_TYPE_CPM']!

/** What a placement or a group is booked in. */
export const measureOf = (record: JsonObject): Measure => pricingOf(record).measure

/** The id of the activity whose conversions are paid for; undefined where something else is. */
export function activityOf(record: JsonObject): string | undefined {
  const { trackingActivityId } = scheduleOf(record)
  const counts = measureOf(record) === 'conversions' && typeof trackingActivityId === 'string'
  return counts && trackingActivityId !== '' ? trackingActivityId : undefined
}

/** First and last day of what was booked; undefined where no period is. */
export function flightOf(record: JsonObject): { from: number; to: number } | undefined {
  const periods = periodsOf(record)
  if (periods.length === 0) return undefined
  return { from: periods[0]!.from, to: Math.max(...periods.map(({ to }) => to)) }
}

/** How a placement or a group stands against what was booked. `deliveries` are those of it, or of all its children. */
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
  const figures = {
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
  const state = stateOf(figures, periods, known, asOf)
  const judged = !['tooEarly', 'incomplete', 'notStarted', 'noGoal'].includes(state)
  const atRisk = judged ? Math.abs(figures.gap) * unitPrice(periods, per, asOf) : 0
  return { state, ...figures, atRisk, sentence: sentenceOf(state, figures, known, asOf, periods) }
}

type Figures = Omit<Pacing, 'state' | 'atRisk' | 'sentence'>

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

/** The period of a day; between two of them the one before. */
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
  { goal, from, to, pace, delivered }: Figures,
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
  // Near the end less can be made up for.
  const reach = done / time >= 0.9 ? 0.02 : 0.05
  if (pace < 0.8) return 'farBehind'
  if (pace < 1 - reach - slip) return 'behind'
  if (pace <= 1 + reach + slip) return 'onPlan'
  return pace <= 1.2 ? 'ahead' : 'farAhead'
}
/** 0.95 of something is not always 0.95 once it was divided. */
const slip = 1e-9

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const count = (value: number): string => whole.format(Math.round(value) + 0)
const percent = (share: number): string => `${whole.format(share * 100)}%`

function sentenceOf(
  state: PacingState,
  figures: Figures,
  known: number,
  asOf: number,
  periods: readonly Period[],
): string {
  const { measure, goal, delivered, gap, pace, daysLeft, needed, now, from } = figures
  const units = (value: number): string => `${count(value)} ${measureWords[measure][Math.round(value) === 1 ? 0 : 1]}`
  const left = `${count(daysLeft)} ${daysLeft === 1 ? 'day' : 'days'} left`
  const plan = pace === null ? '' : ` (${percent(pace)} of plan)`
  const rest =
    delivered >= goal
      ? `${left}. Goal met, now ${count(now)} a day.`
      : `${left}. Needs ${count(needed ?? 0)} a day, now ${count(now)}.`
  const ofGoal = goal > 0 ? ` (${percent(delivered / goal)} of the goal)` : ''
  const time = total(periods, daysOf)
  switch (state) {
    case 'farBehind':
      return `Far behind by ${units(-gap)}${plan}, ${rest}`
    case 'behind':
      return `Behind by ${units(-gap)}${plan}, ${rest}`
    case 'onPlan':
      return pace === null ? `On plan, ${rest}` : `On plan (${percent(pace)}), ${rest}`
    case 'ahead':
      return `Ahead by ${units(gap)}${plan}, ${rest}`
    case 'farAhead':
      return `Far ahead by ${units(gap)}${plan}, ${rest}`
    case 'short':
      return `Ended short by ${units(goal - delivered)}${ofGoal}.`
    case 'over':
      return `Ended over by ${units(delivered - goal)}${ofGoal}.`
    case 'delivered':
      return `Ended as booked with ${units(delivered)}${ofGoal}.`
    case 'tooEarly':
      return `Too early to judge. ${count(total(periods, (period) => daysDone(period, asOf)))} of ${count(time)} days, ${units(delivered)} so far.`
    case 'incomplete':
      return `Incomplete: data starts on ${dateWords(known)}, the flight on ${dateWords(from!)}. Run a report from that day to see pacing.`
    case 'notStarted':
      return `Starts on ${dateWords(from!)} with ${units(goal)} booked over ${count(time)} ${time === 1 ? 'day' : 'days'}.`
    case 'noGoal':
      return `No goal booked. ${units(delivered)} so far.`
  }
}
