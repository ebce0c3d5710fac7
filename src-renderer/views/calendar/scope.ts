import {
  deleteSeries,
  editSeries,
  lostOccurrences,
  occurrenceCounts,
  type Exception,
  type Scope,
  type SeriesContext,
} from '#shared/domain/series-edit'
import { fixesDays } from '#shared/domain/series-shift'
import { recordKey } from '#shared/domain/collections'
import { fixedBy } from '#shared/domain/guest-rights'
import { sameJson, valuesOf, type Json, type JsonObject } from '#shared/json'
import { parseInstanceId } from '#shared/domain/instances'
import { instantOf, type EventTime } from '#shared/time/event-time'
import { wallOfInstant } from '#shared/time/zones'
import { firstNames, listWords } from '#shared/list-words'
import { counted } from '../../ui/counted'
import { dayOf, shortDate } from '../../ui/dates'
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

/**
 * Scopes that an edit of events can have, none if they don’t repeat. Rules belong to the series, and only who may change
 * them can split it. A series moves to another calendar as a whole.
 */
export function scopesFor(events: readonly Loaded[], patch: JsonObject = {}, movesCalendar = false): Scope[] {
  const series = events.flatMap(({ master }): JsonObject[] => (master?.value ? [master.value] : []))
  if (series.length === 0) return []
  if (!movesCalendar && events.some((one) => leavesRule(one, patch))) return ['this']
  const scopes: Scope[] = movesCalendar
    ? ['all']
    : 'recurrence' in patch
      ? ['following', 'all']
      : ['this', 'following', 'all']
  return series.some(fixedBy) ? scopes.filter((scope) => scope !== 'following') : scopes
}

/** True if a patch moves an occurrence to another day, and its series has a rule whose days can't be moved. */
export function leavesRule({ event, master }: Loaded, patch: JsonObject): boolean {
  const lines = master?.value?.['recurrence']
  if (!Array.isArray(lines) || !patch['start'] || 'recurrence' in patch) return false
  const dayIn = (time: EventTime): number => {
    const zone = time.timeZone ?? 'UTC'
    return dayOf(wallOfInstant(instantOf(time, zone), zone))
  }
  return dayIn(patch['start'] as EventTime) !== dayIn(event['start'] as EventTime) && fixesDays(lines as string[])
}

/** Why a move is only possible for the occurrence itself. */
export const onlyThis: Losses = {
  this: 'The recurrence rule sets the days of the others. To move them, edit the rule.',
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

function lostFrom(context: SeriesContext, patch: JsonObject, scope: Scope): Exception[] {
  try {
    return lostOccurrences(context, patch, scope)
  } catch {
    // The series doesn't have the occurrence, which can only change on its own.
    return []
  }
}

/** Days of edited occurrences that an edit deletes, because the changed series doesn’t have them. */
export function lostDays(
  replica: Replica,
  loaded: Loaded,
  item: CalendarItem,
  patch: JsonObject,
  scope: Scope,
  zone: string,
): number[] {
  const context = contextOf(replica, loaded, item)
  // Without any, it's not worth expanding the series.
  if (!context || context.exceptions.length === 0) return []
  return lostFrom(context, patch, scope).map(({ id, value }) => {
    const start = value?.['start'] as EventTime | undefined
    const at = start ? instantOf(start, zone) : parseInstanceId(id)!.instant
    return dayOf(start?.date ? at : wallOfInstant(at, zone))
  })
}

/** Text about deletions of an edit in each scope. */
export type Losses = Partial<Record<Scope, string>>

export function scopeLosses(daysOf: (scope: Scope) => readonly number[], thisYear: number): Losses {
  const losses: Losses = {}
  for (const scope of ['following', 'all'] as const) {
    const days = [...daysOf(scope)].sort((a, b) => a - b).map((day) => shortDate(day, thisYear))
    if (days.length > 0)
      losses[scope] = `Deletes ${counted(days.length, 'edited occurrence')}: ${listWords(firstNames(days))}`
  }
  return losses
}
