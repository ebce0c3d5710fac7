import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { parseRecurrenceLine } from '#shared/time/recurrence-lines'
import { dateOfWall, instantOfWall, isZone, rfc3339, wallOfText } from '#shared/time/zones'
import { extraProperty, readExtra } from './ics-extra'

export interface ReadCalendar {
  events: JsonObject[]
  /** What could not be read, in words, one line each. */
  problems: string[]
}

/** A file with more events than this is a mistake or an attack. */
const mostEvents = 200_000

const response: Readonly<Record<string, string>> = {
  'NEEDS-ACTION': 'needsAction',
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
}

/**
 * Events of an iCalendar file in the calendar service's shape. An event that cannot be read is a line in `problems`, and
 * the rest is read all the same. @throws FaultError `invalid` when the file is no calendar.
 */
export function readIcs(text: string): ReadCalendar {
  const problems: string[] = []
  const events: JsonObject[] = []
  for (const { part, zones, error, title } of eventsOf(text)) {
    if (events.length >= mostEvents) {
      throw new FaultError({ code: 'invalid', message: `The file holds more than ${mostEvents} events.` })
    }
    try {
      if (!part) throw error
      events.push(eventOf(part, zones))
    } catch (reason) {
      const words = reason instanceof Error ? reason.message : String(reason)
      problems.push(`“${title.slice(0, 80)}” was left out: ${words}`)
    }
  }
  return { events, problems }
}

function calendarsOf(text: string): ICAL.Component[] {
  const calendars = rootsOf(text).filter((root) => root.name === 'vcalendar')
  if (calendars.length > 0) return calendars
  throw new FaultError({ code: 'invalid', message: 'The file holds no calendar. Nothing was imported.' })
}

function rootsOf(text: string): ICAL.Component[] {
  try {
    const parsed: unknown = ICAL.parse(text)
    const roots = Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed]
    return roots.map((root) => new ICAL.Component(root as never))
  } catch (error) {
    throw new FaultError(
      { code: 'invalid', message: 'The file could not be read as a calendar. Nothing was imported.' },
      { cause: error },
    )
  }
}

/**
 * The parser gives up on a whole file for one bad value. So events are taken out of the text first and parsed one by
 * one beside the file's zones, and only the bad ones are lost.
 * @throws FaultError `invalid` where the file's structure itself is broken.
 */
function* eventsOf(
  text: string,
): Generator<{ part?: ICAL.Component; zones: ZoneBook; error?: unknown; title: string }> {
  const lines = text
    .replace(/^\ufeff/, '')
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
  const shell: string[] = []
  const events: string[][][] = [[]]
  let event: string[] | undefined
  for (const line of lines) {
    if (/^BEGIN:VEVENT\s*$/i.test(line) && !event) event = []
    if (event) event.push(line)
    else shell.push(line)
    if (event && /^END:VEVENT\s*$/i.test(line)) {
      events.at(-1)!.push(event)
      event = undefined
    }
    if (/^END:VCALENDAR\s*$/i.test(line)) events.push([])
  }
  if (event)
    throw new FaultError({ code: 'invalid', message: 'The file breaks off in the middle. Nothing was imported.' })
  for (const [index, calendar] of calendarsOf(shell.join('\r\n')).entries()) {
    const zones = new ZoneBook(calendar)
    for (const block of events[index] ?? []) {
      const title = /^SUMMARY[^:]*:(.*)$/im.exec(block.join('\n'))?.[1] ?? 'An event without a title'
      try {
        yield { part: new ICAL.Component(ICAL.parse(block.join('\r\n')) as never), zones, title }
      } catch (error) {
        yield { error, zones, title }
      }
    }
  }
}

/** Zones the file names: IANA names as they are, others through the file's own VTIMEZONE. */
class ZoneBook {
  readonly #own: Map<string, ICAL.Timezone>
  readonly fallback: string

  constructor(calendar: ICAL.Component) {
    const zones = calendar.getAllSubcomponents('vtimezone').map((part) => new ICAL.Timezone(part))
    this.#own = new Map(zones.map((zone) => [zone.tzid, zone]))
    const named = String(calendar.getFirstPropertyValue('x-wr-timezone') ?? '')
    this.fallback = isZone(named) ? named : 'UTC'
  }

