import { z } from 'zod'
import { shapeSchema } from '../results/questions'
import { dialects, exportFormats, papers, type ExportFormat } from './export-formats'
import { templateSchema } from './file-names'

/** Rule for the automatic export of a report's runs. */
export const exportRuleSchema = z.object({
  service: z.enum(['trafficking', 'search']),
  reportId: z.string().min(1).max(200),
  /** `raw`: the service's original file. */
  format: z.enum([...exportFormats, 'raw']),
  dialect: z.enum(dialects).optional(),
  paper: z.enum(papers).optional(),
  folder: z.string().min(1).max(4_096),
  /** A template: `{report} {from} {to}`. */
  name: templateSchema,
  /** Maximum number of exported files to keep, or 0 for all. */
  keep: z.number().int().min(0).max(1_000),
  onlyIfChanged: z.boolean(),
  onlyIfTotalsAgree: z.boolean(),
  /** Shape of the exported table. Absent for all rows and columns. */
  shape: shapeSchema.optional(),
  /** Time zone for dates and times in names. */
  zone: z.string().max(100),
})
export type ExportRule = z.output<typeof exportRuleSchema>

/** `same`: unchanged results. `doubted`: totals don't match. `waits`: pending retry. */
export const exportEnds = ['written', 'same', 'doubted', 'waits'] as const

export const runExportSchema = z.object({
  runId: z.string(),
  how: z.enum(exportEnds),
  /** Outcome in words. */
  words: z.string(),
  path: z.string().optional(),
  /** Epoch milliseconds. */
  at: z.number().int(),
})
/** Outcome of the export of a run. */
export type RunExport = z.output<typeof runExportSchema>

/** Rule and the outcomes of its exports, newest run last. */
export interface ExportRuleSeen {
  rule: ExportRule
  exports: RunExport[]
}

/** File extension of a rule's exports. `service`: format of the original file. */
export const extensionOf = (format: ExportRule['format'], service: ExportFormat): string =>
  `.${format === 'raw' ? service : format}`
