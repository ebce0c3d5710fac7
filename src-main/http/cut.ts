/**
 * Local reasons to end a request: a timeout, a caller who cancels, offline mode. The fetch is aborted but not awaited:
 * Electron's fetch loses its signal in a garbage collection and then hangs as long as the connection does.
 */
export class Cut {
  /** Shared, because a DOMException captures a stack, and every request ends. */
  static readonly #ended = new DOMException('The request has ended.', 'AbortError')
  readonly #controller = new AbortController()
  readonly #happened: Promise<never>
  #follows: AbortSignal[] = []
  readonly #follow = (event: Event): void => this.now((event.target as AbortSignal).reason)

  constructor() {
    const { signal } = this.#controller
    this.#happened = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    // Between two steps of a request, nobody awaits it, and an unhandled rejection would end the process.
    this.#happened.catch(() => undefined)
  }

  /** For the fetch, as a request. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Rejects waiting callers with `reason` at once. Only the first reason counts. */
  now(reason: unknown): void {
    this.#controller.abort(reason)
  }

  /** Cuts when a signal is aborted, until `end`. */
  follow(signal: AbortSignal | null | undefined): void {
    if (!signal) return
    if (signal.aborted) return this.now(signal.reason)
    signal.addEventListener('abort', this.#follow, { once: true })
    this.#follows.push(signal)
  }

  /** Ends the exchange: releases long-lived signals, and closes a body that wasn't read to its end. */
  end(): void {
    for (const signal of this.#follows) signal.removeEventListener('abort', this.#follow)
    this.#follows = []
    this.now(Cut.#ended)
  }

  /** Awaits work until the cut. Drops later results and errors of the work. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#happened])
  }
}

/** A fetch that ends with the cut, however long the connection hangs. Closes a late response. */
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

/** Yields the chunks of a body until the cut. */
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
    // Not awaited: a hanging connection may never report its end.
    void reader.cancel().catch(() => undefined)
  }
}
