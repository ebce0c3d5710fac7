import type { EditsUnderWay } from '../../context/edits-under-way'
import type { Work } from '../../replica/api'

/** So long work may take before anything of it is shown, in milliseconds. */
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
  /** Something else was asked for since. */
  #passed = false

  /** `edits`: where quitting looks for what is under way. */
  constructor(private readonly edits?: Pick<EditsUnderWay, 'begin'>) {}

  /** What is shown: the first of all that was asked for. */
  readonly shown = $derived.by(() => (this.#all[0]?.late ? this.#all[0] : null))
  get busy(): boolean {
    return this.#all.length > 0
  }

  /** What is shown, or would be. */
  stop(): void {
    this.#all[0]?.stop()
  }
  /** Whether it is what was asked for last. */
  get isLast(): boolean {
    return this.busy && !this.#passed
  }
  /** Something else is asked for. */
  pass(): void {
    this.#passed = true
  }
  /** What was asked for last. */
  stopLast(): void {
    this.#all.at(-1)?.stop()
  }

  /** What the work answers; undefined where it was stopped in time, and then it has left nothing behind. @throws what the work does */
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

/** That of an account, by its replica: it is still shown, and can be stopped, when its view was left and is come back to. */
export function workOf(replica: object, edits: Pick<EditsUnderWay, 'begin'>): LongWork {
  let work = works.get(replica)
  if (!work) works.set(replica, (work = new LongWork(edits)))
  return work
}
