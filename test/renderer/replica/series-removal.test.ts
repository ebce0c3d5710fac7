import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'
import { withdraw } from '../../../src-renderer/replica/resolve'
import { ReplicaState } from '../../helpers/replica-state'

const record = (id: string, value: JsonObject | null): RemoteRecord => ({
  collection: 'events',
  parent: 'calendar',
  id,
  value,
})
const times = {
  start: { dateTime: '2026-03-10T09:00:00Z', timeZone: 'UTC' },
  end: { dateTime: '2026-03-10T10:00:00Z', timeZone: 'UTC' },
}
const series = { id: 'series', summary: 'Daily', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], ...times }
const occurrence = {
  id: 'series_20260310T090000Z',
  recurringEventId: 'series',
  originalStartTime: times.start,
  ...times,
}
const key = recordKey('events', 'calendar', occurrence.id)

it('deleting a series removes its edited occurrence, and discarding leaves nothing behind', async () => {
  const rooms = await ReplicaState.open('series-removal')
  await rooms.pull([record('series', series), record(occurrence.id, { ...occurrence, summary: 'Special' })])
  await rooms.edit({ kind: 'change', key, patch: { location: 'Room 2' } })
  await rooms.pull([record('series', null)])
  expect(rooms.memory.row(key)?.value).toMatchObject({ location: 'Room 2', summary: 'Special' })
  await rooms.commits.run('edit', (tx) => withdraw({ tx, ...rooms.context }, rooms.entry.id)).saved
  expect(rooms.memory.row(key)).toBeUndefined()
  expect(await rooms.store.get('rows', [key])).toEqual([undefined])
})
