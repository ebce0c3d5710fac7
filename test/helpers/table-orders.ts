import type { ResultProgress } from '#shared/results/questions'
import type { ResultProcess } from '../../src-main/tables/result-process'
import { Tables } from '../../src-main/tables/tables'

/** Open tables in this process. Numbers orders, as the process of tables does. */
export function tablesHere(
  ceiling = 1e9,
  tell: (progress: ResultProgress) => void = () => undefined,
): Pick<ResultProcess, 'ask'> & { tables: Tables } {
  const tables = new Tables({ ceiling })
  let id = 0
  return { tables, ask: async (name, args) => await tables.answers[name](args, { id: ++id, tell }) }
}
