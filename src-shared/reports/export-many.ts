import { z } from 'zod'
import { tableFormatSchema } from './export-table'
import { templateSchema } from './file-names'
import { runIdSchema } from './run-id'

/** Maximum number of files per export. */
export const maxFilesAtOnce = 1_000

/** Export of several runs to separate files in one folder. */
export const exportManySchema = tableFormatSchema.extend({
  accountId: z.string().max(100),
  runIds: z.array(runIdSchema).min(1).max(maxFilesAtOnce),
  /** Folder that the user chose, or that a preset contains. */
  folder: z.string().min(1).max(4_096),
  template: templateSchema,
  /** Time zone for dates and times in names. */
  zone: z.string().max(100),
})
export type ExportMany = z.output<typeof exportManySchema>

/** Outcome for one run. `notReached`: the export was stopped before it. */
export interface OneOfMany {
  runId: string
  how: 'written' | 'failed' | 'notReached'
  /** Outcome in words. */
  words: string
  path?: string
}

export const exportManyQuestions = {
  /** Returns the outcome of each run. Progress: `many/progress`. Only one export at a time. */
  'many/export': exportManySchema,
  /** Finished files stay. */
  'many/stop': z.object({}),
} as const
export interface ExportManyAnswers {
  'many/export': { outcomes: OneOfMany[] }
  'many/stop': null
}
