import type { JsonObject } from '#shared/json'
import type { QuickEvent } from './read'

/**
 * Address that the user has among the guests of a new event. None in another calendar of theirs: that organizes the event itself, and
 * as its guest they would get a copy in their own.
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
