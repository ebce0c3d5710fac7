import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { parseRecurrence } from '#shared/time/recurrence-lines'
import { dateOfWall, instantOfWall, rfc3339, wallOfText } from '#shared/time/zones'
import { services } from '#shared/wire/services'
import { extraProperty, readExtra } from './ics-extra'
import { checkSize, mostEvents } from './ics-limits'
import { unescaped } from './ics-lines'
import { calendarsOf, mended } from './ics-text'
import { ZoneBook } from './ics-zone-book'

export interface ReadCalendar {
  events: JsonObject[]
  /** What could not be read, in words, one line each. */
  problems: string[]
}

const { schemas } = services.calendar
const mostReminders = schemas['Event']!.fields['reminders']!.fields!['overrides']!.maxItems!
/** Minutes before the start. */
const latestReminder = schemas['EventReminder']!.fields['minutes']!.max!

const response: Readonly<Record<string, string>> = {
  'NEEDS-ACTION': 'needsAction',
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
}

/**
 * Events of an iCalendar file in the calendar service's shape. An event that cannot be read is a line in `problems`, and
 * the rest is read all the same; so is what had to be put right. `zone` is where times are that name none.
 * @throws FaultError `invalid` when the file is no calendar.
 */
export function readIcs(text: string, zone = 'UTC'): ReadCalendar {
  const problems: string[] = []
  const events: JsonObject[] = []
  const calendars = calendarsOf(text)
  if (calendars.reduce((sum, calendar) => sum + calendar.events.length, 0) > mostEvents) {
    const most = mostEvents.toLocaleString('en')
    const message = `The file holds more than ${most} events. Nothing was imported. Split it into smaller files.`
    throw new FaultError({ code: 'invalid', message })
  }
  for (const calendar of calendars) {
    const zones = new ZoneBook(calendar, zone)
    problems.push(...zones.problems)
    const cancels = calendar.head.get('method')?.toUpperCase() === 'CANCEL'
    for (const lines of calendar.events) {
      const title = titleOf(lines)
      try {
        checkSize(lines)
        const event = eventOf(parsed(lines, title, problems), zones, (words) => problems.push(`${title}: ${words}`))
        events.push(cancels ? { ...event, status: 'cancelled' } : event)
      } catch (reason) {
        const words = reason instanceof Error ? reason.message : String(reason)
        problems.push(`${title} was left out: ${words}`)
      }
    }
    for (const [kind, count] of calendar.others) {
      problems.push(`Left out, as only events are read: ${count} × ${otherKinds[kind] ?? kind}`)
    }
  }
  return { events, problems }
}

const otherKinds: Readonly<Record<string, string>> = {
  VTODO: 'to-do',
  VJOURNAL: 'journal entry',
  VFREEBUSY: 'free/busy entry',
}

const untitled = 'An event without a title'

function titleOf(lines: readonly string[]): string {
  const line = lines.find((text) => /^SUMMARY[;:]/i.test(text))
  const summary = line && /^SUMMARY(?:;(?:"[^"]*"|[^":])*)?:(.*)$/i.exec(line)?.[1]?.trim()
  return `“${(summary || untitled).slice(0, 80)}”`
}

/** The parser gives up on a whole file for one bad value, so each event is parsed alone and lines that are none are passed over. */
function parsed(lines: readonly string[], title: string, problems: string[]): ICAL.Component {
  const kept = lines.flatMap((line) => mended(line) ?? [])
  const good = kept.filter((line) => /^[A-Z0-9-]+[;:]/i.test(line))
  for (const line of kept) {
    if (!/^[A-Z0-9-]+[;:]/i.test(line))
      problems.push(`${title}: a line that says nothing was passed over: ${line.slice(0, 60)}`)
  }
  return new ICAL.Component(ICAL.parse(good.join('\r\n')) as never)
}

type EventTimeJson = { date: string } | { dateTime: string; timeZone: string }

function timeOf(property: ICAL.Property, zones: ZoneBook): EventTimeJson {
  const value: unknown = property.getFirstValue()
  if (!(value instanceof ICAL.Time)) throw new RangeError(`${property.name} is not a time`)
  if (value.isDate) return { date: dateOfWall(wallOfText(value.toString())) }
  const tzid = property.getParameter('tzid')
  return zones.resolve(value, typeof tzid === 'string' ? tzid : undefined)
}

type Note = (words: string) => void

function eventOf(part: ICAL.Component, zones: ZoneBook, note: Note): JsonObject {
  const startProperty = part.getFirstProperty('dtstart')
  if (!startProperty) throw new RangeError('it has no start')
  const start = timeOf(startProperty, zones)
  const text = (name: string): string | undefined => {
    const value: unknown = part.getFirstPropertyValue(name)
    return value === null || value === undefined || String(value) === '' ? undefined : String(value)
  }
  const event: JsonObject = {
    ...readExtra(text(extraProperty) ?? ''),
    iCalUID: text('uid')?.trim() || stableUid(part),
    start,
    end: endOf(part, start, zones, note),
    sequence: Math.min(Math.max(Math.trunc(Number(text('sequence'))) || 0, 0), 2_147_483_647),
    status: text('status')?.toUpperCase() === 'TENTATIVE' ? 'tentative' : 'confirmed',
  }
  if (text('status')?.toUpperCase() === 'CANCELLED') event['status'] = 'cancelled'
  if (text('transp')?.toUpperCase() === 'TRANSPARENT') event['transparency'] = 'transparent'
  const visibility = text('class')?.toLowerCase()
  if (event['visibility'] === undefined && visibility && ['public', 'private', 'confidential'].includes(visibility))
    event['visibility'] = visibility
  assign(event, 'summary', text('summary'))
  assign(event, 'description', bodyOf(htmlOf(part)) ?? text('description'))
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
  assignPeople(event, part, note)
  assignAlarms(event, part, zones)
  return event
}

