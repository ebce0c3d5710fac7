import type { Collection } from '#shared/facts/collection'
import type { Json, JsonObject } from '#shared/json'

const hour = 3_600_000
/** Drafts are looked over before they are posted. Milliseconds. */
const lead = 900_000

const instant = (value: Json | undefined): number => (typeof value === 'string' ? Date.parse(value) : NaN)

/** The field of a record that is to lie ahead and does not; undefined where nothing has to, or it does. */
export function startPassed({ flight }: Collection, value: JsonObject, now: number): string | undefined {
  return flight?.startsAhead && instant(value[flight.start]) <= now ? flight.start : undefined
}

/**
 * What a new record says instead of a start that has passed: the next full hour, the earliest that leaves time to post
 * it. An end that lies after that stays; otherwise it runs as long as the original. Empty where nothing has passed.
 */
export function movedAhead(facts: Collection, value: JsonObject, now: number): JsonObject {
  const { flight } = facts
  if (!flight || startPassed(facts, value, now) === undefined) return {}
  const start = Math.ceil((now + lead) / hour) * hour
  const [from, to] = [instant(value[flight.start]), instant(value[flight.end])]
  const moment = (at: number): string => new Date(at).toISOString()
  return {
    [flight.start]: moment(start),
    ...(to <= start && { [flight.end]: moment(start + Math.max(to - from, hour)) }),
  }
}
