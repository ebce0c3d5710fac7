import { expect, it } from 'vitest'
import { collectionOf, parseRecordKey, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { Change } from '../../src-renderer/replica/api'
import { deviceOf, type Device } from '../helpers/device'
import { devicesForEach } from '../helpers/for-file'
import { withoutRecords } from '../helpers/forgotten'
import { HeldAnswers } from '../helpers/held-answers'

const primary = 'alex.morgan@flightplan.example'
const now = Math.floor(systemClock.now() / 1_000) * 1_000
const { service, here, there, offline, sync } = devicesForEach()

const event = (summary: string, more: JsonObject = {}): JsonObject => ({
  summary,
  start: { dateTime: new Date(now + 3_600_000).toISOString(), timeZone: 'Europe/Berlin' },
  end: { dateTime: new Date(now + 7_200_000).toISOString(), timeZone: 'Europe/Berlin' },
  status: 'confirmed',
  eventType: 'default',
  ...more,
})
const create = (
  collection: 'events' | 'tasks',
  parent: string,
  value: JsonObject,
  place?: { parent: string },
): Change => ({
  kind: 'create',
  collection,
  parent,
  value,
  ...(place && { place }),
})
async function make(device: Device, changes: Change[]): Promise<string[]> {
  const { keys } = await device.replica.edit(changes, { label: 'New' })
  await sync()
  return keys.map((key) => device.replica.realKey(key))
}
const edit = (device: Device, kind: 'delete' | 'restore', key: string): Promise<unknown> =>
  device.replica.edit([{ kind, key }], { label: kind })
const titles = ({ replica }: Device): unknown[] =>
  replica.deleted().map(({ items }) => items.at(-1)!.value['summary'] ?? items.at(-1)!.value['title'])
const listOf = ({ replica }: Device): string => replica.rows('tasklists')[0]!.id
/** Makes a task, and a list to move it to. */
async function makeTaskAndList(): Promise<{ trip: string; key: string; destination: string }> {
  const list = { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } } as const
  const [trip, key] = await make(here, [list, create('tasks', listOf(here), { title: 'Tent' })])
  return { trip: trip!, key: key!, destination: parseRecordKey(trip!).id }
}
async function moveAway({ key, destination }: { key: string; destination: string }): Promise<void> {
  await there.replica.edit([{ kind: 'action', key, action: { name: 'moveTask', destination } }], { label: 'Move' })
  await there.settled()
}
const tasksOf = ({ replica }: Device): unknown[] => replica.rows('tasks').map(({ value }) => value!['title'])
const eventsOf = ({ replica }: Device): string[] =>
  replica.items(now - 86_400_000, now + 40 * 86_400_000).map(({ title }) => title)

it('creates an event that was deleted before it was sent', async () => {
  await offline(true)
  const { keys } = await here.replica.edit([create('events', primary, event('Lunch'))], { label: 'New' })
  await edit(here, 'delete', keys[0]!)
  await edit(here, 'restore', keys[0]!)
  expect(here.replica.outbox().map(({ kind }) => kind)).toEqual(['create'])
  await sync()
  expect([here.replica.outbox(), eventsOf(there)]).toEqual([[], ['Lunch']])
})

it('restores an event that was deleted here or on another computer, as itself', async () => {
  const [one, two] = await make(here, [
    create('events', primary, event('Lunch', { location: 'Harbor' })),
    create('events', primary, event('Review')),
  ])
  await edit(here, 'delete', one!)
  await edit(there, 'delete', two!)
  await sync()
  expect([titles(here), titles(there)].map((all) => [...all].sort())).toEqual([
    ['Lunch', 'Review'],
    ['Lunch', 'Review'],
  ])
  expect(
    here.replica
      .deleted()
      .map(({ elsewhere }) => elsewhere)
      .sort(),
  ).toEqual([false, true])
  await offline(true)
  await edit(here, 'restore', one!)
  await edit(there, 'restore', one!)
  await edit(here, 'restore', two!)
  expect(eventsOf(here).sort()).toEqual(['Lunch', 'Review'])
  await sync()
  for (const device of [here, there]) {
    expect(eventsOf(device).sort()).toEqual(['Lunch', 'Review'])
    expect(titles(device)).toEqual([])
    expect(device.replica.status.needsYou).toBe(0)
    expect((await device.replica.read(one!))?.value).toMatchObject({ location: 'Harbor' })
  }
})

