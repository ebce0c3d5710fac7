import { bareName, prefix } from '#shared/facts/report-fields'
import { reportTypes, type MetricSection, type ReportTypeFact, type Section } from '#shared/facts/report-types'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'

/** A report as it stands, with what only the service knows of it. Nothing here changes one: each answers a new one. */
export type Definition = JsonObject

export const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
export const objectsOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
export const textsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
export const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** Undefined where the type is not known, as one of a newer version. */
export const typeOf = (report: Definition): ReportTypeFact | undefined => reportTypes[textOf(report['type']) ?? '']

export const blockOf = (report: Definition): JsonObject => objectOf(report[typeOf(report)?.block ?? ''])

/** An object without what is absent in a patch: `undefined` takes away. */
export function withFields(object: JsonObject, patch: JsonObject): JsonObject {
  const next: JsonObject = { ...object, ...patch }
  for (const [field, value] of Object.entries(patch)) if (value === undefined) delete next[field]
  return next
}

/** Changes the criteria that count. A type that is not known has none: then the report stays. */
export function withBlock(report: Definition, patch: JsonObject): Definition {
  const type = typeOf(report)
  return type ? { ...report, [type.block]: withFields(blockOf(report), patch) } : report
}

/** A list that is empty is not there. */
export const listOrNone = (list: readonly Json[]): Json[] | undefined => (list.length > 0 ? [...list] : undefined)

export const fullName = (name: string): string => (name.includes(':') ? name : prefix + name)

/** Names of the dimensions that are columns in a section, without prefix. */
export const dimensionsIn = (report: Definition, section: Section): string[] =>
  objectsOf(blockOf(report)[section]).map(({ name }) => bareName(textOf(name) ?? ''))

export const metricsIn = (report: Definition, section: MetricSection): string[] =>
  textsOf(blockOf(report)[section]).map(bareName)

/** Of all sections that are columns. */
export const chosenDimensions = (report: Definition): string[] =>
  (typeOf(report)?.columns ?? []).flatMap((section) => dimensionsIn(report, section))

export const chosenMetrics = (report: Definition): string[] =>
  (Object.keys(typeOf(report)?.metrics ?? {}) as MetricSection[]).flatMap((section) => metricsIn(report, section))
