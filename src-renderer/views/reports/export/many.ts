import type { Run } from '#shared/reports/runs'
import type { ListedReport } from '../model.svelte'

/** Item of an export of several files. */
export interface FileOfMany {
  key: string
  /** Title in the list. */
  name: string
  /** Undefined without a file. */
  run: Run | undefined
}

/** Newest run with a file for each report. */
export const newestFiles = (reports: readonly ListedReport[]): FileOfMany[] =>
  reports.map(({ key, name, newest }) => ({ key, name, run: newest }))
