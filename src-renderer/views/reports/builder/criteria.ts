import { bareName, prefix } from '#shared/facts/report-fields'
import { reportTypes, type MetricSection, type ReportTypeFact, type Section } from '#shared/facts/report-types'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'

/** Report definition, including fields unknown to the app. Functions return a new one and never mutate it. */
export type Definition = JsonObject

export const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
export const objectsOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
export const textsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
export const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** Undefined for an unknown type, such as one of a newer API version. */
export const typeOf = (report: Definition): ReportTypeFact | undefined => reportTypes[textOf(report['type']) ?? '']

export const blockOf = (report: Definition): JsonObject => objectOf(report[typeOf(report)?.block ?? ''])

/** Applies a patch, in which `undefined` removes a field. */
export function withFields(object: JsonObject, patch: JsonObject): JsonObject {
  const next: JsonObject = { ...object, ...patch }
  for (const [field, value] of Object.entries(patch)) if (value === undefined) delete next[field]
  return next
}

/** Patches the criteria of the report's type. Does nothing for an unknown type. */
export function withBlock(report: Definition, patch: JsonObject): Definition {
  const type = typeOf(report)
  return type ? { ...report, [type.block]: withFields(blockOf(report), patch) } : report
}

/** Returns undefined for an empty list. */
export const listOrNone = (list: readonly Json[]): Json[] | undefined => (list.length > 0 ? [...list] : undefined)

export const fullName = (name: string): string => (name.includes(':') ? name : prefix + name)

/** Names of the column dimensions of a section, without prefix. */
export const dimensionsIn = (report: Definition, section: Section): string[] =>
  objectsOf(blockOf(report)[section]).map(({ name }) => bareName(textOf(name) ?? ''))

export const metricsIn = (report: Definition, section: MetricSection): string[] =>
  textsOf(blockOf(report)[section]).map(bareName)

/** Names of the column dimensions of all sections. */
export const chosenDimensions = (report: Definition): string[] =>
  (typeOf(report)?.columns ?? []).flatMap((section) => dimensionsIn(report, section))

export const chosenMetrics = (report: Definition): string[] =>
  (Object.keys(typeOf(report)?.metrics ?? {}) as MetricSection[]).flatMap((section) => metricsIn(report, section))
