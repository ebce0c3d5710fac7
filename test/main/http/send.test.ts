import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { faultOf } from '#shared/fault'
import { systemClock } from '#shared/time/clock'
import { checkedBaseUrl } from '../../../src-main/http/address'
import { faultOfAnswer, retryAfter } from '../../../src-main/http/faults'
import { send } from '../../../src-main/http/send'
import { createClient, type Client } from '../../../src-main/services/client'

const servers: Array<ReturnType<typeof createServer>> = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const clientOf = (baseUrl: string): Client =>
  createClient({ baseUrl: () => baseUrl, token: () => 'secret', fetch, now: systemClock.now })
const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'no fault',
    (error: unknown) => faultOf(error).code,
  )
const get = (baseUrl: string): Promise<unknown> => clientOf(baseUrl).call('tasks.tasklists.get', { tasklist: 'x' })

describe('network errors', () => {
  it('a closed port is unreachable: nothing was sent', async () => {
    expect(await codeOf(get('http://127.0.0.1:1'))).toBe('unreachable')
  })

  it('a connection broken before, in, or after the header loses the response', async () => {
    const breaks: RequestListener[] = [
      (request) => request.socket.destroy(),
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100', 'content-type': 'application/json' })
        response.write('{"id":', () => response.destroy())
      },
    ]
    for (const listener of breaks) expect(await codeOf(get(await serve(listener)))).toBe('answerLost')
  })

  it('a captive portal is an invalid response with a message', async () => {
    const base = await serve((_request, response) => response.end('<html><body>Welcome to our hotel</body></html>'))
    const fault = await get(base).then(() => undefined, faultOf)
    expect(fault).toMatchObject({ code: 'badAnswer' })
    expect(fault!.message).toContain('sign in to this network')
  })

  it.each([
    ['truncated', '{"id":"x"'],
    ['empty', ''],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
  ])('a body that is %s is an invalid response', async (_name, body) => {
    expect(await codeOf(get(await serve((_request, response) => response.end(body))))).toBe('badAnswer')
  })

  it('prototype keys are dropped', async () => {
    const base = await serve((_request, response) => response.end('{"id":"x","__proto__":{"polluted":true}}'))
    const answer = await clientOf(base).call('tasks.tasklists.get', { tasklist: 'x' })
    expect(Object.keys(answer.body)).toEqual(['id'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('a body of 300 MB and one that unpacks to more are refused, without being kept', async () => {
    const announced = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 300 * 1024 * 1024 })
      response.write('{')
    })
    expect(await codeOf(send(fetch, { method: 'GET', url: announced, headers: {} }))).toBe('badAnswer')
    // A gigabyte from a megabyte: the members of a gzip file unpack one after the other.
    const member = gzipSync(Buffer.alloc(16 * 1024 * 1024, ' '))
    const bomb = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(Buffer.concat(Array.from({ length: 64 }, () => member)))
    })
    const maxSize = 32 * 1024 * 1024
    expect(await codeOf(send(fetch, { method: 'GET', url: bomb, headers: {}, maxSize }))).toBe('badAnswer')
  })

  it("a redirect isn't followed, and its target never sees the token", async () => {
    let seen = 0
    const other = await serve((_request, response) => {
      seen++
      response.end('{}')
    })
    const base = await serve((_request, response) => {
      response.writeHead(302, { location: other })
      response.end()
    })
    expect(await codeOf(get(base))).not.toBe('no fault')
    expect(seen).toBe(0)
  })

  it('a timeout loses the response, and a canceled call is aborted', async () => {
    const base = await serve(() => undefined)
    expect(await codeOf(send(fetch, { method: 'GET', url: base, headers: {}, timeout: 50 }))).toBe('answerLost')
    const controller = new AbortController()
    const waiting = await serve(() => controller.abort())
    expect(await codeOf(send(fetch, { method: 'GET', url: waiting, headers: {}, signal: controller.signal }))).toBe(
      'aborted',
    )
  })
})

describe('errors are classified by reason', () => {
  const fault = (status: number, reason?: string, operation = 'x'): string => {
    const text =
      reason === undefined
        ? ''
        : JSON.stringify({
            error: { code: status, message: 'words', errors: [{ domain: 'global', reason, message: 'words' }] },
          })
    return faultOfAnswer(operation, { status, headers: new Headers(), text }, 0).code
  }
  it.each([
    [400, 'invalid', 'invalid'],
    [400, 'required', 'invalid'],
    [401, 'authError', 'signInExpired'],
    [401, 'required', 'signInExpired'],
    [403, 'rateLimitExceeded', 'rateLimited'],
    [403, 'userRateLimitExceeded', 'rateLimited'],
    [403, 'quotaExceeded', 'rateLimited'],
    [403, 'dailyLimitExceeded', 'quotaSpent'],
    [403, 'forbidden', 'forbidden'],
    [403, 'forbiddenForNonOrganizer', 'forbidden'],
    [403, undefined, 'badAnswer'],
    [404, 'notFound', 'notFound'],
    [409, 'duplicate', 'duplicate'],
    [409, 'conflict', 'conflict'],
    [410, 'deleted', 'gone'],
    [410, 'fullSyncRequired', 'cursorExpired'],
    [410, 'updatedMinTooLongAgo', 'cursorExpired'],
    [412, 'conditionNotMet', 'preconditionFailed'],
    [429, 'rateLimitExceeded', 'rateLimited'],
    [429, undefined, 'rateLimited'],
    [500, 'backendError', 'unavailable'],
    [502, undefined, 'unavailable'],
    [503, 'unavailable', 'unavailable'],
  ] as const)('%i %s means %s', (status, reason, code) => {
    expect(fault(status, reason)).toBe(code)
  })

  it.each([
    ['tasks.tasks.insert', 'limitReached'],
    ['tasks.tasks.move', 'limitReached'],
    ['tasks.tasklists.insert', 'limitReached'],
    ['tasks.tasks.list', 'rateLimited'],
    ['trafficking.reports.run', 'quotaSpent'],
    ['trafficking.reports.get', 'rateLimited'],
    ['calendar.events.insert', 'rateLimited'],
  ])('a used-up quota of %s means %s', (operation, code) => {
    expect(fault(403, 'quotaExceeded', operation)).toBe(code)
  })

  it('honors Retry-After in seconds and dates, and ignores nonsense', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(retryAfter('30', now)).toBe(30_000)
    expect(retryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60_000)
    expect(retryAfter('Thu, 01 Jan 2015 00:01:00 GMT', now)).toBe(0)
    expect(retryAfter('99999999999', now)).toBe(86_400_000)
    for (const nonsense of [null, 'soon', '-', '']) expect(retryAfter(nonsense, now)).toBeUndefined()
  })
})

