import { searchMetricNamed } from '../facts/metrics'
import { reportTypes, type ReportTypeFact } from '../facts/report-types'
import { isJsonObject, type Json, type JsonObject } from '../json'
import type { PlannedColumn } from '../results/result-columns'

const bare = (name: string): string => name.replace(/^\w+:/, '')
const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
const named = (value: Json | undefined): PlannedColumn[] =>
  list(value).flatMap((entry) => {
    const name = object(entry).name
    return typeof name === 'string' ? [{ field: bare(name), metric: false }] : []
  })
const metrics = (value: Json | undefined): PlannedColumn[] =>
  list(value).flatMap((name) => (typeof name === 'string' ? [{ field: bare(name), metric: true }] : []))

/** Columns of the chosen activities' metrics. An activity filtered by name has no ID. */
function ofActivities(value: Json | undefined): PlannedColumn[] {
  const { filters, metricNames } = object(value)
  const each = list(filters)
  if (each.length === 0) return metrics(metricNames)
  return each.flatMap((filter) => {
    const { id, dimensionName } = object(filter)
    const isOne = typeof id === 'string' && typeof dimensionName === 'string' && oneActivity.has(bare(dimensionName))
    return metrics(metricNames).map((column) => ({ ...column, ...(isOne && { activity: id }) }))
  })
}
const oneActivity: ReadonlySet<string> = new Set(['activity', 'activityId'])

const typeOf = (report: JsonObject): ReportTypeFact | undefined => reportTypes[String(report.type as string)]

/** Criteria of a trafficking report's type. */
export const criteriaOf = (report: JsonObject): JsonObject => object(report[typeOf(report)?.block ?? ''])

/** True if an overlap report has a row for each pair instead of a column for each other item. */
const hasPairs = ({ pivoted, overlapMetricNames }: JsonObject): boolean =>
  pivoted === false && list(overlapMetricNames).length > 0

/** Dimensions of an overlap report, with the other item of each pair. */
function pairsOf(block: JsonObject): PlannedColumn[] {
  const { dimension = 'ADVERTISER', breakdown } = block
  const item = /^SITE/.test(String(dimension)) ? 'site' : String(dimension).toLowerCase()
  return [
    ...named(breakdown).filter(({ field }) => field !== item),
    { field: item, metric: false },
    ...(hasPairs(block) ? [{ field: 'other', metric: false }] : []),
  ]
}

/**
 * Columns of a trafficking report's file, in the order of its definition. Later columns (frequencies) are recognized by
 * their header. Undefined if the columns depend on the results.
 */
export function plannedColumns(report: JsonObject): PlannedColumn[] | undefined {
  const found = typeOf(report)
  const block = criteriaOf(report)
  const pivoted = object(block.reportProperties).pivotOnInteractionPath === true
  if (!found || pivoted) return undefined
  return [
    ...(found.needsDimension ? pairsOf(block) : found.columns.flatMap((name) => named(block[name]))),
    ...metrics(block.metricNames),
    ...(found.needsDimension && hasPairs(block) ? metrics(block.overlapMetricNames) : []),
    ...(found.pivots ? ofActivities(block.activities) : []),
  ]
}

/** Deliveries in the results of a report. */
export interface PlannedDeliveries {
  /** True if the report has filters: placements missing in its results may have delivered anyway. */
  narrowed: boolean
  /** Activities whose conversions are counted. */
  activities: string[]
}

/** Undefined if a trafficking report's results lack each placement's delivery by day. */
export function plannedDeliveries(report: JsonObject): PlannedDeliveries | undefined {
  const columns = plannedColumns(report) ?? []
  const needed = ['date', 'placementId', 'impressions']
  if (!needed.every((name) => columns.some(({ field }) => field === name))) return undefined
  const activities = columns.flatMap(({ field, activity }) => (field === 'totalConversions' ? (activity ?? []) : []))
  return { narrowed: list(criteriaOf(report).dimensionFilters).length > 0, activities }
}

/** Columns of a search report's file, in the order of its request. */
export const plannedSearchColumns = (request: JsonObject): PlannedColumn[] =>
  list(request.columns).map((column) => {
    const { columnName, savedColumnName, startDate, endDate } = object(column)
    const field = String(columnName ?? savedColumnName ?? '')
    const days = typeof startDate === 'string' && typeof endDate === 'string' ? `${startDate} ${endDate}` : undefined
    const metric = savedColumnName !== undefined || searchMetricNamed.has(field)
    return { field, metric, ...(days !== undefined && { days }) }
  })
