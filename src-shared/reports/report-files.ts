import { z } from 'zod'
import { runIdSchema } from './run-id'

/** Choices for the number of files to keep per report, not counting pinned runs. null: all. */
export const keepChoices = [3, 10, 30, null] as const
export const usualKeep = 10
export const keepSchema = z.number().int().min(1).max(10_000).nullable()
export type Keep = z.output<typeof keepSchema>

/** Report files folder and retention setting. */
export interface ReportFiles {
  folder: string
  /** True for the default folder. */
  usual: boolean
  keep: Keep
  /** Number and total size of the files. */
  files: number
  bytes: number
  /** Why the folder isn't available, in words. */
  away?: string
  /** Former folders with leftover files, which are moved once they're available. */
  elsewhere: string[]
}

const runIds = z.array(z.object({ accountId: z.string().max(200), runId: runIdSchema })).max(1_000_000)

export const reportFileQuestions = {
  'report-files/state': z.object({}),
  /** Asks for a folder and moves all files there. null if canceled. Progress: `report-files/moving`. */
  'report-files/choose': z.object({}),
  /** Moves all files to the default folder. */
  'report-files/usual': z.object({}),
  /** Stops the move. The files stay where they were. */
  'report-files/stop': z.object({}),
  /** Checks whether the folder is available again, and resumes stalled runs. */
  'report-files/look': z.object({}),
  'report-files/open': z.object({}),
  /** Number of files that this setting would delete. */
  'report-files/surplus': z.object({ keep: keepSchema }),
  /** Applies the setting. `report-files/restore` can bring back deleted files until the next start. */
  'report-files/keep': z.object({ keep: keepSchema }),
  'report-files/restore': z.object({ keep: keepSchema, runs: runIds }),
} as const

export interface ReportFileAnswers {
  'report-files/state': ReportFiles
  'report-files/choose': ReportFiles | null
  'report-files/usual': ReportFiles
  'report-files/stop': null
  'report-files/look': ReportFiles
  'report-files/open': null
  'report-files/surplus': { files: number; bytes: number }
  'report-files/keep': { state: ReportFiles; gone: { accountId: string; runId: string }[] }
  'report-files/restore': ReportFiles
}

/** Progress of a move, in bytes. */
export interface FilesMoving {
  to: string
  done: number
  of: number
}
