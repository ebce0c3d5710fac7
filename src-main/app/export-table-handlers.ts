import { basename } from 'node:path'
import { formatWords } from '#shared/reports/export-formats'
import type { TableWriter } from '../exports/write-away'
import type { Handlers } from '../ipc/handle'
import type { ExportsUnderWay } from './exports-under-way'
import { noteWritten, placeFor, type FilePlaces } from './files'

export interface ExportTableDeps {
  writer: TableWriter
  files: FilePlaces
  /** The folder of the fonts of documents. */
  fonts: string
  decimalComma: () => boolean
  now: () => number
  underWay: ExportsUnderWay
}

type TableHandlers = Pick<Handlers, Extract<keyof Handlers, `table/${string}`>>

/** Handlers for exporting tables of the window. */
export const exportTableHandlers = (deps: ExportTableDeps): TableHandlers => ({
  'table/begin': async ({ suggestedName, folder, format, dialect, paper, head }) => {
    const { writer, files, fonts, decimalComma, now, underWay } = deps
    const wanted = { name: suggestedName, extension: `.${format}`, kind: formatWords[format], folder }
    const place = await placeFor(files, wanted)
    if (place === undefined) return null
    const { path, replace, done } = place
    const options = {
      format,
      ...(dialect && { dialect }),
      ...(paper && { paper }),
      decimalComma: decimalComma(),
      fonts,
      now: now(),
      replace,
    }
    const id = writer.begin(path, head, options, () => {
      end()
      done()
    })
    const end = underWay.begin(`table ${id}`, basename(path))
    return { id }
  },
  'table/rows': ({ id, ...page }) => {
    deps.writer.rows(id, page)
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
