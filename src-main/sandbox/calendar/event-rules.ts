import type { ConferenceData, Event, EventAttendee } from '#shared/wire/calendar/types'
import { instantOf, isAllDay, type EventTime } from '#shared/time/event-time'
import { occurrences } from '#shared/time/recurrence'
import { parseRecurrence } from '#shared/time/recurrence-lines'
import { instantOfWall, rfc3339, wallOfText } from '#shared/time/zones'
import { Problem, invalid, required } from '../problems'
import type { OpenCalendar } from './access'
import { eventColors } from './palette'
import { seriesOf, type EventDoc } from './event-row'

const offsetForm = /(?:[Zz]|[+-]\d\d:\d\d)$/

/** Normalizes a time to whole seconds in its own zone, or a date, so that equal times have one form. @throws Problem 400 */
export function normalTime(time: EventTime, path: string, calendarZone: string): EventDoc['start'] {
  try {
    if (time.date) {
      wallOfText(time.date)
      return { date: time.date }
    }
    const text = time.dateTime!.toUpperCase().replace(/\.\d+/, '')
    if (offsetForm.test(text)) {
      const instant = Date.parse(text)
      if (Number.isNaN(instant)) throw new RangeError(`Not a time: ${text}`)
      const zone = time.timeZone ?? calendarZone
      return { dateTime: rfc3339(instant, zone), timeZone: zone }
    }
    if (!time.timeZone) throw invalid(`Missing time zone definition for ${path} time.`, `${path}.timeZone`)
    return { dateTime: rfc3339(instantOfWall(wallOfText(text), time.timeZone), time.timeZone), timeZone: time.timeZone }
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`Invalid ${path} time: ${error.message}`, path)
    throw error
  }
}

/** Normalizes start and end. @throws Problem 400 if they don't fit together */
export function normalTimes(doc: EventDoc, calendar: OpenCalendar): void {
  for (const name of ['start', 'end'] as const) {
    const time = doc[name] as EventTime | undefined
    if (!time || (!time.date && !time.dateTime)) throw required(name, `Missing ${name} time.`)
    if (time.date && time.dateTime) throw invalid(`Invalid ${name} time.`, name)
  }
  if (isAllDay(doc.start) !== isAllDay(doc.end)) {
    throw invalid('The start and end times must either both be date or dateTime.', 'end')
  }
  if (doc.recurrence?.length && !isAllDay(doc.start)) {
    for (const name of ['start', 'end'] as const) {
      if (!doc[name].timeZone) throw required(`${name}.timeZone`, `Missing time zone definition for ${name} time.`)
    }
  }
  doc.start = normalTime(doc.start, 'start', calendar.data.timeZone)
  doc.end = normalTime(doc.end, 'end', calendar.data.timeZone)
  const length = instantOf(doc.end) - instantOf(doc.start)
  if (length < 0 || (length === 0 && isAllDay(doc.start))) {
    throw new Problem(400, 'timeRangeEmpty', 'The specified time range is empty.', {
      domain: 'calendar',
      location: 'end',
    })
  }
}

const trialMs = 800 * 86_400_000

/** @throws Problem 400 at `recurrence` */
export function checkRecurrence(doc: EventDoc): void {
  if (!doc.recurrence) return
  if (doc.recurrence.length === 0) {
    delete doc.recurrence
    return
  }
  try {
    const kinds = parseRecurrence(doc.recurrence).map((line) => line.kind)
    if (!kinds.some((kind) => kind === 'RRULE' || kind === 'RDATE'))
      throw new RangeError('A series needs an RRULE or RDATE')
    // A rule that can't be expanded would make every list of the calendar fail.
    const first = instantOf(doc.start)
    occurrences(seriesOf(doc), first, first + trialMs)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw invalid(`Invalid recurrence rule. ${error instanceof Error ? error.message : ''}`.trim(), 'recurrence')
  }
}

/**
 * Normalizes guests: lowercase addresses, one entry each, with a response status. `resource` keeps its value from when
 * the guest was added.
 */
export function normalAttendees(list: EventAttendee[], before: EventAttendee[] = []): EventAttendee[] {
  const known = new Map(before.map((attendee) => [attendee.email, attendee]))
  const result = new Map<string, EventAttendee>()
  for (const attendee of list) {
    const email = attendee.email!.toLowerCase()
    const old = known.get(email)
    const next: EventAttendee = { ...attendee, email, responseStatus: attendee.responseStatus ?? 'needsAction' }
    if (old && old.resource !== next.resource) {
      if (old.resource === undefined) delete next.resource
      else next.resource = old.resource
    }
    result.set(email, next)
  }
  return [...result.values()]
}