it('restores a task with its subtasks in place, once on two computers', async () => {
  const list = listOf(here)
  const [first] = await make(here, [create('tasks', list, { title: 'Plan', notes: 'Ask Mina' })])
  await make(here, [create('tasks', list, { title: 'Rooms' }, { parent: parseRecordKey(first!).id })])
  await edit(here, 'delete', first!)
  await sync()
  expect(tasksOf(here)).toEqual([])
  expect(titles(here)).toEqual(['Plan'])
  expect([...titles(there)].sort()).toEqual(['Plan', 'Rooms'])
  await offline(true)
  for (const device of [here, there]) await edit(device, 'restore', first!)
  await sync()
  expect([...tasksOf(there)].sort()).toEqual(['Plan', 'Rooms'])
  for (const { replica } of [here, there]) {
    const sub = replica.rows('tasks').find(({ value }) => value!['title'] === 'Rooms')
    expect(sub?.value?.['parent']).toBe(parseRecordKey(first!).id)
    expect(replica.peek(first!)?.value).toMatchObject({ title: 'Plan', notes: 'Ask Mina' })
    expect(replica.status.needsYou).toBe(0)
  }
})

it('lists a task once, with its subtasks, after its restoration is undone', async () => {
  const list = listOf(here)
  const [task] = await make(here, [create('tasks', list, { title: 'Plan' })])
  const parent = parseRecordKey(task!).id
  await make(here, [
    create('tasks', list, { title: 'Rooms' }, { parent }),
    create('tasks', list, { title: 'Team' }, { parent }),
  ])
  await edit(here, 'delete', task!)
  await sync()
  await edit(here, 'restore', task!)
  await sync()
  await here.replica.undo()
  await sync()
  expect([titles(here), here.replica.deleted()[0]!.items.length]).toEqual([['Plan'], 3])
  await edit(here, 'restore', here.replica.deleted()[0]!.key)
  await sync()
  expect(tasksOf(there).sort()).toEqual(['Plan', 'Rooms', 'Team'])
})

it('keeps a newer edit of someone who restored a record first', async () => {
  const [key] = await make(here, [create('tasks', listOf(here), { title: 'Draft' })])
  await edit(here, 'delete', key!)
  await sync()
  await here.replica.setOffline(true)
  await edit(here, 'restore', key!)
  await edit(there, 'restore', key!)
  await there.replica.edit([{ kind: 'change', key: key!, patch: { title: 'Final' } }], { label: 'Rename' })
  await there.settled()
  await sync()
  expect([tasksOf(here), tasksOf(there)]).toEqual([['Final'], ['Final']])
  expect(here.replica.status.needsYou).toBe(0)
})

it('restores a series with its changed and canceled occurrences', async () => {
  const [key] = await make(here, [
    create('events', primary, event('Yoga', { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })),
  ])
  const { replica } = here
  const [, second, third] = replica.items(now, now + 10 * 86_400_000)
  const occurrence = (item: typeof second): string => recordKey('events', primary, item!.eventId)
  await replica.edit([{ kind: 'change', key: occurrence(second), patch: { summary: 'Yoga outside' } }], { label: 'x' })
  await edit(here, 'delete', occurrence(third))
  await sync()
  await edit(here, 'delete', key!)
  await sync()
  expect(eventsOf(there)).toEqual([])
  await edit(here, 'restore', key!)
  await sync()
  expect([eventsOf(here), eventsOf(there)]).toEqual([
    ['Yoga', 'Yoga outside', 'Yoga'],
    ['Yoga', 'Yoga outside', 'Yoga'],
  ])
})

