import type { CalendarListEntry } from '#shared/wire/calendar/types'
import type { JsonObject } from '#shared/json'
import { mergePatch } from '../bodies'
import { pageOfRows } from '../cursors'
import { contentEtag, listEtag, requireMatch } from '../etags'
import type { Call, HandlersOf, Person } from '../operation'
import { forbidden, invalid, notFound } from '../problems'
import type { Store } from '../store'
import { atLeast, findCalendar, openCalendar, type OpenCalendar, type Role } from './access'
import { calendarColors, nearestCalendarColor } from './palette'
import { Channels } from '../channels'

interface EntryRow {
  person: string
  calendar: string
  deleted: number
  changed: number
  data: string
}

/** Settings a person stores for a calendar in their own list. */
export type EntryData = Pick<
  CalendarListEntry,
  | 'backgroundColor'
  | 'colorId'
  | 'defaultReminders'
  | 'foregroundColor'
  | 'hidden'
  | 'notificationSettings'
  | 'selected'
  | 'summaryOverride'
>

const rowSql = 'SELECT * FROM entries WHERE person = ? AND calendar = ?'

export function entryOf(store: Store, person: Person, calendar: string): EntryData | undefined {
  const row = store.get<EntryRow>(rowSql, person.id, calendar)
  return row && !row.deleted ? (JSON.parse(row.data) as EntryData) : undefined
}

export function putEntry(store: Store, person: Person, calendar: string, data: EntryData, deleted = false): void {
  store.put('entries', {
    person: person.id,
    calendar,
    deleted: deleted ? 1 : 0,
    changed: store.stamp(),
    data: JSON.stringify(data),
  })
}

function view(store: Store, person: Person, row: EntryRow): CalendarListEntry {
  const calendar = findCalendar(store, person, row.calendar)
  if (row.deleted || !calendar || calendar.role === 'none') {
    const gone = { kind: 'calendar#calendarListEntry', id: row.calendar, deleted: true }
    return { ...gone, etag: contentEtag([row.changed, gone]) }
  }
  const { summary, description, location, timeZone, conferenceProperties, autoAcceptInvitations } = calendar.data
  const data = JSON.parse(row.data) as EntryData
  const colors = calendarColors[data.colorId ?? '']
  const entry: CalendarListEntry = {
    kind: 'calendar#calendarListEntry',
    id: calendar.id,
    summary,
    description,
    location,
    timeZone,
    ...data,
    backgroundColor: data.backgroundColor ?? colors?.background,
    foregroundColor: data.foregroundColor ?? colors?.foreground,
    accessRole: calendar.role as CalendarListEntry['accessRole'],
    defaultReminders: data.defaultReminders ?? [],
    conferenceProperties: conferenceProperties ?? { allowedConferenceSolutionTypes: ['videoMeet'] },
    dataOwner: calendar.primary ? undefined : calendar.owner,
    autoAcceptInvitations,
  }
  if (calendar.primary && calendar.owner === person.email) entry.primary = true
  return { ...entry, etag: contentEtag([row.changed, entry]) }
}

/** @throws Problem 404 if the calendar isn't on the caller's list */
function listed(call: Call, id: string): EntryRow {
  const key = id === 'primary' ? call.person.email : id
  const row = call.service.store.get<EntryRow>(rowSql, call.person.id, key)
  if (!row || row.deleted) throw notFound()
  return row
}

const defaults = { hidden: false, selected: false } as const

/**
 * The stored entry with the body's colors, interpreted according to `colorRgbFormat`.
 * @throws Problem 400 at `colorId`
 */
function withColors(data: EntryData, body: CalendarListEntry, before: EntryData, rgb: boolean | undefined): EntryData {
  const next: EntryData = { ...data, colorId: data.colorId ?? before.colorId }
  if (rgb && (body.backgroundColor || body.foregroundColor)) {
    next.backgroundColor =
      body.backgroundColor ?? before.backgroundColor ?? calendarColors[before.colorId ?? '']?.background
    next.foregroundColor = body.foregroundColor ?? before.foregroundColor ?? '#000000'
    next.colorId = nearestCalendarColor(next.backgroundColor ?? '#9fe1e7')
    return next
  }
  if (body.colorId !== undefined && body.colorId !== null) {
    if (!calendarColors[body.colorId]) throw invalid(`No such calendar colour: ${body.colorId}`, 'colorId')
    delete next.backgroundColor
    delete next.foregroundColor
  } else {
    next.backgroundColor = before.backgroundColor
    next.foregroundColor = before.foregroundColor
  }
  return next
}

