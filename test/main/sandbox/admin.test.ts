import { describe, expect, it } from 'vitest'
import { clientOf, clock, connect, events, tasks, timedEvent } from './client'

const trouble = '/sandbox/v1/trouble'

describe('simulated errors', () => {
  it('answer the next calls with a status and reason, then stop', async () => {
    const client = await connect()
    await client.post(trouble, {
      operation: 'calendar.events.list',
      count: 2,
      status: 403,
      reason: 'rateLimitExceeded',
      retryAfter: 7,
    })
    expect((await client.get('/calendar/v3/colors')).status).toBe(200)
    for (let call = 0; call < 2; call++) {
      const answer = await client.get(events)
      expect([
        answer.status,
        answer.reason,
        answer.headers.get('retry-after'),
        answer.body.error.errors[0].domain,
      ]).toEqual([403, 'rateLimitExceeded', '7', 'usageLimits'])
    }
    expect((await client.get(events)).status).toBe(200)
    await client.post(trouble, { operation: 'tasks.', count: 9, status: 503 })
    expect((await client.get(tasks)).body.error).toMatchObject({ code: 503, status: 'UNAVAILABLE' })
    await client.del(trouble)
    expect((await client.get(tasks)).status).toBe(200)
  })

  it('do nothing when lost before the call, and everything when lost after it', async () => {
    const client = await connect()
    await client.post(trouble, { operation: 'calendar.events.insert', drop: 'before' })
    await expect(client.post(events, timedEvent({ id: 'before0' }))).rejects.toThrow()
    expect((await client.get(`${events}/before0`)).status).toBe(404)
    await client.post(trouble, { operation: 'calendar.events.insert', drop: 'after' })
    await expect(client.post(events, timedEvent({ id: 'after0' }))).rejects.toThrow()
    expect((await client.get(`${events}/after0`)).status).toBe(200)
    expect((await client.post(events, timedEvent({ id: 'after0' }))).reason).toBe('duplicate')
  })

  it('truncate a response, send HTML, or delay', async () => {
    const client = await connect()
    await client.post(trouble, { operation: 'calendar.events.insert', half: true })
    await expect(client.post(events, timedEvent({ id: 'half0' }))).rejects.toThrow()
    expect((await client.get(`${events}/half0`)).status).toBe(200)
    await client.post(trouble, { operation: '*', html: true })
    const portal = await client.get(events)
    expect([portal.status, portal.headers.get('content-type')?.startsWith('text/html'), portal.body]).toEqual([
      200,
      true,
      undefined,
    ])
    await client.post(trouble, { operation: '*', latencyMs: 150 })
    const started = clock.elapsed()
    expect((await client.get(events)).status).toBe(200)
    expect(clock.elapsed() - started).toBeGreaterThanOrEqual(145)
  })

  it('are rejected when invalid', async () => {
    const client = await connect()
    for (const [body, location] of [
      [{ operation: 'calendar.nope' }, 'operation'],
      [{ count: 0 }, 'count'],
      [{ drop: 'maybe' }, 'drop'],
      [{ status: 200 }, 'status'],
      [{ latencyMs: 'long' }, 'latencyMs'],
    ] as const) {
      const answer = await client.post(trouble, body)
      expect([body, answer.status, answer.location]).toEqual([body, 400, location])
    }
    expect((await client.get(trouble)).body.pending).toEqual([])
  })

  it('reset used quota when the clock is set back', async () => {
    let time = Date.parse('2026-01-05T08:00:00Z')
    const client = await connect({ now: () => time })
    await client.post('/sandbox/v1/quota', { perMinute: 1 })
    expect((await client.get(events)).status).toBe(200)
    expect((await client.get(events)).status).toBe(403)
    time -= 3_600_000
    expect((await client.get(events)).status).toBe(200)
  })

  it('apply quotas: 403 per minute and per day, and a patch costs three', async () => {
    let time = Date.parse('2026-01-05T08:00:00Z')
    const client = await connect({ now: () => time })
    const { body: event } = await client.post(events, timedEvent())
    await client.post('/sandbox/v1/quota', { perMinute: 5, perDay: 8 })
    expect((await client.patch(`${events}/${event.id}`, { summary: 'a' })).status).toBe(200)
    expect((await client.get(events)).status).toBe(200)
    const minute = await client.patch(`${events}/${event.id}`, { summary: 'b' })
    expect([minute.status, minute.reason, minute.body.error.errors[0].domain]).toEqual([
      403,
      'userRateLimitExceeded',
      'usageLimits',
    ])
    time += 61_000
    expect((await client.patch(`${events}/${event.id}`, { summary: 'b' })).status).toBe(200)
    expect((await client.get(events)).status).toBe(200)
    time += 61_000
    expect((await client.get(events)).reason).toBe('dailyLimitExceeded')
  })
})

