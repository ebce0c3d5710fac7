import { metricFacts, metricNamed, searchMetricNamed, type Adding, type MetricForm } from '../facts/metrics'

/** What the cells of a column are, as files of reports write them. An id is a text of digits and never a number. */
export const figureKinds = [
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
export type FigureKind = (typeof figureKinds)[number]

/** A column as a report's definition names it, or as its file does. */
export interface ColumnAbout {
  /** Its head in the file. */
  head: string
  /** The field behind it, without prefix; undefined where nobody said. */
  field?: string
  /** The id of the one activity that it counts, where it has a column of its own. */
  activity?: string
  /** `2026-05-01 2026-05-31`: days of its own, where others are of those of the report. */
  days?: string
  kind: FigureKind
  /** How its figures become one; null where it holds what rows are about and not figures. */
  adds: Adding | null
}

/** A column as a definition asks for it, in the order of the file. */
export interface PlannedColumn {
  /** Without prefix. */
  field: string
  metric: boolean
  /** Of the one activity that it counts, its id. */
  activity?: string
  /** `2026-05-01 2026-05-31`, where it is of other days than the report. */
  days?: string
}

const numeric: ReadonlySet<FigureKind> = new Set<FigureKind>(['count', 'money', 'percent', 'number'])
/** Whether its cells are figures. */
export const isFigure = (kind: FigureKind): boolean => numeric.has(kind)

/** Whether it is what changed between two tables, of a comparison's columns. */
export const tellsChange = ({ field }: ColumnAbout): boolean => field?.endsWith(':change') === true

const dayKinds: Readonly<Record<string, FigureKind>> = {
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

const byLabel = new Map(metricFacts.map((fact) => [fact.label.toLowerCase(), fact]))
const moneyWords = /cost|revenue|cpm|cpc|cpa|spend|price/i
const dateHeads: Readonly<Record<string, FigureKind>> = {
  date: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
}

/** What a figure's cells look like. `samples`: some of them. */
function formOf(head: string, samples: readonly string[]): MetricForm {
  if (samples.some((text) => text.endsWith('%'))) return 'percent'
  if (!samples.some((text) => text.includes('.'))) return 'count'
  return moneyWords.test(head) ? 'money' : 'number'
}

const samplesHoldFigures = (samples: readonly string[]): boolean => samples.every((text) => /^-?\d[\d.]*%?$/.test(text))

/**
 * What a column is: by the definition where there is one, else by a known head, else by its cells. `planned` undefined: no
 * definition is at hand; `totalled`: the line of totals has a figure for it.
 */
export function columnAbout(
  head: string,
  { planned, totalled, samples }: { planned?: PlannedColumn; totalled: boolean; samples: readonly string[] },
): ColumnAbout {
  // A metric for one activity is headed «activity ID: metric».
  const metric = planned?.metric ? (metricNamed.get(planned.field) ?? searchMetricNamed.get(planned.field)) : undefined
  const fact =
    metric ??
    (planned
      ? undefined
      : (byLabel.get(head.toLowerCase()) ?? searchMetricNamed.get(head) ?? byLabel.get(lastPart(head))))
  const field = planned?.field ?? fact?.name
  // Such a column is headed by its activity: another head says that the file was made otherwise.
  const activity = head.includes(': ') ? planned?.activity : undefined
  const about = {
    head,
    ...(field !== undefined && { field }),
    ...(activity !== undefined && { activity }),
    ...(planned?.days !== undefined && { days: planned.days }),
  }
  if (fact && (planned?.metric || totalled || samplesHoldFigures(samples)))
    return { ...about, kind: fact.form, adds: fact.adds }
  if (planned?.metric || (!planned && totalled))
    return samplesHoldFigures(samples)
      ? { ...about, kind: formOf(head, samples), adds: formOf(head, samples) === 'count' ? 'sum' : 'whole' }
      : { ...about, kind: 'text', adds: null }
  const kind =
    dayKinds[planned?.field ?? ''] ??
    dateHeads[planned ? '' : head.toLowerCase()] ??
    (/(^id|Id)$/.test(planned?.field ?? '') || /\bID$/.test(head) ? 'id' : 'text')
  return { ...about, kind, adds: null }
}

const lastPart = (head: string): string =>
  head
    .slice(head.lastIndexOf(': ') + 2)
    .trim()
    .toLowerCase()
