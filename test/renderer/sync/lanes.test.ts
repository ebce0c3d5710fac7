import { beforeEach, describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { FaultCode } from '#shared/fault'
import type { ServiceName } from '#shared/wire/services'
import { modelForEach } from '../../flows/model/for-each'
import type { LaneStatus } from '../../../src-renderer/replica/api'
import { entryOf } from '../replica/store.conformance'

const { clock, service, device } = modelForEach(1_000)

const times = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }
const task = (title: string): Promise<unknown> =>
  device.replica.edit([{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title } }], { label: title })
const event = (summary: string, parent = 'me'): Promise<{ keys: string[] }> =>
  device.replica.edit([{ kind: 'create', collection: 'events', parent, value: { summary, ...times } }], {
    label: summary,
  })
const tasks = (): unknown[] => service.living('tasks inbox').map(({ title }) => title)
const events = (calendar = 'me'): unknown[] => service.living(`events ${calendar}`).map(({ summary }) => summary)
const lane = (name: ServiceName): LaneStatus => device.replica.status.lanes.find((one) => one.service === name)!
const failing = (code: FaultCode, operation: RegExp): void => {
  service.trouble = (call, moment) => (moment === 'before' && operation.test(call.id) ? code : undefined)
}

beforeEach(() => {
  service.calls.length = 0
})

describe('a failing service', () => {
  it.each<FaultCode>([
    'quotaSpent',
    'rateLimited',
    'unavailable',
    'unreachable',
    'signInExpired',
    'answerLost',
    'badAnswer',
    'storage',
    'mistake',
  ])("that answers everything with %s doesn't block other services' edits", async (code) => {
    failing(code, /^tasks\./)
    device.replica.syncNow()
    await task('waits')
    await clock.pass(10_000)
    await event('Goes')
    await clock.pass(1_000)
    expect(events()).toEqual(['Goes'])
    expect(lane('calendar')).toMatchObject({ phase: 'idle', unsent: 0 })
    expect(lane('tasks').unsent).toBe(1)
    expect(lane('tasks').fault?.code).toBe(code)
    await clock.pass(60_000)
    expect(lane('calendar').fault).toBeUndefined()
    service.trouble = () => undefined
    device.replica.syncNow()
    await clock.pass(1_000)
    expect(tasks()).toEqual(code === 'mistake' ? [] : ['waits'])
  })

  it("that never answers doesn't block other services' edits", async () => {
    service.delay = ({ id }) => (id.startsWith('tasks.') ? new Promise(() => undefined) : undefined)
    device.replica.syncNow()
    await task('waits')
    await clock.pass(10_000)
    await event('Goes')
    await clock.pass(1_000)
    expect(events()).toEqual(['Goes'])
    expect(device.replica.status).toMatchObject({ phase: 'pulling', unsent: 1 })
  })

  it("with constant edits doesn't delay other services' edits", async () => {
    await event('Goes')
    for (let edit = 0; edit < 5; edit++) {
      await task(`task ${edit}`)
      await clock.pass(200)
    }
    expect(events()).toEqual(['Goes'])
    expect(tasks()).toEqual([])
    await clock.pass(500)
    expect(tasks()).toHaveLength(5)
  })

  it('is retried for one of its entries while the others wait', async () => {
    failing('quotaSpent', /./)
    await task('waits')
    await event('Waits')
    await clock.pass(2_000)
    service.trouble = () => undefined
    await device.replica.retry(device.replica.outbox().find(({ collection }) => collection === 'tasks')!.id)
    await clock.pass(1_000)
    expect([tasks(), events()]).toEqual([['waits'], []])
    expect(lane('calendar').phase).toBe('waiting')
  })

  it('doesn’t read everything again when a rejected entry is retried', async () => {
    failing('mistake', /^tasks\.tasks\.insert/)
    await task('again')
    await clock.pass(2_000)
    service.trouble = () => undefined
    service.calls.length = 0
    const [entry] = device.replica.outbox()
    expect(entry?.state).toBe('needsYou')
    await device.replica.retry(entry!.id)
    await clock.pass(1_000)
    expect(tasks()).toEqual(['again'])
    const calls = service.calls.map(({ id }) => id)
    expect(calls[0]).toBe('tasks.tasks.insert')
    expect(calls).not.toContain('tasks.tasklists.list')
  })

  it('is retried alone on request', async () => {
    failing('quotaSpent', /^tasks\./)
    await task('waits')
    await clock.pass(2_000)
    expect(lane('tasks').phase).toBe('waiting')
    service.trouble = () => undefined
    service.calls.length = 0
    device.replica.syncNow('tasks')
    await clock.pass(1_000)
    expect(tasks()).toEqual(['waits'])
    expect(service.calls.filter(({ id }) => id.startsWith('calendar.'))).toEqual([])
  })

  it('unblocks dependents in another service as soon as it recovers', async () => {
    device.crash()
    const first = entryOf('1', {
      accountId: 'a',
      parent: 'me',
      recordId: 'first0',
      patch: { summary: 'First', ...times },
    })
    const second = entryOf('2', {
      accountId: 'a',
      collection: 'tasks',
      parent: 'inbox',
      recordId: 'local:second',
      patch: { title: 'Second' },
      dependsOn: ['1'],
    })
    for (const entry of [first, second])
      device.journal.lines.push({ kind: 'entry', entry: { ...entry, kind: 'create', base: null } })
    let letThrough = (): void => undefined
    const held = new Promise<void>((resolve) => (letThrough = resolve))
    service.delay = ({ id }) => (id === 'calendar.events.insert' ? held : undefined)
    await device.start()
    await clock.pass(10_000)
    expect([events(), tasks()]).toEqual([[], []])
    letThrough()
    await clock.settle()
    await clock.pass(1_000)
    expect([events(), tasks()]).toEqual([['First'], ['Second']])
  })
})

