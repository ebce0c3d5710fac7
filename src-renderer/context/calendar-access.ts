import type { JsonObject } from '#shared/json'

const writers: ReadonlySet<unknown> = new Set(['owner', 'writer', 'writerWithoutPrivateAccess'])

/** True if the user’s role in a calendar, an entry of their list, lets them change its events. */
export const isWritable = (calendar: JsonObject | null | undefined): boolean => writers.has(calendar?.['accessRole'])

/** Why no calendar takes new events, and what to do. @param listed number of calendars in the user’s list */
export const noCalendarWords = (listed: number): string =>
  listed === 0
    ? 'Your calendars haven’t synced yet. Try again after the first sync.'
    : 'You don’t have a calendar you can edit. Add one in the sidebar first.'

/** Roles with their permissions, in ascending order. */
export const roles = [
  { value: 'freeBusyReader', label: 'See only free/busy', may: 'can see when you’re busy, but no details' },
  { value: 'reader', label: 'See all details', may: 'can see all events except private ones' },
  { value: 'writer', label: 'Change events', may: 'can see and change all events' },
  { value: 'owner', label: 'Change and share', may: 'can change events and share the calendar with others' },
] as const

/** Names of roles that can't be chosen. */
const otherRoles: Readonly<Record<string, string>> = {
  writerWithoutPrivateAccess: 'Change events, except private ones',
}

export const roleLabel = (role: string): string =>
  roles.find(({ value }) => value === role)?.label ?? otherRoles[role] ?? (role === 'none' ? 'No access' : role)

/** Short description of a calendar role for the user. */
export const ownRoleWords: Readonly<Record<string, string>> = {
  owner: 'yours',
  writer: 'you can edit',
  writerWithoutPrivateAccess: 'you can edit',
  reader: 'read-only',
  freeBusyReader: 'free/busy only',
}
