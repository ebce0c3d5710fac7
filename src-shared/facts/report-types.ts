import { metricFacts, metricNamed, overlapFacts, type MetricFact } from './metrics'
import { dimensionFact, dimensionFacts, trackingVariables, type DimensionFact } from './report-fields'

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

/** Contents of a section, and the name of its list among the compatible fields. */
export interface SectionFact {
  names: readonly string[]
  compatible: string
}

export interface ReportTypeFact {
  /** Its name for users, and the question it answers. */
  words: { name: string; answers: string }
  /** The criteria block that counts for this type, and its list of compatible fields. */
  block: string
  compatible: string
  sections: Partial<Record<Section, SectionFact>>
  /** The `sections` that become columns, in the order of the file. */
  columns: readonly Section[]
  metrics: Partial<Record<MetricSection, SectionFact>>
  /** `activities` with their own filters and metrics. */
  pivots: boolean
  needsConfiguration: boolean
  /** Overlaps need a dimension. */
  needsDimension?: boolean
}

export const sectionWords: Readonly<Record<Section | MetricSection, string>> = {
  dimensions: 'Dimensions',
  dimensionFilters: 'Filters',
  breakdown: 'Breakdown',
  conversionDimensions: 'Conversion dimensions',
  perInteractionDimensions: 'Interaction dimensions',
  customTrackingVariables: 'Tracking variables',
  activityFilters: 'Activities',
  pathFilters: 'Paths',
  metricNames: 'Metrics',
  reachByFrequencyMetricNames: 'Reach by frequency',
  overlapMetricNames: 'Overlap',
}

const named = (keep: (dimension: DimensionFact) => boolean): string[] =>
  dimensionFacts.filter(keep).map(({ name }) => name)
const metricsOf = (keep: (metric: MetricFact) => boolean): string[] => metricFacts.filter(keep).map(({ name }) => name)

const delivered = named(({ grain }) => grain !== 'path')
const filterable = named(({ grain }) => grain === 'entity' || grain === 'audience' || grain === 'activity')
const reached = ['advertiser', 'campaign', 'placement', 'packageRoadblock', 'site', 'ad', 'creative'].flatMap(
  (name) => [name, `${name}Id`],
)
const paths = named(({ grain }) => grain === 'entity' || grain === 'date' || grain === 'activity' || grain === 'path')
const converting = metricsOf(({ kind }) => kind === 'conversion')

/** Dimensions that identify activities in filters. */
export const activityNames: readonly string[] = ['activity', 'activityId', 'activityGroup', 'activityGroupId']

/** Conversion metrics that may be given for each activity. */
export const pivotMetrics = [
  'activityClickThroughConversions',
  'activityViewThroughConversions',
  'activityClickThroughRevenue',
  'activityViewThroughRevenue',
  'totalConversions',
  'totalConversionsRevenue',
] as const

export const overlapMetrics: readonly string[] = overlapFacts.map(({ name }) => name)
export const frequencyMetrics = ['uniqueReachImpressionReach'] as const

const path = (words: ReportTypeFact['words'], block: string, compatible: string): ReportTypeFact => ({
  words,
  block,
  compatible,
  sections: {
    dimensions: { names: paths, compatible: 'dimensions' },
    activityFilters: { names: activityNames, compatible: '' },
    pathFilters: { names: filterable, compatible: 'pathFilters' },
  },
  columns: ['dimensions'],
  metrics: { metricNames: { names: converting, compatible: 'metrics' } },
  pivots: false,
  needsConfiguration: true,
})

/** Sections of each type of trafficking report. */
export const reportTypes: Readonly<Record<string, ReportTypeFact>> = {
  STANDARD: {
    words: { name: 'Standard', answers: 'Delivery, cost, and quality' },
    block: 'criteria',
    compatible: 'reportCompatibleFields',
    sections: {
      dimensions: { names: delivered, compatible: 'dimensions' },
      dimensionFilters: { names: filterable, compatible: 'dimensionFilters' },
    },
    columns: ['dimensions'],
    metrics: { metricNames: { names: metricsOf(({ kind }) => kind !== 'reach'), compatible: 'metrics' } },
    pivots: true,
    needsConfiguration: false,
  },
  REACH: {
    words: { name: 'Reach', answers: 'People reached, and how often' },
    block: 'reachCriteria',
    compatible: 'reachReportCompatibleFields',
    sections: {
      dimensions: { names: [...reached, 'country', 'platformType'], compatible: 'dimensions' },
      dimensionFilters: { names: [...reached, 'country', 'platformType'], compatible: 'dimensionFilters' },
    },
    columns: ['dimensions'],
    metrics: {
      metricNames: { names: metricsOf(({ kind }) => kind === 'reach' || kind === 'delivery'), compatible: 'metrics' },
      reachByFrequencyMetricNames: { names: frequencyMetrics, compatible: 'reachByFrequencyMetrics' },
    },
    pivots: true,
    needsConfiguration: false,
  },
  CROSS_DIMENSION_REACH: {
    words: { name: 'Overlap', answers: 'People reached more than once' },
    block: 'crossDimensionReachCriteria',
    compatible: 'crossDimensionReachReportCompatibleFields',
    sections: {
      breakdown: { names: ['advertiser', 'advertiserId', 'campaign', 'campaignId'], compatible: 'breakdown' },
      dimensionFilters: { names: reached, compatible: 'dimensionFilters' },
    },
    columns: ['breakdown'],
    metrics: {
      metricNames: {
        names: [...metricsOf(({ kind }) => kind === 'reach'), 'impressions', 'clicks'],
        compatible: 'metrics',
      },
      overlapMetricNames: { names: overlapMetrics, compatible: 'overlapMetrics' },
    },
    pivots: false,
    needsConfiguration: false,
    needsDimension: true,
  },
  TRACKING: {
    words: { name: 'Conversions', answers: 'Conversions and their variables' },
    block: 'trackingCriteria',
    compatible: 'trackingReportCompatibleFields',
    sections: {
      dimensions: { names: [...delivered, ...trackingVariables], compatible: 'dimensions' },
      dimensionFilters: { names: filterable, compatible: 'dimensionFilters' },
    },
    columns: ['dimensions'],
    metrics: { metricNames: { names: converting, compatible: 'metrics' } },
    pivots: false,
    needsConfiguration: true,
  },
  PATH_TO_CONVERSION: {
    words: { name: 'Paths to conversion', answers: 'Every interaction before a conversion' },
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
      activityFilters: { names: activityNames, compatible: '' },
    },
    columns: ['conversionDimensions', 'customTrackingVariables', 'perInteractionDimensions'],
    metrics: { metricNames: { names: converting, compatible: 'metrics' } },
    pivots: false,
    needsConfiguration: true,
  },
  PATH: path({ name: 'Common paths', answers: 'Most frequent paths' }, 'pathCriteria', 'pathReportCompatibleFields'),
  PATH_ATTRIBUTION: path(
    { name: 'Attribution', answers: 'Conversions attributed to interactions' },
    'pathAttributionCriteria',
    'pathAttributionReportCompatibleFields',
  ),
}

/** True if a report can combine a dimension and a metric: delivery can't be divided by activity. Names without prefix. */
export function goTogether(dimension: string, metric: string): boolean {
  const grain = dimensionFact(dimension)?.grain
  const kind = metricNamed.get(metric)?.kind
  if (grain === 'activity') return kind === 'conversion'
  if (grain === 'date') return kind !== 'reach'
  return true
}
