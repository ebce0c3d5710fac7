import { rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { SheetAnswers } from '#shared/ipc/sheet-questions'
import { partName } from '../exports/left-parts'
import { savePrivate } from '../disk/private'
import type { Handlers } from '../ipc/handle'
import type { SheetReader } from '../tables/sheet-reader'
import { chooseFile, type FilePlaces } from './files'

export interface SheetDeps {
  files: FilePlaces
  sheets: SheetReader
  userData: string
}

/** Spreadsheets that are imported into lists. */
export const sheetHandlers = ({ files, sheets, userData }: SheetDeps): Pick<Handlers, keyof SheetAnswers> => ({
  'sheet/open': async () => {
    // Files that were opened outside of the app are calendars.
    const file = await chooseFile({ ...files, opened: () => undefined }, 'Spreadsheet', ['csv', 'tsv', 'txt', 'xlsx'])
    return file && { name: file.name, ...(await sheets.open(file.path)) }
  },
  'sheet/dropped': async ({ name, bytes }) => {
    // Deleted at the next start if this process ends here.
    const path = join(userData, partName(`dropped${extname(name) === '.xlsx' ? '.xlsx' : '.csv'}`))
    const remove = (): Promise<void> => rm(path, { force: true })
    try {
      await savePrivate(path, [bytes])
    } catch (error) {
      await remove()
      throw error
    }
    return { name, ...(await sheets.open(path, () => void remove().catch(() => undefined))) }
  },
  'sheet/choose': ({ id, sheet }) => sheets.choose(id, sheet),
  'sheet/rows': ({ id, from, count }) => sheets.rows(id, from, count),
  'sheet/close': ({ id }) => {
    sheets.close(id)
    return null
  },
})
