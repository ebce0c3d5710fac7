import { z } from 'zod'
import { dialects, exportFormats, papers } from '../reports/export-formats'
import { runIdSchema } from '../reports/run-id'
import type { ColumnAbout } from './kinds'

/**
 * What the window asks of the process that holds tables of figures. Tables and views are numbered by that process; columns
 * are named by their head. The window holds the rows in sight and no more.
 */
const column = z.string().max(1_000)
const texts = z.array(z.string().max(10_000)).max(10_000)

/** As `Condition` of figures; `between` in units of the column: money in micros, a share of one, days since 1970. */
export const conditionSchema = z.discriminatedUnion('how', [
  z.object({ how: z.enum(['is', 'isNot']), texts }),
  z.object({ how: z.enum(['contains', 'containsNot']), text: z.string().max(10_000) }),
  z.object({ how: z.literal('between'), from: z.number().optional(), to: z.number().optional() }),
])

/** A column that is made of others: `share` of the sum of all, `running` sum in the order shown, `mean7` of seven rows back. */
export const derivedSchema = z.object({ head: column, how: z.enum(['share', 'running', 'mean7', 'index']), of: column })

/** What is made of a table: rows picked, grouped, and ordered; columns shown, all where absent. */
export const shapeSchema = z.object({
  filters: z.array(z.object({ column, condition: conditionSchema })).max(100),
  group: z.array(column).max(20),
  /** Groups with one figure, a column for each value of `column`. */
  pivot: z.object({ column, figure: column }).optional(),
  sort: z.array(z.object({ column, descending: z.boolean() })).max(20),
  columns: z.array(column).max(500).optional(),
  derived: z.array(derivedSchema).max(50).optional(),
})
export type TableShape = z.output<typeof shapeSchema>

const table = z.number().int().positive()
const view = z.number().int().positive()

const daySpan = z.object({ from: z.number().int(), to: z.number().int() })

export const figureQuestions = {
  /** The file of a run that is kept. Reads it whole; announced as `figures/progress`. */
  'figures/open': z.object({ accountId: z.string(), runId: runIdSchema }),
  /** A file that the person chooses; null where none is chosen. */
  'figures/choose': z.object({}),
  'figures/close': z.object({ table }),
  /** A newer shape of the same table ends an older one that is still being made (`aborted`). */
  'figures/shape': z.object({ table, shape: shapeSchema }),
  'figures/page': z.object({ view, from: z.number().int().nonnegative(), count: z.number().int().min(1).max(500) }),
  'figures/statistics': z.object({ view, column }),
  /** Texts of a column with the number of their rows, most rows first. */
  'figures/values': z.object({ table, column, containing: z.string().max(1_000), most: z.number().int().max(1_000) }),
  /** Figures summed up (as they may be) by what stands in `x`, and by `split`; the largest, the rest as one. */
  'figures/chart': z.object({
    view,
    x: column,
    figures: z.array(column).min(1).max(12),
    split: column.optional(),
    most: z.number().int().min(1).max(5_000),
  }),
  /** What each placement delivered on each day, where the table tells. */
  'figures/deliveries': z.object({ table }),
  /** Two tables side by side by what rows are about: a table of its own. `by` names columns of both. */
  'figures/compare': z.object({
    first: table,
    second: table,
    by: z.array(column).min(1).max(20),
    /** Only these days of each, both ends among them, since 1970; unequal numbers of them are compared by the day. */
    days: z.object({ column, first: daySpan, second: daySpan }).optional(),
  }),
  /** Writes what a view shows, whole or not at all: where the person says, or beside what is in a folder; null where no place was chosen. */
  'figures/export': z.object({
    view,
    suggestedName: z.string().max(200),
    folder: z.string().min(1).max(4_096).optional(),
    format: z.enum(exportFormats),
    dialect: z.enum(dialects).optional(),
    paper: z.enum(papers).optional(),
  }),
  /** Ends what is being read, made or written. */
  'figures/cancel': z.object({ table }),
} as const

export interface OpenTable {
  table: number
  title: string
  /** Days, zone, currency and what else stands in the file's head: name and value. */
  about: [name: string, value: string][]
  columns: ColumnAbout[]
  rows: number
  /** Figures whose rows do not add up to what the service wrote. */
  doubts: { head: string; said: string; sum: string }[]
}

export interface ShapedView {
  view: number
  columns: ColumnAbout[]
  rows: number
  /** Rows before the filters. */
  of: number
  /** As services write it, `---` where figures do not add up. By column of this view. */
  total: string[]
}

export interface ColumnStatistics {
  rows: number
  /** Rows without a value. */
  missing: number
  distinct: number
  /** Of figures and days, as text; absent where there is none. */
  least?: string
  most?: string
  mean?: string
  median?: string
  /** What stands most often, with its rows. */
  frequent: { text: string; rows: number }[]
}

export interface ChartSeries {
  /** The figure, and what `split` holds. */
  name: string
  figure: string
  /** By place of `x`: null where there is no value. Money as a number in its unit, a share of one. */
  values: (number | null)[]
}
export interface ChartFigures {
  x: ColumnAbout
  /** As the service writes it; days in order, other things by the first figure. */
  labels: string[]
  series: ChartSeries[]
  /** Of `x` or `split`, how many stand together as the last one. */
  others: { x: number; split: number }
}

/** Days of placements in packed columns: those of placement n stand from `starts[n]` to below `starts[n + 1]`, days in order. */
export interface PlacementDays {
  ids: string[]
  /** As the file writes them; empty where it does not. */
  names: string[]
  starts: Uint32Array
  /** Since 1970. */
  days: Int32Array
  /** Money in its unit. Absent where the file has no such column. */
  figures: { impressions: Float64Array } & Partial<
    Record<'clicks' | 'viewable' | 'measurable' | 'conversions' | 'cost', Float64Array>
  >
  /** Conversions of single activities by their ids, as far as they have columns of their own. */
  activities: Readonly<Record<string, Float64Array>>
  /** Rows that name no placement, or no day. */
  left: number
}

export interface WrittenFile {
  path: string
  rows: number
  bytes: number
  notes: string[]
}

export interface FigureAnswers {
  'figures/open': OpenTable
  'figures/choose': OpenTable | null
  'figures/close': null
  'figures/shape': ShapedView
  'figures/page': { rows: string[][] }
  'figures/statistics': ColumnStatistics
  'figures/values': { values: { text: string; rows: number }[]; more: number }
  'figures/chart': ChartFigures
  'figures/deliveries': PlacementDays
  'figures/compare': OpenTable
  'figures/export': WrittenFile | null
  'figures/cancel': null
}

/** How far the reading or writing of a table is. */
export interface FigureProgress {
  table: number | null
  doing: 'reading' | 'writing'
  /** What is written. */
  view?: number
  /** Bytes that were read, rows that were written. */
  done: number
  of: number
}
