import type { JsonObject } from '#shared/json'
import type { HandlersOf } from '../ipc/handle'
import type { RunManager } from '../reports/run-manager'
import type { SearchDefinitions } from '../reports/search-definitions'
import type { Shell } from './shell'

export interface ReportDeps {
  shell: Pick<Shell, 'reveal'>
  runManager: RunManager
  definitions: SearchDefinitions
}

/** Handlers for runs, their files, and definitions that are stored only here. */
export const reportHandlers = ({ shell, runManager, definitions }: ReportDeps): HandlersOf<'reports'> => ({
  'reports/runs': async ({ accountId }) => ({ runs: await runManager.runs(accountId) }),
  'reports/run': ({ accountId, wanted }) =>
    runManager.ask(
      accountId,
      wanted.service === 'trafficking'
        ? { ...wanted, report: wanted.report as JsonObject }
        : { ...wanted, request: wanted.request as JsonObject },
    ),
  'reports/server-runs': ({ accountId, ...wanted }) => runManager.onServer(accountId, wanted),
  'reports/download': ({ accountId, ...wanted }) => runManager.download(accountId, wanted),
  'reports/release': ({ accountId, runId, report }) => runManager.release(accountId, runId, report as JsonObject),
  'reports/stop': ({ accountId, runId }) => runManager.stop(accountId, runId),
  'reports/again': ({ accountId, runId, rerun }) => runManager.again(accountId, runId, rerun),
  'reports/pin': ({ accountId, runId, pinned }) => runManager.pin(accountId, runId, pinned),
  'reports/remove': ({ accountId, runId }) => runManager.remove(accountId, runId),
  'reports/restore': ({ accountId, runId }) => runManager.restore(accountId, runId),
  'reports/reveal': async ({ accountId, runId }) => {
    shell.reveal((await runManager.file(accountId, runId)).path)
  },
  'reports/definitions': async ({ accountId }) => ({ definitions: await definitions.list(accountId) }),
  'reports/keep-definition': ({ accountId, definition }) => definitions.keep(accountId, definition),
  'reports/remove-definition': ({ accountId, definitionId }) => definitions.remove(accountId, definitionId),
})
