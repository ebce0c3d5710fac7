import { keyBeside, parseRecordKey, recordKey } from '#shared/domain/collections'
import { itemFields, searchText } from '#shared/domain/calendar-item'
import { deriveInstance, parseInstanceId, seriesOf } from '#shared/domain/instances'
import { occurrenceBySuffix } from '#shared/time/recurrence'
import { sameJson, type JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { applyPatch } from '#shared/mutation/fold'
import type { Row } from '../replica/api'
import type { CollectionBehavior, Reach } from '../replica/collection-behavior'
import type { Memory } from '../replica/memory'
import { drawn } from '../replica/window'
import { zoneOf } from './calendar-items'

/** Events form series, whose occurrences become records only when changed. There may be very many of them. */
export const events: CollectionBehavior = {
  mails: true,
  // After a move, the destination calendar organizes the event. A guest's calendar has a copy with the same ID.
  carried: (before, now) => isOriginal(before) && isOriginal(now),
  showsNothingLonger: true,
  newId: (ids) => ids.eventId(),
  children: (memory, key) => memory.series.exceptionKeys(key),
  strays,
  removedWith: (memory, key) => memory.series.exceptionKeys(key),
  reach: {
    lies: 'beside',
    when: ({ kind, base, patch }) =>
      seriesOf(base) !== undefined &&
      (kind === 'delete' || (kind === 'change' && ['recurrence', 'start', 'end'].some((field) => field in patch))),
    has: takesAway,
  },
  contained: (memory, key) => waitingOccurrences(memory, parseRecordKey(key).id),
  waitsFor,
  goesAfter: (context, key, patch) => {
    // A series that changes its times gives its occurrences new IDs: edits of the old ones go first.
    if (!('start' in patch || 'end' in patch || 'recurrence' in patch)) return []
    const { parent, id } = parseRecordKey(key)
    return waitingOccurrences(context.tx.memory, id)
      .filter((entry) => entry.parent === parent && entry.state !== 'needsYou' && entry.group !== context.group)
      .map((entry) => entry.id)
  },
  derived,
  impliedBy,
  isPart: (id) => parseInstanceId(id) !== undefined,
  isPartial: (base) => base.attendeesOmitted === true || base.status === 'cancelled',
  indexed: (id, event) => {
    if (parseInstanceId(id) || Array.isArray(event.recurrence)) return { series: 1 }
    const at = itemFields(id, event, 'UTC')?.start
    return at === undefined ? {} : { at }
  },
  stays: (records, masterKey, key) => {
    const master = records.find((record) => recordKey(record.collection, record.parent, record.id) === masterKey)
    const series = seriesOf(master?.value)
    const instance = series && parseInstanceId(parseRecordKey(key).id)
    return !!instance && occurrenceBySuffix(series, instance.suffix) !== undefined
  },
  place,
  drop: (memory, key) => {
    memory.undrawn.delete(key)
    memory.window.remove(key)
    memory.series.removeMaster(key)
    memory.series.removeException(key, parseRecordKey(key).id)
  },
}

function isOriginal(event: JsonObject | null): boolean {
  const organizer = event?.organizer as JsonObject | undefined
  return organizer === undefined || organizer.self === true
}

/**
 * True for an exception that has no occurrence after an entry, and for a series that someone else split at the same place, whose
 * second half would be created twice.
 */
function takesAway({ memory, entry, record, changed }: Parameters<Reach['has']>[0]): boolean {
  const after = applyPatch(entry.base ?? {}, entry.patch)
  if (record.id === entry.recordId)
    return (
      entry.kind === 'change' &&
      changed?.includes('recurrence') === true &&
      sameJson(record.value?.recurrence, after.recurrence) &&
      memory.outbox.find('waitsFor', entry.id).some(({ kind }) => kind === 'create')
    )
  const instance = parseInstanceId(record.id)
  if (instance?.masterId !== entry.recordId) return false
  if (entry.kind === 'delete') return record.value?.status !== 'cancelled'
  const [before, next] = [seriesOf(entry.base), seriesOf(after)]
  const isIn = (series: typeof before): boolean => !!series && occurrenceBySuffix(series, instance.suffix) !== undefined
  // One of an earlier schedule that someone restored goes as well.
  return (isIn(before) || record.value?.status !== 'cancelled') && !isIn(next)
}

/** The series of an occurrence. */
export const eventIndexes = {
  master: ({ recordId }: OutboxEntry) => {
    const instance = parseInstanceId(recordId)
    return instance ? [instance.masterId] : []
  },
}

/** Pending entries on occurrences of a series, in any calendar. */
const waitingOccurrences = (memory: Memory, masterId: string): OutboxEntry[] =>
  memory.outbox.find('master', masterId).filter((entry) => entry.collection === 'events')

/**
 * An occurrence after its series, as long as that one is on its way; also on its way to this calendar. What asks something is only
 * waited for if the occurrence exists by it alone.
 */
function waitsFor(memory: Memory, key: string): OutboxEntry[] {
  const { parent, id } = parseRecordKey(key)
  const instance = parseInstanceId(id)
  if (!instance) return []
  return memory.outbox.find('record', instance.masterId).filter((entry) => {
    const arrives = entry.action?.name === 'moveEvent' && entry.action.destination === parent
    const same = entry.collection === 'events' && (entry.parent === parent || arrives)
    return same && (entry.state !== 'needsYou' || entry.kind === 'create' || !isSent(memory, key))
  })
}

/** True if the service has an occurrence, or implies it. */
function isSent({ stored }: Memory, key: string): boolean {
  const by = impliedBy(key)
  const series = by === undefined ? undefined : stored.get(by)?.base
  return stored.has(key) || (!!series && derived(series, key) !== null)
}

/** Edited occurrences of times that a change takes from their series. */
function strays(memory: Memory, key: string, patch: JsonObject): string[] {
  const { value } = memory.row(key) ?? {}
  if (!value) return []
  const next = applyPatch(value, patch)
  return memory.series
    .exceptionKeys(key)
    .filter((other) => memory.row(other)?.value && derived(value, other) && !derived(next, other))
}

/** Derives an unchanged occurrence, which has no row, from its series. */
function derived(master: JsonObject, key: string): JsonObject | null {
  const series = seriesOf(master)
  const occurrence = series && occurrenceBySuffix(series, parseInstanceId(parseRecordKey(key).id)!.suffix)
  return occurrence ? deriveInstance(master, occurrence) : null
}

function impliedBy(key: string): string | undefined {
  const instance = parseInstanceId(parseRecordKey(key).id)
  return instance && keyBeside(key, instance.masterId)
}

/** Places an event in the calendar. The body of a single event without pending edits is read from the store on demand. */
function place(memory: Memory, row: Row, value: JsonObject | null, waiting: boolean): boolean {
  const { key, id } = row
  const calendarId = row.parent!
  const zone = zoneOf(memory, calendarId)
  const exception = parseInstanceId(id) !== undefined
  const recurring = !exception && seriesOf(value) !== undefined
  if (exception) memory.series.setException(key, id)
  if (recurring) memory.series.setMaster(key, calendarId, id, value!, row.mark, zone)
  else memory.series.removeMaster(key)
  const fields = recurring || !value ? null : itemFields(id, value, zone)
  if (fields) memory.window.set(key, drawn(key, calendarId, fields, row.mark), searchText(value!))
  else memory.window.remove(key)
  // A canceled one is hidden on purpose.
  if (!fields && !recurring && value && value.status !== 'cancelled') memory.undrawn.add(key)
  else memory.undrawn.delete(key)
  return !(waiting || exception || recurring || row.base?.recurrence)
}
