import { offsetClock, type Clock } from '#shared/time/clock'

/** The clock of this window: main's, which preload says before the first line of ours runs. */
export const clock: Clock = offsetClock(globalThis.window?.flightplan?.clockOffset ?? 0)
