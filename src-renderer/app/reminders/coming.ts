import { contentKey } from '#shared/domain/calendar-item'
import { conferenceLink } from '#shared/domain/conference'
import { readNotes } from '#shared/domain/task-notes'
import { eventReminders, leadMinutes, maxLeadMs, taskReminder } from '#shared/domain/reminders'
import { maxReminders, type AgendaItem, type Coming, type Reminder } from '#shared/ipc/reminder-questions'
import type { JsonObject } from '#shared/json'
import { instantOfWall, wallOfInstant } from '#shared/time/zones'
import type { CalendarItem, Replica, Row } from '../../replica/api'
import { clockText, dayMs, dayOf, shortDate, spanText, yearOf } from '../../ui/dates'

/** How far back and ahead reminders are handed to main, in milliseconds. */
export const range = { back: dayMs / 2, ahead: 3 * dayMs }

export interface ComingContext {
  now: number
  zone: string
  hour12: boolean
  /** Minutes of the day at which tasks remind. */
  tasksDueAt: number
}

const text = (value: JsonObject | null | undefined, name: string): string =>
  typeof value?.[name] === 'string' ? value[name] : ''
const short = (value: string): string => value.slice(0, 500)

/** Reminders and events of the next days of an account, from its local copy. */
export async function comingOf(
  replica: Pick<Replica, 'items' | 'rows' | 'readAll'>,
  context: ComingContext,
): Promise<Coming> {
  const { now, zone } = context
  const from = now - range.back
  const until = now + range.ahead
  const items = replica.items(from - dayMs, until + maxLeadMs + dayMs, { zone }).filter(isWanted)
  const rows = await replica.readAll([...new Set(items.map(({ rowKey }) => rowKey))])
  const calendars = new Map(replica.rows('calendarList').map((row) => [row.id, row]))
  const endOfAgenda = instantOfWall(dayOf(wallOfInstant(now, zone)) + 2 * dayMs, zone)

  const reminders: Reminder[] = []
  const agenda: AgendaItem[] = []
  const known = new Set<string>()
  /** False for what another calendar’s copy of the same event has said. */
  const isNew = (item: CalendarItem, at?: number): boolean => {
    const { size } = known
    return known.add(`${contentKey(item)}\n${at}`).size > size
  }
  const isPrimary = ({ calendarId }: CalendarItem): boolean => calendars.get(calendarId)?.value?.['primary'] === true
  for (const item of [...items].sort((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)))) {
    const event = rows.get(item.rowKey)?.value
    const calendar = calendars.get(item.calendarId)?.value
    if (!event) continue
    const shown = shownEvent(item, event, calendar, context)
    if (shown.end > now && shown.start < endOfAgenda && isNew(item)) agenda.push(shown)
    const times = eventReminders(
      { item: item.itemKey, start: item.start, allDay: item.allDay },
      leadMinutes(event['reminders'], calendar?.['defaultReminders']),
      zone,
    )
    for (const { key, at } of times)
      if (at >= from && at < until && isNew(item, at))
        reminders.push({ ...shown, kind: 'event', key, at, calendar: item.calendarId })
  }
  for (const row of replica.rows('tasks')) {
    const reminder = reminderOfTask(row, replica, context)
    if (reminder && reminder.at >= from && reminder.at < until) reminders.push(reminder)
  }
  const byTime = (a: Reminder, b: Reminder): number => a.at - b.at || (a.key < b.key ? -1 : 1)
  return {
    from,
    until,
    reminders: reminders.sort(byTime).slice(0, maxReminders),
    agenda: agenda.sort((a, b) => a.start - b.start).slice(0, 500),
  }
}

const isWanted = (item: CalendarItem): boolean => item.response !== 'declined' && item.eventType !== 'workingLocation'

function shownEvent(
  item: CalendarItem,
  event: JsonObject,
  calendar: JsonObject | null | undefined,
  { zone, hour12, now }: ComingContext,
): AgendaItem {
  const { allDay } = item
  const start = allDay ? instantOfWall(item.start, zone) : item.start
  const end = allDay ? instantOfWall(Math.max(item.end, item.start + dayMs), zone) : item.end
  const wall = allDay ? item.start : wallOfInstant(item.start, zone)
  const today = dayOf(wallOfInstant(now, zone))
  const location = text(event, 'location')
  const join = conferenceLink(event)
  const times = allDay ? 'all day' : spanText(wall, wallOfInstant(item.end, zone), hour12)
  const date = dayOf(wall) === today ? '' : `${shortDate(dayOf(wall), yearOf(today))}, `
  return {
    title: short(item.title),
    start,
    end,
    allDay,
    when: short(`${date}${times}`),
    within: short(text(calendar, 'summaryOverride') || text(calendar, 'summary')),
    ...(location && { location: short(location) }),
    ...(join && { join }),
    record: item.rowKey,
    item: item.itemKey,
    day: dayOf(wall),
  }
}

function reminderOfTask(
  row: Row,
  replica: Pick<Replica, 'rows'>,
  { zone, hour12, tasksDueAt }: ComingContext,
): Reminder | null {
  const { value } = row
  const day = Date.parse(text(value, 'due'))
  if (!value || value['status'] === 'completed' || value['deleted'] === true || Number.isNaN(day)) return null
  const { time } = readNotes(text(value, 'notes')).extras
  const { key, at } = taskReminder(row.key, dayOf(day), tasksDueAt, zone, time)
  const list = replica.rows('tasklists').find(({ id }) => id === row.parent)?.value
  return {
    kind: 'task',
    key,
    at,
    calendar: '',
    title: short(text(value, 'title')),
    start: at,
    end: instantOfWall(dayOf(day) + dayMs, zone),
    allDay: false,
    when: clockText(wallOfInstant(at, zone), hour12),
    within: short(text(list, 'title')),
    record: row.key,
    item: row.key,
    day: dayOf(day),
  }
}
