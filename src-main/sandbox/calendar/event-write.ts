import type { ConferenceData, Event, EventAttendee } from '#shared/wire/calendar/types'
import { isJsonObject, sameJson, type JsonObject } from '#shared/json'
import { instantOf } from '#shared/time/event-time'
import { mergePatch } from '../bodies'
import { newId, type Call } from '../operation'
import { duplicate, invalid, type Problem } from '../problems'
import type { OpenCalendar } from './access'
import {
  checkConference,
  checkContent,
  checkEventType,
  checkRecurrence,
  normalAttendees,
  normalReminders,
  normalTimes,
} from './event-rules'
import { withReminders } from './event-store'
import { cancelEvent, saveEvent } from './invitations'
import { requireGuestRights } from './guest-rights'
import { findRow, type EventDoc, type Found } from './event-row'
import { remindersOf } from './event-view'
import { guestsOf, mail } from './mails'
import { Conferences } from './conferences'

interface WriteParams {
  conferenceDataVersion?: number
  supportsAttachments?: boolean
}

/** A new event from a body. @throws Problem 409 for an ID in use, deleted or not. */
export function insertEvent(call: Call, calendar: OpenCalendar, body: Event, imported = false): Found {
  const { store, random } = call.service
  const id = body.id ?? newId(random)
  if (findRow(store, calendar.id, id)) throw duplicate()
  const organizer = imported && body.organizer?.email ? { ...body.organizer } : organizerOf(calendar)
  const doc = {
    ...contentOf(body),
    iCalUID: body.iCalUID ?? `${id}@flightplan.example`,
    creator: { email: call.person.email, displayName: call.person.name },
    organizer,
    sequence: body.sequence ?? 0,
    status: body.status ?? 'confirmed',
    eventType: body.eventType ?? 'default',
  } as EventDoc
  finishDoc(doc, calendar, true)
  if (doc.conferenceData) call.service.of(Conferences).begin(calendar, id, doc, undefined)
  const reminders = withReminders(null, call.person.id, normalReminders(body.reminders))
  const cancelled = doc.status === 'cancelled'
  if (cancelled) doc.status = 'confirmed'
  const found = saveEvent(call.service, calendar.id, { id, doc }, doc, { imported, reminders, cancelled })
  if (!imported) mail(call, calendar, id, doc, 'Invitation', guestsOf(doc))
  return found
}

export const organizerOf = (calendar: OpenCalendar): Event['organizer'] => ({
  email: calendar.id,
  displayName: calendar.data.summary,
})

/**
 * Replaces (update) or merges (patch). Setting the status to canceled deletes the event, and confirmed restores a
 * deleted one.
 */
export function changeEvent(call: Call, calendar: OpenCalendar, found: Found, body: Event, patch: boolean): Found {
  refuseImmutable(found, body)
  const own = body.attendeesOmitted === true ? onlyResponse(call, calendar, found.doc, body) : undefined
  const doc = own ?? (patch ? patched(call, found.doc, body) : replaced(call, found.doc, body))
  if (found.master && doc.recurrence?.length) throw invalid('An instance cannot recur.', 'recurrence')
  const asked = body.status ?? (patch || own ? undefined : 'confirmed')
  const cancel = asked === 'cancelled'
  if (cancel && !found.cancelled) {
    const result = cancelEvent(call.service, calendar.id, found)
    mail(call, calendar, found.id, found.doc, 'Cancelled', guestsOf(found.doc))
    return result
  }
  doc.status = asked && !cancel ? asked : found.doc.status
  if (doc.attendees) doc.attendees = normalAttendees(doc.attendees, found.doc.attendees)
  finishDoc(doc, calendar, false)
  countSequence(doc, found.doc, body)
  const cancelled = found.cancelled && (asked === undefined || cancel)
  requireGuestRights(call.service.store, call.table, calendar, found, doc, cancelled)
  if (patch && !own) checkConference(doc.conferenceData)
  const conference = sameJson(doc.conferenceData, found.doc.conferenceData) ? undefined : doc.conferenceData
  if (conference) call.service.of(Conferences).begin(calendar, found.id, doc, found.doc.conferenceData)
  else if (!doc.conferenceData) delete doc.videoLink

  const stored = found.row?.reminders ?? found.master?.reminders ?? null
  const before = remindersOf(stored, call.person)
  const after = own ? before : nextReminders(before, body, patch)
  const sameDoc = sameJson(doc, found.doc) && cancelled === found.cancelled
  if (sameDoc && sameJson(before, after)) return found
  const reminders = sameJson(before, after) ? undefined : withReminders(stored, call.person.id, after)
  const result = saveEvent(call.service, calendar.id, found, doc, { cancelled, reminders, silent: sameDoc })
  if (!sameDoc) mailChange(call, calendar, found, doc)
  return result
}

/** Fields of a body that are stored unchanged. */
function contentOf(body: Event): Event {
  const {
    id: _id,
    reminders: _reminders,
    etag: _etag,
    kind: _kind,
    attendeesOmitted: _omitted,
    recurringEventId: _master,
    originalStartTime: _original,
    ...content
  } = body
  return content
}

const keptOnUpdate = [
  'creator',
  'organizer',
  'iCalUID',
  'eventType',
  'privateCopy',
  'birthdayProperties',
  'recurringEventId',
  'originalStartTime',
  'sequence',
  'locked',
] as const

