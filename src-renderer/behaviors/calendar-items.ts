import { keyBeside, parseRecordKey, recordKey } from '#shared/domain/collections'
import { parseInstanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import type { CalendarItem, Row } from '../replica/api'
import type { Memory } from '../replica/memory'
import { derivedRecord } from '../replica/pending'
import { merged, monthOf } from '../replica/window'

/** The zone of a calendar, for times that name none. */
export function zoneOf(memory: Memory, calendarId: string): string | undefined {
  const zone = memory.row(recordKey('calendarList', null, calendarId))?.value?.timeZone
  return typeof zone === 'string' ? zone : undefined
}

/** Items of a calendar in [from, to), by start. `shift`: the same range for all-day events. */
export function itemsBetween(
  memory: Memory,
  from: number,
  to: number,
  shift: { from: number; to: number },
  calendars?: ReadonlySet<string>,
): CalendarItem[] {
  const first = monthOf(Math.min(from, shift.from))
  const last = monthOf(Math.max(to, shift.to) - 1)
  const found: CalendarItem[] = []
  const gone = new Map<string, boolean>()
  const visible = (calendarId: string): boolean => {
    let hidden = gone.get(calendarId)
    if (hidden === undefined) {
      hidden = memory.row(recordKey('calendarList', null, calendarId))?.value === null
      gone.set(calendarId, hidden)
    }
    return !hidden && (!calendars || calendars.has(calendarId))
  }
  const take = (item: CalendarItem): void => {
    const lower = item.allDay ? shift.from : from
    const upper = item.allDay ? shift.to : to
    const touches = item.start < upper && (item.end > lower || (item.end === item.start && item.start >= lower))
    if (touches && visible(item.calendarId)) found.push(item)
  }
  for (let month = first; month <= last; month++) {
    // Months are contiguous, so the result stays ordered by start.
    merged(memory.window.month(month, month === first), memory.series.month(month, month === first)).forEach(take)
  }
  return found
}

/** The event to edit for an item. `own` is the item's row. Occurrences without changes derive from their series. */
export function eventBehind(
  memory: Memory,
  rowKey: string,
  eventId: string,
  own: Row | undefined,
): { row: Row; event: JsonObject; master?: Row } | undefined {
  const instance = parseInstanceId(eventId)
  const master = instance ? memory.row(keyBeside(rowKey, instance.masterId)) : undefined
  if (own?.value) return { row: own, event: own.value, ...(master && { master }) }
  const key = keyBeside(rowKey, eventId)
  const event = derivedRecord(memory, key)
  if (!master || !event) return undefined
  const place = parseRecordKey(key)
  const remoteSeq = memory.remote.of(key)
  const row = { ...place, key, value: event, base: null, complete: false, mark: master.mark, remoteSeq }
  return { row, event, master }
}

/** Keys of every event of a calendar: single ones, series, changed and canceled occurrences. */
export function eventKeys({ window, series, undrawn }: Memory, calendarId: string): string[] {
  const start = recordKey('events', calendarId, '')
  const masters = [...series.keys()].filter((key) => key.startsWith(start))
  const drawn = [...window.keys()].filter((key) => key.startsWith(start))
  return [
    ...new Set([
      ...masters,
      ...masters.flatMap((key) => series.exceptionKeys(key)),
      ...drawn,
      ...[...undrawn].filter((key) => key.startsWith(start)),
    ]),
  ]
}