it('restores a series in a calendar that was never sent with its changed and canceled occurrences', async () => {
  const { replica } = here
  await offline(true)
  const calendar: Change = { kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Sports' } }
  const { keys: made } = await replica.edit([calendar], { label: 'New' })
  const sports = parseRecordKey(made[0]!).id
  const value = event('Yoga', { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
  const { keys } = await replica.edit([create('events', sports, value)], { label: 'New' })
  const [first, second] = replica.items(now, now + 10 * 86_400_000).filter(({ calendarId }) => calendarId === sports)
  const occurrence = (item: typeof first): string => recordKey('events', sports, item!.eventId)
  await replica.edit([{ kind: 'change', key: occurrence(first), patch: { summary: 'Yoga outside' } }], { label: 'x' })
  await edit(here, 'delete', occurrence(second))
  await edit(here, 'delete', keys[0]!)
  await edit(here, 'restore', keys[0]!)
  await sync()
  expect([replica.outbox(), eventsOf(there)]).toEqual([[], ['Yoga outside', 'Yoga', 'Yoga']])
})

it('cancels an occurrence that was edited before, which was not sent, and asks nothing', async () => {
  const { replica } = here
  await make(here, [create('events', primary, event('Yoga', { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }))])
  await offline(true)
  const key = recordKey('events', primary, replica.items(now, now + 86_400_000)[0]!.eventId)
  await replica.edit([{ kind: 'change', key, patch: { summary: 'Yoga outside' } }], { label: 'Rename' })
  await edit(here, 'delete', key)
  await sync()
  expect([replica.outbox(), eventsOf(there)]).toEqual([[], ['Yoga']])
})

it('cancels an occurrence of a series that was never sent, and asks nothing', async () => {
  const { replica } = here
  await offline(true)
  const value = event('Yoga', { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  await replica.edit([create('events', primary, value)], { label: 'New' })
  await edit(here, 'delete', recordKey('events', primary, replica.items(now, now + 86_400_000)[0]!.eventId))
  await sync()
  expect([replica.outbox(), eventsOf(there)]).toEqual([[], ['Yoga']])
})

it('restores one occurrence of a series', async () => {
  await make(here, [create('events', primary, event('Yoga', { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }))])
  const key = recordKey('events', primary, here.replica.items(now, now + 86_400_000)[0]!.eventId)
  await edit(here, 'delete', key)
  await sync()
  expect(titles(here)).toEqual(['Yoga'])
  await edit(here, 'restore', key)
  await sync()
  expect([eventsOf(here), eventsOf(there), titles(here)]).toEqual([['Yoga', 'Yoga'], ['Yoga', 'Yoga'], []])
})

it('makes a deleted list again with its tasks, and with those deleted before it', async () => {
  const { replica } = here
  const { keys } = await replica.edit(
    [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } }],
    {
      label: 'New',
    },
  )
  await sync()
  const key = replica.realKey(keys[0]!)
  const list = parseRecordKey(key).id
  const [gone] = await make(here, [create('tasks', list, { title: 'Visa' }), create('tasks', list, { title: 'Tent' })])
  await edit(here, 'delete', gone!)
  await sync()
  await edit(here, 'delete', key)
  await sync()
  // Its list is gone, so there is no place for the task.
  expect(titles(here)).toEqual(['Trip'])
  await edit(here, 'restore', key)
  await sync()
  expect(tasksOf(there)).toEqual(['Tent'])
  const visa = here.replica.deleted().find(({ key }) => collectionOf(key) === 'tasks')!
  await edit(here, 'restore', visa.key)
  await sync()
  expect([...tasksOf(there)].sort()).toEqual(['Tent', 'Visa'])
  expect(here.replica.status.needsYou).toBe(0)
})

it('knows what a list contained, and what was deleted in it before, whatever is undone', async () => {
  const { replica } = here
  const trip = { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } } as const
  const [key] = await make(here, [trip])
  const list = parseRecordKey(key!).id
  const [, visa] = await make(here, [
    create('tasks', list, { title: 'Tent' }),
    create('tasks', list, { title: 'Visa' }),
  ])
  await edit(here, 'delete', visa!)
  await sync()
  await edit(here, 'delete', key!)
  await sync()
  await replica.undo()
  await sync()
  expect(titles(here)).toEqual(['Visa'])
  const again = (): string => replica.rows('tasklists').find(({ value }) => value!['title'] === 'Trip')!.key
  await edit(here, 'delete', again())
  await sync()
  for (const isOffline of [true, false]) {
    await offline(isOffline)
    await edit(here, 'restore', replica.deleted()[0]!.key)
    for (const step of ['undo', 'redo', 'undo'] as const) {
      if (!isOffline) await sync()
      await replica[step]()
    }
  }
  await edit(here, 'restore', replica.deleted()[0]!.key)
  await sync()
  expect([tasksOf(there), titles(here)]).toEqual([['Tent'], ['Visa']])
  await edit(here, 'restore', replica.deleted()[0]!.key)
  await sync()
  expect([...tasksOf(there)].sort()).toEqual(['Tent', 'Visa'])
  expect(replica.status.needsYou).toBe(0)
})

it('is undone after it was sent by bringing back the record itself, on this computer and after a restart', async () => {
  const list = listOf(here)
  const [task, lunch] = await make(here, [
    create('tasks', list, { title: 'Plan', notes: 'Ask Mina' }),
    create('events', primary, event('Lunch', { location: 'Harbor' })),
  ])
  const [sub] = await make(here, [create('tasks', list, { title: 'Rooms' }, { parent: parseRecordKey(task!).id })])
  for (const key of [task!, lunch!]) await edit(here, 'delete', key)
  await sync()
  expect([tasksOf(there), eventsOf(there)]).toEqual([[], []])
  await here.replica.undo()
  await sync()
  await here.restart()
  await here.replica.undo()
  await sync()
  for (const device of [here, there]) {
    const shown = await Promise.all([task!, sub!, lunch!].map((key) => device.replica.read(key)))
    expect(shown.map((row) => row?.value)).toMatchObject([
      { title: 'Plan', notes: 'Ask Mina' },
      { title: 'Rooms', parent: parseRecordKey(task!).id },
      { summary: 'Lunch', location: 'Harbor' },
    ])
    expect([device.replica.rows('tasks').length, eventsOf(device), titles(device)]).toEqual([2, ['Lunch'], []])
  }
  expect(await here.replica.redo()).toBe('delete')
  await sync()
  expect(tasksOf(there)).toEqual([])
})

it('is a step to undo, and survives a restart before and after', async () => {
  const [key] = await make(here, [create('events', primary, event('Lunch'))])
  await edit(here, 'delete', key!)
  await sync()
  await here.replica.setOffline(true)
  await here.restart()
  await edit(here, 'restore', key!)
  expect(eventsOf(here)).toEqual(['Lunch'])
  await here.replica.undo()
  expect([eventsOf(here), titles(here)]).toEqual([[], ['Lunch']])
  await here.replica.redo()
  await here.restart()
  expect([eventsOf(here), titles(here)]).toEqual([['Lunch'], []])
  await sync()
  expect(eventsOf(there)).toEqual(['Lunch'])
})

it('withdraws a deletion that wasn’t sent, and forgets a deletion that is undone', async () => {
  const [one, two] = await make(here, [
    create('events', primary, event('Lunch')),
    create('events', primary, event('Review')),
  ])
  await offline(true)
  await edit(here, 'delete', one!)
  await edit(here, 'restore', one!)
  expect(here.replica.outbox()).toEqual([])
  await edit(here, 'delete', two!)
  await here.replica.undo()
  expect(titles(here)).toEqual([])
})

it('only gives up a restoration when its record is deleted before that is sent, whatever others restored', async () => {
  const list = listOf(here)
  const [task, lunch] = await make(here, [
    create('tasks', list, { title: 'Plan' }),
    create('events', primary, event('Lunch')),
  ])
  const [sub] = await make(here, [create('tasks', list, { title: 'Rooms' }, { parent: parseRecordKey(task!).id })])
  for (const key of [task!, lunch!]) await edit(there, 'delete', key)
  await sync()
  await offline(true)
  for (const key of [task!, sub!, lunch!]) await edit(here, 'restore', key)
  await here.replica.edit([{ kind: 'change', key: task!, patch: { title: 'Plan of mine' } }], { label: 'Rename' })
  await here.replica.edit([create('tasks', list, { title: 'New' }, { parent: parseRecordKey(task!).id })], {
    label: 'N',
  })
  for (const key of [task!, lunch!]) await edit(here, 'delete', key)
  expect([here.replica.outbox(), tasksOf(here), eventsOf(here)]).toEqual([[], [], []])
  expect([...titles(here)].sort()).toEqual(['Lunch', 'Plan of mine'])
  await there.replica.setOffline(false)
  for (const key of [task!, lunch!]) await edit(there, 'restore', key)
  await there.replica.edit(
    [
      { kind: 'change', key: task!, patch: { notes: 'Ask Mina' } },
      { kind: 'change', key: lunch!, patch: { location: 'Harbor' } },
    ],
    { label: 'Change' },
  )
  await sync()
  for (const { replica } of [here, there]) {
    expect([replica.outbox(), replica.peek(task!)?.value]).toMatchObject([[], { title: 'Plan', notes: 'Ask Mina' }])
    expect((await replica.read(lunch!))?.value).toMatchObject({ summary: 'Lunch', location: 'Harbor' })
  }
})

it('restores what a deletion gave up when that is undone', async () => {
  const [task] = await make(here, [create('tasks', listOf(here), { title: 'Plan' })])
  await edit(there, 'delete', task!)
  await sync()
  await offline(true)
  await edit(here, 'restore', task!)
  await here.replica.edit([{ kind: 'change', key: task!, patch: { title: 'Plan of mine' } }], { label: 'Rename' })
  await edit(here, 'delete', task!)
  await here.replica.undo()
  expect([tasksOf(here), titles(here)]).toEqual([['Plan of mine'], []])
  await sync()
  expect([here.replica.outbox(), tasksOf(here), tasksOf(there)]).toEqual([[], ['Plan of mine'], ['Plan of mine']])
})

it('leaves an occurrence canceled that was restored and deleted again before that was sent', async () => {
  const [key] = await make(here, [
    create('events', primary, event('Yoga', { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })),
  ])
  const [, second] = here.replica.items(now, now + 10 * 86_400_000)
  const occurrence = recordKey('events', primary, second!.eventId)
  await edit(here, 'delete', occurrence)
  await sync()
  await offline(true)
  expect(await here.replica.undo()).toBe('delete')
  expect(eventsOf(here)).toHaveLength(3)
  await edit(here, 'delete', occurrence)
  expect([here.replica.outbox(), eventsOf(here).length]).toEqual([[], 2])
  await edit(here, 'delete', key!)
  await sync()
  expect([eventsOf(here), eventsOf(there)]).toEqual([[], []])
})

it.each(['undo', 'restore'])('brings back a list with an unsent task that was about to be cleared: %s', async (how) => {
  const [list] = await make(here, [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } }])
  const { id } = parseRecordKey(list!)
  await offline(true)
  await here.replica.edit([create('tasks', id, { title: 'Tent', status: 'completed' })], { label: 'New' })
  const clear = { kind: 'action', key: list!, action: { name: 'clearCompleted' } } as const
  await here.replica.edit([clear], { label: 'Clear' })
  await edit(here, 'delete', list!)
  if (how === 'undo') await here.replica.undo()
  else await edit(here, 'restore', list!)
  const tasks = ({ replica }: Device): unknown[] => replica.rows('tasks', id).map(({ value }) => value!['title'])
  expect(tasks(here)).toEqual(['Tent'])
  await sync()
  expect([here.replica.outbox(), tasks(here), tasks(there)]).toEqual([[], ['Tent'], ['Tent']])
})

