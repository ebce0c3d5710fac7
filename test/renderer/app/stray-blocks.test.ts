import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { taskFields } from '#shared/domain/time-blocks'
import type { JsonObject } from '#shared/json'
import { readingOf, StrayBlocks, type Removal } from '../../../src-renderer/app/stray-blocks'
import type { CalendarItem, LaneStatus, Replica, Row, SyncStatus } from '../../../src-renderer/replica/api'

const own = 'mina@flightplan.example'
const keyOf = (id: string): string => recordKey('events', 'me', id)

/** What is removed of these events, all of which plan a task, once the tasks were read often enough. */
async function removal(events: Record<string, JsonObject>, tasks: readonly string[]): Promise<Removal | null> {
  const items = Object.entries(events).map(([id, event]) => {
    const { private: of } = taskFields('t')['extendedProperties'] as { private: JsonObject }
    return { rowKey: keyOf(id), title: id, taskId: of['flightplanTask'], start: event['at'], mark: 'synced' }
  })
  const value = (id: string): JsonObject => ({ creator: { email: own }, ...taskFields('t'), ...events[id] })
  const replica = {
    realKey: (key: string) => key,
    items: () => items as unknown as CalendarItem[],
    rows: () => tasks.map((id) => ({ id, value: {} })) as unknown as Row[],
    readAll: () =>
      Promise.resolve(new Map(Object.keys(events).map((id) => [keyOf(id), { value: value(id) } as unknown as Row]))),
  } as unknown as Replica
  const strays = new StrayBlocks()
  let found: Removal | null = null
  for (let lastPull = 1; lastPull < 6 && !found; lastPull++)
    found = await strays.look(replica, { phase: 'idle', lastPull } as unknown as LaneStatus, 0, own)
  return found
}

it('a second block goes, but not if someone added to it', async () => {
  const twice = await removal({ a: { at: 1 }, b: { at: 1 } }, ['t'])
  expect(twice?.changes).toEqual([{ kind: 'delete', key: keyOf('b') }])
  expect(await removal({ a: { at: 1 }, b: { at: 1, description: 'Bring the plan' } }, ['t'])).toBeNull()
  expect(await removal({ a: { at: 1 }, b: { at: 1, recurrence: ['RRULE:FREQ=DAILY'] } }, ['t'])).toBeNull()
})

it('a series of blocks without its task stays whole, with its moved occurrences', async () => {
  const found = await removal(
    { s: { at: 1, recurrence: ['RRULE:FREQ=DAILY'] }, s_1: { at: 9, recurringEventId: 's' } },
    [],
  )
  expect(found?.changes.map(({ kind }) => kind)).toEqual(['change', 'change'])
})

it('blocks are looked for after each reading of the tasks and of the events, and not while another service is read', () => {
  const reading = (...lanes: Pick<LaneStatus, 'service' | 'phase' | 'lastPull'>[]): string | null =>
    readingOf({ lanes } as unknown as SyncStatus)
  const events = { service: 'calendar', phase: 'idle', lastPull: 1 } as const
  const tasks = { service: 'tasks', phase: 'idle', lastPull: 1 } as const
  const before = reading(events, tasks)
  expect(reading(events, tasks, { service: 'trafficking', phase: 'pulling', lastPull: 2 })).toBe(before)
  expect(reading(events, { ...tasks, lastPull: 2 })).not.toBe(before)
  expect(reading(events, { ...tasks, phase: 'pulling' })).not.toBe(before)
  expect(reading({ ...events, phase: 'pulling' }, tasks)).toBeNull()
  expect(reading({ ...events, phase: 'firstSync' }, tasks)).toBeNull()
})