describe('one entry that always hits a rate limit', () => {
  const limited = (code: FaultCode): void => {
    service.trouble = ({ body }, moment) =>
      moment === 'before' && (body?.title ?? body?.summary) === 'limited' ? code : undefined
  }

  it.each<FaultCode>(['rateLimited', 'storage'])(
    'with %s stops blocking later ones after a few tries, and is retried alone',
    async (code) => {
      limited(code)
      for (const title of ['limited', 'a', 'b', 'c']) await task(title)
      await clock.pass(30_000)
      expect(tasks()).toEqual(['a', 'b', 'c'])
      await clock.pass(300_000)
      service.calls.length = 0
      await task('d')
      await clock.pass(1_000)
      expect(tasks()).toContain('d')
      expect(lane('tasks').unsent).toBe(1)
      await clock.pass(200_000)
      expect(service.calls.filter(({ body }) => body?.title === 'limited').length).toBeGreaterThan(1)
      service.trouble = () => undefined
      await clock.pass(70_000)
      expect(tasks()).toContain('limited')
    },
  )

  it("isn't singled out while others are limited, too", async () => {
    failing('rateLimited', /insert/)
    for (const title of ['a', 'b', 'c']) await task(title)
    await clock.pass(600_000)
    expect(service.calls.filter(({ id }) => /insert/.test(id)).length).toBeLessThan(20)
    expect(lane('tasks')).toMatchObject({ phase: 'waiting', unsent: 3 })
  })
})

it('a task for a full list needs attention after a few tries, and the lists are read meanwhile', async () => {
  failing('limitReached', /insert/)
  await task('too many')
  await clock.pass(5_000)
  expect(lane('tasks')).toMatchObject({ unsent: 1, needsYou: 0, phase: 'waiting', fault: { code: 'limitReached' } })
  service.calls.length = 0
  device.replica.syncNow()
  await clock.pass(1_000)
  expect(service.calls.some(({ id }) => id === 'tasks.tasks.list')).toBe(true)
  await clock.pass(120_000)
  expect(device.replica.outbox()).toMatchObject([{ state: 'needsYou', fault: { code: 'limitReached' } }])
})

it('reading and sending continue although one calendar always hits a rate limit', async () => {
  service.trouble = ({ id, params }, moment) =>
    moment === 'before' && id === 'calendar.events.list' && params.calendarId === 'me' ? 'rateLimited' : undefined
  device.crash()
  await device.start()
  await event('Elsewhere', 'work')
  await clock.pass(60_000)
  expect(events('work')).toEqual(['Elsewhere'])
  expect(lane('calendar').fault?.code).toBe('rateLimited')
  service.trouble = () => undefined
  await clock.pass(120_000)
  expect(lane('calendar').fault).toBeUndefined()
})

