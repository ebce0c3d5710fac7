// The clock. Everything that asks for the time is handed one of these; a lint rule keeps other sources of time out.
declare const performance: { now(): number }

export interface Clock {
  /** The wall clock, epoch milliseconds. People and networks set it back and forth: for stamps and days, never for waiting. */
  now(): number
  /** Monotonic milliseconds, for waiting and measuring. May pause while the computer sleeps. */
  elapsed(): number
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }

/** A clock whose wall time is `offset` milliseconds ahead of the system's. */
export const offsetClock = (offset: number): Clock => ({ ...systemClock, now: () => systemClock.now() + offset })

/** Offset to the system's clock of a clock that now shows `moment` (epoch milliseconds). */
export const offsetTo = (moment: number): number => moment - systemClock.now()

const isoMoment = /^\d{4}-\d\d-(\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]\d\d:[0-5]\d)$/

/** Epoch milliseconds of a date and time with its offset from UTC. @throws RangeError with a sentence for people */
export function readMoment(text: string): number {
  const moment = Date.parse(text)
  const [, day] = isoMoment.exec(text) ?? []
  // 30 February is read as 2 March.
  const exists = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day)
  if (!exists || Number.isNaN(moment))
    throw new RangeError(`Not a date and time with a UTC offset, such as 2026-06-10T08:00:00+02:00: ${text}`)
  return moment
}
