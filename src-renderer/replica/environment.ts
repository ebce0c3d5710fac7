import { clock } from '../clock'

/** The outside world as the loop sees it; simulations hand in their own. */
export interface Environment {
  /** The wall clock, epoch milliseconds: for stamps, never for waiting. */
  now(): number
  /** Milliseconds since some moment; only ever grows. For waiting. */
  elapsed(): number
  /** In [0, 1). */
  random(): number
  setTimer(work: () => void, ms: number): unknown
  clearTimer(timer: unknown): void
}

export const systemEnvironment: Environment = {
  now: () => clock.now(),
  elapsed: () => clock.elapsed(),
  random: () => Math.random(),
  setTimer: (work, ms) => setTimeout(work, ms),
  clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}

/** Truncated exponential back-off with jitter: min(2^n s + up to 1 s, 64 s), in milliseconds (wire behaviour, section 1). */
export function backOff(attempts: number, random: () => number): number {
  return Math.min(2 ** Math.min(attempts, 10) * 1_000 + random() * 1_000, 64_000)
}
