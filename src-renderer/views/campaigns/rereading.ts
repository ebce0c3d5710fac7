import { rerunning } from '#shared/rerun'
import { systemClock } from '#shared/time/clock'
import type { Replica, Topic } from '../../replica/api'

export interface RereadOptions {
  replica: Pick<Replica, 'subscribe'>
  /** Topics whose changes are read. */
  topics: readonly Topic[]
  /** Caches of records, which forget those with pending changes: see `RecordCache`. They live no longer than the readings. */
  cache: { forget(keys: Iterable<string>): void }
  /** Keys of records with pending changes. */
  pending: () => Iterable<string>
  read: (signal: AbortSignal) => Promise<void>
  /** Milliseconds between a change and its reading. @param took those of the last reading */
  pause: (took: number) => number
  /** Called after a reading failed. Returns milliseconds until the next try; without them, it's the next change. */
  failed: (error: unknown) => number | void
}

/** Reads again after changes, one reading at a time, until `end`. */
export function rereading(about: RereadOptions): { now: () => void; end: () => void } {
  const { replica, topics, cache, pending, pause } = about
  const control = new AbortController()
  const { signal } = control
  let timer: ReturnType<typeof setTimeout> | undefined
  let took = 0
  // Not aborted by changes, because frequent ones would keep it from ever finishing.
  const read = rerunning(async () => {
    if (signal.aborted) return
    const began = systemClock.elapsed()
    try {
      await about.read(signal)
    } catch (error) {
      const again = signal.aborted ? undefined : about.failed(error)
      if (again !== undefined) soon(again)
    }
    took = systemClock.elapsed() - began
  })
  const soon = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      void read()
    }, ms)
  }
  const unsubscribe = replica.subscribe((changed) => {
    cache.forget(pending())
    if (topics.some((topic) => changed.has(topic))) soon(pause(took))
  })
  return {
    now: () => void read(),
    end: () => {
      unsubscribe()
      clearTimeout(timer)
      control.abort()
    },
  }
}
