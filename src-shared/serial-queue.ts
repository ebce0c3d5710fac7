/** Runs pieces of work one after another. A failure rejects only its caller's promise, and the next piece starts. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves when everything added so far has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}