  /** `2026-03-29T09:00:00` in the zone a property names. @throws RangeError for a zone nobody knows. */
  resolve(time: ICAL.Time, tzid: string | undefined): { dateTime: string; timeZone: string } {
    const wall = wallOfText(time.toString().replace('Z', ''))
    if (time.zone === ICAL.Timezone.utcTimezone) return { dateTime: rfc3339(wall, 'UTC'), timeZone: 'UTC' }
    const name = tzid?.replace(/^\/(?:[^/]+\/)*?(?=[A-Z][A-Za-z_]+\/)/, '') ?? this.fallback
    if (isZone(name)) return { dateTime: rfc3339(instantOfWall(wall, name), name), timeZone: name }
    const own = tzid === undefined ? undefined : this.#own.get(tzid)
    if (!own) throw new RangeError(`the time zone ${tzid} is not known`)
    const local = time.clone()
    local.zone = own
    const location = String(own.component.getFirstPropertyValue('x-lic-location') ?? '')
    const zone = isZone(location) ? location : this.fallback
    return { dateTime: rfc3339(local.toUnixTime() * 1000, zone), timeZone: zone }
  }
}

type EventTimeJson = { date: string } | { dateTime: string; timeZone: string }

function timeOf(property: ICAL.Property, zones: ZoneBook): EventTimeJson {
  const value: unknown = property.getFirstValue()
  if (!(value instanceof ICAL.Time)) throw new RangeError(`${property.name} is not a time`)
  if (value.isDate) return { date: dateOfWall(wallOfText(value.toString())) }
  const tzid = property.getParameter('tzid')
  return zones.resolve(value, typeof tzid === 'string' ? tzid : undefined)
}

function eventOf(part: ICAL.Component, zones: ZoneBook): JsonObject {
  const startProperty = part.getFirstProperty('dtstart')
  if (!startProperty) throw new RangeError('it has no start')
  const start = timeOf(startProperty, zones)
  const text = (name: string): string | undefined => {
    const value: unknown = part.getFirstPropertyValue(name)
    return value === null || value === undefined || String(value) === '' ? undefined : String(value)
  }
  const event: JsonObject = {
    ...readExtra(text(extraProperty) ?? ''),
    iCalUID: text('uid') ?? stableUid(part),
    start,
    end: endOf(part, start, zones),
    sequence: Number(text('sequence') ?? 0) || 0,
    status: text('status')?.toUpperCase() === 'TENTATIVE' ? 'tentative' : 'confirmed',
  }
  if (text('status')?.toUpperCase() === 'CANCELLED') event['status'] = 'cancelled'
  if (text('transp')?.toUpperCase() === 'TRANSPARENT') event['transparency'] = 'transparent'
  const visibility = text('class')?.toLowerCase()
  if (event['visibility'] === undefined && visibility && ['public', 'private', 'confidential'].includes(visibility))
    event['visibility'] = visibility
  assign(event, 'summary', text('summary'))
  assign(event, 'description', text('x-alt-desc') ?? text('description'))
  assign(event, 'location', text('location'))
  const recurrence = recurrenceOf(part, start, zones)
  if (recurrence.length > 0) event['recurrence'] = recurrence
  const original = part.getFirstProperty('recurrence-id')
  if (original) {
    if (original.getParameter('range'))
      throw new RangeError('a change of “this and all following” in one entry is not supported')
    event['originalStartTime'] = timeOf(original, zones)
    delete event['recurrence']
  }
  assignPeople(event, part)
  assignAlarms(event, part)
  return event
}

function assign(event: JsonObject, field: string, value: string | undefined): void {
  if (value !== undefined) event[field] = value
}

/** The same entry of the same file always gets the same UID, so that importing twice changes nothing. */
function stableUid(part: ICAL.Component): string {
  return `${createHash('sha256').update(part.toString()).digest('hex').slice(0, 32)}@import.flightplan`
}

function endOf(part: ICAL.Component, start: EventTimeJson, zones: ZoneBook): JsonObject {
  const end = part.getFirstProperty('dtend')
  if (end) {
    const time = timeOf(end, zones)
    if ('date' in time !== 'date' in start) throw new RangeError('its start and end are not of one kind')
    return time as JsonObject
  }
  const duration: unknown = part.getFirstPropertyValue('duration')
  const seconds = duration instanceof ICAL.Duration ? duration.toSeconds() : 'date' in start ? 86_400 : 0
  if ('date' in start) return { date: dateOfWall(wallOfText(start.date) + Math.max(86_400, seconds) * 1000) }
  return { dateTime: rfc3339(Date.parse(start.dateTime) + seconds * 1000, start.timeZone), timeZone: start.timeZone }
}

