import { dayOf, type RelativeRange } from '#shared/facts/report-ranges'
import { searchColumn, type SearchColumn } from '#shared/facts/report-search-columns'
import type { JsonObject } from '#shared/json'
import { relativeDaysIn } from '#shared/search-ads/relative-days'
import { objectsOf, textOf, withFields } from './criteria'
import { moved } from './definition'

/** Search report request. Functions return a new one and never mutate it. */
export type SearchRequest = JsonObject

/** A column's own settings. Absent fields are those of the report. */
export interface OwnFields {
  headerText?: string | undefined
  /** The metric's own dates: first and last day, or a relative range. */
  startDate?: string | undefined
  endDate?: string | undefined
  relativeDateRange?: RelativeRange | undefined
  platformSource?: string | undefined
  productReportPerspective?: string | undefined
}

export interface ChosenColumn {
  /** Unique key: the header, with a number if several are equal. */
  key: string
  name: string
  /** Header in the file. */
  header: string
  own: OwnFields
  saved: boolean
  label: string
  kind: SearchColumn['kind']
  /** Facts about the column. Undefined for saved columns, which are metrics, and unknown ones. */
  fact?: SearchColumn
}

/** Parses a column of a request. */
export const readColumn = (spec: JsonObject): ChosenColumn => {
  const saved = textOf(spec['savedColumnName'])
  const name = saved ?? textOf(spec['columnName']) ?? ''
  const fact = saved === undefined ? searchColumn(name) : undefined
  const kind = saved === undefined ? (fact?.kind ?? 'attribute') : 'metric'
  const header = textOf(spec['headerText']) || name
  const own: OwnFields = { ...ownTexts(spec), relativeDateRange: relativeDaysIn(spec) }
  const label = fact?.label ?? name
  return { key: header, name, header, own, saved: saved !== undefined, label, kind, ...(fact && { fact }) }
}
const ownTexts = (spec: JsonObject): OwnFields =>
  Object.fromEntries(
    (['headerText', 'startDate', 'endDate', 'platformSource', 'productReportPerspective'] as const).map((field) => [
      field,
      textOf(spec[field]),
    ]),
  )
export function searchChosen(request: SearchRequest): ChosenColumn[] {
  const met = new Map<string, number>()
  return objectsOf(request['columns']).map((spec) => {
    const one = readColumn(spec)
    const before = met.get(one.key) ?? 0
    met.set(one.key, before + 1)
    return before === 0 ? one : { ...one, key: `${one.key} #${before + 1}` }
  })
}

/** True if the column has its own dates. */
export const hasOwnDays = ({ own }: ChosenColumn): boolean =>
  own.startDate !== undefined || own.endDate !== undefined || own.relativeDateRange !== undefined

const withColumns = (request: SearchRequest, columns: readonly JsonObject[]): SearchRequest => ({
  ...request,
  columns: [...columns],
})
/** True if the request groups by its dimensions. The API requires all or none. */
export const isGrouped = (request: SearchRequest): boolean =>
  objectsOf(request['columns']).some(({ groupByColumn }) => groupByColumn === true)

/** Adds a column, once. If the request is grouped, a dimension joins the grouping. */
export function addColumn(request: SearchRequest, name: string, saved = false): SearchRequest {
  const before = objectsOf(request['columns'])
  if (searchChosen(request).some((one) => one.name === name && one.saved === saved)) return request
  const spec: JsonObject = saved ? { savedColumnName: name } : { columnName: name }
  const grouped = isGrouped(request) && readColumn(spec).kind !== 'metric'
  return withColumns(request, [...before, { ...spec, ...(grouped && { groupByColumn: true }) }])
}
export const removeColumn = (request: SearchRequest, name: string): SearchRequest =>
  withColumns(
    request,
    objectsOf(request['columns']).filter((spec) => readColumn(spec).name !== name),
  )
export const removeColumnAt = (request: SearchRequest, index: number): SearchRequest =>
  withColumns(
    request,
    objectsOf(request['columns']).filter((_, at) => at !== index),
  )
/** Changes a column's settings and keeps its other fields, even unknown ones. */
export const changeColumn = (request: SearchRequest, index: number, own: OwnFields): SearchRequest =>
  withColumns(
    request,
    objectsOf(request['columns']).map((spec, at) => (at === index ? withFields(spec, own as JsonObject) : spec)),
  )
/** Inserts a copy after the column, with a unique header. */
export function duplicateColumn(request: SearchRequest, index: number): SearchRequest {
  const columns = objectsOf(request['columns'])
  const spec = columns[index]
  if (!spec) return request
  const taken = new Set(searchChosen(request).map(({ header }) => header))
  const { header } = readColumn(spec)
  let number = 2
  while (taken.has(`${header} ${number}`)) number++
  const copy = { ...spec, headerText: `${header} ${number}` }
  return withColumns(request, [...columns.slice(0, index + 1), copy, ...columns.slice(index + 1)])
}
export const moveColumn = (request: SearchRequest, from: number, to: number): SearchRequest =>
  withColumns(request, moved(objectsOf(request['columns']), from, to))
export const setGrouped = (request: SearchRequest, grouped: boolean): SearchRequest =>
  withColumns(
    request,
    objectsOf(request['columns']).map((spec) =>
      withFields(spec, { groupByColumn: grouped && readColumn(spec).kind !== 'metric' ? true : undefined }),
    ),
  )

/** Problem with a column's own settings. `segment`: the segment column, if any. */
export function ownProblem(column: ChosenColumn, segment: ChosenColumn | undefined): string | undefined {
  const { kind, own, label } = column
  const header = own.headerText ?? label
  if (!hasOwnDays(column)) return undefined
  const { startDate, endDate, relativeDateRange } = own
  if (kind !== 'metric') return `${header} can’t have its own dates because it isn’t a metric`
  if (segment) return `${header} can’t have its own dates with ${segment.label}, which splits all metrics`
  if (relativeDateRange !== undefined) return undefined
  if (startDate === undefined || endDate === undefined) return `Enter a first and last day for ${header}`
  return dayOf(startDate) > dayOf(endDate) ? `The last day of ${header} is before the first` : undefined
}
