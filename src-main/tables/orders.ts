import type { z } from 'zod'
import type { PlannedColumn } from '#shared/results/result-columns'
import type { ResultAnswers, ResultProgress, resultQuestions, WrittenFile } from '#shared/results/questions'
import type { ExportOptions } from '../exports/export-file'
import type { TableSource } from './source'

type Questions = typeof resultQuestions
/** Window requests that main passes to the table process unchanged. */
type Passed = Exclude<keyof Questions, 'results/open' | 'results/choose' | 'results/export'>

export type ResultOrders = { [N in Passed]: z.output<Questions[N]> } & {
  'results/open': {
    path: string
    planned?: readonly PlannedColumn[]
    separator?: ',' | '\t'
    source: TableSource
  }
  'results/export': { view: number; path: string; options: Omit<ExportOptions, 'signal' | 'onrows'> }
}
export type OrderName = keyof ResultOrders
export type OrderAnswers = Pick<ResultAnswers, Passed | 'results/open'> & { 'results/export': WrittenFile }

/** Contract of the table process. The number of a request becomes that of the table or view that it makes. */
export type ResultContract = {
  [N in OrderName]: { args: ResultOrders[N]; value: OrderAnswers[N]; progress: ResultProgress }
} & { end: { args: null; value: null } }
