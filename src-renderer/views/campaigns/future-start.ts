import type { Collection } from '#shared/facts/collection'
import type { Json, JsonObject } from '#shared/json'

const hour = 3_600_000
/** Time for reviewing drafts before they're posted, in milliseconds. */
const lead = 900_000

const instant = (value: Json | undefined): number => (typeof value === 'string' ? Date.parse(value) : NaN)

/** Name of the start field if its value must be in the future but has passed. Otherwise undefined. */
export function startPassed({ flight }: Collection, value: JsonObject, now: number): string | undefined {
  return flight?.startsAhead && instant(value[flight.start]) <= now ? flight.start : undefined
}

/** The next full hour that leaves time to post the record. */
export const nextStart = (now: number): number => Math.ceil((now + lead) / hour) * hour

/**
 * Moves a passed start to the next full hour that leaves time to post the record. Keeps an end after that. Otherwise
 * keeps the duration, at least one hour. Empty if the start hasn't passed.
 */
export function movedAhead(facts: Collection, value: JsonObject, now: number): JsonObject {
  const { flight } = facts
  if (!flight || startPassed(facts, value, now) === undefined) return {}
  const start = nextStart(now)
  const [from, to] = [instant(value[flight.start]), instant(value[flight.end])]
  const moment = (at: number): string => new Date(at).toISOString()
  return {
    [flight.start]: moment(start),
    ...(to <= start && { [flight.end]: moment(start + Math.max(to - from, hour)) }),
  }
}
