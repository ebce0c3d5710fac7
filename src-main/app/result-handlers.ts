import { basename } from 'node:path'
import { FaultError } from '#shared/fault'
import { formatWords } from '#shared/reports/export-formats'
import type { Handlers, HandlersOf } from '../ipc/handle'
import type { Library } from '../reports/library'
import type { ResultProcess } from '../tables/result-process'
import type { OrderName } from '../tables/orders'
import type { ExportsUnderWay } from './exports-under-way'
import { openingOf, writingOf, type Writing } from './export-run'
import { chooseFile, noteWritten, placeFor, type FilePlaces } from './files'

export interface ResultDeps extends Writing {
  results: Pick<ResultProcess, 'ask'>
  files: FilePlaces
  library: Pick<Library, 'runs' | 'fileOf' | 'checkFile'>
  underWay: ExportsUnderWay
}

type Passed = Exclude<OrderName, 'results/open' | 'results/export'>
const passed: readonly Passed[] = [
  'results/close',
  'results/shape',
  'results/page',
  'results/statistics',
  'results/values',
  'results/chart',
  'results/deliveries',
  'results/compare',
  'results/cancel',
]

/** Requests passed on to the table process unchanged. */
const passedOn = (results: ResultDeps['results']): Pick<Handlers, Passed> =>
  Object.fromEntries(passed.map((name) => [name, (args: never) => results.ask(name, args)])) as unknown as Pick<
    Handlers,
    Passed
  >

/** Handlers for tables of results. Main finds the files, and the table process does the rest. */
export function resultHandlers(deps: ResultDeps): HandlersOf<'results'> {
  const { results, files, library, underWay } = deps
  return {
    'results/open': async ({ accountId, runId }) => {
      const run = (await library.runs(accountId)).find(({ id }) => id === runId)
      if (run?.state !== 'kept')
        throw new FaultError({
          code: 'notFound',
          message: run ? `${run.name} has no results yet. ${run.words}` : 'This run is no longer on this computer.',
        })
      await library.checkFile(run)
      return results.ask('results/open', openingOf(library, run))
    },
    'results/choose': async () => {
      const file = await chooseFile(files, 'Report', ['csv', 'tsv', 'txt', 'xlsx'])
      return file && results.ask('results/open', { path: file.path, source: { path: file.path } })
    },
    ...passedOn(results),
    'results/export': async ({ view, suggestedName, folder, format, dialect, paper }) => {
      const wanted = { name: suggestedName, extension: `.${format}`, kind: formatWords(format), folder }
      const place = await placeFor(files, wanted)
      if (place === undefined) return null
      const { path, replace, done } = place
      const end = underWay.begin(`view ${view}`, basename(path))
      try {
        const written = await results.ask('results/export', {
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
