import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { seeded, VirtualClock } from './model/clock'
import { Device } from './model/device'
import { modelForEach } from './model/for-each'
import { ModelService } from './model/service'

/** Values that fit the schema and yet no one would type. Each record is stored and changed like any other, and none hides another. */
describe('an event of the service', () => {
  const { clock, service, device } = modelForEach(5_000)
  const place = { calendarId: 'me' }
  const day = { start: { date: '2026-03-04' }, end: { date: '2026-03-05' } }
  const time = (dateTime: string, timeZone: string): JsonObject => ({
    start: { dateTime, timeZone },
    end: { dateTime, timeZone },
  })

  it.each<[string, JsonObject]>([
    ['a title of a megabyte', { ...day, summary: 'x'.repeat(1_000_000) }],
    ['half characters', { ...day, summary: 'a\ud800b\udc00', description: '\udfff' }],
    ['NUL and control characters', { ...day, summary: 'a\u0000b\u0001\u001b[31m', location: '\u0000' }],
    ['marks that turn the direction of text', { ...day, summary: '\u202eabc\u2066\u2069', location: '\ufeff' }],
    ['a date that doesn’t exist', { start: { date: '2026-02-30' }, end: { date: '2026-13-99' } }],
    ['no date at all', { start: {}, end: {} }],
    ['text instead of a time', time('soon', 'UTC')],
    ['an unknown zone', time('2026-03-04T09:00:00', 'Mars/Olympus')],
    ['the year 275761', time('+275761-01-01T00:00:00Z', 'UTC')],
    ['an end before its start', { start: { date: '2026-03-05' }, end: { date: '2026-03-01' } }],
    ['a rule that is none', { ...day, recurrence: ['RRULE:FREQ=NEVER;COUNT=-1', 'EXDATE:x', ''] }],
    ['a rule without end that repeats each second', { ...day, recurrence: ['RRULE:FREQ=SECONDLY'] }],
    ['numbers beyond exact ones', { ...day, sequence: 2 ** 53 + 2, later: 1e308 }],
    [
      'names that every object inherits',
      { ...day, constructor: 'x', extendedProperties: { private: { toString: 'y' } } } as never,
    ],
  ])('with %s hides no other one, and stays as it is when it’s changed', async (_name, odd) => {
    service.callAs('x', 'calendar.events.insert', place, { id: 'plain1', summary: 'Plain', ...day })
    service.callAs('x', 'calendar.events.insert', place, { id: 'odd123', summary: 'Odd', ...day })
    const shelf = service.shelf('events me')
    const held = shelf.held.get('odd123')!
    shelf.put('odd123', { ...held, value: { ...held.value, ...odd } })
    device.replica.syncNow()
    await clock.pass(10_000)
    const { replica } = device
    const shown = (): string[] => replica.items(Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)).map(({ title }) => title)
    expect(shown()).toContain('Plain')
    const key = recordKey('events', 'me', 'odd123')
    expect((await replica.read(key))?.value).toMatchObject(odd)
    const isShown = shown().length === 2

    device.crash()
    await device.start()
    await clock.pass(10_000)
    expect((await device.replica.read(key))?.value).toMatchObject(odd)
    if (!isShown) return
    await device.replica.edit([{ kind: 'change', key, patch: { location: 'Room 1' } }], { label: 'Room' })
    await clock.pass(60_000)
    expect(device.replica.outbox()).toEqual([])
    const after = service.living('events me').find(({ id }) => id === 'odd123')!
    const { location: _location, ...rest } = odd
    expect(after).toMatchObject({ ...rest, location: 'Room 1' })
  })

  it('that comes twice on one page is one event, with the later values', async () => {
    service.callAs('x', 'calendar.events.insert', place, { id: 'twice1', summary: 'First', ...day })
    const call = service['carryOut'].bind(service)
    service['carryOut'] = (...args) => {
      const answer = call(...args)
      const items = answer.body?.items as JsonObject[] | undefined
      if (args[0].id !== 'calendar.events.list' || !items) return answer
      const again = items.map((item) => ({ ...item, summary: 'Second' }))
      return { ...answer, body: { ...answer.body, items: [...items, ...again] } }
    }
    device.replica.syncNow()
    await clock.pass(10_000)
    const shown = device.replica.items(Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)).map(({ title }) => title)
    expect(shown).toEqual(['Second'])
    expect(await device.stored('events', 'me')).toHaveLength(1)
  })
})

/** An editor keeps the key and the references that it was opened with. */
describe('an editor that is open while the service assigns IDs', () => {
  it('changes the same task, and refers to the same list', async () => {
    const clock = new VirtualClock()
    const service = new ModelService(() => clock.time)
    const device = new Device('one', service, clock, seeded(1))
    await device.start()
    await clock.pass(5_000)
    const { replica } = device
    await replica.setOffline(true)
    const make = async (collection: 'tasklists' | 'tasks', parent: string | null, title: string): Promise<string> =>
      (await replica.edit([{ kind: 'create', collection, parent, value: { title } }], { label: title })).keys[0]!
    const list = await make('tasklists', null, 'Trip')
    const listId = list.split('\n').at(-1)!
    const task = await make('tasks', listId, 'Pack')
    await replica.setOffline(false)
    await clock.pass(60_000)
    expect(replica.outbox()).toEqual([])
    await replica.edit([{ kind: 'change', key: task, patch: { title: 'Pack, typed before' } }], { label: 'Edit' })
    await make('tasks', listId, 'Book')
    await replica.edit([{ kind: 'change', key: list, patch: { title: 'Trip, typed before' } }], { label: 'Edit' })
    await clock.pass(60_000)
    expect(replica.outbox()).toEqual([])
    expect(service.leaked).toEqual([])
    const made = service.living('tasklists').find(({ title }) => title === 'Trip, typed before')!
    const titles = service.living(`tasks ${String(made.id)}`).map(({ title }) => title)
    expect(titles.sort()).toEqual(['Book', 'Pack, typed before'])
  })
})
