import { instantOf, isAllDay, type EventTime } from '#shared/time/event-time'
import type { JsonObject } from '#shared/json'
import { fixedBy, type Fixed } from './guest-rights'
import { parseInstanceId } from './instances'
import { textOf } from './search'
import { taskIdOf } from './time-blocks'

/** Fields of an event that calendars draw. Times are epoch milliseconds, all-day events use UTC midnights. */
export interface ItemFields {
  /** The instance ID for an occurrence, else the event ID. */
  eventId: string
  masterId?: string
  originalStart?: EventTime
  title: string
  allDay: boolean
  start: number
  end: number
  timeZone?: string
  colorId?: string
  eventType: string
  status: 'confirmed' | 'tentative'
  /** The user's own answer, if invited. */
  response?: 'needsAction' | 'declined' | 'tentative' | 'accepted'
  transparent: boolean
  /** Reason why the time can’t be changed. */
  fixed?: Fixed
  /** ID of the task that a time block is for. */
  taskId?: string
}

/** Key of an event's visible content, equal for identical copies in several calendars. */
export const contentKey = ({ eventId, title, start, end, allDay }: ItemFields): string =>
  [eventId, title, start, end, allDay].join('\n')

interface Guest {
  self?: boolean
  responseStatus?: ItemFields['response']
}

/** Returns null for an event that can't be drawn: canceled, or with unreadable times. */
export function itemFields(id: string, event: JsonObject, fallbackZone?: string): ItemFields | null {
  if (event.status === 'cancelled' || !event.start) return null
  const start = event.start as unknown as EventTime
  const end = (event.end ?? event.start) as unknown as EventTime
  try {
    const from = instantOf(start, fallbackZone)
    const to = Math.max(from, instantOf(end, end.timeZone ?? start.timeZone ?? fallbackZone))
    const guests = Array.isArray(event.attendees) ? (event.attendees as unknown as Guest[]) : []
    const taskId = taskIdOf(event)
    const fixed = fixedBy(event)
    const instance = typeof event.recurringEventId === 'string' ? parseInstanceId(id) : undefined
    return {
      eventId: id,
      ...(typeof event.recurringEventId === 'string' && { masterId: event.recurringEventId }),
      ...(instance && event.originalStartTime && { originalStart: event.originalStartTime as unknown as EventTime }),
      title: typeof event.summary === 'string' ? event.summary : hidesDetails(event) ? 'Busy' : '',
      allDay: isAllDay(start),
      start: from,
      end: to,
      ...(start.timeZone && { timeZone: start.timeZone }),
      ...(typeof event.colorId === 'string' && { colorId: event.colorId }),
      eventType: typeof event.eventType === 'string' ? event.eventType : 'default',
      status: event.status === 'tentative' ? 'tentative' : 'confirmed',
      ...(guests.length > 0 && responseOf(guests)),
      transparent: event.transparency === 'transparent',
      ...(fixed && { fixed }),
      ...(taskId !== undefined && { taskId }),
    }
  } catch {
    return null
  }
}

/** True for an event of which the service shows only the time. Other stored events name their creator. */
const hidesDetails = ({ visibility, creator, created }: JsonObject): boolean =>
  (visibility === 'private' || visibility === 'confidential') && creator === undefined && created !== undefined

function responseOf(guests: readonly Guest[]): Pick<ItemFields, 'response'> {
  const response = guests.find((guest) => guest.self)?.responseStatus
  return response ? { response } : {}
}

const limit = 600

/** Searchable text of an event: title, place, and description without markup. */
export function searchText(event: JsonObject): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const description = text(event.description)
    .slice(0, 4 * limit)
    .replace(/<[^>]*>/g, ' ')
    .slice(0, limit)
  return textOf(text(event.summary), text(event.location), description)
}
