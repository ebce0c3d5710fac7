import {
  metricFacts,
  metricNamed,
  overlapFacts,
  searchMetricNamed,
  type Adding,
  type MetricForm,
} from '../facts/metrics'
import { dimensionFact, dimensionFacts } from '../facts/report-fields'

/** Kinds of cells in report files. An ID is a string of digits, never a number. */
export const cellKinds = [
  'text',
  'id',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'count',
  'money',
  'percent',
  'number',
] as const
export type CellKind = (typeof cellKinds)[number]

/** Facts about a column, from the report's definition or its file. */
export interface ColumnAbout {
  /** Header in the file. */
  head: string
  /** Field without prefix, or undefined if unknown. */
  field?: string
  /** ID of the activity, if the column counts only one. */
  activity?: string
  /** The column's own date range, such as `2026-05-01 2026-05-31`. */
  days?: string
  kind: CellKind
  /** Aggregation of a metric, or null for a dimension. */
  adds: Adding | null
  /** Characters of the longest ID, if it's a shown column of IDs. */
  longest?: number
}

/** Column that a definition requests, in the order of the file. */
export interface PlannedColumn {
  /** Name without prefix. */
  field: string
  metric: boolean
  /** ID of the activity, if the column counts only one. */
  activity?: string
  /** The column's own date range, such as `2026-05-01 2026-05-31`. */
  days?: string
}

const numeric: ReadonlySet<CellKind> = new Set<CellKind>(['count', 'money', 'percent', 'number'])
/** True if the column is numeric. */
export const isNumeric = (kind: CellKind): boolean => numeric.has(kind)

/** True for the change column of a comparison. */
export const tellsChange = ({ field }: ColumnAbout): boolean => field?.endsWith(':change') === true

const dayKinds: Readonly<Record<string, CellKind>> = {
  date: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
  weekStart: 'day',
  monthStart: 'day',
  quarterStart: 'day',
  yearStart: 'day',
  conversionDate: 'day',
}

const byLabel = new Map([...metricNamed.values()].map((fact) => [fact.label.toLowerCase(), fact]))
const moneyWords = /cost|revenue|cpm|cpc|cpa|spend|price|budget|amount/i
const dateHeads: Readonly<Record<string, CellKind>> = {
  date: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
}

/** Guesses the format of a metric from its header and sample cells. */
function formOf(head: string, samples: readonly string[]): MetricForm {
  if (samples.some((text) => text.endsWith('%'))) return 'percent'
  if (!samples.some((text) => text.includes('.'))) return 'count'
  return moneyWords.test(head) ? 'money' : 'number'
}

const areNumbers = (samples: readonly string[]): boolean => samples.every((text) => /^-?\d[\d.]*%?$/.test(text))

/**
 * True for decimals and percentages in a column that isn't known. Whole numbers may be IDs, and decimals that end with zeros
 * now and then may be versions, which are texts, unless the header says that they're money.
 */
function areDecimals(head: string, samples: readonly string[]): boolean {
  const found = samples.map((text) => /^-?\d+(?:\.(\d+))?(%?)$/.exec(text))
  if (!found.every((match) => match !== null)) return false
  const decimals = found.map(([, digits = '']) => digits)
  const isEven = decimals.every(({ length }) => length === decimals[0]!.length)
  return (
    found.some(([, digits, sign]) => digits !== undefined || sign === '%') &&
    (isEven || moneyWords.test(head) || !decimals.some((digits) => digits.endsWith('0')))
  )
}

/** Labels of fields that can't be mistaken for each other in other languages, unlike “Site” and “Site (Directory)”. */
const clearLabels: ReadonlySet<string> = new Set(
  [...metricFacts, ...dimensionFacts.filter(({ ids, grain }) => ids || grain === 'date')].map(({ label }) =>
    label.toLowerCase(),
  ),
)

/** True if a header names another field than the definition, which therefore isn't the one of the file. */
export function contradicts(head: string, { field, metric }: PlannedColumn): boolean {
  const label = (metric ? metricNamed.get(field) : dimensionFact(field))?.label.toLowerCase()
  return label !== undefined && label !== head.toLowerCase() && clearLabels.has(head.toLowerCase())
}

/**
 * Determines the facts about a column from the definition, else from a known header, else from its cells. Without a
 * definition, `planned` is undefined. `totalled`: the total row has a value for it. `grouped`: its numbers had marks of
 * thousands, as IDs don't. `unplanned`: the definition names only columns before it, so it may count anything, such as
 * people reached a number of times.
 */
export function columnAbout(
  head: string,
  {
    planned,
    totalled,
    samples,
    grouped = false,
    unplanned = false,
  }: {
    planned?: PlannedColumn
    totalled: boolean
    samples: readonly string[]
    grouped?: boolean
    unplanned?: boolean
  },
): ColumnAbout {
  // The header of a metric for one activity is "activity ID: metric".
  const metric = planned?.metric ? (metricNamed.get(planned.field) ?? searchMetricNamed.get(planned.field)) : undefined
  const fact =
    metric ??
    (planned
      ? undefined
      : (byLabel.get(head.toLowerCase()) ?? searchMetricNamed.get(head) ?? byLabel.get(lastPart(head))))
  const field = planned?.field ?? fact?.name
  // Another header means that the file doesn't match the definition.
  const activity = head.includes(': ') ? planned?.activity : undefined
  const about = {
    head,
    ...(field !== undefined && { field }),
    ...(activity !== undefined && { activity }),
    ...(planned?.days !== undefined && { days: planned.days }),
  }
  if (fact && (planned?.metric || totalled || areNumbers(samples)))
    return { ...about, kind: fact.form, adds: fact.adds }
  if (planned?.metric || (!planned && (totalled || (!isDimension(head) && (grouped || areDecimals(head, samples)))))) {
    if (!areNumbers(samples)) return { ...about, kind: 'text', adds: null }
    const kind = formOf(head, samples)
    return { ...about, kind, adds: kind === 'count' && !unplanned && !isPartOfWhole(head) ? 'sum' : 'whole' }
  }
  const kind =
    dayKinds[planned?.field ?? ''] ??
    dateHeads[planned ? '' : head.toLowerCase()] ??
    (/(^id|Id)$/.test(planned?.field ?? '') || /\bID$/.test(head) ? 'id' : 'text')
  return { ...about, kind, adds: null }
}

const dimensionLabels: ReadonlySet<string> = new Set(dimensionFacts.map(({ label }) => label.toLowerCase()))
const isDimension = (head: string): boolean => dimensionLabels.has(head.toLowerCase())

const overlaps: ReadonlySet<string | undefined> = new Set(overlapFacts.map(({ name }) => name))

/** Columns of a file with a row for each pair repeat an item’s metrics in each of its pairs, so none adds up. */
export const repeatedInPairs = (columns: ColumnAbout[]): ColumnAbout[] =>
  columns.some(({ head, field }) => overlaps.has(field) && !head.includes(': '))
    ? columns.map((column) => (column.adds === null ? column : { ...column, adds: 'whole' }))
    : columns

/** True for a part of a metric that doesn’t add up, such as `Unique Reach: Impression Reach: Frequency 1`. */
const isPartOfWhole = (head: string): boolean =>
  [...byLabel].some(([label, { adds }]) => adds === 'whole' && head.toLowerCase().startsWith(`${label}: `))

const lastPart = (head: string): string =>
  head
    .slice(head.lastIndexOf(': ') + 2)
    .trim()
    .toLowerCase()
