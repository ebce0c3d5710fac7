import { bareName, dimensionFact } from '#shared/facts/report-fields'
import type { RelativeRange } from '#shared/facts/report-ranges'
import { isRepeats, scheduleNeeds, type ScheduleField } from '#shared/facts/report-schedules'
import type { MetricSection, Section } from '#shared/facts/report-types'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import {
  blockOf,
  dimensionsIn,
  fullName,
  listOrNone,
  objectOf,
  objectsOf,
  textsOf,
  typeOf,
  withBlock,
  withFields,
  type Definition,
} from './criteria'

/** Moves an item of a list, to the nearest valid index. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list]
  const [item] = next.splice(from, 1)
  if (item === undefined) return [...list]
  next.splice(Math.max(0, Math.min(next.length, to)), 0, item)
  return next
}

const listAt = (report: Definition, name: string): Json[] => {
  const list = blockOf(report)[name]
  return Array.isArray(list) ? list : []
}
const withList = (report: Definition, name: string, list: readonly Json[]): Definition =>
  withBlock(report, { [name]: listOrNone(list) })

/**
 * Adds a dimension as a column, once. A name also adds its ID if the section supports it, because rows are joined to
 * records by ID. A name without prefix gets the service's prefix.
 */
export function addDimension(report: Definition, section: Section, name: string): Definition {
  const bare = bareName(name)
  const taken = typeOf(report)?.sections[section]?.names ?? []
  const there = dimensionsIn(report, section)
  const fact = dimensionFact(bare)
  const id = fact?.collection && !fact.ids && taken.includes(`${bare}Id`) ? [`${bare}Id`] : []
  const fresh = [bare, ...id].filter((one) => !there.includes(one))
  if (there.includes(bare)) return report
  return withList(report, section, [
    ...listAt(report, section),
    ...fresh.map((one): JsonObject => ({ name: fullName(one) })),
  ])
}

const named = (entry: Json, name: string): boolean =>
  bareName(isJsonObject(entry) ? String(entry['name'] as string) : String(entry as string)) === bareName(name)

/** Removes a dimension or metric from a section. */
export const removeField = (report: Definition, section: Section | MetricSection, name: string): Definition =>
  withList(
    report,
    section,
    listAt(report, section).filter((entry) => !named(entry, name)),
  )

export const moveField = (report: Definition, section: Section | MetricSection, from: number, to: number): Definition =>
  withList(report, section, moved(listAt(report, section), from, to))

/** Sorts by a dimension. `undefined` leaves the order to the service. */
export const sortDimension = (
  report: Definition,
  section: Section,
  name: string,
  sortOrder: 'ASCENDING' | 'DESCENDING' | undefined,
): Definition =>
  withList(
    report,
    section,
    listAt(report, section).map((entry) => (named(entry, name) ? withFields(objectOf(entry), { sortOrder }) : entry)),
  )

export const addMetric = (report: Definition, section: MetricSection, name: string): Definition =>
  textsOf(blockOf(report)[section]).map(bareName).includes(bareName(name))
    ? report
    : withList(report, section, [...listAt(report, section), fullName(name)])

export type MatchType = 'EXACT' | 'BEGINS_WITH' | 'CONTAINS' | 'WILDCARD_EXPRESSION'

/** Filter value: a record by ID, shown by its name, or text. */
export type FilterValue = { id: string; value?: string } | { value: string; matchType: MatchType }

export const filterOf = (dimension: string, value: FilterValue): JsonObject => ({
  dimensionName: fullName(dimension),
  ...('id' in value
    ? { id: value.id, ...(value.value !== undefined && { value: value.value }), matchType: 'EXACT' }
    : { value: value.value, matchType: value.matchType }),
})

/** Filter lists. */
export type FilterList = 'dimensionFilters' | 'activityFilters'

export const addFilter = (report: Definition, list: FilterList, filter: JsonObject): Definition =>
  withList(report, list, [...listAt(report, list), filter])

export const removeFilter = (report: Definition, list: FilterList | 'pathFilters', index: number): Definition =>
  withList(
    report,
    list,
    listAt(report, list).filter((_, at) => at !== index),
  )

export type PathPosition = 'ANY' | 'FIRST' | 'LAST'

