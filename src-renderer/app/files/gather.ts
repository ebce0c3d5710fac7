import type { Replica } from '../../replica/api'
import { wholeKeys } from '../../context/event-records'

/** Keys of events in a range. Includes whole series, with changed and canceled occurrences. */
export function keysBetween(
  replica: Replica,
  calendars: ReadonlySet<string>,
  from: number,
  to: number,
  zone: string,
): string[] {
  const keys = new Set<string>()
  for (const item of replica.items(from, to, { calendars, zone }))
    for (const key of wholeKeys(replica, item)) keys.add(key)
  return [...keys]
}