describe('after being offline', () => {
  const listed = (calendar: string): number =>
    service.calls.findIndex(({ id, params }) => id === 'calendar.events.list' && params.calendarId === calendar)
  const called = (operation: string): number => service.calls.findIndex(({ id }) => id === operation)

  it('an edit is sent once its own calendar is read, before the others', async () => {
    await device.replica.setOffline(true)
    await event('Mine', 'work')
    service.calls.length = 0
    await device.replica.setOffline(false)
    await clock.pass(1_000)
    const order = [called('calendar.calendarList.list'), listed('work'), called('calendar.events.insert'), listed('me')]
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(Math.min(...order)).toBeGreaterThanOrEqual(0)
  })

  it('an event that moves is sent once both calendars are read', async () => {
    const { keys } = await event('Mine')
    await device.quiesce()
    await device.replica.setOffline(true)
    await device.replica.edit([{ kind: 'action', key: keys[0]!, action: { name: 'moveEvent', destination: 'work' } }], {
      label: 'Move',
    })
    service.calls.length = 0
    await device.replica.setOffline(false)
    await clock.pass(1_000)
    expect(called('calendar.events.move')).toBeGreaterThan(Math.max(listed('me'), listed('work')))
    expect(events('work')).toEqual(['Mine'])
  })

  it('nothing is sent while every read fails', async () => {
    await device.replica.setOffline(true)
    await event('Mine')
    failing('badAnswer', /list|get/)
    service.calls.length = 0
    await device.replica.setOffline(false)
    await clock.pass(300_000)
    expect(called('calendar.events.insert')).toBe(-1)
    expect(lane('calendar')).toMatchObject({ phase: 'waiting', unsent: 1 })
  })
})

describe('the status', () => {
  it('names each service that syncs and sums up pending changes', async () => {
    failing('quotaSpent', /^tasks\./)
    await task('a')
    await task('b')
    await clock.pass(2_000)
    const { status } = device.replica
    expect(status.lanes.map(({ service: name, unsent }) => [name, unsent])).toEqual([
      ['calendar', 0],
      ['tasks', 2],
      ['trafficking', 0],
    ])
    expect(status).toMatchObject({ phase: 'waiting', unsent: 2, fault: { code: 'quotaSpent' } })
    expect(status.nextTry).toBeGreaterThan(clock.time)
  })

  it('marks a calendar without read access', async () => {
    service.trouble = ({ id, params }, moment) =>
      moment === 'before' && id === 'calendar.events.list' && params.calendarId === 'work' ? 'forbidden' : undefined
    device.replica.syncNow()
    await clock.pass(1_000)
    expect(lane('calendar')).toMatchObject({ phase: 'idle', fault: { code: 'forbidden' } })
  })
})

it("a service with its daily quota used up isn't called until it renews, even if only reads hit it", async () => {
  failing('quotaSpent', /^tasks\./)
  device.replica.syncNow()
  await clock.pass(60_000)
  const asked = service.calls.filter(({ id }) => id.startsWith('tasks.')).length
  await clock.pass(6 * 3_600_000)
  expect(asked).toBe(1)
  expect(lane('tasks').nextTry).toBeLessThan(clock.time + 24 * 3_600_000)
  expect(service.calls.filter(({ id }) => id.startsWith('tasks.')).length).toBe(1)
})

it('watch notifications continue, whichever service was read last', async () => {
  const watched = ['calendarList', 'settings', 'events me', 'events work', 'acl me'].map((name) => {
    const [collection, parent = null] = name.split(' ') as [CollectionName, string?]
    return recordKey(collection, parent, '')
  })
  expect([...device.watching].sort()).toEqual(watched.sort())
  device.replica.syncNow('tasks')
  await clock.pass(1_000)
  expect([...device.watching].sort()).toEqual(watched)
})

describe('events that someone else deleted, too', () => {
  const calendars = Array.from({ length: 10 }, (_, at) => `more${at}`)
  const reads = (): string[] =>
    service.calls.flatMap(({ id, params }) => (id === 'calendar.events.get' ? String(params.calendarId) : []))
  /** Offline, all events of a calendar are deleted here, and by Ada. */
  async function deletedByBoth(count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, at) => {
      const body = { summary: `Plan ${at}`, ...times }
      return String(service.callAs('ada', 'calendar.events.insert', { calendarId: 'work' }, body)!.id)
    })
    device.replica.syncNow()
    await clock.pass(10_000)
    await device.replica.setOffline(true)
    await device.replica.edit(
      ids.map((id) => ({ kind: 'delete', key: recordKey('events', 'work', id) })),
      { label: 'Delete' },
    )
    for (const eventId of ids) service.callAs('ada', 'calendar.events.delete', { calendarId: 'work', eventId })
    service.calls.length = 0
    await device.replica.setOffline(false)
    await clock.pass(60_000)
  }

  beforeEach(async () => {
    for (const id of calendars) service.callAs('me', 'calendar.calendars.insert', {}, { id, summary: id })
    device.replica.syncNow()
    await clock.pass(10_000)
  })

  it('are looked for in the lists of the other calendars, which are read once', async () => {
    await deletedByBoth(20)
    expect([device.replica.outbox(), reads()]).toEqual([[], []])
    const lists = service.calls.filter(({ id }) => id === 'calendar.events.list').length
    expect(lists).toBeLessThan(2 * (calendars.length + 2))
  })
})
