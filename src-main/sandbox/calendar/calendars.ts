import type { Calendar } from '#shared/wire/calendar/types'
import type { JsonObject } from '#shared/json'
import { mergePatch } from '../bodies'
import { requireMatch, stampEtag } from '../etags'
import { newId, type Call, type HandlersOf, type Service } from '../operation'
import { people, personByEmail } from '../people'
import { Problem, forbidden, invalid, required } from '../problems'
import { openCalendar, type OpenCalendar } from './access'
import { putRule } from './acl'
import { entryOf, putEntry } from './calendar-list'
import { cancelEvent, withdrawEvents } from './invitations'
import { docOf, type EventRow } from './event-row'
import { Channels } from '../channels'

function view(calendar: OpenCalendar): Calendar {
  return {
    kind: 'calendar#calendar',
    etag: stampEtag(calendar.changed),
    id: calendar.id,
    conferenceProperties: { allowedConferenceSolutionTypes: ['videoMeet'] },
    ...calendar.data,
    ...(calendar.primary ? {} : { dataOwner: calendar.owner }),
  }
}

export function putCalendar(service: Service, calendar: Omit<OpenCalendar, 'role' | 'changed'>, deleted = false): void {
  const { store } = service
  store.put('calendars', {
    id: calendar.id,
    owner: calendar.owner,
    is_primary: calendar.primary ? 1 : 0,
    deleted: deleted ? 1 : 0,
    changed: store.stamp(),
    data: JSON.stringify(calendar.data),
  })
}

function content(body: Calendar): Calendar {
  const { id: _id, etag: _etag, kind: _kind, ...rest } = body
  return rest
}

function save(call: Call, calendar: OpenCalendar, data: Calendar): Calendar {
  if (!data.summary) throw required('summary')
  const next = { ...calendar, data: { ...data, timeZone: data.timeZone ?? calendar.data.timeZone } }
  putCalendar(call.service, next)
  return view(openCalendar(call, calendar.id, 'owner'))
}

const primaryOnly = (message: string): Problem => invalid(message, 'calendarId')

export const calendarHandlers: HandlersOf<'calendar.calendars'> = {
  'calendar.calendars.get': (call) => view(openCalendar(call, call.params.calendarId, 'freeBusyReader')),

  'calendar.calendars.insert': (call) => {
    const { service, person } = call
    const zone = service.store.get<{ value: string }>(
      'SELECT value FROM settings WHERE person = ? AND id = ?',
      person.id,
      'timezone',
    )
    if (!call.body.summary) throw required('summary')
    const id = `c_${newId(service.random, 32)}@group.calendar.flightplan.example`
    const data = { ...content(call.body), timeZone: call.body.timeZone ?? zone?.value ?? 'UTC' }
    putCalendar(service, { id, owner: person.email, primary: false, data })
    putRule(service, id, `user:${person.email}`, 'owner')
    putEntry(service.store, person, id, {
      colorId: String(1 + Math.floor(service.random() * 24)),
      selected: true,
      hidden: false,
    })
    service.of(Channels).changed(`calendarList:${person.id}`)
    return view(openCalendar(call, id, 'owner'))
  },

  'calendar.calendars.update': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'owner')
    requireMatch(call.ifMatch, stampEtag(calendar.changed))
    return save(call, calendar, { summary: calendar.data.summary, ...content(call.body) })
  },

  'calendar.calendars.patch': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'owner')
    requireMatch(call.ifMatch, stampEtag(calendar.changed))
    return save(call, calendar, mergePatch(calendar.data, content(call.body) as JsonObject))
  },

  'calendar.calendars.delete': (call) => {
    const { service } = call
    const calendar = openCalendar(call, call.params.calendarId, 'owner')
    if (calendar.primary) throw forbidden('A primary calendar cannot be deleted; clear it instead.')
    requireMatch(call.ifMatch, stampEtag(calendar.changed))
    withdrawEvents(service, calendar.id)
    for (const person of people) {
      const entry = entryOf(service.store, person, calendar.id)
      if (!entry) continue
      putEntry(service.store, person, calendar.id, entry, true)
      service.of(Channels).changed(`calendarList:${person.id}`)
    }
    putCalendar(service, calendar, true)
    service.of(Channels).changed(`events:${calendar.id}`, 'not_exists')
  },

  'calendar.calendars.clear': (call) => {
    const { service } = call
    const calendar = openCalendar(call, call.params.calendarId, 'owner')
    if (!calendar.primary) throw primaryOnly('Only a primary calendar can be cleared.')
    const rows = service.store.all<EventRow>(
      'SELECT * FROM events WHERE calendar = ? AND cancelled = 0 AND master IS NULL',
      calendar.id,
    )
    for (const row of rows) cancelEvent(service, calendar.id, { id: row.id, row, doc: docOf(row), cancelled: false })
  },

  'calendar.calendars.transferOwnership': (call) => {
    const { service } = call
    const calendar = openCalendar(call, call.params.calendarId, 'owner')
    if (calendar.primary) throw primaryOnly('The ownership of a primary calendar cannot be transferred.')
    const owner = personByEmail(call.params.newDataOwner)
    if (!owner) throw invalid('The new data owner must be a user of the same organization.', 'newDataOwner')
    putCalendar(service, { ...calendar, owner: owner.email })
    putRule(service, calendar.id, `user:${owner.email}`, 'owner')
    if (!entryOf(service.store, owner, calendar.id)) {
      putEntry(service.store, owner, calendar.id, { colorId: '15', selected: true, hidden: false })
      service.of(Channels).changed(`calendarList:${owner.id}`)
    }
  },
}
