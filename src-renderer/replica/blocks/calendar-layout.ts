import { itemFields, searchText, type ItemFields } from '#shared/domain/calendar-item'
import type { JsonObject } from '#shared/json'
import type { StoredRow } from '../stored-row'
import type { Cell, Layout } from './layout'

const names = [
  'title',
  'start',
  'end',
  'allDay',
  'masterId',
  'originalStart',
  'timeZone',
  'colorId',
  'eventType',
  'status',
  'response',
  'transparent',
  'fixed',
  'taskId',
] as const satisfies readonly (keyof ItemFields)[]

const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/i

/** True if an event's time is independent of its calendar's time zone. */
const standsAlone = (event: JsonObject): boolean =>
  [event.start, event.end].every((time) => {
    const { date, dateTime, timeZone } = (time ?? {}) as { date?: unknown; dateTime?: unknown; timeZone?: unknown }
    return !!date || !!timeZone || (typeof dateTime === 'string' && hasOffset.test(dateTime))
  })

/** Months since year 0 as text that sorts. */
const slotOf = (instant: number): string => {
  const date = new Date(instant)
  return `${String(date.getUTCFullYear()).padStart(4, '0')}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`
}

/** Single events by the month they start in. Recurring ones and exceptions are needed whole, to expand. */
export const calendarLayout: Layout = {
  keep: 'window',
  slot: ({ series, at, base }: StoredRow) => (series || at === undefined || !standsAlone(base) ? null : slotOf(at)),
  columns: [...names, 'words'],
  shape: 'item 3',
  cells: ({ id, base }) => {
    const fields = itemFields(id, base)
    const cells: Cell[] = names.map((name) => fields?.[name] as Cell)
    cells.push(searchText(base))
    return cells
  },
  item: itemOfCells,
  slots: (from, to) => [slotOf(from), slotOf(Math.max(from, to - 1))],
}

/** Fields for drawing an event, and its searchable words, from its cells. */
function itemOfCells(id: string, cell: (column: number) => Cell): { fields: ItemFields; words: string } {
  const fields: Record<string, unknown> = { eventId: id }
  names.forEach((name, column) => {
    const value = cell(column)
    if (value !== undefined) fields[name] = value
  })
  return { fields: fields as unknown as ItemFields, words: cell(names.length) as string }
}
