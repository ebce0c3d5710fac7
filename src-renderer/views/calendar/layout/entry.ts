import { contentKey } from '#shared/domain/calendar-item'
import { readNotes } from '#shared/domain/task-notes'
import type { CalendarItem, Mark, Row } from '../../../replica/api'
import { dayMs, dayOf } from '../../../ui/dates'
import type { Span } from './drag'

/**
 * An entry to draw: an occurrence of an event, or a task with a due date. Times are wall times in the displayed zone.
 */
export interface Entry extends Span {
  key: string
  title: string
  /** Wall reading; all-day: midnight. */
  start: number
  /** Exclusive. Never before `start`, although the clock may have been set back in between. */
  end: number
  firstDay: number
  /** Inclusive. */
  lastDay: number
  /** Drawn in the all-day lane: all-day, or a day and longer. */
  bar: boolean
  mark: Mark
  event?: CalendarItem
  /** The same event in other calendars. */
  alsoIn?: readonly CalendarItem[]
  /** The one of these that a reply belongs to. */
  invitation?: CalendarItem
  task?: Row
  /** Minutes of the day that the task is due on, if it has a time. */
  dueTime?: number
  /** The task that this event plans time for. */
  plans?: Row
  done?: boolean
  /** Draft in the editor. Laid out with other entries, but can't be opened, moved, or focused. */
  draft?: { color: string }
}

/** Creates the placeholder entry of a draft. */
export function draftEntry(span: Span, title: string, color: string): Entry {
  const { start, end, allDay } = span
  const firstDay = dayOf(start)
  return {
    key: 'draft',
    title,
    allDay,
    start,
    end,
    firstDay,
    lastDay: Math.max(firstDay, dayOf(end - 1)),
    bar: allDay || end - start >= dayMs,
    mark: 'synced',
    draft: { color },
  }
}

/** Minimum length that’s drawn, in milliseconds of wall time. */
const shortest = 5 * 60_000

/** Where an event is on screen, in wall time. It runs backward where clocks go back: then the event is as long as it lasts. */
export const spanOnScreen = (start: number, clockEnd: number, length: number): Span =>
  clockEnd - start >= Math.min(length, shortest)
    ? { start, end: clockEnd, allDay: false }
    : { start, end: start + length, clockEnd, allDay: false }

/** `plans`: the task that the event plans time for. */
export function eventEntry(item: CalendarItem, wallOf: (instant: number) => number, plans?: Row): Entry {
  const span = item.allDay
    ? { start: item.start, end: Math.max(item.end, item.start + dayMs), allDay: true }
    : spanOnScreen(wallOf(item.start), wallOf(item.end), item.end - item.start)
  const { start, end } = span
  const firstDay = dayOf(start)
  return {
    ...span,
    key: item.itemKey,
    title: item.title,
    firstDay,
    lastDay: Math.max(firstDay, dayOf(end - 1)),
    bar: item.allDay || end - start >= dayMs,
    mark: item.mark,
    event: item,
    ...(plans && { plans, done: plans.value?.['status'] === 'completed' }),
  }
}

/**
 * Entries without further copies of an event that several calendars have, as long as these are the same. The one that can be
 * used best stays, by default that of the first calendar, and has the reply of any.
 */
export function withoutCopies(
  entries: readonly Entry[],
  orderOf: (calendarId: string) => number,
  isWritable: (calendarId: string) => boolean,
): Entry[] {
  const copies = new Map<string, Entry[]>()
  for (const entry of entries) {
    const content = entry.event ? contentKey(entry.event) : entry.key
    const same = copies.get(content)
    if (same) same.push(entry)
    else copies.set(content, [entry])
  }
  const use = ({ event, mark }: Entry): number => {
    if (mark !== 'synced') return 3
    if (!isWritable(event!.calendarId)) return 0
    return event!.fixed === undefined ? 2 : 1
  }
  const inOrder = (a: Entry, b: Entry): number => orderOf(a.event!.calendarId) - orderOf(b.event!.calendarId)
  return [...copies.values()].map((same) => {
    if (same.length === 1) return same[0]!
    const [shown, ...others] = [...same].sort((a, b) => use(b) - use(a) || inOrder(a, b))
    // Copies in calendars of others may have their replies.
    const [invited] = same.filter(({ event }) => event!.response && isWritable(event!.calendarId)).sort(inOrder)
    const invitation = invited === shown ? undefined : invited?.event
    return {
      ...shown!,
      alsoIn: others.map(({ event }) => event!),
      ...(invitation && { invitation, event: { ...shown!.event!, response: invitation.response! } }),
    }
  })
}

