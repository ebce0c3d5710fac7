import { metricFacts, type MetricFact } from '#shared/facts/metrics'
import { measureIndex as at, type MeasureName, type Sums } from './measures'
import { averageFrequency, uniqueReach } from './reach'

export interface Metric extends MetricFact {
  /** Calculates the metric from sums over any days and places. Money is in units of the currency, and percents are fractions. */
  of(sums: Sums): number
}

type Formula = Metric['of']

const units = 1_000_000
const ratio = (a: number, b: number): number => (b === 0 ? 0 : a / b)
const sum =
  (...measures: MeasureName[]): Formula =>
  (sums) =>
    measures.reduce((total, measure) => total + sums[at[measure]]!, 0)
const money =
  (...measures: MeasureName[]): Formula =>
  (sums) =>
    sum(...measures)(sums) / units

/** Metrics that aren't a ratio of two others. */
const formulas: Readonly<Record<string, Formula>> = {
  impressions: sum('impressions'),
  clicks: sum('clicks'),
  mediaCost: money('costMicros'),
  invalidImpressions: sum('invalidImpressions'),
  invalidClicks: sum('invalidClicks'),
  activeViewEligibleImpressions: sum('impressions'),
  activeViewMeasurableImpressions: sum('measurable'),
  activeViewViewableImpressions: sum('viewable'),
  activeViewNotViewableImpressions: (sums) => sums[at.measurable]! - sums[at.viewable]!,
  activeViewAverageViewableTimeSecond: (sums) => ratio(sums[at.viewableSeconds]!, sums[at.viewable]!),
  bookedImpressions: sum('bookedImpressions'),
  bookedClicks: sum('bookedClicks'),
  plannedMediaCost: money('plannedMicros'),
  richMediaInteractions: sum('interactions'),
  richMediaVideoPlays: sum('videoPlays'),
  richMediaVideoFirstQuartileCompletes: sum('videoFirstQuartile'),
  richMediaVideoMidpoints: sum('videoMidpoint'),
  richMediaVideoThirdQuartileCompletes: sum('videoThirdQuartile'),
  richMediaVideoCompletions: sum('videoCompletions'),
  richMediaVideoMutes: sum('videoMutes'),
  richMediaVideoPauses: sum('videoPauses'),
  totalConversions: sum('clickConversions', 'viewConversions'),
  activityClickThroughConversions: sum('clickConversions'),
  activityViewThroughConversions: sum('viewConversions'),
  totalConversionsRevenue: money('clickRevenueMicros', 'viewRevenueMicros'),
  totalRevenue: money('clickRevenueMicros', 'viewRevenueMicros'),
  activityClickThroughRevenue: money('clickRevenueMicros'),
  activityViewThroughRevenue: money('viewRevenueMicros'),
  transactionCount: sum('clickTransactions', 'viewTransactions'),
  clickThroughTransactionCount: sum('clickTransactions'),
  viewThroughTransactionCount: sum('viewTransactions'),
  conversionQuantity: sum('quantity'),
  uniqueReachTotalReach: (sums) => uniqueReach(sum('impressions', 'clicks')(sums)),
  uniqueReachImpressionReach: (sums) => uniqueReach(sums[at.impressions]!),
  uniqueReachClickReach: (sums) => uniqueReach(sums[at.clicks]!),
  uniqueReachAverageImpressionFrequency: (sums) => averageFrequency(sums[at.impressions]!),
}

function formulaOf({ name, adds }: MetricFact): Formula {
  const own = formulas[name]
  if (own) return own
  if (typeof adds === 'string') throw new Error(`The metric ${name} has no formula`)
  const [of, per, { times = 1 }] = [formulas[adds.of]!, formulas[adds.per]!, adds]
  return (sums) => ratio(of(sums) * times, per(sums))
}

/** All metrics by name, without prefix. */
export const allMetrics: ReadonlyMap<string, Metric> = new Map(
  metricFacts.map((fact) => [fact.name, { ...fact, of: formulaOf(fact) }]),
)

/** Formats a value for files: whole counts, money to the micro (at least two digits), percents with four digits. */
export function metricText(metric: Metric, value: number): string {
  switch (metric.form) {
    case 'count':
      return String(Math.round(value))
    case 'percent':
      return `${(value * 100).toFixed(4)}%`
    default:
      return value.toFixed(6).replace(/0{1,4}$/, '')
  }
}
