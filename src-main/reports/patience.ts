import { FaultError } from '#shared/fault'

/** Milliseconds to the next look at a run: quick at first, then ever slower. `looks`: how often it was looked at. */
export function nextLook(service: 'trafficking' | 'search', looks: number, random: () => number): number {
  const first = service === 'trafficking' ? [1, 2, 5] : [2, 5, 15, 30]
  const [factor, most] = service === 'trafficking' ? [1.5, 300] : [2, 60]
  const seconds = first[looks] ?? Math.min(first.at(-1)! * factor ** (looks - first.length + 1), most)
  // Runs that were begun together need not ask together.
  return Math.round(seconds * 1_000 * (looks < first.length ? 1 : 0.9 + 0.2 * random()))
}

/** Milliseconds until a call is tried again that failed `failures` times in a row; longer where the service asked for it. */
export const nextTry = (failures: number, retryAfter: number | undefined, random: () => number): number =>
  Math.max(retryAfter ?? 0, Math.min(300_000, 1_000 * 2 ** (failures - 1)) * (0.8 + 0.4 * random()))

/** A run that the service has not finished by then needs a person. */
export const longestRun = 12 * 3_600_000

/**
 * Resolves after so many milliseconds, or once it is woken. @throws FaultError `aborted`
 * @param wakes what it puts itself into, to be woken by a call
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