it('restores a subtask after its task’s deletion that was being sent, and then both', async () => {
  const network = new HeldAnswers()
  const device = await deviceOf(service, { fetch: network.fetch })
  try {
    await device.settled()
    const list = listOf(device)
    const [task] = await make(device, [create('tasks', list, { title: 'Plan' })])
    await device.settled()
    const key = device.replica.realKey(task!)
    const { id } = parseRecordKey(key)
    const [made] = await make(device, [create('tasks', list, { title: 'Rooms' }, { parent: id })])
    await device.settled()
    const sub = device.replica.realKey(made!)
    network.hold(new RegExp(`/tasks/${id}`))
    await edit(device, 'delete', key)
    const isSending = (): boolean => device.replica.outbox()[0]?.state === 'sending' && network.waiting > 0
    await device.until('the deletion is being sent', isSending)
    await edit(device, 'restore', key)
    await edit(device, 'delete', sub)
    await edit(device, 'restore', sub)
    await device.replica.edit([{ kind: 'change', key: sub, patch: { title: 'Rooms of mine' } }], { label: 'Rename' })
    network.release()
    await device.settled()
    await sync()
    for (const { replica } of [device, here])
      expect([replica.outbox(), replica.peek(key)?.value?.['title'], replica.peek(sub)?.value?.['title']]).toEqual([
        [],
        'Plan',
        'Rooms of mine',
      ])
  } finally {
    network.release()
    await device.close()
  }
})

