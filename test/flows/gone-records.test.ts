import { describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { instanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import type { Change } from '../../src-renderer/replica/api'
import type { Device } from '../helpers/device'
import { devicesForEach } from '../helpers/for-file'
import { primary, times } from '../helpers/some-event'

const { service, here, there } = devicesForEach()

const edit = async ({ replica }: Device, change: Change): Promise<string> =>
  (await replica.edit([change], { label: 'Edit' })).keys[0]!
const review = {
  kind: 'create',
  collection: 'events',
  parent: primary,
  value: { summary: 'Review', ...times },
} as const
const allOf = ({ replica }: Device): JsonObject[] =>
  replica
    .items(Date.parse('2026-05-04'), Date.parse('2026-05-05'))
    .map(({ title, rowKey }) => ({ title, id: parseRecordKey(rowKey).id }))

/** `here` changes an event that `there` has deleted, and is asked about it. @returns the event’s key */
async function changeDeleted(): Promise<string> {
  const key = await edit(here, review)
  for (const device of [here, there]) await device.settled()
  await here.replica.setOffline(true)
  await edit(here, { kind: 'change', key, patch: { summary: 'Review with Mina' } })
  await edit(there, { kind: 'delete', key })
  await there.settled()
  await here.replica.setOffline(false)
  await here.asks()
  await here.replica.setOffline(true)
  return key
}

/** `there` brings an event back in another place. */
async function restoreThere(key: string): Promise<void> {
  await edit(there, { kind: 'restore', key })
  await edit(there, { kind: 'change', key, patch: { location: 'Room 2' } })
  await there.settled()
}

it('asks before it deletes an event that someone restored and changed since it was gone', async () => {
  const key = await changeDeleted()
  await here.replica.undo()
  await edit(here, { kind: 'delete', key })
  await restoreThere(key)
  await here.replica.setOffline(false)
  await here.settled()
  expect(here.replica.outbox()).toMatchObject([{ kind: 'delete', conflict: { remote: { location: 'Room 2' } } }])
})

it('changes an event that someone restored before its author decided to create it again', async () => {
  const key = await changeDeleted()
  await restoreThere(key)
  await here.replica.setOffline(false)
  await here.settled()
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'mine' })
  for (const device of [here, there]) await device.settled()
  const { id } = parseRecordKey(key)
  for (const device of [here, there]) expect(allOf(device)).toEqual([{ title: 'Review with Mina', id }])
  expect((await there.replica.read(key))?.value).toMatchObject({ location: 'Room 2' })
})

/** `there` deletes a new event of `here` whose answer was lost, so that `here` is asked about it. @returns the event’s key */
async function deleteLost(): Promise<string> {
  await service.fail('calendar.events.insert', { drop: 'after' })
  // Nothing is looked up before it’s deleted.
  await service.order('POST', '/trouble', { operation: 'calendar.events.get', count: 1_000, status: 503 })
  const key = await edit(here, review)
  await here.until('lost', ({ outbox }) => outbox.call(here.replica)[0]?.unknownOutcome === true)
  await here.replica.setOffline(true)
  await service.order('DELETE', '/trouble')
  await there.settled()
  await edit(there, { kind: 'delete', key })
  await there.settled()
  await here.replica.setOffline(false)
  await here.asks()
  return key
}

it('restores a new event once after its answer was lost and two people deleted it', async () => {
  const key = await deleteLost()
  await edit(here, { kind: 'delete', key })
  await here.settled()
  for (const device of [here, there]) await device.replica.setOffline(true)
  for (const device of [here, there]) await edit(device, { kind: 'restore', key })
  for (const device of [here, there]) await device.replica.setOffline(false)
  for (const device of [here, there, here]) await device.settled()
  const { id } = parseRecordKey(key)
  for (const device of [here, there]) expect(allOf(device)).toEqual([{ title: 'Review', id }])
})

it('removes nothing when a new event is deleted here that others deleted and restored', async () => {
  const key = await deleteLost()
  await here.replica.setOffline(true)
  await edit(here, { kind: 'delete', key })
  expect([here.replica.outbox(), allOf(here)]).toEqual([[], []])
  await restoreThere(key)
  await here.replica.setOffline(false)
  for (const device of [here, there]) await device.settled()
  for (const { replica } of [here, there]) {
    expect(replica.outbox()).toEqual([])
    expect((await replica.read(key))?.value).toMatchObject({ summary: 'Review', location: 'Room 2' })
  }
})

describe('an occurrence', () => {
  const week = { ...review, value: { ...review.value, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] } }
  /** Keys of a new series and of its first occurrence. */
  async function newSeries(): Promise<[string, string]> {
    const series = await edit(here, week)
    for (const device of [here, there]) await device.settled()
    const { id } = parseRecordKey(series)
    return [series, recordKey('events', primary, instanceId(id, '20260504T070000Z'))]
  }
  /** `here` edits the first occurrence of a series that `there` has deleted, and is asked about it. @returns the same */
  async function editWithoutSeries(): Promise<[string, string]> {
    const [series, key] = await newSeries()
    await here.replica.setOffline(true)
    await edit(here, { kind: 'change', key, patch: { summary: 'Review with Mina' } })
    await edit(there, { kind: 'delete', key: series })
    await there.settled()
    await here.replica.setOffline(false)
    await here.asks()
    return [series, key]
  }

  it('appears again once its edit is given up, as others restored its series', async () => {
    const [series] = await editWithoutSeries()
    await edit(there, { kind: 'restore', key: series })
    for (const device of [there, here]) await device.settled()
    await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'theirs' })
    for (const device of [here, there]) expect(allOf(device)).toMatchObject([{ title: 'Review' }])
  })

  it('appears again with its series that others restored, although it was deleted here meanwhile', async () => {
    const [series, key] = await editWithoutSeries()
    await edit(here, { kind: 'delete', key })
    await here.settled()
    await edit(there, { kind: 'restore', key: series })
    for (const device of [there, here]) await device.settled()
    for (const device of [here, there]) expect(allOf(device)).toMatchObject([{ title: 'Review' }])
  })

  it.each([
    ['edited', { kind: 'change', patch: { summary: 'Review with Mina' } }],
    ['deleted', { kind: 'delete' }],
  ] as const)('stays canceled by others when it was %s here', async (_how, mine) => {
    const [, key] = await newSeries()
    await here.replica.setOffline(true)
    await edit(here, { ...mine, key })
    await edit(there, { kind: 'delete', key })
    await there.settled()
    await here.replica.setOffline(false)
    await here.settled()
    for (const { id } of here.replica.outbox()) await here.replica.resolve(id, { keep: 'theirs' })
    await here.settled()
    for (const device of [here, there]) expect([device.replica.outbox(), allOf(device)]).toEqual([[], []])
  })

  it('stays deleted while its calendar can’t be read again', async () => {
    const [, key] = await newSeries()
    await service.order('POST', '/trouble', { operation: 'calendar.events.list', count: 1_000, status: 503 })
    await edit(here, { kind: 'delete', key })
    await here.until('sent', ({ outbox }) => outbox.call(here.replica).length === 0)
    expect(allOf(here)).toEqual([])
  })
})
