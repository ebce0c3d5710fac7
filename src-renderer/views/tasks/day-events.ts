import { wallOfInstant } from '#shared/time/zones'
import type { CalendarItem } from '../../replica/api'
import { dayMs, dayOf } from '../../ui/dates'

/** An event next to the tasks of its day. */
export interface DayEvent {
  key: string
  title: string
  /** Wall time, or null for an event without a time on this day. */
  start: number | null
}

/** Events by the days (wall midnights) that they touch, those without a time first. */
export function eventsByDay(
  items: readonly CalendarItem[],
  first: number,
  last: number,
  zone: string,
): Map<number, DayEvent[]> {
  const found = new Map<number, DayEvent[]>()
  for (const item of items) {
    const start = item.allDay ? item.start : wallOfInstant(item.start, zone)
    const end = Math.max(item.allDay ? item.end : wallOfInstant(item.end, zone), start + 1)
    for (let day = Math.max(dayOf(start), first); day <= last && day < end; day += dayMs) {
      const event = { key: item.itemKey, title: item.title, start: item.allDay || start < day ? null : start }
      const own = found.get(day)
      if (own) own.push(event)
      else found.set(day, [event])
    }
  }
  for (const events of found.values()) events.sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || byTitle(a, b))
  return found
}

const byTitle = (a: DayEvent, b: DayEvent): number => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0)
