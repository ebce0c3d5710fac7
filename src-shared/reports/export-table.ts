import { z } from 'zod'
import { figureKinds } from '../figures/kinds'
import { dialects, exportFormats, papers } from './export-formats'

/** How a table that the window holds is written. */
export const tableFormatSchema = z.object({
  format: z.enum(exportFormats),
  dialect: z.enum(dialects).optional(),
  paper: z.enum(papers).optional(),
})
export type TableFormat = z.output<typeof tableFormatSchema>

/** What a table is, before its rows come. */
export const tableHeadSchema = z.object({
  title: z.string().max(1_000),
  /** What has to be known of it: name and value. */
  about: z.array(z.tuple([z.string().max(1_000), z.string().max(10_000)])).max(100),
  columns: z
    .array(
      z.object({ head: z.string().max(1_000), kind: z.enum(figureKinds), currency: z.string().max(10).optional() }),
    )
    .max(500),
})
export type TableHead = z.output<typeof tableHeadSchema>

/** Some rows: money as a decimal text, a percent as a share of one, days as `2026-11-22`, nothing as null. */
export const tableRowsSchema = z
  .array(z.array(z.union([z.string().max(1_000_000), z.number(), z.null()])).max(500))
  .max(2_000)
export type TableRowsSent = z.output<typeof tableRowsSchema>

/** Rows as they follow each other, or `at` places of their own: a table may come in another order than its own. */
export const tablePageSchema = z.object({
  rows: tableRowsSchema,
  at: z.array(z.number().int().nonnegative().max(10_000_000)).max(2_000).optional(),
})
export type TablePage = z.output<typeof tablePageSchema>
