import { searchMetricNamed } from '../facts/metrics'
import { isJsonObject, type Json, type JsonObject } from '../json'
import type { PlannedColumn } from './kinds'

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

/** The block of criteria that counts for each type of trafficking report, and its lists of columns in the order of the file. */
const criteria: Readonly<Record<string, { block: string; lists: readonly string[] }>> = {
  STANDARD: { block: 'criteria', lists: ['dimensions'] },
  REACH: { block: 'reachCriteria', lists: ['dimensions'] },
  CROSS_DIMENSION_REACH: { block: 'crossDimensionReachCriteria', lists: ['breakdown'] },
  TRACKING: { block: 'trackingCriteria', lists: ['dimensions'] },
  PATH_TO_CONVERSION: {
    block: 'pathToConversionCriteria',
    lists: ['conversionDimensions', 'customTrackingVariables', 'perInteractionDimensions'],
  },
  PATH: { block: 'pathCriteria', lists: ['dimensions'] },
  PATH_ATTRIBUTION: { block: 'pathAttributionCriteria', lists: ['dimensions'] },
}

/** The criteria of a trafficking report that count for its type. */
export const criteriaOf = (report: JsonObject): JsonObject =>
  object(report[criteria[String(report.type as string)]?.block ?? ''])

/**
 * Columns of a trafficking report's file as its definition orders them; what comes behind them (activities, frequencies) is
 * known by its head. Undefined where the width depends on what is found.
 */
export function plannedColumns(report: JsonObject): PlannedColumn[] | undefined {
  const found = criteria[String(report.type as string)]
  const block = criteriaOf(report)
  const pivoted = object(block.reportProperties).pivotOnInteractionPath === true
  // An overlap names the other of each pair between the dimensions and the metrics.
  if (!found || pivoted || found.block === 'crossDimensionReachCriteria') return undefined
  return [...found.lists.flatMap((name) => named(block[name])), ...metrics(block.metricNames)]
}

/** Columns of a search report's file as its request orders them. */
export const plannedSearchColumns = (request: JsonObject): PlannedColumn[] =>
  list(request.columns).map((column) => {
    const { columnName, savedColumnName } = object(column)
    const field = String(columnName ?? savedColumnName ?? '')
    return { field, metric: savedColumnName !== undefined || searchMetricNamed.has(field) }
  })
