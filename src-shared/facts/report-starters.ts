import type { JsonObject } from '../json'
import { prefix } from './report-fields'
import type { RelativeRange } from './report-ranges'
import { reportTypes, type MetricSection, type Section } from './report-types'

/** A report template that only lacks what its author knows. */
export interface Starter {
  id: string
  name: string
  /** The name in older versions, which commands may still use. */
  formerName?: string
  type: string
  /** The question that it answers. */
  about: string
  /** Columns without prefix. */
  dimensions: Partial<Record<Section, readonly string[]>>
  metrics: Partial<Record<MetricSection, readonly string[]>>
  range: RelativeRange
  /** The filter it should have. */
  asks?: 'campaign' | 'advertiser' | 'activity'
  /** Other fields of the criteria. */
  criteria?: JsonObject
  /** Metrics with a column for each activity. */
  perActivity?: readonly string[]
}

const view = ['activeViewMeasurableImpressions', 'activeViewViewableImpressions']
const converted = ['totalConversions', 'totalConversionsRevenue']

/** Report templates, most popular first. */
export const starters: readonly Starter[] = [
  {
    id: 'delivery',
    name: 'Delivery by campaign',
    type: 'STANDARD',
    about: 'Delivery and cost of each campaign',
    dimensions: { dimensions: ['advertiser', 'campaign', 'campaignId'] },
    metrics: {
      metricNames: ['impressions', 'clicks', 'clickRate', 'mediaCost', 'effectiveCpm', 'totalConversions'],
    },
    range: 'LAST_30_DAYS',
  },
  {
    id: 'daily',
    name: 'Daily results',
    formerName: 'Daily facts',
    type: 'STANDARD',
    about: 'Daily results for every placement',
    dimensions: { dimensions: ['date', 'campaign', 'campaignId', 'site', 'siteId', 'placement', 'placementId'] },
    metrics: { metricNames: ['impressions', 'clicks', 'mediaCost', ...view, 'totalConversions'] },
    range: 'LAST_90_DAYS',
  },
  {
    id: 'pacing',
    name: 'Pacing',
    type: 'STANDARD',
    about: 'Booked and delivered, by placement',
    dimensions: {
      dimensions: [
        'campaign',
        'campaignId',
        'site',
        'packageRoadblock',
        'packageRoadblockId',
        'placement',
        'placementId',
        'placementCostStructure',
        'placementRate',
        'placementStartDate',
        'placementEndDate',
      ],
    },
    metrics: {
      metricNames: [
        'bookedImpressions',
        'bookedClicks',
        'plannedMediaCost',
        'impressions',
        'clicks',
        ...view,
        'mediaCost',
        'totalConversions',
      ],
    },
    range: 'LAST_365_DAYS',
  },
  {
    id: 'yesterday',
    name: 'Delivery yesterday',
    formerName: 'Yesterday check',
    type: 'STANDARD',
    about: 'Check that everything ran as planned',
    dimensions: { dimensions: ['campaign', 'campaignId', 'placement', 'placementId', 'ad', 'adId'] },
    metrics: { metricNames: ['impressions', 'clicks', 'mediaCost'] },
    range: 'YESTERDAY',
  },
  {
    id: 'rotation',
    name: 'Creative rotation',
    type: 'STANDARD',
    about: 'Delivery and performance by creative',
    dimensions: { dimensions: ['campaign', 'ad', 'adId', 'creative', 'creativeId', 'creativePixelSize'] },
    metrics: { metricNames: ['impressions', 'clicks', 'clickRate', 'totalConversions'] },
    range: 'LAST_14_DAYS',
    asks: 'campaign',
  },
  {
    id: 'quality',
    name: 'Quality by site',
    type: 'STANDARD',
    about: 'Viewability and invalid traffic',
    dimensions: { dimensions: ['site', 'siteId', 'placementPixelSize'] },
    metrics: { metricNames: ['impressions', ...view, 'invalidImpressions', 'invalidClicks'] },
    range: 'LAST_30_DAYS',
  },
  {
    id: 'video',
    name: 'Video',
    type: 'STANDARD',
    about: 'Plays, quartiles, and completions',
    dimensions: { dimensions: ['creative', 'creativeId', 'site', 'siteId'] },
    metrics: {
      metricNames: [
        'richMediaVideoPlays',
        'richMediaVideoFirstQuartileCompletes',
        'richMediaVideoMidpoints',
        'richMediaVideoThirdQuartileCompletes',
        'richMediaVideoCompletions',
      ],
    },
    range: 'LAST_30_DAYS',
  },
  {
    id: 'where',
    name: 'Location and device',
    formerName: 'Where, on what',
    type: 'STANDARD',
    about: 'Countries, regions, and devices',
    dimensions: { dimensions: ['country', 'state', 'platformType', 'operatingSystem'] },
    metrics: { metricNames: ['impressions', 'clicks', 'totalConversions', 'mediaCost'] },
    range: 'PREVIOUS_MONTH',
    asks: 'advertiser',
  },
  {
    id: 'per-activity',
    name: 'By activity',
    formerName: 'Per activity',
    type: 'STANDARD',
    about: 'One column for each activity on the site',
    dimensions: { dimensions: ['campaign', 'campaignId', 'placement', 'placementId'] },
    metrics: { metricNames: ['impressions', 'clicks', 'mediaCost'] },
    range: 'MONTH_TO_DATE',
    asks: 'activity',
    perActivity: converted,
  },
  {
    id: 'reach',
    name: 'Reach and frequency',
    formerName: 'Reach, frequency',
    type: 'REACH',
    about: 'People reached, and how often',
    dimensions: { dimensions: ['advertiser', 'advertiserId', 'campaign', 'campaignId'] },
    metrics: {
      metricNames: [
        'impressions',
        'uniqueReachTotalReach',
        'uniqueReachImpressionReach',
        'uniqueReachClickReach',
        'uniqueReachAverageImpressionFrequency',
      ],
      reachByFrequencyMetricNames: ['uniqueReachImpressionReach'],
    },
    range: 'LAST_90_DAYS',
  },
  {
    id: 'overlap',
    name: 'Overlap',
    type: 'CROSS_DIMENSION_REACH',
    about: 'People reached by two campaigns',
    dimensions: { breakdown: ['campaign', 'campaignId'] },
    metrics: {
      metricNames: ['uniqueReachTotalReach', 'impressions'],
      overlapMetricNames: ['uniqueReachOverlapTotalReach', 'uniqueReachOverlapTotalReachPercent'],
    },
    range: 'LAST_30_DAYS',
    asks: 'advertiser',
    criteria: { dimension: 'CAMPAIGN', pivoted: false },
  },
  {
    id: 'activities',
    name: 'Activities by day',
    type: 'TRACKING',
    about: 'Daily activity on the site',
    dimensions: {
      dimensions: ['date', 'activityGroup', 'activityGroupId', 'activity', 'activityId', 'campaign', 'campaignId'],
    },
    metrics: { metricNames: [...converted, 'transactionCount'] },
    range: 'LAST_30_DAYS',
  },
  {
    id: 'paths-to-conversion',
    name: 'Paths to conversion',
    type: 'PATH_TO_CONVERSION',
    about: 'Every interaction before a conversion',
    dimensions: {
      conversionDimensions: ['conversionId', 'date', 'activity', 'activityId', 'pathLength'],
      perInteractionDimensions: [
        'interactionNumber',
        'interactionType',
        'campaign',
        'campaignId',
        'placement',
        'placementId',
      ],
    },
    metrics: { metricNames: converted },
    range: 'LAST_7_DAYS',
  },
  {
    id: 'paths',
    name: 'Common paths',
    type: 'PATH',
    about: 'Most frequent paths to a conversion',
    dimensions: { dimensions: ['campaign', 'campaignId', 'interactionType', 'pathLength'] },
    metrics: { metricNames: converted },
    range: 'LAST_30_DAYS',
  },
  {
    id: 'credit',
    name: 'Attribution',
    type: 'PATH_ATTRIBUTION',
    about: 'Conversions attributed to campaigns and sites',
    dimensions: { dimensions: ['campaign', 'campaignId', 'site', 'siteId'] },
    metrics: { metricNames: converted },
    range: 'LAST_30_DAYS',
  },
]

export const starterNamed = (id: string): Starter | undefined => starters.find((one) => one.id === id)

/** The definition that a starter begins with, in neutral words. It may lack a tracking configuration. */
export function reportOfStarter({
  name,
  type,
  dimensions,
  metrics,
  range,
  criteria,
  perActivity,
}: Starter): JsonObject {
  const full = (one: string): string => prefix + one
  return {
    name,
    type,
    format: 'CSV',
    [reportTypes[type]!.block]: {
      dateRange: { relativeDateRange: range },
      ...Object.fromEntries(
        Object.entries(dimensions).map(([section, names]) => [section, names.map((one) => ({ name: full(one) }))]),
      ),
      ...Object.fromEntries(Object.entries(metrics).map(([section, names]) => [section, names.map(full)])),
      ...(perActivity && { activities: { metricNames: perActivity.map(full) } }),
      ...criteria,
    },
  }
}
