import { dayOf, type RelativeRange } from '#shared/facts/report-ranges'
import { searchColumn, type SearchColumn } from '#shared/facts/report-search-columns'
import type { JsonObject } from '#shared/json'
import { relativeDaysIn } from '#shared/search-ads/relative-days'
import { objectsOf, textOf, withFields } from './criteria'
import { moved } from './definition'

/** A request for a search report as it is sent. Nothing here changes one: each answers a new one. */
export type SearchRequest = JsonObject

/** What one column of a request may have of its own. A field that is absent is as the report has it. */
export interface OwnFields {
  headerText?: string | undefined
  /** Days of a figure alone, first and last together; or in words that each run works out. */
  startDate?: string | undefined
  endDate?: string | undefined
  relativeDateRange?: RelativeRange | undefined
  platformSource?: string | undefined
  productReportPerspective?: string | undefined
}

export interface ChosenColumn {
  /** Of this one among all: what the file calls it, with its number where others are called so, too. */
  key: string
  name: string
  /** What the file calls it. */
  header: string
  own: OwnFields
  saved: boolean
  label: string
  kind: SearchColumn['kind']
  /** A saved column is a figure; one that is not known here may be anything. */
  fact?: SearchColumn
}

/** A column as a request names it. */
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

/** Whether a column is of days of its own. */
export const hasOwnDays = ({ own }: ChosenColumn): boolean =>
  own.startDate !== undefined || own.endDate !== undefined || own.relativeDateRange !== undefined

const withColumns = (request: SearchRequest, columns: readonly JsonObject[]): SearchRequest => ({
  ...request,
  columns: [...columns],
})
/** All that is no figure is grouped by, or nothing is. */
export const isGrouped = (request: SearchRequest): boolean =>
  objectsOf(request['columns']).some(({ groupByColumn }) => groupByColumn === true)

/** Adds a column by its name, once; what rows are grouped by has it, too. */
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
/** Other fields of the column stay, also those that are not known here. */
export const changeColumn = (request: SearchRequest, index: number, own: OwnFields): SearchRequest =>
  withColumns(
    request,
    objectsOf(request['columns']).map((spec, at) => (at === index ? withFields(spec, own as JsonObject) : spec)),
  )
/** Another one of the same, right behind it, with a header that no other has. */
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

/** What is wrong with what a column has of its own; `segment`: one that divides the figures. */
export function ownProblem(column: ChosenColumn, segment: ChosenColumn | undefined): string | undefined {
  const { header, kind, own } = column
  if (!hasOwnDays(column)) return undefined
  const { startDate, endDate, relativeDateRange } = own
  if (kind !== 'metric') return `${header} can’t have its own dates because it isn’t a metric`
  if (segment) return `${header} can’t have its own dates with ${segment.label}, which splits all metrics`
  if (relativeDateRange !== undefined) return undefined
  if (startDate === undefined || endDate === undefined) return `Enter a first and last day for ${header}`
  return dayOf(startDate) > dayOf(endDate) ? `The last day of ${header} is before the first` : undefined
}
