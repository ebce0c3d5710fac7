import { bareName, hasPrefix, trackingVariable } from '#shared/facts/report-fields'
import { dayOf, isRelativeRange } from '#shared/facts/report-ranges'
import { isRepeats, scheduleNeeds } from '#shared/facts/report-schedules'
import {
  activityNames,
  goTogether,
  pivotMetrics,
  sectionWords,
  type MetricSection,
  type ReportTypeFact,
  type Section,
} from '#shared/facts/report-types'
import { isJsonObject, type JsonObject } from '#shared/json'
import type { ServiceTable } from '#shared/wire/table'
import { validate } from '#shared/wire/validate'
import { violationWords } from '../../../context/violation-words'
import { labelOf } from './change-type'
import { settingLabel } from './setting-labels'
import { blockOf, chosenDimensions, objectOf, objectsOf, textOf, textsOf, typeOf, type Definition } from './criteria'
import { activitiesOf } from './definition'

/** Part of the builder in which a problem can be fixed. */
export type Place =
  | 'name'
  | 'type'
  | 'range'
  | 'configuration'
  | 'dimension'
  | 'activities'
  | 'properties'
  | 'schedule'
  | 'delivery'
  | Section
  | MetricSection

export interface Problem {
  at: Place
  words: string
  /** True if the name is unknown to the app but may be valid. */
  unsure?: true
}

/** Everything the service would reject, in the order of the builder's parts. */
export function problemsOf(report: Definition, table: ServiceTable): Problem[] {
  const found: Problem[] = []
  const tell = (at: Place, words: string, unsure = false): void =>
    void found.push({ at, words, ...(unsure && { unsure: true }) })
  const name = (textOf(report['name']) ?? '').trim()
  if (name === '') tell('name', 'Enter a name')
  if (name.length > 255) tell('name', `Shorten the name to 255 characters (now ${name.length})`)
  const type = typeOf(report)
  if (!type) {
    tell('type', report['type'] === undefined ? 'Choose a type' : 'Unknown report type', true)
    return found
  }
  if (!typesIn(table).includes(String(report['type'] as string)))
    tell('type', `This account’s API version doesn’t support the type ${type.words.name}`)
  const block = blockOf(report)
  rangeProblems(objectOf(block['dateRange']), tell)
  if (type.needsConfiguration) {
    const { id, value } = objectOf(block['trackingConfigId'])
    if (!id && !value) tell('configuration', 'Choose an advertiser')
  }
  if (type.needsDimension && !block['dimension']) tell('dimension', 'Choose an overlap dimension')
  columnProblems(type, block, tell)
  metricProblems(type, report, tell)
  filterProblems(type, block, tell)
  scheduleProblems(report, objectOf(block['dateRange']), tell)
  deliveryProblems(report, tell)
  tableProblems(report, type, table, found, tell)
  return found
}

type Tell = (at: Place, words: string, unsure?: boolean) => void

/** Types in the account's API version. */
export const typesIn = (table: ServiceTable): readonly string[] =>
  (table.schemas['Report']?.fields?.['type']?.enum ?? []).map(String)

function rangeProblems(range: JsonObject, tell: Tell): void {
  const { relativeDateRange: relative, startDate, endDate } = range
  const fixed = startDate !== undefined || endDate !== undefined
  if (relative === undefined && !fixed) return tell('range', 'Choose a date range')
  if (relative !== undefined) {
    if (fixed) tell('range', 'Choose either a relative date range or custom dates')
    if (!isRelativeRange(relative)) tell('range', 'Unknown date range', true)
    return
  }
  if (typeof startDate !== 'string') return tell('range', 'Enter a first day')
  if (typeof endDate !== 'string') return tell('range', 'Enter a last day')
  if (dayOf(startDate) > dayOf(endDate)) tell('range', 'The last day is before the first')
}

/** True if a section supports a name, which must have its prefix. */
const takes = (names: readonly string[], name: string): boolean => {
  const bare = bareName(name)
  return (
    hasPrefix(name) &&
    (names.includes(bare) || (trackingVariable.test(bare) && names.some((one) => trackingVariable.test(one))))
  )
}

function columnProblems(type: ReportTypeFact, block: JsonObject, tell: Tell): void {
  for (const section of type.columns) {
    const seen = new Set<string>()
    for (const { name } of objectsOf(block[section])) {
      const bare = bareName(textOf(name) ?? '')
      if (!takes(type.sections[section]!.names, textOf(name) ?? ''))
        tell(section, `${labelOf(bare)} isn’t a known field of this report type`, true)
      else if (seen.has(bare)) tell(section, `${labelOf(bare)} appears twice`)
      seen.add(bare)
    }
  }
}

function metricProblems(type: ReportTypeFact, report: Definition, tell: Tell): void {
  const block = blockOf(report)
  const dimensions = chosenDimensions(report)
  let count = 0
  for (const section of Object.keys(type.metrics) as MetricSection[]) {
    for (const name of textsOf(block[section])) {
      const bare = bareName(name)
      const clash = dimensions.find((dimension) => !goTogether(dimension, bare))
      if (!takes(type.metrics[section]!.names, name))
        tell(section, `${labelOf(bare)} isn’t a known field of this report type`, true)
      else if (clash !== undefined) tell(section, `${labelOf(bare)} can’t be combined with ${labelOf(clash)}`)
      count++
    }
  }
  if (type.pivots && isJsonObject(block['activities'])) {
    const { filters, names } = activitiesOf(report)
    for (const name of textsOf(block['activities']['metricNames']))
      if (!takes(pivotMetrics, name))
        tell('activities', `${labelOf(bareName(name))} isn’t available for activities`, true)
    for (const filter of filters)
      if (!takes(activityNames, textOf(filter['dimensionName']) ?? '')) tell('activities', 'Choose an activity')
      else filterProblem(filter, 'activities', tell)
    if (filters.length > 0 && names.length === 0) tell('activities', 'Choose metrics for the activities')
    count += names.length
  }
  if (count === 0) tell('metricNames', 'Add a metric')
}

