import ICAL from 'ical.js'
import { wallOf } from '#shared/time/event-time'
import { parseRecurrenceLine } from '#shared/time/recurrence-lines'
import {
  compactUtc,
  dateOfWall,
  instantOfWall,
  instantsOfWalls,
  isSkipped,
  rfc3339,
  wallOfInstant,
  wallOfText,
} from '#shared/time/zones'
import { mendedRule } from './ics-mend'
import type { Say, ZoneBook } from './ics-zone-book'

export type EventTimeJson = { date: string } | { dateTime: string; timeZone: string }

const lastDay = Date.UTC(9999, 11, 31)

/** @throws RangeError when the property holds no time */
export function timeOf(property: ICAL.Property, zones: ZoneBook, say: Say): EventTimeJson {
  const value: unknown = property.getFirstValue()
  if (!(value instanceof ICAL.Time)) throw new RangeError(`${property.name} isn’t a time`)
  if (value.isDate) return { date: dateOfWall(wallOfText(value.toString())) }
  const tzid = property.getParameter('tzid')
  return zones.resolve(value, typeof tzid === 'string' ? tzid : undefined, say)
}

/** Outlook marks all-day events by a property and writes them as times from midnight to midnight. */
export function isWholeDays(part: ICAL.Component, start: EventTimeJson, end: EventTimeJson): boolean {
  if (!('dateTime' in start) || !('dateTime' in end) || start.dateTime.slice(0, 10) >= end.dateTime.slice(0, 10))
    return false
  const said = ['x-microsoft-cdo-alldayevent', 'x-microsoft-msncalendar-alldayevent', 'x-funambol-allday'].some(
    (name) => /^(?:TRUE|1)$/i.test(String(part.getFirstPropertyValue(name) ?? '')),
  )
  const midnight = (time: { dateTime: string }): boolean => time.dateTime.slice(11, 19) === '00:00:00'
  return said && midnight(start) && midnight(end) && start.timeZone === end.timeZone
}

/**
 * The end in the same form as the start. Repairs and reports an end that is missing, unreadable, of another form, or before
 * the start. An all-day event has at least one day.
 */
export function endOf(part: ICAL.Component, start: EventTimeJson, zones: ZoneBook, note: Say): EventTimeJson {
  let end: EventTimeJson | undefined
  const property = part.getFirstProperty('dtend')
  try {
    end = property ? timeOf(property, zones, note) : undefined
  } catch {
    note('has an invalid end time, which was skipped')
  }
  if ('date' in start) {
    const first = wallOfText(start.date)
    let last = first + Math.ceil(secondsOf(part, 86_400) / 86_400) * 86_400_000
    if (end && 'dateTime' in end) {
      note('has a start date but an end time, so it was imported as an all-day event')
      last = Math.ceil(wallOf(end) / 86_400_000) * 86_400_000
    } else if (end) last = wallOfText(end.date)
    if (last < first) note('ends before it starts, so it was imported as one day')
    if (Math.max(last, first + 86_400_000) > lastDay)
      throw new RangeError('it ends after the year 9999, which isn’t supported')
    return { date: dateOfWall(Math.max(last, first + 86_400_000)) }
  }
  if (end && 'date' in end) {
    note('has a start time but an end date, so it was imported up to the start of that day')
    end = {
      dateTime: rfc3339(instantOfWall(wallOfText(end.date), start.timeZone), start.timeZone),
      timeZone: start.timeZone,
    }
  }
  end = end && movedAlong(part, start, end)
  const from = Date.parse(start.dateTime)
  const seconds = end ? (Date.parse(end.dateTime) - from) / 1000 : durationFrom(part, start)
  if (seconds < 0) {
    note('ends before it starts, so it was imported without a duration')
    return { ...start }
  }
  return end ?? { dateTime: rfc3339(from + seconds * 1000, start.timeZone), timeZone: start.timeZone }
}

