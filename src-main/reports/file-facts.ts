import { readReportFile, type ReadOptions } from '../report-data/read-file'
import { totalsOf } from '../report-data/totals'

/** Facts about a run's file, compared with what the service said before the file is saved. */
export interface FileFacts {
  rows: number
  /** True if the file has a total row. */
  hasTotals: boolean
  /** True if the rows match it. Absent if nothing can be compared. */
  totalsAgree?: boolean
}

/** Known columns of a file. */
export type FileReading = Pick<ReadOptions, 'planned' | 'separator'>

/**
 * Reads a run's complete file, in this or another process. @throws FaultError `invalid` for an unreadable file,
 * `storage`, `aborted`
 */
export type ReadFileFacts = (path: string, options: FileReading & Pick<ReadOptions, 'signal'>) => Promise<FileFacts>

export async function readFileFacts(path: string, options: ReadOptions): Promise<FileFacts> {
  const table = await readReportFile(path, options)
  const agree = totalsOf(table)?.every(({ agrees }) => agrees)
  return {
    rows: table.length,
    hasTotals: table.total !== null,
    ...(agree !== undefined && { totalsAgree: agree }),
  }
}
