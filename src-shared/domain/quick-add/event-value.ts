import type { JsonObject } from '#shared/json'
import type { QuickEvent } from './read'

/** A line’s event as it’s stored. @param email the organizer’s address */
export function eventValue(made: QuickEvent, email: string): JsonObject {
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
        { email: email.toLowerCase(), self: true, organizer: true, responseStatus: 'accepted' },
        ...guests.map((email) => ({ email, responseStatus: 'needsAction' })),
      ],
    }),
  }
}
