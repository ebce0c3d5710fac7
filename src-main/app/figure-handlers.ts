import { basename } from 'node:path'
import { FaultError } from '#shared/fault'
import type { FigureAnswers, figureQuestions } from '#shared/figures/questions'
import type { CheckedArguments } from '#shared/ipc/contract'
import { formatWords } from '#shared/reports/export-formats'
import type { Library } from '../reports/library'
import type { FigureProcess } from '../tables/figure-process'
import type { ExportsUnderWay } from './exports-under-way'
import { openingOf } from './export-run'
import { chooseFile, noteWritten, placeFor, type FilePlaces } from './files'

export interface FigureDeps {
  figures: Pick<FigureProcess, 'ask'>
  files: FilePlaces
  library: Pick<Library, 'runs' | 'fileOf' | 'checkFile'>
  /** The folder of the fonts of documents. */
  fonts: string
  /** True if the system's locale uses a decimal comma. */
  decimalComma: () => boolean
  now: () => number
  underWay: ExportsUnderWay
}

type FigureQuestion = keyof typeof figureQuestions
export type FigureHandlers = { [N in FigureQuestion]: (args: CheckedArguments<N>) => Promise<FigureAnswers[N]> }

/** Handlers for tables of results: main finds the files, the tables process does the rest. */
export function figureHandlers(deps: FigureDeps): FigureHandlers {
  const { figures, files, library, fonts, decimalComma, now, underWay } = deps
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
    'figures/close': (args) => figures.ask('figures/close', args),
    'figures/shape': (args) => figures.ask('figures/shape', args),
    'figures/page': (args) => figures.ask('figures/page', args),
    'figures/statistics': (args) => figures.ask('figures/statistics', args),
    'figures/values': (args) => figures.ask('figures/values', args),
    'figures/chart': (args) => figures.ask('figures/chart', args),
    'figures/deliveries': (args) => figures.ask('figures/deliveries', args),
    'figures/compare': (args) => figures.ask('figures/compare', args),
    'figures/export': async ({ view, suggestedName, folder, format, dialect, paper }) => {
      const wanted = { name: suggestedName, extension: `.${format}`, kind: formatWords[format], folder }
      const place = await placeFor(files, wanted)
      if (place === undefined) return null
      const { path, replace, done } = place
      const end = underWay.begin(`view ${view}`, basename(path))
      try {
        const written = await figures.ask('figures/export', {
          view,
          path,
          options: {
            format,
            ...(dialect && { dialect }),
            ...(paper && { paper }),
            decimalComma: decimalComma(),
            fonts,
            now: now(),
            replace,
          },
        })
        noteWritten(path)
        return written
      } finally {
        end()
        done()
      }
    },
    'figures/cancel': (args) => figures.ask('figures/cancel', args),
  }
}
