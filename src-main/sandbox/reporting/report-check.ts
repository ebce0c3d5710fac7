import { bareName, hasPrefix, prefix, trackingVariable } from '#shared/facts/report-fields'
import { isRepeats, scheduleNeeds, scheduleRepeats } from '#shared/facts/report-schedules'
import {
  activityNames,
  goTogether,
  pivotMetrics,
  reportTypes,
  type MetricSection,
  type ReportTypeFact,
  type Section,
} from '#shared/facts/report-types'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { dayOf, relativeSpan, type Day, type Span } from './days'

/** An invalid report, with the field at fault. */
export class ReportFault extends Error {
  constructor(
    message: string,
    readonly location: string,
  ) {
    super(message)
  }
}

export const objectAt = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
export const objectsAt = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
export const textsAt = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/** @throws ReportFault when the version has no such type. */
export function typeOf(report: JsonObject): ReportTypeFact {
  const type = reportTypes[String(report.type)]
  if (!type) throw new ReportFault(`Unknown report type: ${String(report.type)}`, 'type')
  return type
}

/** Days that a report covers, relative to today. @throws ReportFault */
export function spanOf(range: JsonObject, today: Day, at: string): Span {
  const { relativeDateRange: relative, startDate, endDate } = range
  const fixed = typeof startDate === 'string' || typeof endDate === 'string'
  if (typeof relative === 'string') {
    if (fixed)
      throw new ReportFault('A date range is either relative or has a start and an end.', `${at}.relativeDateRange`)
    const span = relativeSpan(relative, today)
    if (!span) throw new ReportFault(`Unknown relative date range: ${relative}`, `${at}.relativeDateRange`)
    return span
  }
  if (typeof startDate !== 'string') throw new ReportFault('A date range needs a start date.', `${at}.startDate`)
  if (typeof endDate !== 'string') throw new ReportFault('A date range needs an end date.', `${at}.endDate`)
  const span = { from: dayOf(startDate), to: dayOf(endDate) }
  if (span.from > span.to) throw new ReportFault('The end date is before the start date.', `${at}.endDate`)
  return span
}

/** Names of the dimensions of a section, without prefix. */
export function namesIn(block: JsonObject, section: Section): Array<{ name: string; at: string }> {
  const entries = objectsAt(block[section])
  if (section !== 'pathFilters')
    return entries.map((entry, index) => ({
      name: String(entry.name ?? entry.dimensionName ?? ''),
      at: `${section}[${index}]`,
    }))
  return entries.flatMap((entry, index) =>
    objectsAt(entry.eventFilters).map((event, inner) => ({
      name: String(objectAt(event.dimensionFilter).dimensionName ?? ''),
      at: `${section}[${index}].eventFilters[${inner}]`,
    })),
  )
}