it('is redone without a question if nothing was added to the record since it was undone', async () => {
  const [list, calendar, series] = await make(here, [
    { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } },
    { kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Harbor' } },
    create('events', primary, event('Watch', { recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] })),
  ])
  const calendarId = parseRecordKey(calendar!).id
  await make(here, [
    create('tasks', parseRecordKey(list!).id, { title: 'Tent' }),
    create('events', calendarId, event('Lunch')),
  ])
  const day = here.replica.items(now, now + 9 * 86_400_000).filter(({ title }) => title === 'Watch')[1]!
  await here.replica.edit([{ kind: 'change', key: day.itemKey, patch: { summary: 'Short watch' } }], {
    label: 'Change',
  })
  await sync()
  await offline(true)
  const states = (): unknown[] => here.replica.outbox().map(({ kind, state }) => [kind, state])
  for (const key of [list!, calendar!, series!]) {
    await edit(here, 'delete', key)
    await here.replica.undo()
    await here.replica.redo()
    expect(states()).toEqual([['delete', 'waiting']])
    await here.replica.undo()
    expect(states()).toEqual([])
  }

  await edit(here, 'delete', calendar!)
  await here.replica.undo()
  await there.replica.setOffline(false)
  await make(there, [create('events', calendarId, event('Dinner'))])
  await here.replica.redo()
  expect(states()).toEqual([['delete', 'needsYou']])
})

