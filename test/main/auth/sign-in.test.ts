import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdir } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { faultOf } from '#shared/fault'
import { systemClock } from '#shared/time/clock'
import { SignIn } from '../../../src-main/auth/sign-in'
import { openVault } from '../../../src-main/auth/vault'
import { decide } from '../../helpers/browser'
import { asked, keyring, startPerson } from './person'

/** A browser whose user agrees at once. */
const agreeing = (address: string): Promise<void> => {
  const query = new URL(address).searchParams
  void fetch(`${query.get('redirect_uri')}?code=secret&state=${query.get('state')}`)
  return Promise.resolve()
}

const noon = Date.parse('2026-06-10T12:00:00+02:00')

const fault = (attempt: Promise<unknown>): Promise<{ code: string; message: string }> =>
  attempt.then(
    () => ({ code: 'none', message: '' }),
    (error: unknown) => faultOf(error),
  )
const servers: Array<ReturnType<typeof createServer>> = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** An unusual authorization server, for what the sandbox never does. */
async function startOdd(answer: (base: string) => RequestListener): Promise<string> {
  let base = ''
  const server = createServer((request, response) => answer(base)(request, response))
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return base
}

const json = (response: Parameters<RequestListener>[1], status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

describe('signing in', () => {
  it("returns a valid token and shows that it's done", async () => {
    const person = await startPerson()
    expect(person.signIn.state).toBe('out')
    await person.enter({ person: 'mina' })
    expect(person.states).toEqual(['in'])
    expect(await person.status(await person.signIn.token())).toBe(200)
    await expect.poll(() => person.shown[0]?.html).toContain('You can close this window')
  })

  it('requests a code with PKCE, state, and scopes, and never shows the browser the verifier', async () => {
    const addresses: URL[] = []
    const person = await startPerson({
      openBrowser: async (address) => {
        addresses.push(new URL(address))
        void fetch(await decide(address))
      },
    })
    await person.enter()
    await person.enter()
    const [one, two] = addresses.map((address) => Object.fromEntries(address.searchParams))
    expect(one).toMatchObject({ response_type: 'code', scope: 'calendar tasks', code_challenge_method: 'S256' })
    expect(Object.keys(one!).sort()).toEqual(
      [
        'client_id',
        'code_challenge',
        'code_challenge_method',
        'redirect_uri',
        'response_type',
        'scope',
        'state',
      ].sort(),
    )
    for (const name of ['state', 'code_challenge']) expect(one![name]).not.toBe(two![name])
    expect(one!['state']!.length).toBeGreaterThanOrEqual(43)
  })

  it('reports a denial clearly and stores nothing', async () => {
    const person = await startPerson()
    const { code, message } = await fault(person.enter({ answer: 'deny' }))
    expect([code, message]).toEqual(['forbidden', expect.stringContaining('didn’t give')])
    expect([person.signIn.state, await readdir(person.folder).catch(() => [])]).toEqual(['out', []])
    await expect.poll(() => person.shown[0]?.html).toContain('didn’t give')
  })

  it('rejects a response from another issuer, or without a required issuer', async () => {
    for (const change of [
      (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
      (url: URL) => url.searchParams.delete('iss'),
    ]) {
      const person = await startPerson({
        openBrowser: async (address) => {
          const answer = new URL(await decide(address))
          change(answer)
          void fetch(answer)
        },
      })
      expect((await fault(person.enter())).code).toBe('badAnswer')
      expect(person.signIn.state).toBe('out')
      expect(await asked(person.admin, '/oauth/token')).toBe(0)
    }
  })

  it('rejects a reused or late code', async () => {
    let time = noon
    let late = 0
    let stolen: string | undefined
    const person = await startPerson({
      sandbox: { now: () => time },
      openBrowser: async (address) => {
        const answer = new URL(await decide(address))
        if (stolen) answer.searchParams.set('code', stolen)
        stolen = answer.searchParams.get('code')!
        time += late
        void fetch(answer)
      },
    })
    await person.enter()
    const first = await person.signIn.token()
    expect((await fault(person.enter())).code).toBe('signInExpired')
    expect(await person.status(first)).toBe(401)
    stolen = undefined
    late = 61_000
    expect((await fault(person.enter())).code).toBe('signInExpired')
  })

  it('ends when canceled or restarted, and stops listening', async () => {
    const redirects: string[] = []
    const person = await startPerson({
      openBrowser: (address) => {
        redirects.push(new URL(address).searchParams.get('redirect_uri')!)
        return Promise.resolve()
      },
    })
    const first = fault(person.enter())
    await expect.poll(() => redirects.length).toBe(1)
    const second = fault(person.enter())
    expect((await first).code).toBe('aborted')
    await expect.poll(() => redirects.length).toBe(2)
    person.signIn.cancel()
    expect((await second).message).toContain('canceled')
    for (const redirect of redirects) await expect(fetch(redirect)).rejects.toThrow()
  })

  it('revokes a sign-in the app rejects and keeps the old one', async () => {
    const person = await startPerson()
    await person.enter()
    const before = await person.signIn.token()
    let refused = ''
    const attempt = person.signIn.ask(person.request, (token) => {
      refused = token
      return Promise.reject(new Error('someone else'))
    })
    await expect(attempt).rejects.toThrow()
    expect([await person.status(refused), await person.signIn.token()]).toEqual([401, before])
    expect(await person.status(before)).toBe(200)
  })

  it('reports a service without sign-in or with an unsafe one', async () => {
    const person = await startPerson()
    const ask = (issuer: string) => fault(person.signIn.ask({ ...person.request, issuer }, () => Promise.resolve()))
    const none = await startOdd(() => (_request, response) => response.writeHead(404).end())
    expect((await ask(none)).message).toContain('publish sign-in details')
    const foreign = await startOdd(
      () => (_request, response) => json(response, 200, { issuer: 'https://evil.example' }),
    )
    expect((await ask(foreign)).message).toContain('don’t match its address')
    const unsafe = await startOdd(
      (base) => (_request, response) =>
        json(response, 200, {
          issuer: base,
          authorization_endpoint: `${base}/a`,
          token_endpoint: 'http://evil.example/t',
        }),
    )
    expect((await ask(unsafe)).message).toContain('no secure address for tokens')
    expect((await ask('http://evil.example')).code).toBe('invalid')
    expect((await ask('http://127.0.0.1:9')).code).toBe('unreachable')
  })

  it('follows no redirect with a code', async () => {
    const caught: string[] = []
    const elsewhere = await startOdd(() => (request, response) => {
      caught.push(request.url ?? '')
      response.end()
    })
    const odd = await startOdd((base) => (request, response) => {
      if (request.url === '/t') response.writeHead(307, { location: `${elsewhere}/caught` }).end()
      else json(response, 200, { issuer: base, authorization_endpoint: `${base}/a`, token_endpoint: `${base}/t` })
    })
    const person = await startPerson({
      openBrowser: agreeing,
    })
    const attempt = person.signIn.ask({ ...person.request, issuer: odd }, () => Promise.resolve())
    expect((await fault(attempt)).code).not.toBe('none')
    expect(caught).toEqual([])
  })
})

describe('renewing a token', () => {
  it('happens once for ten calls rejected at the same time', async () => {
    const person = await startPerson()
    await person.enter()
    const refused = await person.signIn.token()
    await person.admin.post('/sandbox/v1/expire-bearer')
    const asksOfTokens = () => asked(person.admin, '/oauth/token')
    expect(await asksOfTokens()).toBe(1)
    const renewed = await Promise.all(Array.from({ length: 10 }, () => person.signIn.renew(refused)))
    expect(new Set(renewed).size).toBe(1)
    expect(renewed[0]).not.toBe(refused)
    expect(await person.signIn.renew(refused)).toBe(renewed[0])
    expect(await person.status(renewed[0]!)).toBe(200)
    expect(await asksOfTokens()).toBe(2)
  })

  it('happens shortly before it expires', async () => {
    let time = noon
    const person = await startPerson({ sandbox: { now: () => time } })
    await person.enter()
    const first = await person.signIn.token()
    time += 3_600_000 - 61_000
    expect(await person.signIn.token()).toBe(first)
    time += 2_000
    const [second, same] = await Promise.all([person.signIn.token(), person.signIn.token()])
    expect([second === first, same]).toEqual([false, second])
    expect(await asked(person.admin, '/oauth/token')).toBe(2)
  })

  it('reports an expired session once after a revocation and stops asking', async () => {
    const person = await startPerson()
    await person.enter()
    const token = await person.signIn.token()
    await person.admin.post('/sandbox/v1/revoke-sign-ins')
    const attempts = await Promise.all(Array.from({ length: 5 }, () => fault(person.signIn.renew(token))))
    expect(attempts.map(({ code }) => code)).toEqual(Array(5).fill('signInExpired'))
    expect(person.states).toEqual(['in', 'expired'])
    const requests = await asked(person.admin, '/oauth/token')
    expect((await fault(person.signIn.token())).code).toBe('signInExpired')
    expect(await asked(person.admin, '/oauth/token')).toBe(requests)
    expect(await readdir(person.folder)).toEqual([])
    await person.enter()
    expect(person.states).toEqual(['in', 'expired', 'in'])
    expect(await person.status(await person.signIn.token())).toBe(200)
  })

  it('keeps the sign-in when it fails offline', async () => {
    let broken = false
    const person = await startPerson({
      fetch: (url, init) => (broken ? Promise.reject(new TypeError('ECONNREFUSED')) : fetch(url, init)),
    })
    await person.enter()
    const token = await person.signIn.token()
    broken = true
    expect((await fault(person.signIn.renew(token))).code).toBe('unreachable')
    expect(person.signIn.state).toBe('in')
    broken = false
    expect(await person.status(await person.signIn.renew(token))).toBe(200)
  })

  it('keeps the sign-in when a network in between rejects it', async () => {
    let answer: Response | undefined
    const person = await startPerson({ fetch: (url, init) => (answer ? Promise.resolve(answer) : fetch(url, init)) })
    await person.enter()
    const token = await person.signIn.token()
    for (const status of [400, 401, 403, 404])
      for (const body of ['<html>Welcome to our hotel</html>', '', '{"error":{"code":401}}'])
        for (const headers of [{}, { 'www-authenticate': 'Basic realm="hotel"' }] as Record<string, string>[]) {
          answer = new Response(body, { status, headers })
          expect((await fault(person.signIn.renew(token))).code).toBe('badAnswer')
          expect(person.signIn.state).toBe('in')
        }
    answer = new Response('{"error":"rate_limit_exceeded"}', {
      status: 403,
      headers: { 'content-type': 'application/json' },
    })
    expect((await fault(person.signIn.renew(token))).code).toBe('rateLimited')
    expect(person.signIn.state).toBe('in')
    answer = undefined
    expect(await person.status(await person.signIn.renew(token))).toBe(200)
  })

  it('uses a valid token when early renewal fails', async () => {
    let time = noon
    let broken = false
    const person = await startPerson({
      sandbox: { now: () => time },
      fetch: (url, init) => (broken ? Promise.reject(new TypeError('ECONNREFUSED')) : fetch(url, init)),
    })
    await person.enter()
    const token = await person.signIn.token()
    time += 3_570_000
    broken = true
    expect(await person.signIn.token()).toBe(token)
    time += 31_000
    expect((await fault(person.signIn.token())).code).toBe('unreachable')
  })

  it("stores a new refresh token and waits out a service that's down", async () => {
    const given: string[] = []
    let down = false
    const odd = await startOdd((base) => (request, response) => {
      if (request.url !== '/t')
        return json(response, 200, { issuer: base, authorization_endpoint: `${base}/a`, token_endpoint: `${base}/t` })
      let form = ''
      request.on('data', (data: Buffer) => (form += data.toString()))
      request.on('end', () => {
        given.push(new URLSearchParams(form).get('refresh_token') ?? 'code')
        if (down)
          return void response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"server_error"}')
        const number = given.length
        json(response, 200, {
          access_token: `a${number}`,
          token_type: 'Bearer',
          expires_in: 3600,
          refresh_token: `r${number}`,
        })
      })
    })
    const person = await startPerson({
      openBrowser: agreeing,
    })
    await person.signIn.ask({ ...person.request, issuer: odd }, () => Promise.resolve())
    expect(await person.signIn.renew('a1')).toBe('a2')
    down = true
    expect((await fault(person.signIn.renew('a2'))).code).toBe('unavailable')
    down = false
    expect(await person.signIn.renew('a2')).toBe('a4')
    expect(given).toEqual(['code', 'r1', 'r2', 'r2'])
  })
})

it('a renewal without a refresh token keeps the old one', async () => {
  const given: (string | null)[] = []
  const odd = await startOdd((base) => (request, response) => {
    if (request.url !== '/t')
      return json(response, 200, { issuer: base, authorization_endpoint: `${base}/a`, token_endpoint: `${base}/t` })
    let form = ''
    request.on('data', (data: Buffer) => (form += data.toString()))
    request.on('end', () => {
      given.push(new URLSearchParams(form).get('refresh_token'))
      const tokens = { access_token: `a${given.length}`, token_type: 'Bearer', expires_in: 3600 }
      json(response, 200, given.length === 1 ? { ...tokens, refresh_token: 'r1' } : tokens)
    })
  })
  const person = await startPerson({
    openBrowser: agreeing,
  })
  await person.signIn.ask({ ...person.request, issuer: odd }, () => Promise.resolve())
  expect(await person.signIn.renew('a1')).toBe('a2')
  expect(await person.signIn.renew('a2')).toBe('a3')
  expect(given).toEqual([null, 'r1', 'r1'])
})

describe('signing out', () => {
  it('revokes the sign-in at the service and deletes it here', async () => {
    const person = await startPerson()
    await person.enter()
    const token = await person.signIn.token()
    await person.signIn.end(true)
    expect([person.signIn.state, await person.status(token), await readdir(person.folder)]).toEqual(['out', 401, []])
    expect(await fault(person.signIn.token())).toMatchObject({ code: 'signInExpired', message: 'You’re signed out.' })
  })

  it('works offline', async () => {
    let broken = false
    const person = await startPerson({
      fetch: (url, init) => (broken ? Promise.reject(new TypeError('ECONNREFUSED')) : fetch(url, init)),
    })
    await person.enter()
    broken = true
    await person.signIn.end(true)
    expect([person.signIn.state, await readdir(person.folder)]).toEqual(['out', []])
  })

  it("isn't undone by a running renewal", async () => {
    let held: (() => void) | undefined
    let hold = false
    const person = await startPerson({
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        if (hold && url.endsWith('/oauth/token')) await new Promise<void>((done) => (held = done))
        return answer
      },
    })
    await person.enter()
    const token = await person.signIn.token()
    hold = true
    const renewal = fault(person.signIn.renew(token))
    await expect.poll(() => held !== undefined).toBe(true)
    await person.signIn.end(false)
    held!()
    expect((await renewal).code).toBe('signInExpired')
    expect([person.signIn.state, await readdir(person.folder)]).toEqual(['out', []])
  })
})

describe('the next start', () => {
  it('finds the sealed sign-in and knows an expired one', async () => {
    const person = await startPerson()
    await person.enter()
    const options = {
      accountId: 'a1',
      fetch,
      now: systemClock.now,
      openBrowser: () => Promise.resolve(),
      changed: () => undefined,
    }
    const again = await SignIn.open({ ...options, vault: openVault(person.folder, keyring) }, false)
    expect([again.state, await person.status(await again.token()), again.audience]).toEqual([
      'in',
      200,
      [person.sandbox.baseUrl],
    ])
    const elsewhere = await SignIn.open({ ...options, vault: openVault(`${person.folder}-none`, keyring) }, true)
    expect(elsewhere.state).toBe('expired')
  })
})
