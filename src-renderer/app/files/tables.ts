import type { CalendarItem, Row } from '../../replica/api'
import type { ShownTable } from '../../context/export-table'
import { wallOfInstant } from '#shared/time/zones'
import { dateText } from '#shared/time/event-time'
import { clockText, dayMs, dayOf, durationText } from '../../ui/dates'
import { markWords } from '../../ui/marks'

export interface Table {
  columns: string[]
  rows: (string | number | boolean | null)[][]
}

const dayHeads = new Set(['Date', 'End date', 'Due', 'Completed'])

/** Prepares a table for export, with dates and booleans in words. */
export function shownTable(
  { columns, rows }: Table,
  about: Pick<ShownTable, 'title' | 'about' | 'suggestedName'>,
): ShownTable {
  return {
    ...about,
    columns: columns.map((head) => ({ head, kind: dayHeads.has(head) ? 'day' : 'text' })),
    length: rows.length,
    of: rows.length,
    rows: (from, count) =>
      rows
        .slice(from, from + count)
        .map((row) =>
          row.map((cell) => (typeof cell === 'boolean' ? (cell ? 'Yes' : 'No') : cell === '' ? null : cell)),
        ),
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Tasks of these lists, parents before their subtasks, in the service's order. */
export function taskTable(tasks: readonly Row[], lists: ReadonlyMap<string, string>): Table {
  const shown = tasks.filter(
    (row) => row.value && row.value['deleted'] !== true && row.value['hidden'] !== true && lists.has(row.parent ?? ''),
  )
  const titles = new Map(shown.map((row) => [`${row.parent}\n${row.id}`, text(row.value!['title'])]))
  const place = (row: Row): string => text(row.value!['position'])
  const parentOf = (row: Row): Row | undefined =>
    shown.find((other) => other.parent === row.parent && other.id === row.value!['parent'])
  const byId = new Map(shown.map((row) => [row.key, parentOf(row)]))
  const key = (row: Row): string => {
    const parent = byId.get(row.key)
    return parent ? `${place(parent)} ${parent.id} ${place(row)}` : `${place(row)} ${row.id} `
  }
  const order = [...lists.keys()]
  const sorted = shown
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => order.indexOf(a.row.parent!) - order.indexOf(b.row.parent!) || (a.key < b.key ? -1 : 1))
  return {
    columns: ['List', 'Title', 'Parent task', 'Status', 'Due', 'Completed', 'Notes', 'State'],
    rows: sorted.map(({ row }) => {
      const value = row.value!
      return [
        lists.get(row.parent!) ?? '',
        text(value['title']),
        titles.get(`${row.parent}\n${text(value['parent'])}`) ?? '',
        value['status'] === 'completed' ? 'done' : 'open',
        text(value['due']).slice(0, 10),
        text(value['completed']).slice(0, 10),
        text(value['notes']),
        markWords[row.mark],
      ]
    }),
  }
}

/** Events of a stretch, one row an occurrence, in the user's zone. */
export function agendaTable(
  items: readonly CalendarItem[],
  calendars: ReadonlyMap<string, string>,
  zone: string,
): Table {
  return {
    columns: [
      'Date',
      'Start',
      'End date',
      'End',
      'Duration',
      'Title',
      'Calendar',
      'All day',
      'Repeats',
      'Show as',
      'State',
    ],
    rows: items.map((item) => {
      const [start, end] = item.allDay
        ? [item.start, item.end - dayMs]
        : [wallOfInstant(item.start, zone), wallOfInstant(item.end, zone)]
      return [
        dateText(dayOf(start)),
        item.allDay ? '' : clockText(start),
        dateText(dayOf(end)),
        item.allDay ? '' : clockText(end),
        durationText(item.end - item.start),
        item.title,
        calendars.get(item.calendarId) ?? item.calendarId,
        item.allDay,
        item.recurring,
        item.transparent ? 'free' : 'busy',
        markWords[item.mark],
      ]
    }),
  }
}
