import { faultOf } from '#shared/fault'
import { isOver, type Run } from '#shared/reports/runs'
import { ask } from '../../bridge'
import type { AppContext } from '../../context/context'
import { counted } from '../../ui/counted'

const placeOf = ({ accountId, id }: Run): { accountId: string; runId: string } => ({ accountId, runId: id })

/** Runs `work` for each run until one fails. Shows the error and the progress. @returns the finished runs */
async function each(
  app: AppContext,
  runs: readonly Run[],
  work: (run: Run) => Promise<unknown>,
  kept: string,
): Promise<Run[]> {
  const done: Run[] = []
  for (const run of runs) {
    try {
      await work(run)
      done.push(run)
    } catch (error) {
      const { code, message } = faultOf(error)
      // A fault of the disk says what's safe, and what to do last.
      const far = `Stopped after ${done.length} of ${counted(runs.length, 'run')}.`
      const words = done.length > 0 ? [far, message] : [message, ...(code === 'storage' ? [] : [kept])]
      app.toasts.show(words.join(' '), { level: 'error' })
      break
    }
  }
  return done
}

/** Deletes finished runs from this computer, with one undo for all. Skips runs in progress. */
export async function removeRuns(app: AppContext, runs: readonly Run[]): Promise<void> {
  const over = runs.filter(({ state }) => isOver(state))
  const gone = await each(
    app,
    over,
    (run) => ask(app.bridge, 'reports/remove', placeOf(run)),
    over.length === 1 ? 'The run wasn’t deleted.' : 'No runs were deleted.',
  )
  if (gone.length === 0) return
  const [first] = gone
  const name = first!.name ? `“${first!.name}”` : 'an untitled report'
  const what = runs.length === 1 ? `Deleted a run of ${name}` : `Deleted ${counted(gone.length, 'run')}`
  const under = runs.length - over.length
  const words = under > 0 ? `${what}. Skipped ${counted(under, 'run')} in progress.` : what
  app.toasts.show(words, {
    action: {
      label: 'Undo',
      run: () =>
        void each(
          app,
          gone,
          (run) => ask(app.bridge, 'reports/restore', placeOf(run)),
          gone.length === 1 ? 'The run is still deleted.' : 'The runs are still deleted.',
        ),
    },
  })
}

/** Pins or unpins runs. Cleanup skips pinned runs. */
export async function pinRuns(app: AppContext, runs: readonly Run[], pinned: boolean): Promise<void> {
  const pin = (run: Run): Promise<unknown> => ask(app.bridge, 'reports/pin', { ...placeOf(run), pinned })
  const done = await each(app, runs, pin, 'Nothing changed.')
  if (done.length > 0) app.announce(`${pinned ? 'Pinned' : 'Unpinned'} ${counted(done.length, 'run')}`)
}
