import ICAL from 'ical.js'
import { isJsonObject, type JsonObject } from '#shared/json'
import { instantOf, wallOf, type EventTime } from '#shared/time/event-time'
import { parseRecurrence } from '#shared/time/recurrence-lines'
import { instantOfWall, isZone, textOfWall, wallOfInstant } from '#shared/time/zones'
import { extraOf, extraProperty } from './ics-extra'
import { contentLines, escaped, writable } from './ics-lines'
import { withSecondPasses } from './ics-second-pass'
import { zoneComponent } from './ics-zone'

export interface IcsCalendar {
  calendarName: string
  timeZone: string
  /** Recipient of email reminders. */
  email?: string
  /** Events in the calendar service's shape: masters, exceptions and single ones. */
  events: JsonObject[]
}

/** Years of zone changes for endless series. Readers continue with their own rules. */
const zoneYears = 10 * 366 * 86_400_000

/** Range of zone changes. Without it, one event in the year 9999 would list 16,000 changes. */
const firstKnown = Date.UTC(1900, 0, 1)
const lastKnown = Date.UTC(2100, 0, 1)

const partstat: Readonly<Record<string, string>> = {
  needsAction: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
}

/** Called with the title of each skipped event, and the reason. */
export type LeftOut = (title: string, why: string) => void

/**
 * Writes events as an iCalendar file (RFC 5545), in chunks. Canceled occurrences become EXDATEs of their series. Reports and
 * skips events whose rule, zone, or times can't be read.
 */
export function* icsChunks(calendar: IcsCalendar, now: number, leftOut: LeftOut = () => undefined): Generator<string> {
  const refuse = (event: JsonObject, error: unknown): void =>
    leftOut(titleOf(event), error instanceof Error ? error.message : String(error))
  const readable = calendar.events.filter((event) => {
    if (event['status'] === 'cancelled') return true
    try {
      checkReadable(event, calendar.timeZone)
      return true
    } catch (error) {
      refuse(event, error)
      return false
    }
  })
  const events = withSecondPasses(readable, calendar.timeZone)
  const head = new ICAL.Component('vcalendar')
  head.addPropertyWithValue('version', '2.0')
  head.addPropertyWithValue('prodid', '-//Flightplan//Flightplan//EN')
  head.addPropertyWithValue('calscale', 'GREGORIAN')
  head.addPropertyWithValue('x-wr-calname', escaped(String(writable(calendar.calendarName))))
  head.addPropertyWithValue('x-wr-timezone', calendar.timeZone)
  const shown = events.filter((event) => event['status'] !== 'cancelled')
  const cancelled = cancelledBySeries(events, calendar.timeZone)
  for (const zone of zonesOf({ ...calendar, events: shown }, cancelled)) head.addSubcomponent(zone)
  const closing = 'END:VCALENDAR'
  yield contentLines(head).slice(0, -closing.length - 2)
  for (const event of shown) {
    let text: string
    try {
      text = contentLines(component(event, calendar, cancelled.get(String(event['id'])) ?? [], now))
    } catch (error) {
      refuse(event, error)
      continue
    }
    yield text
  }
  yield `${closing}\r\n`
}

const titleOf = (event: JsonObject): string => String(event['summary'] ?? '').slice(0, 80) || '(No title)'

/** @throws RangeError with a message if the times or the rule of an event can't be written */
function checkReadable(event: JsonObject, fallback: string): void {
  for (const field of ['start', 'end', 'originalStartTime'] as const) {
    const time = event[field] as EventTime | null | undefined
    if (!isJsonObject(time as JsonObject)) {
      if (field === 'originalStartTime') continue
      throw new RangeError(`it has no ${field}`)
    }
    const zone = time!.timeZone ?? fallback
    if (!time!.date && !isZone(zone)) throw new RangeError(`the time zone ${zone} is unknown`)
    instantOf(time!, zone)
  }
  if (Array.isArray(event['recurrence'])) parseRecurrence(event['recurrence'].map(String))
}