function replaced(call: Call, base: EventDoc, body: Event): EventDoc {
  const { conferenceDataVersion, supportsAttachments } = call.params as WriteParams
  const doc: Record<string, unknown> = { ...contentOf(body) }
  const kept: Array<keyof EventDoc> = [...keptOnUpdate]
  if (conferenceDataVersion !== 1) kept.push('conferenceData', 'videoLink')
  else if (doc.conferenceData) kept.push('videoLink')
  if (!supportsAttachments) kept.push('attachments')
  // Only its creator sees `source`, so no one else can have removed it.
  if (base.creator?.email !== call.person.email) kept.push('source')
  for (const name of kept) {
    if (base[name] === undefined) delete doc[name]
    else doc[name] = base[name]
  }
  return doc as unknown as EventDoc
}

function patched(call: Call, base: EventDoc, body: Event): EventDoc {
  const { iCalUID: _uid, ...content } = contentOf(body)
  const doc = mergePatch(base, content as JsonObject)
  if (isJsonObject(body.conferenceData) && doc.conferenceData) {
    const given = body.conferenceData as ConferenceData
    // A new request or a new solution starts afresh instead of mixing with the old conference.
    const fresh =
      given.createRequest?.requestId && given.createRequest.requestId !== base.conferenceData?.createRequest?.requestId
    if (fresh) doc.conferenceData = { createRequest: given.createRequest }
  }
  if (body.source && base.creator?.email !== call.person.email) doc.source = base.source
  return doc
}

/** With attendeesOmitted, only the caller's own entry is stored. */
function onlyResponse(call: Call, calendar: OpenCalendar, base: EventDoc, body: Event): EventDoc {
  const mine = [calendar.id, call.person.email]
  const given = body.attendees?.find((attendee) => mine.includes(attendee.email?.toLowerCase() ?? ''))
  if (!given) return { ...base }
  const email = given.email!.toLowerCase()
  const answer = (old: EventAttendee): EventAttendee => ({
    ...old,
    ...(given.responseStatus ? { responseStatus: given.responseStatus } : {}),
    ...(given.comment !== undefined ? { comment: given.comment } : {}),
    ...(given.additionalGuests !== undefined ? { additionalGuests: given.additionalGuests } : {}),
  })
  return { ...base, attendees: base.attendees?.map((old) => (old.email === email ? answer(old) : old)) }
}

function finishDoc(doc: EventDoc, calendar: OpenCalendar, creating: boolean): void {
  normalTimes(doc, calendar)
  checkRecurrence(doc)
  checkEventType(doc, calendar, creating)
  checkContent(doc)
  if (creating && doc.attendees) doc.attendees = normalAttendees(doc.attendees)
}

function refuseImmutable(found: Found, body: Event): void {
  const { doc } = found
  const refuse = (name: string): Problem => invalid(`${name} cannot be changed.`, name)
  if (body.eventType !== undefined && body.eventType !== (doc.eventType ?? 'default')) throw refuse('eventType')
  if (body.privateCopy !== undefined && body.privateCopy !== (doc.privateCopy ?? false)) throw refuse('privateCopy')
  if (body.recurringEventId !== undefined && body.recurringEventId !== doc.recurringEventId)
    throw refuse('recurringEventId')
  if (body.birthdayProperties?.type !== undefined && body.birthdayProperties.type !== doc.birthdayProperties?.type) {
    throw refuse('birthdayProperties')
  }
  const original = body.originalStartTime
  if (original === undefined) return
  const known = doc.originalStartTime
  if (!known || !original || instantOrNaN(original) !== instantOf(known)) throw refuse('originalStartTime')
}

function instantOrNaN(time: NonNullable<Event['originalStartTime']>): number {
  try {
    return instantOf(time)
  } catch {
    return NaN
  }
}

function countSequence(doc: EventDoc, base: EventDoc, body: Event): void {
  const current = base.sequence ?? 0
  const given = body.sequence ?? current
  if (given < current) {
    throw invalid(
      'Invalid sequence value. The specified sequence number is below the current sequence number of the resource.',
      'sequence',
    )
  }
  const moved = (['start', 'end', 'recurrence'] as const).some((name) => !sameJson(doc[name], base[name]))
  doc.sequence = given > current ? given : moved ? current + 1 : current
}

function nextReminders(
  before: NonNullable<Event['reminders']>,
  body: Event,
  patch: boolean,
): NonNullable<Event['reminders']> {
  const given = body.reminders
  if (!patch || !given) return patch && given === undefined ? before : normalReminders(given ?? undefined)
  if (given.useDefault === true && !given.overrides?.length) return { useDefault: true }
  const merged = mergePatch(before, given as JsonObject)
  if (given.overrides && given.useDefault === undefined) merged.useDefault = false
  return normalReminders(merged)
}

function mailChange(call: Call, calendar: OpenCalendar, found: Found, doc: EventDoc): void {
  const organizes = doc.organizer?.email === calendar.id
  if (!organizes)
    return mail(call, calendar, found.id, doc, 'Response', doc.organizer?.email ? [doc.organizer.email] : [])
  const before = guestsOf(found.doc)
  const after = guestsOf(doc)
  mail(
    call,
    calendar,
    found.id,
    doc,
    'Invitation',
    after.filter((email) => !before.includes(email)),
  )
  mail(
    call,
    calendar,
    found.id,
    doc,
    'Updated',
    after.filter((email) => before.includes(email)),
  )
  mail(
    call,
    calendar,
    found.id,
    doc,
    'Cancelled',
    before.filter((email) => !after.includes(email)),
  )
}
