import type { Environment } from '../../../src-renderer/replica/environment'

/** A small seeded generator (mulberry32): the same seed gives the same run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Timer {
  at: number
  work: () => void
}

/** A clock that advances only on request. */
export class VirtualClock {
  time = Date.UTC(2026, 2, 2, 8)
  /** Milliseconds that pass with every clock read, as on a busy machine. */
  step = 0
  private readonly timers = new Set<Timer>()

  /** The environment of one device. If `alive` is false, its timers never fire. `skew` is how far its wall clock is ahead. */
  environment(random: () => number, alive: () => boolean, skew: () => number = () => 0): Environment {
    return {
      now: () => (this.time += this.step) + skew(),
      elapsed: () => (this.time += this.step),
      random,
      setTimer: (work, ms) => {
        const timer: Timer = { at: this.time + Math.max(0, ms), work: () => alive() && work() }
        this.timers.add(timer)
        return timer
      },
      clearTimer: (timer) => {
        this.timers.delete(timer as Timer)
      },
    }
  }

  /** Runs everything that only waits for its turn. */
  async settle(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve))
  }

  /** Advances by `ms`, timer by timer. */
  async pass(ms: number): Promise<void> {
    const until = this.time + ms
    await this.settle()
    for (;;) {
      // Of several at the same time, the first one set.
      let next: Timer | undefined
      for (const timer of this.timers) if (!next || timer.at < next.at) next = timer
      if (!next || next.at > until) break
      this.timers.delete(next)
      this.time = Math.max(this.time, next.at)
      next.work()
      await this.settle()
    }
    this.time = until
  }
}
