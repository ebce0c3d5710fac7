import { recordKey } from '#shared/domain/collections'
import type { Run } from '#shared/reports/runs'
import { ask } from '../bridge'
import type { AppContext } from '../context/context'
import type { Row } from '../replica/api'

type Parts = Pick<AppContext, 'bridge' | 'replica' | 'account'>

/**
 * Releases runs that wait for changes to their report, once those are sent. Works in every view. Stops a run whose
 * report has been deleted.
 * @returns a function that stops watching
 */
export function watchHeldRuns({ bridge, replica, account }: Parts): () => void {
  const held = new Map<string, Run>()
  const looking = new Set<string>()
  const note = (run: Run): void => {
    if (run.accountId !== account.id) return
    if (run.state === 'held') held.set(run.id, run)
    else held.delete(run.id)
  }
  const look = (run: Run): void => {
    const waiting = new Set(replica.outbox().map(({ id }) => id))
    if (looking.has(run.id) || run.awaits?.some((id) => waiting.has(id))) return
    looking.add(run.id)
    void letGo(run).finally(() => looking.delete(run.id))
  }
  const lookAll = (): void => held.forEach(look)

  /** After an error, the run keeps waiting. The next change of the outbox tries again. */
  async function letGo(run: Run): Promise<void> {
    const asked = { accountId: run.accountId, runId: run.id }
    try {
      const known = await sent(run)
      if (known?.base) await ask(bridge, 'reports/release', { ...asked, report: known.base })
      else if (known === null) await ask(bridge, 'reports/stop', asked)
    } catch {
      // The account may have changed by now.
    }
  }
  /**
   * The report's server version. After a restart, only the history knows the ID of a new report. Null if the report was
   * deleted, and undefined if that's unknown, as after a lost database.
   */
  async function sent({ profileId = '', reportId = '', awaits = [] }: Run): Promise<Row | null | undefined> {
    const known = replica.peek(recordKey('reports', profileId, reportId))
    if (known?.base) return known
    const ended = (await replica.history(1_000)).find(({ entry }) => awaits.includes(entry.id))
    return ended && (replica.peek(recordKey('reports', ended.entry.parent, ended.entry.recordId)) ?? null)
  }

  const off = [
    bridge.on('reports/changed', ({ run }) => {
      note(run)
      if (held.has(run.id)) look(run)
    }),
    bridge.on('reports/removed', ({ id }) => void held.delete(id)),
    replica.subscribe((topics) => {
      if (topics.has('outbox') && held.size > 0) lookAll()
    }),
  ]
  void ask(bridge, 'reports/runs', { accountId: account.id }).then(
    ({ runs }) => {
      runs.forEach(note)
      lookAll()
    },
    () => undefined,
  )
  return () => off.forEach((end) => end())
}
