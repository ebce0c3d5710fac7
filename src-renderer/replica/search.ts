import { byNearness, search } from '#shared/domain/search'
import type { CalendarItem } from './api'
import type { Memory } from './memory'

/** Searches events by title, place, and description, best first. Returns a series' occurrence nearest to now. */
export function searchEvents({ window, series }: Memory, query: string, limit: number, now: number): CalendarItem[] {
  // Expands a series for its occurrence only when it's compared.
  const itemOf = (key: string): CalendarItem | null => window.get(key)?.item ?? series.nearest(key, now) ?? null
  const keys = search<string>(
    query,
    (visit) => {
      window.texts(visit)
      series.texts(visit)
    },
    2 * limit,
    (a, b) => byNearness(itemOf(a), itemOf(b), now),
    () => new Set([...window.titleWords(), ...series.titleWords()]),
  )
  const seen = new Set<string>()
  return keys
    .flatMap((key) => itemOf(key) ?? [])
    .filter(({ calendarId, masterId, title, itemKey }) => {
      // A moved occurrence and its series are one result.
      const name = masterId === undefined ? itemKey : `${calendarId} ${masterId} ${title}`
      return !seen.has(name) && seen.add(name)
    })
    .slice(0, limit)
}