it('knows what was deleted before it was ever sent', async () => {
  await offline(true)
  const { keys } = await here.replica.edit([create('tasks', listOf(here), { title: 'Idea' })], { label: 'New' })
  await edit(here, 'delete', keys[0]!)
  expect(titles(here)).toEqual(['Idea'])
  await edit(here, 'restore', keys[0]!)
  await sync()
  expect(tasksOf(there)).toEqual(['Idea'])
})

it.each(['sent', 'pending'])(
  'doesn’t list what an edit created next to its changes once that edit is undone, %s',
  async (state) => {
    const [key] = await make(here, [create('events', primary, event('Yoga', { recurrence: ['RRULE:FREQ=DAILY'] }))])
    await offline(state === 'pending')
    const cut: Change = { kind: 'change', key: key!, patch: { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] } }
    const rest = create('events', primary, event('Yoga outside', { recurrence: ['RRULE:FREQ=DAILY'] }))
    await here.replica.edit([cut, rest], { label: 'Split' })
    for (const step of ['undo', 'redo', 'undo'] as const) {
      if (state === 'sent') await sync()
      await here.replica[step]()
      expect(titles(here)).toEqual([])
    }
    await sync()
    expect([titles(here), new Set(eventsOf(here)), new Set(eventsOf(there))]).toEqual([
      [],
      new Set(['Yoga']),
      new Set(['Yoga']),
    ])
  },
)

it('doesn’t list what was moved to another list', async () => {
  const { keys } = await here.replica.edit(
    [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } }],
    {
      label: 'New',
    },
  )
  const [key] = await make(here, [create('tasks', listOf(here), { title: 'Tent' })])
  const destination = parseRecordKey(here.replica.realKey(keys[0]!)).id
  await here.replica.edit([{ kind: 'action', key: key!, action: { name: 'moveTask', destination } }], { label: 'Move' })
  await sync()
  expect([titles(here), titles(there)]).toEqual([[], []])
})

it('brings back what was typed before the deletion and never sent', async () => {
  const [key] = await make(here, [create('tasks', listOf(here), { title: 'Plan' })])
  await offline(true)
  await here.replica.edit([{ kind: 'change', key: key!, patch: { title: 'Plan B', notes: 'Ask Mina' } }], {
    label: 'x',
  })
  await edit(here, 'delete', key!)
  await sync()
  await edit(here, 'restore', key!)
  await sync()
  expect(there.replica.rows('tasks').map(({ value }) => [value!['title'], value!['notes']])).toEqual([
    ['Plan B', 'Ask Mina'],
  ])
})

it('still knows what was deleted here when news of it comes before the deletion is sent', async () => {
  const [one, two] = await make(here, [
    create('events', primary, event('Lunch')),
    create('tasks', listOf(here), { title: 'Plan' }),
  ])
  await here.replica.setOffline(true)
  for (const key of [one, two]) await edit(here, 'delete', key!)
  const changes = [one, two].map((key, at): Change => ({
    kind: 'change',
    key: key!,
    patch: { [at === 0 ? 'description' : 'notes']: 'Ask Mina' },
  }))
  await there.replica.edit(changes, { label: 'x' })
  await there.settled()
  await here.replica.setOffline(false)
  await here.until('two questions', ({ status }) => status.needsYou === 2)
  for (const { id } of here.replica.outbox()) await here.replica.resolve(id, { keep: 'mine' })
  await sync()
  expect([eventsOf(there), tasksOf(there)]).toEqual([[], []])
  expect(titles(here).sort()).toEqual(['Lunch', 'Plan'])
})

it('restores a task that was moved and deleted before either was sent', async () => {
  const { key, destination } = await makeTaskAndList()
  await offline(true)
  await here.replica.edit([{ kind: 'action', key: key!, action: { name: 'moveTask', destination } }], { label: 'Move' })
  await edit(here, 'delete', here.replica.rows('tasks')[0]!.key)
  await sync()
  expect(titles(here)).toEqual(['Tent'])
  await edit(here, 'restore', here.replica.deleted()[0]!.key)
  await sync()
  expect(there.replica.rows('tasks', destination)).toHaveLength(1)
  expect([tasksOf(there), titles(here), titles(there)]).toEqual([['Tent'], [], []])
})

