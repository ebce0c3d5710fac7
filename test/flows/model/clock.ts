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

/** A clock that advances only on request. */
export class VirtualClock {
  time = Date.UTC(2026, 2, 2, 8)
  /** Milliseconds that pass with every clock read, as on a busy machine. */
  step = 0
  private timers: { at: number; order: number; work: () => void }[] = []
  private order = 0

  /** The environment of one device. If `alive` is false, its timers never fire. `skew` is how far its wall clock is ahead. */
  environment(random: () => number, alive: () => boolean, skew: () => number = () => 0): Environment {
    return {
      now: () => (this.time += this.step) + skew(),
      elapsed: () => (this.time += this.step),
      random,
      setTimer: (work, ms) => {
        const timer = { at: this.time + Math.max(0, ms), order: this.order++, work: () => alive() && work() }
        this.timers.push(timer)
        return timer
      },
      clearTimer: (timer) => {
        this.timers = this.timers.filter((other) => other !== timer)
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
      const next = this.timers.reduce<(typeof this.timers)[number] | undefined>(
        (best, timer) =>
          !best || timer.at < best.at || (timer.at === best.at && timer.order < best.order) ? timer : best,
        undefined,
      )
      if (!next || next.at > until) break
      this.timers = this.timers.filter((timer) => timer !== next)
      this.time = Math.max(this.time, next.at)
      next.work()
      await this.settle()
    }
    this.time = until
  }
}