describe('the admin API', () => {
  it('expires the bearer token and issues a new one', async () => {
    const client = await connect()
    await client.post('/sandbox/v1/expire-bearer')
    const refused = await client.get(events)
    expect([refused.status, refused.reason]).toEqual([401, 'authError'])
    const { body } = await client.post('/sandbox/v1/renew-bearer')
    const renewed = clientOf({ ...client.sandbox, token: body.token as string })
    expect((await renewed.get(events)).status).toBe(200)
    expect((await client.get(events)).status).toBe(401)
  })

  it('lets a second user act at the same time', async () => {
    const client = await connect()
    const calendarId = client.sandbox.ids.email!
    await client.post('/calendar/v3/calendars/primary/acl', {
      role: 'writer',
      scope: { type: 'user', value: 'mina.park@flightplan.example' },
    })
    const { body: event } = await client.post(events, timedEvent())
    const theirs = await client.as(
      'mina',
      'calendar.events.patch',
      { calendarId, eventId: event.id },
      { location: 'Room Fjord' },
    )
    expect([theirs.status, theirs.body.location]).toEqual([200, 'Room Fjord'])
    expect((await client.patch(`${events}/${event.id}`, { summary: 'Mine' }, { 'if-match': event.etag })).status).toBe(
      412,
    )
    expect((await client.as('mina', 'tasks.tasks.list', { tasklist: '@default' })).body.items).toEqual([])
    expect((await client.as('nobody', 'calendar.colors.get', {})).status).toBe(404)
    expect((await client.as('mina', 'calendar.nope', {})).status).toBe(400)
    const missing = await client.as('mina', 'calendar.events.quickAdd', { calendarId: 'primary' })
    expect([missing.status, missing.reason]).toEqual([400, 'required'])
  })

  it('logs requests without tokens and dumps its state', async () => {
    const client = await connect()
    await client.post(events, timedEvent({ id: 'aaaaa' }), { 'x-request-id': 'mine-1' })
    await client.get(`${events}/unknown`)
    const { body } = await client.get('/sandbox/v1/log')
    expect(body.entries).toMatchObject([
      {
        number: 1,
        method: 'POST',
        path: events,
        operation: 'calendar.events.insert',
        person: 'you',
        status: 200,
        requestId: 'mine-1',
      },
      { number: 2, method: 'GET', operation: 'calendar.events.get', status: 404 },
    ])
    expect(JSON.stringify(body)).not.toContain(client.sandbox.token)
    expect((await client.get('/sandbox/v1/log?since=1')).body.entries).toHaveLength(1)
    await client.post(tasks, { title: 'T' })
    const { body: state } = await client.get('/sandbox/v1/state')
    expect(state.counts).toEqual({ calendars: 1, events: 1, tombstones: 0, taskLists: 1, tasks: 1 })
    expect(state.events[client.sandbox.ids.email!].aaaaa.summary).toBe('Plan')
  })

  it('restarts from a seed', async () => {
    const client = await connect()
    await client.post(events, timedEvent())
    const { token } = client.sandbox
    const { body } = await client.post('/sandbox/v1/reset', { seed: 'demo', scale: 0.2 })
    expect(body.ids.teamCalendarId).toBeTruthy()
    expect((await client.get('/sandbox/v1/state')).body.counts.events).toBeGreaterThan(150)
    await client.post('/sandbox/v1/reset', { seed: 'empty' })
    expect((await client.get('/sandbox/v1/state')).body.counts).toMatchObject({ calendars: 1, events: 0, tasks: 0 })
    expect(client.sandbox.token).toBe(token)
    expect((await client.post('/sandbox/v1/reset', { seed: 'full' })).location).toBe('seed')
  })
})
