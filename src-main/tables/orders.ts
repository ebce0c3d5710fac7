import type { z } from 'zod'
import type { PlannedColumn } from '#shared/figures/kinds'
import type { FigureAnswers, FigureProgress, figureQuestions, WrittenFile } from '#shared/figures/questions'
import type { ExportOptions } from '../exports/export-file'
import type { TableSource } from './source'

type Questions = typeof figureQuestions
/** Window requests that main passes to the table process unchanged. */
type Passed = Exclude<keyof Questions, 'figures/open' | 'figures/choose' | 'figures/export'>

export type FigureOrders = { [N in Passed]: z.output<Questions[N]> } & {
  'figures/open': {
    path: string
    planned?: readonly PlannedColumn[]
    separator?: ',' | '\t'
    source: TableSource
  }
  'figures/export': { view: number; path: string; options: Omit<ExportOptions, 'signal' | 'onrows'> }
}
export type OrderName = keyof FigureOrders
export type OrderAnswers = Pick<FigureAnswers, Passed | 'figures/open'> & { 'figures/export': WrittenFile }

/** Contract of the table process. The number of a request becomes that of the table or view that it makes. */
export type FigureContract = {
  [N in OrderName]: { args: FigureOrders[N]; value: OrderAnswers[N]; progress: FigureProgress }
} & { end: { args: null; value: null } }
