import { recordKey } from '#shared/domain/collections'
import { blockId, taskFields } from '#shared/domain/time-blocks'
import type { JsonObject } from '#shared/json'
import type { CalendarItem, Change, Replica, Row } from '../replica/api'
import { dayMs } from '../ui/dates'

/** How far from now time blocks are looked for, in milliseconds. */
const reach = { back: 366 * dayMs, ahead: 366 * dayMs }

type Blocks = Pick<Replica, 'items'>

/** Time blocks around now, by the ID of their task, in order of start. */
export function blocksByTask(replica: Blocks, from: number, to: number): Map<string, readonly CalendarItem[]> {
  const found = new Map<string, CalendarItem[]>()
  for (const item of replica.items(from, to)) {
    if (item.taskId === undefined) continue
    const own = found.get(item.taskId)
    if (own) own.push(item)
    else found.set(item.taskId, [item])
  }
  return found
}

/** All time blocks of the last month and the next three. */
export const blocksAround = (replica: Blocks, now: number): CalendarItem[] =>
  replica.items(now - 31 * dayMs, now + 92 * dayMs).filter(({ taskId }) => taskId !== undefined)

/** Time blocks of these tasks, at most a year from now. */
export function blocksOf(replica: Blocks, taskIds: readonly string[], now: number): CalendarItem[] {
  const all = blocksByTask(replica, now - reach.back, now + reach.ahead)
  return taskIds.flatMap((id) => all.get(id) ?? [])
}

/** IDs of a task and of those below it, which are deleted along. */
export function withSubtasks(replica: Pick<Replica, 'rows'>, task: Pick<Row, 'id' | 'parent'>): string[] {
  const all = replica.rows('tasks', task.parent ?? undefined)
  const ids = new Set([task.id])
  // A set that grows while it’s walked also reaches what is further below.
  for (const id of ids) for (const { id: other, value } of all) if (value?.['parent'] === id) ids.add(other)
  return [...ids]
}

/** The block that says when a task is planned: the next one that isn’t over, or else the last. */
export const blockShown = (blocks: readonly CalendarItem[] | undefined, now: number): CalendarItem | undefined =>
  blocks?.find(({ end }) => end > now) ?? blocks?.at(-1)

/** The block that says when a task is planned, if it has one. */
export const blockOf = (replica: Blocks, task: Pick<Row, 'id'>, now: number): CalendarItem | undefined =>
  blockShown(blocksOf(replica, [task.id], now), now)

/** Changes that delete the time blocks of tasks together with them. */
export const blockDeletions = (blocks: readonly CalendarItem[]): Change[] =>
  [...new Set(blocks.map(({ rowKey }) => rowKey))].map((key) => ({ kind: 'delete', key }))

/**
 * The change that plans a task in a calendar. The event’s ID comes from the task, so that two computers that plan it create
 * one event. IDs of blocks that were deleted can’t be used again.
 */
export async function blockCreation(
  replica: Pick<Replica, 'peek' | 'history' | 'outbox'>,
  task: Row,
  calendarId: string,
  times: JsonObject,
): Promise<Change> {
  const used = new Set(
    [...(await replica.history(historyRead)).map(({ entry }) => entry), ...replica.outbox()]
      .filter(({ collection }) => collection === 'events')
      .map(({ recordId }) => recordId),
  )
  let turn = 0
  while (
    used.has(blockId(task.id, turn)) ||
    replica.peek(recordKey('events', calendarId, blockId(task.id, turn)))?.value
  )
    turn++
  const title = task.value?.['title']
  return {
    kind: 'create',
    collection: 'events',
    parent: calendarId,
    id: blockId(task.id, turn),
    value: {
      summary: typeof title === 'string' ? title : '',
      ...times,
      ...taskFields(task.id),
      status: 'confirmed',
      eventType: 'default',
    },
  }
}
const historyRead = 500

/** Tasks by ID. An ID stays the same when a task moves to another list. */
export const tasksById = (replica: Pick<Replica, 'rows'>): Map<string, Row> =>
  new Map(
    replica
      .rows('tasks')
      .filter(({ value }) => value && value['deleted'] !== true)
      .map((row) => [row.id, row]),
  )
