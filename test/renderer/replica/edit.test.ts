import { beforeEach, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { seeded } from '../../flows/model/clock'
import { Device } from '../../flows/model/device'
import { modelForEach } from '../../flows/model/for-each'

const times = {
  start: { dateTime: '2026-03-10T09:00:00Z', timeZone: 'UTC' },
  end: { dateTime: '2026-03-10T10:00:00Z', timeZone: 'UTC' },
}
const march = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)] as const

describe('edits before sending', () => {
  const { clock, service, device, replica } = modelForEach(1_000)
  const make = async (summary: string, more: JsonObject = {}): Promise<string> =>
    (
      await replica.edit(
        [{ kind: 'create', collection: 'events', parent: 'me', value: { summary, ...times, ...more } }],
        { label: `New event *${summary}*` },
      )
    ).keys[0]!
  const task = async (title: string, place?: { parent?: string; previous?: string }): Promise<string> =>
    (
      await replica.edit(
        [{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title }, ...(place && { place }) }],
        { label: `New task *${title}*` },
      )
    ).keys[0]!
  const change = (key: string, patch: JsonObject, label = 'Change'): Promise<unknown> =>
    replica.edit([{ kind: 'change', key, patch }], { label })
  const remove = (key: string): Promise<unknown> => replica.edit([{ kind: 'delete', key }], { label: 'Delete' })

  /** Holds the answers to sends. @returns lets them come */
  const heldPush = (): (() => void) => {
    let release = (): void => undefined
    device.beforeAnswer = (name) =>
      name === 'sync/push' ? new Promise<void>((resolve) => (release = resolve)) : undefined
    return () => {
      device.beforeAnswer = null
      release()
    }
  }

  beforeEach(() => replica.pause(true))

  it("join a new record's creation and keep its label up to date", async () => {
    const key = await make('Lunch')
    await change(key, { summary: 'Dinner', location: 'Home' })
    expect(replica.outbox()).toMatchObject([
      { kind: 'create', label: 'New event *Dinner*', patch: { summary: 'Dinner', location: 'Home' } },
    ])
  })

  it.each([
    ['campaigns', { name: 'New campaign' }, { name: 'Summer *20*' }, 'New campaign *Summer 20*'],
    ['sizes', { width: 300 }, { width: 320 }, 'New campaign'],
  ] as const)(
    'keep the name in the label of a new record of %s up to date',
    async (collection, value, patch, label) => {
      const name = 'name' in value ? ` *${value.name}*` : ''
      const { keys } = await replica.edit([{ kind: 'create', collection, parent: '7', value }], {
        label: `New campaign${name}`,
      })
      await change(keys[0]!, patch)
      expect(replica.outbox()).toMatchObject([{ kind: 'create', label }])
    },
  )

  it('of one record merge into one entry with the latest label, and vanish when reverted', async () => {
    const key = await make('Lunch')
    await device.quiesce()
    replica.pause(true)
    await change(key, { summary: 'Dinner' }, 'Rename')
    const madeAt = clock.time
    await clock.pass(1_000)
    await change(key, { location: 'Home' }, 'Place')
    expect(replica.outbox()).toMatchObject([
      { kind: 'change', label: 'Place', patch: { summary: 'Dinner', location: 'Home' }, editedAt: clock.time },
    ])
    expect(clock.time).toBeGreaterThan(madeAt)
    await change(key, { summary: 'Lunch', location: null })
    expect(replica.outbox()).toEqual([])
    expect(replica.items(...march)).toMatchObject([{ title: 'Lunch', mark: 'synced' }])
  })

  it('are dropped when the record is deleted', async () => {
    const key = await make('Lunch')
    await device.quiesce()
    replica.pause(true)
    await change(key, { summary: 'Dinner' })
    await remove(key)
    expect(replica.outbox()).toMatchObject([{ kind: 'delete', patch: {}, base: { summary: 'Lunch' } }])
    expect(replica.items(...march)).toEqual([])
    await replica.undo()
    expect(replica.outbox()).toMatchObject([{ kind: 'change', patch: { summary: 'Dinner' } }])
    expect(replica.items(...march)).toMatchObject([{ title: 'Dinner' }])
  })

  it("of an unsent list vanish with its tasks when it's deleted, and undo restores all", async () => {
    const { keys } = await replica.edit(
      [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Launch' } }],
      { label: 'New list' },
    )
    const list = replica.peek(keys[0]!)!.id
    const made = await replica.edit(
      [{ kind: 'create', collection: 'tasks', parent: list, value: { title: 'Parent' } }],
      { label: 'New task' },
    )
    const parent = replica.peek(made.keys[0]!)!.id
    await replica.edit(
      [{ kind: 'create', collection: 'tasks', parent: list, value: { title: 'Child' }, place: { parent } }],
      { label: 'New task' },
    )
    await remove(keys[0]!)
    expect(replica.outbox()).toEqual([])
    expect(replica.rows('tasks')).toEqual([])
    await replica.undo()
    expect(
      replica
        .rows('tasks')
        .map((row) => row.value!.title)
        .sort(),
    ).toEqual(['Child', 'Parent'])
    await device.quiesce()
    const real = service.living('tasklists').find((value) => value.title === 'Launch')!
    expect(
      service
        .living(`tasks ${String(real.id)}`)
        .map((value) => value.title)
        .sort(),
    ).toEqual(['Child', 'Parent'])
  })

  it('stay pending when made while an older version is being sent', async () => {
    const key = await make('Lunch')
    await device.quiesce()
    const release = heldPush()
    await change(key, { summary: 'Dinner' })
    await clock.pass(1_000)
    expect(replica.peek(key)!.mark).toBe('sending')
    await change(key, { summary: 'Supper' })
    release()
    await clock.settle()
    expect((await replica.read(key))!.value).toMatchObject({ summary: 'Supper' })
    await device.quiesce()
    expect(service.living('events me')).toMatchObject([{ summary: 'Supper' }])
    expect(replica.outbox()).toEqual([])
  })

  it('that undo one being sent are sent after it', async () => {
    const key = await make('Lunch')
    await device.quiesce()
    const release = heldPush()
    await change(key, { summary: 'Dinner' })
    await clock.pass(1_000)
    await change(key, { summary: 'Lunch' })
    release()
    await device.quiesce()
    expect(service.living('events me')).toMatchObject([{ summary: 'Lunch' }])
  })

  it('that move one task merge, and join the creation of a new task', async () => {
    const [a, b, c] = [await task('a'), await task('b'), await task('c')]
    const order = (): unknown[] =>
      [...replica.rows('tasks', 'inbox')]
        .sort((x, y) => (String(x.value!.position) < String(y.value!.position) ? -1 : 1))
        .map((row) => row.value!.title)
    expect(order()).toEqual(['c', 'b', 'a'])
    const id = (key: string): string => replica.peek(key)!.id
    await replica.edit([{ kind: 'action', key: c, action: { name: 'moveTask', previous: id(a) } }], { label: 'Move' })
    expect(order()).toEqual(['b', 'a', 'c'])
    expect(replica.outbox()).toHaveLength(3)
    await device.quiesce()
    expect(
      service
        .living('tasks inbox')
        .sort((x, y) => (String(x.position) < String(y.position) ? -1 : 1))
        .map((value) => value.title),
    ).toEqual(['b', 'a', 'c'])
    replica.pause(true)
    await replica.edit([{ kind: 'action', key: b, action: { name: 'moveTask', previous: id(a) } }], { label: 'Move' })
    await replica.edit([{ kind: 'action', key: b, action: { name: 'moveTask', previous: id(c) } }], { label: 'Move' })
    expect(replica.outbox()).toMatchObject([{ action: { name: 'moveTask', previous: id(c) } }])
    expect(order()).toEqual(['a', 'c', 'b'])
  })

  it('that move an event there and back cancel out', async () => {
    const key = await make('Lunch')
    await device.quiesce()
    replica.pause(true)
    const move = async (from: string, destination: string): Promise<void> => {
      await replica.edit([{ kind: 'action', key: from, action: { name: 'moveEvent', destination } }], {
        label: 'Move',
      })
    }
    const there = recordKey('events', 'work', key.split('\n')[2]!)
    await move(key, 'work')
    expect(replica.items(...march)).toMatchObject([{ calendarId: 'work', mark: 'local' }])
    await change(there, { summary: 'Moved' })
    expect(replica.items(...march)).toMatchObject([{ calendarId: 'work', title: 'Moved' }])
    await replica.undo()
    await move(there, 'me')
    expect(replica.outbox()).toEqual([])
    expect(replica.items(...march)).toMatchObject([{ calendarId: 'me', title: 'Lunch', mark: 'synced' }])
  })

  it('can add events to a new calendar before the service knows it', async () => {
    const { keys } = await replica.edit(
      [{ kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Trip', timeZone: 'UTC' } }],
      { label: 'New calendar' },
    )
    const calendar = replica.rows('calendarList').find((row) => row.value!.summary === 'Trip')!
    expect(calendar).toMatchObject({ mark: 'local', value: { accessRole: 'owner' } })
    await replica.edit(
      [{ kind: 'create', collection: 'events', parent: calendar.id, value: { summary: 'Flight', ...times } }],
      { label: 'New event' },
    )
    expect(replica.outbox()[1]!.dependsOn).toEqual([replica.outbox()[0]!.id])
    await device.quiesce()
    const real = service.living('calendars').find((value) => value.summary === 'Trip')!
    expect(service.living(`events ${String(real.id)}`)).toMatchObject([{ summary: 'Flight' }])
    expect(replica.peek(keys[0]!)!.id).toBe(real.id)
  })

  it('can change, move, and delete one occurrence without its own row', async () => {
    const key = await make('Daily', { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    await device.quiesce()
    replica.pause(true)
    const [first, second, third] = replica.items(...march)
    const keyOf = (item: { eventId: string }): string => recordKey('events', 'me', item.eventId)
    await change(keyOf(second!), { summary: 'Special' })
    await remove(keyOf(third!))
    expect(replica.items(...march).map(({ title }) => title)).toEqual(['Daily', 'Special'])
    expect(replica.outbox()).toMatchObject([
      { kind: 'change', complete: true, base: { summary: 'Daily' } },
      { kind: 'delete' },
    ])
    await device.quiesce()
    expect(replica.items(...march).map(({ title, mark }) => [title, mark])).toEqual([
      ['Daily', 'synced'],
      ['Special', 'synced'],
    ])
    await replica.undo()
    await replica.undo()
    await device.quiesce()
    expect(replica.items(...march).map(({ title }) => title)).toEqual(['Daily', 'Daily', 'Daily'])
    expect((await replica.readItem(first!))!.master!.key).toBe(key)
  })

  it.each(['pending', 'sent'])('of an occurrence are redone after they were undone while %s', async (state) => {
    await make('Daily', { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    await device.quiesce()
    replica.pause(true)
    const settled = async (): Promise<string[]> => {
      if (state === 'sent') await device.quiesce()
      return replica.items(...march).map(({ title }) => title)
    }
    await change(recordKey('events', 'me', replica.items(...march)[1]!.eventId), { summary: 'Special' })
    expect(await settled()).toEqual(['Daily', 'Special', 'Daily'])
    await remove(recordKey('events', 'me', replica.items(...march)[2]!.eventId))
    expect(await settled()).toEqual(['Daily', 'Special'])
    await replica.undo()
    await replica.undo()
    expect(await settled()).toEqual(['Daily', 'Daily', 'Daily'])
    await replica.redo()
    expect(await settled()).toEqual(['Daily', 'Special', 'Daily'])
    await replica.redo()
    expect(await settled()).toEqual(['Daily', 'Special'])
  })

  it.each(['pending', 'sent'])(
    'of a series with an edited occurrence are redone after they were undone while %s',
    async (state) => {
      const key = await make('Daily', { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      await device.quiesce()
      const occurrence = (): string => recordKey('events', 'me', replica.items(...march)[1]!.eventId)
      const edited = occurrence()
      await change(edited, { summary: 'Special' })
      await device.quiesce()
      replica.pause(true)
      const settled = async (): Promise<string[]> => {
        if (state === 'sent') await device.quiesce()
        return replica
          .items(...march)
          .map(({ title, start }) => `${new Date(start).toISOString().slice(8, 13)} ${title}`)
      }
      const later = {
        start: { dateTime: '2026-03-10T11:00:00Z', timeZone: 'UTC' },
        end: { dateTime: '2026-03-10T12:00:00Z', timeZone: 'UTC' },
      }
      await replica.edit(
        [
          { kind: 'change', key, patch: later, hides: [edited] },
          { kind: 'change', key: edited.replace('T09', 'T11'), patch: { summary: 'Special' } },
        ],
        { label: 'Move' },
      )
      expect(await settled()).toEqual(['10T11 Daily', '11T11 Special', '12T11 Daily'])
      await replica.undo()
      expect(await settled()).toEqual(['10T09 Daily', '11T09 Special', '12T09 Daily'])
      await replica.redo()
      expect(await settled()).toEqual(['10T11 Daily', '11T11 Special', '12T11 Daily'])
    },
  )

  it('count each person emailed once', async () => {
    const value = { summary: 'Review', ...times }
    await replica.edit(
      [
        { kind: 'create', collection: 'events', parent: 'me', value },
        { kind: 'create', collection: 'events', parent: 'me', value },
      ],
      { label: 'Two', sendUpdates: 'all', mails: 3 },
    )
    expect(replica.outbox().map(({ mails, sendUpdates }) => [mails, sendUpdates])).toEqual([
      [3, 'all'],
      [0, 'all'],
    ])
  })

  it("pause at a rejected entry and its dependents, and resume once it's fixed", async () => {
    const parent = await task('poison')
    await task('child', { parent: replica.peek(parent)!.id })
    await make('Lunch')
    await device.quiesce()
    expect(replica.status).toMatchObject({ unsent: 2, needsYou: 1 })
    expect(service.living('events me')).toHaveLength(1)
    await change(parent, { title: 'fine' })
    await device.quiesce()
    expect(replica.outbox()).toEqual([])
    expect(
      service
        .living('tasks inbox')
        .map((value) => value.title)
        .sort(),
    ).toEqual(['child', 'fine'])
  })

  it('that are discarded take their dependents along', async () => {
    const parent = await task('parent')
    await task('child', { parent: replica.peek(parent)!.id })
    await replica.withdraw(replica.outbox()[0]!.id)
    expect(replica.outbox()).toEqual([])
    expect(replica.rows('tasks')).toEqual([])
    expect((await replica.history()).map((item) => item.how)).toEqual(['withdrawn', 'withdrawn'])
  })

  it("change nothing when the database or the journal can't save them", async () => {
    const key = await make('Lunch')
    device.store.failing = new Error('full')
    await expect(change(key, { summary: 'Lost?' })).rejects.toMatchObject({ fault: { code: 'storage' } })
    device.store.failing = null
    device.journal.failing = true
    await expect(change(key, { summary: 'Lost?' })).rejects.toMatchObject({ fault: { code: 'storage' } })
    device.journal.failing = false
    expect(replica.items(...march)).toMatchObject([{ title: 'Lunch' }])
    expect(replica.undoable.undo).toBe('New event *Lunch*')
    device.crash()
    await device.start()
    expect(device.replica.items(...march)).toMatchObject([{ title: 'Lunch' }])
  })

  it('can be undone and redone before and after sending, and after a restart', async () => {
    const key = await make('Lunch')
    await change(key, { summary: 'Dinner' }, 'Rename')
    expect(await replica.undo()).toBe('Rename')
    expect(replica.items(...march)).toMatchObject([{ title: 'Lunch' }])
    expect(await replica.redo()).toBe('Rename')
    await device.quiesce()
    device.crash()
    await device.start()
    expect(device.replica.undoable).toEqual({ undo: 'Rename', redo: null })
    expect(await device.replica.undo()).toBe('Rename')
    await device.quiesce()
    expect(service.living('events me')).toMatchObject([{ summary: 'Lunch' }])
    await device.replica.undo()
    await device.quiesce()
    expect(service.living('events me')).toEqual([])
    expect(await device.replica.redo()).toBe('New event *Lunch*')
    await device.quiesce()
    expect(service.living('events me')).toMatchObject([{ summary: 'Lunch' }])
  })

  it('undo one step without later ones', async () => {
    const key = await make('Lunch')
    const rename = (summary: string): Promise<{ group: string }> =>
      replica.edit([{ kind: 'change', key, patch: { summary } }], { label: summary })
    const { group } = await rename('Dinner')
    await rename('Supper')
    await expect(replica.undo(group)).rejects.toMatchObject({ fault: { code: 'conflict' } })
    expect(replica.items(...march)).toMatchObject([{ title: 'Supper' }])
    expect(await replica.undo()).toBe('Supper')
    expect(await replica.undo(group)).toBe('Dinner')
    await expect(replica.undo(group)).rejects.toMatchObject({ fault: { code: 'conflict' } })
    expect(replica.items(...march)).toMatchObject([{ title: 'Lunch' }])
  })

  it('queue an undo with its own label and keep the labels of pending ones', async () => {
    const labels = (): string[] => replica.outbox().map(({ kind, label }) => `${kind}: ${label}`)
    const key = await make('Lunch')
    await remove(key)
    await replica.undo()
    expect(labels()).toEqual(['create: New event *Lunch*'])
    await device.quiesce()
    replica.pause(true)
    const sent = await task('Milk')
    await change(sent, { notes: 'Fresh' }, 'Notes')
    await device.quiesce()
    const milk = replica.peek(sent)!.key
    await change(milk, { title: 'Oats' }, 'Rename')
    await device.quiesce()
    await replica.edit([{ kind: 'delete', key: milk }], { label: 'Delete *Oats*' })
    await device.quiesce()
    replica.pause(true)
    expect(await replica.undo()).toBe('Delete *Oats*')
    expect(labels()).toEqual(['change: Revert: Delete *Oats*'])
    expect(replica.undoable.redo).toBe('Delete *Oats*')
    await device.quiesce()
    replica.pause(true)
    await replica.undo()
    expect(labels()).toEqual(['change: Revert: Rename'])
    await replica.redo()
    expect(labels()).toEqual([])
    const [{ key: oats }] = replica.rows('tasks', 'inbox') as unknown as [{ key: string }]
    await change(oats, { title: 'Rye' }, 'Rename')
    await change(oats, { notes: 'Dark' }, 'Notes')
    expect(labels()).toEqual(['change: Notes'])
    await replica.undo()
    expect(labels()).toEqual(['change: Rename'])
    await replica.redo()
    expect(labels()).toEqual(['change: Notes'])
  })

  it('undo without touching changes by others', async () => {
    const key = await make('Lunch')
    await device.quiesce()
    await change(key, { summary: 'Dinner' })
    await device.quiesce()
    const other = new Device('two', service, clock, seeded(9))
    await other.start()
    await clock.pass(1_000)
    await other.replica.edit([{ kind: 'change', key, patch: { location: 'Home' } }], { label: 'Place' })
    await other.quiesce()
    await device.quiesce()
    await replica.undo()
    await device.quiesce()
    expect(service.living('events me')).toMatchObject([{ summary: 'Lunch', location: 'Home' }])
  })
})
