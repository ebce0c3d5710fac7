import type { QuickAddItem, QuickAddOffer } from '#shared/ipc/desktop-questions'
import { eventValue, organizerIn } from '#shared/domain/quick-add/event-value'
import { readQuickAdd, type QuickEvent } from '#shared/domain/quick-add/event-line'
import { extrasOf, readTaskLine } from '#shared/domain/quick-add/task-line'
import { extrasLine, repeatWords } from '#shared/domain/task-notes'
import { instantOf, isAllDay } from '#shared/time/event-time'
import { wallOfInstant } from '#shared/time/zones'
import { clockText, dayMs, dayOf, durationText, longDate, minuteMs, spanText, yearOf } from '../../ui/dates'
import { recurrenceWords } from '../../views/calendar/recurrence-form'

/** What a line means: the item to add, described in words, or why nothing can be added. */
export interface LineReading {
  item: QuickAddItem | null
  words: string
}

/** Reads a line as an event or as a task. `now` in epoch milliseconds. */
export function readItem(line: string, kind: QuickAddItem['kind'], offer: QuickAddOffer, now: number): LineReading {
  return kind === 'event' ? readEvent(line, offer, now) : readTask(line, offer, now)
}

function readEvent(line: string, offer: QuickAddOffer, now: number): LineReading {
  const { zone, minutes: defaultMinutes, hour12, weekStart, calendars, email } = offer
  const { event, problem } = readQuickAdd(line, { now, zone, defaultMinutes, hour12, weekStart, calendars })
  if (!event) return { item: null, words: problem ?? '' }
  const calendar = event.calendarId ?? offer.calendar
  const name = calendars.find(({ id }) => id === calendar)?.name
  return {
    item:
      calendar === undefined
        ? null
        : { kind: 'event', calendar, value: eventValue(event, organizerIn(calendar, email)) },
    words: eventWords(event, name ?? 'no calendar you can edit', offer, now),
  }
}

const pastWords = { begun: 'already started', over: 'already ended' } as const

function eventWords(event: QuickEvent, calendar: string, { zone, hour12 }: QuickAddOffer, now: number): string {
  const { start, end } = event
  const year = yearOf(dayOf(wallOfInstant(now, zone)))
  const allDay = isAllDay(start)
  const wall = (time: typeof start): number => (allDay ? instantOf(time) : wallOfInstant(instantOf(time), zone))
  const [from, to] = [wall(start), wall(end)]
  const days = allDay && to - from > dayMs ? ` to ${longDate(to - dayMs, year)}` : ''
  const when = allDay
    ? `${longDate(from, year)}${days}`
    : `${longDate(dayOf(from), year)}, ${spanText(from, to, hour12)}`
  return [
    event.summary,
    when,
    event.past ? pastWords[event.past] : '',
    event.recurrence ? recurrenceWords(event.recurrence, start) : '',
    event.reminder === undefined ? '' : `reminder ${durationText(event.reminder * minuteMs)} before`,
    event.location ?? '',
    event.guests.length > 0 ? `${event.guests.join(', ')} (no invitations sent)` : '',
    calendar,
  ]
    .filter(Boolean)
    .join(' · ')
}

function readTask(line: string, { zone, lists, hour12 }: QuickAddOffer, now: number): LineReading {
  const task = readTaskLine(line, { now, zone, lists })
  if (task.problem) return { item: null, words: task.problem }
  const list = lists.find(({ id }) => id === task.list) ?? lists[0]
  const due = task.due === null ? '' : `due ${longDate(task.due, yearOf(dayOf(wallOfInstant(now, zone))))}`
  const time = task.time === undefined ? '' : clockText(task.time * minuteMs, hour12)
  const when = [due, time].filter(Boolean).join(', ')
  const repeat = task.repeat ? repeatWords(task.repeat) : ''
  const important = task.important ? 'important' : ''
  const words = [task.title, when, repeat, important, task.tags?.join(' '), list?.name ?? 'no list']
    .filter(Boolean)
    .join(' · ')
  if (task.title === '' || !list) return { item: null, words }
  const day = task.due === null ? null : new Date(task.due).toISOString()
  const notes = extrasLine(extrasOf(task))
  return { item: { kind: 'task', list: list.id, title: task.title, due: day, ...(notes !== '' && { notes }) }, words }
}
