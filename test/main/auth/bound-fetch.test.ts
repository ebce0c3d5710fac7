import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultOf } from '#shared/fault'
import { systemClock } from '#shared/time/clock'
import { boundFetch, originsOf } from '../../../src-main/auth/bound-fetch'
import { scopeText, scopesOf } from '../../../src-main/auth/scopes'
import { createClient } from '../../../src-main/services/client'

const seen: Array<string | undefined> = []
let redirecting: ReturnType<typeof createServer>
let elsewhere: ReturnType<typeof createServer>
let home: string
let away: string

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.end('{}')
  })
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
  away = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  redirecting = createServer((_request, response) => response.writeHead(307, { location: `${away}/` }).end())
  await new Promise<void>((done) => redirecting.listen(0, '127.0.0.1', done))
  home = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`
})
afterAll(() => {
  for (const server of [redirecting, elsewhere]) {
    server.closeAllConnections()
    server.close()
  }
})

const client = (baseUrl: string) =>
  createClient({
    baseUrl: () => baseUrl,
    token: () => 'secret-token',
    fetch: boundFetch(fetch, () => originsOf([`${home}/path`, home])),
    now: systemClock.now,
  })

describe('a token', () => {
  it("isn't sent to another host, port, or scheme", async () => {
    for (const address of [away, 'https://127.0.0.1', 'http://localhost:1', 'https://evil.example']) {
      const { code, message } = await client(address)
        .call('calendar.colors.get', {})
        .then(
          () => ({ code: 'none', message: '' }),
          (error: unknown) => faultOf(error),
        )
      expect([address, code]).toEqual([address, 'invalid'])
      expect(message).not.toContain('secret-token')
    }
    expect(seen).toEqual([])
  })

  it("isn't sent to a host that starts with the same name", async () => {
    const asked: string[] = []
    const bound = boundFetch(
      (url) => (asked.push(url), Promise.resolve(new Response('{}'))),
      () => ['https://calendar.example'],
    )
    const headers = { authorization: 'Bearer secret-token' }
    for (const url of ['https://calendar.example.evil.example/', 'https://calendar.example@evil.example/'])
      await expect(bound(url, { headers })).rejects.toMatchObject({ fault: { code: 'invalid' } })
    await bound('https://calendar.example/v3', { headers })
    expect(asked).toEqual(['https://calendar.example/v3'])
  })

  it("doesn't follow a redirect, even of its own service", async () => {
    await expect(client(home).call('calendar.colors.get', {})).rejects.toThrow()
    expect(seen).toEqual([])
  })

  it("isn't sent for unsigned requests", async () => {
    await boundFetch(fetch, () => [])(away, { method: 'GET' })
    expect(seen).toEqual([undefined])
  })
})

describe('permissions', () => {
  it('are the fewest that cover all operations', () => {
    expect(scopesOf(['calendar', 'tasks'], {})).toEqual(expect.arrayContaining(['calendar', 'tasks']))
    expect(scopesOf(['calendar', 'tasks', 'discovery'], {}).filter((name) => /\./.test(name))).toEqual([])
    expect(scopesOf(['trafficking'], { trafficking: 'v3.3' }).sort()).toEqual([
      'ddmconversions',
      'dfatrafficking',
      'trafficking',
    ])
  })

  it("have the issuer's names", () => {
    const scopes = ['calendar', 'trafficking', 'search']
    expect(scopeText(scopes, { vocabulary: 'neutral' })).toBe('calendar trafficking search')
    expect(scopeText(scopes, { vocabulary: 'public', base: 'https://s.example/auth/' })).toBe(
      'https://s.example/auth/calendar https://s.example/auth/dfareporting https://s.example/auth/doubleclicksearch',
    )
    const supported = ['https://s.example/auth/calendar', 'search']
    expect(scopeText(scopes, { vocabulary: 'neutral', supported })).toBe(
      'https://s.example/auth/calendar trafficking search',
    )
  })
})
