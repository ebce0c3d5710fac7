import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultOf } from '#shared/fault'
import { NetworkSwitch } from '../../../src-main/app/network'
import { feedLimits, fetchFeed, type FeedAnswer, type FeedRequest } from '../../../src-main/subscriptions/fetch-feed'
import { isInLocalNetwork } from '../../../src-main/subscriptions/local-network'
import { pinnedFetch } from '../../../src-main/subscriptions/pinned-fetch'
import { startCalendarFeed, type CalendarFeed } from '../../helpers/calendar-feed'

let feed: CalendarFeed
const network = new NetworkSwitch()

beforeEach(async () => void (feed = await startCalendarFeed('BEGIN:VCALENDAR')))
afterEach(() => feed.stop())

const web = ['93.184.216.34']
/** A name on the web leads to the calendar of this test. `asked`: addresses that connections were limited to. */
const asked: (readonly string[])[] = []
const onTheWeb = {
  fetch: network.guard(fetch),
  resolve: () => Promise.resolve(web),
  pinned: (addresses: readonly string[]) => {
    asked.push(addresses)
    return network.guard(pinnedFetch(['127.0.0.1']))
  },
  usesProxy: () => Promise.resolve(false),
}

const from = (more: Partial<FeedRequest> = {}, limits: Partial<typeof feedLimits> = {}): Promise<FeedAnswer> =>
  fetchFeed(onTheWeb, { url: feed.address, local: true, ...more }, { ...feedLimits, ...limits })
const fault = async (answer: Promise<FeedAnswer>): Promise<string> => {
  const { code, message } = faultOf(
    await answer.then(
      () => new Error('It succeeded'),
      (error: unknown) => error,
    ),
  )
  // Addresses may be secrets.
  expect(message).not.toContain('secret-path')
  return `${code}: ${message.replaceAll(feed.host, 'HOST')}`
}

