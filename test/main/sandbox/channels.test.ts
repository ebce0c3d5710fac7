import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { clock, connect, events, eventually, timedEvent, type Client } from './client'

interface Message {
  headers: IncomingHttpHeaders
  body: string
}

interface Receiver {
  address: string
  messages: Message[]
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A notification receiver. `status` determines each response. */
async function receiver(status: (count: number) => number = () => 204): Promise<Receiver> {
  const messages: Message[] = []
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      messages.push({ headers: incoming.headers, body })
      outgoing.writeHead(status(messages.length)).end()
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return { address: `http://127.0.0.1:${address.port}/notify`, messages }
}

const states = (messages: Message[]): unknown[] => messages.map(({ headers }) => headers['x-goog-resource-state'])

/** Messages are sent in order, so a new channel's message means all earlier ones arrived. */
async function everythingSent(client: Client, { address, messages }: Receiver): Promise<void> {
  const id = `last-${messages.length}`
  await client.post(`${events}/watch`, { id, type: 'web_hook', address })
  await eventually(() => messages.find(({ headers }) => headers['x-goog-channel-id'] === id))
}

describe('watch channels', () => {
  it('send a sync message, then one per change, until stopped', async () => {
    const now = clock.now()
    const client = await connect({ now: () => now })
    const { address, messages } = await receiver()
    const { status, body: channel } = await client.post(`${events}/watch`, {
      id: 'channel-1',
      type: 'web_hook',
      address,
      token: 'secret',
      params: { ttl: '600' },
    })
    expect([status, channel.kind, channel.id, channel.token]).toEqual([200, 'api#channel', 'channel-1', 'secret'])
    expect(Number(channel.expiration)).toBe(now + 600_000)
    await eventually(() => messages[0])
    expect(messages[0]).toMatchObject({
      body: '',
      headers: {
        'x-goog-channel-id': 'channel-1',
        'x-goog-channel-token': 'secret',
        'x-goog-resource-id': channel.resourceId,
        'x-goog-resource-uri': channel.resourceUri,
        'x-goog-resource-state': 'sync',
        'x-goog-message-number': '1',
      },
    })
    expect(messages[0]!.headers['x-goog-channel-expiration']).toBe(new Date(now + 600_000).toUTCString())
    const { body: event } = await client.post(events, timedEvent())
    await client.patch(`${events}/${event.id}`, { summary: 'x' })
    await client.del(`${events}/${event.id}`)
    await client.as('mina', 'calendar.events.insert', { calendarId: 'primary' }, timedEvent())
    await everythingSent(client, { address, messages })
    expect(states(messages)).toEqual(['sync', 'exists', 'exists', 'exists', 'sync'])
    const numbers = messages.slice(0, 4).map(({ headers }) => Number(headers['x-goog-message-number']))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect((await client.post('/calendar/v3/channels/stop', { id: channel.id, resourceId: 'other' })).status).toBe(404)
    expect(
      (await client.post('/calendar/v3/channels/stop', { id: channel.id, resourceId: channel.resourceId })).status,
    ).toBe(204)
    expect(
      (await client.post('/calendar/v3/channels/stop', { id: channel.id, resourceId: channel.resourceId })).status,
    ).toBe(404)
    await client.post(events, timedEvent())
    await everythingSent(client, { address, messages })
    expect(messages.slice(5).map(({ headers }) => headers['x-goog-channel-id'])).not.toContain('channel-1')
  })

  it('ignore a rejected write', async () => {
    const client = await connect()
    const { address, messages } = await receiver()
    await client.post(`${events}/watch`, { id: 'c', type: 'web_hook', address })
    await client.post(events, timedEvent({ colorId: '99' }))
    await client.patch(`${events}/unknown`, { summary: 'x' })
    await everythingSent(client, { address, messages })
    expect(states(messages)).toEqual(['sync', 'sync'])
    await client.post(events, timedEvent())
    await eventually(() => messages[3])
    expect(states(messages)).toEqual(['sync', 'sync', 'exists', 'exists'])
  })

  it('watch access rules, the calendar list, and settings, too', async () => {
    const client = await connect()
    const { address, messages } = await receiver()
    for (const path of [
      '/calendar/v3/calendars/primary/acl',
      '/calendar/v3/users/me/calendarList',
      '/calendar/v3/users/me/settings',
    ]) {
      const answer = await client.post(`${path}/watch`, { id: path.replace(/\W/g, '-'), type: 'web_hook', address })
      expect([path, answer.status]).toEqual([path, 200])
    }
    await client.post('/calendar/v3/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })
    await client.patch('/calendar/v3/users/me/calendarList/primary', { colorId: '3' })
    await eventually(() => messages[4])
    expect(messages.slice(3).map(({ headers }) => String(headers['x-goog-resource-uri']).split('/').at(-1))).toEqual([
      'acl?alt=json',
      'calendarList?alt=json',
    ])
  })

  it('expire', async () => {
    let ahead = 0
    const client = await connect({ now: () => clock.now() + ahead })
    const { address, messages } = await receiver()
    const { body } = await client.post(`${events}/watch`, {
      id: 'c',
      type: 'web_hook',
      address,
      expiration: String(clock.now() + 60_000),
    })
    await eventually(() => messages[0])
    ahead = 61_000
    await client.post(events, timedEvent())
    await everythingSent(client, { address, messages })
    expect(states(messages)).toEqual(['sync', 'sync'])
    expect((await client.post('/calendar/v3/channels/stop', { id: 'c', resourceId: body.resourceId })).status).toBe(404)
    expect((await client.post(`${events}/watch`, { id: 'c', type: 'web_hook', address })).status).toBe(200)
  })

  it('retry after a 5xx and give up after another error', async () => {
    const client = await connect()
    const refusing = await receiver(() => 404)
    await client.post(`${events}/watch`, { id: 'never', type: 'web_hook', address: refusing.address })
    const failing = await receiver((count) => (count < 3 ? 503 : 200))
    await client.post(`${events}/watch`, { id: 'again', type: 'web_hook', address: failing.address })
    await eventually(() => failing.messages[2])
    expect(new Set(failing.messages.map(({ headers }) => headers['x-goog-message-number']))).toEqual(new Set(['1']))
    // Any repeat of the earlier messages would have arrived before this one's third try.
    expect(refusing.messages).toHaveLength(1)
  })

  it('are rejected when invalid', async () => {
    const client = await connect()
    const good = { id: 'c', type: 'web_hook', address: 'http://127.0.0.1:9/' }
    for (const [extra, reason, location] of [
      [{ id: undefined }, 'required', 'id'],
      [{ id: 'x'.repeat(65) }, 'invalid', 'id'],
      [{ type: undefined }, 'required', 'type'],
      [{ type: 'pigeon' }, 'invalid', 'type'],
      [{ address: undefined }, 'required', 'address'],
      [{ address: 'here' }, 'invalid', 'address'],
      [{ address: 'http://elsewhere.example/' }, 'push.webhookUrlNotHttps', 'address'],
      [{ token: 't'.repeat(257) }, 'invalid', 'token'],
      [{ expiration: 'soon' }, 'invalid', 'expiration'],
      [{ expiration: '1000' }, 'invalid', 'expiration'],
      [{ params: { ttl: 'long' } }, 'invalid', 'params.ttl'],
    ] as const) {
      const answer = await client.post(`${events}/watch`, { ...good, ...extra })
      expect([extra, answer.status, answer.reason, answer.location]).toEqual([extra, 400, reason, location])
    }
    expect((await client.post(`${events}/watch`, good)).status).toBe(200)
    const taken = await client.post(`${events}/watch`, good)
    expect([taken.status, taken.reason]).toEqual([400, 'channelIdNotUnique'])
    expect((await client.post('/calendar/v3/calendars/nowhere/events/watch', { ...good, id: 'd' })).status).toBe(404)
  })
})

it("a name or token that's invalid in a header is rejected, and non-ASCII text arrives", async () => {
  const client = await connect()
  const { address, messages } = await receiver()
  const watch = (part: object) => client.post(`${events}/watch`, { id: 'c1', type: 'web_hook', address, ...part })
  for (const [part, location] of [
    [{ id: 'a\nb' }, 'id'],
    [{ id: 'a b' }, 'id'],
    [{ id: 'ü' }, 'id'],
    [{ token: 'a\r\nX-Evil: 1' }, 'token'],
  ] as const) {
    const answer = await watch(part)
    expect([part, answer.status, answer.location]).toEqual([part, 400, location])
  }
  expect((await watch({ token: 'für 🛫' })).status).toBe(200)
  const message = await eventually(() => messages[0])
  expect(Buffer.from(String(message.headers['x-goog-channel-token']), 'latin1').toString()).toBe('für 🛫')
})