/** Checks the criteria of the report's type, its schedule, and its delivery. @throws ReportFault for the first error */
export function checkReport(report: JsonObject, today: Day): void {
  const type = typeOf(report)
  const { block: at } = type
  if (!isJsonObject(report[at])) throw new ReportFault(`A report of type ${String(report.type)} needs ${at}.`, at)
  const block = objectAt(report[at])
  if (!isJsonObject(block.dateRange)) throw new ReportFault(`${at} needs a date range.`, `${at}.dateRange`)
  spanOf(objectAt(block.dateRange), today, `${at}.dateRange`)
  if (type.needsConfiguration) {
    const { id, value } = objectAt(block.trackingConfigId)
    if (!id && !value) throw new ReportFault(`${at} needs a tracking configuration.`, `${at}.trackingConfigId`)
  }
  if (type.block === 'crossDimensionReachCriteria' && !block.dimension)
    throw new ReportFault(`${at} needs a dimension.`, `${at}.dimension`)

  const used: Array<{ name: string; at: string }> = []
  for (const [section, { names }] of Object.entries(type.sections) as Array<[Section, { names: readonly string[] }]>) {
    const seen = new Set<string>()
    for (const { name, at: place } of namesIn(block, section)) {
      checkName(name, names, `${at}.${place}`, 'dimension')
      const bare = bareName(name)
      if (/ilter/.test(section)) continue
      if (seen.has(bare)) throw new ReportFault(`The dimension ${name} is selected twice.`, `${at}.${place}`)
      seen.add(bare)
      used.push({ name: bare, at: `${at}.${place}` })
    }
  }
  for (const [index, filter] of objectsAt(block.dimensionFilters).entries())
    checkFilter(filter, `${at}.dimensionFilters[${index}]`)
  for (const [index, filter] of objectsAt(block.activityFilters).entries())
    checkFilter(filter, `${at}.activityFilters[${index}]`)

  let count = 0
  for (const [section, { names }] of Object.entries(type.metrics) as Array<
    [MetricSection, { names: readonly string[] }]
  >) {
    for (const [index, name] of textsAt(block[section]).entries()) {
      const place = `${at}.${section}[${index}]`
      checkName(name, names, place, 'metric')
      const clash = used.find((dimension) => !goTogether(dimension.name, bareName(name)))
      if (clash)
        throw new ReportFault(`The metric ${name} is not compatible with the dimension ${prefix}${clash.name}.`, place)
      count++
    }
  }
  if (type.pivots && isJsonObject(block.activities)) count += checkPivots(block.activities, `${at}.activities`)
  if (count === 0) throw new ReportFault(`${at} needs at least one metric.`, `${at}.metricNames`)
  checkSchedule(report, objectAt(block.dateRange))
}

function checkName(name: string, names: readonly string[], at: string, what: string): void {
  const bare = bareName(name)
  if (
    hasPrefix(name) &&
    (names.includes(bare) ||
      (what === 'dimension' && trackingVariable.test(bare) && names.some((one) => trackingVariable.test(one))))
  )
    return
  throw new ReportFault(`Unknown or incompatible ${what}: ${name === '' ? 'no name is given' : name}`, at)
}

function checkFilter(filter: JsonObject, at: string): void {
  if (filter.id === undefined && filter.value === undefined)
    throw new ReportFault('A filter needs an id or a value.', at)
  if (filter.id !== undefined && filter.matchType !== undefined && filter.matchType !== 'EXACT')
    throw new ReportFault('An id is matched exactly only.', `${at}.matchType`)
}

function checkPivots(activities: JsonObject, at: string): number {
  const names = textsAt(activities.metricNames)
  const filters = objectsAt(activities.filters)
  filters.forEach((filter, index) => {
    checkName(String(filter.dimensionName ?? ''), activityNames, `${at}.filters[${index}]`, 'dimension')
    checkFilter(filter, `${at}.filters[${index}]`)
  })
  names.forEach((name, index) => checkName(name, pivotMetrics, `${at}.metricNames[${index}]`, 'metric'))
  if (filters.length > 0 && names.length === 0)
    throw new ReportFault('Activities are filtered but have no metrics.', `${at}.metricNames`)
  return names.length
}

/** A schedule requires a relative date range other than today. */
function checkSchedule(report: JsonObject, range: JsonObject): void {
  if (!isJsonObject(report.schedule)) return
  const { schedule } = report
  const relative = range.relativeDateRange
  if (typeof relative !== 'string' || relative === 'TODAY')
    throw new ReportFault('A scheduled report needs a relative date range other than TODAY.', 'schedule')
  const { repeats } = schedule
  if (!isRepeats(repeats))
    throw new ReportFault(
      `schedule.repeats must be one of ${Object.keys(scheduleRepeats).join(', ')}.`,
      'schedule.repeats',
    )
  for (const name of scheduleNeeds(repeats)) {
    const value = schedule[name]
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
      throw new ReportFault(`A ${repeats} schedule needs ${name}.`, `schedule.${name}`)
  }
  if (typeof schedule.every === 'number' && schedule.every < 1)
    throw new ReportFault('schedule.every must be at least 1.', 'schedule.every')
  if (String(schedule.expirationDate) < String(schedule.startDate))
    throw new ReportFault('The schedule expires before it starts.', 'schedule.expirationDate')
}
