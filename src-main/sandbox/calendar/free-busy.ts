import type { FreeBusyCalendar, FreeBusyGroup, FreeBusyResponse } from '#shared/wire/calendar/types'
import { instantOf } from '#shared/time/event-time'
import { instantOfWall, isZone, rfc3339 } from '#shared/time/zones'
import type { Call } from '../operation'
import { Problem, invalid, required } from '../problems'
import type { Store } from '../store'
import { findCalendar, type OpenCalendar } from './access'
import { boundsOf, instancesOf } from './event-list'
import { docOf, findRow, foundException, type EventDoc, type EventRow } from './event-row'

const limits = { calendars: 50, members: 100 }

const failed = (reason: string): { errors: FreeBusyCalendar['errors'] } => ({ errors: [{ domain: 'global', reason }] })

/** Busy times of calendars and groups. Failures are errors of their entries, the response stays 200. */
export function queryFreeBusy(call: Call<'calendar.freebusy.query'>): FreeBusyResponse {
  const { timeMin, timeMax, timeZone = 'UTC', items = [] } = call.body
  if (!timeMin) throw required('timeMin', 'Missing timeMin parameter.')
  if (!timeMax) throw required('timeMax', 'Missing timeMax parameter.')
  if (!isZone(timeZone)) throw invalid('Invalid time zone.', 'timeZone')
  const from = instantIn(timeMin, timeZone, 'timeMin')
  const to = instantIn(timeMax, timeZone, 'timeMax')
  if (to <= from) {
    throw new Problem(400, 'timeRangeEmpty', 'The specified time range is empty.', {
      domain: 'calendar',
      location: 'timeMax',
    })
  }
  const calendars: Record<string, FreeBusyCalendar> = {}
  const groups: Record<string, FreeBusyGroup> = {}
  const { store } = call.service
  const wanted: string[] = []
  for (const { id } of items) {
    if (!id) throw required('items.id')
    const members = store.all<{ member: string }>('SELECT member FROM groups WHERE email = ? ORDER BY member', id)
    if (members.length === 0) wanted.push(id)
    else if (members.length > (call.body.groupExpansionMax ?? limits.members)) groups[id] = failed('groupTooBig')
    else {
      groups[id] = { calendars: members.map(({ member }) => member) }
      wanted.push(...members.map(({ member }) => member))
    }
  }
  const unique = [...new Set(wanted)]
  const most = call.body.calendarExpansionMax ?? limits.calendars
  unique.forEach((id, index) => {
    if (index >= most) {
      calendars[id] = { ...failed('tooManyCalendarsRequested'), busy: [] }
      return
    }
    const calendar = visible(call, id)
    if (!calendar) calendars[id] = { ...failed('notFound'), busy: [] }
    else {
      const busy = busyTimes(store, calendar, from, to).map(([start, end]) => ({
        start: rfc3339(start, timeZone),
        end: rfc3339(end, timeZone),
      }))
      calendars[id] = { busy }
    }
  })
  return {
    kind: 'calendar#freeBusy',
    timeMin: new Date(from).toISOString(),
    timeMax: new Date(to).toISOString(),
    ...(Object.keys(groups).length > 0 ? { groups } : {}),
    calendars,
  }
}

/** Colleagues see each other's free/busy times, as within one organization. */
function visible(call: Call, id: string): OpenCalendar | undefined {
  const calendar = findCalendar(call.service.store, call.person, id)
  if (!calendar) return undefined
  return calendar.role !== 'none' || calendar.primary ? calendar : undefined
}

function instantIn(text: string, zone: string, location: string): number {
  try {
    return instantOf({ dateTime: text.toUpperCase(), timeZone: zone })
  } catch {
    throw invalid(`Invalid time: ${text}`, location)
  }
}

/** Merged and sorted. Transparent, declined, and canceled events aren't busy. */
export function busyTimes(store: Store, calendar: OpenCalendar, from: number, to: number): Array<[number, number]> {
  const bounds = boundsOf({}, calendar)
  const zone = calendar.data.timeZone
  const window = {
    ...bounds,
    ...boundsOf({ timeMin: new Date(from).toISOString(), timeMax: new Date(to).toISOString() }, calendar),
  }
  const dayMs = 86_400_000
  const found: Array<[number, number]> = []
  const add = (doc: EventDoc, allDay: boolean, starts: number, ends: number): void => {
    if (doc.transparency === 'transparent') return
    if (doc.attendees?.some((attendee) => attendee.email === calendar.id && attendee.responseStatus === 'declined'))
      return
    const [start, end] = allDay ? [instantOfWall(starts, zone), instantOfWall(ends, zone)] : [starts, ends]
    const clipped: [number, number] = [Math.max(start, from), Math.min(end, to)]
    if (clipped[0] < clipped[1]) found.push(clipped)
  }
  const changed = new Set<string>()
  for (const { id } of store.all<{ id: string }>(
    'SELECT id FROM events WHERE calendar = ? AND master IS NOT NULL AND gone = 0',
    calendar.id,
  ))
    changed.add(id)
  const single =
    'SELECT * FROM events WHERE calendar = ? AND repeats = 0 AND cancelled = 0 AND gone = 0 AND starts < ? AND ends > ?'
  for (const row of store.all<EventRow>(single, calendar.id, to + dayMs, from - dayMs)) {
    const master = row.master ? findRow(store, calendar.id, row.master) : undefined
    add(master ? foundException(row, master).doc : docOf(row), row.all_day === 1, row.starts, row.ends)
  }
  const series = 'SELECT * FROM events WHERE calendar = ? AND repeats = 1 AND cancelled = 0 AND starts < ? AND ends > ?'
  for (const row of store.all<EventRow>(series, calendar.id, to + dayMs, from - dayMs)) {
    for (const instance of instancesOf(row, window, store.now)) {
      if (!changed.has(instance.id))
        add(instance.doc, row.all_day === 1, instance.occurrence!.start, instance.occurrence!.end)
    }
  }
  const merged: Array<[number, number]> = []
  for (const [start, end] of found.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}
