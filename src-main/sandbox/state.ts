import type { JsonObject } from '#shared/json'
import type { Event } from '#shared/wire/calendar/types'
import { openRow, type CalendarRow } from './calendar/access'
import { docOf, foundException, type EventRow, type Found } from './calendar/event-row'
import { viewEvent } from './calendar/event-view'
import type { Person, Service } from './operation'
import { dumpTrafficking } from './trafficking/state'

/**
 * Counts and a canonical dump of a person's data, for comparing a replica with the service: live events by calendar and ID
 * (as events.get returns them, without etag and times of change), live tasks by list and ID, and trafficking objects of
 * the person's accounts by collection and ID.
 */
export function dumpState(service: Service, person: Person): JsonObject {
  const { store } = service
  const events: Record<string, Record<string, Event>> = {}
  const counts = { calendars: 0, events: 0, tombstones: 0, taskLists: 0, tasks: 0 }
  for (const row of store.all<CalendarRow>('SELECT * FROM calendars WHERE deleted = 0 ORDER BY id')) {
    const calendar = openRow(store, person, row)
    if (calendar.role === 'none') continue
    counts.calendars++
    const list: Record<string, Event> = (events[calendar.id] = {})
    const rows = store.all<EventRow>('SELECT * FROM events WHERE calendar = ? ORDER BY id', calendar.id)
    const masters = new Map(rows.filter((event) => !event.master).map((event) => [event.id, event]))
    for (const event of rows) {
      const master = event.master ? masters.get(event.master) : undefined
      const found: Found = master
        ? foundException(event, master)
        : { id: event.id, row: event, doc: docOf(event), cancelled: event.cancelled === 1 }
      const cancelledException = master?.cancelled === 0 && event.cancelled === 1 && event.gone === 0
      if (found.cancelled) counts.tombstones++
      if (found.cancelled && !cancelledException) continue
      if (!found.cancelled) counts.events++
      const {
        etag: _etag,
        updated: _updated,
        created: _created,
        htmlLink: _link,
        ...rest
      } = viewEvent(found, calendar, person)
      list[event.id] = rest
    }
  }
  const taskLists: Record<string, JsonObject> = {}
  for (const row of store.all<{ id: string; data: string }>(
    'SELECT id, data FROM task_lists WHERE person = ? ORDER BY number',
    person.id,
  )) {
    counts.taskLists++
    const tasks: JsonObject = {}
    const sql =
      'SELECT id, parent, position, due, completed, hidden, data FROM tasks WHERE person = ? AND list = ? AND deleted = 0 ORDER BY position, id'
    for (const { data, id, ...columns } of store.all<
      { id: string; data: string } & Record<string, string | number | null>
    >(sql, person.id, row.id)) {
      counts.tasks++
      tasks[id] = { ...(JSON.parse(data) as JsonObject), ...columns, hidden: columns.hidden === 1 }
    }
    taskLists[row.id] = { ...(JSON.parse(row.data) as JsonObject), tasks }
  }
  const trafficking = dumpTrafficking(service, person)
  return { counts, events: events as unknown as JsonObject, taskLists, trafficking }
}
