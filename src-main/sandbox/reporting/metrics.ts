import { measureIndex as at, type MeasureName, type Sums } from './measures'
import { averageFrequency, uniqueReach } from './reach'

/** What a metric counts: served impressions and their cost, conversions, videos, or people. */
export type MetricKind = 'delivery' | 'conversion' | 'video' | 'reach'

export interface Metric {
  name: string
  /** As in the header of a file, in neutral words. */
  label: string
  kind: MetricKind
  form: 'count' | 'money' | 'percent' | 'number'
  /** From sums over any set of days and places; money in units of the currency, percents as fractions. */
  of(sums: Sums): number
}

const metrics = new Map<string, Metric>()
const add = (name: string, label: string, kind: MetricKind, form: Metric['form'], of: (sums: Sums) => number): void =>
  void metrics.set(name, { name, label, kind, form, of })

const units = 1_000_000
const ratio = (a: number, b: number): number => (b === 0 ? 0 : a / b)
const sum = (name: string, label: string, kind: MetricKind, measure: MeasureName): void =>
  add(name, label, kind, 'count', (sums) => sums[at[measure]]!)

const conversions = (sums: Sums): number => sums[at.clickConversions]! + sums[at.viewConversions]!
const revenue = (sums: Sums): number => (sums[at.clickRevenueMicros]! + sums[at.viewRevenueMicros]!) / units
const cost = (sums: Sums): number => sums[at.costMicros]! / units
const impressions = (sums: Sums): number => sums[at.impressions]!
const clicks = (sums: Sums): number => sums[at.clicks]!

sum('impressions', 'Impressions', 'delivery', 'impressions')
sum('clicks', 'Clicks', 'delivery', 'clicks')
add('clickRate', 'Click Rate', 'delivery', 'percent', (sums) => ratio(clicks(sums), impressions(sums)))
add('mediaCost', 'Media Cost', 'delivery', 'money', cost)
add('costPerClick', 'Cost Per Click', 'delivery', 'money', (sums) => ratio(cost(sums), clicks(sums)))
add('effectiveCpm', 'Effective CPM', 'delivery', 'money', (sums) => ratio(cost(sums) * 1000, impressions(sums)))
sum('invalidImpressions', 'Invalid Impressions', 'delivery', 'invalidImpressions')
sum('invalidClicks', 'Invalid Clicks', 'delivery', 'invalidClicks')
sum('activeViewEligibleImpressions', 'Active View: Eligible Impressions', 'delivery', 'impressions')
sum('activeViewMeasurableImpressions', 'Active View: Measurable Impressions', 'delivery', 'measurable')
sum('activeViewViewableImpressions', 'Active View: Viewable Impressions', 'delivery', 'viewable')
add(
  'activeViewNotViewableImpressions',
  'Active View: Not Viewable Impressions',
  'delivery',
  'count',
  (sums) => sums[at.measurable]! - sums[at.viewable]!,
)
add(
  'activeViewPercentageMeasurableImpressions',
  'Active View: % Measurable Impressions',
  'delivery',
  'percent',
  (sums) => ratio(sums[at.measurable]!, impressions(sums)),
)
add('activeViewPercentageViewableImpressions', 'Active View: % Viewable Impressions', 'delivery', 'percent', (sums) =>
  ratio(sums[at.viewable]!, sums[at.measurable]!),
)
add(
  'activeViewAverageViewableTimeSecond',
  'Active View: Average Viewable Time (seconds)',
  'delivery',
  'number',
  (sums) => ratio(sums[at.viewableSeconds]!, sums[at.viewable]!),
)
sum('bookedImpressions', 'Booked Impressions', 'delivery', 'bookedImpressions')
sum('bookedClicks', 'Booked Clicks', 'delivery', 'bookedClicks')
add('plannedMediaCost', 'Planned Media Cost', 'delivery', 'money', (sums) => sums[at.plannedMicros]! / units)
sum('richMediaInteractions', 'Rich Media Interactions', 'delivery', 'interactions')
add('richMediaInteractionRate', 'Rich Media Interaction Rate', 'delivery', 'percent', (sums) =>
  ratio(sums[at.interactions]!, impressions(sums)),
)
sum('richMediaVideoPlays', 'Video Plays', 'video', 'videoPlays')
sum('richMediaVideoFirstQuartileCompletes', 'Video First Quartile Completions', 'video', 'videoFirstQuartile')
sum('richMediaVideoMidpoints', 'Video Midpoints', 'video', 'videoMidpoint')
sum('richMediaVideoThirdQuartileCompletes', 'Video Third Quartile Completions', 'video', 'videoThirdQuartile')
sum('richMediaVideoCompletions', 'Video Completions', 'video', 'videoCompletions')
sum('richMediaVideoMutes', 'Video Mutes', 'video', 'videoMutes')
sum('richMediaVideoPauses', 'Video Pauses', 'video', 'videoPauses')
add('richMediaVideoCompletionRate', 'Video Completion Rate', 'video', 'percent', (sums) =>
  ratio(sums[at.videoCompletions]!, sums[at.videoPlays]!),
)