/** Filter on a touch at a position of the path. */
export const pathFilterOf = (position: PathPosition, dimension: string, value: FilterValue): JsonObject => ({
  pathMatchPosition: position,
  eventFilters: [
    {
      dimensionFilter: {
        dimensionName: fullName(dimension),
        ...('id' in value
          ? { ids: [value.id], matchType: 'EXACT' }
          : { values: [value.value], matchType: value.matchType }),
      },
    },
  ],
})

export const addPathFilter = (report: Definition, filter: JsonObject): Definition =>
  withList(report, 'pathFilters', [...listAt(report, 'pathFilters'), filter])

/** Sets the activities and metrics of activity columns. Removes the columns if both are empty. */
export function setActivities(
  report: Definition,
  filters: readonly JsonObject[],
  names: readonly string[],
): Definition {
  const before = objectOf(blockOf(report)['activities'])
  if (filters.length === 0 && names.length === 0) return withBlock(report, { activities: undefined })
  const activities = withFields(before, {
    filters: listOrNone(filters),
    metricNames: listOrNone(names.map(fullName)),
  })
  return withBlock(report, { activities })
}
export const activitiesOf = (report: Definition): { filters: JsonObject[]; names: string[] } => {
  const activities = objectOf(blockOf(report)['activities'])
  return { filters: objectsOf(activities['filters']), names: textsOf(activities['metricNames']).map(bareName) }
}

export const setRelativeRange = (report: Definition, relativeDateRange: RelativeRange): Definition =>
  withBlock(report, {
    dateRange: withFields(objectOf(blockOf(report)['dateRange']), {
      relativeDateRange,
      startDate: undefined,
      endDate: undefined,
    }),
  })

/** Sets the first or last day, or both, as `YYYY-MM-DD`. */
export const setDays = (report: Definition, days: { startDate?: string; endDate?: string }): Definition =>
  withBlock(report, {
    dateRange: withFields(objectOf(blockOf(report)['dateRange']), { ...days, relativeDateRange: undefined }),
  })

/** Sets the tracking configuration by ID, or removes it with null. */
export const setConfiguration = (report: Definition, id: string | null): Definition =>
  withBlock(report, {
    trackingConfigId: id === null ? undefined : filterOf('trackingConfigId', { id }),
  })

/** Sets a field of the criteria, such as `pivoted`. */
export const setCriterion = (report: Definition, name: string, value: Json | undefined): Definition =>
  withBlock(report, { [name]: value })

export function setProperty(report: Definition, name: string, value: Json | undefined): Definition {
  const properties = withFields(objectOf(blockOf(report)['reportProperties']), { [name]: value })
  return withBlock(report, { reportProperties: Object.keys(properties).length > 0 ? properties : undefined })
}

const someSchedule: Readonly<Record<ScheduleField, Json>> = {
  every: 1,
  repeatsOnWeekDays: ['MONDAY'],
  runsOnDayOfMonth: 'DAY_OF_MONTH',
}

/** Default schedule: weekly for a year. */
export const newSchedule = (startDate: string, expirationDate: string): JsonObject => ({
  active: true,
  repeats: 'WEEKLY',
  every: 1,
  repeatsOnWeekDays: ['MONDAY'],
  startDate,
  expirationDate,
})

/**
 * Patches the schedule, or removes it with null. Drops fields that its repetition doesn't use, and adds defaults for
 * others.
 */
export function setSchedule(report: Definition, patch: JsonObject | null): Definition {
  if (patch === null) return withFields(report, { schedule: undefined })
  const schedule = withFields(objectOf(report['schedule']), patch)
  const { repeats } = schedule
  if (isRepeats(repeats)) {
    const needs = scheduleNeeds(repeats)
    for (const name of Object.keys(someSchedule) as ScheduleField[]) {
      if (!needs.includes(name)) delete schedule[name]
      else schedule[name] ??= someSchedule[name]
    }
  }
  return { ...report, schedule }
}

export const setDelivery = (report: Definition, patch: JsonObject): Definition => {
  const delivery = withFields(objectOf(report['delivery']), patch)
  return withFields(report, { delivery: Object.keys(delivery).length > 0 ? delivery : undefined })
}

/** Sets a field of the report itself, such as its name. */
export const setField = (report: Definition, name: string, value: Json | undefined): Definition =>
  withFields(report, { [name]: value })
