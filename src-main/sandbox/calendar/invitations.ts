import { eventFieldsWith } from '#shared/facts/event-fields'
import type { EventAttendee } from '#shared/wire/calendar/types'
import { sameJson } from '#shared/json'
import { occurrenceBySuffix } from '#shared/time/recurrence'
import type { Service } from '../operation'
import type { Store } from '../store'
import { docOf, exceptionsOf, findEvent, findRow, foundException, seriesOf, splitInstanceId } from './event-row'
import type { EventDoc, Found } from './event-row'
import { writeEvent, type Saving } from './event-store'

/**
 * Invitations: an event has a copy, with its ID and iCalUID, in the calendar of every guest whose address belongs to a
 * calendar here. The organizer's event owns the shared fields: the organizer's writes go to the copies, and a guest's
 * allowed changes go to the organizer's event and from there to the others. A copy is written only if it differs.
 */

/** Fields that each copy owns. Everything else is shared. Reminders belong to persons and are stored elsewhere. */
const ownFields = eventFieldsWith(({ ofCopy = false }) => ofCopy) as readonly (
  | 'colorId'
  | 'transparency'
  | 'visibility'
)[]

/** Fields of a guest's own response. */
export const answerFields = ['responseStatus', 'comment', 'additionalGuests', 'displayName'] as const

/** Writes an event and updates all calendars it concerns. Runs inside a transaction. */
export function saveEvent(
  service: Service,
  calendar: string,
  found: Omit<Found, 'cancelled'>,
  doc: EventDoc,
  how: Saving = {},
): Found {
  const { store } = service
  const before = structuredClone(found.doc)
  const wasCancelled = found.row ? found.row.cancelled + found.row.gone > 0 : found.master?.cancelled === 1
  const saved = writeEvent(service, calendar, found, doc, how)
  if (how.silent || saved.row?.moved || !travels(saved)) return saved
  if (isOrganizer(saved.doc, calendar)) {
    deliver(service, calendar, saved.master?.id ?? saved.id, [before, saved.doc], saved)
    return saved
  }
  if (saved.cancelled && wasCancelled) return saved
  if (saved.cancelled) store.put('removed_copies', { calendar, id: saved.id })
  else store.run('DELETE FROM removed_copies WHERE calendar = ? AND id = ?', calendar, saved.id)
  tellOrganizer(service, calendar, before, saved)
  return findEvent(store, calendar, saved.id)!
}

/**
 * Removes an event and leaves a tombstone with its details, or a canceled exception. The organizer's event is removed
 * from all calendars. A guest who removes a copy declines.
 */
export function cancelEvent(service: Service, calendar: string, found: Found): Found {
  return saveEvent(service, calendar, found, found.doc, { cancelled: true })
}

/** Removes all shared events of a calendar before the calendar itself is deleted. */
export function withdrawEvents(service: Service, calendar: string): void {
  const sql = `SELECT DISTINCT coalesce(master, id) AS id FROM events
    WHERE calendar = ? AND cancelled = 0 AND instr(data, '"attendees"') > 0`
  for (const { id } of service.store.all<{ id: string }>(sql, calendar)) {
    const found = findEvent(service.store, calendar, id)
    if (found && !found.cancelled) cancelEvent(service, calendar, found)
  }
}

/** The organizer's event for a guest's copy. Undefined if the organizer doesn't use this service. */
export function originalOf(store: Store, calendar: string, found: Found): Found | undefined {
  const organizer = found.doc.organizer?.email
  if (!organizer || organizer === calendar || !travels(found)) return undefined
  const original = findEvent(store, organizer, found.id)
  const same = original && original.doc.iCalUID === found.doc.iCalUID && isOrganizer(original.doc, organizer)
  const moved = (original?.master ?? original?.row)?.moved === 1
  return same && !moved && travels(original) ? original : undefined
}

export const entryOfGuest = (doc: EventDoc, email: string): EventAttendee | undefined =>
  doc.attendees?.find((attendee) => attendee.email === email)

export const isOrganizer = (doc: EventDoc, calendar: string): boolean => doc.organizer?.email === calendar

/** Returns false for private and imported copies, which aren't shared. Types other than `default` have no guests. */
function travels(found: Found): boolean {
  const row = found.row ?? found.master
  return row?.imported !== 1 && !found.doc.privateCopy && (found.doc.eventType ?? 'default') === 'default'
}

