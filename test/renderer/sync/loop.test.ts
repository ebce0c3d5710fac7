import { beforeEach, describe, expect, it } from 'vitest'
import type { FaultCode } from '#shared/fault'
import { modelForEach } from '../../flows/model/for-each'

describe('the sync loop', () => {
  const { clock, service, device } = modelForEach(1_000)
  const task = (title: string): Promise<unknown> =>
    device.replica.edit([{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title } }], { label: title })
  const calls = (pattern: RegExp): string[] => service.calls.map((call) => call.id).filter((id) => pattern.test(id))
  const failing = (code: FaultCode, operation: RegExp): void => {
    service.trouble = (call, moment) => (moment === 'before' && operation.test(call.id) ? code : undefined)
  }

  beforeEach(() => {
    service.calls.length = 0
  })

  it('sends a burst of edits once, shortly after the last', async () => {
    await task('a')
    await clock.pass(300)
    await task('b')
    await clock.pass(300)
    expect(calls(/insert/)).toEqual([])
    await clock.pass(200)
    expect(calls(/insert/)).toHaveLength(2)
  })

  it('reads before it sends after being offline', async () => {
    await device.replica.setOffline(true)
    await task('a')
    expect(device.replica.status).toMatchObject({ phase: 'offline', unsent: 1 })
    await device.replica.setOffline(false)
    await clock.pass(1_000)
    const ids = service.calls.map((call) => call.id)
    expect(ids.indexOf('tasks.tasks.list')).toBeLessThan(ids.indexOf('tasks.tasks.insert'))
  })

  it('reads quiet collections less and less often', async () => {
    await clock.pass(600_000)
    const early = calls(/events.list/).length
    service.calls.length = 0
    await clock.pass(600_000)
    expect(calls(/events.list/).length).toBeLessThan(early)
    expect(calls(/events.list/).length).toBeGreaterThan(0)
  })

  it('pauses while the session is expired, keeps the queue, and resumes after sign-in', async () => {
    failing('signInExpired', /./)
    await task('a')
    await clock.pass(600_000)
    expect(device.replica.status).toMatchObject({ phase: 'signIn', unsent: 1 })
    expect(service.calls.length).toBeLessThan(5)
    service.trouble = () => undefined
    device.replica.syncNow()
    await clock.pass(1_000)
    expect(device.replica.status).toMatchObject({ phase: 'idle', unsent: 0 })
  })

  it('makes few calls during an outage, then empties the queue on its own', async () => {
    failing('unavailable', /insert/)
    for (const title of ['a', 'b', 'c', 'd', 'e']) await task(title)
    await clock.pass(600_000)
    expect(device.replica.status.unsent).toBe(5)
    expect(calls(/insert/).length).toBeLessThan(5 * 16)
    service.trouble = () => undefined
    await clock.pass(5 * 64_000)
    expect(device.replica.status).toMatchObject({ unsent: 0, phase: 'idle' })
  })

  it('continues after a wait that ends while it reads the clock', async () => {
    // The wait ends between any two consecutive clock reads.
    for (let offset = 0; offset < 12; offset++) {
      failing('rateLimited', /insert/)
      await task(`task ${offset}`)
      await clock.pass(1_000)
      expect(device.replica.status.phase).toBe('waiting')
      service.trouble = () => undefined
      clock.time += offset
      clock.step = 1
      while (device.replica.status.nextTry !== undefined) {
        device.replica.pause(false)
        await clock.settle()
      }
      clock.step = 0
      await clock.pass(70_000)
      expect(device.replica.status).toMatchObject({ unsent: 0, phase: 'idle' })
    }
  })

  it("doesn't wait longer after a clock days ahead is corrected", async () => {
    device.skew = 2 * 86_400_000
    failing('unavailable', /insert/)
    for (const title of ['a', 'b', 'c', 'd']) await task(title)
    await clock.pass(10_000)
    expect(device.replica.status.unsent).toBe(4)
    device.skew = 0
    service.trouble = () => undefined
    await task('e')
    await clock.pass(70_000)
    expect(device.replica.status).toMatchObject({ unsent: 0, phase: 'idle' })
    service.calls.length = 0
    await clock.pass(300_000)
    expect(calls(/list/).length).toBeGreaterThan(0)
  })

  it("doesn't wait longer after a restart when a fast clock was stored", async () => {
    device.skew = 2 * 86_400_000
    failing('unavailable', /insert/)
    await task('a')
    await clock.pass(10_000)
    device.crash()
    device.skew = 0
    service.trouble = () => undefined
    await device.start()
    await clock.pass(5_000)
    expect(device.replica.status.unsent).toBe(0)
  })

  it('sends delayed changes at once on request', async () => {
    failing('unavailable', /insert/)
    await task('a')
    await clock.pass(40_000)
    service.trouble = () => undefined
    expect(device.replica.outbox()[0]!.notBefore! - clock.time).toBeGreaterThan(5_000)
    device.replica.syncNow()
    await clock.pass(1_000)
    expect(device.replica.status.unsent).toBe(0)
  })

  it.each(['badAnswer', 'unavailable'] as const)(
    'reads others and sends although one calendar always answers with %s',
    async (code) => {
      service.trouble = ({ id, params }, moment) =>
        moment === 'before' && id === 'calendar.events.list' && params.calendarId === 'work' ? code : undefined
      device.crash()
      await device.start()
      await task('a')
      await clock.pass(300_000)
      expect(device.replica.status.unsent).toBe(0)
      expect(device.replica.status.fault?.code).toBe(code)
      expect(calls(/tasks.list/).length).toBeGreaterThan(0)
      service.trouble = () => undefined
      await clock.pass(120_000)
      expect(device.replica.status.fault).toBeUndefined()
    },
  )

  it.each(['sync/push', 'sync/pull'] as const)('continues when a request is never answered: %s', async (silent) => {
    let hung = 0
    device.beforeAnswer = (name) => (name === silent && hung++ === 0 ? new Promise<void>(() => undefined) : undefined)
    device.replica.syncNow()
    await task('a')
    await clock.pass(50 * 60_000)
    expect(hung).toBeGreaterThan(1)
    expect(device.replica.status).toMatchObject({ unsent: 0, phase: 'idle' })
    expect(service.living('tasks inbox')).toHaveLength(1)
  })

  it("sends the others when one entry is rejected, and doesn't retry that one", async () => {
    await task('poison')
    await task('fine')
    await clock.pass(600_000)
    expect(service.living('tasks inbox').map((value) => value.title)).toEqual(['fine'])
    expect(device.replica.status).toMatchObject({ unsent: 1, needsYou: 1 })
    expect(service.calls.filter((call) => call.body?.title === 'poison')).toHaveLength(1)
  })

  it('sends nothing while paused but keeps reading, also after a restart', async () => {
    device.replica.pause(true)
    await task('a')
    await clock.pass(100_000)
    expect(calls(/insert/)).toEqual([])
    expect(calls(/list/).length).toBeGreaterThan(0)
    device.crash()
    await device.start()
    await clock.pass(5_000)
    expect(device.replica.status).toMatchObject({ phase: 'paused', paused: true, unsent: 1 })
    device.replica.pause(false)
    await clock.pass(1_000)
    expect(device.replica.status.unsent).toBe(0)
  })

  it('refetches everything next to the old rows when its sync token expires, and says so', async () => {
    const times = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }
    await device.replica.edit(
      [{ kind: 'create', collection: 'events', parent: 'me', value: { summary: 'Stays', ...times } }],
      { label: 'New' },
    )
    await device.quiesce()
    await device.replica.setOffline(true)
    await device.replica.edit(
      [{ kind: 'create', collection: 'events', parent: 'me', value: { summary: 'Waits', ...times } }],
      { label: 'New' },
    )
    service.expireTokens()
    await device.quiesce()
    expect(
      service
        .living('events me')
        .map((value) => value.summary)
        .sort(),
    ).toEqual(['Stays', 'Waits'])
    expect(device.replica.notices().map((notice) => notice.level)).toContain('info')
  })

  it('drops the contents of a deleted calendar', async () => {
    const times = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }
    await device.replica.edit(
      [{ kind: 'create', collection: 'events', parent: 'work', value: { summary: 'Gone', ...times } }],
      { label: 'New' },
    )
    await device.quiesce()
    await service.client().call('calendar.calendars.delete', { calendarId: 'work' })
    await device.quiesce()
    expect(device.replica.rows('calendarList').map((row) => row.id)).toEqual(['me'])
    expect(device.replica.items(Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1))).toEqual([])
    expect(await device.stored('events', 'work')).toEqual([])
  })
})
