import type { Fetch } from '../../src-main/http/send'

/** A network that holds chosen answers until they're released, so that what happens meanwhile doesn't depend on time. */
export class HeldAnswers {
  #held: RegExp | undefined
  #passing = 0
  readonly #waiting = new Set<() => void>()

  readonly fetch: Fetch = async (url, init) => {
    const held = this.#held
    const isHeld = held?.test(url) === true && this.#passing-- <= 0
    const answer = await fetch(url, init)
    // Unless they were released before it came.
    if (isHeld && this.#held === held) await this.#released(init.signal)
    init.signal?.throwIfAborted()
    return answer
  }

  /** Number of answers that are held now. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Holds answers to requests whose address matches, after the first `passing` of them. */
  hold(held: RegExp, passing = 0): void {
    this.#held = held
    this.#passing = passing
  }

  release(): void {
    this.#held = undefined
    for (const release of this.#waiting) release()
  }

  #released(signal: AbortSignal | null | undefined): Promise<void> {
    return new Promise((done) => {
      const go = (): void => {
        this.#waiting.delete(go)
        done()
      }
      this.#waiting.add(go)
      if (signal?.aborted) go()
      else signal?.addEventListener('abort', go)
    })
  }
}