function filterProblems(type: ReportTypeFact, block: JsonObject, tell: Tell): void {
  const known = (list: Section, name: string): boolean => {
    const there = takes(type.sections[list]?.names ?? [], name)
    if (!there) tell(list, `This report type can’t be filtered by ${labelOf(bareName(name))}`, true)
    return there
  }
  for (const list of ['dimensionFilters', 'activityFilters'] as const) {
    if (!type.sections[list]) continue
    for (const filter of objectsOf(block[list]))
      if (known(list, textOf(filter['dimensionName']) ?? '')) filterProblem(filter, list, tell)
  }
  if (!type.sections.pathFilters) return
  for (const { eventFilters } of objectsOf(block['pathFilters']))
    for (const event of objectsOf(eventFilters)) {
      const { dimensionName, ids, values } = objectOf(event['dimensionFilter'])
      if (!known('pathFilters', textOf(dimensionName) ?? '')) continue
      if (textsOf(ids).length + textsOf(values).length === 0)
        tell('pathFilters', `The ${labelOf(bareName(textOf(dimensionName) ?? ''))} filter has no value`)
    }
}

function filterProblem(filter: JsonObject, at: Place, tell: Tell): void {
  const name = labelOf(bareName(textOf(filter['dimensionName']) ?? ''))
  if (filter['id'] === undefined && filter['value'] === undefined) tell(at, `The ${name} filter has no value`)
  else if (filter['id'] !== undefined && (filter['matchType'] ?? 'EXACT') !== 'EXACT')
    tell(at, `The ${name} filter needs an exact match`)
}

function scheduleProblems(report: Definition, range: JsonObject, tell: Tell): void {
  if (!isJsonObject(report['schedule'])) return
  const { repeats, startDate, expirationDate, every, ...rest } = report['schedule']
  const relative = range['relativeDateRange']
  if (typeof relative !== 'string')
    tell('schedule', 'Scheduled reports need a relative date range, such as Last 30 days')
  else if (relative === 'TODAY')
    tell('schedule', 'Scheduled reports can’t include today. Choose a range that ends earlier')
  if (!isRepeats(repeats)) tell('schedule', 'Choose how often the report runs')
  else
    for (const name of scheduleNeeds(repeats)) {
      const value = name === 'every' ? every : rest[name]
      if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
        tell('schedule', name === 'repeatsOnWeekDays' ? 'Choose days of the week' : 'Choose how often the report runs')
    }
  if (typeof every === 'number' && every < 1) tell('schedule', 'Enter an interval of at least 1')
  if (typeof startDate !== 'string') tell('schedule', 'Enter the date of the first run')
  if (typeof expirationDate !== 'string') tell('schedule', 'Enter the date of the last run')
  if (typeof startDate === 'string' && typeof expirationDate === 'string' && expirationDate < startDate)
    tell('schedule', 'The last run is before the first')
}

function deliveryProblems(report: Definition, tell: Tell): void {
  for (const { email } of objectsOf(objectOf(report['delivery'])['recipients']))
    if (!/^[^\s@]+@[^\s@]+$/.test(textOf(email) ?? ''))
      tell('delivery', `“${textOf(email) ?? ''}” isn’t an email address`)
}

/** Label of the field at a path, such as `criteria.dateRange.endDate`. */
const labelAt = (path: string): string =>
  settingLabel(
    path
      .split('.')
      .filter((name) => !/^\d+$/.test(name))
      .at(-1)!,
  )

/** Schema violations. Skips parts that already have a problem. */
function tableProblems(
  report: Definition,
  type: ReportTypeFact,
  table: ServiceTable,
  found: readonly Problem[],
  tell: Tell,
): void {
  const { id: _id, ...content } = report
  const known = new Set(found.map(({ at }) => at))
  for (const violation of validate(table, 'Report', content, {
    kind: 'insert',
    operation: 'trafficking.reports.insert',
  })) {
    const at = placeOf(violation.path, type)
    if (!known.has(at)) tell(at, violationWords(violation, labelAt))
  }
}

/** Part of the builder for a path in an error, such as `criteria.dateRange.endDate`. */
export function placeOf(path: string, type: ReportTypeFact | undefined): Place {
  const [first = '', ...rest] = path.split(/[.[]/)
  if (first === type?.block) {
    const [inner = ''] = rest
    if (inner === 'dateRange') return 'range'
    if (inner === 'trackingConfigId') return 'configuration'
    if (inner === 'dimension' || inner === 'activities') return inner
    if (inner in type.sections || inner in type.metrics) return inner as Section | MetricSection
    return inner === '' ? 'metricNames' : 'properties'
  }
  if (first === 'schedule' || first === 'delivery' || first === 'type') return first
  return 'name'
}

/** Heading of a part. */
export const placeWords = (at: Place): string =>
  at in sectionWords ? sectionWords[at as Section] : ownWords[at as keyof typeof ownWords]
const ownWords = {
  name: 'Name',
  type: 'Type',
  range: 'Date range',
  configuration: 'Tracking configuration',
  dimension: 'Overlap dimension',
  activities: 'Activity columns',
  properties: 'Settings',
  schedule: 'Schedule',
  delivery: 'Delivery',
}
