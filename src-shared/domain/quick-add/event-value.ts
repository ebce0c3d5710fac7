import type { JsonObject } from '#shared/json'
import type { QuickEvent } from './event-line'

/**
 * Address of the user among the guests of a new event. None outside their own calendar: the other calendar is the organizer, and
 * as a guest they’d get a copy in their own.
 */
export const organizerIn = (calendarId: string, email: string): string =>
  calendarId.toLowerCase() === email.toLowerCase() ? email.toLowerCase() : ''

/** A line’s event as it’s stored. @param organizer the user’s address among its guests, if any */
export function eventValue(made: QuickEvent, organizer: string): JsonObject {
  const { summary, start, end, location, recurrence, reminder, guests } = made
  return {
    summary,
    start: { ...start },
    end: { ...end },
    ...(location && { location }),
    ...(recurrence && { recurrence }),
    ...(reminder !== undefined && {
      reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: reminder }] },
    }),
    ...(guests.length > 0 && {
      attendees: [
        ...(organizer ? [{ email: organizer, self: true, organizer: true, responseStatus: 'accepted' }] : []),
        ...guests.map((email) => ({ email, responseStatus: 'needsAction' })),
      ],
    }),
  }
}
