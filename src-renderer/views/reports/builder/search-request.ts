import { dayOf, type RelativeRange } from '#shared/facts/report-ranges'
import {
  countsConversions,
  isByActivity,
  isSearchType,
  scopeAbove,
  searchColumns,
  searchFits,
  searchTypes,
  type ScopeId,
  type SearchColumn,
  type SearchOperator,
  type SearchType,
} from '#shared/facts/report-search-columns'
import type { Json, JsonObject } from '#shared/json'
import { relativeDaysOf } from '#shared/search-ads/relative-days'
import { listOrNone, objectOf, objectsOf, textOf, withFields } from './criteria'
import type { Offered } from './fitting'
import {
  hasOwnDays,
  isGrouped,
  ownProblem,
  readColumn,
  searchChosen,
  type ChosenColumn,
  type SearchRequest,
} from './search-columns'

export * from './search-columns'

export const newSearchRequest = (agencyId: string): SearchRequest => ({
  reportType: 'campaign',
  reportScope: { ...(agencyId && { agencyId }) },
  timeRange: { relativeDateRange: 'LAST_30_DAYS' },
  statisticsCurrency: 'agency',
  downloadFormat: 'csv',
  maxRowsPerFile: 1_000_000,
  columns: [],
})

export const searchTypeOf = (request: SearchRequest): SearchType | undefined =>
  isSearchType(request['reportType']) ? request['reportType'] : undefined

/** Changes the type, and keeps the columns, filters, and order that it supports. `dropped`: labels of the others. */
export function setSearchType(request: SearchRequest, type: SearchType): { request: SearchRequest; dropped: string[] } {
  const fits = (spec: JsonObject): boolean => {
    const { fact, saved } = readColumn(spec)
    if (saved) return type !== 'conversion' && type !== 'trackingActivity'
    return !fact || searchFits(fact, type)
  }
  const columns = objectsOf(request['columns'])
  const filters = objectsOf(request['filters'])
  const order = objectsOf(request['orderBy'])
  const inner = (one: JsonObject): boolean => fits(objectOf(one['column']))
  const dropped = [
    ...columns.filter((spec) => !fits(spec)).map((spec) => readColumn(spec).label),
    ...filters.filter((one) => !inner(one)).map((one) => `${readColumn(objectOf(one['column'])).label} filter`),
  ]
  return {
    request: withFields(request, {
      reportType: type,
      columns: columns.filter(fits),
      filters: listOrNone(filters.filter(inner)),
      orderBy: listOrNone(order.filter(inner)),
    }),
    dropped,
  }
}

/** Sets an ID of the scope and removes those below it, because they belonged to another parent. */
export function setScope(request: SearchRequest, name: ScopeId, id: string | undefined): SearchRequest {
  const scope = withFields(objectOf(request['reportScope']), { [name]: id })
  const below = (one: ScopeId): boolean => {
    for (let above = scopeAbove[one]; above; above = scopeAbove[above]) if (above === name) return true
    return false
  }
  const reportScope = withFields(
    scope,
    Object.fromEntries((Object.keys(scopeAbove) as ScopeId[]).filter(below).map((one) => [one, undefined])),
  )
  return { ...request, reportScope }
}

/** Sets the first or last day, or both, as `YYYY-MM-DD`. Keeps other fields of the range. */
export const setSearchDays = (
  request: SearchRequest,
  days: { startDate?: string; endDate?: string },
): SearchRequest => ({
  ...request,
  timeRange: withFields(objectOf(request['timeRange']), { ...days, relativeDateRange: undefined }),
})

/** Sets a relative date range, resolved for each run. */
export const setRelativeDays = (request: SearchRequest, relativeDateRange: RelativeRange): SearchRequest => ({
  ...request,
  timeRange: withFields(objectOf(request['timeRange']), {
    relativeDateRange,
    startDate: undefined,
    endDate: undefined,
  }),
})

export const addSearchFilter = (
  request: SearchRequest,
  columnName: string,
  operator: SearchOperator,
  values: readonly Json[],
): SearchRequest => ({
  ...request,
  filters: [...objectsOf(request['filters']), { column: { columnName }, operator, values: [...values] }],
})
export const removeSearchFilter = (request: SearchRequest, index: number): SearchRequest =>
  withFields(request, { filters: listOrNone(objectsOf(request['filters']).filter((_, at) => at !== index)) })

const groups = { attribute: 'Current attributes', segment: 'Segments', metric: 'Metrics' } as const

