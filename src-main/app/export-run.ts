import { createReadStream } from 'node:fs'
import type { TableShape } from '#shared/results/questions'
import { saveNew } from '../exports/export-file'
import type { WriteOptions } from '../exports/write-away'
import { readingOf } from '../reports/assemble'
import type { Library } from '../reports/library'
import type { AutoExportsOptions } from '../reports/auto-exports'
import type { RunRecord } from '../reports/run-record'
import type { ResultOrders } from '../tables/orders'
import type { ResultProcess } from '../tables/result-process'

/** Facts for writing any table. */
export interface Writing {
  /** Folder of the fonts for documents. */
  fonts: string
  /** True if the system's locale uses a decimal comma. */
  decimalComma: () => boolean
  now: () => number
}

export interface RunWriting extends Writing {
  results: Pick<ResultProcess, 'ask'>
  library: Pick<Library, 'fileOf' | 'checkFile'>
}

/** Options for writing a table in the chosen format. */
export const writingOf = (
  { format, dialect, paper }: Pick<WriteOptions, 'format' | 'dialect' | 'paper'>,
  { decimalComma, fonts, now }: Writing,
): WriteOptions => ({
  format,
  ...(dialect && { dialect }),
  ...(paper && { paper }),
  decimalComma: decimalComma(),
  fonts,
  now: now(),
})

const whole: TableShape = { filters: [], group: [], sort: [] }

/** The file of a run as the process of tables opens it. */
export function openingOf(library: Pick<Library, 'fileOf'>, run: RunRecord): ResultOrders['results/open'] {
  const { name, range, timeZone, currency } = run
  const path = library.fileOf(run)
  const source = {
    path,
    name,
    ...(range && { range }),
    ...(timeZone && { timeZone }),
    ...(currency && { currency }),
  }
  return { path, ...readingOf(run), source }
}

/** Writes the file of a run for an automatic export: through the table process, or as the original bytes. */
export function runWriter(about: RunWriting): AutoExportsOptions['write'] {
  const { results, library } = about
  return async (run, { format, dialect, paper, shape }, path, signal) => {
    await library.checkFile(run)
    if (format === 'raw') {
      await saveNew(path, createReadStream(library.fileOf(run)) as AsyncIterable<Buffer>, signal)
      return { notes: [] }
    }
    const { table } = await results.ask('results/open', openingOf(library, run))
    const stop = (): void => void results.ask('results/cancel', { table }).catch(() => undefined)
    signal.addEventListener('abort', stop, { once: true })
    try {
      const { view } = await results.ask('results/shape', { table, shape: shape ?? whole })
      const options = writingOf({ format, dialect, paper }, about)
      return await results.ask('results/export', { view, path, options })
    } finally {
      signal.removeEventListener('abort', stop)
      void results.ask('results/close', { table }).catch(() => undefined)
    }
  }
}
