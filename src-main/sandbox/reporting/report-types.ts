import { allDimensions, type Dimension } from './dimensions'
import { allMetrics, type Metric } from './metrics'

export type Section =
  | 'dimensions'
  | 'dimensionFilters'
  | 'breakdown'
  | 'conversionDimensions'
  | 'perInteractionDimensions'
  | 'customTrackingVariables'
  | 'activityFilters'
  | 'pathFilters'
export type MetricSection = 'metricNames' | 'reachByFrequencyMetricNames' | 'overlapMetricNames'

export interface ReportType {
  /** The criteria block that counts for this type, and its list of compatible fields. */
  block: string
  compatible: string
  /** The fields that each section of the block takes, and the name of that list among the compatible fields. */
  sections: Partial<Record<Section, { names: readonly string[]; compatible: string }>>
  metrics: Partial<Record<MetricSection, { names: readonly string[]; compatible: string }>>
  /** `activities` with filters and metrics of its own. */
  pivots: boolean
  needsConfiguration: boolean
}

/** Prefix of dimensions and metrics in neutral words; the public one is taken as well. */
export const prefix = 'trafficking:'

export const bareName = (name: string): string => name.replace(/^(trafficking|dfa):/, '')
export const hasPrefix = (name: string): boolean => /^(trafficking|dfa):./.test(name)

const named = (keep: (dimension: Dimension) => boolean): string[] =>
  [...allDimensions.values()].filter(keep).map(({ name }) => name)
const metricsOf = (keep: (metric: Metric) => boolean): string[] =>
  [...allMetrics.values()].filter(keep).map(({ name }) => name)

const delivered = named(({ grain }) => grain !== 'path')
const filterable = named(({ grain }) => grain === 'entity' || grain === 'audience' || grain === 'activity')
const reached = ['advertiser', 'campaign', 'placement', 'packageRoadblock', 'site', 'ad', 'creative'].flatMap(
  (name) => [name, `${name}Id`],
)
const paths = named(({ grain }) => grain === 'entity' || grain === 'date' || grain === 'activity' || grain === 'path')
const converting = metricsOf(({ kind }) => kind === 'conversion')

/** Conversion metrics that may be given for each activity. */
export const pivotMetrics = [
  'activityClickThroughConversions',
  'activityViewThroughConversions',
  'activityClickThroughRevenue',
  'activityViewThroughRevenue',
  'totalConversions',
  'totalConversionsRevenue',
] as const

export const trackingVariable = /^trackingVariable(Dimension)?([1-9]\d?|100)$/
const trackingVariables = Array.from({ length: 100 }, (_, index) => `trackingVariableDimension${index + 1}`)

export const overlapMetrics = ['uniqueReachOverlapTotalReach', 'uniqueReachOverlapTotalReachPercent'] as const
export const frequencyMetrics = ['uniqueReachImpressionReach'] as const

const path = (block: string, compatible: string): ReportType => ({
  block,
  compatible,
  sections: {
    dimensions: { names: paths, compatible: 'dimensions' },
    activityFilters: { names: ['activity', 'activityId', 'activityGroup', 'activityGroupId'], compatible: '' },
    pathFilters: { names: filterable, compatible: 'pathFilters' },
  },
  metrics: { metricNames: { names: converting, compatible: 'metrics' } },
  pivots: false,
  needsConfiguration: true,
})

export const reportTypes: Readonly<Record<string, ReportType>> = {
  STANDARD: {
    block: 'criteria',
    compatible: 'reportCompatibleFields',
    sections: {
      dimensions: { names: delivered, compatible: 'dimensions' },
      dimensionFilters: { names: filterable, compatible: 'dimensionFilters' },
    },
    metrics: { metricNames: { names: metricsOf(({ kind }) => kind !== 'reach'), compatible: 'metrics' } },
    pivots: true,
    needsConfiguration: false,
  },
  REACH: {
    block: 'reachCriteria',
    compatible: 'reachReportCompatibleFields',
    sections: {
      dimensions: { names: [...reached, 'country', 'platformType'], compatible: 'dimensions' },
      dimensionFilters: { names: [...reached, 'country', 'platformType'], compatible: 'dimensionFilters' },
    },
    metrics: {
      metricNames: { names: metricsOf(({ kind }) => kind === 'reach' || kind === 'delivery'), compatible: 'metrics' },
      reachByFrequencyMetricNames: { names: frequencyMetrics, compatible: 'reachByFrequencyMetrics' },
    },
    pivots: true,
    needsConfiguration: false,
  },
  CROSS_DIMENSION_REACH: {
    block: 'crossDimensionReachCriteria',
    compatible: 'crossDimensionReachReportCompatibleFields',
    sections: {
      breakdown: { names: ['advertiser', 'advertiserId', 'campaign', 'campaignId'], compatible: 'breakdown' },
      dimensionFilters: { names: reached, compatible: 'dimensionFilters' },
    },
    metrics: {
      metricNames: {
        names: [...metricsOf(({ kind }) => kind === 'reach'), 'impressions', 'clicks'],
        compatible: 'metrics',
      },
      overlapMetricNames: { names: overlapMetrics, compatible: 'overlapMetrics' },
    },
    pivots: false,
    needsConfiguration: false,
  },
  TRACKING: {
    block: 'trackingCriteria',
    compatible: 'trackingReportCompatibleFields',
    sections: {
      dimensions: { names: [...delivered, ...trackingVariables], compatible: 'dimensions' },
      dimensionFilters: { names: filterable, compatible: 'dimensionFilters' },
    },
    metrics: { metricNames: { names: converting, compatible: 'metrics' } },
    pivots: false,
    needsConfiguration: true,
  },
  PATH_TO_CONVERSION: {
    block: 'pathToConversionCriteria',
    compatible: 'pathToConversionReportCompatibleFields',
    sections: {
      conversionDimensions: {
        names: named(
          ({ grain, name }) =>
            grain === 'activity' ||
            grain === 'date' ||
            name === 'conversionId' ||
            name === 'pathLength' ||
            /^(advertiser|tracking)/.test(name),
        ),
        compatible: 'conversionDimensions',
      },
      perInteractionDimensions: {
        names: named(
          ({ grain, name }) => grain === 'entity' || (grain === 'path' && !/conversionId|pathLength/.test(name)),
        ),
        compatible: 'perInteractionDimensions',
      },
      customTrackingVariables: { names: trackingVariables, compatible: 'customTrackingVariables' },
      activityFilters: { names: ['activity', 'activityId', 'activityGroup', 'activityGroupId'], compatible: '' },
    },
    metrics: { metricNames: { names: converting, compatible: 'metrics' } },
    pivots: false,
    needsConfiguration: true,
  },
  PATH: path('pathCriteria', 'pathReportCompatibleFields'),
  PATH_ATTRIBUTION: path('pathAttributionCriteria', 'pathAttributionReportCompatibleFields'),
}

/** Whether a dimension and a metric may stand in one report: what was served is not told apart by activity. */
export function goTogether(dimension: string, metric: string): boolean {
  const grain = allDimensions.get(dimension)?.grain
  const kind = allMetrics.get(metric)?.kind
  if (grain === 'activity') return kind === 'conversion'
  if (grain === 'date') return kind !== 'reach'
  return true
}
