import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { deviceOf, type Device } from '../helpers/device'
import { HeldAnswers } from '../helpers/held-answers'
import { startService, type TestService } from '../helpers/service'

const primary = 'alex.morgan@flightplan.example'
const times = { start: { date: '2026-05-04' }, end: { date: '2026-05-05' } }
let service: TestService
let here: Device
let network: HeldAnswers

beforeEach(async () => {
  network = new HeldAnswers()
  service = await startService()
  here = await deviceOf(service, { fetch: network.fetch })
  await here.settled()
})
afterEach(async () => {
  network.release()
  await service.order('DELETE', '/trouble')
  await here?.close()
  await service.stop()
})

const trouble = (order: JsonObject): Promise<JsonObject> => service.order('POST', '/trouble', order)

/** Adds an event, and resolves once the service has it and this computer knows. */
async function addEvent(): Promise<void> {
  const { keys } = await here.replica.edit(
    [{ kind: 'create', collection: 'events', parent: primary, value: { summary: 'Stand-up', ...times } }],
    { label: 'New event' },
  )
  await here.until('confirmed', ({ peek }) => peek.call(here.replica, keys[0]!)?.mark !== 'local' && unsent() === 0)
}
const unsent = (): number =>
  here.replica.outbox().filter(({ collection, state }) => collection === 'events' && state !== 'needsYou').length

/** The same on a service with campaigns. */
async function withCampaigns(test: () => Promise<void>): Promise<void> {
  await here.close()
  await service.stop()
  service = await startService({ seed: 'demo' })
  here = await deviceOf(service, { fetch: network.fetch })
  await here.until('a first look', ({ status }) => status.lastPull !== null && status.phase === 'idle')
  await test()
}

describe("a calendar edit doesn't wait for another service", () => {
  it("that's loading pages", async () => {
    await here.restart({ wiped: true })
    network.hold(/\/tasks\/v1\//)
    here.replica.syncNow()
    await here.until('at it', () => network.waiting > 0)
    await here.until('calendars there', ({ rows }) => rows.call(here.replica, 'calendarList').length > 0)
    await addEvent()
    expect(network.waiting).toBeGreaterThan(0)
    expect(here.replica.rows('tasks')).toEqual([])
  })

  it("that's downloading pages of placements", async () => {
    await withCampaigns(async () => {
      network.hold(/\/placements\?/)
      const profile = here.replica.rows('userProfiles')[0]!.id
      const key = await here.replica.download({ parent: profile, what: 'all' })
      const placements = (): string | undefined =>
        here.replica
          .downloads()
          .find((one) => one.key === key)!
          .parts.find(({ collection }) => collection === 'placements')?.state
      await here.until('placements on their way', () => placements() === 'reading' && network.waiting > 0)
      await addEvent()
      expect([placements(), network.waiting > 0]).toEqual(['reading', true])
    })
  })

  it('with the campaigns quota used up', async () => {
    await withCampaigns(async () => {
      const profile = here.replica.rows('userProfiles')[0]!.id
      await trouble({ operation: 'trafficking.', count: 1_000, status: 403, reason: 'dailyLimitExceeded' })
      await here.replica.download({ parent: profile, what: 'all' })
      await here.until('spent', ({ status }) => status.fault?.code === 'quotaSpent')
      await addEvent()
      expect(here.replica.status.lanes.find(({ service: of }) => of === 'trafficking')!.phase).toBe('waiting')
    })
  })

  it('with its daily quota used up', async () => {
    await trouble({ operation: 'tasks.', count: 100, status: 403, reason: 'dailyLimitExceeded' })
    const list = here.replica.rows('tasklists')[0]!.id
    await here.replica.edit([{ kind: 'create', collection: 'tasks', parent: list, value: { title: 'Waits' } }], {
      label: 'New task',
    })
    await here.until('spent', ({ status }) => status.fault?.code === 'quotaSpent')
    await addEvent()
    expect(here.replica.status.lanes[1]).toMatchObject({ service: 'tasks', phase: 'waiting', unsent: 1 })
    await service.order('DELETE', '/trouble')
    here.replica.syncNow('tasks')
    await here.until('the task too', ({ status }) => status.unsent === 0)
  })

  it.each<[string, JsonObject, string]>([
    ['that limits the rate', { status: 429, reason: 'rateLimitExceeded', retryAfter: 60 }, 'rateLimited'],
    ['that is down', { status: 503, reason: 'backendError' }, 'unavailable'],
    ['that revokes the sign-in', { status: 401, reason: 'authError' }, 'signInExpired'],
    ['behind a captive portal', { html: true }, 'badAnswer'],
  ])('%s', async (_what, order, code) => {
    await trouble({ operation: 'tasks.', count: 1_000, ...order })
    here.replica.syncNow()
    await here.until('met', ({ status }) => status.lanes.some(({ fault }) => fault?.code === code))
    await addEvent()
    const [calendar, tasks] = here.replica.status.lanes
    expect(calendar).toMatchObject({ service: 'calendar', unsent: 0 })
    expect(calendar!.fault).toBeUndefined()
    expect(tasks!.fault?.code).toBe(code)
  })
})