const typeProperties = {
  outOfOffice: 'outOfOfficeProperties',
  focusTime: 'focusTimeProperties',
  workingLocation: 'workingLocationProperties',
  birthday: 'birthdayProperties',
} as const

const restriction = (message: string, location: string): Problem =>
  new Problem(400, 'eventTypeRestriction', message, { domain: 'calendar', location })

/** Checks the requirements of each event type and fills in what it implies. @throws Problem 400 `eventTypeRestriction` */
export function checkEventType(doc: EventDoc, calendar: OpenCalendar, creating: boolean): void {
  const type = doc.eventType ?? 'default'
  for (const [owner, field] of Object.entries(typeProperties)) {
    if (owner !== type && doc[field]) throw restriction(`${field} belongs to events of type ${owner}.`, field)
  }
  if (type === 'default' || type === 'fromGmail') return
  if (type !== 'birthday' && !calendar.primary && creating) {
    throw restriction(`Events of type ${type} can only be created on primary calendars.`, 'eventType')
  }
  const must = <Name extends 'transparency' | 'visibility'>(name: Name, value: NonNullable<EventDoc[Name]>): void => {
    if (doc[name] !== undefined && doc[name] !== value)
      throw restriction(`A ${type} event must have ${name} ${value}.`, name)
    doc[name] = value as EventDoc[Name]
  }
  const days = (instantOf(doc.end) - instantOf(doc.start)) / 86_400_000
  if (type === 'outOfOffice' || type === 'focusTime') {
    if (isAllDay(doc.start)) throw restriction(`A ${type} event cannot be all-day.`, 'start')
    if (doc.transparency === 'transparent')
      throw restriction(`A ${type} event must have transparency opaque.`, 'transparency')
  } else if (type === 'workingLocation') {
    if (!doc.workingLocationProperties)
      throw required('workingLocationProperties', 'Missing working location properties.')
    if (!doc.workingLocationProperties.type) throw required('workingLocationProperties.type')
    must('transparency', 'transparent')
    must('visibility', 'public')
    if (isAllDay(doc.start) && days !== 1) throw restriction('An all-day working location lasts one day.', 'end')
  } else {
    if (!isAllDay(doc.start) || days !== 1) throw restriction('A birthday is one whole day.', 'start')
    must('transparency', 'transparent')
    must('visibility', 'private')
    if (creating && !doc.recurrence?.some((line) => /^RRULE:(.*;)?FREQ=YEARLY/i.test(line))) {
      throw restriction('A birthday recurs every year.', 'recurrence')
    }
    doc.birthdayProperties = { type: 'birthday', ...doc.birthdayProperties }
  }
}

const propertyLimits = { key: 44, value: 1024, count: 300, bytes: 32 * 1024 }

/** @throws Problem 400 for properties, colors, and conference data over their limits */
export function checkContent(doc: EventDoc): void {
  if (doc.colorId !== undefined && !eventColors[doc.colorId])
    throw invalid(`No such event colour: ${doc.colorId}`, 'colorId')
  let count = 0
  let bytes = 0
  for (const [scope, map] of Object.entries(doc.extendedProperties ?? {})) {
    for (const [key, value] of Object.entries(map ?? {})) {
      const path = `extendedProperties.${scope}.${key.slice(0, 60)}`
      if (key.length > propertyLimits.key)
        throw invalid(`The key may have at most ${propertyLimits.key} characters.`, path)
      if (String(value).length > propertyLimits.value) {
        throw invalid(`The value may have at most ${propertyLimits.value} characters.`, path)
      }
      count++
      bytes += Buffer.byteLength(key) + Buffer.byteLength(String(value))
    }
  }
  if (count > propertyLimits.count) throw invalid('Too many extended properties.', 'extendedProperties')
  if (bytes > propertyLimits.bytes) throw invalid('The extended properties are too large.', 'extendedProperties')
}

export function normalReminders(reminders: Event['reminders']): NonNullable<Event['reminders']> {
  if (!reminders) return { useDefault: true }
  const { useDefault, overrides } = reminders
  if (useDefault && overrides?.length) {
    const message = 'Cannot use default reminders and specify overrides at the same time.'
    throw new Problem(400, 'cannotUseDefaultRemindersAndSpecifyOverride', message, {
      domain: 'calendar',
      location: 'reminders',
    })
  }
  if (useDefault) return { useDefault: true }
  return overrides ? { useDefault: false, overrides } : { useDefault: useDefault ?? false }
}

/** Checks that a patched conference is still complete. @throws Problem 400 */
export function checkConference(data: ConferenceData | undefined): void {
  if (!data || data.createRequest) return
  if (!data.conferenceSolution || !data.entryPoints?.length) {
    throw invalid('Needs conferenceSolution and entryPoints, or createRequest', 'conferenceData')
  }
}
