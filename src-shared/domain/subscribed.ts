/** Prefix of the IDs of calendars subscribed to by address, which no service has. */
const prefix = 'subscribed:'

export const subscribedId = (name: string): string => prefix + name

/** True for a calendar that only exists on this computer and is never edited or sent. */
export const isSubscribed = (calendarId: string | null | undefined): boolean => calendarId?.startsWith(prefix) === true
