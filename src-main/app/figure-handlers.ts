import { basename } from 'node:path'
import { FaultError } from '#shared/fault'
import { formatWords } from '#shared/reports/export-formats'
import type { Handlers, HandlersOf } from '../ipc/handle'
import type { Library } from '../reports/library'
import type { FigureProcess } from '../tables/figure-process'
import type { OrderName } from '../tables/orders'
import type { ExportsUnderWay } from './exports-under-way'
import { openingOf, writingOf, type Writing } from './export-run'
import { chooseFile, noteWritten, placeFor, type FilePlaces } from './files'

export interface FigureDeps extends Writing {
  figures: Pick<FigureProcess, 'ask'>
  files: FilePlaces
  library: Pick<Library, 'runs' | 'fileOf' | 'checkFile'>
  underWay: ExportsUnderWay
}

type Passed = Exclude<OrderName, 'figures/open' | 'figures/export'>
const passed: readonly Passed[] = [
  'figures/close',
  'figures/shape',
  'figures/page',
  'figures/statistics',
  'figures/values',
  'figures/chart',
  'figures/deliveries',
  'figures/compare',
  'figures/cancel',
]

/** Requests passed on to the table process unchanged. */
const passedOn = (figures: FigureDeps['figures']): Pick<Handlers, Passed> =>
  Object.fromEntries(passed.map((name) => [name, (args: never) => figures.ask(name, args)])) as unknown as Pick<
    Handlers,
    Passed
  >

/** Handlers for tables of results: main finds the files, the tables process does the rest. */
export function figureHandlers(deps: FigureDeps): HandlersOf<'figures'> {
  const { figures, files, library, underWay } = deps
  return {
    'figures/open': async ({ accountId, runId }) => {
      const run = (await library.runs(accountId)).find(({ id }) => id === runId)
      if (run?.state !== 'kept')
        throw new FaultError({
          code: 'notFound',
          message: run ? `${run.name} has no results yet. ${run.words}` : 'This run is no longer on this computer.',
        })
      await library.checkFile(run)
      return figures.ask('figures/open', openingOf(library, run))
    },
    'figures/choose': async () => {
      const file = await chooseFile(files, 'Report', ['csv', 'tsv', 'txt', 'xlsx'])
      return file && figures.ask('figures/open', { path: file.path, source: { path: file.path } })
    },
    ...passedOn(figures),
    'figures/export': async ({ view, suggestedName, folder, format, dialect, paper }) => {
      const wanted = { name: suggestedName, extension: `.${format}`, kind: formatWords(format), folder }
      const place = await placeFor(files, wanted)
      if (place === undefined) return null
      const { path, replace, done } = place
      const end = underWay.begin(`view ${view}`, basename(path))
      try {
        const written = await figures.ask('figures/export', {
          view,
          path,
          options: { ...writingOf({ format, dialect, paper }, deps), replace },
        })
        noteWritten(path)
        return written
      } finally {
        end()
        done()
      }
    },
  }
}
