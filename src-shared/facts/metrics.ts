/** Subject of a metric: served impressions and their cost, conversions, videos, or people. */
export type MetricKind = 'delivery' | 'conversion' | 'video' | 'reach'

/** Format of its values: whole counts, money in the account's currency, a fraction of one, or any number. */
export type MetricForm = 'count' | 'money' | 'percent' | 'number'

/**
 * One metric divided by another, such as `clicks` per `impressions`. The dividend is multiplied by `times`, as for a
 * cost per thousand.
 */
export interface Ratio {
  of: string
  per: string
  times?: number
  /** The ratio is undefined unless the divisor exceeds this, as for a change. See `changeOf`. */
  above?: 0
}

/**
 * Aggregation of several rows: a sum (`sum`), a ratio of sums, or only by the service (`whole`), such as people who are
 * counted once however often they appear.
 */
export type Adding = 'sum' | 'whole' | Ratio

export interface MetricFact {
  /** Without prefix. */
  name: string
  /** As in the header of a file, in neutral names. */
  label: string
  kind: MetricKind
  form: MetricForm
  adds: Adding
}

const metric = (name: string, label: string, kind: MetricKind, form: MetricForm, adds: Adding = 'sum'): MetricFact => ({
  name,
  label,
  kind,
  form,
  adds,
})
const per = (of: string, per: string, times?: number): Ratio => ({ of, per, ...(times !== undefined && { times }) })

/** Known metrics of trafficking reports. A service may have more. */
export const metricFacts: readonly MetricFact[] = [
  metric('impressions', 'Impressions', 'delivery', 'count'),
  metric('clicks', 'Clicks', 'delivery', 'count'),
  metric('clickRate', 'Click Rate', 'delivery', 'percent', per('clicks', 'impressions')),
  metric('mediaCost', 'Media Cost', 'delivery', 'money'),
  metric('costPerClick', 'Cost Per Click', 'delivery', 'money', per('mediaCost', 'clicks')),
  metric('effectiveCpm', 'Effective CPM', 'delivery', 'money', per('mediaCost', 'impressions', 1000)),
  metric('invalidImpressions', 'Invalid Impressions', 'delivery', 'count'),
  metric('invalidClicks', 'Invalid Clicks', 'delivery', 'count'),
  metric('activeViewEligibleImpressions', 'Active View: Eligible Impressions', 'delivery', 'count'),
  metric('activeViewMeasurableImpressions', 'Active View: Measurable Impressions', 'delivery', 'count'),
  metric('activeViewViewableImpressions', 'Active View: Viewable Impressions', 'delivery', 'count'),
  metric('activeViewNotViewableImpressions', 'Active View: Not Viewable Impressions', 'delivery', 'count'),
  metric(
    'activeViewPercentageMeasurableImpressions',
    'Active View: % Measurable Impressions',
    'delivery',
    'percent',
    per('activeViewMeasurableImpressions', 'impressions'),
  ),
  metric(
    'activeViewPercentageViewableImpressions',
    'Active View: % Viewable Impressions',
    'delivery',
    'percent',
    per('activeViewViewableImpressions', 'activeViewMeasurableImpressions'),
  ),
  metric(
    'activeViewAverageViewableTimeSecond',
    'Active View: Average Viewable Time (seconds)',
    'delivery',
    'number',
    'whole',
  ),
  metric('bookedImpressions', 'Booked Impressions', 'delivery', 'count'),
  metric('bookedClicks', 'Booked Clicks', 'delivery', 'count'),
  metric('plannedMediaCost', 'Planned Media Cost', 'delivery', 'money'),
  metric('richMediaInteractions', 'Rich Media Interactions', 'delivery', 'count'),
  metric(
    'richMediaInteractionRate',
    'Rich Media Interaction Rate',
    'delivery',
    'percent',
    per('richMediaInteractions', 'impressions'),
  ),
  metric('richMediaVideoPlays', 'Video Plays', 'video', 'count'),
  metric('richMediaVideoFirstQuartileCompletes', 'Video First Quartile Completions', 'video', 'count'),
  metric('richMediaVideoMidpoints', 'Video Midpoints', 'video', 'count'),
  metric('richMediaVideoThirdQuartileCompletes', 'Video Third Quartile Completions', 'video', 'count'),
  metric('richMediaVideoCompletions', 'Video Completions', 'video', 'count'),
  metric('richMediaVideoMutes', 'Video Mutes', 'video', 'count'),
  metric('richMediaVideoPauses', 'Video Pauses', 'video', 'count'),
  metric(
    'richMediaVideoCompletionRate',
    'Video Completion Rate',
    'video',
    'percent',
    per('richMediaVideoCompletions', 'richMediaVideoPlays'),
  ),
  metric('totalConversions', 'Total Conversions', 'conversion', 'count'),
  metric('activityClickThroughConversions', 'Click-through Conversions', 'conversion', 'count'),
  metric('activityViewThroughConversions', 'View-through Conversions', 'conversion', 'count'),
  metric('totalConversionsRevenue', 'Total Revenue', 'conversion', 'money'),
  metric('totalRevenue', 'Total Revenue', 'conversion', 'money'),
  metric('activityClickThroughRevenue', 'Click-through Revenue', 'conversion', 'money'),
  metric('activityViewThroughRevenue', 'View-through Revenue', 'conversion', 'money'),
  metric('transactionCount', 'Transaction Count', 'conversion', 'count'),
  metric('clickThroughTransactionCount', 'Click-through Transaction Count', 'conversion', 'count'),
  metric('viewThroughTransactionCount', 'View-through Transaction Count', 'conversion', 'count'),
  metric('conversionQuantity', 'Quantity', 'conversion', 'count'),
  metric('costPerActivity', 'Cost Per Activity', 'delivery', 'money', per('mediaCost', 'totalConversions')),
  metric('costPerRevenue', 'Cost Per Revenue', 'delivery', 'number', per('mediaCost', 'totalConversionsRevenue')),
  metric('activityPerClick', 'Activity Per Click', 'delivery', 'number', per('totalConversions', 'clicks')),
  metric(
    'activityPerThousandImpressions',
    'Activity Per Thousand Impressions',
    'delivery',
    'number',
    per('totalConversions', 'impressions', 1000),
  ),
  metric('revenuePerClick', 'Revenue Per Click', 'delivery', 'money', per('totalConversionsRevenue', 'clicks')),
  metric(
    'revenuePerThousandImpressions',
    'Revenue Per Thousand Impressions',
    'delivery',
    'money',
    per('totalConversionsRevenue', 'impressions', 1000),
  ),
  metric('uniqueReachTotalReach', 'Unique Reach: Total Reach', 'reach', 'count', 'whole'),
  metric('uniqueReachImpressionReach', 'Unique Reach: Impression Reach', 'reach', 'count', 'whole'),
  metric('uniqueReachClickReach', 'Unique Reach: Click Reach', 'reach', 'count', 'whole'),
  metric(
    'uniqueReachAverageImpressionFrequency',
    'Unique Reach: Average Impression Frequency',
    'reach',
    'number',
    'whole',
  ),
]