function cancelledBySeries(events: readonly JsonObject[], zone: string): Map<string, EventTime[]> {
  const found = new Map<string, EventTime[]>()
  for (const event of events) {
    if (event['status'] !== 'cancelled' || typeof event['recurringEventId'] !== 'string') continue
    if (!isReadable(event['originalStartTime'], zone)) continue
    const times = found.get(event['recurringEventId']) ?? []
    found.set(event['recurringEventId'], [...times, event['originalStartTime'] as EventTime])
  }
  return found
}

function isReadable(time: unknown, zone: string): boolean {
  try {
    instantOf(time as EventTime, zone)
    return true
  } catch {
    return false
  }
}

function zonesOf(calendar: IcsCalendar, cancelled: ReadonlyMap<string, readonly EventTime[]>): ICAL.Component[] {
  const spans = new Map<string, [number, number]>()
  for (const event of calendar.events) {
    for (const field of ['start', 'end', 'originalStartTime']) {
      const time = event[field] as EventTime | undefined
      if (!time?.dateTime) continue
      const zone = time.timeZone ?? calendar.timeZone
      const at = instantOf(time, zone)
      const until = event['recurrence'] ? at + zoneYears : at
      const [from, to] = spans.get(zone) ?? [at, until]
      spans.set(zone, [Math.min(from, at), Math.max(to, until)])
    }
    const start = event['start'] as EventTime | undefined
    // Cancellations use the zone of their series, even late ones.
    for (const time of cancelled.get(String(event['id'])) ?? []) {
      if (!time.dateTime) continue
      const zone = time.timeZone ?? start?.timeZone ?? calendar.timeZone
      const at = instantOf(time, zone)
      const [from, to] = spans.get(zone) ?? [at, at]
      spans.set(zone, [Math.min(from, at), Math.max(to, at)])
    }
    // Recurrence dates may use a zone of their own.
    const { recurrence } = event
    for (const line of start?.dateTime && Array.isArray(recurrence) ? recurrence : []) {
      const zone = /^[^:]*;TZID="?([^;":]+)/i.exec(String(line))?.[1]
      if (!zone || !isZone(zone)) continue
      const at = instantOf(start!, calendar.timeZone)
      const [from, to] = spans.get(zone) ?? [at, at]
      spans.set(zone, [Math.min(from, at), Math.max(to, at + zoneYears)])
    }
  }
  spans.delete('UTC')
  return [...spans].map(([zone, [from, to]]) =>
    zoneComponent(zone, Math.max(from, firstKnown), Math.min(to, lastKnown)),
  )
}

function component(
  given: JsonObject,
  { timeZone: zone, email }: IcsCalendar,
  cancelled: readonly EventTime[],
  now: number,
): ICAL.Component {
  const event = writable(given) as JsonObject
  const part = new ICAL.Component('vevent')
  const put = (name: string, value: unknown): void => {
    if (typeof value === 'string' && value !== '') part.addPropertyWithValue(name, value)
  }
  put('uid', event['iCalUID'] ?? event['id'])
  part.addPropertyWithValue('dtstamp', utc(now))
  const series = Array.isArray(event['recurrence']) && event['recurrence'].length > 0
  putTime(part, 'dtstart', event['start'] as EventTime, zone, series)
  putTime(part, 'dtend', event['end'] as EventTime, zone)
  if (isJsonObject(event['originalStartTime']) && event['recurringEventId']) {
    putTime(part, 'recurrence-id', event['originalStartTime'] as EventTime, zone)
  }
  put('summary', event['summary'])
  putDescription(part, event['description'])
  put('location', event['location'])
  part.addPropertyWithValue('sequence', Number(event['sequence'] ?? 0))
  part.addPropertyWithValue('status', event['status'] === 'tentative' ? 'TENTATIVE' : 'CONFIRMED')
  part.addPropertyWithValue('transp', event['transparency'] === 'transparent' ? 'TRANSPARENT' : 'OPAQUE')
  const visibility = event['visibility']
  if (visibility === 'private' || visibility === 'confidential') put('class', visibility.toUpperCase())
  else if (visibility === 'public') put('class', 'PUBLIC')
  for (const field of ['created', 'updated'] as const) {
    const at = Date.parse(String(event[field]))
    if (!Number.isNaN(at)) part.addPropertyWithValue(field === 'created' ? 'created' : 'last-modified', utc(at))
  }
  for (const line of Array.isArray(event['recurrence']) ? event['recurrence'] : []) {
    part.addProperty(ICAL.Property.fromString(String(line).replace(/\s/g, '')))
  }
  for (const time of cancelled) putTime(part, 'exdate', time, (event['start'] as EventTime).timeZone ?? zone)
  putPeople(part, event)
  putAlarms(part, event, email)
  put(extraProperty, extraOf(given))
  return part
}

