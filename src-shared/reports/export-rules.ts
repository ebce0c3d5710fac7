import { z } from 'zod'
import { shapeSchema } from '../figures/questions'
import { dialects, exportFormats, papers, type ExportFormat } from './export-formats'
import { templateSchema } from './file-names'

/** What is done with the file of each run of a report. */
export const exportRuleSchema = z.object({
  service: z.enum(['trafficking', 'search']),
  reportId: z.string().min(1).max(200),
  /** `raw`: the service's own bytes. */
  format: z.enum([...exportFormats, 'raw']),
  dialect: z.enum(dialects).optional(),
  paper: z.enum(papers).optional(),
  folder: z.string().min(1).max(4_096),
  /** A template: `{report} {from} {to}`. */
  name: templateSchema,
  /** Files of the rule that stay beside each other; 0 for all. */
  keep: z.number().int().min(0).max(1_000),
  onlyIfChanged: z.boolean(),
  onlyIfTotalsAgree: z.boolean(),
  /** What is made of the file; the whole of it where absent. */
  shape: shapeSchema.optional(),
  /** Whose days and hours stand in names. */
  zone: z.string().max(100),
})
export type ExportRule = z.output<typeof exportRuleSchema>

/** `same`: nothing had changed; `doubted`: its totals do not agree; `waits`: it could not be written yet. */
export const exportEnds = ['written', 'same', 'doubted', 'waits'] as const

export const runExportSchema = z.object({
  runId: z.string(),
  how: z.enum(exportEnds),
  /** For people. */
  words: z.string(),
  path: z.string().optional(),
  /** Epoch milliseconds. */
  at: z.number().int(),
})
/** What became of the export of one run. */
export type RunExport = z.output<typeof runExportSchema>

/** A rule with what became of it, newest run last. */
export interface ExportRuleSeen {
  rule: ExportRule
  exports: RunExport[]
}

/** The extension of files of a rule, where the service writes such. */
export const extensionOf = (format: ExportRule['format'], service: ExportFormat): string =>
  `.${format === 'raw' ? service : format}`
