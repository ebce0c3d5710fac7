import { z } from 'zod'
import { dialects, exportFormats, papers } from '../reports/export-formats'
import { runIdSchema } from '../reports/run-id'
import type { ColumnAbout } from './result-columns'

/**
 * Requests of the window to the process that holds tables of results. That process numbers tables and views. Columns
 * are named by their header. The window only holds the visible rows.
 */
const column = z.string().max(1_000)
const texts = z.array(z.string().max(10_000)).max(10_000)

/**
 * Filter condition. `between` uses the units of the column: money in micros, percentages as fractions, days since 1970.
 */
export const conditionSchema = z.discriminatedUnion('how', [
  z.object({ how: z.enum(['is', 'isNot']), texts }),
  z.object({ how: z.enum(['contains', 'containsNot']), text: z.string().max(10_000) }),
  z.object({ how: z.literal('between'), from: z.number().optional(), to: z.number().optional() }),
])

/** Calculated column: `share` of the total, `running` total in the current order, `mean7` over seven rows. */
export const derivedSchema = z.object({ head: column, how: z.enum(['share', 'running', 'mean7', 'index']), of: column })

/** Shape of a table: its filters, grouping, and sorting, and the visible columns, or all if absent. */
export const shapeSchema = z.object({
  filters: z.array(z.object({ column, condition: conditionSchema })).max(100),
  group: z.array(column).max(20),
  /** Pivot: one metric, with a column for each value of `column`. */
  pivot: z.object({ column, figure: column }).optional(),
  sort: z.array(z.object({ column, descending: z.boolean() })).max(20),
  columns: z.array(column).max(500).optional(),
  derived: z.array(derivedSchema).max(50).optional(),
})
export type TableShape = z.output<typeof shapeSchema>

const table = z.number().int().positive()
const view = z.number().int().positive()

const daySpan = z.object({ from: z.number().int(), to: z.number().int() })

export const resultQuestions = {
  /** Reads the complete file of a run. Progress: `results/progress`. */
  'results/open': z.object({ accountId: z.string(), runId: runIdSchema }),
  /** Opens a file that the user chooses. null if canceled. */
  'results/choose': z.object({}),
  'results/close': z.object({ table }),
  /** A newer shape of the same table aborts an older one that's in progress (`aborted`). */
  'results/shape': z.object({ table, shape: shapeSchema }),
  'results/page': z.object({ view, from: z.number().int().nonnegative(), count: z.number().int().min(1).max(500) }),
  'results/statistics': z.object({ view, column }),
  /** Distinct values of a column with their number of rows, most frequent first. */
  'results/values': z.object({ table, column, containing: z.string().max(1_000), most: z.number().int().max(1_000) }),
  /** Metrics aggregated by `x` and `split`. The largest values, with the rest combined. */
  'results/chart': z.object({
    view,
    x: column,
    metrics: z.array(column).min(1).max(12),
    split: column.optional(),
    most: z.number().int().min(1).max(5_000),
  }),
  /** Deliveries by placement and day, if the table has them. */
  'results/deliveries': z.object({ table }),
  /**
   * Joins two tables into a new one. `by`: columns of both to join by. `names`: those of them that may differ where the
   * others determine them, as the name of a record whose ID is among `by`.
   */
  'results/compare': z.object({
    first: table,
    second: table,
    by: z.array(column).min(1).max(20),
    names: z.array(column).max(20).optional(),
    /**
     * Compares only these days, both ends inclusive, since 1970. Ranges of different length are compared as daily
     * averages.
     */
    days: z.object({ column, first: daySpan, second: daySpan }).optional(),
  }),
  /** Exports a view atomically to a path that the user chooses, or under a free name in `folder`. null if canceled. */
  'results/export': z.object({
    view,
    suggestedName: z.string().max(200),
    folder: z.string().min(1).max(4_096).optional(),
    format: z.enum(exportFormats),
    dialect: z.enum(dialects).optional(),
    paper: z.enum(papers).optional(),
  }),
  /** Aborts reading, shaping, or writing. */
  'results/cancel': z.object({ table }),
} as const

export interface OpenTable {
  table: number
  title: string
  /** Date range, time zone, currency, and other entries of the file's header, as names and values. */
  about: [name: string, value: string][]
  columns: ColumnAbout[]
  rows: number
  /** Metrics whose rows don't match the report totals. */
  doubts: { head: string; said: string; sum: string }[]
}

export interface ShapedView {
  view: number
  columns: ColumnAbout[]
  rows: number
  /** Number of rows before filtering. */
  of: number
  /** Total row in the service's format, by column of this view. `---` for metrics that don't add up. */
  total: string[]
}

export interface ColumnStatistics {
  rows: number
  /** Number of rows without a value. */
  missing: number
  distinct: number
  /** Minimum and maximum of metrics and days, as text. Absent without values. */
  least?: string
  most?: string
  mean?: string
  median?: string
  /** Most frequent values with their number of rows. */
  frequent: { text: string; rows: number }[]
}

export interface ChartSeries {
  /** Name of the metric, and value of `split`. */
  name: string
  metric: string
  about: Pick<ColumnAbout, 'kind' | 'adds'>
  /** Values by index of `x`, or null. Money in its unit, percentages as fractions. */
  values: (number | null)[]
}
export interface ChartData {
  x: ColumnAbout
  /** Labels in the service's format. Days in order, others sorted by the first metric. */
  labels: string[]
  series: ChartSeries[]
  /** Number of values of `x` and `split` that are combined into the last one. */
  others: { x: number; split: number }
}

/**
 * Daily deliveries in packed columns. Placement n has the range from `starts[n]` to before `starts[n + 1]`, in order of
 * days.
 */
export interface PlacementDays {
  ids: string[]
  /** Names from the file, or empty. */
  names: string[]
  starts: Uint32Array
  /** Days since 1970. */
  days: Int32Array
  /** Metrics, with money in its unit. Absent without such a column. */
  metrics: { impressions: Float64Array } & Partial<
    Record<'clicks' | 'viewable' | 'measurable' | 'conversions' | 'cost', Float64Array>
  >
  /** Conversions by activity ID, for activities with their own column. */
  activities: Readonly<Record<string, Float64Array>>
  /** Number of rows without a placement or day. */
  left: number
}

export interface WrittenFile {
  path: string
  rows: number
  bytes: number
  notes: string[]
}

export interface ResultAnswers {
  'results/open': OpenTable
  'results/choose': OpenTable | null
  'results/close': null
  'results/shape': ShapedView
  'results/page': { rows: string[][] }
  'results/statistics': ColumnStatistics
  'results/values': { values: { text: string; rows: number }[]; more: number }
  'results/chart': ChartData
  'results/deliveries': PlacementDays
  'results/compare': OpenTable
  'results/export': WrittenFile | null
  'results/cancel': null
}

/** Progress of reading or writing a table. */
export interface ResultProgress {
  table: number | null
  doing: 'reading' | 'writing'
  /** View that's being written. */
  view?: number
  /** Bytes read, or rows written. */
  done: number
  of: number
}
