import type { Keep } from '#shared/reports/report-files'
import type { RunRecord } from './run-record'

export interface RetentionPolicy {
  keep: Keep
  /** Runs with files that an automatic export still needs. */
  awaited?: ReadonlySet<string> | undefined
  /** The run that just completed. It counts as the newest, even if the clock was set back. */
  just?: string
}

/** Runs that exceed the retention policy of their report. `runs`: those of an account, newest first. */
export function runsToDelete(runs: readonly RunRecord[], { keep, awaited, just }: RetentionPolicy): RunRecord[] {
  if (keep === null) return []
  const byReport = new Map<string, RunRecord[]>()
  for (const run of [...runs].sort((a, b) => arrived(b) - arrived(a))) {
    if (run.state !== 'kept' || run.pinned || run.reportId === undefined) continue
    const key = `${run.service} ${run.reportId}`
    const list = byReport.get(key) ?? []
    byReport.set(key, list)
    if (run.id === just) list.unshift(run)
    else list.push(run)
  }
  return [...byReport.values()].flatMap((list) => list.slice(keep)).filter(({ id }) => !awaited?.has(id))
}

/** Old runs that were found on the server today don’t displace each other. */
const arrived = ({ found, asked }: RunRecord): number => found ?? asked
