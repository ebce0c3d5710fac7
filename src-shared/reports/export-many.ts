import { z } from 'zod'
import { tableFormatSchema } from './export-table'
import { templateSchema } from './file-names'
import { runIdSchema } from './run-id'

/** Files that one export writes at most. */
export const mostAtOnce = 1_000

/** Files of several runs, each under a name of its own in one folder. */
export const exportManySchema = tableFormatSchema.extend({
  accountId: z.string().max(100),
  runIds: z.array(runIdSchema).min(1).max(mostAtOnce),
  /** One that the person chose, or that a preset has. */
  folder: z.string().min(1).max(4_096),
  template: templateSchema,
  /** Whose days and hours stand in names. */
  zone: z.string().max(100),
})
export type ExportMany = z.output<typeof exportManySchema>

/** What became of one run: `notReached` where it was stopped before. */
export interface OneOfMany {
  runId: string
  how: 'written' | 'failed' | 'notReached'
  /** For people. */
  words: string
  path?: string
}

export const exportManyQuestions = {
  /** Answers what became of each; announced as `many/progress`. One at a time. */
  'many/export': exportManySchema,
  /** What is written whole stays. */
  'many/stop': z.object({}),
} as const
export interface ExportManyAnswers {
  'many/export': { outcomes: OneOfMany[] }
  'many/stop': null
}
