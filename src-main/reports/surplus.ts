import type { Keep } from '#shared/reports/report-files'
import type { RunRecord } from './run-record'

export interface Staying {
  keep: Keep
  /** Runs whose files somebody needs still. */
  awaited?: ReadonlySet<string> | undefined
  /** The one that just came, whatever the clock says: it counts as the newest. */
  just?: string
}

/** Of the runs of an account, the newest first, those whose files are beyond what stays of their report. */
export function surplus(runs: readonly RunRecord[], { keep, awaited, just }: Staying): RunRecord[] {
  if (keep === null) return []
  const byReport = new Map<string, RunRecord[]>()
  for (const run of runs) {
    if (run.state !== 'kept' || run.pinned || run.reportId === undefined) continue
    const key = `${run.service} ${run.reportId}`
    const list = byReport.get(key) ?? []
    byReport.set(key, list)
    if (run.id === just) list.unshift(run)
    else list.push(run)
  }
  return [...byReport.values()].flatMap((list) => list.slice(keep)).filter(({ id }) => !awaited?.has(id))
}
