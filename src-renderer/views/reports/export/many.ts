import type { Run } from '#shared/reports/runs'
import type { ListedReport } from '../model.svelte'

/** One of several files that are exported together. */
export interface FileOfMany {
  key: string
  /** What the person picked, as the list calls it. */
  name: string
  /** Undefined where no file of it is here. */
  run: Run | undefined
}

/** The newest file of each report. */
export const newestFiles = (reports: readonly ListedReport[]): FileOfMany[] =>
  reports.map(({ key, name, newest }) => ({ key, name, run: newest }))
