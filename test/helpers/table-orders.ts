import type { FigureProgress } from '#shared/figures/questions'
import type { FigureProcess } from '../../src-main/tables/figure-process'
import { Tables } from '../../src-main/tables/tables'

/** Open tables in this process. Numbers orders, as the process of tables does. */
export function tablesHere(
  ceiling = 1e9,
  tell: (progress: FigureProgress) => void = () => undefined,
): Pick<FigureProcess, 'ask'> & { tables: Tables } {
  const tables = new Tables({ ceiling })
  let id = 0
  return { tables, ask: async (name, args) => await tables.answers[name](args, { id: ++id, tell }) }
}
