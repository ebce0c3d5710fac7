import { FaultError } from '#shared/fault'
import type { Handlers } from '../ipc/handle'
import type { ManyExports } from '../reports/export-many'
import type { ExportsUnderWay } from './exports-under-way'
import { noteWritten, type FilePlaces } from './files'

type ManyHandlers = Pick<Handlers, Extract<keyof Handlers, `many/${string}`>>

interface ManyDeps {
  many: ManyExports
  files: FilePlaces
  underWay: ExportsUnderWay
}

/** Handlers for exporting several runs to one folder. */
export const exportManyHandlers = ({ many, files, underWay }: ManyDeps): ManyHandlers => ({
  'many/export': async (wanted) => {
    if (!(await files.takes(wanted.folder)))
      throw new FaultError({ code: 'invalid', message: 'Choose a folder to export to.' })
    await files.note(wanted.folder)
    const end = underWay.begin('many', 'Exports of several reports')
    const outcomes = await many.export(wanted).finally(end)
    for (const { path } of outcomes) if (path !== undefined) noteWritten(path)
    return { outcomes }
  },
  'many/stop': () => {
    many.stop()
    return null
  },
})