/** A start that the clocks skip moves its end along. */
function movedAlong(
  part: ICAL.Component,
  start: { dateTime: string; timeZone: string },
  end: { dateTime: string; timeZone: string },
): { dateTime: string; timeZone: string } {
  const wallIn = (name: string): number =>
    wallOfText(String(part.getFirstPropertyValue(name)).replace('Z', '').padEnd(19, 'T00:00:00'))
  const zone = start.timeZone
  const [from, to] = [wallIn('dtstart'), wallIn('dtend')]
  if (zone !== end.timeZone || zone === 'UTC' || to < from || !isSkipped(from, zone)) return end
  return { dateTime: rfc3339(instantsOfWalls(from, to, zone).end, zone), timeZone: zone }
}

function secondsOf(part: ICAL.Component, otherwise: number): number {
  const duration: unknown = part.getFirstPropertyValue('duration')
  return duration instanceof ICAL.Duration ? duration.toSeconds() : otherwise
}

/** Days of a duration are days of the calendar, 23 or 25 hours where a clock changes (RFC 5545, 3.3.6). In seconds. */
function durationFrom(part: ICAL.Component, start: { dateTime: string; timeZone: string }): number {
  const duration: unknown = part.getFirstPropertyValue('duration')
  if (!(duration instanceof ICAL.Duration)) return 0
  const sign = duration.isNegative ? -1 : 1
  const days = sign * (duration.weeks * 7 + duration.days)
  const rest = sign * (duration.hours * 3_600 + duration.minutes * 60 + duration.seconds)
  const from = Date.parse(start.dateTime)
  const moved =
    days === 0 ? from : instantOfWall(wallOfInstant(from, start.timeZone) + days * 86_400_000, start.timeZone)
  return (moved - from) / 1000 + rest
}

/** Recurrence lines for the service. Dates with a zone become UTC. Reports unreadable lines. */
export function recurrenceOf(
  part: ICAL.Component,
  rules: readonly [string, string][],
  start: EventTimeJson,
  zones: ZoneBook,
  note: Say,
): string[] {
  const lines: string[] = []
  for (const kind of ['RRULE', 'EXRULE']) {
    for (const [name, rule] of rules.filter(([name]) => name === kind)) {
      const line = `${name}:${mendedRule(rule, note)}`
      try {
        parseRecurrenceLine(line)
        lines.push(line)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        note(
          kind === 'RRULE'
            ? `has a recurrence rule that isn’t supported, so only its first date was imported (${why})`
            : `excludes dates by a rule that isn’t supported, so those dates weren’t excluded (${why})`,
        )
      }
    }
  }
  for (const name of ['rdate', 'exdate']) {
    for (const property of part.getAllProperties(name)) {
      try {
        lines.push(datesLine(property, start, zones, note))
      } catch {
        note(`has invalid dates (${name.toUpperCase()}), which were skipped`)
      }
    }
  }
  return lines
}

function datesLine(property: ICAL.Property, start: EventTimeJson, zones: ZoneBook, note: Say): string {
  const tzid = property.getParameter('tzid')
  const values = property.getValues().map((value: unknown) => {
    if (value instanceof ICAL.Period)
      note('has extra dates with their own duration, which were imported with the duration of the series')
    const time = value instanceof ICAL.Period ? value.start : value
    if (!(time instanceof ICAL.Time)) throw new RangeError(`${property.name} has no dates`)
    if (time.isDate) return time.toICALString()
    const named = typeof tzid === 'string' ? tzid : undefined
    if ('date' in start) {
      // For an all-day event written as times, use the day on which the time falls in its own zone.
      const utc = time.zone === ICAL.Timezone.utcTimezone && !(time.hour === 0 && time.minute === 0)
      const wall = wallOfText(time.toString().replace('Z', ''))
      return dateOfWall(utc ? wallOfInstant(wall, zones.fallback) : wall).replace(/-/g, '')
    }
    const { dateTime } = zones.resolve(time, named ?? start.timeZone, note)
    return compactUtc(Date.parse(dateTime))
  })
  const dates = values.every((value) => /^\d{8}$/.test(value))
  return `${property.name.toUpperCase()}${dates ? ';VALUE=DATE' : ''}:${values.join(',')}`
}
