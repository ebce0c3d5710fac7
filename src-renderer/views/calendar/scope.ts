import { deleteSeries, editSeries, occurrenceCounts, type Scope, type SeriesContext } from '#shared/domain/series-edit'
import { recordKey } from '#shared/domain/collections'
import { sameJson, type Json, type JsonObject } from '#shared/json'
import { instantOf, type EventTime } from '#shared/time/event-time'
import type { CalendarItem, Change, Replica, Row, Upon } from '../../replica/api'

export type { Scope } from '#shared/domain/series-edit'

export const scopeWords: Readonly<Record<Scope, string>> = {
  this: 'This event',
  following: 'This and following events',
  all: 'All events',
}

/** For several events, each with its own series. */
export const severalScopeWords: Readonly<Record<Scope, string>> = {
  this: 'Only the selected events',
  following: 'Selected and following events',
  all: 'All events in their series',
}

/** Result of `readItem`. */
export interface Loaded {
  row: Row
  event: JsonObject
  master?: Row
}

/** Values of fields of an event and of its series, as its author saw them. */
export interface SeenEvent {
  event: Record<string, Json>
  series: Record<string, Json>
}

function contextOf(replica: Replica, { master }: Loaded, item: CalendarItem): SeriesContext | null {
  if (!master?.value) return null
  return {
    calendarId: item.calendarId,
    masterId: master.id,
    master: { ...master.value, id: master.id },
    exceptions: replica.exceptions(master.key).map(({ id, value }) => ({ id, value })),
    eventId: item.eventId,
    newId: () => replica.newEventId(),
  }
}

/**
 * The changes that apply a patch to the chosen occurrences. Ignores `scope` for single events.
 * @param seen what the author saw, if that may have changed since
 */
export function scopedChanges(
  replica: Replica,
  loaded: Loaded,
  item: CalendarItem,
  patch: JsonObject,
  scope: Scope,
  seen?: Record<keyof SeenEvent, Upon>,
): Change[] {
  const context = contextOf(replica, loaded, item)
  const changes: Change[] = context
    ? editSeries(context, patch, scope)
    : [{ kind: 'change', key: loaded.row.key, patch }]
  if (!seen) return changes
  const own = context ? recordKey('events', item.calendarId, item.eventId) : loaded.row.key
  return changes.map((change) => {
    if (change.kind !== 'change') return change
    if (change.key === own) return { ...change, upon: seen.event }
    return change.key === loaded.master?.key ? { ...change, upon: seen.series } : change
  })
}

export function scopedDelete(replica: Replica, loaded: Loaded, item: CalendarItem, scope: Scope): Change[] {
  const context = contextOf(replica, loaded, item)
  return context ? deleteSeries(context, scope) : [{ kind: 'delete', key: loaded.row.key }]
}

/** True if an occurrence already differs from its series in what a patch changes. It’s then changed on its own. */
export function differsFromSeries({ event, master }: Loaded, patch: JsonObject): boolean {
  if (!master?.value) return false
  const series = master.value
  return Object.keys(patch).some((field) =>
    field === 'start' || field === 'end' ? movedFromRule(event, series) : !sameJson(event[field], series[field]),
  )
}

function movedFromRule(event: JsonObject, series: JsonObject): boolean {
  const zone = (series['start'] as EventTime).timeZone ?? 'UTC'
  const at = (time: unknown): number => instantOf(time as EventTime, zone)
  if (!event['originalStartTime']) return false
  return (
    at(event['start']) !== at(event['originalStartTime']) ||
    at(event['end']) - at(event['start']) !== at(series['end']) - at(series['start'])
  )
}

/** Returns the number of occurrences per scope, undefined if endless. Empty for a single event. */
export function scopeCounts(
  replica: Replica,
  loaded: Loaded,
  item: CalendarItem,
): Partial<Record<Scope, number | undefined>> {
  const context = contextOf(replica, loaded, item)
  return context ? occurrenceCounts(context) : {}
}
