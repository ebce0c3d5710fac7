import { FaultError } from '#shared/fault'
import type { Fetch } from '../http/send'

/** The offline switch: while it is on, nothing leaves this computer. */
export class NetworkSwitch {
  #offline = false
  readonly #inFlight = new Set<AbortController>()

  get offline(): boolean {
    return this.#offline
  }

  /** Turning it on cuts what is under way: those outcomes are unknown and are looked for later. */
  set(offline: boolean): void {
    this.#offline = offline
    if (offline) for (const controller of this.#inFlight) controller.abort()
  }

  guard(fetch: Fetch): Fetch {
    return async (url, init) => {
      if (this.#offline) throw new FaultError({ code: 'offline', message: 'Working offline.' })
      const controller = new AbortController()
      const abort = (): void => controller.abort(init.signal?.reason)
      init.signal?.addEventListener('abort', abort, { once: true })
      this.#inFlight.add(controller)
      try {
        return await fetch(url, { ...init, signal: controller.signal })
      } finally {
        this.#inFlight.delete(controller)
        init.signal?.removeEventListener('abort', abort)
      }
    }
  }
}
