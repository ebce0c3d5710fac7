import type { Answer, Bridge, RequestName } from '#shared/ipc/contract'
import type { Environment } from '../replica/environment'

/**
 * Timeouts of requests to a service, in milliseconds: longer than main's own, including limits and waits for quota. A silent
 * request will never answer.
 */
const silenceLimits: Partial<Record<RequestName, number>> = {
  'sync/pull': 45 * 60_000,
  'sync/push': 15 * 60_000,
  'sync/read': 15 * 60_000,
}

/** The bridge, but a request to a service that is never answered ends as an answer that was lost. */
export function watched(bridge: Bridge, environment: Pick<Environment, 'setTimer' | 'clearTimer'>): Bridge {
  const ask = async (name: RequestName, args: never): Promise<Answer<unknown>> => {
    const asked = bridge.ask(name, args)
    const limit = silenceLimits[name]
    if (limit === undefined) return asked
    let timer: unknown
    const silence = new Promise<Answer<never>>((resolve) => {
      const message = 'The service stopped responding.'
      timer = environment.setTimer(() => resolve({ ok: false, fault: { code: 'answerLost', message } }), limit)
    })
    return Promise.race([asked, silence]).finally(() => environment.clearTimer(timer))
  }
  return { ask: ask as Bridge['ask'], on: (name, listener) => bridge.on(name, listener) }
}
