import { readFile, stat } from 'node:fs/promises'
import { FaultError } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { readIcs, type ReadCalendar } from './ics-read'
import { decodedText } from './ics-text'

/** Maximum size of a calendar file, in bytes. */
const maxSize = 64 * 1024 * 1024

/** Reads the events of a calendar file. @param zone zone of times without one @throws FaultError `invalid` | `storage` */
export async function readCalendarFile(path: string, zone: string): Promise<ReadCalendar> {
  return readIcs(await textOf(path), zone)
}

async function textOf(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > maxSize) {
      throw new FaultError({
        code: 'invalid',
        message: 'The file is larger than 64 MB. Nothing was imported. Split it into smaller files.',
      })
    }
    return decodedText(await readFile(path))
  } catch (error) {
    throw storageFault(error, 'Nothing was imported.')
  }
}