/** All columns of the type, with a reason for incompatible ones. */
export function offeredColumns(request: SearchRequest, saved: readonly string[] = []): Offered[] {
  const type = searchTypeOf(request)
  if (!type) return []
  const chosen = searchChosen(request)
  const has = (name: string, own: boolean): boolean => chosen.some((one) => one.name === name && one.saved === own)
  const known = searchColumns
    .filter((column) => searchFits(column, type))
    .map((column): Offered => {
      const { name, label, kind } = column
      const there = has(name, false)
      const why = there ? undefined : whyNot(column, chosen)
      return { name, label, group: groups[kind], chosen: there, ...(why !== undefined && { why }) }
    })
  const hasMetrics = type !== 'conversion' && type !== 'trackingActivity'
  const own = (hasMetrics ? saved : []).map((name): Offered => {
    const byActivity = chosen.some(({ fact }) => fact && isByActivity(fact))
    const there = has(name, true)
    const why = byActivity && !there ? 'Only conversions can be split by activity' : undefined
    return { name, label: name, group: 'Saved columns', chosen: there, ...(why !== undefined && { why }) }
  })
  return [...known, ...own]
}

function whyNot(column: SearchColumn, chosen: readonly ChosenColumn[]): string | undefined {
  if (column.kind === 'segment') {
    const other = chosen.find(hasOwnDays)
    if (other) return `Not compatible with ${other.header}, which has its own dates`
  }
  if (isByActivity(column)) {
    const other = chosen.find(({ kind, name }) => kind === 'metric' && !countsConversions(name))
    return other && `Not compatible with ${other.label} (only conversions can be split by activity)`
  }
  if (column.kind === 'metric' && !countsConversions(column.name)) {
    const other = chosen.find(({ fact }) => fact && isByActivity(fact))
    return other && `Not compatible with ${other.label} (only conversions can be split by activity)`
  }
  return undefined
}

export interface SearchProblem {
  at: 'type' | 'scope' | 'range' | 'columns' | 'filters' | 'currency'
  words: string
  unsure?: true
}

/** Everything the service would reject. */
export function searchProblems(request: SearchRequest): SearchProblem[] {
  const found: SearchProblem[] = []
  const tell = (at: SearchProblem['at'], words: string, unsure = false): void =>
    void found.push({ at, words, ...(unsure && { unsure: true }) })
  const type = searchTypeOf(request)
  if (!type) tell('type', 'Choose a type')
  const scope = objectOf(request['reportScope'])
  if (!scope['agencyId']) tell('scope', 'Enter an agency ID')
  for (const [name, above] of Object.entries(scopeAbove))
    if (scope[name] && above && !scope[above]) tell('scope', 'Enter the IDs of all parent levels, too')
  const { startDate, endDate } = objectOf(request['timeRange'])
  const [from, to] = [textOf(startDate), textOf(endDate)]
  if ((from === undefined) !== (to === undefined)) tell('range', 'Enter a first and last day')
  else if (from !== undefined && dayOf(from) > dayOf(to!)) tell('range', 'The last day is before the first')

  const chosen = searchChosen(request)
  if (chosen.length === 0) tell('columns', 'Add a column')
  if (chosen.length > 300) tell('columns', `Use at most 300 columns (now ${chosen.length})`)
  const byActivity = chosen.some(({ fact }) => fact && isByActivity(fact))
  const needsDays = type !== 'conversion' && type !== 'trackingActivity'
  const segment = chosen.find(({ kind }) => kind === 'segment')
  const headers = new Set<string>()
  for (const one of chosen) {
    const { name, label, kind, fact, saved, header } = one
    const words = ownProblem(one, segment)
    if (words !== undefined) tell('columns', words)
    if (headers.has(header)) tell('columns', `Two columns are named ${header}. Rename one of them`)
    headers.add(header)
    if (type && fact && !searchFits(fact, type))
      tell('columns', `${label} isn’t available for the type ${searchTypes[type].name}`)
    if (!fact && !saved) tell('columns', `Unknown column ${label}`, true)
    if (byActivity && kind === 'metric' && !countsConversions(name))
      tell('columns', `${label} can’t be split by activity`)
    if (needsDays && kind !== 'attribute' && from === undefined && !relativeDaysOf(request) && !hasOwnDays(one))
      tell('range', `Choose a date range for ${label}`)
  }
  if (isGrouped(request))
    for (const [index, spec] of objectsOf(request['columns']).entries())
      if ((spec['groupByColumn'] === true) === (chosen[index]!.kind === 'metric'))
        tell('columns', 'Group by all dimensions or by none')
  for (const { column, operator, values } of objectsOf(request['filters'])) {
    const { label, fact } = readColumn(objectOf(column))
    const count = Array.isArray(values) ? values.length : 0
    if (type && fact && !searchFits(fact, type))
      tell('filters', `${label} isn’t available for the type ${searchTypes[type].name}`)
    if (count === 0) tell('filters', `The ${label} filter has no value`)
    else if (operator === 'between' && count !== 2) tell('filters', `The ${label} filter needs two values`)
  }
  const currency = request['statisticsCurrency']
  if (currency === undefined) tell('currency', 'Choose a currency')
  if ((currency === 'advertiser' || currency === 'account') && !scope['advertiserId'])
    tell('currency', 'Enter an advertiser ID to use this currency')
  return found
}
