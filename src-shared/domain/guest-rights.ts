import type { JsonObject } from '#shared/json'

/** Reason why the shared content of an event can’t be changed: it’s a guest’s copy, or its organizer locked it. */
export type Fixed = 'guest' | 'locked'

/** True for a guest’s copy. Imported events have another organizer, too, but don’t list their owner as a guest. */
export function isGuestCopy({ organizer, attendees }: JsonObject): boolean {
  if (!organizer || (organizer as JsonObject).self === true) return false
  return Array.isArray(attendees) && (attendees as JsonObject[]).some((guest) => guest.self === true)
}

/** Reason why an event is fixed, or undefined. Guests may still change their reply, reminders, and fields marked `ofCopy`. */
export function fixedBy(event: JsonObject): Fixed | undefined {
  if (event.guestsCanModify !== true && isGuestCopy(event)) return 'guest'
  return event.locked === true ? 'locked' : undefined
}

export const mayInvite = (event: JsonObject): boolean =>
  fixedBy(event) !== 'guest' || event.guestsCanInviteOthers !== false