it('lists a record once that moved before it was deleted elsewhere', async () => {
  await moveAway(await makeTaskAndList())
  await sync()
  await edit(there, 'delete', there.replica.rows('tasks')[0]!.key)
  await there.settled()
  await sync()
  expect([titles(here), titles(there)]).toEqual([['Tent'], ['Tent']])
})

it('lists a record once that moved before its new list was deleted', async () => {
  const { trip, ...moved } = await makeTaskAndList()
  await moveAway(moved)
  await sync()
  await edit(here, 'delete', trip)
  await sync()
  expect(titles(here)).toEqual(['Trip'])
  await edit(here, 'restore', here.replica.deleted()[0]!.key)
  await sync()
  expect([tasksOf(here), tasksOf(there), titles(here)]).toEqual([['Tent'], ['Tent'], []])
})

it('restores a record once that moved before it was deleted, and that one computer never saw there', async () => {
  const { key, destination } = await makeTaskAndList()
  await here.replica.setOffline(true)
  await moveAway({ key, destination })
  await edit(there, 'delete', there.replica.rows('tasks')[0]!.key)
  await there.settled()
  await sync()
  const places = (): unknown[] => [here, there].map(({ replica }) => replica.deleted().map((one) => one.key))
  expect(places()).toEqual([[recordKey('tasks', destination, parseRecordKey(key!).id)], expect.anything()])
  await offline(true)
  for (const device of [here, there]) await edit(device, 'restore', device.replica.deleted()[0]!.key)
  await sync()
  expect([tasksOf(here), tasksOf(there), titles(here), titles(there)]).toEqual([['Tent'], ['Tent'], [], []])
})

it('creates a record again that the service no longer keeps', async () => {
  const forgotten = new Set<string>()
  const answer = withoutRecords(forgotten)
  const inserted: unknown[] = []
  const device = await deviceOf(service, {
    fetch: (input, init) => {
      if (init?.method === 'POST') inserted.push(JSON.parse(String(init.body)))
      return answer(input, init)
    },
  })
  try {
    await device.settled()
    const [key] = await make(device, [create('tasks', listOf(device), { title: 'Plan', notes: 'Ask Mina' })])
    inserted.length = 0
    await device.settled()
    const real = device.replica.realKey(key!)
    await edit(device, 'delete', real)
    await device.settled()
    forgotten.add(parseRecordKey(real).id)
    await edit(device, 'restore', real)
    await device.settled()
    expect(tasksOf(device)).toEqual(['Plan'])
    expect(inserted).toEqual([{ title: 'Plan', notes: 'Ask Mina', status: 'needsAction' }])
    await sync()
    expect(here.replica.rows('tasks').map(({ value }) => [value!['title'], value!['notes']])).toEqual([
      ['Plan', 'Ask Mina'],
    ])
  } finally {
    await device.close()
  }
})

it('keeps a tentative event tentative, whoever deleted it, and however it comes back', async () => {
  const [one, two, series] = await make(here, [
    create('events', primary, event('Lunch', { status: 'tentative' })),
    create('events', primary, event('Review', { status: 'tentative' })),
    create('events', primary, event('Stand-up', { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })),
  ])
  const occurrence = here.replica.items(now, now + 86_400_000).find(({ masterId }) => masterId)!
  const third = recordKey('events', primary, occurrence.eventId)
  await here.replica.edit([{ kind: 'change', key: third, patch: { status: 'tentative' } }], { label: 'Maybe' })
  await sync()
  expect(parseRecordKey(third).id).toContain(parseRecordKey(series!).id)
  for (const key of [one!, third]) await edit(here, 'delete', key)
  await sync()
  for (const key of [one!, third]) await edit(here, 'restore', key)
  await offline(true)
  await edit(there, 'delete', two!)
  await here.replica.edit([{ kind: 'change', key: two!, patch: { location: 'Harbor' } }], { label: 'Place' })
  await there.replica.setOffline(false)
  await there.settled()
  await sync()
  const [asked] = here.replica.outbox()
  await here.replica.resolve(asked!.id, { keep: 'mine' })
  await sync()
  const status = async (key: string): Promise<unknown> => (await there.replica.read(key))?.value?.['status']
  expect(await Promise.all([one!, two!, third].map(status))).toEqual(['tentative', 'tentative', 'tentative'])
})

