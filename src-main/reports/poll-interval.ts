import { FaultError } from '#shared/fault'

/** Polling interval in milliseconds, with backoff. `looks`: number of polls so far. */
export function pollInterval(service: 'trafficking' | 'search', looks: number, random: () => number): number {
  const first = service === 'trafficking' ? [1, 2, 5] : [2, 5, 15, 30]
  const [factor, most] = service === 'trafficking' ? [1.5, 300] : [2, 60]
  const seconds = first[looks] ?? Math.min(first.at(-1)! * factor ** (looks - first.length + 1), most)
  // Jitter, so that runs started together don't poll together.
  return Math.round(seconds * 1_000 * (looks < first.length ? 1 : 0.9 + 0.2 * random()))
}

/** Retry delay in milliseconds after consecutive failures, or longer if the service says so. */
export const nextTry = (failures: number, retryAfter: number | undefined, random: () => number): number =>
  Math.max(retryAfter ?? 0, Math.min(300_000, 1_000 * 2 ** (failures - 1)) * (0.8 + 0.4 * random()))

/** Maximum duration of a run in milliseconds, after which it needs attention. */
export const maxRunTime = 12 * 3_600_000

/**
 * Resolves after `ms` milliseconds, or when woken. @throws FaultError `aborted`
 * @param wakes set of wake functions, to which this adds its own
 */
export function waitFor(ms: number, signal: AbortSignal, wakes: Set<() => void> = new Set()): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => (): void => {
      clearTimeout(timer)
      wakes.delete(over)
      signal.removeEventListener('abort', aborted)
      then()
    }
    const over = settle(resolve)
    const aborted = settle(() => reject(new FaultError({ code: 'aborted', message: 'Canceled.' })))
    const timer = setTimeout(over, ms)
    wakes.add(over)
    if (signal.aborted) aborted()
    else signal.addEventListener('abort', aborted, { once: true })
  })
}
