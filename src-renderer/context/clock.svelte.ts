import { createSubscriber } from 'svelte/reactivity'
import { wallOfInstant } from '#shared/time/zones'
import { clock } from '../clock'
import { dayOf } from '../ui/dates'

/** The present, ticking on the minute. */
export class Clock {
  /** Epoch milliseconds of the last tick. */
  now = $state(clock.now())
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #everySecond = createSubscriber((update) => {
    const timer = setInterval(update, 1000)
    return () => clearInterval(timer)
  })

  start(): () => void {
    const tick = (): void => {
      // An effect starts it. Reading state that is written here would rerun the effect forever.
      const now = clock.now()
      this.now = now
      this.#timer = setTimeout(tick, 60_000 - (now % 60_000) + 20)
    }
    tick()
    // Timers sleep with the computer.
    const wake = (): void => {
      clearTimeout(this.#timer)
      tick()
    }
    window.addEventListener('focus', wake)
    return () => {
      clearTimeout(this.#timer)
      window.removeEventListener('focus', wake)
    }
  }

  /** The present for a countdown to a moment, if there is one: it ticks on the second, and all countdowns agree. */
  toward(moment: number | undefined): number {
    if (moment === undefined) return this.now
    this.#everySecond()
    return Math.max(clock.now(), this.now)
  }

  /** The wall midnight of today in a zone. */
  today(zone: string): number {
    return dayOf(wallOfInstant(this.now, zone))
  }
}
