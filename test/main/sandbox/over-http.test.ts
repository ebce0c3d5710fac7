import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
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

  it('takes the query of a long GET from its body', async () => {
    const client = await connect()
    for (const summary of ['Plan', 'Lunch']) await client.post(events, timedEvent({ summary }))
    const send = async (path: string, body: string, type: string): Promise<unknown[]> => {
      const headers = {
        ...{ authorization: `Bearer ${client.sandbox.token}`, 'x-http-method-override': 'GET', 'content-type': type },
      }
      const answer = await fetch(client.sandbox.baseUrl + path, { method: 'POST', headers, body })
      return ((await answer.json()) as { items: { summary: string }[] }).items.map(({ summary }) => summary)
    }
    const form = 'application/x-www-form-urlencoded'
    expect(await send(events, 'q=Lunch&maxResults=5', form)).toEqual(['Lunch'])
    expect(await send(`${events}?maxResults=5`, 'q=L%75nch', `${form}; charset=utf-8`)).toEqual(['Lunch'])
    expect(await send(events, '{"q":"Lunch"}', 'application/json')).toHaveLength(2)
  })

  it('is rejected if unsupported, and ignored for other methods', async () => {
    const client = await connect()
    for (const method of ['PURGE', 'TRACE', '%&']) expect((await meant(client, method, events)).status).toBe(405)
    const { status, body } = await client.get(tasks, { 'x-http-method-override': 'DELETE' })
    expect([status, body.kind]).toEqual([200, 'tasks#tasks'])
  })
})

describe('a token in the query', () => {
  it.each(['access_token', 'oauth_token'])(
    'signs in as %s without a header, but not as the administrator',
    async (name) => {
      const client = await connect()
      const { baseUrl, token } = client.sandbox
      const status = async (path: string, headers = {}): Promise<number> =>
        (await fetch(`${baseUrl}${path}`, { headers })).status
      expect(await status(`${events}?${name}=${token}`)).toBe(200)
      expect(await status(`${events}?${name}=wrong`)).toBe(401)
      expect(await status(`${events}?${name}=${token}`, { authorization: 'Bearer wrong' })).toBe(401)
      expect(await status(`/sandbox/v1/log?${name}=${token}`)).toBe(401)
    },
  )
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

describe('a compressed body', () => {
  it('is read, within the limit', async () => {
    const client = await connect()
    const send = async (
      bytes: Uint8Array<ArrayBuffer>,
      coding: string,
    ): Promise<{ status: number; summary?: string }> => {
      const headers = {
        ...{ authorization: `Bearer ${client.sandbox.token}`, 'content-type': 'application/json' },
        'content-encoding': coding,
      }
      const answer = await fetch(client.sandbox.baseUrl + events, { method: 'POST', headers, body: bytes })
      return { status: answer.status, summary: ((await answer.json()) as { summary: string }).summary }
    }
    const packed = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(text))
    const text = JSON.stringify(timedEvent({ summary: 'Packed ä' }))
    expect(await send(packed(text), 'gzip')).toEqual({ status: 200, summary: 'Packed ä' })
    expect((await send(packed(' '.repeat(20_000_000)), 'gzip')).status).toBe(413)
    expect((await send(new Uint8Array([1, 2]), 'gzip')).status).toBe(400)
    expect((await send(new Uint8Array([1, 2]), 'br')).status).toBe(415)
  })
})

describe('the description of a service', () => {
  const described = async (path: string): Promise<Record<string, Record<string, Record<string, JsonObject>>>> =>
    (await (await connect()).get(`/discovery/v1/apis/${path}/rest`)).body.resources

  it('has what generated clients need for uploads, subscriptions, and positional arguments', async () => {
    const trafficking = await described('trafficking/v3.4')
    const path = '/upload/trafficking/v3.4/userprofiles/{profileId}/creativeAssets/{advertiserId}/creativeAssets'
    expect(trafficking.creativeAssets!.methods!.insert).toMatchObject({
      supportsMediaUpload: true,
      mediaUpload: { accept: ['*/*'], maxSize: '1073741824', protocols: { simple: { path, multipart: true } } },
    })
    expect(trafficking.ads!.methods!.patch!.parameterOrder).toEqual(['profileId', 'id'])
    const { methods } = (await described('calendar/v3')).events!
    expect(methods!.move!.parameterOrder).toEqual(['calendarId', 'eventId', 'destination'])
    expect(methods!.list).toMatchObject({ supportsSubscription: true, flatPath: methods!.list!.path })
    expect(methods!.get).not.toHaveProperty('supportsSubscription')
  })
})