/** Entries by their keys, and by the keys of the copies that they represent. */
export const entriesByKey = (entries: readonly Entry[]): Map<string, Entry> =>
  new Map(entries.flatMap((entry) => keysOf(entry).map((key) => [key, entry])))

const keysOf = ({ key, alsoIn = [] }: Entry): string[] => [...alsoIn.map(({ itemKey }) => itemKey), key]

/** Milliseconds left of a running event at an instant: wall times may differ from it by an hour when clocks change. */
export function leftOf({ event, allDay }: Pick<Entry, 'event' | 'allDay'>, now: number): number | undefined {
  return event && !allDay && event.start <= now && now < event.end ? event.end - now : undefined
}

/** null for a task without a readable due date. */
export function taskEntry(row: Row): Entry | null {
  const due = row.value?.['due']
  if (typeof due !== 'string' || row.value?.['deleted'] === true) return null
  const day = Date.parse(`${due.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(day)) return null
  const notes = row.value?.['notes']
  // Most notes can't hold a time.
  const time = typeof notes === 'string' && notes.includes('at ') ? readNotes(notes).extras.time : undefined
  return {
    key: row.key,
    title: String(row.value?.['title'] ?? ''),
    allDay: true,
    start: day,
    end: day + dayMs,
    firstDay: day,
    lastDay: day,
    bar: true,
    mark: row.mark,
    task: row,
    ...(time !== undefined && { dueTime: time }),
    done: row.value?.['status'] === 'completed',
  }
}

/**
 * Sorts bars first, longer ones above, then by time, with tasks below events of the same day. A draft comes first, so
 * that it's never hidden.
 */
export function byPlace(a: Entry, b: Entry): number {
  if (a.bar !== b.bar) return a.bar ? -1 : 1
  if (a.draft || b.draft) return a.draft ? -1 : 1
  if (a.bar) {
    return (
      Number(a.task !== undefined) - Number(b.task !== undefined) ||
      a.firstDay - b.firstDay ||
      b.lastDay - a.lastDay ||
      a.start - b.start ||
      (a.dueTime ?? untimed) - (b.dueTime ?? untimed) ||
      compare(a, b)
    )
  }
  return a.start - b.start || b.end - a.end || compare(a, b)
}

/**
 * Sorts entries of a month: what spans days first, then by time, then open tasks, then completed ones, which never push
 * anything else out of sight.
 */
export function byMonthPlace(a: Entry, b: Entry): number {
  return monthRank(a) - monthRank(b) || byPlace(a, b)
}
/** After every time of a day. */
const untimed = 1440
const monthRank = (entry: Entry): number => (entry.draft ? 0 : !entry.task ? (entry.bar ? 0 : 1) : entry.done ? 3 : 2)

const compare = (a: Entry, b: Entry): number =>
  a.title < b.title ? -1 : a.title > b.title ? 1 : a.key < b.key ? -1 : 1

export const overlaps = (a: Entry, b: Entry): boolean => a.start < b.end && b.start < a.end

/** Returns the number of timed entries that overlap an entry. Ignores tasks and all-day entries. */
export function overlapCount(entry: Entry, among: readonly Entry[]): number {
  if (entry.allDay) return 0
  let count = 0
  for (const other of among) if (other !== entry && !other.allDay && overlaps(entry, other)) count++
  return count
}
