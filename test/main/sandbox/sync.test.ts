import { describe, expect, it } from 'vitest'
import { clock, connect, events, query, timedEvent, type Client } from './client'

interface Row {
  id: string
  status: string
}

/** All pages of a sync, with the same query and the page token, as the service requires. */
async function sync(client: Client, params: Record<string, string | number | boolean | undefined>, path = events) {
  const items: Row[] = []
  let pageToken: string | undefined
  for (;;) {
    const { status, body, reason, location } = await client.get(
      `${path}${query({ ...params, ...(pageToken ? { pageToken } : {}) })}`,
    )
    if (status !== 200) return { status, reason, location, items, token: '' }
    items.push(...(body.items as Row[]))
    if (!body.nextPageToken) return { status, items, token: body.nextSyncToken as string }
    expect(body).not.toHaveProperty('nextSyncToken')
    pageToken = body.nextPageToken as string
  }
}

describe('sync tokens', () => {
  it('return changes since the last sync, with tombstones and no duplicates', async () => {
    const client = await connect()
    const ids: string[] = []
    for (let at = 0; at < 5; at++) ids.push((await client.post(events, timedEvent({ summary: `E${at}` }))).body.id)
    const first = await sync(client, { maxResults: 2 })
    expect(first.items.map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect((await sync(client, { syncToken: first.token })).items).toEqual([])
    await client.patch(`${events}/${ids[3]}`, { summary: 'Changed' })
    await client.del(`${events}/${ids[1]}`)
    const { body: fresh } = await client.post(events, timedEvent())
    const second = await sync(client, { syncToken: first.token, maxResults: 1 })
    expect(second.items.map(({ id, status }) => [id, status])).toEqual([
      [ids[3], 'confirmed'],
      [ids[1], 'cancelled'],
      [fresh.id, 'confirmed'],
    ])
    expect((await sync(client, { syncToken: second.token })).items).toEqual([])
    expect((await sync(client, { syncToken: first.token })).items).toHaveLength(3)
  })

  it('miss no write made during paging', async () => {
    const client = await connect()
    for (let at = 0; at < 4; at++) await client.post(events, timedEvent({ id: `bbbbb${at}` }))
    const page = await client.get(`${events}?maxResults=2`)
    const late = await client.post(events, timedEvent({ id: 'aaaaa0' }))
    await client.patch(`${events}/bbbbb0`, { summary: 'Changed' })
    const last = await client.get(`${events}${query({ maxResults: 2, pageToken: page.body.nextPageToken })}`)
    const { items } = await sync(client, { syncToken: last.body.nextSyncToken })
    expect(items.map(({ id }) => id)).toEqual([late.body.id, 'bbbbb0'])
  })

  it('reject incompatible and changed parameters', async () => {
    const client = await connect()
    await client.post(events, timedEvent())
    const { token } = await sync(client, { singleEvents: true })
    const companions = {
      iCalUID: 'x',
      orderBy: 'updated',
      privateExtendedProperty: 'a=b',
      q: 'x',
      sharedExtendedProperty: 'a=b',
      timeMin: '2026-01-01T00:00:00Z',
      timeMax: '2027-01-01T00:00:00Z',
      updatedMin: '2026-01-01T00:00:00Z',
    }
    for (const [name, value] of Object.entries(companions)) {
      const answer = await sync(client, { singleEvents: true, syncToken: token, [name]: value })
      expect([name, answer.status, answer.reason, answer.location]).toEqual([name, 400, 'invalid', 'syncToken'])
    }
    const hidden = await sync(client, { singleEvents: true, syncToken: token, showDeleted: false })
    expect([hidden.status, hidden.location]).toEqual([400, 'syncToken'])
    expect(
      (await sync(client, { singleEvents: true, syncToken: token, showDeleted: true, maxResults: 5 })).status,
    ).toBe(200)
    for (const other of [
      {},
      { singleEvents: false },
      { singleEvents: true, eventTypes: 'default' },
      { singleEvents: true, maxAttendees: 2 },
    ]) {
      const answer = await sync(client, { syncToken: token, ...other })
      expect([other, answer.status, answer.location]).toEqual([other, 400, 'syncToken'])
    }
    const { body: calendar } = await client.post('/calendar/v3/calendars', { summary: 'Other' })
    expect(
      (await sync(client, { singleEvents: true, syncToken: token }, `/calendar/v3/calendars/${calendar.id}/events`))
        .status,
    ).toBe(400)
  })

  it("aren't issued if a sync couldn't repeat the query", async () => {
    const client = await connect()
    for (const params of [
      { q: 'x' },
      { orderBy: 'updated' },
      { updatedMin: new Date(clock.now()).toISOString() },
      { iCalUID: 'x' },
    ]) {
      expect(
        (await client.get(`${events}${query(params as unknown as Record<string, string>)}`)).body,
      ).not.toHaveProperty('nextSyncToken')
    }
  })

  describe.each([false, true])('of a window (singleEvents %s)', (singleEvents) => {
    const january = { singleEvents, timeMin: '2026-01-05T00:00:00Z', timeMax: '2026-01-20T00:00:00Z' }
    const on = (day: string, extra = {}) => ({
      start: { dateTime: `${day}T09:00:00+01:00`, timeZone: 'Europe/Berlin' },
      end: { dateTime: `${day}T10:00:00+01:00`, timeZone: 'Europe/Berlin' },
      ...extra,
    })

    it('report what left it once, and nothing that was never in it', async () => {
      const client = await connect()
      const { body: event } = await client.post(events, on('2026-01-06', { summary: 'Secret' }))
      const { body: far } = await client.post(events, on('2026-03-06'))
      const first = await sync(client, january)
      await client.patch(`${events}/${event.id}`, on('2026-02-06'))
      await client.patch(`${events}/${far.id}`, on('2026-03-07', { summary: 'Far' }))
      const second = await sync(client, { singleEvents, syncToken: first.token })
      expect(second.items).toEqual([
        { kind: 'calendar#event', id: event.id, status: 'cancelled', etag: expect.any(String) as string },
      ])
      await client.patch(`${events}/${event.id}`, { summary: 'Out there' })
      expect((await sync(client, { singleEvents, syncToken: second.token })).items).toEqual([])
      await client.patch(`${events}/${event.id}`, on('2026-01-07'))
      const back = await sync(client, { singleEvents, syncToken: second.token })
      expect(back.items.map(({ id, status }) => [id, status])).toEqual([[event.id, 'confirmed']])
    })

    it('report occurrences and series that left it', async () => {
      const client = await connect()
      const weekly = on('2026-01-06', { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] })
      const { body: series } = await client.post(events, weekly)
      const [one, two] = ['06', '13'].map((day) => `${series.id}_202601${day}T080000Z`)
      const first = await sync(client, january)
      await client.patch(`${events}/${two}`, on('2026-02-06'))
      const second = await sync(client, { singleEvents, syncToken: first.token })
      expect(second.items.map(({ id, status }) => [id, status])).toEqual([[two, 'cancelled']])
      await client.patch(`${events}/${two}`, { location: 'Elsewhere' })
      expect((await sync(client, { singleEvents, syncToken: second.token })).items).toEqual([])
      await client.patch(`${events}/${series.id}`, on('2026-05-06'))
      const third = await sync(client, { singleEvents, syncToken: second.token })
      const gone = third.items.filter(({ status }) => status === 'cancelled').map(({ id }) => id)
      expect(gone).toContain(singleEvents ? one : series.id)
      expect(third.items).toHaveLength(gone.length)
    })
  })

  it('keep the window of the first sync', async () => {
    const client = await connect()
    const { token } = await sync(client, { timeMin: '2026-01-05T00:00:00Z', timeMax: '2026-01-06T00:00:00Z' })
    await client.post(events, timedEvent({ id: 'inside0' }))
    await client.post(events, { id: '0utside', start: { date: '2026-03-01' }, end: { date: '2026-03-02' } })
    expect((await sync(client, { syncToken: token })).items.map(({ id }) => id)).toEqual(['inside0'])
  })

  it('return 410 fullSyncRequired once expired', async () => {
    const client = await connect()
    const lists = [
      events,
      '/calendar/v3/users/me/calendarList',
      '/calendar/v3/calendars/primary/acl',
      '/calendar/v3/users/me/settings',
    ]
    const tokens = await Promise.all(lists.map((path) => sync(client, {}, path)))
    await client.post('/sandbox/v1/expire-sync-tokens')
    for (const [at, path] of lists.entries()) {
      const answer = await client.get(`${path}${query({ syncToken: tokens[at]!.token })}`)
      expect([path, answer.status, answer.reason, answer.location]).toEqual([
        path,
        410,
        'fullSyncRequired',
        'syncToken',
      ])
      expect(answer.body.error.errors[0]).toMatchObject({
        domain: 'calendar',
        locationType: 'parameter',
        message: 'Sync token is no longer valid, a full sync is required.',
      })
      expect((await sync(client, {}, path)).token).toBeTruthy()
    }
  })

  it('with singleEvents report removed instances', async () => {
    const client = await connect({ now: () => Date.parse('2026-01-05T00:00:00Z') })
    const { body: master } = await client.post(events, timedEvent({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }))
    const { body: single } = await client.post(events, timedEvent({ id: 'single0' }))
    const first = await sync(client, { singleEvents: true })
    expect(first.items).toHaveLength(5)
    await client.patch(`${events}/${master.id}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] })
    const cut = await sync(client, { singleEvents: true, syncToken: first.token, maxResults: 1 })
    expect(cut.items.map(({ id, status }) => [id.slice(-16, -8), status])).toEqual([
      ['20260105', 'confirmed'],
      ['20260112', 'confirmed'],
      ['20260119', 'cancelled'],
      ['20260126', 'cancelled'],
    ])
    await client.del(`${events}/${master.id}`)
    const gone = await sync(client, { singleEvents: true, syncToken: cut.token })
    expect(gone.items.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
    await client.patch(`${events}/${single.id}`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
    const turned = await sync(client, { singleEvents: true, syncToken: gone.token })
    expect(turned.items.map(({ id, status }) => [id, status])).toEqual([
      ['single0', 'cancelled'],
      ['single0_20260105T080000Z', 'confirmed'],
      ['single0_20260106T080000Z', 'confirmed'],
    ])
  })
})

describe('a list of single events', () => {
  it('reports the instances of a series that was moved to another calendar', async () => {
    const client = await connect({ now: () => Date.parse('2026-01-05T00:00:00Z') })
    const { body: other } = await client.post('/calendar/v3/calendars', { summary: 'Other' })
    const { body: master } = await client.post(events, timedEvent({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] }))
    const first = await sync(client, { singleEvents: true })
    expect(first.items).toHaveLength(3)
    await client.post(`${events}/${master.id}/move${query({ destination: other.id })}`)
    const left = await sync(client, { singleEvents: true, syncToken: first.token })
    expect(left.items.map(({ id, status }) => [id, status]).sort()).toEqual(
      first.items.map(({ id }) => [id, 'cancelled']).sort(),
    )
  })

  it('reports a series that was deleted since a time', async () => {
    const client = await connect({ now: () => Date.parse('2026-01-05T00:00:00Z') })
    const { body: master } = await client.post(events, timedEvent({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] }))
    await client.del(`${events}/${master.id}`)
    const { items } = await sync(client, { singleEvents: true, updatedMin: '2026-01-01T00:00:00Z' })
    expect(items.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  })
})

describe('other lists', () => {
  it('sync the calendar list with deletions, but without read-only changes', async () => {
    const client = await connect()
    const path = '/calendar/v3/users/me/calendarList'
    const { body: a } = await client.post('/calendar/v3/calendars', { summary: 'A' })
    const { token } = await sync(client, {}, path)
    await client.patch(`/calendar/v3/calendars/${a.id}`, { summary: 'Renamed' })
    expect((await sync(client, { syncToken: token }, path)).items).toEqual([])
    await client.patch(`${path}/${a.id}`, { colorId: '5' })
    expect((await sync(client, { syncToken: token }, path)).items).toMatchObject([
      { id: a.id, summary: 'Renamed', colorId: '5' },
    ])
    await client.del(`/calendar/v3/calendars/${a.id}`)
    expect((await sync(client, { syncToken: token }, path)).items).toMatchObject([{ id: a.id, deleted: true }])
    for (const extra of [{ minAccessRole: 'owner' }, { showDeleted: false }, { showHidden: false }]) {
      expect((await sync(client, { syncToken: token, ...extra }, path)).location).toBe('syncToken')
    }
  })

  it('sync removed access rules with role none', async () => {
    const client = await connect()
    const path = '/calendar/v3/calendars/primary/acl'
    const { body: rule } = await client.post(path, { role: 'reader', scope: { type: 'user', value: 'a@b.example' } })
    const { token } = await sync(client, {}, path)
    await client.del(`${path}/${rule.id}`)
    expect((await sync(client, { syncToken: token }, path)).items).toMatchObject([
      { id: 'user:a@b.example', role: 'none' },
    ])
  })
})

it('a sync of single events returns each once, even exceptions of a moved series', async () => {
  const client = await connect()
  const { body: series } = await client.post(events, timedEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] }))
  const instance = (day: number): string => `${events}/${series.id}_2026010${day}T080000Z`
  await client.patch(instance(6), { summary: 'Other' })
  await client.del(instance(7))
  const { nextSyncToken } = (await client.get(`${events}?singleEvents=true`)).body
  await client.patch(`${events}/${series.id}`, timedEvent({}, 10))
  const { body } = await client.get(`${events}?singleEvents=true&syncToken=${nextSyncToken}`)
  const ids = body.items.map((item: { id: string; status: string }) => `${item.id.slice(-16)} ${item.status}`)
  const expected = [5, 6, 7, 8].flatMap((day) => [`2026010${day}T080000Z cancelled`, `2026010${day}T090000Z confirmed`])
  expect(ids.sort()).toEqual(expected)
})
