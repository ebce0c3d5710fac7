import type { JsonObject } from '#shared/json'
import { instantOf, isAllDay, type EventTime } from '#shared/time/event-time'
import { wallOfInstant } from '#shared/time/zones'
import type { Place } from '#shared/links/place'
import type { Replica } from '../replica/api'
import { dayMs, dayOf } from '../ui/dates'
import { wallsOf } from './item-times'

/** Days in which the first occurrence of a series is looked for, if it has none on its start. */
const reach = 400

/**
 * Where an event is shown. A series shows its occurrence on a day.
 * @param key of the event, the series, or the occurrence
 * @param day wall midnight, by default that of the event’s start
 */
export function eventPlace(
  replica: Pick<Replica, 'items'>,
  key: string,
  event: JsonObject | null | undefined,
  zone: string,
  day = startDay(event, zone),
): Place {
  if (day === undefined) return { view: 'calendar', params: {} }
  const between = (last: number) =>
    replica
      .items(day - dayMs, last, { zone })
      .filter(({ itemKey, rowKey }) => itemKey === key || rowKey === key)
      .map((item) => ({ item: item.itemKey, day: dayOf(wallsOf(item, zone).start) }))
  const near = between(day + 2 * dayMs)
  const found = near.find((one) => one.day === day) ?? near[0] ?? between(day + reach * dayMs)[0]
  return { view: 'calendar', params: found ?? { day, item: key } }
}

function startDay(event: JsonObject | null | undefined, zone: string): number | undefined {
  try {
    const start = event?.['start'] as EventTime | undefined
    if (!start) return undefined
    const instant = instantOf(start, zone)
    return dayOf(isAllDay(start) ? instant : wallOfInstant(instant, zone))
  } catch {
    return undefined
  }
}
