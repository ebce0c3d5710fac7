import { beforeEach, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { AppContext } from '../../src-renderer/context/context'
import type { Change, EditOptions } from '../../src-renderer/replica/api'
import { SyncModel } from '../../src-renderer/views/sync/model.svelte'
import type { Device } from '../helpers/device'
import { devicesForEach } from '../helpers/for-file'

const primary = 'alex.morgan@flightplan.example'
const now = Math.floor(systemClock.now() / 1_000) * 1_000
const { here, there } = devicesForEach()

const at = (hours: number): JsonObject => ({
  dateTime: new Date(now + hours * 3_600_000).toISOString(),
  timeZone: 'Europe/Berlin',
})
const event = (summary: string): JsonObject => ({ summary, start: at(1), end: at(2), status: 'confirmed' })
async function sync(): Promise<void> {
  for (const device of [here, there, here]) await device.settled()
}
async function make(device: Device, ...changes: Change[]): Promise<string[]> {
  const { keys } = await device.replica.edit(changes, { label: 'Edit' })
  await sync()
  return keys.map((key) => device.replica.realKey(key))
}
const valueOf = async (device: Device, key: string): Promise<JsonObject | null | undefined> =>
  (await device.replica.read(key))?.value
const listed = ({ replica }: Device): unknown[] =>
  replica.rows('tasks').flatMap(({ value }) => (value ? [value['title']] : []))

let messages: string[]
let receipts: unknown[]
beforeEach(() => ([messages, receipts] = [[], []]))

/** Reverts a step of *Recent activity*, the newest by default, and sends it. */
async function revert(step = 0): Promise<void> {
  const { replica } = here
  const model = new SyncModel({
    replica,
    announce: () => undefined,
    toasts: { show: (text: string) => void messages.push(text) },
    edit: (changes: Change[], options: EditOptions, receipt: unknown) => {
      receipts.push(receipt)
      return replica.edit(changes, options)
    },
  } as unknown as AppContext)
  await model.readHistory(new AbortController().signal)
  const wanted = model.historySteps[step]!
  expect(model.canTakeBack(wanted)).toBe(true)
  await model.takeBack(wanted)
  await sync()
}

it('takes a change back', async () => {
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value: event('Before') })
  await make(here, { kind: 'change', key: key!, patch: { summary: 'After', location: 'Here' } })
  await revert()
  expect(receipts).toEqual([{ text: 'Reverted: Edit', show: true }])
  expect(await valueOf(there, key!)).toMatchObject({ summary: 'Before' })
  expect(await valueOf(there, key!)).not.toHaveProperty('location')
  await here.replica.undo()
  await sync()
  expect(await valueOf(there, key!)).toMatchObject({ summary: 'After', location: 'Here' })
  expect(messages).toEqual([])
})

it.each([
  ['someone else', () => there],
  ['the same person', () => here],
])('leaves alone what %s has changed since, and says so', async (_who, who) => {
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value: event('Before') })
  await make(here, { kind: 'change', key: key!, patch: { summary: 'After', location: 'Here' } })
  await make(who(), { kind: 'change', key: key!, patch: { summary: 'Later' } })
  await revert(who() === here ? 1 : 0)
  expect(await valueOf(there, key!)).toMatchObject({ summary: 'Later' })
  expect(await valueOf(there, key!)).not.toHaveProperty('location')
  expect(messages).toEqual(['1 field has changed since then and wasn’t reverted.'])
  expect(here.replica.outbox()).toEqual([])
})

it('takes a time back only as a whole', async () => {
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value: event('Lunch') })
  const daily = { recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
  await make(here, { kind: 'change', key: key!, patch: { start: at(5), end: at(6), ...daily } })
  await make(there, { kind: 'change', key: key!, patch: { end: at(8) } })
  await revert()
  expect(messages).toEqual(['1 field has changed since then and wasn’t reverted.'])
  const { start, end } = (await valueOf(there, key!)) as Record<string, JsonObject>
  expect([start, end].map((one) => Date.parse(String(one!['dateTime'])) - now)).toEqual([5 * 3_600_000, 8 * 3_600_000])
})

it('asks before it deletes what others have added to a list', async () => {
  const value = { title: 'Trip' }
  const [list] = await make(here, { kind: 'create', collection: 'tasklists', parent: null, value })
  const parent = here.replica.peek(list!)!.id
  await make(there, { kind: 'create', collection: 'tasks', parent, value: { title: 'Tickets' } })
  await revert()
  expect(here.replica.outbox().map(({ kind, state }) => [kind, state])).toEqual([['delete', 'needsYou']])
  expect(listed(there)).toContain('Tickets')
})

it('brings back a deleted list with its tasks', async () => {
  const value = { title: 'Trip' }
  const [list] = await make(here, { kind: 'create', collection: 'tasklists', parent: null, value })
  const parent = here.replica.peek(list!)!.id
  await make(here, { kind: 'create', collection: 'tasks', parent, value: { title: 'Tickets' } })
  await make(here, { kind: 'delete', key: list! })
  expect(listed(there)).not.toContain('Tickets')
  await revert()
  expect(listed(there)).toContain('Tickets')
  expect(there.replica.rows('tasklists').map((row) => row.value?.['title'])).toContain('Trip')
})

it('brings back a deleted event itself', async () => {
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value: event('Lunch') })
  await make(here, { kind: 'delete', key: key! })
  await revert()
  expect(await valueOf(there, key!)).toMatchObject({ summary: 'Lunch', status: 'confirmed' })
})

