import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { storageFault } from '#shared/storage-words'
import { isWorkbook } from '../figures/workbook'
import { workbookAsCsv } from '../figures/workbook-rows'
import { recordsOf, type ReadRecords } from './batch-text'

/**
 * Reads the header and rows of separated values, or of a workbook's first sheet. @throws FaultError `invalid` |
 * `storage`
 */
export async function readRows(path: string): Promise<ReadRecords> {
  try {
    const file = await open(path, 'r')
    const start = Buffer.alloc(4)
    try {
      await file.read(start, 0, start.length, 0)
    } finally {
      await file.close()
    }
    return await recordsOf(isWorkbook(start) ? workbookAsCsv(path) : createReadStream(path))
  } catch (error) {
    throw storageFault(error, 'Nothing was read.')
  }
}
