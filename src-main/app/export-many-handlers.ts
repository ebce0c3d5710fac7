import { FaultError } from '#shared/fault'
import type { Handlers } from '../ipc/handle'
import type { ManyExports } from '../reports/export-many'
import { noteWritten, type FilePlaces } from './files'

type ManyHandlers = Pick<Handlers, Extract<keyof Handlers, `many/${string}`>>

/** What main answers about files of several runs that are taken to one folder. */
export const exportManyHandlers = ({ many, files }: { many: ManyExports; files: FilePlaces }): ManyHandlers => ({
  'many/export': async (wanted) => {
    if (!(await files.takes(wanted.folder)))
      throw new FaultError({ code: 'invalid', message: 'Only folders that you chose take exports. Choose one.' })
    await files.note(wanted.folder)
    const outcomes = await many.export(wanted)
    for (const { path } of outcomes) if (path !== undefined) noteWritten(path)
    return { outcomes }
  },
  'many/stop': () => {
    many.stop()
    return null
  },
})
