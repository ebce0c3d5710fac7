import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { CalendarItem, Change, Row } from '../../replica/api'
import type { Entry } from './layout/entry'

/** Which occurrences of a repeating event an edit is for. */
export type Scope = 'this' | 'following' | 'all'

export const scopeWords: Readonly<Record<Scope, string>> = {
  this: 'This event',
  following: 'This and following events',
  all: 'All events',
}

interface Loaded {
  row: Row
  event: JsonObject
  master?: Row
}

/** The changes of the replica that bring a patch to the chosen occurrences. */
export function scopedChanges(loaded: Loaded, item: CalendarItem, patch: JsonObject, scope: Scope): Change[] {
  void item
  void scope
  return [{ kind: 'change', key: loaded.row.key, patch }]
}

export function scopedDelete(loaded: Loaded, item: CalendarItem, scope: Scope): Change[] {
  void scope
  return [{ kind: 'delete', key: loaded.master ? recordKey('events', item.calendarId, item.eventId) : loaded.row.key }]
}

export function occurrenceCounts(loaded: Loaded, entry: Entry): Partial<Record<Scope, number | undefined>> {
  void loaded
  void entry
  return {}
}
