import { faultOf, FaultError } from '#shared/fault'
import type { HandlersOf } from '../ipc/handle'
import type { RunManager } from '../reports/run-manager'
import { destination } from '../reports/destination'
import { setRetentionLimit } from '../reports/retention-limit'
import type { FileMover } from '../reports/move-files'
import type { ReportFolder } from '../reports/report-folder'
import type { FilePlaces } from './files'
import type { Shell } from './shell'

export interface ReportFileDeps {
  shell: Pick<Shell, 'askFolder' | 'openFolder'>
  runManager: RunManager
  mover: FileMover
  reportFolder: ReportFolder
  files: FilePlaces
  userData: string
  /** Called after the files moved or became available. */
  filesMoved: () => Promise<void>
}

/** Handlers for the location and number of report files. */
export const reportFileHandlers = (deps: ReportFileDeps): HandlersOf<'report-files'> => {
  const { shell, runManager, mover, reportFolder, files, userData, filesMoved } = deps
  const move = async (root: string): ReturnType<typeof mover.state> => {
    try {
      await mover.moveTo(root)
    } finally {
      await filesMoved()
    }
    return mover.state()
  }
  return {
    'report-files/state': () => mover.state(),
    // Only accepts a path from the dialog.
    'report-files/choose': async () => {
      const chosen = files.saveTo ?? (await shell.askFolder(reportFolder.root))
      return chosen === undefined ? null : move(await destination(chosen, reportFolder, userData))
    },
    'report-files/usual': () => move(reportFolder.usual),
    'report-files/stop': () => mover.stop(),
    'report-files/look': async () => {
      await reportFolder.reread()
      await mover.settle()
      await filesMoved()
      return mover.state()
    },
    'report-files/open': async () => {
      await reportFolder.need()
      const trouble = await shell.openFolder(reportFolder.root)
      if (trouble !== '') throw new FaultError({ code: 'storage', message: `Couldn’t open the folder: ${trouble}` })
    },
    'report-files/surplus': async ({ keep }) => {
      const beyond = await runManager.beyond(keep)
      return { files: beyond.length, bytes: beyond.reduce((sum, { bytes = 0 }) => sum + bytes, 0) }
    },
    'report-files/keep': async ({ keep }) => {
      const gone = await setRetentionLimit(keep, { runManager, folder: reportFolder })
      return { state: await mover.state(), gone: gone.map(({ accountId, id: runId }) => ({ accountId, runId })) }
    },
    'report-files/restore': async ({ keep, runs }) => {
      await reportFolder.setRetention(keep)
      for (const { accountId, runId } of runs)
        await runManager.restore(accountId, runId).catch((error: unknown) => {
          // Files of a removed account are gone. The others are restored anyway.
          if (faultOf(error).code !== 'notFound') throw error
        })
      return mover.state()
    },
  }
}