it('does nothing to a record that someone else has deleted', async () => {
  const value = { title: 'Call' }
  const parent = here.replica.rows('tasklists')[0]!.id
  const [key] = await make(here, { kind: 'create', collection: 'tasks', parent, value })
  await make(here, { kind: 'change', key: key!, patch: { title: 'Phone' } })
  await make(there, { kind: 'delete', key: recordKey('tasks', parent, there.replica.peek(key!)!.id) })
  const model = new SyncModel({ replica: here.replica } as unknown as AppContext)
  await model.readHistory(new AbortController().signal)
  expect(model.canTakeBack(model.historySteps[0]!)).toBe(false)
})

it('brings back a deleted series with its changed occurrence', async () => {
  const value = { ...event('Daily'), recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value })
  const second = here.replica.items(now + 20 * 3_600_000, now + 30 * 3_600_000).find(({ title }) => title === 'Daily')!
  await make(here, { kind: 'change', key: second.itemKey, patch: { summary: 'Changed' } })
  const titles = (): string[] =>
    there.replica
      .items(now, now + 6 * 86_400_000)
      .map(({ title }) => title)
      .filter((title) => title === 'Daily' || title === 'Changed')
      .sort()
  expect(titles()).toEqual(['Changed', 'Daily', 'Daily', 'Daily', 'Daily'])
  await make(here, { kind: 'delete', key: key! })
  expect(titles()).toEqual([])
  await revert()
  expect(titles()).toEqual(['Changed', 'Daily', 'Daily', 'Daily', 'Daily'])
})

it('asks before a series goes back to a time that has no place for an occurrence changed since', async () => {
  const value = { ...event('Daily'), recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value })
  await make(here, { kind: 'change', key: key!, patch: { start: at(5), end: at(6) } })
  const second = here.replica.items(now + 24 * 3_600_000, now + 32 * 3_600_000).find(({ title }) => title === 'Daily')!
  await make(here, { kind: 'change', key: second.itemKey, patch: { summary: 'Changed' } })
  await revert(1)
  expect(here.replica.outbox()).toMatchObject([
    {
      kind: 'change',
      recordId: here.replica.peek(key!)!.id,
      state: 'needsYou',
      conflict: { unseen: [second.itemKey] },
    },
  ])
  expect(await valueOf(there, second.itemKey)).toMatchObject({ summary: 'Changed', status: 'confirmed' })
})

it('takes back the rest of a step if someone else has deleted one of its records', async () => {
  const parent = here.replica.rows('tasklists')[0]!.id
  const create = (title: string): Change => ({ kind: 'create', collection: 'tasks', parent, value: { title } })
  const keys = await make(here, create('One'), create('Two'))
  await make(here, ...keys.map((key): Change => ({ kind: 'change', key, patch: { notes: 'Mine' } })))
  await make(there, { kind: 'delete', key: keys[0]! })
  await revert()
  expect(listed(there)).not.toContain('One')
  expect(await valueOf(there, keys[1]!)).not.toHaveProperty('notes')
})

it('takes back what an earlier revert did', async () => {
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value: event('Before') })
  await make(here, { kind: 'change', key: key!, patch: { summary: 'After' } })
  await revert()
  await revert()
  expect(await valueOf(there, key!)).toMatchObject({ summary: 'After' })
  expect(messages).toEqual([])
})

it.each([
  ['title', { summary: 'Theirs' }],
  ['description, which it didn’t have', { description: 'Bring the slides' }],
])('asks before it deletes a new event to which someone else gave another %s', async (_what, patch) => {
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value: event('Lunch') })
  await make(there, { kind: 'change', key: key!, patch })
  await revert()
  expect(here.replica.outbox().map(({ kind, state }) => [kind, state])).toEqual([['delete', 'needsYou']])
  expect(await valueOf(there, key!)).toMatchObject(patch)
})

it.each([
  ['event', 'events', primary, event('Lunch')],
  ['task', 'tasks', '', { title: 'Call', notes: 'At noon' }],
  ['list', 'tasklists', null, { title: 'Trip' }],
  ['calendar', 'calendars', null, { summary: 'Trips', timeZone: 'Europe/Berlin' }],
] as const)('deletes a new %s that no one has changed', async (_what, collection, parent, value) => {
  const place = parent === '' ? here.replica.rows('tasklists')[0]!.id : parent
  const [key] = await make(here, { kind: 'create', collection, parent: place, value } as Change)
  await revert()
  expect(here.replica.outbox()).toEqual([])
  expect((await valueOf(there, key!))?.['status']).not.toBe('confirmed')
  expect(here.replica.peek(key!)?.value ?? null).toBe(null)
})

it('restores a deletion only once', async () => {
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value: event('Lunch') })
  await make(here, { kind: 'delete', key: key! })
  await revert()
  const model = new SyncModel({ replica: here.replica } as unknown as AppContext)
  await model.readHistory(new AbortController().signal)
  const deletion = model.historySteps.find(({ items }) => items.some(({ entry }) => entry.kind === 'delete'))!
  expect(model.canTakeBack(deletion)).toBe(false)
})

it('asks before it deletes a restored record that someone else has changed since', async () => {
  const [key] = await make(here, { kind: 'create', collection: 'events', parent: primary, value: event('Lunch') })
  await make(here, { kind: 'delete', key: key! })
  const [again] = await make(here, { kind: 'restore', key: key! })
  await make(there, { kind: 'change', key: again!, patch: { location: 'Theirs' } })
  await revert()
  expect(here.replica.outbox().map(({ kind, state }) => [kind, state])).toEqual([['delete', 'needsYou']])
  expect(await valueOf(there, again!)).toMatchObject({ location: 'Theirs' })
})
