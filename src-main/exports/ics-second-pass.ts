import type { JsonObject } from '#shared/json'
import { seriesOf } from '#shared/domain/instances'
import { instantOf, timeAtInstant, type EventTime } from '#shared/time/event-time'
import { instantOfWall, wallOfInstant } from '#shared/time/zones'

/**
 * Rewrites series that start in the second pass of a repeated hour. A file's wall-clock time means the first pass, so such a
 * series starts there, with its first occurrence moved.
 */
export function withSecondPasses(events: readonly JsonObject[], fallback: string): JsonObject[] {
  const late = new Map<string, Late>()
  for (const event of events) {
    const found = event['status'] === 'cancelled' ? null : secondPass(event, fallback)
    if (found) late.set(String(event['id']), found)
  }
  if (late.size === 0) return [...events]
  const seen = new Set<string>()
  const shifted = events.map((event) => {
    const master = String(event['recurringEventId'])
    const found = late.get(master)
    const original = event['originalStartTime'] as EventTime | undefined
    if (!found || !original?.dateTime || instantOf(original, found.zone) !== found.at) return event
    seen.add(master)
    return { ...event, originalStartTime: earlier(original, found) }
  })
  return shifted.flatMap((event) => {
    const id = String(event['id'])
    const found = late.get(id)
    if (!found || event['recurringEventId']) return [event]
    const { recurrence: _rule, ...first } = event
    const start = earlier(event['start'] as EventTime, found)
    const master = { ...event, start, end: earlier(event['end'] as EventTime, found) }
    const moved = { ...first, id: `${id}_first`, recurringEventId: id, originalStartTime: start }
    return seen.has(id) ? [master] : [master, moved]
  })
}

interface Late {
  /** Start of the series. `by`: milliseconds after the first pass. */
  at: number
  by: number
  zone: string
}

/** Delay of a series' start after the first pass of its wall-clock time. Null if there is none. */
function secondPass(event: JsonObject, fallback: string): Late | null {
  const series = seriesOf(event)
  if (!series?.start.dateTime) return null
  const zone = series.start.timeZone ?? fallback
  const at = instantOf(series.start, zone)
  const by = at - instantOfWall(wallOfInstant(at, zone), zone)
  return by === 0 ? null : { at, by, zone }
}

const earlier = (time: EventTime, { by, zone }: Late): JsonObject => ({
  ...timeAtInstant(instantOf(time, zone) - by, time.timeZone ?? zone),
})