const utc = (at: number): ICAL.Time => ICAL.Time.fromDateTimeString(`${textOfWall(at)}Z`)

function putTime(part: ICAL.Component, name: string, time: EventTime, fallback: string, series = false): void {
  if (time.date) {
    part.addPropertyWithValue(name, ICAL.Time.fromDateString(time.date))
    return
  }
  const zone = time.timeZone ?? fallback
  const instant = instantOf(time, zone)
  // The second pass of a repeated hour can only be written in UTC.
  if (zone === 'UTC' || (instantOfWall(wallOfInstant(instant, zone), zone) !== instant && !series)) {
    part.addPropertyWithValue(name, utc(instant))
    return
  }
  part
    .addPropertyWithValue(name, ICAL.Time.fromDateTimeString(textOfWall(wallOf({ ...time, timeZone: zone }))))
    .setParameter('tzid', zone)
}

/** Writes HTML to the property that other calendars read, and plain text to the standard property. */
function putDescription(part: ICAL.Component, description: unknown): void {
  if (typeof description !== 'string' || description === '') return
  if (!/<[a-z][^<>]*>/i.test(description)) {
    part.addPropertyWithValue('description', description)
    return
  }
  part.addPropertyWithValue('description', plainText(description))
  part.addPropertyWithValue('x-alt-desc', escaped(description)).setParameter('fmttype', 'text/html')
}

function plainText(html: string): string {
  return html
    .replace(/<(br|\/p|\/div|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .trim()
}

function putPeople(part: ICAL.Component, event: JsonObject): void {
  const organizer = event['organizer']
  const attendees = Array.isArray(event['attendees']) ? event['attendees'].filter(isJsonObject) : []
  if (isJsonObject(organizer) && typeof organizer['email'] === 'string' && attendees.length > 0) {
    const property = part.addPropertyWithValue('organizer', `mailto:${organizer['email']}`)
    if (typeof organizer['displayName'] === 'string') property.setParameter('cn', organizer['displayName'])
  }
  for (const attendee of attendees) {
    const property = part.addPropertyWithValue('attendee', `mailto:${String(attendee['email'])}`)
    if (typeof attendee['displayName'] === 'string') property.setParameter('cn', attendee['displayName'])
    property.setParameter('partstat', partstat[String(attendee['responseStatus'])] ?? 'NEEDS-ACTION')
    property.setParameter('role', attendee['optional'] === true ? 'OPT-PARTICIPANT' : 'REQ-PARTICIPANT')
    if (attendee['resource'] === true) property.setParameter('cutype', 'RESOURCE')
    if (typeof attendee['comment'] === 'string') property.setParameter('x-response-comment', attendee['comment'])
    if (Number(attendee['additionalGuests'] ?? 0) > 0)
      property.setParameter('x-num-guests', String(attendee['additionalGuests']))
  }
}

function putAlarms(part: ICAL.Component, event: JsonObject, email: string | undefined): void {
  const overrides = isJsonObject(event['reminders']) ? event['reminders']['overrides'] : undefined
  for (const reminder of Array.isArray(overrides) ? overrides.filter(isJsonObject) : []) {
    const alarm = new ICAL.Component('valarm')
    alarm.addPropertyWithValue('action', reminder['method'] === 'email' ? 'EMAIL' : 'DISPLAY')
    alarm.addPropertyWithValue('trigger', ICAL.Duration.fromSeconds(-60 * Number(reminder['minutes'] ?? 0)))
    const text = String(event['summary'] || 'Reminder')
    alarm.addPropertyWithValue('description', text)
    if (reminder['method'] === 'email') {
      alarm.addPropertyWithValue('summary', text)
      if (email) alarm.addPropertyWithValue('attendee', `mailto:${email}`)
    }
    part.addSubcomponent(alarm)
  }
}
