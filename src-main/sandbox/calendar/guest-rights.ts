import type { EventAttendee } from '#shared/wire/calendar/types'
import type { ServiceTable } from '#shared/wire/table'
import { schemaOf } from '#shared/wire/validate'
import { sameJson } from '#shared/json'
import { Problem } from '../problems'
import type { Store } from '../store'
import type { OpenCalendar } from './access'
import type { EventDoc, Found } from './event-row'
import { answerFields, invites, isOrganizer, keptHere, originalOf } from './invitations'

/**
 * Checks what a guest may change in a copy: its own fields, the response, guests with `guestsCanInviteOthers`, and
 * everything with `guestsCanModify`. A guest can't restore a canceled event or one the calendar isn't invited to. Setting
 * an absent field to its default is no change and isn't stored.
 * @throws Problem 403 `forbiddenForNonOrganizer`, located at the field
 */
export function requireGuestRights(
  store: Store,
  table: ServiceTable,
  calendar: OpenCalendar,
  found: Found,
  doc: EventDoc,
  cancelled: boolean,
): void {
  if (isOrganizer(found.doc, calendar.id) || (found.row ?? found.master)?.imported === 1) return
  const original = found.cancelled && !cancelled ? originalOf(store, calendar.id, found) : undefined
  const location =
    original && !invites(original, calendar.id) ? 'status' : refusedField(table, calendar, found.doc, doc)
  if (!location) return
  const message = 'Shared properties can only be changed by the organizer of the event.'
  throw new Problem(403, 'forbiddenForNonOrganizer', message, { domain: 'calendar', location })
}

function refusedField(table: ServiceTable, calendar: OpenCalendar, base: EventDoc, doc: EventDoc): string | undefined {
  if (base.guestsCanModify) return undefined
  const { fields } = schemaOf(table, 'Event')
  const same = (name: keyof EventDoc): boolean => {
    const usual = fields[name]?.default
    return sameJson(base[name] ?? usual, doc[name] ?? usual)
  }
  // `sequence` counts changes, so report the changed fields first.
  const names = [...Object.keys({ ...base, ...doc }).filter((name) => name !== 'sequence'), 'sequence'] as Array<
    keyof EventDoc
  >
  for (const name of names) {
    // `source` belongs to its creator in any calendar, and was checked as such.
    if (keptHere.has(name) || name === 'source') continue
    if (!same(name)) return name
    if (base[name] === undefined) delete doc[name]
    else Object.assign(doc, { [name]: base[name] })
  }
  if (!keepsGuests(calendar.id, base, doc)) return 'attendees'
  const shared = (event: EventDoc): unknown => event.extendedProperties?.shared ?? {}
  return sameJson(shared(base), shared(doc)) ? undefined : 'extendedProperties.shared'
}

/** True if a guest leaves the other guests unchanged. In their own entry, guests may only change the response. */
function keepsGuests(calendar: string, base: EventDoc, doc: EventDoc): boolean {
  const after = new Map(doc.attendees?.map((attendee) => [attendee.email, attendee]))
  const before = new Map(base.attendees?.map((attendee) => [attendee.email, attendee]))
  for (const [email, old] of before) {
    const now = after.get(email)
    if (email === calendar ? now && !sameJson(plain(old, true), plain(now, true)) : !sameJson(plain(old), plain(now)))
      return false
  }
  return base.guestsCanInviteOthers !== false || [...after.keys()].every((email) => before.has(email))
}

/** An entry with its defaults, optionally without the response status. */
function plain(entry: EventAttendee | undefined, withoutAnswer = false): EventAttendee | undefined {
  if (!entry) return undefined
  const said: EventAttendee = { responseStatus: 'needsAction', optional: false, additionalGuests: 0, ...entry }
  if (withoutAnswer) for (const name of answerFields) delete said[name]
  return said
}
