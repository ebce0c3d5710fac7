/** Runs work in sequence. The next task starts when the previous one has taken effect, even if it isn't on disk yet. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Queues work. The next task starts when the work calls `held`, or settles. */
  take<T>(work: (held: () => void) => Promise<T>): Promise<T> {
    let held!: () => void
    const holds = new Promise<void>((resolve) => (held = resolve))
    const done = this.#last.then(() => work(held))
    done.then(held, held)
    this.#last = holds
    return done
  }
}