it('asks if someone restored and changed a record just before', async () => {
  let late: { tasklist: string; task: string } | null = null
  const device = await deviceOf(service, {
    fetch: async (input, init) => {
      const params = init?.method === 'PATCH' ? late : null
      if (params) {
        late = null
        await service.client.call('tasks.tasks.patch', params, { body: { deleted: false, title: 'Final' } })
      }
      return fetch(input, init)
    },
  })
  try {
    await device.settled()
    const tasklist = listOf(device)
    const [key] = await make(device, [create('tasks', tasklist, { title: 'Plan' })])
    await device.settled()
    const real = device.replica.realKey(key!)
    await edit(device, 'delete', real)
    await device.settled()
    late = { tasklist, task: parseRecordKey(real).id }
    await device.replica.setOffline(true)
    await edit(device, 'restore', real)
    await device.replica.edit([{ kind: 'change', key: real, patch: { title: 'Mine' } }], { label: 'Rename' })
    await device.replica.setOffline(false)
    await device.asks()
    expect(device.replica.outbox()).toMatchObject([{ conflict: { fields: ['title'], remote: { title: 'Final' } } }])
  } finally {
    await device.close()
  }
})

it('keeps what was typed into a subtask that was deleted elsewhere when the restoration of its task is undone', async () => {
  const list = listOf(here)
  const [task] = await make(here, [create('tasks', list, { title: 'Plan' })])
  const [subtask] = await make(here, [create('tasks', list, { title: 'Rooms' }, { parent: parseRecordKey(task!).id })])
  await offline(true)
  await here.replica.edit([{ kind: 'change', key: subtask!, patch: { title: 'Two rooms' } }], { label: 'Change' })
  await edit(there, 'delete', task!)
  await there.replica.setOffline(false)
  await there.settled()
  await here.replica.setOffline(false)
  await here.asks()
  const typed = (): unknown => here.replica.outbox().map(({ kind, patch }) => [kind, patch['title']])
  expect(typed()).toEqual([['change', 'Two rooms']])
  await here.replica.setOffline(true)
  await edit(here, 'restore', task!)
  expect(await here.replica.undo()).toBe('restore')
  expect([typed(), tasksOf(here)]).toEqual([[['change', 'Two rooms']], ['Two rooms']])
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'mine' })
  await sync()
  expect([tasksOf(here), tasksOf(there)]).toEqual([['Two rooms'], ['Two rooms']])
})

it('restores a subtask without its parent, which was deleted before either was sent', async () => {
  await offline(true)
  const list = listOf(here)
  const [parent] = (await here.replica.edit([create('tasks', list, { title: 'Pack' })], { label: 'New' })).keys
  const place = { parent: parseRecordKey(parent!).id }
  const [child] = (await here.replica.edit([create('tasks', list, { title: 'Socks' }, place)], { label: 'New' })).keys
  await edit(here, 'delete', child!)
  await edit(here, 'delete', parent!)
  await edit(here, 'restore', child!)
  await sync()
  expect(here.replica.outbox()).toEqual([])
  expect(tasksOf(there)).toContain('Socks')
  expect(tasksOf(there)).not.toContain('Pack')
})

it('restores a subtask apart from its parent, whose deletion isn’t sent yet and would take it along', async () => {
  const list = listOf(here)
  const [parent] = await make(here, [create('tasks', list, { title: 'Pack' })])
  const [child] = await make(here, [create('tasks', list, { title: 'Socks' }, { parent: parseRecordKey(parent!).id })])
  await offline(true)
  await edit(here, 'delete', child!)
  await edit(here, 'delete', parent!)
  const { keys } = await here.replica.edit([{ kind: 'restore', key: child! }], { label: 'restore' })
  await here.replica.edit([{ kind: 'change', key: keys[0]!, patch: { title: 'Warm socks' } }], { label: 'Change' })
  await sync()
  for (const device of [here, there]) expect(tasksOf(device)).toEqual(['Warm socks'])
})

it('leaves nothing of a cleared task that was deleted before either was sent, and brings it back whole', async () => {
  await offline(true)
  const list = listOf(here)
  const done = create('tasks', list, { title: 'Idea', status: 'completed' })
  const [key] = (await here.replica.edit([done], { label: 'New' })).keys
  const clear = { name: 'clearCompleted' } as const
  await here.replica.edit([{ kind: 'action', key: recordKey('tasklists', null, list), action: clear }], {
    label: 'Clear',
  })
  await edit(here, 'delete', key!)
  expect(here.replica.peek(key!)?.value ?? null).toBeNull()
  expect(tasksOf(here)).toEqual([])
  await here.replica.undo()
  await sync()
  expect(tasksOf(there)).toEqual(['Idea'])
})
