import { request, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
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

describe('an address', () => {
  it.each(['/tasks/v1/users/@me/lists', '/tasks/v1/users/%40me/lists', '/tasks/v1/users/%40me/lists/%40default'])(
    'may have its at sign encoded or not: %s',
    async (path) => expect((await (await connect()).get(path)).status).toBe(200),
  )

  it('may be absolute, as clients behind a proxy send it', async () => {
    const client = await connect()
    const { baseUrl } = client.sandbox
    const absolute = (target: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${client.sandbox.token}` }
        request(baseUrl, { path: target, headers }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end()
      })
    expect(await absolute(`${baseUrl}${events}?maxResults=1`)).toBe(200)
    expect(await absolute(`http://elsewhere.example${events}`)).toBe(400)
  })

  it('may have as many IDs as a page has records', async () => {
    const { get, sandbox } = await connect({ seed: 'demo' })
    const ids = Array.from({ length: 1000 }, (_, at) => `placementIds=${9_000_000_000_000_000_000n + BigInt(at)}`)
    const path = `/trafficking/v3.4/userprofiles/${sandbox.ids.profileId}/ads?${ids.join('&')}`
    expect(await get(path)).toMatchObject({ status: 200, body: { ads: [] } })
  })
})

describe('a 64-bit number in a body', () => {
  it('may be a JSON number, as clients of untyped languages send it', async () => {
    const { patch, post, sandbox } = await connect({ seed: 'demo' })
    const { profileId, campaignId, advertiserId } = sandbox.ids
    const path = `/trafficking/v3.4/userprofiles/${profileId}`
    const body = { id: Number(campaignId), advertiserId: Number(advertiserId), creativeGroupIds: [2 ** 60] }
    expect((await patch(`${path}/campaigns?id=${campaignId}`, body)).location).toMatch(/^creativeGroupIds/)
    const page = { name: 'Numbers', url: 'https://example.com/', advertiserId: Number(advertiserId) }
    expect((await post(`${path}/advertiserLandingPages`, page)).body).toMatchObject({ advertiserId })
    expect((await post(`${path}/advertiserLandingPages`, { ...page, advertiserId: 1.5 })).location).toBe('advertiserId')
    const channel = { id: 'numbers', type: 'web_hook', address: 'https://example.com/', expiration: 4_000_000_000_000 }
    expect((await post(`${events}/watch`, channel)).body).toMatchObject({ id: 'numbers' })
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
    expect((await send(packed(text).subarray(0, -9), 'gzip')).status).toBe(400)
    expect((await send(new Uint8Array([1, 2]), 'br')).status).toBe(415)
  })

  it('that is cut leaves the server running', async () => {
    const client = await connect()
    const headers = { 'x-http-method-override': 'GET', 'content-type': 'application/x-www-form-urlencoded' }
    const { baseUrl, token } = client.sandbox
    const cut = request(baseUrl + events, { method: 'POST', headers: { authorization: `Bearer ${token}`, ...headers } })
    const closed = new Promise((resolve) => cut.on('error', resolve))
    cut.write('q=Lu', () => cut.destroy(new Error('cut')))
    await closed
    expect((await client.get(events)).status).toBe(200)
  })

  it('can hold a long query', async () => {
    const client = await connect()
    for (const summary of ['Plan', 'Lunch']) await client.post(events, timedEvent({ summary }))
    const headers = {
      ...{ 'x-http-method-override': 'GET', 'content-type': 'application/x-www-form-urlencoded' },
      ...{ 'content-encoding': 'gzip', 'accept-encoding': 'identity' },
    }
    const answered = (body: Uint8Array): Promise<{ status?: number; bytes: Buffer }> =>
      raw(client, events, headers, { method: 'POST', body })
    const { items } = JSON.parse((await answered(gzipSync('q=Lunch'))).bytes.toString()) as { items: JsonObject[] }
    expect(items.map(({ summary }) => summary)).toEqual(['Lunch'])
    expect((await answered(Buffer.from('q=Lunch'))).status).toBe(400)
  })
})

/** A call whose response stays packed. */
const raw = (
  { sandbox: { baseUrl, token } }: Client,
  path: string,
  headers: Record<string, string>,
  { method = 'GET', body }: { method?: string; body?: Uint8Array } = {},
): Promise<{ status?: number; headers: IncomingHttpHeaders; bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    const sent = { authorization: `Bearer ${token}`, ...headers }
    request(baseUrl + path, { method, headers: sent }, (response) => {
      const chunks: Buffer[] = []
      const { statusCode: status } = response
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      response.on('end', () => resolve({ status, headers: response.headers, bytes: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end(body)
  })

describe('a compressed response', () => {
  const colors = '/calendar/v3/colors'

  it.each([
    ['gzip', true],
    ['deflate, GZIP;q=0.5, br', true],
    ['x-gzip', true],
    ['*', true],
    ['', false],
    ['identity', false],
    ['br', false],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['*;q=0', false],
  ])('follows Accept-Encoding: %s', async (accepted, packed) => {
    const client = await connect()
    const plain = await raw(client, colors, {})
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding'])
    const { headers, bytes } = await raw(client, colors, { 'accept-encoding': accepted })
    expect(headers).toMatchObject({
      vary: 'Accept-Encoding',
      'content-type': plain.headers['content-type'],
      'content-length': String(bytes.length),
    })
    expect(headers['content-encoding']).toBe(packed ? 'gzip' : undefined)
    expect((packed ? gunzipSync(bytes) : bytes).equals(plain.bytes)).toBe(true)
  })

  it('has an etag that works in conditions', async () => {
    const client = await connect()
    for (let at = 0; at < 9; at++) await client.post(events, timedEvent({ summary: `Plan ${at}` }))
    const gzip = { 'accept-encoding': 'gzip' }
    const { headers, bytes } = await raw(client, events, gzip)
    const { etag } = JSON.parse(gunzipSync(bytes).toString()) as { etag: string }
    expect(headers).toMatchObject({ etag, 'content-encoding': 'gzip' })
    const same = await raw(client, events, { ...gzip, 'if-none-match': etag })
    expect([same.status, same.headers['content-encoding'], same.bytes.length]).toEqual([304, undefined, 0])
    const head = await raw(client, events, gzip, { method: 'HEAD' })
    expect([head.status, head.headers.etag, head.headers.vary]).toEqual([200, etag, 'Accept-Encoding'])
  })

  it('is never one for a part of a batch', async () => {
    const client = await connect()
    const headers = { 'content-type': 'multipart/mixed; boundary=b', 'accept-encoding': 'gzip' }
    const call = `GET ${colors} HTTP/1.1\r\naccept-encoding: gzip\r\n\r\n`
    const body = Buffer.from(`--b\r\ncontent-type: application/http\r\n\r\n${call}\r\n--b--`)
    const answer = await raw(client, '/batch/calendar/v3', headers, { method: 'POST', body })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(answer.bytes).toString()).toContain('calendar#colors')
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
