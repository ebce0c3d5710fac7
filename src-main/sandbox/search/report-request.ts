import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { word, type Vocabulary } from '#shared/wire/vocabulary'
import { instantOf } from '../instants'
import { invalid, required } from '../problems'
import { dayOf, type Span } from '../reporting/days'
import { allColumns, savedColumns, type Column, type Level } from './search-columns'
import { orphanOf, resolve, type Ids, type Scope } from './scope'
import type { SearchTree } from './tree'

export interface AskedColumn {
  column: Column
  /** Column name in the response: the requested text, or the column's own name. */
  header: string
  /** Date range of the column, overriding the report's. */
  span?: Span
  grouped: boolean
}

export interface AskedFilter {
  column: Column
  operator: Operator
  values: Json[]
}

/** A checked request for a report. */
export interface AskedReport {
  type: ReportKind
  scope: Scope
  span?: Span
  columns: AskedColumn[]
  filters: AskedFilter[]
  orderBy: Array<{ column: Column; descending: boolean }>
  /** Only entities changed since then, epoch milliseconds. */
  changedSince?: number
  /** Exchange rate of the account's currency. */
  rate: number
  currency: string
}

const levels: readonly Level[] = ['advertiser', 'account', 'campaign', 'adGroup', 'keyword', 'ad']
export type ReportKind = Level | 'conversion' | 'trackingActivity'
const kinds: readonly ReportKind[] = [...levels, 'conversion', 'trackingActivity']

const operators = [
  'equals',
  'notEquals',
  'lessThan',
  'lessThanEquals',
  'greaterThan',
  'greaterThanEquals',
  'between',
  'in',
  'startsWith',
  'contains',
  'containsElement',
] as const
export type Operator = (typeof operators)[number]

/** Value of a currency unit in dollars. Fixed, so that the same report stays the same. */
const dollars: Readonly<Record<string, number>> = { USD: 1, EUR: 1.08, GBP: 1.27 }

const records = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** @throws Problem 400 that names the field. */
export function readRequest(tree: SearchTree, body: JsonObject, vocabulary: Vocabulary): AskedReport {
  const type = kinds.find((kind) => kind === body.reportType)
  if (!type) throw invalid(`Unknown report type: ${String(body.reportType)}`, 'reportType')
  const scope = readScope(tree, isJsonObject(body.reportScope) ? body.reportScope : {})
  const range = isJsonObject(body.timeRange) ? body.timeRange : {}
  const span = readSpan(range, 'timeRange.')
  const specs = records(body.columns)
  if (specs.length === 0) throw required('columns', 'A report needs at least one column.')
  const columns = specs.map((spec, index) => readColumn(spec, `columns[${index}]`, type, vocabulary))
  const grouped = columns.some((column) => column.grouped)
  const byActivity = columns.some(({ column }) => column.kind === 'segment' && column.name.startsWith('tracking'))
  columns.forEach(({ column, span: own, grouped: groups }, index) => {
    const at = `columns[${index}]`
    if (column.kind !== 'attribute' && !span && !own && type !== 'conversion' && type !== 'trackingActivity')
      throw required('timeRange.startDate', `The column ${column.name} needs a time range.`)
    if (own && column.kind !== 'metric') throw invalid('Only metrics may have dates of their own.', `${at}.startDate`)
    if (own && columns.some((other) => other.column.kind === 'segment'))
      throw invalid('Dates of its own do not go with segments such as date.', `${at}.startDate`)
    if (column.kind === 'metric' && !/^dfa/.test(column.name) && byActivity)
      throw invalid(`${column.name} cannot be divided by activities.`, `${at}.columnName`)
    if (groups && column.kind === 'metric') throw invalid('A metric cannot be grouped by.', `${at}.groupByColumn`)
    if (grouped && !groups && column.kind !== 'metric')
      throw invalid(`The column ${column.name} must be grouped by, as others are.`, `${at}.groupByColumn`)
  })
  const headers = columns.map(({ header }) => header)
  const twice = headers.findIndex((header, index) => headers.indexOf(header) !== index)
  if (twice >= 0) throw invalid(`Two columns are called ${headers[twice]}.`, `columns[${twice}]`)
  const currency = readCurrency(tree, body, scope)
  return {
    type,
    scope,
    span,
    columns,
    filters: records(body.filters).map((filter, index) => readFilter(filter, `filters[${index}]`, type, vocabulary)),
    orderBy: records(body.orderBy).map((order, index) => ({
      column: readColumn(isJsonObject(order.column) ? order.column : {}, `orderBy[${index}].column`, type, vocabulary)
        .column,
      descending: order.sortOrder === 'descending',
    })),
    changedSince: sinceOf(range),
    ...currency,
  }
}

