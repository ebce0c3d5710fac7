import { describe, expect, it } from 'vitest'
import { connect, events, tasks, timedEvent, type Client } from './client'

describe('a method override in POST', () => {
  const meant = (client: Client, method: string, path: string, body?: unknown, headers = {}) =>
    client.post(path, body, { 'x-http-method-override': method, ...headers })

  it('uses X-HTTP-Method-Override', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent())
    const path = `${events}/${event.id}`
    expect((await meant(client, 'GET', path, { summary: 'not looked at' })).body).toEqual(event)
    const patched = await meant(client, 'patch', path, { location: 'Room 4' })
    expect(patched.body).toMatchObject({ summary: 'Plan', location: 'Room 4' })
    const stale = await meant(client, 'PUT', path, timedEvent(), { 'if-match': event.etag })
    expect([stale.status, stale.reason]).toEqual([412, 'conditionNotMet'])
    expect((await meant(client, 'PUT', path, timedEvent({ summary: 'Put' }))).body).not.toHaveProperty('location')
    expect((await meant(client, 'GET', events)).body.items).toHaveLength(1)
    expect((await meant(client, 'DELETE', path)).status).toBe(204)
    expect((await client.get(path)).body.status).toBe('cancelled')
    const log = (await client.get('/sandbox/v1/log')).body.entries as Array<{ operation: string; method: string }>
    expect(log.map(({ operation, method }) => `${operation} ${method}`)).toContain('calendar.events.patch PATCH')
    await client.post('/sandbox/v1/quota', { perMinute: 2 })
    expect((await meant(client, 'PATCH', path, { summary: 'x' })).reason).toBe('userRateLimitExceeded')
  })

  it('is rejected if unsupported, and ignored for other methods', async () => {
    const client = await connect()
    for (const method of ['PURGE', 'TRACE', '%&']) expect((await meant(client, method, events)).status).toBe(405)
    const { status, body } = await client.get(tasks, { 'x-http-method-override': 'DELETE' })
    expect([status, body.kind]).toEqual([200, 'tasks#tasks'])
  })
})

describe('prettyPrint', () => {
  it("formats responses, including errors, unless it's false", async () => {
    const client = await connect()
    const text = async (path: string): Promise<string> => {
      const headers = { authorization: `Bearer ${client.sandbox.token}` }
      return (await fetch(client.sandbox.baseUrl + path, { headers })).text()
    }
    const profiles = '/trafficking/v3.4/userprofiles'
    for (const path of ['/calendar/v3/colors', tasks, profiles, '/discovery/v1/apis', `${events}/nothere`]) {
      const [usual, asked, plain] = await Promise.all(
        ['', '?prettyPrint=true', '?prettyPrint=false'].map((end) => text(path + end)),
      )
      expect([path, asked, usual!.split('\n').length > 3]).toEqual([path, usual, true])
      expect([path, plain]).toEqual([path, JSON.stringify(JSON.parse(usual!))])
    }
    expect(JSON.parse(await text(`${tasks}?prettyPrint=nicely`))).toMatchObject({ error: { code: 400 } })
  })
})
