/**
 * Ends of an exchange that are ours: a limit that has passed, a caller who cancels, the offline switch. A fetch is asked
 * to stop, but nobody waits until it does: Electron's forgets the signal it was given once memory is cleaned up, and
 * then hangs for as long as the connection does.
 */
export class Cut {
  readonly #controller = new AbortController()
  readonly #happened: Promise<never>
  #follows: AbortSignal[] = []
  readonly #follow = (event: Event): void => this.now((event.target as AbortSignal).reason)

  constructor() {
    const { signal } = this.#controller
    this.#happened = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    // Between two steps of an exchange nobody listens.
    this.#happened.catch(() => undefined)
  }

  /** For the fetch, as a request. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whoever waits gets `reason` at once. Only the first counts. */
  now(reason: unknown): void {
    this.#controller.abort(reason)
  }

  /** Cuts when that signal is aborted, until `release`. */
  follow(signal: AbortSignal | null | undefined): void {
    if (!signal) return
    if (signal.aborted) return this.now(signal.reason)
    signal.addEventListener('abort', this.#follow, { once: true })
    this.#follows.push(signal)
  }

  /** The exchange is over: signals that live longer keep nothing of it. */
  release(): void {
    for (const signal of this.#follows) signal.removeEventListener('abort', this.#follow)
    this.#follows = []
  }

  /** The work, or the cut if that comes first. What the work comes to later is dropped, an error as well. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#happened])
  }
}

/** A fetch that ends with the cut, however long the connection hangs. A response that comes later is closed. */
export async function fetchUntil(cut: Cut, fetching: Promise<Response>): Promise<Response> {
  let inTime = true
  fetching.then(
    (late) => {
      if (!inTime) void late.body?.cancel().catch(() => undefined)
    },
    () => undefined,
  )
  try {
    return await cut.race(fetching)
  } catch (error) {
    inTime = false
    throw error
  }
}

/** The pieces of a body as they come, until the cut. */
export async function* piecesUntil(cut: Cut, body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await cut.race(reader.read())
      if (done) return
      yield value
    }
  } finally {
    // Not waited for: the end of a connection that hangs may never be told.
    void reader.cancel().catch(() => undefined)
  }
}
