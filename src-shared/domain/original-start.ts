import { isAllDay, wallOf, type EventTime } from '#shared/time/event-time'
import { occurrenceBySuffix, occurrences, type Occurrence, type Series } from '#shared/time/recurrence'
import { compactUtc, dateOfWall, instantOfWall } from '#shared/time/zones'

const dayMs = 86_400_000

/**
 * Finds the occurrence of a RECURRENCE-ID in any form: a day for a timed series, a time for an all-day one, UTC, or another
 * zone. Excluded occurrences count. Undefined if the series has none there.
 */
export function occurrenceMeant(series: Series, original: EventTime, zone: string): Occurrence | undefined {
  const whole: Series = { ...series, recurrence: series.recurrence.filter((line) => !/^EXDATE/i.test(line)) }
  const wall = wallOf(original, zone)
  if (isAllDay(series.start)) {
    const dates = [wall, isAllDay(original) ? wall : wallOf({ ...original, timeZone: zone })]
    return dates.map((date) => occurrenceBySuffix(whole, dateOfWall(date).replace(/-/g, ''))).find(Boolean)
  }
  const own = series.start.timeZone ?? 'UTC'
  if (!isAllDay(original)) {
    const exact = occurrenceBySuffix(whole, compactUtc(instantOfWall(wall, original.timeZone ?? zone)))
    if (exact) return exact
  }
  const day = Math.floor((isAllDay(original) ? wall : wallOf({ ...original, timeZone: own })) / dayMs) * dayMs
  const [from, to] = [instantOfWall(day, own), instantOfWall(day + dayMs, own)]
  const [only, more] = occurrences(whole, from, to, 3).filter(({ start }) => start >= from)
  return more ? undefined : only
}
