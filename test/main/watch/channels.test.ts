import { afterEach, describe, expect, it } from 'vitest'
import { systemClock, type Clock } from '#shared/time/clock'
import { WatchChannels, type OpenChannel, type WatchTarget } from '../../../src-main/watch/channels'
import { Receiver, type Notification } from '../../../src-main/watch/receiver'
import { startService, type TestService } from '../../helpers/service'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const primary = 'alex.morgan@flightplan.example'
const events: WatchTarget = { collection: 'events', parent: primary }
const targets: WatchTarget[] = [
  events,
  { collection: 'calendarList', parent: null },
  { collection: 'acl', parent: primary },
  { collection: 'settings', parent: null },
]
const event = {
  summary: 'Launch',
  start: { dateTime: '2026-05-04T09:00:00Z' },
  end: { dateTime: '2026-05-04T10:00:00Z' },
}

async function open(clock: Clock = systemClock) {
  const service: TestService = await startService()
  ends.push(() => service.stop())
  const changed: string[] = []
  const kept: OpenChannel[][] = []
  const channels = new WatchChannels({
    client: (accountId) => (accountId === 'one' ? service.client : undefined),
    changed: (accountId, target) => changed.push(`${accountId} ${target.collection} ${target.parent ?? ''}`.trim()),
    keep: (list) => kept.push(list),
    clock,
  })
  ends.push(() => channels.close())
  const calls = async (operation: string): Promise<number> =>
    (await service.requests()).filter((request) => request.operation === operation).length
  return { service, channels, changed, kept, calls }
}

async function eventually(look: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1500; tries++) {
    if (await look()) return
    await new Promise((done) => setTimeout(done, 20))
  }
  throw new Error('It did not happen in time')
}

describe('watch channels', () => {
  it("report others' changes, by collection and parent", async () => {
    const { service, channels, changed } = await open()
    expect((await channels.watch('one', targets)).length).toBe(4)
    await service.client.call('calendar.events.insert', { calendarId: primary }, { body: event })
    await eventually(() => changed.includes(`one events ${primary}`))
    await service.client.call('calendar.calendars.insert', {}, { body: { summary: 'Other' } })
    await eventually(() => changed.includes('one calendarList'))
    const scope = { type: 'user', value: 'mina.park@flightplan.example' } as const
    await service.client.call('calendar.acl.insert', { calendarId: primary }, { body: { role: 'reader', scope } })
    await eventually(() => changed.includes(`one acl ${primary}`))
  })

  it('open once and stop when no longer needed', async () => {
    const { channels, calls, kept } = await open()
    await Promise.all([
      channels.watch('one', [events]),
      channels.watch('one', [events]),
      channels.watch('one', [events]),
    ])
    expect(await calls('calendar.events.watch')).toBe(1)
    expect(kept.at(-1)).toHaveLength(1)
    expect(await channels.watch('one', [])).toEqual([])
    expect(await calls('calendar.channels.stop')).toBe(1)
    expect(kept.at(-1)).toEqual([])
  })

  it('all stop on quitting', async () => {
    const { channels, calls } = await open()
    await channels.watch('one', targets)
    await channels.close()
    expect(await calls('calendar.channels.stop')).toBe(4)
  })

  it('left open by an earlier run are stopped by the next', async () => {
    const { channels, calls, kept } = await open()
    await channels.watch('one', [events])
    const next = await open()
    await next.channels.sweep(kept.at(-1)!)
    await channels.sweep(kept.at(-1)!)
    expect(await calls('calendar.channels.stop')).toBe(1)
  })

  it('leave unwatchable collections to polling', async () => {
    const { service, channels } = await open()
    await service.order('POST', '/trouble', {
      operation: 'calendar.events.watch',
      status: 400,
      reason: 'pushNotSupported',
    })
    const watched = await channels.watch('one', [...targets, { collection: 'tasklists', parent: null }])
    expect(watched).toHaveLength(3)
    expect(watched).not.toContain(`events\n${primary}\n`)
    expect(await channels.watch('nobody', targets)).toEqual([])
  })

  it('renew before they expire, with the new one open first', async () => {
    let ahead = 0
    const clocks: Clock[] = [
      { now: () => systemClock.now() + ahead, elapsed: systemClock.elapsed },
      // The computer's clock is set back in the meantime.
      { now: () => systemClock.now() - ahead, elapsed: () => systemClock.elapsed() + ahead },
    ]
    for (const clock of clocks) {
      ahead = 0
      const { channels, calls, kept } = await open(clock)
      await channels.watch('one', [events])
      const first = kept.at(-1)![0]!.id
      // Nine minutes before the week ends.
      ahead = 604_800_000 - 9 * 60_000
      await channels.watch('one', [events])
      await eventually(async () => (await calls('calendar.channels.stop')) === 1)
      expect(await calls('calendar.events.watch')).toBe(2)
      expect(kept.at(-1)).toHaveLength(1)
      expect(kept.at(-1)![0]!.id).not.toBe(first)
    }
  })
})

describe('the receiver', () => {
  async function listen() {
    const notified: Notification[] = []
    const receiver = new Receiver({
      path: '/secret',
      tokenOf: (id) => (id === 'known' ? 'token' : undefined),
      notified: (notification) => notified.push(notification),
    })
    await receiver.open()
    ends.push(() => receiver.close())
    const good = { 'X-Goog-Channel-ID': 'known', 'X-Goog-Channel-Token': 'token', 'X-Goog-Resource-State': 'exists' }
    const post = async (headers: Record<string, string>, address = receiver.address, method = 'POST') =>
      (await fetch(address, { method, headers: { ...good, ...headers } })).status
    return { notified, post, receiver }
  }

  it('rejects a notification without a token', async () => {
    const { notified, receiver } = await listen()
    const { status } = await fetch(receiver.address, { method: 'POST', headers: { 'X-Goog-Channel-ID': 'known' } })
    expect([status, notified]).toEqual([403, []])
  })

  it('accepts a notification of an open channel', async () => {
    const { notified, post } = await listen()
    expect(await post({})).toBe(204)
    expect(notified).toEqual([{ channelId: 'known', state: 'exists' }])
  })

  it('rejects unknown channels, wrong tokens, other paths, and other methods', async () => {
    const { notified, post, receiver } = await listen()
    expect(await post({ 'X-Goog-Channel-ID': 'other' })).toBe(404)
    expect(await post({ 'X-Goog-Channel-Token': 'wrong' })).toBe(403)
    expect(await post({}, receiver.address.replace('/secret', '/'))).toBe(404)
    expect(await post({}, receiver.address, 'PUT')).toBe(405)
    expect(await post({}, receiver.address.replace('127.0.0.1', 'localhost'))).toBe(403)
    expect(notified).toEqual([])
  })
})
