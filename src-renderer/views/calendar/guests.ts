import type { Event, EventAttendee } from '#shared/wire/calendar/types'

/** Number of guests to email: without the user and rooms. */
export function countGuests(event: Event): number {
  return (event.attendees ?? []).filter(
    (guest) => !guest.self && !guest.resource && guest.responseStatus !== 'declined',
  ).length
}

const form = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:".]{2,}$/

export const isEmail = (text: string): boolean => form.test(text) && text.length <= 254

/** Parses `a@b.c`, `Name <a@b.c>`, and lists of them. Returns unparsable parts as typed. */
export function parseGuests(text: string): { guests: EventAttendee[]; unread: string[] } {
  const guests: EventAttendee[] = []
  const unread: string[] = []
  for (const part of text
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter(Boolean)) {
    const named = /^"?([^"<]*?)"?\s*<([^>]+)>$/.exec(part)
    const email = (named ? named[2]! : part).trim().toLowerCase()
    if (!isEmail(email)) unread.push(part)
    else guests.push({ email, responseStatus: 'needsAction', ...(named?.[1] && { displayName: named[1].trim() }) })
  }
  return { guests, unread }
}

/** Adds guests who aren't in the list yet. The email address identifies a guest. */
export function addGuests(list: readonly EventAttendee[], added: readonly EventAttendee[]): EventAttendee[] {
  const known = new Set(list.map((guest) => guest.email?.toLowerCase()))
  return [...list, ...added.filter((guest) => guest.email && !known.has(guest.email) && known.add(guest.email))]
}

/** Adds guests to an event. With its first guest, the user becomes its organizer. @param own as in `organizerIn` */
export function inviteGuests(
  list: readonly EventAttendee[],
  added: readonly EventAttendee[],
  own: string,
): EventAttendee[] {
  const organizer = { email: own, self: true, organizer: true, responseStatus: 'accepted' } as const
  return addGuests(list.length === 0 && own ? [organizer] : list, added)
}

/** Someone as a guest who hasn’t replied. */
export const guestOf = ({ email, name }: { email: string; name: string }): EventAttendee => ({
  email,
  responseStatus: 'needsAction',
  ...(name && { displayName: name }),
})

/**
 * `own`: the user’s address, because events of shared calendars don’t say which guest that is. `known`: the name that
 * other events give this guest.
 */
export const guestName = (
  guest: Pick<EventAttendee, 'self' | 'displayName' | 'email'>,
  own: string,
  known?: string,
): string =>
  guest.self || isSameEmail(guest.email, own)
    ? 'You'
    : (isSameEmail(guest.displayName, guest.email) ? '' : guest.displayName) || known || guest.email || 'Unknown guest'

const isSameEmail = (a: string | undefined, b: string | undefined): boolean => a?.toLowerCase() === b?.toLowerCase()

/** The organizer’s name, unless the guests or one’s own calendars show who that is. */
export function unlistedOrganizer(
  { organizer, attendees = [] }: Pick<Event, 'organizer' | 'attendees'>,
  isCalendar: (email: string) => boolean,
  own: string,
  known: (email: string) => string | undefined,
): string | undefined {
  const { email } = organizer ?? {}
  if (!organizer || !email || organizer.self || attendees.length === 0) return undefined
  if (isCalendar(email) || attendees.some((guest) => isSameEmail(guest.email, email))) return undefined
  return guestName(organizer, own, known(email))
}
