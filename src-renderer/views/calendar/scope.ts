import { deleteSeries, editSeries, occurrenceCounts, type Scope, type SeriesContext } from '#shared/domain/series-edit'
import { recordKey } from '#shared/domain/collections'
import { sameJson, valuesOf, type Json, type JsonObject } from '#shared/json'
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
 * Adds to changes what their author saw of the event and its series: what was loaded, before any question.
 * @param typed replaces it, for fields that were edited in a form
 */
function basedOn(
  changes: readonly Change[],
  { row, event, master }: Loaded,
  item: CalendarItem,
  typed?: Record<keyof SeenEvent, Upon>,
): Change[] {
  const own = master ? recordKey('events', item.calendarId, item.eventId) : row.key
  return changes.map((change) => {
    if (change.kind !== 'change' && change.kind !== 'delete') return change
    const source = change.key === own ? 'event' : change.key === master?.key ? 'series' : undefined
    if (!source) return change
    const shown = source === 'event' ? row : master!
    // An occurrence that has no row of its own changes with its series.
    const seq = shown.key === change.key ? shown.remoteSeq : undefined
    if (change.kind === 'delete') return seq === undefined ? change : { ...change, upon: { seq, record: shown.value! } }
    const values = valuesOf(source === 'event' ? event : shown.value, Object.keys(change.patch))
    return { ...change, upon: typed?.[source] ?? { seq, values } }
  })
}

/**
 * The changes that apply a patch to the chosen occurrences. Ignores `scope` for single events.
 * @param typed what the author saw of fields that they edited in a form
 */
export function scopedChanges(
  replica: Replica,
  loaded: Loaded,
  item: CalendarItem,
  patch: JsonObject,
  scope: Scope,
  typed?: Record<keyof SeenEvent, Upon>,
): Change[] {
  const context = contextOf(replica, loaded, item)
  const changes: Change[] = context
    ? editSeries(context, patch, scope)
    : [{ kind: 'change', key: loaded.row.key, patch }]
  return basedOn(changes, loaded, item, typed)
}

export function scopedDelete(replica: Replica, loaded: Loaded, item: CalendarItem, scope: Scope): Change[] {
  const context = contextOf(replica, loaded, item)
  const changes: Change[] = context ? deleteSeries(context, scope) : [{ kind: 'delete', key: loaded.row.key }]
  return basedOn(changes, loaded, item)
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
