const firstDelayMs = 1_000
const maxRestarts = 5
const withinMs = 5 * 60_000

/** Limits restarts of something that ends unexpectedly, with growing delays. */
export class Restarts {
  #at: number[] = []

  /** Milliseconds to wait, doubling each time. Undefined after five within five minutes. @param elapsed monotonic milliseconds */
  next(elapsed: number): number | undefined {
    this.#at = this.#at.filter((at) => at > elapsed - withinMs)
    if (this.#at.length >= maxRestarts) return undefined
    this.#at.push(elapsed)
    return firstDelayMs * 2 ** (this.#at.length - 1)
  }
}
