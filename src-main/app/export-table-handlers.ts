import { formatWords } from '#shared/reports/export-formats'
import type { TableWriter } from '../exports/write-away'
import type { Handlers } from '../ipc/handle'
import { noteWritten, placeToSave, type FilePlaces } from './files'

export interface ExportTableDeps {
  writer: TableWriter
  files: FilePlaces
  /** The folder of the fonts of documents. */
  fonts: string
  decimalComma: () => boolean
  now: () => number
}

type TableHandlers = Pick<Handlers, Extract<keyof Handlers, `table/${string}`>>

/** What main answers about tables of the window that become files. */
export const exportTableHandlers = (deps: ExportTableDeps): TableHandlers => ({
  'table/begin': async ({ suggestedName, format, dialect, paper, head }) => {
    const { writer, files, fonts, decimalComma, now } = deps
    const path = await placeToSave(files, { name: suggestedName, extension: `.${format}`, kind: formatWords[format] })
    if (path === undefined) return null
    const options = {
      format,
      ...(dialect && { dialect }),
      ...(paper && { paper }),
      decimalComma: decimalComma(),
      fonts,
      now: now(),
      // Whoever chose the name was asked about a file of that name.
      replace: true,
    }
    return { id: writer.begin(path, head, options) }
  },
  'table/rows': ({ id, rows }) => {
    deps.writer.rows(id, rows)
    return null
  },
  'table/end': async ({ id }) => {
    const written = await deps.writer.end(id)
    noteWritten(written.path)
    return written
  },
  'table/stop': async ({ id }) => {
    await deps.writer.stop(id)
    return null
  },
})