describe('base addresses', () => {
  it.each([
    'https://services.example.com',
    'https://services.example.com/base',
    'http://127.0.0.1:8080',
    'http://localhost:1',
    'http://[::1]:8080',
    'HTTPS://Services.Example.COM',
    'https://services.example.com:8443/a/b/',
    'https://sérvices.example',
    'https://[2001:db8::1]/',
    'HTTP://LOCALHOST:8080',
    // Other spellings of this computer.
    'http://2130706433',
    'http://0x7f.1',
    'http://127.1:8080',
    'http://[0:0:0:0:0:0:0:1]',
  ])('accept %s', (text) => {
    expect(checkedBaseUrl(text).href).toContain(new URL(text).host)
  })
  it.each([
    'http://services.example.com',
    'http://127.0.0.1.example.com',
    'http://169.254.169.254/',
    'http://[::ffff:169.254.169.254]/',
    'http://0.0.0.0/',
    'http://10.0.0.1',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'https://user:pass@services.example.com',
    'https://services.example.com/?x=1',
    'https://services.example.com/#x',
    'javascript:alert(1)',
    'nonsense',
    '',
    // Plain HTTP to anything but this computer.
    'http://localhost.example.com',
    'http://localhost.',
    'http://example.localhost',
    'http://127.0.0.2',
    'http://126.255.255.255',
    'http://192.168.1.1',
    'http://172.16.0.1',
    'http://100.64.0.1',
    'http://2852039166',
    'http://0xa9fea9fe',
    'http://0251.0376.0251.0376',
    'http://0',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[fe80::1]',
    'http://[fd00::1]',
    'http://xn--localhost-.example',
    'http://ｌocalhost.example',
    'http://metadata.google.internal',
    'http://router.local',
    'http://127.0.0.1.nip.io',
    'http://localhost%2eexample.com',
    'http://local\u00adhost.example',
    // A name, a query, or a fragment, also an empty one.
    'http://127.0.0.1@services.example.com',
    'https://127.0.0.1:8080@services.example.com',
    'https://token@services.example.com',
    'https://:pass@services.example.com',
    'https://services.example.com/?',
    'https://services.example.com/#',
    'https://services.example.com/base?#',
    'https://services.example.com?x#y',
    // Other schemes, and no address at all.
    'ftp://services.example.com',
    'ws://127.0.0.1',
    'wss://services.example.com',
    'data:text/plain,x',
    'blob:https://services.example.com/x',
    'about:blank',
    'app://flightplan/index.html',
    'chrome://settings',
    'smb://127.0.0.1/share',
    'file:///c:/windows',
    'view-source:https://services.example.com',
    'ms-settings:network',
    'mailto:a@example.com',
    '//services.example.com',
    'services.example.com',
    '/base',
    'https://',
    'https://?',
    'https://exa mple.com',
    'https://services.example.com:99999',
    'https://[::1',
    'https://%00.example.com',
    'http//127.0.0.1',
  ])('reject %s', (text) => {
    expect(() => checkedBaseUrl(text)).toThrow(RangeError)
  })
})

describe('calls built from the table', () => {
  it('encode path parameters, repeat list parameters, and drop unknown ones', async () => {
    const urls: string[] = []
    const base = await serve((request, response) => {
      urls.push(request.url!)
      response.end('{}')
    })
    const client = clientOf(base)
    await client.call('calendar.events.list', {
      calendarId: 'a/b c@x',
      eventTypes: ['default', 'focusTime'],
      maxResults: 5,
    })
    expect(urls).toEqual([
      '/calendar/v3/calendars/a%2Fb%20c%40x/events?eventTypes=default&eventTypes=focusTime&maxResults=5',
    ])
    await expect(client.call('calendar.events.list', { calendarId: 'x', nonsense: 1 } as never)).rejects.toThrow(
      RangeError,
    )
    await expect(client.call('calendar.events.quickAdd', { calendarId: 'x' } as never)).rejects.toThrow(RangeError)
  })
})
