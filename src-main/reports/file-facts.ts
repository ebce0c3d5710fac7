import { readFigures, type ReadOptions } from '../figures/read-file'
import { totalsOf } from '../figures/totals'

/** Facts about a run's file, compared with what the service said before the file is saved. */
export interface FileFacts {
  rows: number
  /** It has a line of totals. */
  hasTotals: boolean
  /** Whether the rows add up to it; absent where nothing can be compared. */
  totalsAgree?: boolean
}

/** The columns of a file, as far as they are known. */
export type FileReading = Pick<ReadOptions, 'planned' | 'separator'>

/** Reads the file of a run whole, here or in another process. @throws FaultError `invalid` for a file that can't be read, `storage`, `aborted` */
export type ReadFileFacts = (path: string, options: FileReading & Pick<ReadOptions, 'signal'>) => Promise<FileFacts>

export async function readFileFacts(path: string, options: ReadOptions): Promise<FileFacts> {
  const table = await readFigures(path, options)
  const agree = totalsOf(table)?.every(({ agrees }) => agrees)
  return {
    rows: table.length,
    hasTotals: table.total !== null,
    ...(agree !== undefined && { totalsAgree: agree }),
  }
}
