import * as chrono from 'chrono-node'
import type { Event } from '#shared/wire/calendar/types'
import { instantOfWall, offsetAt, rfc3339 } from '#shared/time/zones'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * "Lunch with Mina tomorrow 12:30-13:15 at Canteen" as an event in a zone. Without a time of day it lasts the whole day;
 * without any date it starts now and lasts an hour.
 */
export function readQuickText(text: string, now: number, zone: string): Event {
  const reference = { instant: new Date(now), timezone: offsetAt(now, zone) / 60_000 }
  const [found] = chrono.parse(text, reference, { forwardDate: true })
  const at = (instant: number): Event['start'] => ({ dateTime: rfc3339(instant, zone), timeZone: zone })
  if (!found) return { ...describe(text), start: at(now), end: at(now + hourMs) }
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found.text.length)}`
  const wallOf = (part: chrono.ParsedComponents): number =>
    Date.UTC(
      part.get('year')!,
      part.get('month')! - 1,
      part.get('day')!,
      part.get('hour') ?? 0,
      part.get('minute') ?? 0,
    )
  const instant = (part: chrono.ParsedComponents): number =>
    part.isCertain('timezoneOffset') ? part.date().getTime() : instantOfWall(wallOf(part), zone)
  if (!found.start.isCertain('hour')) {
    const day = (wall: number): Event['start'] => ({ date: new Date(wall).toISOString().slice(0, 10) })
    const first = Math.floor(wallOf(found.start) / dayMs) * dayMs
    const last = found.end ? Math.floor(wallOf(found.end) / dayMs) * dayMs : first
    return { ...describe(rest), start: day(first), end: day(Math.max(last, first) + dayMs) }
  }
  const start = instant(found.start)
  let end = found.end ? instant(found.end) : start + hourMs
  if (end <= start) end += Math.ceil((start - end + 1) / dayMs) * dayMs
  return { ...describe(rest), start: at(start), end: at(end) }
}

function describe(text: string): Event {
  const trimmed = text
    .replace(/\s+/g, ' ')
    .replace(/(?:^| )(?:on|at|from|for)(?= ?$)/i, '')
    .trim()
  const place = /^(.+?) (?:at|in|@) (.+)$/i.exec(trimmed)
  return place ? { summary: place[1]!.trim(), location: place[2]!.trim() } : { summary: trimmed || '(No title)' }
}
