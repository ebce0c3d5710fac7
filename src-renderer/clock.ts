import { offsetClock, type Clock } from '#shared/time/clock'

/** The window's clock, set to main's. Preload provides the offset before any script runs. */
export const clock: Clock = offsetClock(globalThis.window?.flightplan?.clockOffset ?? 0)
