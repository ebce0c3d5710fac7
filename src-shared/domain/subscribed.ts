/** Start of the IDs of calendars that are subscribed to by address. No service has them. */
const prefix = 'subscribed:'

export const subscribedId = (name: string): string => prefix + name

/** True for a calendar that only exists on this computer and is never edited or sent. */
export const isSubscribed = (calendarId: string | null | undefined): boolean => calendarId?.startsWith(prefix) === true