function assign(event: JsonObject, field: string, value: string | undefined): void {
  if (value !== undefined) event[field] = value
}

/** The same entry of the same file always gets the same UID, so that importing twice changes nothing. */
function stableUid(part: ICAL.Component): string {
  return `${createHash('sha256').update(part.toString()).digest('hex').slice(0, 32)}@import.flightplan`
}

/** The parser leaves a property it does not know as it stands in the file. */
function htmlOf(part: ICAL.Component): string | undefined {
  const property = part.getFirstProperty('x-alt-desc')
  const value = property && String(property.getFirstValue())
  if (!value) return undefined
  return property.type === 'unknown' ? unescaped(value) : value
}

/** Outlook writes a whole page where the description is meant. */
function bodyOf(html: string | undefined): string | undefined {
  const body = html && /<body\b[^>]*>([\s\S]*?)<\/body>/i.exec(html)?.[1]?.trim()
  return body === '' ? undefined : (body ?? html)
}

/** An end before the start becomes an event without length (a day, when it is all-day), and is noted. */
function endOf(part: ICAL.Component, start: EventTimeJson, zones: ZoneBook, note: Note): JsonObject {
  const end = part.getFirstProperty('dtend')
  const backwards = 'it ended before it began, and was kept without a length'
  if ('date' in start) {
    const first = wallOfText(start.date)
    const time = end && timeOf(end, zones)
    if (time && !('date' in time)) throw new RangeError('its start and end are not of one kind')
    const last = time ? wallOfText(time.date) : first + secondsOf(part, 86_400) * 1000
    if (last < first) note('it ended before it began, and was kept as one day')
    return { date: dateOfWall(Math.max(last, first + 86_400_000)) }
  }
  const time = end && timeOf(end, zones)
  if (time && 'date' in time) throw new RangeError('its start and end are not of one kind')
  const from = Date.parse(start.dateTime)
  if (time) {
    if (Date.parse(time.dateTime) >= from) return time as JsonObject
    note(backwards)
    return { ...start }
  }
  const seconds = secondsOf(part, 0)
  if (seconds < 0) note(backwards)
  return { dateTime: rfc3339(from + Math.max(seconds, 0) * 1000, start.timeZone), timeZone: start.timeZone }
}

function secondsOf(part: ICAL.Component, otherwise: number): number {
  const duration: unknown = part.getFirstPropertyValue('duration')
  return duration instanceof ICAL.Duration ? duration.toSeconds() : otherwise
}

/** Recurrence lines as the service takes them; dates with a zone of the file's own become UTC. */
function recurrenceOf(part: ICAL.Component, start: EventTimeJson, zones: ZoneBook): string[] {
  const lines: string[] = []
  for (const name of ['rrule', 'exrule', 'rdate', 'exdate']) {
    for (const property of part.getAllProperties(name)) {
      const line = name.endsWith('rule')
        ? `${name.toUpperCase()}:${String(property.getFirstValue())}`
        : datesLine(property, start, zones)
      lines.push(line)
    }
  }
  parseRecurrence(lines)
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

const isMail = (text: string): boolean => /^[^\s@<>()",;]+@[^\s@<>()",;]+$/.test(text)

function assignPeople(event: JsonObject, part: ICAL.Component, note: Note): void {
  const parameter = (property: ICAL.Property, name: string): string | undefined => {
    const value = property.getParameter(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const attendees = part.getAllProperties('attendee').flatMap((property): JsonObject[] => {
    const address = mail(property.getFirstValue())
    const email = isMail(address) ? address : mail(parameter(property, 'email'))
    if (!isMail(email)) {
      note(`the guest ${parameter(property, 'cn') ?? address.slice(0, 60)} has no e-mail address and was left out`)
      return []
    }
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
  if (organizer && isMail(email)) {
    event['organizer'] = { email, ...(parameter(organizer, 'cn') ? { displayName: parameter(organizer, 'cn') } : {}) }
  }
}

/** The service keeps at most five reminders, up to four weeks before the start. */
function assignAlarms(event: JsonObject, part: ICAL.Component, zones: ZoneBook): void {
  if (event['reminders'] !== undefined) return
  const at = (time: unknown): number => {
    const { date, dateTime } = time as { date?: string; dateTime: string }
    return date ? instantOfWall(wallOfText(date), zones.fallback) : Date.parse(dateTime)
  }
  const [start, end] = [at(event['start']), at(event['end'])]
  const overrides = part.getAllSubcomponents('valarm').flatMap((alarm): JsonObject[] => {
    const action = String(alarm.getFirstPropertyValue('action')).toUpperCase()
    const trigger = alarm.getFirstProperty('trigger')
    const value: unknown = trigger?.getFirstValue()
    if (!trigger || action === 'NONE') return []
    let rings: number
    if (value instanceof ICAL.Duration) {
      const fromEnd = String(trigger.getParameter('related')).toUpperCase() === 'END'
      rings = (fromEnd ? end : start) + value.toSeconds() * 1000
    } else if (value instanceof ICAL.Time) rings = Date.parse(zones.resolve(value, undefined).dateTime)
    else return []
    const minutes = Math.round((start - rings) / 60_000)
    return minutes < 0 || minutes > latestReminder ? [] : [{ method: action === 'EMAIL' ? 'email' : 'popup', minutes }]
  })
  if (overrides.length > 0) event['reminders'] = { useDefault: false, overrides: overrides.slice(0, mostReminders) }
}
