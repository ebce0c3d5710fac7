import { createReadStream } from 'node:fs'
import { storageFault } from '#shared/storage-words'
import { isWorkbookFile } from '../report-data/workbook'
import { workbookAsCsv } from '../report-data/workbook-rows'
import { recordsOf, type ReadRecords } from './batch-text'

/**
 * Reads the header and rows of separated values, or of a workbook's first sheet. @throws FaultError `invalid` |
 * `storage`
 */
export async function readRows(path: string): Promise<ReadRecords> {
  try {
    return await recordsOf((await isWorkbookFile(path)) ? workbookAsCsv(path) : createReadStream(path))
  } catch (error) {
    throw storageFault(error, 'Nothing was read.')
  }
}
