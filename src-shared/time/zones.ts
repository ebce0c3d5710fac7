import { IANAZone } from 'luxon'

/** Minutes are enough for every zone of the database since 1972; days bound the search for a transition. */
const dayMs = 86_400_000

const zones = new Map<string, IANAZone | null>()

function zoneOf(name: string): IANAZone | null {
  let zone = zones.get(name)
  if (zone === undefined) {
    zone = IANAZone.isValidZone(name) ? IANAZone.create(name) : null
    zones.set(name, zone)
  }
  return zone
}

export function isZone(name: string): boolean {
  return zoneOf(name) !== null
}

const listed = new Map<string, string>()

/** The one name that `Intl` lists for a zone with several, such as `Asia/Calcutta` and `Asia/Kolkata`. */
export function listedName(zone: string): string {
  let name = listed.get(zone)
  if (name === undefined) {
    name = isZone(zone) ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone : zone
    listed.set(zone, name)
  }
  return name
}

/** True if two names mean the same time zone. */
export const sameZone = (a: string, b: string): boolean => a === b || listedName(a) === listedName(b)

/** UTC offsets in minutes, by zone and day number. NaN if it changes within the day. */
const days = new Map<string, Map<number, number>>()
const maxDays = 20_000

/** The zone's offset from UTC in milliseconds at an instant. @throws RangeError for an unknown zone. */
export function offsetAt(instant: number, zone: string): number {
  const found = zoneOf(zone)
  if (!found) throw new RangeError(`Unknown time zone: ${zone}`)
  let known = days.get(zone)
  if (!known) days.set(zone, (known = new Map()))
  const day = Math.floor(instant / dayMs)
  let minutes = known.get(day)
  if (minutes === undefined) {
    if (known.size === maxDays) known.clear()
    const [first, next] = [found.offset(day * dayMs), found.offset((day + 1) * dayMs)]
    known.set(day, (minutes = first === next ? first : NaN))
  }
  return (Number.isNaN(minutes) ? found.offset(instant) : minutes) * 60_000
}

/**
 * The instant of a wall-clock time. `wall` is the wall-clock reading as if it were UTC, in epoch milliseconds.
 * A repeated hour resolves to its first pass; a skipped time moves forward by the gap (RFC 5545, 3.3.5).
 */
export function instantOfWall(wall: number, zone: string): number {
  const before = offsetAt(wall - dayMs, zone)
  const after = offsetAt(wall + dayMs, zone)
  if (before === after && offsetAt(wall - before, zone) === before) return wall - before
  const first = wall - before
  if (offsetAt(first, zone) === before) return first
  const second = wall - after
  if (offsetAt(second, zone) === after) return second
  return first
}

/** True if a wall-clock time is skipped in this zone (spring DST). */
export function isSkipped(wall: number, zone: string): boolean {
  return wallOfInstant(instantOfWall(wall, zone), zone) !== wall
}

/**
 * The instants of a stretch between two wall-clock times of a zone. Its length is that of the wall, also where the clocks
 * change in between; a start that is skipped moves its end along.
 */
export function instantsOfWalls(start: number, end: number, zone: string): { start: number; end: number } {
  const first = instantOfWall(start, zone)
  const moved = wallOfInstant(first, zone) - start
  return { start: first, end: Math.max(first, instantOfWall(end + moved, zone)) }
}

/** The instant at which the next day begins in a zone; later than 0:00 where the clocks skip it. */
export function nextMidnight(instant: number, zone: string): number {
  const wall = wallOfInstant(instant, zone)
  return instantOfWall(wall - (((wall % dayMs) + dayMs) % dayMs) + dayMs, zone)
}

/** The wall-clock reading of an instant, as if it were UTC, in epoch milliseconds. */
export function wallOfInstant(instant: number, zone: string): number {
  return instant + offsetAt(instant, zone)
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')

/** `YYYY-MM-DD` of a wall-clock reading. */
export function dateOfWall(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10)
}

/** `YYYY-MM-DDTHH:MM:SS` of a wall-clock reading. */
export function textOfWall(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19)
}

/** Reads `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM[:SS]` as a wall-clock reading. @throws RangeError when it is neither. */
export function wallOfText(text: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/.exec(text)
  if (!match) throw new RangeError(`Not a date or wall-clock time: ${text}`)
  const wall = Date.UTC(+match[1]!, +match[2]! - 1, +match[3]!, +(match[4] ?? 0), +(match[5] ?? 0), +(match[6] ?? 0))
  if (dateOfWall(wall) !== text.slice(0, 10)) throw new RangeError(`No such date: ${text}`)
  return wall
}

/** RFC 3339 with the zone's offset, whole seconds: `2026-03-29T09:00:00+02:00`. */
export function rfc3339(instant: number, zone: string): string {
  const offset = offsetAt(instant, zone)
  const text = textOfWall(instant + offset)
  if (offset === 0) return `${text}Z`
  const minutes = Math.abs(offset) / 60_000
  return `${text}${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(Math.round(minutes % 60))}`
}

/** `YYYYMMDDTHHMMSSZ` of an instant: the form in instance IDs and UNTIL. */
export function compactUtc(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}
