/** Delay before progress is shown, in milliseconds. */
const patience = 300

/** Work on many records, which shows its progress once it takes a while, and can be stopped. */
export class RunningWork {
  /** Number of finished records. `of` is 0 while the total is unknown. */
  done = $state(0)
  of = $state(0)
  late = $state(false)
  stopping = $state(false)
  readonly #control = new AbortController()
  readonly #timer = setTimeout(() => (this.late = true), patience)

  constructor(readonly title: string) {}

  get signal(): AbortSignal {
    return this.#control.signal
  }

  stop(): void {
    this.stopping = true
    this.late = true
    this.#control.abort(new DOMException(`${this.title} stopped`, 'AbortError'))
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