/** Metrics of overlap reports only, which have them once for each pair. */
export const overlapFacts: readonly MetricFact[] = [
  metric('uniqueReachOverlapTotalReach', 'Overlap Reach', 'reach', 'count', 'whole'),
  metric('uniqueReachOverlapTotalReachPercent', 'Overlap Reach %', 'reach', 'percent', 'whole'),
]

export const metricNamed: ReadonlyMap<string, MetricFact> = new Map(
  [...metricFacts, ...overlapFacts].map((fact) => [fact.name, fact]),
)

const search = (name: string, form: MetricForm, adds: Adding = 'sum'): MetricFact => ({
  name,
  label: name,
  kind: /^dfa/.test(name) ? 'conversion' : 'delivery',
  form,
  adds,
})

/** Metrics among the columns of search reports, headed by their names; a service may have more. */
export const searchMetricNamed: ReadonlyMap<string, MetricFact> = new Map(
  [
    search('impr', 'count'),
    search('clicks', 'count'),
    search('visits', 'count'),
    search('ctr', 'percent', per('clicks', 'impr')),
    search('cost', 'money'),
    search('avgCpc', 'money', per('cost', 'clicks')),
    search('avgCpm', 'money', per('cost', 'impr', 1000)),
    search('dfaTransactions', 'count'),
    search('dfaRevenue', 'money'),
    search('dfaActions', 'count'),
  ].map((fact) => [fact.name, fact]),
)
