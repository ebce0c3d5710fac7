import { clock } from '../clock'

/** Clock, timers, and randomness of the sync loop. Simulations pass their own. */
export interface Environment {
  /** The wall clock, epoch milliseconds: for stamps, never for waiting. */
  now(): number
  /** Monotonic time in milliseconds, for waiting. */
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
  setTimer: (work, ms) => (ms > 0 ? setTimeout(work, ms) : soon(work)),
  clearTimer: (timer) => {
    if (timer instanceof Turn) timer.work = null
    else clearTimeout(timer as ReturnType<typeof setTimeout>)
  },
}

class Turn {
  constructor(public work: (() => void) | null) {}
}
const turns: Turn[] = []
let channel: MessageChannel | undefined

/** Schedules a task without delay. A chained timer of zero would wait for four milliseconds. */
function soon(work: () => void): Turn {
  const turn = new Turn(work)
  turns.push(turn)
  if (!channel) {
    channel = new MessageChannel()
    channel.port1.onmessage = () => turns.shift()?.work?.()
  }
  channel.port2.postMessage(null)
  return turn
}

/**
 * Truncated exponential back-off with jitter: min(2^n s + up to 1 s, 64 s), in milliseconds (wire behavior, section 1).
 */
export function backOff(attempts: number, random: () => number): number {
  return Math.min(2 ** Math.min(attempts, 10) * 1_000 + random() * 1_000, 64_000)
}
