import type { JsonObject } from '#shared/json'

/** Why the shared content of an event can’t be changed: it’s a guest’s copy, or its organizer locked it. */
export type Fixed = 'guest' | 'locked'

/** True for the copy that a guest has. Imported events have another organizer, too, but don’t list their owner as a guest. */
export function isGuestCopy({ organizer, attendees }: JsonObject): boolean {
  if (!organizer || (organizer as JsonObject).self === true) return false
  return Array.isArray(attendees) && (attendees as JsonObject[]).some((guest) => guest.self === true)
}

/** A guest may still change their reply, reminders, and the fields of their own copy, which `ofCopy` marks. */
export function fixedBy(event: JsonObject): Fixed | undefined {
  if (event.guestsCanModify !== true && isGuestCopy(event)) return 'guest'
  return event.locked === true ? 'locked' : undefined
}

export const mayInvite = (event: JsonObject): boolean =>
  fixedBy(event) !== 'guest' || event.guestsCanInviteOthers !== false
