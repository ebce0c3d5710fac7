import { metricNamed } from '#shared/facts/metrics'
import { bareName, dimensionFact } from '#shared/facts/report-fields'
import { goTogether, type MetricSection, type Section, type SectionFact } from '#shared/facts/report-types'
import type { JsonObject } from '#shared/json'
import { labelOf } from './change-type'
import {
  blockOf,
  chosenDimensions,
  chosenMetrics,
  dimensionsIn,
  metricsIn,
  objectOf,
  objectsOf,
  textOf,
  typeOf,
  type Definition,
} from './criteria'
import { activitiesOf } from './definition'

/** Compatible fields by list for the current selection, as reported by the service. Names have no prefix. */
export type Compatible = Readonly<Record<string, ReadonlySet<string>>>

export interface Offered {
  /** Name without prefix. */
  name: string
  label: string
  group: string
  chosen: boolean
  /** Why it can't be added now. */
  why?: string
}

const isFilters = (section: Section): boolean => section.endsWith('Filters')

const sectionFact = (report: Definition, section: Section | MetricSection): SectionFact | undefined => {
  const type = typeOf(report)
  return type?.sections[section as Section] ?? type?.metrics[section as MetricSection]
}

/** Why a dimension and a metric are incompatible. `there`: the selected one. */
function apart(dimension: string, there: string): string {
  const grain = dimensionFact(dimension)?.grain
  if (grain === 'activity') return `Not compatible with ${labelOf(there)} (delivery isn’t split by activity)`
  return `Not compatible with ${labelOf(there)} (reach isn’t counted by day)`
}

/** Why a dimension can't be added, by local checks only. */
export function whyNotDimension(report: Definition, name: string): string | undefined {
  const metric = chosenMetrics(report).find((one) => !goTogether(name, one))
  if (metric !== undefined) return apart(name, metric)
  if (dimensionFact(name)?.grain === 'activity' && activitiesOf(report).filters.length > 0)
    return 'Activities already have their own columns'
  return undefined
}

export function whyNotMetric(report: Definition, name: string): string | undefined {
  const dimension = chosenDimensions(report).find((one) => !goTogether(one, name))
  return dimension === undefined ? undefined : apart(dimension, dimension)
}

const metricGroups = { delivery: 'Delivery', conversion: 'Conversions', video: 'Video', reach: 'Reach' } as const

/** Fields of a section in order of their groups. `answer`: compatible fields from the service. */
export function offeredDimensions(report: Definition, section: Section, answer?: Compatible): Offered[] {
  const fact = sectionFact(report, section)
  if (!fact) return []
  const chosen = isFilters(section) ? [] : dimensionsIn(report, section)
  const said = answer?.[fact.compatible]
  const judge = (name: string): string | undefined =>
    isFilters(section) ? undefined : (whyNotDimension(report, name) ?? refused(said, name))
  return listed(fact.names, said, chosen, judge, (name) => dimensionFact(name)?.group ?? 'Other')
}

export function offeredMetrics(report: Definition, section: MetricSection, answer?: Compatible): Offered[] {
  const fact = sectionFact(report, section)
  if (!fact) return []
  const said = answer?.[fact.compatible]
  const group = (name: string): string => {
    const kind = metricNamed.get(name)?.kind
    return kind ? metricGroups[kind] : 'Other'
  }
  return listed(
    fact.names,
    said,
    metricsIn(report, section),
    (name) => whyNotMetric(report, name) ?? refused(said, name),
    group,
  )
}

const refused = (said: ReadonlySet<string> | undefined, name: string): string | undefined =>
  said && !said.has(name) ? 'Not compatible with the selected fields' : undefined

function listed(
  known: readonly string[],
  said: ReadonlySet<string> | undefined,
  chosen: readonly string[],
  judge: (name: string) => string | undefined,
  group: (name: string) => string,
): Offered[] {
  const names = new Set([...known, ...(said ?? []), ...chosen])
  return [...names].map((name) => {
    const reason = chosen.includes(name) ? undefined : judge(name)
    return {
      name,
      label: labelOf(name),
      group: group(name),
      chosen: chosen.includes(name),
      ...(reason !== undefined && { why: reason }),
    }
  })
}

/**
 * Compatibility request, also used as cache key: the type and the selected fields, without names, dates, and filters.
 */
export function compatibleQuestion(report: Definition): JsonObject {
  const type = typeOf(report)
  const old = blockOf(report)
  if (!type) return {}
  const block: JsonObject = {}
  for (const section of type.columns)
    block[section] = objectsOf(old[section]).map(({ name }) => ({ name: textOf(name) ?? '' }))
  for (const section of Object.keys(type.metrics)) block[section] = old[section] ?? []
  const { filters } = activitiesOf(report)
  if (filters.length > 0) block['activities'] = objectOf(old['activities'])
  return { type: report['type'], [type.block]: block }
}

/** Parses a compatibility response. Undefined if it has no lists for the type. */
export function readCompatible(report: Definition, answer: JsonObject): Compatible | undefined {
  const lists = objectOf(answer[typeOf(report)?.compatible ?? ''])
  const found = Object.entries(lists).filter(([, list]) => Array.isArray(list))
  if (found.length === 0) return undefined
  return Object.fromEntries(
    found.map(([name, list]) => [
      name,
      new Set(objectsOf(list).flatMap(({ name: one }) => (typeof one === 'string' ? [bareName(one)] : []))),
    ]),
  )
}
