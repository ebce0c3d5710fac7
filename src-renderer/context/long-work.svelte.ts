import type { EditsUnderWay } from './edits-under-way'
import type { Work } from '../replica/api'

/** Delay before progress is shown, in milliseconds. */
const patience = 300

/** The progress of work on many records. */
class Running {
  /** Number of finished records. `of` is 0 while the total is unknown. */
  done = $state(0)
  of = $state(0)
  late = $state(false)
  stopping = $state(false)
  readonly control = new AbortController()

  constructor(readonly title: string) {}

  stop(): void {
    this.stopping = true
    this.late = true
    this.control.abort(new DOMException(`${this.title} stopped`, 'AbortError'))
  }
}

/** Long-running work of one account, shown after a delay and cancelable. */
export class LongWork {
  #all = $state.raw<readonly Running[]>([])
  /** True if other work was requested since. */
  #passed = false

  /** @param edits where quitting looks for running edits */
  constructor(private readonly edits?: Pick<EditsUnderWay, 'begin'>) {}

  /** The progress shown: that of the oldest work, once it's late. */
  get shown(): Running | null {
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
  /** Stops the latest work. */
  stopLast(): void {
    this.#all.at(-1)?.stop()
  }

  /**
   * Runs work and returns its result, or undefined if it was stopped in time and left nothing behind.
   * @throws any error of the work
   */
  async run<T>(title: string, work: (how: Required<Work>) => Promise<T>): Promise<T | undefined> {
    const running = new Running(title)
    const { signal } = running.control
    const under = this.edits?.begin(title, () => running.stop())
    const timer = setTimeout(() => (running.late = true), patience)
    this.#all = [...this.#all, running]
    this.#passed = false
    const onprogress = (done: number, of: number): void => {
      running.done = done
      running.of = of
      under?.tell(done, of)
    }
    try {
      return await work({ signal, onprogress })
    } catch (error) {
      if (!signal.aborted) throw error
      return undefined
    } finally {
      clearTimeout(timer)
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