/** Updates the copies of an event: of the whole series, or of the one occurrence that was written. */
export function deliver(
  service: Service,
  organizer: string,
  rootId: string,
  concerned: readonly EventDoc[],
  written?: Found,
): void {
  const { store } = service
  const root = findEvent(store, organizer, rootId)
  if (!root?.row || !travels(root)) return
  const rows = written?.master ? [] : exceptionsOf(store, organizer, rootId)
  const own = rows.map((row) => JSON.parse(row.data) as Partial<EventDoc>)
  const guests = new Set(
    [root.doc, ...concerned, ...own].flatMap((doc) => (doc.attendees ?? []).map((attendee) => attendee.email!)),
  )
  const calendars = [...guests].filter((email) => email !== organizer && isCalendar(store, email))
  if (calendars.length === 0) return
  const exceptions = written?.master ? [written] : rows.map((row) => foundException(row, root.row!, root.doc))
  for (const calendar of calendars) {
    if (isRemoved(store, calendar, rootId) && invites(root, calendar)) continue
    if (!deliverRoot(service, calendar, root)) continue
    for (const exception of exceptions) deliverException(service, calendar, rootId, exception)
  }
}

const isCalendar = (store: Store, id: string): boolean =>
  store.get('SELECT 1 FROM calendars WHERE id = ? AND deleted = 0', id) !== undefined

const isRemoved = (store: Store, calendar: string, id: string): boolean =>
  store.get('SELECT 1 FROM removed_copies WHERE calendar = ? AND id = ?', calendar, id) !== undefined

export const invites = (event: Found, calendar: string): boolean =>
  !event.cancelled && entryOfGuest(event.doc, calendar) !== undefined

/** @returns false if the calendar has an event of its own with this ID or iCalUID, which stays unchanged */
function deliverRoot(service: Service, calendar: string, root: Found): boolean {
  const { store } = service
  const row = findRow(store, calendar, root.id)
  const copy = row && findEvent(store, calendar, root.id)
  if (copy && !isCopyOf(store, copy, root, calendar)) return false
  const imported = 'SELECT 1 FROM events WHERE calendar = ? AND uid = ? AND id <> ? AND imported = 1 AND cancelled = 0'
  if (!copy && store.get(imported, calendar, root.doc.iCalUID ?? '', root.id)) return false
  if (invites(root, calendar)) writeCopy(service, calendar, root, copy ?? { id: root.id })
  else if (copy) withdraw(service, calendar, copy)
  return true
}

function deliverException(service: Service, calendar: string, rootId: string, exception: Found): void {
  const { store } = service
  if (isRemoved(store, calendar, exception.id) && invites(exception, calendar)) return
  const master = findRow(store, calendar, rootId)
  const copy = findEvent(store, calendar, exception.id)
  if (copy && !isCopyOf(store, copy, exception, calendar)) return
  if (!invites(exception, calendar)) {
    if (copy) withdraw(service, calendar, copy)
    return
  }
  // A guest of a single occurrence gets it as a separate event.
  if (!master || master.cancelled || !master.repeats) {
    writeCopy(service, calendar, exception, { id: exception.id, row: copy?.row, doc: copy?.doc })
    return
  }
  const { suffix } = splitInstanceId(exception.id)!
  const occurrence = occurrenceBySuffix(seriesOf(docOf(master)), suffix)
  if (occurrence)
    writeCopy(service, calendar, exception, { id: exception.id, row: copy?.row, doc: copy?.doc, master, occurrence })
}

/** True if a calendar has an event as this one's guest, or had it before the event moved calendars. */
function isCopyOf(store: Store, copy: Found, original: Found, calendar: string): boolean {
  if (copy.doc.iCalUID !== original.doc.iCalUID) return false
  if (copy.row?.moved) return true
  const organizer = copy.doc.organizer?.email
  if (!travels(copy) || organizer === calendar) return false
  return organizer === original.doc.organizer?.email || originalOf(store, calendar, copy) === undefined
}

type Target = Omit<Found, 'cancelled' | 'doc'> & { doc?: EventDoc }

function writeCopy(service: Service, calendar: string, original: Found, target: Target): void {
  const doc = copyOf(original.doc, calendar, target.row?.moved ? undefined : target.doc)
  const here = findEvent(service.store, calendar, target.id)
  const isCurrent = here && !here.cancelled && here.row?.master === (target.master?.id ?? null)
  if (isCurrent && sameJson(here.doc, doc)) return
  if (here && !here.row && !here.cancelled && sameJson(here.doc, doc)) return
  const created = (original.row ?? original.master!).created
  writeEvent(service, calendar, { ...target, doc: target.doc ?? doc }, doc, { created })
}

