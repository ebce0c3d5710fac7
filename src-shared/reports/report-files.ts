import { z } from 'zod'
import { runIdSchema } from './run-id'

/** How many files of a report stay beside pinned ones, as people choose it; null: all. */
export const keepChoices = [3, 10, 30, null] as const
export const usualKeep = 10
export const keepSchema = z.number().int().min(1).max(10_000).nullable()
export type Keep = z.output<typeof keepSchema>

/** Where files of runs are kept, and how many. */
export interface ReportFiles {
  folder: string
  /** It is the one beside everything else of Flightplan. */
  usual: boolean
  keep: Keep
  /** Those that are there now, and their bytes. */
  files: number
  bytes: number
  /** Why nothing can be kept there now, for people. */
  away?: string
  /** Folders that hold files still, which come over once they are there. */
  elsewhere: string[]
}

const runIds = z.array(z.object({ accountId: z.string().max(200), runId: runIdSchema })).max(1_000_000)

export const reportFileQuestions = {
  'report-files/state': z.object({}),
  /** Asks for a folder and takes all files there; null where none was chosen. Announced as `report-files/moving`. */
  'report-files/choose': z.object({}),
  /** The same to the folder beside everything else. */
  'report-files/usual': z.object({}),
  /** The files stay where they were. */
  'report-files/stop': z.object({}),
  /** Looks whether the folder is there again, and lets go on what waits for it. */
  'report-files/look': z.object({}),
  'report-files/open': z.object({}),
  /** How many files would go with this number. */
  'report-files/surplus': z.object({ keep: keepSchema }),
  /** What goes comes back with `report-files/restore`, until the app is started again. */
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

/** Files that are being taken to another folder: bytes of all. */
export interface FilesMoving {
  to: string
  done: number
  of: number
}
