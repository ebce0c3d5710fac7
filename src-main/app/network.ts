import { FaultError } from '#shared/fault'
import { Cut, fetchUntil, piecesUntil } from '../http/cut'
import type { Fetch } from '../http/send'

/** Offline mode. While it's on, nothing leaves this computer. */
export class NetworkSwitch {
  #offline: boolean
  readonly #inFlight = new Set<Cut>()

  constructor(offline = false) {
    this.#offline = offline
  }

  get offline(): boolean {
    return this.#offline
  }

  /**
   * Going offline aborts running requests, including partial responses, and notifies callers at once. Their outcomes are
   * unknown (`answerLost`) and are looked up later.
   */
  set(offline: boolean): void {
    this.#offline = offline
    if (!offline) return
    const message = 'Flightplan went offline before the response was complete.'
    for (const cut of [...this.#inFlight]) cut.now(new FaultError({ code: 'answerLost', message }))
  }

  guard(fetch: Fetch): Fetch {
    return async (url, init) => {
      if (this.#offline) throw new FaultError({ code: 'offline', message: 'Offline mode is on.' })
      const cut = new Cut()
      cut.follow(init.signal)
      this.#inFlight.add(cut)
      const over = (): void => {
        this.#inFlight.delete(cut)
        cut.end()
      }
      try {
        const response = await fetchUntil(cut, fetch(url, { ...init, signal: cut.signal }))
        if (!response.body) {
          over()
          return response
        }
        return new Response(streamOf(piecesUntil(cut, response.body), over), response)
      } catch (error) {
        over()
        throw error
      }
    }
  }
}

/** Converts chunks to a response body. Calls `over` once, when it's complete or canceled. */
function streamOf(pieces: AsyncGenerator<Uint8Array>, over: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (!done) return controller.enqueue(value)
          over()
          controller.close()
        } catch (error) {
          over()
          controller.error(error)
        }
      },
      cancel() {
        over()
        // A read that's in progress may never end.
        void pieces.return(undefined).catch(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
