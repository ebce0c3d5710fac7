import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import { deviceOf, type Device } from '../helpers/device'
import { startService, type TestService } from '../helpers/service'

const primary = 'alex.morgan@flightplan.example'
const times = { start: { date: '2026-05-04' }, end: { date: '2026-05-05' } }
/** Maximum milliseconds from an edit to its confirmation while another service fails. */
const mostDelay = 2_000

let service: TestService
let here: Device

beforeEach(async () => {
  service = await startService()
  here = await deviceOf(service)
  await here.settled()
})
afterEach(async () => {
  await service.order('DELETE', '/trouble')
  await here?.close()
  await service.stop()
})

const trouble = (order: JsonObject): Promise<JsonObject> => service.order('POST', '/trouble', order)
const listed = async (): Promise<number> =>
  (await service.requests()).filter(({ operation }) => operation === 'tasks.tasks.list').length

/** Adds an event. @returns milliseconds until the service had it and this computer knew */
async function delay(): Promise<number> {
  const began = systemClock.elapsed()
  const { keys } = await here.replica.edit(
    [{ kind: 'create', collection: 'events', parent: primary, value: { summary: 'Stand-up', ...times } }],
    { label: 'New event' },
  )
  await here.until('confirmed', ({ peek }) => peek.call(here.replica, keys[0]!)?.mark !== 'local' && unsent() === 0)
  return systemClock.elapsed() - began
}
const unsent = (): number =>
  here.replica.outbox().filter(({ collection, state }) => collection === 'events' && state !== 'needsYou').length

/** The same on a service with campaigns. */
async function withCampaigns(test: () => Promise<void>): Promise<void> {
  await here.close()
  await service.stop()
  service = await startService({ seed: 'demo' })
  here = await deviceOf(service)
  await here.until('a first look', ({ status }) => status.lastPull !== null && status.phase === 'idle', 30_000)
  await test()
}

describe("a calendar edit doesn't wait for another service", () => {
  it("that's loading slow pages", async () => {
    const list = here.replica.rows('tasklists')[0]!.id
    for (let page = 0; page < 4; page++) {
      const titles = Array.from({ length: 50 }, (_, at) => ({ title: `Task ${page * 50 + at}` }))
      await Promise.all(
        titles.map((body) => service.client.call('tasks.tasks.insert', { tasklist: list }, { body: body as never })),
      )
    }
    await here.restart({ wiped: true })
    const before = await listed()
    await trouble({ operation: 'tasks.', count: 50, latencyMs: 3_000 })
    here.replica.syncNow()
    await here.until('at it', ({ status }) =>
      status.lanes.some(({ phase, service: of }) => of === 'tasks' && /pull|first/i.test(phase)),
    )
    await here.until('calendars there', ({ rows }) => rows.call(here.replica, 'calendarList').length > 0)
    const waited = await delay()
    expect(waited).toBeLessThan(mostDelay)
    expect((await listed()) - before).toBeLessThan(3)
    console.info(`An event edited during a slow download of tasks arrived after ${Math.round(waited)} ms.`)
  })

  it("that's downloading slow pages of placements", async () => {
    await withCampaigns(async () => {
      await trouble({ operation: 'trafficking.placements.list', count: 100, latencyMs: 3_000 })
      const profile = here.replica.rows('userProfiles')[0]!.id
      const key = await here.replica.download({ parent: profile, what: 'all' })
      const placements = (): string | undefined =>
        here.replica
          .downloads()
          .find((one) => one.key === key)!
          .parts.find(({ collection }) => collection === 'placements')?.state
      await here.until('placements on their way', () => placements() === 'reading', 30_000)
      const waited = await delay()
      expect(waited).toBeLessThan(mostDelay)
      expect(placements()).toBe('reading')
      console.info(`An event edited during a download of placements arrived after ${Math.round(waited)} ms.`)
    })
  }, 60_000)

  it('with the campaigns quota used up', async () => {
    await withCampaigns(async () => {
      const profile = here.replica.rows('userProfiles')[0]!.id
      await trouble({ operation: 'trafficking.', count: 1_000, status: 403, reason: 'dailyLimitExceeded' })
      await here.replica.download({ parent: profile, what: 'all' })
      await here.until('spent', ({ status }) => status.fault?.code === 'quotaSpent')
      const waited = await delay()
      expect(waited).toBeLessThan(mostDelay)
      expect(here.replica.status.lanes.find(({ service: of }) => of === 'trafficking')!.phase).toBe('waiting')
      console.info(`An event edited while the campaigns’ day was spent arrived after ${Math.round(waited)} ms.`)
    })
  }, 60_000)

  it('with its daily quota used up', async () => {
    await trouble({ operation: 'tasks.', count: 100, status: 403, reason: 'dailyLimitExceeded' })
    const list = here.replica.rows('tasklists')[0]!.id
    await here.replica.edit([{ kind: 'create', collection: 'tasks', parent: list, value: { title: 'Waits' } }], {
      label: 'New task',
    })
    await here.until('spent', ({ status }) => status.fault?.code === 'quotaSpent')
    const waited = await delay()
    expect(waited).toBeLessThan(mostDelay)
    expect(here.replica.status.lanes[1]).toMatchObject({ service: 'tasks', phase: 'waiting', unsent: 1 })
    console.info(`An event edited while the tasks’ day was spent arrived after ${Math.round(waited)} ms.`)
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
    expect(await delay()).toBeLessThan(mostDelay)
    const [calendar, tasks] = here.replica.status.lanes
    expect(calendar).toMatchObject({ service: 'calendar', unsent: 0 })
    expect(calendar!.fault).toBeUndefined()
    expect(tasks!.fault?.code).toBe(code)
  })
})
