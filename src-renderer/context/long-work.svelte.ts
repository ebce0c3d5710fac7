import type { EditsUnderWay } from './edits-under-way.svelte'
import type { Work } from '../replica/api'
import { RunningWork } from './running-work.svelte'

class UndoableWork extends RunningWork {
  /** Further undo requests since it was stopped. */
  more = 0
  /** Undo steps at the last of these requests, newest first. */
  seen: readonly string[] = []

  undo(seen: readonly string[]): void {
    if (this.stopping) this.more++
    else this.stop()
    this.seen = seen
  }
}

/** How work ended. */
export interface Ended<T> {
  /** Absent if the work was stopped in time and left nothing behind. */
  value?: T
  /** True if it was stopped, even if too late. */
  stopped: boolean
  /** Number of steps to undo besides the work itself. */
  more: number
  /** IDs of the undo steps that existed when this was requested, newest first. */
  seen: readonly string[]
}

/** Long-running work of one account, shown after a delay and cancelable. */
export class LongWork {
  #all = $state.raw<readonly UndoableWork[]>([])
  /** True if other work was requested since. */
  #passed = false

  /** @param edits where quitting looks for running edits */
  constructor(private readonly edits?: Pick<EditsUnderWay, 'begin'>) {}

  /** The progress shown: that of the oldest work, once it's late. */
  get shown(): RunningWork | null {
    const [oldest] = this.#all
    return oldest?.late ? oldest : null
  }
  get busy(): boolean {
    return this.#all.length > 0
  }

  /** Stops the oldest work, whether it's shown or not. */
  stop(): void {
    this.#all[0]?.stop()
  }
  /** True if this is the latest work requested. */
  get isLast(): boolean {
    return this.busy && !this.#passed
  }
  /** Marks the work as no longer the latest. */
  pass(): void {
    this.#passed = true
  }
  /**
   * Stops the latest work that still runs. If all of it was stopped before, the step before it is undone, too, once the work
   * has ended.
   * @param seen IDs of the current undo steps, newest first
   */
  undoLast(seen: readonly string[]): void {
    const last = this.#all.filter(({ stopping }) => !stopping).at(-1) ?? this.#all[0]
    last?.undo(seen)
  }

  /**
   * Runs work and returns how it ended.
   * @throws any error of work that wasn't stopped
   */
  async run<T>(title: string, work: (how: Required<Work>) => Promise<T>): Promise<Ended<T>> {
    const running = new UndoableWork(title)
    const { signal } = running
    const under = this.edits?.begin(running)
    this.#all = [...this.#all, running]
    this.#passed = false
    const onprogress = (done: number, of: number): void => {
      Object.assign(running, { done, of })
      under?.onprogress(done, of)
    }
    const ended = (): Ended<T> => ({ stopped: signal.aborted, more: running.more, seen: running.seen })
    try {
      const value = await work({ signal, onprogress })
      return { ...ended(), value }
    } catch (error) {
      if (!signal.aborted) throw error
      return ended()
    } finally {
      running.end()
      under?.end()
      this.#all = this.#all.filter((one) => one !== running)
    }
  }
}

const works = new WeakMap<object, LongWork>()

/**
 * The work of an account, found by its replica, so that it can be shown and stopped after its view was closed and
 * reopened.
 */
export function workOf(replica: object, edits: Pick<EditsUnderWay, 'begin'>): LongWork {
  let work = works.get(replica)
  if (!work) works.set(replica, (work = new LongWork(edits)))
  return work
}
