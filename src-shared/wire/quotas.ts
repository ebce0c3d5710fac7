import { dateOfWall, nextMidnight, wallOfInstant } from '../time/zones'
import type { HttpMethod } from './table'
import type { ServiceName } from './services'

/** A service's limits per user. An absent limit is unknown. */
export interface Quota {
  /** Calls in any second, and units in any minute. */
  perSecond?: number
  perMinute?: number
  /** Calls a day, which begins at midnight in `dayZone`; in UTC where that is absent. */
  perDay?: number
  dayZone?: string
  /** Units of a PATCH, where every other call costs one. */
  patchUnits?: number
}

const pacific = 'America/Los_Angeles'

/**
 * Calendar: 600 units a minute and user, three a patch (calendar interface, section 4). Trafficking: one call a second
 * and 50,000 a day, which ends at midnight Pacific time. Tasks: 50,000 a day by courtesy. Search and the listing publish none.
 */
export const quotas: Readonly<Partial<Record<ServiceName, Quota>>> = {
  calendar: { perMinute: 600, patchUnits: 3 },
  tasks: { perDay: 50_000, dayZone: pacific },
  trafficking: { perSecond: 1, perDay: 50_000, dayZone: pacific },
}

export const unitsOf = (service: ServiceName, method: HttpMethod): number =>
  method === 'PATCH' ? (quotas[service]?.patchUnits ?? 1) : 1

const zoneOf = ({ dayZone = 'utc' }: Quota): string => dayZone

/** The service's own day, `YYYY-MM-DD`. */
export const dayOf = (quota: Quota, now: number): string => dateOfWall(wallOfInstant(now, zoneOf(quota)))

/** Time when a service's daily quota renews, in epoch milliseconds. */
export const dayRenews = (quota: Quota, now: number): number => nextMidnight(now, zoneOf(quota))

/** Milliseconds until a used-up daily quota renews, plus a minute, because clocks differ. */
export const untilDayRenews = (service: ServiceName, now: number): number =>
  dayRenews(quotas[service] ?? {}, now) - now + 60_000
