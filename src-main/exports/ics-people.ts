import ICAL from 'ical.js'
import type { JsonObject } from '#shared/json'
import { instantOfWall, wallOfText } from '#shared/time/zones'
import { services } from '#shared/wire/services'
import { backslash } from './ics-mend'
import type { Say, ZoneBook } from './ics-zone-book'

const { schemas } = services.calendar
const maxReminders = schemas['Event']!.fields['reminders']!.fields!['overrides']!.maxItems!
/** Minutes before the start. */
const latestReminder = schemas['EventReminder']!.fields['minutes']!.max!

const response: Readonly<Record<string, string>> = {
  'NEEDS-ACTION': 'needsAction',
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
}

const mail = (value: unknown): string =>
  String(value ?? '')
    .replace(/^mailto:/i, '')
    .trim()

const isMail = (text: string): boolean => /^[^\s@<>()",;]+@[^\s@<>()",;]+$/.test(text)

export function assignPeople(event: JsonObject, part: ICAL.Component, note: Say): void {
  const parameter = (property: ICAL.Property, name: string): string | undefined => {
    const value = property.getParameter(name)
    return typeof value === 'string' && value !== '' ? value.replaceAll(backslash, '\\') : undefined
  }
  const attendees = part.getAllProperties('attendee').flatMap((property): JsonObject[] => {
    const address = mail(property.getFirstValue())
    const email = isMail(address) ? address : mail(parameter(property, 'email'))
    if (!isMail(email)) {
      note(
        `has a guest without an email address, who was skipped: ${parameter(property, 'cn') ?? address.slice(0, 60)}`,
      )
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

/** Reads reminders. The service stores at most five, up to four weeks before the start. Reports all others. */
export function assignAlarms(event: JsonObject, part: ICAL.Component, zones: ZoneBook, note: Say): void {
  if (event['reminders'] !== undefined) return
  const at = (time: unknown): number => {
    const { date, dateTime } = time as { date?: string; dateTime: string }
    return date ? instantOfWall(wallOfText(date), zones.fallback) : Date.parse(dateTime)
  }
  const [start, end] = [at(event['start']), at(event['end'])]
  let passed = 0
  const overrides = part.getAllSubcomponents('valarm').flatMap((alarm): JsonObject[] => {
    const action = String(alarm.getFirstPropertyValue('action')).toUpperCase()
    const trigger = alarm.getFirstProperty('trigger')
    const value: unknown = trigger?.getFirstValue()
    if (action === 'NONE') return []
    let rings = NaN
    if (value instanceof ICAL.Duration) {
      const fromEnd = String(trigger!.getParameter('related')).toUpperCase() === 'END'
      rings = (fromEnd ? end : start) + value.toSeconds() * 1000
    } else if (value instanceof ICAL.Time) rings = Date.parse(zones.resolve(value, undefined, note).dateTime)
    const minutes = Math.round((start - rings) / 60_000)
    if (minutes >= 0 && minutes <= latestReminder) return [{ method: action === 'EMAIL' ? 'email' : 'popup', minutes }]
    passed++
    return []
  })
  passed += Math.max(0, overrides.length - maxReminders)
  if (passed > 0) note('has unsupported reminders, which were skipped (after the start, weeks before, or too many)')
  if (overrides.length > 0) event['reminders'] = { useDefault: false, overrides: overrides.slice(0, maxReminders) }
}
