import { z } from 'zod'
import { cellKinds } from '../results/result-columns'
import { dialects, exportFormats, papers } from './export-formats'

/** Output format for a table of the window. */
export const tableFormatSchema = z.object({
  format: z.enum(exportFormats),
  dialect: z.enum(dialects).optional(),
  paper: z.enum(papers).optional(),
})
export type TableFormat = z.output<typeof tableFormatSchema>

/** Description of a table, sent before its rows. */
export const tableHeadSchema = z.object({
  title: z.string().max(1_000),
  /** Facts about the table: name and value. */
  about: z.array(z.tuple([z.string().max(1_000), z.string().max(10_000)])).max(100),
  columns: z
    .array(z.object({ head: z.string().max(1_000), kind: z.enum(cellKinds), currency: z.string().max(10).optional() }))
    .max(500),
})
export type TableHead = z.output<typeof tableHeadSchema>

/** Rows: money as a decimal string, percentages as fractions of 1, days as `2026-11-22`, empty cells as null. */
export const tableRowsSchema = z
  .array(z.array(z.union([z.string().max(1_000_000), z.number(), z.null()])).max(500))
  .max(2_000)
export type TableRowsSent = z.output<typeof tableRowsSchema>

/** Consecutive rows, or rows at the positions `at`, because pages may arrive out of order. */
export const tablePageSchema = z.object({
  rows: tableRowsSchema,
  at: z.array(z.number().int().nonnegative().max(10_000_000)).max(2_000).optional(),
})
export type TablePage = z.output<typeof tablePageSchema>
