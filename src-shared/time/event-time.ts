import { dateOfWall, instantOfWall, rfc3339, wallOfInstant, wallOfText } from './zones'

/** Start or end of an event as the calendar service writes it: a date, or a date-time with offset, zone or both. */
export interface EventTime {
  date?: string
  dateTime?: string
  timeZone?: string
}

export const isAllDay = (time: EventTime): boolean => time.date !== undefined && time.date !== null

const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/i

/**
 * The instant of an event time in epoch milliseconds. An all-day date is the UTC midnight that carries its name: it is
 * never moved by a zone. @throws RangeError for text that is no time, or a local time without any zone.
 */
export function instantOf(time: EventTime, fallbackZone?: string): number {
  if (time.date) return wallOfText(time.date)
  const text = time.dateTime
  if (!text) throw new RangeError('An event time needs a date or a dateTime')
  if (hasOffset.test(text)) {
    const instant = Date.parse(text)
    if (Number.isNaN(instant)) throw new RangeError(`Not a time: ${text}`)
    return instant
  }
  const zone = time.timeZone ?? fallbackZone
  if (!zone) throw new RangeError(`A time without offset needs a zone: ${text}`)
  return instantOfWall(wallOfText(text), zone)
}

/** The wall-clock reading in the event's own zone (or `fallbackZone`), as if it were UTC, in epoch milliseconds. */
export function wallOf(time: EventTime, fallbackZone = 'UTC'): number {
  if (time.date) return wallOfText(time.date)
  return wallOfInstant(instantOf(time, fallbackZone), time.timeZone ?? fallbackZone)
}

/** An event time of the same kind (all-day or zoned) as `like` at another wall-clock reading. */
export function timeAtWall(wall: number, like: EventTime, fallbackZone = 'UTC'): EventTime {
  if (isAllDay(like)) return { date: dateOfWall(wall) }
  const zone = like.timeZone ?? fallbackZone
  return { dateTime: rfc3339(instantOfWall(wall, zone), zone), timeZone: zone }
}

/** An event time at an instant, shown in `zone`. */
export function timeAtInstant(instant: number, zone: string): EventTime {
  return { dateTime: rfc3339(instant, zone), timeZone: zone }
}

export const dateText = (wall: number): string => dateOfWall(wall)
