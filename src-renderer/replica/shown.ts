import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Place } from '#shared/domain/task-order'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Memory } from './memory'

/** What an edit shows beside its own fields until the service answers. */
type Shows = NonNullable<OutboxEntry['shows']>

/** A task at its place, by a position of our own. */
export function shownByTask(memory: Memory, key: string, place: Place = {}): Shows {
  const { parent: list, id } = parseRecordKey(key)
  const position = memory.taskList(list!).positionAt(place, id)
  return [{ key, patch: { parent: place.parent ?? null, position } }]
}

const sharedFields = ['summary', 'description', 'location', 'timeZone'] as const

/** A calendar's own properties stand in the list of calendars too. */
export function shownByCalendar(collection: CollectionName, id: string, patch: JsonObject, created: boolean): Shows {
  if (collection !== 'calendars') return []
  const shown: JsonObject = {}
  for (const field of sharedFields) if (patch[field] !== undefined) shown[field] = patch[field]
  if (created) Object.assign(shown, { id, accessRole: 'owner', selected: true, defaultReminders: [] })
  return Object.keys(shown).length > 0 ? [{ key: recordKey('calendarList', null, id), patch: shown }] : []
}