add('totalConversions', 'Total Conversions', 'conversion', 'count', conversions)
sum('activityClickThroughConversions', 'Click-through Conversions', 'conversion', 'clickConversions')
sum('activityViewThroughConversions', 'View-through Conversions', 'conversion', 'viewConversions')
add('totalConversionsRevenue', 'Total Revenue', 'conversion', 'money', revenue)
add('totalRevenue', 'Total Revenue', 'conversion', 'money', revenue)
add(
  'activityClickThroughRevenue',
  'Click-through Revenue',
  'conversion',
  'money',
  (sums) => sums[at.clickRevenueMicros]! / units,
)
add(
  'activityViewThroughRevenue',
  'View-through Revenue',
  'conversion',
  'money',
  (sums) => sums[at.viewRevenueMicros]! / units,
)
add(
  'transactionCount',
  'Transaction Count',
  'conversion',
  'count',
  (sums) => sums[at.clickTransactions]! + sums[at.viewTransactions]!,
)
sum('clickThroughTransactionCount', 'Click-through Transaction Count', 'conversion', 'clickTransactions')
sum('viewThroughTransactionCount', 'View-through Transaction Count', 'conversion', 'viewTransactions')
sum('conversionQuantity', 'Quantity', 'conversion', 'quantity')
add('costPerActivity', 'Cost Per Activity', 'delivery', 'money', (sums) => ratio(cost(sums), conversions(sums)))
add('costPerRevenue', 'Cost Per Revenue', 'delivery', 'number', (sums) => ratio(cost(sums), revenue(sums)))
add('activityPerClick', 'Activity Per Click', 'delivery', 'number', (sums) => ratio(conversions(sums), clicks(sums)))
add('activityPerThousandImpressions', 'Activity Per Thousand Impressions', 'delivery', 'number', (sums) =>
  ratio(conversions(sums) * 1000, impressions(sums)),
)
add('revenuePerClick', 'Revenue Per Click', 'delivery', 'money', (sums) => ratio(revenue(sums), clicks(sums)))
add('revenuePerThousandImpressions', 'Revenue Per Thousand Impressions', 'delivery', 'money', (sums) =>
  ratio(revenue(sums) * 1000, impressions(sums)),
)

add('uniqueReachTotalReach', 'Unique Reach: Total Reach', 'reach', 'count', (sums) =>
  uniqueReach(impressions(sums) + clicks(sums)),
)
add('uniqueReachImpressionReach', 'Unique Reach: Impression Reach', 'reach', 'count', (sums) =>
  uniqueReach(impressions(sums)),
)
add('uniqueReachClickReach', 'Unique Reach: Click Reach', 'reach', 'count', (sums) => uniqueReach(clicks(sums)))
add('uniqueReachAverageImpressionFrequency', 'Unique Reach: Average Impression Frequency', 'reach', 'number', (sums) =>
  averageFrequency(impressions(sums)),
)

/** Every metric there is, by its name without prefix. */
export const allMetrics: ReadonlyMap<string, Metric> = metrics

/** A value as files show it: whole counts, money to the micro (at least two digits), percents with four digits. */
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