function readScope(tree: SearchTree, given: JsonObject): Scope {
  const { keywordId, ...rest } = given
  const ids = { ...rest, ...(keywordId === undefined ? {} : { criterionId: keywordId }) } as Ids
  if (ids.agencyId === undefined) throw required('reportScope.agencyId', 'A report needs the ids up to the agency.')
  const renamed = (name: string): string => `reportScope.${name === 'criterionId' ? 'keywordId' : name}`
  const orphan = orphanOf(ids)
  if (orphan) throw invalid(`${renamed(orphan.id)} needs ${orphan.needs}.`, renamed(orphan.id))
  const found = resolve(tree, ids)
  if ('wrong' in found) throw invalid(`There is no such ${renamed(found.wrong)}.`, renamed(found.wrong))
  return found.scope
}

/** @throws Problem 400. Undefined without dates */
function readSpan(range: JsonObject, at: string): Span | undefined {
  const [start, end] = [text(range.startDate), text(range.endDate)]
  if (start === undefined && end === undefined) return undefined
  if (start === undefined) throw required(`${at}startDate`, 'A start date and an end date are given together.')
  if (end === undefined) throw required(`${at}endDate`, 'A start date and an end date are given together.')
  const span = { from: dayOf(start), to: dayOf(end) }
  if (span.from > span.to) throw invalid('The end date is before the start date.', `${at}endDate`)
  return span
}

function sinceOf(range: JsonObject): number | undefined {
  const since = text(range.changedAttributesSinceTimestamp) ?? text(range.changedMetricsSinceTimestamp)
  return since === undefined ? undefined : instantOf(since)
}

function readColumn(spec: JsonObject, at: string, type: ReportKind, vocabulary: Vocabulary): AskedColumn {
  const [name, savedName] = [text(spec.columnName), text(spec.savedColumnName)]
  if (name !== undefined && savedName !== undefined)
    throw invalid('A column is named by columnName or by savedColumnName, not by both.', `${at}.savedColumnName`)
  for (const custom of ['customMetricName', 'customDimensionName'] as const)
    if (text(spec[custom]) !== undefined)
      throw invalid(`There is no custom column ${String(spec[custom])}.`, `${at}.${custom}`)
  if (name === undefined && savedName === undefined) throw required(`${at}.columnName`, 'A column needs a name.')
  const column =
    name === undefined ? savedColumns.find((saved) => saved.name === savedName)?.column : allColumns.get(name)
  if (!column || !fits(column, type)) {
    const place = name === undefined ? `${at}.savedColumnName` : `${at}.columnName`
    throw invalid(`Unknown column for a report of type ${type}: ${name ?? savedName}`, place)
  }
  return {
    column,
    header: text(spec.headerText) ?? (savedName === undefined ? word(column.name, vocabulary) : column.name),
    span: readSpan(spec, `${at}.`),
    grouped: spec.groupByColumn === true,
  }
}

/** True if a column applies to a type of report. */
function fits(column: Column, type: ReportKind): boolean {
  if (type === 'trackingActivity') return /^(tracking|agency|advertiser|status)/.test(column.name)
  if (type === 'conversion') return column.kind !== 'metric'
  if (column.from === 'conversion' || column.from === 'activity') return false
  if (column.from === 'ad') return type === 'ad'
  if (column.from === 'keyword') return type === 'keyword'
  return levels.indexOf(column.from) <= levels.indexOf(type)
}

function readFilter(filter: JsonObject, at: string, type: ReportKind, vocabulary: Vocabulary): AskedFilter {
  if (!isJsonObject(filter.column)) throw required(`${at}.column`)
  const { column } = readColumn(filter.column, `${at}.column`, type, vocabulary)
  const operator = operators.find((known) => known === filter.operator)
  if (!operator) throw invalid(`Unknown operator: ${String(filter.operator)}`, `${at}.operator`)
  const values = Array.isArray(filter.values) ? filter.values : []
  if (values.length === 0) throw required(`${at}.values`, 'A filter needs values.')
  if (operator === 'between' && values.length !== 2) throw invalid('between needs two values.', `${at}.values`)
  return { column, operator, values }
}

function readCurrency(tree: SearchTree, body: JsonObject, scope: Scope): { currency: string; rate: number } {
  const wanted = body.statisticsCurrency
  if ((wanted === 'advertiser' || wanted === 'account') && !scope.advertiser)
    throw invalid(`The currency of ${wanted} needs a scope of one advertiser.`, 'statisticsCurrency')
  if (wanted === 'usd') return { currency: 'USD', rate: dollars[tree.currency] ?? 1 }
  return { currency: tree.currency, rate: 1 }
}