function withdraw(service: Service, calendar: string, copy: Found): void {
  service.store.run('DELETE FROM removed_copies WHERE calendar = ? AND id = ?', calendar, copy.id)
  if (!copy.cancelled) writeEvent(service, calendar, copy, copy.doc, { cancelled: true })
}

/** The original as it appears in a guest's calendar. */
function copyOf(original: EventDoc, calendar: string, before: EventDoc | undefined): EventDoc {
  const doc: EventDoc = { ...original }
  delete doc.colorId
  if (before) for (const name of ownFields) assign(doc, name, before[name])
  const { shared } = original.extendedProperties ?? {}
  const own = before?.extendedProperties?.private
  assign(
    doc,
    'extendedProperties',
    shared || own ? { ...(own && { private: own }), ...(shared && { shared }) } : undefined,
  )
  if (original.creator?.email !== calendar) delete doc.source
  // Guests who can't see each other don't get each other's data in their copies.
  if (original.guestsCanSeeOtherGuests === false)
    doc.attendees = original.attendees?.filter((attendee) => attendee.email === calendar)
  return doc
}

function assign<Name extends keyof EventDoc>(doc: EventDoc, name: Name, value: EventDoc[Name]): void {
  if (value === undefined) delete doc[name]
  else doc[name] = value
}

/** Applies a guest's changes to the organizer's event: the response, guests, and fields that guests may modify. */
function tellOrganizer(service: Service, calendar: string, before: EventDoc, copy: Found): void {
  const original = originalOf(service.store, calendar, copy)
  if (!original || original.cancelled) return
  const doc: EventDoc = { ...original.doc }
  if (copy.cancelled) doc.attendees = withAnswer(doc.attendees, calendar, { responseStatus: 'declined' })
  else {
    for (const name of Object.keys({ ...before, ...copy.doc }) as Array<keyof EventDoc>) {
      if (keptHere.has(name) || sameJson(before[name], copy.doc[name])) continue
      assign(doc, name, copy.doc[name])
    }
    const shared = copy.doc.extendedProperties?.shared
    if (!sameJson(before.extendedProperties?.shared, shared))
      assign(doc, 'extendedProperties', { ...doc.extendedProperties, shared })
    doc.attendees = mergedGuests(doc.attendees ?? [], before.attendees ?? [], copy.doc.attendees ?? [])
    const answer = entryOfGuest(copy.doc, calendar)
    if (answer) doc.attendees = withAnswer(doc.attendees, calendar, answer)
  }
  if (sameJson(doc, original.doc)) {
    // Revert changes that the guest isn't allowed to make, such as restoring the copy.
    deliver(service, doc.organizer!.email!, original.master?.id ?? original.id, [doc], original)
    return
  }
  saveEvent(service, doc.organizer!.email!, original, doc)
}

/** Fields that aren't copied unchanged: a copy's own, the organizer, and those compared in detail. */
export const keptHere: ReadonlySet<keyof EventDoc> = new Set<keyof EventDoc>([
  ...ownFields,
  'attendees',
  'extendedProperties',
  'organizer',
])

/** The organizer's list with a guest's additions, removals, and changes. */
function mergedGuests(list: EventAttendee[], before: EventAttendee[], after: EventAttendee[]): EventAttendee[] {
  const old = new Map(before.map((attendee) => [attendee.email, attendee]))
  const now = new Map(after.map((attendee) => [attendee.email, attendee]))
  const known = new Set(list.map((attendee) => attendee.email))
  const kept = list
    .filter(({ email }) => !old.has(email) || now.has(email))
    .map((attendee) => {
      const given = now.get(attendee.email)
      return given && !sameJson(given, old.get(attendee.email)) ? given : attendee
    })
  return [...kept, ...after.filter(({ email }) => !known.has(email) && !old.has(email))]
}

function withAnswer(list: EventAttendee[] | undefined, email: string, answer: EventAttendee): EventAttendee[] {
  return (list ?? []).map((attendee) => {
    if (attendee.email !== email) return attendee
    const next: EventAttendee = { ...attendee }
    for (const name of answerFields) if (answer[name] !== undefined) Object.assign(next, { [name]: answer[name] })
    return next
  })
}
