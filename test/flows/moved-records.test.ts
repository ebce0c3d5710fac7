import { describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { faultOf } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { Change, Replica } from '../../src-renderer/replica/api'
import type { Device } from '../helpers/device'
import { devicesForEach } from '../helpers/for-file'
import { primary, times } from '../helpers/some-event'

const { service, here, there } = devicesForEach()

const edit = async ({ replica }: Device, change: Change): Promise<string> =>
  (await replica.edit([change], { label: 'Edit' })).keys[0]!
const place = (replica: Replica, collection: 'calendarList' | 'tasklists', name: string): string =>
  replica.rows(collection).find(({ value }) => value?.['summary'] === name || value?.['title'] === name)!.id
const eventIn = async (calendarId: string, eventId: string): Promise<JsonObject> =>
  (await service.client.call('calendar.events.get', { calendarId, eventId })).body as JsonObject
/** An event on the service, and a second calendar. */
async function reviewAndCalendar(): Promise<{ key: string; destination: string }> {
  await edit(there, { kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Other' } })
  const value = { summary: 'Review', ...times }
  const key = await edit(there, { kind: 'create', collection: 'events', parent: primary, value })
  await there.settled()
  return { key, destination: place(there.replica, 'calendarList', 'Other') }
}
/** Sends what was edited there, and downloads it here. */
async function passedOn(): Promise<void> {
  await there.settled()
  await here.settled()
}
async function offlineEdit(change: () => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<void> {
  await Promise.all([here, there].map((device) => device.settled()))
  await here.replica.setOffline(true)
  await change()
  await meanwhile()
  await there.settled()
  await here.replica.setOffline(false)
  await here.settled()
}

describe('a record that someone else moved', () => {
  it('takes an event edit along, with the changes there', async () => {
    const { key, destination } = await reviewAndCalendar()
    await offlineEdit(
      async () => {
        await edit(here, { kind: 'change', key, patch: { location: 'Room 2' } })
        await edit(here, { kind: 'change', key, patch: { description: 'Bring figures' } })
      },
      async () => {
        const moved = await edit(there, { kind: 'action', key, action: { name: 'moveEvent', destination } })
        await edit(there, { kind: 'change', key: moved, patch: { summary: 'Review with Mina' } })
      },
    )
    expect(here.replica.outbox()).toEqual([])
    const { id } = parseRecordKey(key)
    expect(await eventIn(destination, id)).toMatchObject({
      summary: 'Review with Mina',
      location: 'Room 2',
      description: 'Bring figures',
    })
    const shown = here.replica.items(Date.parse('2026-05-04'), Date.parse('2026-05-05'))
    expect(shown.map(({ title, calendarId }) => [title, calendarId])).toEqual([['Review with Mina', destination]])
  })

  it('asks if both changed the same field', async () => {
    const { key, destination } = await reviewAndCalendar()
    await offlineEdit(
      () => edit(here, { kind: 'change', key, patch: { location: 'Room 2' } }),
      async () => {
        const moved = await edit(there, { kind: 'action', key, action: { name: 'moveEvent', destination } })
        await edit(there, { kind: 'change', key: moved, patch: { location: 'Room 3' } })
      },
    )
    const [waiting] = here.replica.outbox()
    expect(waiting).toMatchObject({ state: 'needsYou', conflict: { fields: ['location'] } })
    expect(waiting?.parent).toBe(destination)
    await here.replica.resolve(waiting!.id, { keep: 'mine' })
    await here.settled()
    expect(here.replica.outbox()).toEqual([])
    expect(await eventIn(destination, parseRecordKey(key).id)).toMatchObject({ location: 'Room 2' })
  })

  it('takes a task edit along', async () => {
    await edit(there, { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Later' } })
    const list = there.replica.rows('tasklists').find(({ value }) => value?.['title'] !== 'Later')!.id
    const made = await edit(there, { kind: 'create', collection: 'tasks', parent: list, value: { title: 'Call' } })
    await there.settled()
    const { key } = there.replica.peek(made)!
    const destination = place(there.replica, 'tasklists', 'Later')
    await offlineEdit(
      () => edit(here, { kind: 'change', key, patch: { notes: 'After lunch' } }),
      () => edit(there, { kind: 'action', key, action: { name: 'moveTask', destination } }),
    )
    expect(here.replica.outbox()).toEqual([])
    const { body } = await service.client.call('tasks.tasks.list', { tasklist: destination })
    expect(body.items?.map(({ title, notes }) => [title, notes])).toEqual([['Call', 'After lunch']])
    expect(here.replica.rows('tasks').filter(({ value }) => value?.['title'] === 'Call')).toHaveLength(1)
  })

  it('takes an edit along that began before its list was read', async () => {
    await edit(there, { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Later' } })
    const list = there.replica.rows('tasklists').find(({ value }) => value?.['title'] !== 'Later')!.id
    const made = await edit(there, { kind: 'create', collection: 'tasks', parent: list, value: { title: 'Call' } })
    await passedOn()
    const { key } = there.replica.peek(made)!
    const destination = place(there.replica, 'tasklists', 'Later')
    await edit(there, { kind: 'action', key, action: { name: 'moveTask', destination } })
    await passedOn()
    expect(here.replica.peek(key)).toBeUndefined()
    await edit(here, { kind: 'change', key, patch: { notes: 'After lunch' } })
    const action = { name: 'moveTask', destination: list } as const
    const again = edit(here, { kind: 'action', key, action })
    await expect(again).rejects.toThrow('Someone moved this item')
    await here.settled()
    const { body } = await service.client.call('tasks.tasks.list', { tasklist: destination })
    expect(body.items?.map(({ title, notes }) => [title, notes])).toEqual([['Call', 'After lunch']])
  })

  it('is found after the cache was lost, too', async () => {
    const { key, destination } = await reviewAndCalendar()
    await offlineEdit(
      () => edit(here, { kind: 'change', key, patch: { location: 'Room 2' } }),
      async () => {
        await edit(there, { kind: 'action', key, action: { name: 'moveEvent', destination } })
        await here.restart({ wiped: true })
      },
    )
    expect(here.replica.outbox()).toEqual([])
    expect(await eventIn(destination, parseRecordKey(key).id)).toMatchObject({ location: 'Room 2' })
  })

  it('is found in a calendar created later', async () => {
    const value = { summary: 'Review', ...times }
    const key = await edit(there, { kind: 'create', collection: 'events', parent: primary, value })
    await there.settled()
    await here.settled()
    await edit(there, { kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Brand new' } })
    await there.settled()
    const destination = place(there.replica, 'calendarList', 'Brand new')
    await edit(there, { kind: 'action', key, action: { name: 'moveEvent', destination } })
    await there.settled()
    await edit(here, { kind: 'change', key, patch: { location: 'Room 2' } })
    await here.until('an answer', (replica) => replica.outbox().every(({ state }) => state === 'needsYou'))
    expect(here.replica.outbox()).toEqual([])
    expect(await eventIn(destination, parseRecordKey(key).id)).toMatchObject({ location: 'Room 2' })
  })

  it("asks if it's gone everywhere", async () => {
    const { key } = await reviewAndCalendar()
    await here.settled()
    await edit(there, { kind: 'delete', key })
    await there.settled()
    await edit(here, { kind: 'change', key, patch: { location: 'Room 2' } })
    await here.until('a question', (replica) => replica.outbox().some(({ state }) => state === 'needsYou'))
    expect(here.replica.outbox()).toMatchObject([{ parent: primary, conflict: { remote: null } }])
  })

  it('asks if its calendar was deleted', async () => {
    const { destination } = await reviewAndCalendar()
    const value = { summary: 'Planning', ...times }
    const key = await edit(there, { kind: 'create', collection: 'events', parent: destination, value })
    await there.settled()
    await offlineEdit(
      () => edit(here, { kind: 'change', key, patch: { location: 'Room 2' } }),
      () => edit(there, { kind: 'delete', key: recordKey('calendars', null, destination) }),
    )
    await here.asks()
    expect(here.replica.outbox()).toMatchObject([{ patch: { location: 'Room 2' }, conflict: { remote: null } }])
  })

  const moved = async (choice: 'mine' | 'theirs'): Promise<{ id: string; mine: string; theirs: string }> => {
    for (const summary of ['Mine', 'Theirs'])
      await edit(there, { kind: 'create', collection: 'calendars', parent: null, value: { summary } })
    const value = { summary: 'Review', ...times }
    const key = await edit(there, { kind: 'create', collection: 'events', parent: primary, value })
    await passedOn()
    const [mine, theirs] = ['Mine', 'Theirs'].map((name) => place(there.replica, 'calendarList', name)) as [
      string,
      string,
    ]
    const to = (destination: string): Change => ({ kind: 'action', key, action: { name: 'moveEvent', destination } })
    await here.replica.setOffline(true)
    const at = await edit(here, to(mine))
    await edit(here, { kind: 'change', key: at, patch: { location: 'Room 2' } })
    await edit(there, to(theirs))
    await there.settled()
    await here.replica.setOffline(false)
    const needsYou = (replica: Replica): boolean => replica.outbox().some(({ state }) => state === 'needsYou')
    await here.until('a question', needsYou)
    const [asked] = here.replica.outbox().filter(({ state }) => state === 'needsYou')
    expect(asked).toMatchObject({ kind: 'action', parent: theirs, conflict: { fields: [] } })
    expect(asked?.conflict?.remote).toMatchObject({ summary: 'Review' })
    await here.replica.resolve(asked!.id, { keep: choice })
    await here.settled()
    expect(here.replica.outbox()).toEqual([])
    return { id: parseRecordKey(key).id, mine, theirs }
  }

  it.each(['mine', 'theirs'] as const)('asks when both moved it, and leaves one event: %s', async (choice) => {
    const { id, ...places } = await moved(choice)
    const other = choice === 'mine' ? 'theirs' : 'mine'
    expect(await eventIn(places[choice], id)).toMatchObject({ summary: 'Review', location: 'Room 2' })
    const left = await eventIn(places[other], id).catch((error: unknown) => ({ status: faultOf(error).code }))
    expect(['cancelled', 'notFound']).toContain(left['status'])
    const shown = here.replica.items(Date.parse('2026-05-04'), Date.parse('2026-05-05'))
    expect(shown.map(({ title, calendarId }) => [title, calendarId])).toEqual([['Review', places[choice]]])
  })

  it("drops out of the old list's order", async () => {
    await edit(there, { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Later' } })
    const list = there.replica.rows('tasklists').find(({ value }) => value?.['title'] !== 'Later')!.id
    const task = (title: string): Change => ({ kind: 'create', collection: 'tasks', parent: list, value: { title } })
    const first = await edit(there, task('First'))
    const second = await edit(there, task('Second'))
    await there.settled()
    const [key, previous] = [second, first].map((one) => there.replica.peek(one)!.key) as [string, string]
    const destination = place(there.replica, 'tasklists', 'Later')
    await offlineEdit(
      () => edit(here, { kind: 'action', key, action: { name: 'moveTask', previous: parseRecordKey(previous).id } }),
      () => edit(there, { kind: 'action', key, action: { name: 'moveTask', destination } }),
    )
    expect(here.replica.outbox()).toEqual([])
    const { body } = await service.client.call('tasks.tasks.list', { tasklist: destination })
    expect(body.items?.map(({ title }) => title)).toEqual(['Second'])
    expect(here.replica.rows('tasks').filter(({ value }) => value?.['title'] === 'Second')).toHaveLength(1)
  })

  describe('or deleted', () => {
    async function twoTasks(): Promise<{ key: string; previous: string }> {
      const list = there.replica.rows('tasklists')[0]!.id
      const task = (title: string): Change => ({ kind: 'create', collection: 'tasks', parent: list, value: { title } })
      const first = await edit(there, task('First'))
      const second = await edit(there, task('Second'))
      await passedOn()
      // New tasks are first.
      const previous = parseRecordKey(there.replica.peek(first)!.key).id
      return { key: there.replica.peek(second)!.key, previous }
    }

    it('needs no new position', async () => {
      const { key, previous } = await twoTasks()
      await edit(there, { kind: 'delete', key })
      await there.settled()
      await edit(here, { kind: 'action', key, action: { name: 'moveTask', previous } })
      await here.until('an answer', (replica) => replica.outbox().every(({ state }) => state === 'needsYou'))
      expect(here.replica.outbox()).toEqual([])
      expect(here.replica.peek(key)).toBeUndefined()
    })

    it('asks about an edit before its move', async () => {
      const { key, previous } = await twoTasks()
      await offlineEdit(
        async () => {
          await edit(here, { kind: 'action', key, action: { name: 'moveTask', previous } })
          await edit(here, { kind: 'change', key, patch: { notes: 'After lunch' } })
        },
        () => edit(there, { kind: 'delete', key }),
      )
      expect(here.replica.outbox()).toMatchObject([{ kind: 'change', state: 'needsYou', conflict: { remote: null } }])
    })

    it('stays if its new parent was deleted instead', async () => {
      const { key, previous } = await twoTasks()
      await offlineEdit(
        () => edit(here, { kind: 'action', key, action: { name: 'moveTask', parent: previous } }),
        () => edit(there, { kind: 'delete', key: recordKey('tasks', parseRecordKey(key).parent, previous) }),
      )
      expect(here.replica.peek(key)).toBeDefined()
      expect(here.replica.outbox()).toMatchObject([{ kind: 'action', state: 'needsYou' }])
    })
  })

  it("isn't mistaken for a guest's copy of a deleted event", async () => {
    await edit(there, { kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Room' } })
    await there.settled()
    const room = place(there.replica, 'calendarList', 'Room')
    const value = { summary: 'Review', ...times, attendees: [{ email: primary }] }
    const key = await edit(there, { kind: 'create', collection: 'events', parent: room, value })
    await there.settled()
    const { id } = parseRecordKey(key)
    expect(await eventIn(primary, id)).toMatchObject({ summary: 'Review' })
    const copy = `events\n${primary}\n${id}`
    await offlineEdit(
      () => edit(here, { kind: 'change', key: copy, patch: { colorId: '4' } }),
      () => edit(there, { kind: 'delete', key: copy }),
    )
    // The organizer's event isn't a match: the guest's copy was deleted.
    expect(here.replica.outbox()).toMatchObject([{ state: 'needsYou', parent: primary, conflict: { remote: null } }])
    expect((await eventIn(room, id))['colorId']).toBeUndefined()
    await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'mine' })
    const original = recordKey('events', room, id)
    expect([here.replica.realKey(original), here.replica.realKey(copy)]).toEqual([original, copy])
    await edit(here, { kind: 'change', key: original, patch: { location: 'Harbor' } })
    await here.settled()
    expect([here.replica.outbox(), await eventIn(room, id)]).toMatchObject([[], { location: 'Harbor' }])
    // Undo finds both.
    await here.replica.undo()
    await here.settled()
    expect((await eventIn(room, id))['location']).toBeUndefined()
    await here.replica.undo()
    await here.settled()
    expect((await eventIn(primary, id))['colorId']).toBeUndefined()
  })

  it.each(['mine', 'theirs'] as const)('asks before deleting it in its new place: %s', async (keep) => {
    const { key, destination } = await reviewAndCalendar()
    await offlineEdit(
      () => edit(here, { kind: 'delete', key }),
      () => edit(there, { kind: 'action', key, action: { name: 'moveEvent', destination } }),
    )
    const [entry] = here.replica.outbox()
    expect(entry).toMatchObject({ kind: 'delete', parent: destination, conflict: { fields: [] } })
    await here.replica.resolve(entry!.id, { keep })
    await here.settled()
    expect(here.replica.outbox()).toEqual([])
    const { id } = parseRecordKey(key)
    expect((await eventIn(destination, id))['status']).toBe(keep === 'mine' ? 'cancelled' : 'confirmed')
  })

  it.each([
    ['moves to the other list', 'moved'],
    ['moves to the top level once its parent is deleted', 'deleted'],
  ] as const)('takes a new subtask along: %s', async (_what, how) => {
    await edit(there, { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Later' } })
    const list = there.replica.rows('tasklists')[0]!.id
    const made = await edit(there, { kind: 'create', collection: 'tasks', parent: list, value: { title: 'Trip' } })
    await there.settled()
    const key = there.replica.peek(made)!.key
    const parent = parseRecordKey(key).id
    const destination = place(there.replica, 'tasklists', 'Later')
    await offlineEdit(
      () =>
        edit(here, {
          kind: 'create',
          collection: 'tasks',
          parent: list,
          value: { title: 'Pack', notes: 'Socks' },
          place: { parent },
        }),
      () =>
        edit(
          there,
          how === 'deleted'
            ? { kind: 'delete', key }
            : { kind: 'action', key, action: { name: 'moveTask', destination } },
        ),
    )
    await here.until('sent', ({ status }) => status.unsent === 0)
    const tasklist = how === 'moved' ? destination : list
    const { body } = await service.client.call('tasks.tasks.list', { tasklist })
    const pack = body.items!.find(({ title }) => title === 'Pack')
    expect(pack).toMatchObject({ notes: 'Socks' })
    expect(pack!.parent).toBe(how === 'moved' ? parent : undefined)
  })
})

it('clearing a calendar asks about an event moved into it', async () => {
  const { key, destination } = await reviewAndCalendar()
  const inOther = await edit(there, { kind: 'action', key, action: { name: 'moveEvent', destination } })
  await there.settled()
  await offlineEdit(
    async () => {
      const { id } = parseRecordKey(inOther)
      await edit(here, { kind: 'change', key: recordKey('events', destination, id), patch: { location: 'Room 2' } })
      const calendar = recordKey('calendars', null, primary)
      await edit(here, { kind: 'action', key: calendar, action: { name: 'clearCalendar' } })
    },
    async () => {
      const event = recordKey('events', destination, parseRecordKey(key).id)
      await edit(there, { kind: 'action', key: event, action: { name: 'moveEvent', destination: primary } })
    },
  )
  expect(here.replica.outbox().map(({ conflict }) => conflict?.unseen)).toEqual([[key]])
  expect(await eventIn(primary, parseRecordKey(key).id)).toMatchObject({ status: 'confirmed', location: 'Room 2' })
})

describe('an occurrence whose series someone else moved', () => {
  const occurrenceOf = (series: string, calendar = primary): string =>
    recordKey('events', calendar, `${parseRecordKey(series).id}_20260505T070000Z`)
  const titles = (): string[] =>
    here.replica.items(Date.parse('2026-05-05'), Date.parse('2026-05-06')).map(({ title }) => title)
  async function series(): Promise<string> {
    const value = { summary: 'Daily', ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
    const made = await edit(there, { kind: 'create', collection: 'events', parent: primary, value })
    await passedOn()
    return there.replica.peek(made)!.key
  }

  it('follows its series, even after a conflict', async () => {
    const { destination } = await reviewAndCalendar()
    const key = await series()
    await offlineEdit(
      () => edit(here, { kind: 'delete', key: occurrenceOf(key) }),
      () => edit(there, { kind: 'action', key, action: { name: 'moveEvent', destination } }),
    )
    await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'theirs' })
    const moved = recordKey('events', destination, parseRecordKey(key).id)
    await edit(there, { kind: 'change', key: moved, patch: { summary: 'Renamed' } })
    await passedOn()
    expect(titles()).toEqual(['Renamed'])
  })
})

it.each([false, true])(
  'is found by earlier steps after its deletion is undone, with restarts: %s',
  async (restarts) => {
    const { key, destination } = await reviewAndCalendar()
    await here.settled()
    const moved = recordKey('events', destination, parseRecordKey(key).id)
    const steps: readonly Change[] = [
      { kind: 'change', key, patch: { summary: 'Renamed' } },
      { kind: 'action', key, action: { name: 'moveEvent', destination } },
      { kind: 'delete', key: moved },
    ]
    const sent = async (): Promise<void> => {
      await here.settled()
      if (!restarts) return
      await here.restart()
      await here.settled()
    }
    for (const step of steps) await edit(here, step).then(sent)
    await here.replica.undo().then(sent)
    await here.replica.redo().then(sent)
    for (const _step of steps) await here.replica.undo().then(sent)
    const shown = here.replica.items(Date.parse('2026-05-04'), Date.parse('2026-05-05'))
    expect(shown.map(({ title, calendarId }) => [title, calendarId])).toEqual([['Review', primary]])
  },
)
