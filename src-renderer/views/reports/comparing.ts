import { FaultError } from '#shared/fault'
import type { OpenTable } from '#shared/results/questions'
import type { Bridge } from '#shared/ipc/contract'
import type { Run } from '#shared/reports/runs'
import { ask } from '../../bridge'
import { keyColumns, namingColumns } from './joins'

/**
 * Joins the results of two runs, the older one first.
 * @param onleft called with the heads of the columns that aren't compared
 * @throws FaultError
 */
export async function compareRuns(
  bridge: Bridge,
  first: Run,
  second: Run,
  onleft: (heads: readonly string[]) => void,
): Promise<OpenTable> {
  const open = ({ accountId, id }: Run): Promise<OpenTable> => ask(bridge, 'results/open', { accountId, runId: id })
  const opened: OpenTable[] = []
  try {
    for (const run of [first, second]) opened.push(await open(run))
    const [before, after] = opened as [OpenTable, OpenTable]
    const there = new Set(after.columns.map(({ head }) => head))
    const shared = before.columns.filter(({ head }) => there.has(head))
    const by = keyColumns(before.columns).filter((head) => there.has(head))
    if (by.length === 0)
      throw new FaultError({
        code: 'invalid',
        message: 'Can’t compare these runs. They have no dimensions in common.',
      })
    const compared = await ask(bridge, 'results/compare', {
      first: before.table,
      second: after.table,
      by,
      names: namingColumns(shared),
    })
    const heads = new Set([...before.columns, ...after.columns].map(({ head }) => head))
    onleft([...heads].filter((head) => !compared.columns.some((one) => `${one.head} · `.startsWith(`${head} · `))))
    return compared
  } finally {
    for (const { table } of opened) void ask(bridge, 'results/close', { table }).catch(() => undefined)
  }
}