describe('downloading a calendar', () => {
  it('asks only for changes, without credentials', async () => {
    const first = await from()
    expect(first).toMatchObject({ kind: 'new', etag: '"1"' })
    expect(await from({ etag: '"1"' })).toEqual({ kind: 'unchanged' })
    feed.answer = (request, response) =>
      response.writeHead(request.headers['if-modified-since'] === 'yesterday' ? 304 : 500).end()
    expect(await from({ modified: 'yesterday' })).toEqual({ kind: 'unchanged' })
    expect(feed.requests.flatMap(({ headers }) => headers.cookie ?? headers.authorization ?? [])).toEqual([])
  })

  it('follows redirects to the web, a few', async () => {
    feed.answer = ({ url }, response) =>
      url === '/end' ? response.end('here') : response.writeHead(302, { location: '/end' }).end()
    const answer = await from()
    expect(answer.kind === 'new' && Buffer.from(answer.bytes).toString()).toBe('here')
    feed.answer = (_request, response) => response.writeHead(302, { location: '/again' }).end()
    expect(await fault(from())).toBe('badAnswer: HOST redirects too many times. Check the address.')
    expect(feed.requests).toHaveLength(2 + feedLimits.redirects + 1)
  })

  it.each([
    'file:///etc/passwd',
    'flightplan://x',
    'http://name:word@example.org/',
    'data:text/calendar,x',
    'http://[',
  ])('refuses a redirect to %s', async (location) => {
    feed.answer = (_request, response) => response.writeHead(302, { location }).end()
    expect(await fault(from())).toBe(
      'badAnswer: HOST redirects to an address that can’t be a calendar. Check the address.',
    )
  })

  it('enters the local network only where the user said so', async () => {
    expect(await fault(from({ local: false }))).toMatch(/^forbidden: HOST is on a local network/)
    feed.answer = (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    expect(await fault(from())).toBe(
      'forbidden: The address redirects to 10.0.0.1 on a local network, which isn’t allowed. Use another address.',
    )
    expect(feed.requests).toHaveLength(1)
  })

  it.each([
    ['directly', {}],
    ['compressed', { 'content-encoding': 'gzip' }],
  ])('connects to the addresses that it checked, %s, and to those of a redirect', async (_how, encoding) => {
    const { port } = new URL(feed.address)
    feed.answer = ({ url }, response) => {
      if (url === '/end')
        response
          .writeHead(200, { etag: '"2"', ...encoding })
          .end('content-encoding' in encoding ? gzipSync('here') : 'here')
      else response.writeHead(302, { location: `http://elsewhere.example:${port}/end` }).end()
    }
    asked.length = 0
    const answer = await from({ url: `http://feed.example:${port}/`, local: false })
    expect(answer).toMatchObject({ kind: 'new', etag: '"2"' })
    expect(answer.kind === 'new' && Buffer.from(answer.bytes).toString()).toBe('here')
    expect(asked).toEqual([web, web])
    expect(feed.requests.map(({ headers }) => headers.host)).toEqual([
      `feed.example:${port}`,
      `elsewhere.example:${port}`,
    ])
  })

  it('doesn’t take what arrived before a connection broke for the whole calendar', async () => {
    feed.answer = (_request, { socket }) => socket!.write('HTTP/1.1 200 OK\r\n\r\nBEGIN:VCALENDAR')
    const { body } = await pinnedFetch(['127.0.0.1'])(feed.address, {})
    const reader = body!.getReader()
    expect((await reader.read()).done).toBe(false)
    feed.requests[0]!.socket.resetAndDestroy()
    await expect(reader.read()).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('leaves content alone whose encoding is unknown', async () => {
    feed.answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'constructor' }).end('here')
    const answer = await from({ url: `http://feed.example:${new URL(feed.address).port}/`, local: false })
    expect(answer.kind === 'new' && Buffer.from(answer.bytes).toString()).toBe('here')
  })

  it('refuses a name that leads into the local network from one request to the next', async () => {
    const { port } = new URL(feed.address)
    feed.answer = (_request, response) => response.writeHead(302, { location: '/again' }).end()
    const found = [web, ['127.0.0.1']]
    const network = { ...onTheWeb, resolve: () => Promise.resolve(found.shift()!) }
    const answer = fetchFeed(network, { url: `http://feed.example:${port}/`, local: false })
    expect(await fault(answer)).toBe(
      `forbidden: The address redirects to feed.example:${port} on a local network, which isn’t allowed. Use another address.`,
    )
    expect(feed.requests).toHaveLength(1)
  })

  it('leaves connecting to a proxy, and reaches nothing without an address', async () => {
    const through: string[] = []
    const proxy = {
      ...onTheWeb,
      fetch: (url: string) => {
        through.push(url)
        return Promise.resolve(new Response('here'))
      },
      usesProxy: () => Promise.resolve(true),
    }
    expect(await fetchFeed(proxy, { url: 'https://feed.example/', local: false })).toMatchObject({ kind: 'new' })
    expect(through).toEqual(['https://feed.example/'])
    const unknown = { ...onTheWeb, resolve: () => Promise.resolve([]), pinned: pinnedFetch }
    expect(await fault(fetchFeed(unknown, { url: 'http://feed.example/', local: false }))).toBe(
      'unreachable: Can’t reach feed.example.',
    )
  })

  it('ends at its limits of size and time', async () => {
    feed.answer = (_request, response) => response.end('x'.repeat(100))
    expect(await fault(from({}, { size: 99 }))).toMatch(/^badAnswer: The calendar from HOST is larger than/)
    const bomb = gzipSync('x'.repeat(1_000_000))
    feed.answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    expect(await fault(from({}, { size: 100_000 }))).toMatch(/^badAnswer: The calendar from HOST is larger than/)
    feed.answer = () => undefined
    expect(await fault(from({}, { stall: 50 }))).toBe('unreachable: HOST didn’t respond in time.')
    // It drips fast enough to never stall.
    feed.answer = (_request, response) => {
      const drip = setInterval(() => response.write('x'), 5)
      response.on('close', () => clearInterval(drip))
    }
    expect(await fault(from({}, { total: 200 }))).toBe('unreachable: HOST didn’t respond in time.')
  })

  it.each([
    [401, 'badAnswer: HOST requires sign-in. Use the calendar’s private or public address instead.'],
    [404, 'badAnswer: HOST has no calendar at this address. Check the address.'],
    [503, 'badAnswer: HOST returned status 503. Try again later.'],
    [304, 'badAnswer: HOST returned status 304. Try again later.'],
  ])('says what status %i means', async (status, words) => {
    feed.answer = (_request, response) => response.writeHead(status).end()
    expect(await fault(from())).toBe(words)
  })

  it('says when it’s offline or can’t reach the server', async () => {
    expect(await fault(from({ url: 'http://127.0.0.1:1/' }))).toBe('unreachable: Can’t reach 127.0.0.1:1.')
    network.set(true)
    expect(await fault(from())).toMatch(/^offline: /)
    network.set(false)
    expect(feed.requests).toEqual([])
  })
})

describe('the local network', () => {
  const resolve = (hostname: string): Promise<string[]> =>
    Promise.resolve(hostname === 'rebound.example' ? ['93.184.216.34', '192.168.1.1'] : ['93.184.216.34'])
  it.each([
    ...['localhost', 'printer', 'nas.local', '127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.0.1', '169.254.169.254'],
    ...['[::1]', '[fd00::1]', '[fe80::1]', '[::ffff:192.168.0.1]', '0.0.0.0', 'rebound.example'],
    ...[
      '[::127.0.0.1]',
      '[2002:7f00:1::]',
      '[fec0::1]',
      '[64:ff9b::10.0.0.1]',
      '[::ffff:0:7f00:1]',
      '[2001::7f00:1]',
      '[64:ff9b:1::1]',
    ],
  ])('includes %s', async (host) => expect(await isInLocalNetwork(host, resolve)).toBe(true))
  it.each([
    'example.org',
    '93.184.216.34',
    '172.32.0.1',
    '[2606:2800:220:1::1]',
    '[::ffff:93.184.216.34]',
    '[64:ff9b::93.184.216.34]',
  ])('doesn’t include %s', async (host) => expect(await isInLocalNetwork(host, resolve)).toBe(false))
})
