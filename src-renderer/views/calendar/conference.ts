import { conferenceLink } from '#shared/domain/conference'
import type { JsonObject } from '#shared/json'
import type { Event } from '#shared/wire/calendar/types'

/** The address to join an event's conference, if it has one. */
export const joinLink = (event: Event): string | null => conferenceLink(event as unknown as JsonObject)
