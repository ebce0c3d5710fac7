import { parseInstanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import type { ModelRecords } from './records'
import { fail } from './refusal'

/** A calendar in a list has the name of the calendar, which is no new version of it there. */
export function renameListed(records: ModelRecords, { id, summary }: JsonObject): void {
  const { held } = records.shelf('calendarList')
  const listed = held.get(String(id))
  if (listed) held.set(String(id), { ...listed, value: { ...listed.value, summary: summary! } })
}

export function clearCalendar(records: ModelRecords, id: string): void {
  if (!records.find(records.shelf('calendarList'), 'calendarList', id).value.primary)
    fail('invalid', 'Only a primary calendar can be cleared')
  const shelf = records.shelf(`events ${id}`)
  for (const [key, { deleted, value }] of [...shelf.held])
    if (!deleted && !value.recurringEventId) records.remove(shelf, 'events', key)
}

export function moveEvent(records: ModelRecords, params: JsonObject): JsonObject {
  const from = records.shelf(`events ${String(params.calendarId)}`)
  const to = records.shelf(`events ${String(params.destination)}`)
  const id = String(params.eventId)
  const { value, deleted } = records.findAny(from, 'events', id)
  if (deleted) fail('notFound')
  if (value.recurringEventId) fail('invalid', 'Cannot change the organizer of an instance.')
  if (from === to) fail('invalid', 'It is there already')
  if (!records.alive('calendarList', String(params.destination))) fail('notFound')
  if (to.held.get(id) && !to.held.get(id)!.deleted) fail('duplicate')
  const exceptions = [...from.held].filter(([key]) => parseInstanceId(key)?.masterId === id)
  records.remove(from, 'events', id)
  const moved = records.write(to, id, value)
  for (const [key, held] of exceptions) to.put(key, { ...held, ...records.fresh(held.value), deleted: held.deleted })
  return moved
}
