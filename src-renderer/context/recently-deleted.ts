import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { parseInstanceId, seriesOf } from '#shared/domain/instances'
import { itemFields } from '#shared/domain/calendar-item'
import { taskIdOf } from '#shared/domain/time-blocks'
import type { JsonObject } from '#shared/json'
import { wallOfInstant } from '#shared/time/zones'
import type { Change, Deleted, Replica } from '../replica/api'
import { isWritable } from './calendar-access'
import { counted } from '../ui/counted'
import { dayMs, dayOf, shortDate, spanText, yearOf } from '../ui/dates'

/** A deleted record as the list shows it. */
export interface DeletedLine {
  key: string
  kind: 'event' | 'task' | 'list'
  title: string
  /** When it was, where, and what it contained. */
  facts: readonly string[]
  at: number
  elsewhere: boolean
}

interface Clock {
  zone: string
  hour12: boolean
  now: number
}

type Source = Pick<Replica, 'deleted' | 'peek'>

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const recordOf = ({ items }: Deleted): JsonObject => items.at(-1)!.value

/** Everything that can be restored, newest first. Events of calendars that the user can't change aren't listed. */
export function deletedLines(replica: Source, clock: Clock): DeletedLine[] {
  const describe: Partial<
    Record<CollectionName, (replica: Source, deleted: Deleted, clock: Clock) => DeletedLine | null>
  > = {
    events: eventLine,
    tasks: taskLine,
    tasklists: listLine,
  }
  return replica
    .deleted()
    .flatMap((deleted) => describe[parseRecordKey(deleted.key).collection]?.(replica, deleted, clock) ?? [])
}

const common = (deleted: Deleted, title: string): Pick<DeletedLine, 'key' | 'title' | 'at' | 'elsewhere'> => ({
  key: deleted.key,
  title: title || '(No title)',
  at: deleted.at,
  elsewhere: deleted.elsewhere,
})

const calendarOf = (replica: Pick<Replica, 'peek'>, { key }: Deleted): JsonObject | null | undefined =>
  replica.peek(recordKey('calendarList', null, parseRecordKey(key).parent!))?.value

function eventLine(replica: Source, deleted: Deleted, { zone, hour12, now }: Clock): DeletedLine | null {
  const { id } = parseRecordKey(deleted.key)
  const calendar = calendarOf(replica, deleted)
  // Deleted here before the user lost the right to change the calendar.
  if (!isWritable(calendar)) return null
  const event = recordOf(deleted)
  const fields = itemFields(id, event, zone)
  const thisYear = yearOf(wallOfInstant(now, zone))
  const wall = (at: number): number => (fields?.allDay ? at : wallOfInstant(at, zone))
  const when = (): string => {
    if (!fields) return ''
    const [start, end] = [wall(fields.start), wall(fields.end)]
    const first = shortDate(dayOf(start), thisYear)
    if (!fields.allDay) return `${first}, ${spanText(start, end, hour12)}`
    const last = dayOf(Math.max(start, end - dayMs))
    return last > dayOf(start) ? `${first} – ${shortDate(last, thisYear)}` : first
  }
  const repeats = seriesOf(event) ? 'Repeats' : parseInstanceId(id) ? 'One of a series' : ''
  const name = textOf(calendar?.['summaryOverride']) || textOf(calendar?.['summary'])
  return {
    ...common(deleted, textOf(event['summary'])),
    kind: 'event',
    facts: [when(), repeats, name].filter(Boolean),
  }
}

function taskLine(replica: Source, deleted: Deleted, { zone, now }: Clock): DeletedLine {
  const { parent } = parseRecordKey(deleted.key)
  const task = recordOf(deleted)
  const due = Date.parse(textOf(task['due']))
  const thisYear = yearOf(wallOfInstant(now, zone))
  const inside = deleted.items.length - 1
  const facts = [
    task['status'] === 'completed' ? 'Completed' : Number.isNaN(due) ? '' : `Due ${shortDate(dayOf(due), thisYear)}`,
    inside > 0 ? counted(inside, 'subtask') : '',
    textOf(replica.peek(recordKey('tasklists', null, parent!))?.value?.['title']),
  ]
  return { ...common(deleted, textOf(task['title'])), kind: 'task', facts: facts.filter(Boolean) }
}

function listLine(_replica: Source, deleted: Deleted): DeletedLine {
  const inside = deleted.items.length - 1
  return {
    ...common(deleted, textOf(recordOf(deleted)['title'])),
    kind: 'list',
    facts: ['List', inside > 0 ? `with ${counted(inside, 'task')}` : 'empty'],
  }
}

/** Milliseconds within which what was deleted elsewhere in one step is seen here, list by list. */
const seenTogether = 300_000

/** True if a time block was deleted with its task, or after it because its task was gone. */
function wentWith(task: Deleted, block: Deleted): boolean {
  if (task.step !== undefined && task.step === block.step) return true
  if (block.at >= task.at) return true
  return task.elsewhere && block.elsewhere && task.at - block.at < seenTogether
}

/**
 * Changes that restore a record. A task comes back with the time blocks that were deleted with it, and a block with its task,
 * because it would be removed again without.
 */
export function restoring(replica: Source, key: string): Change[] {
  const all = replica.deleted()
  const deleted = all.find((one) => one.key === key)
  if (!deleted) return []
  const ids = new Set(deleted.items.map(({ id }) => id))
  const planned = (one: Deleted): string | undefined =>
    parseRecordKey(one.key).collection === 'events' ? taskIdOf(recordOf(one)) : undefined
  const task = planned(deleted)
  const related = all.filter((one) => {
    if (one === deleted) return false
    const { collection, id } = parseRecordKey(one.key)
    if (collection === 'tasks') return id === task
    return ids.has(planned(one) ?? '') && wentWith(deleted, one) && isWritable(calendarOf(replica, one))
  })
  const tasksFirst = [deleted, ...related].sort(
    (a, b) => Number(b.key.startsWith('tasks')) - Number(a.key.startsWith('tasks')),
  )
  return tasksFirst.map((one) => ({ kind: 'restore', key: one.key }))
}