function content(body: CalendarListEntry): EntryData {
  const { colorId, defaultReminders, hidden, notificationSettings, selected, summaryOverride } = body
  return { colorId, defaultReminders, hidden, notificationSettings, selected, summaryOverride }
}

function save(call: Call, id: string, data: EntryData, deleted = false): void {
  putEntry(call.service.store, call.person, id, data, deleted)
  call.service.of(Channels).changed(`calendarList:${call.person.id}`)
}

const shown = (call: Call, id: string): CalendarListEntry => view(call.service.store, call.person, listed(call, id))

export const calendarListHandlers: HandlersOf<'calendar.calendarList'> = {
  'calendar.calendarList.list': (call) => {
    const { store } = call.service
    const { minAccessRole, showHidden } = call.params
    const rows = store.all<EntryRow>('SELECT * FROM entries WHERE person = ?', call.person.id)
    const page = pageOfRows(
      call,
      `calendarList:${call.person.id}`,
      rows,
      (row) => row.calendar,
      (row) => {
        const calendar: OpenCalendar | undefined = findCalendar(store, call.person, row.calendar)
        if (!row.deleted && (!calendar || calendar.role === 'none')) return false
        const data = JSON.parse(row.data) as EntryData
        if (data.hidden && !showHidden) return false
        return !minAccessRole || (calendar !== undefined && atLeast(calendar.role, minAccessRole as Role))
      },
    )
    const { rows: kept, ...tokens } = page
    const list = { kind: 'calendar#calendarList', ...tokens, items: kept.map((row) => view(store, call.person, row)) }
    return { ...list, etag: listEtag(list) }
  },

  'calendar.calendarList.get': (call) => shown(call, call.params.calendarId),

  'calendar.calendarList.insert': (call) => {
    const calendar = openCalendar(call, call.body.id!, 'freeBusyReader')
    const before = entryOf(call.service.store, call.person, calendar.id) ?? { colorId: '15' }
    const data = { ...defaults, ...mergePatch(before, content(call.body) as JsonObject) }
    save(call, calendar.id, withColors(data, call.body, before, call.params.colorRgbFormat))
    return shown(call, calendar.id)
  },

  'calendar.calendarList.update': (call) => {
    const row = listed(call, call.params.calendarId)
    requireMatch(call.ifMatch, view(call.service.store, call.person, row).etag!)
    const before = JSON.parse(row.data) as EntryData
    save(
      call,
      row.calendar,
      withColors({ ...defaults, ...dropUndefined(content(call.body)) }, call.body, before, call.params.colorRgbFormat),
    )
    return shown(call, row.calendar)
  },

  'calendar.calendarList.patch': (call) => {
    const row = listed(call, call.params.calendarId)
    requireMatch(call.ifMatch, view(call.service.store, call.person, row).etag!)
    const before = JSON.parse(row.data) as EntryData
    const data = mergePatch(before, content(call.body) as JsonObject)
    save(call, row.calendar, withColors(data, call.body, before, call.params.colorRgbFormat))
    return shown(call, row.calendar)
  },

  'calendar.calendarList.delete': (call) => {
    const row = listed(call, call.params.calendarId)
    if (row.calendar === call.person.email) throw forbidden('The primary calendar cannot be removed from the list.')
    requireMatch(call.ifMatch, view(call.service.store, call.person, row).etag!)
    save(call, row.calendar, JSON.parse(row.data) as EntryData, true)
  },

  'calendar.calendarList.watch': (call) =>
    call.service
      .of(Channels)
      .open(
        call,
        `calendarList:${call.person.id}`,
        `${call.service.baseUrl()}/calendar/v3/users/me/calendarList?alt=json`,
      ),
}

function dropUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<T>
}
