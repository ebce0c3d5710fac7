import type { Keep } from '#shared/reports/report-files'
import type { RunManager } from './run-manager'
import type { ReportFolder } from './report-folder'
import type { RunRecord } from './run-record'

/**
 * Sets the number of files to keep per report, and deletes older ones, which can be restored. If a deletion or saving
 * the number fails, nothing changes. @throws FaultError `storage` | `conflict` while files are moved
 */
export async function setRetentionLimit(
  keep: Keep,
  {
    runManager,
    folder,
  }: { runManager: Pick<RunManager, 'clearBeyond' | 'restore'>; folder: Pick<ReportFolder, 'need' | 'setRetention'> },
): Promise<Pick<RunRecord, 'accountId' | 'id'>[]> {
  await folder.need()
  const gone = await runManager.clearBeyond(keep)
  try {
    await folder.setRetention(keep)
  } catch (error) {
    for (const { accountId, id } of gone) await runManager.restore(accountId, id).catch(() => undefined)
    throw error
  }
  return gone
}
