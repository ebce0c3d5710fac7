/** Work that is done one after the other: each begins when the one before holds, though it may not be safe on the disk yet. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** `held`, called by the work, lets the next begin; so does its end, however it ends. */
  take<T>(work: (held: () => void) => Promise<T>): Promise<T> {
    let held!: () => void
    const holds = new Promise<void>((resolve) => (held = resolve))
    const done = this.#last.then(() => work(held))
    done.then(held, held)
    this.#last = holds
    return done
  }
}
