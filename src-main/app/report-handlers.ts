import type { JsonObject } from '#shared/json'
import type { Handlers } from '../ipc/handle'
import type { RunDesk } from '../reports/desk'
import type { SearchDefinitions } from '../reports/search-definitions'
import type { Shell } from './shell'

export interface ReportDeps {
  shell: Pick<Shell, 'reveal'>
  desk: RunDesk
  definitions: SearchDefinitions
}

type ReportHandlers = Pick<Handlers, Extract<keyof Handlers, `reports/${string}`>>

/** Handlers for runs, their files, and definitions that are stored only here. */
export const reportHandlers = ({ shell, desk, definitions }: ReportDeps): ReportHandlers => ({
  'reports/runs': async ({ accountId }) => ({ runs: await desk.runs(accountId) }),
  'reports/run': ({ accountId, wanted }) =>
    desk.ask(
      accountId,
      wanted.service === 'trafficking'
        ? { ...wanted, report: wanted.report as JsonObject }
        : { ...wanted, request: wanted.request as JsonObject },
    ),
  'reports/release': ({ accountId, runId, report }) => desk.release(accountId, runId, report as JsonObject),
  'reports/stop': ({ accountId, runId }) => desk.stop(accountId, runId),
  'reports/again': ({ accountId, runId, anew }) => desk.again(accountId, runId, anew),
  'reports/pin': ({ accountId, runId, pinned }) => desk.pin(accountId, runId, pinned),
  'reports/remove': async ({ accountId, runId }) => {
    await desk.remove(accountId, runId)
    return null
  },
  'reports/restore': ({ accountId, runId }) => desk.restore(accountId, runId),
  'reports/reveal': async ({ accountId, runId }) => {
    shell.reveal((await desk.file(accountId, runId)).path)
    return null
  },
  'reports/definitions': async ({ accountId }) => ({ definitions: await definitions.list(accountId) }),
  'reports/keep-definition': ({ accountId, definition }) => definitions.keep(accountId, definition),
  'reports/remove-definition': ({ accountId, definitionId }) => definitions.remove(accountId, definitionId),
})