/** Recurrence lines as the service takes them; dates with a zone of the file's own become UTC. */
function recurrenceOf(part: ICAL.Component, start: EventTimeJson, zones: ZoneBook): string[] {
  const lines: string[] = []
  for (const name of ['rrule', 'exrule', 'rdate', 'exdate']) {
    for (const property of part.getAllProperties(name)) {
      const line = name.endsWith('rule')
        ? `${name.toUpperCase()}:${String(property.getFirstValue())}`
        : datesLine(property, start, zones)
      parseRecurrenceLine(line)
      lines.push(line)
    }
  }
  return lines
}

function datesLine(property: ICAL.Property, start: EventTimeJson, zones: ZoneBook): string {
  const tzid = property.getParameter('tzid')
  const values = property.getValues().map((value: unknown) => {
    const time = value instanceof ICAL.Period ? value.start : value
    if (!(time instanceof ICAL.Time)) throw new RangeError(`${property.name} holds no dates`)
    if (time.isDate) return time.toICALString()
    const { dateTime } = zones.resolve(
      time,
      typeof tzid === 'string' ? tzid : 'timeZone' in start ? start.timeZone : undefined,
    )
    return `${new Date(dateTime).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  })
  const dates = values.every((value) => /^\d{8}$/.test(value))
  return `${property.name.toUpperCase()}${dates ? ';VALUE=DATE' : ''}:${values.join(',')}`
}

const mail = (value: unknown): string =>
  String(value ?? '')
    .replace(/^mailto:/i, '')
    .trim()

function assignPeople(event: JsonObject, part: ICAL.Component): void {
  const parameter = (property: ICAL.Property, name: string): string | undefined => {
    const value = property.getParameter(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const attendees = part.getAllProperties('attendee').flatMap((property): JsonObject[] => {
    const email = mail(property.getFirstValue())
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return []
    const guests = Number(parameter(property, 'x-num-guests') ?? 0)
    const attendee: JsonObject = {
      email,
      ...(parameter(property, 'cn') ? { displayName: parameter(property, 'cn') } : {}),
      responseStatus: response[(parameter(property, 'partstat') ?? 'NEEDS-ACTION').toUpperCase()] ?? 'needsAction',
      ...(parameter(property, 'role')?.toUpperCase() === 'OPT-PARTICIPANT' ? { optional: true } : {}),
      ...(parameter(property, 'cutype')?.toUpperCase() === 'RESOURCE' ? { resource: true } : {}),
      ...(parameter(property, 'x-response-comment') ? { comment: parameter(property, 'x-response-comment') } : {}),
      ...(guests > 0 ? { additionalGuests: guests } : {}),
    }
    return [attendee]
  })
  if (attendees.length > 0) event['attendees'] = attendees
  const organizer = part.getFirstProperty('organizer')
  const email = mail(organizer?.getFirstValue())
  if (organizer && /^[^\s@]+@[^\s@]+$/.test(email)) {
    event['organizer'] = { email, ...(parameter(organizer, 'cn') ? { displayName: parameter(organizer, 'cn') } : {}) }
  }
}

/** The service keeps at most five reminders, up to four weeks before the start. */
function assignAlarms(event: JsonObject, part: ICAL.Component): void {
  if (event['reminders'] !== undefined) return
  const overrides = part.getAllSubcomponents('valarm').flatMap((alarm): JsonObject[] => {
    const trigger: unknown = alarm.getFirstPropertyValue('trigger')
    if (!(trigger instanceof ICAL.Duration)) return []
    const minutes = Math.round(-trigger.toSeconds() / 60)
    if (minutes < 0 || minutes > 40_320) return []
    const email = String(alarm.getFirstPropertyValue('action')).toUpperCase() === 'EMAIL'
    return [{ method: email ? 'email' : 'popup', minutes }]
  })
  if (overrides.length > 0) event['reminders'] = { useDefault: false, overrides: overrides.slice(0, 5) }
}
