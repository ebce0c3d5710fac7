import { metricNamed } from '#shared/facts/metrics'
import { bareName, dimensionFact } from '#shared/facts/report-fields'
import {
  goTogether,
  reportTypes,
  type MetricSection,
  type ReportTypeFact,
  type Section,
} from '#shared/facts/report-types'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { Field } from '#shared/wire/table'
import {
  blockOf,
  fullName,
  listOrNone,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
  typeOf,
  type Definition,
} from './criteria'

export interface TypeChange {
  report: Definition
  /** Labels of what the new type doesn't support. */
  dropped: string[]
}

/** Fields of a report in the account's API version. */
export type ReportFields = Readonly<Record<string, Field>>

const fieldsIn = (fields: ReportFields, ...path: string[]): readonly string[] => {
  let inner: ReportFields | undefined = fields
  for (const name of path) inner = inner?.[name]?.fields
  return Object.keys(inner ?? {})
}

/** Label of a dimension or metric, or its name if it's unknown. */
export const labelOf = (name: string): string => dimensionFact(name)?.label ?? metricNamed.get(name)?.label ?? name

/**
 * Changes the type and keeps what it supports: columns, filters, metrics, date range, configuration, and properties.
 * Removes the criteria of the old type, because a report only has those of its own.
 */
export function changeType(report: Definition, to: string, fields: ReportFields): TypeChange {
  const type = reportTypes[to]
  const before = typeOf(report)
  if (!type || type === before) return { report: { ...report, type: to }, dropped: [] }
  const old = blockOf(report)
  const dropped: string[] = []
  const block: JsonObject = {}
  const takes = fieldsIn(fields, type.block)
  if (old['dateRange'] !== undefined) block['dateRange'] = old['dateRange']
  if (old['trackingConfigId'] !== undefined) {
    if (type.needsConfiguration) block['trackingConfigId'] = old['trackingConfigId']
    else dropped.push('Tracking configuration')
  }
  const columns = (before?.columns ?? []).flatMap((section) => objectsOf(old[section]))
  keepColumns(type, columns, block, dropped)
  keepMetrics(type, before, old, block, dropped)
  keepFilters(type, old, block, dropped)
  if (old['activities'] !== undefined) {
    if (type.pivots) block['activities'] = old['activities']
    else dropped.push('Activity columns')
  }
  const properties = Object.entries(objectOf(old['reportProperties']))
  const kept = properties.filter(([name]) => fieldsIn(fields, type.block, 'reportProperties').includes(name))
  if (kept.length > 0) block['reportProperties'] = Object.fromEntries(kept)
  if (kept.length < properties.length) dropped.push('Other conversion settings')
  for (const name of ['customRichMediaEvents', 'customChannelGrouping'])
    if (old[name] !== undefined && takes.includes(name) && sameShape(fields, before?.block, type.block, name))
      block[name] = old[name]
    else if (old[name] !== undefined)
      dropped.push(name === 'customChannelGrouping' ? 'Channel grouping' : 'Custom events')

  const next: Definition = { ...report, type: to, [type.block]: block }
  for (const { block: other } of Object.values(reportTypes)) if (other !== type.block) delete next[other]
  return { report: next, dropped }
}

const sameShape = (fields: ReportFields, from: string | undefined, to: string, name: string): boolean =>
  fields[from ?? '']?.fields?.[name]?.type === fields[to]?.fields?.[name]?.type

/** Moves each dimension to the first section that supports it. */
function keepColumns(type: ReportTypeFact, columns: readonly JsonObject[], block: JsonObject, dropped: string[]): void {
  for (const entry of columns) {
    const name = bareName(textOf(entry['name']) ?? '')
    const section = type.columns.find((one) => type.sections[one]?.names.includes(name))
    const list = section ? objectsOf(block[section]) : []
    if (!section) dropped.push(labelOf(name))
    else if (!list.some((other) => bareName(textOf(other['name']) ?? '') === name)) block[section] = [...list, entry]
  }
}

function keepMetrics(
  type: ReportTypeFact,
  before: ReportTypeFact | undefined,
  old: JsonObject,
  block: JsonObject,
  dropped: string[],
): void {
  const dimensions = type.columns.flatMap((section) =>
    objectsOf(block[section]).map(({ name }) => bareName(textOf(name) ?? '')),
  )
  for (const section of Object.keys(before?.metrics ?? {}) as MetricSection[]) {
    const names = textsOf(old[section]).map(bareName)
    const taken = type.metrics[section]?.names ?? []
    const fits = (name: string): boolean => taken.includes(name) && dimensions.every((one) => goTogether(one, name))
    const kept = listOrNone(names.filter(fits).map(fullName))
    if (kept) block[section] = kept
    dropped.push(...names.filter((name) => !fits(name)).map(labelOf))
  }
}

/** Keeps filters. Activity filters move to their own list if the type has one. */
function keepFilters(type: ReportTypeFact, old: JsonObject, block: JsonObject, dropped: string[]): void {
  const lists = (['dimensionFilters', 'activityFilters'] satisfies Section[]).filter((list) => type.sections[list])
  for (const filter of [...objectsOf(old['dimensionFilters']), ...objectsOf(old['activityFilters'])]) {
    const name = bareName(textOf(filter['dimensionName']) ?? '')
    const list = lists.find((one) => type.sections[one]!.names.includes(name))
    if (list) block[list] = [...objectsOf(block[list]), filter]
    else dropped.push(`${labelOf(name)} filter`)
  }
  const paths: Json | undefined = old['pathFilters']
  if (paths === undefined) return
  if (type.sections.pathFilters) block['pathFilters'] = paths
  else if (Array.isArray(paths) && paths.some(isJsonObject)) dropped.push('Path filters')
}
