import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { services } from '#shared/wire/services'
import type { CalendarListEntry } from '#shared/wire/calendar/types'
import type { Replica, Row } from '../../replica/api'
import { byName } from '../../ui/by-name'
import { plainColor } from '../../ui/colors'
import { isWritable } from '../../context/calendar-access'
import { calendarName } from '../../context/calendar-name'

/** A calendar of the user's list, as the views need it. */
export interface CalendarInfo {
  id: string
  name: string
  color: string
  primary: boolean
  /** May its events be changed? */
  writable: boolean
  role: string
  timeZone?: string
  defaultReminders: NonNullable<CalendarListEntry['defaultReminders']>
  /** Conference kinds it allows. */
  conferences: readonly string[]
  row: Row
}

/** ID of a calendar that may have been created here: sending it gives it another one. */
export const currentCalendarId = (replica: Pick<Replica, 'realKey'>, id: string): string =>
  parseRecordKey(replica.realKey(recordKey('calendarList', null, id))).id

/**
 * Omits hidden and deleted calendars.
 * @param order IDs in the user’s order. Others follow: the primary one, then writable ones, then by name
 */
export function calendarsOf(rows: readonly Row[], order: readonly string[] = []): CalendarInfo[] {
  const places = new Map(order.map((id, at) => [id, at]))
  const placeOf = ({ id }: CalendarInfo): number => places.get(id) ?? order.length
  const found: CalendarInfo[] = []
  for (const row of rows) {
    const entry = row.value as CalendarListEntry | null
    if (!entry || entry.deleted || entry.hidden) continue
    found.push({
      id: row.id,
      name: calendarName(row),
      color: entry.backgroundColor ?? plainColor,
      primary: entry.primary === true,
      writable: isWritable(row.value),
      role: entry.accessRole ?? 'reader',
      ...(entry.timeZone && { timeZone: entry.timeZone }),
      defaultReminders: entry.defaultReminders ?? [],
      conferences: entry.conferenceProperties?.allowedConferenceSolutionTypes ?? ['videoMeet'],
      row,
    })
  }
  return found.sort(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      Number(b.primary) - Number(a.primary) ||
      Number(b.writable) - Number(a.writable) ||
      byName(a, b),
  )
}

/** The IDs after one took the place of another. */
export function reordered(ids: readonly string[], id: string, place: string): string[] {
  const at = ids.indexOf(place)
  const others = ids.filter((one) => one !== id)
  return [...others.slice(0, at), id, ...others.slice(at)]
}

/** The service's event colors by ID, used until `colors.get` has answered. Version 3 has always had these. */
export const eventColors: Readonly<Record<string, { name: string; color: string }>> = {
  '1': { name: 'Lavender', color: '#a4bdfc' },
  '2': { name: 'Sage', color: '#7ae7bf' },
  '3': { name: 'Grape', color: '#dbadff' },
  '4': { name: 'Flamingo', color: '#ff887c' },
  '5': { name: 'Banana', color: '#fbd75b' },
  '6': { name: 'Tangerine', color: '#ffb878' },
  '7': { name: 'Peacock', color: '#46d6db' },
  '8': { name: 'Graphite', color: '#e1e1e1' },
  '9': { name: 'Blueberry', color: '#5484ed' },
  '10': { name: 'Basil', color: '#51b749' },
  '11': { name: 'Tomato', color: '#dc2127' },
}

/** Background colors by event color ID from an answer to `colors.get`. Empty without an answer. */
export function colorsOf(answer: unknown): Record<string, string> {
  const event = (answer as { event?: Record<string, { background?: unknown }> } | null)?.event ?? {}
  const found: Record<string, string> = {}
  for (const [id, { background }] of Object.entries(event)) {
    if (typeof background === 'string') found[id] = background
  }
  return found
}

export const calendarTable = services.calendar
