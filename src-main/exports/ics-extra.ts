import { isJsonObject, type JsonObject } from '#shared/json'

/** What an event holds that iCalendar has no property for; kept in one property, so that a round trip loses nothing. */
const extraFields = [
  'attachments',
  'colorId',
  'conferenceData',
  'eventType',
  'extendedProperties',
  'focusTimeProperties',
  'guestsCanInviteOthers',
  'guestsCanModify',
  'guestsCanSeeOtherGuests',
  'outOfOfficeProperties',
  'reminders',
  'source',
  'visibility',
  'workingLocationProperties',
] as const

export const extraProperty = 'x-flightplan-extra'

export function extraOf(event: JsonObject): string | undefined {
  const kept = Object.fromEntries(
    extraFields.filter((name) => event[name] !== undefined).map((name) => [name, event[name]]),
  )
  return Object.keys(kept).length === 0 ? undefined : JSON.stringify(kept)
}

/** Only the fields above are taken over, whatever the file says. */
export function readExtra(text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text)
    if (!isJsonObject(parsed)) return {}
    return Object.fromEntries(
      extraFields.filter((name) => Object.hasOwn(parsed, name)).map((name) => [name, parsed[name]]),
    )
  } catch {
    return {}
  }
}
