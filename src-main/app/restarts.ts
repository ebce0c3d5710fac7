const firstDelayMs = 1_000
const maxRestarts = 5
const withinMs = 5 * 60_000

/** Limits restarts of something that ends unexpectedly, with growing delays. */
export class Restarts {
  #at: number[] = []

  /** Milliseconds to wait, twice as long each time; undefined after five within five minutes. `elapsed` only ever grows. */
  next(elapsed: number): number | undefined {
    this.#at = this.#at.filter((at) => at > elapsed - withinMs)
    if (this.#at.length >= maxRestarts) return undefined
    this.#at.push(elapsed)
    return firstDelayMs * 2 ** (this.#at.length - 1)
  }
}
