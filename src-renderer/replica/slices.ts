import type { Work } from './api'
import type { Commits } from './commits'
import type { Environment } from './environment'
import type { Memory } from './memory'
import type { Tx } from './tx'

/** Number of changes per slice of an edit. */
export const sliceSize = 200
/** Milliseconds for which a slice may block the thread. */
const patience = 16

export interface SliceDeps {
  memory: Memory
  commits: Commits
  environment: Environment
}

export interface Slice {
  tx: Tx
  saved: Promise<void>
  /** Index of the first change for the next slice. */
  next: number
}

/**
 * Runs a bulk edit in slices, each in its own task, so that no frame is missed and views show progress. Each slice is shown
 * and saved separately, and is written while the next one runs. Nothing is sent before the edit is complete. If a slice
 * fails, all earlier ones are undone. A crash leaves complete slices.
 * @param make applies changes from an index until `enough` returns true
 * @throws the reason of an aborted signal, after everything is undone
 */
export async function inSlices(
  { memory, commits, environment }: SliceDeps,
  count: number,
  make: (from: number, enough: (at: number) => boolean) => Promise<Slice>,
  { signal, onprogress }: Work = {},
): Promise<void> {
  const slices: Slice[] = []
  memory.outbox.held++
  try {
    for (let from = 0; from < count;) {
      signal?.throwIfAborted()
      const began = from
      let until: number | undefined
      const slice = await make(began, (at) => {
        until ??= environment.elapsed() + patience
        return at - began >= sliceSize || environment.elapsed() > until
      })
      const before = slices.at(-1)
      slices.push(slice)
      from = slice.next
      await before?.saved
      onprogress?.(from, count)
      await new Promise<void>((resolve) => environment.setTimer(resolve, 0))
    }
    await slices.at(-1)?.saved
  } catch (error) {
    await takeBackSlices(commits, slices)
    throw error
  } finally {
    memory.outbox.held--
  }
}

/** Undoes saved slices, last first. Unsaved ones are already rolled back. */
async function takeBackSlices(commits: Commits, slices: readonly Slice[]): Promise<void> {
  const kept: Tx[] = []
  for (const { tx, saved } of slices) {
    await saved.then(
      () => kept.push(tx),
      () => undefined,
    )
  }
  if (kept.length === 0) return
  await commits.run('back', (back) => {
    for (const { undoing } of kept.reverse()) for (const undo of [...undoing].reverse()) undo(back)
  }).saved
}
