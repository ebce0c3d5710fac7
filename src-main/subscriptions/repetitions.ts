import type { JsonObject } from '#shared/json'
import { rulePart, timesPerDay } from '#shared/time/recurrence-lines'
import { dateOfWall } from '#shared/time/zones'

/**
 * The number of occurrences that the recurring events of a calendar have on a usual day, at most. Series that have ended don’t
 * count. Expands nothing, because a small file can have millions.
 */
export function repetitionsADay(events: readonly JsonObject[], now: number): number {
  const today = dateOfWall(now).replace(/-/g, '')
  const lines = events.flatMap(({ recurrence }) => (Array.isArray(recurrence) ? recurrence : []))
  const rules = lines.flatMap((line) => (typeof line === 'string' && /^RRULE:/i.test(line) ? [line.toUpperCase()] : []))
  return rules.map((line) => ofRule(line.slice('RRULE:'.length), today)).reduce((sum, each) => sum + each, 0)
}

function ofRule(rule: string, today: string): number {
  const until = rulePart(rule, 'UNTIL')
  if (until !== undefined && until.slice(0, 8) < today) return 0
  const interval = Number(rulePart(rule, 'INTERVAL') ?? 1)
  const listed = (name: string): number => rulePart(rule, name)?.split(',').length ?? 0
  /** The share of days that a rule can fall on. A weekday comes up to five times a month. */
  const shares: Readonly<Record<string, number>> = {
    DAILY: 1 / interval,
    WEEKLY: (listed('BYDAY') || 1) / 7 / interval,
    MONTHLY: (listed('BYDAY') * 5 + listed('BYMONTHDAY') || 1) / 28 / interval,
    YEARLY: listed('BYDAY') > 0 ? 1 : (listed('BYMONTHDAY') || 1) / 28,
  }
  return timesPerDay(rule) * Math.min(1, shares[rulePart(rule, 'FREQ') ?? ''] ?? 1)
}
