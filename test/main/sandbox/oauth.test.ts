import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { connect, events, tasks, timedEvent, clientOf, type Client } from './client'
import { decide, openConsent } from '../../helpers/browser'

const redirect = 'http://127.0.0.1:49999/callback'
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

const requestAddress = ({ sandbox }: Client, more: Record<string, string | undefined> = {}): string => {
  const url = new URL('/oauth/authorize', sandbox.baseUrl)
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: 'A test',
    redirect_uri: redirect,
    scope: 'calendar tasks',
    state: 'st&te=1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

interface TokenReply {
  status: number
  headers: Headers
  body: Record<string, string | number>
}

async function token(
  client: Client,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenReply> {
  const url = `${client.sandbox.baseUrl}/oauth/token`
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as TokenReply['body'] }
}

const exchange = (code: string, more: Record<string, string> = {}): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirect,
  client_id: 'A test',
  code_verifier: verifier,
  ...more,
})

async function codeFrom(
  client: Client,
  ...rest: [more?: Record<string, string>, choice?: Parameters<typeof decide>[1]]
) {
  const answer = new URL(await decide(requestAddress(client, rest[0]), rest[1]))
  return answer.searchParams.get('code')!
}

async function signIn(client: Client, ...rest: Parameters<typeof codeFrom> extends [unknown, ...infer R] ? R : never) {
  const { status, body } = await token(client, exchange(await codeFrom(client, ...rest)))
  expect(status).toBe(200)
  return body as { access_token: string; refresh_token: string; expires_in: number; scope: string }
}

const as = (client: Client, access: string): Client => clientOf({ ...client.sandbox, token: access })

describe('the authorization server', () => {
  it('describes itself under its own address', async () => {
    const { sandbox } = await connect({ signIn: true })
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      for (const host of ['127.0.0.1', 'localhost']) {
        const base = `http://${host}:${sandbox.port}`
        const found = await (await fetch(`${base}/.well-known/${name}`)).json()
        expect(found).toMatchObject({
          issuer: base,
          authorization_endpoint: `${base}/oauth/authorize`,
          token_endpoint: `${base}/oauth/token`,
          revocation_endpoint: `${base}/oauth/revoke`,
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
        })
        expect(found.scopes_supported).toEqual(
          expect.arrayContaining(['calendar', 'tasks', 'dfatrafficking', 'search']),
        )
      }
    }
  })

  it('issues tokens for the chosen user', async () => {
    const client = await connect({ signIn: true })
    const answer = new URL(await decide(requestAddress(client), { person: 'mina' }))
    expect(answer.origin + answer.pathname).toBe(redirect)
    expect([answer.searchParams.get('state'), answer.searchParams.get('iss')]).toEqual([
      'st&te=1',
      client.sandbox.baseUrl,
    ])
    const { status, headers, body } = await token(client, exchange(answer.searchParams.get('code')!))
    expect([status, headers.get('cache-control'), body.token_type, body.expires_in, body.scope]).toEqual([
      200,
      'no-store',
      'Bearer',
      3600,
      'calendar tasks',
    ])
    const mina = as(client, String(body.access_token))
    expect((await mina.get('/calendar/v3/calendars/primary')).body.id).toBe('mina.park@flightplan.example')
    expect((await mina.get(tasks)).status).toBe(200)
    expect((await mina.get('/sandbox/v1/people')).status).toBe(403)
  })

  it('shows the client, the users, and readable scopes on a static page', async () => {
    const client = await connect({ signIn: true })
    const address = requestAddress(client, {
      client_id: '<b>"Evil" & co</b>',
      scope: 'https://scopes.example/auth/calendar.events tasks.readonly',
      login_hint: 'jonas.weber@flightplan.example',
    })
    const { page, html, form } = await openConsent(address)
    expect(html).toContain('&lt;b&gt;&quot;Evil&quot; &amp; co&lt;/b&gt;')
    expect(html).not.toContain('<b>')
    expect(html).not.toMatch(/<script|<link|<img|\bon\w+=/)
    expect(html).toContain('See and change events in all your calendars')
    expect([form.get('person'), form.getAll('scope')]).toEqual(['jonas', ['calendar.events', 'tasks.readonly']])
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w+/=]+'; form-action 'self' http:\/\/127\.0\.0\.1:49999;/,
    )
    expect(policy).toContain("frame-ancestors 'none'")
    expect([page.headers.get('x-frame-options'), page.headers.get('cache-control')]).toEqual(['DENY', 'no-store'])
  })

  it('grants only checked scopes and asks again without any', async () => {
    const client = await connect({ signIn: true })
    const { access_token, scope } = await signIn(client, {}, { scopes: ['tasks'] })
    expect(scope).toBe('tasks')
    const reader = as(client, access_token)
    expect((await reader.get(tasks)).status).toBe(200)
    const refused = await reader.get(events)
    expect([refused.status, refused.reason, refused.body.error.errors[0].domain]).toEqual([
      403,
      'insufficientPermissions',
      'global',
    ])
    await expect(decide(requestAddress(client), { scopes: [] })).rejects.toThrow(/role="alert"/)
    await expect(decide(requestAddress(client), { scopes: ['search'] })).rejects.toThrow(/role="alert"/)
  })

  it('limits every call to its scopes in the table', async () => {
    const client = await connect({ signIn: true })
    const reader = as(client, (await signIn(client, { scope: 'calendar.events.readonly tasks.readonly' })).access_token)
    expect((await reader.get(events)).status).toBe(200)
    expect((await reader.post(events, timedEvent())).reason).toBe('insufficientPermissions')
    expect((await reader.post(tasks, { title: 'x' })).reason).toBe('insufficientPermissions')
    const all = as(client, (await signIn(client)).access_token)
    expect((await all.post(events, timedEvent())).status).toBe(200)
    expect((await all.get('/calendar/v3/users/me/settings')).status).toBe(200)
    expect((await client.get(events)).body.items).toHaveLength(1)
  })

  it('returns denials and errors to the redirect address with the state', async () => {
    const client = await connect({ signIn: true })
    const errorOf = async (more: Record<string, string | undefined>, choice?: Parameters<typeof decide>[1]) => {
      const answer = new URL(await decide(requestAddress(client, more), choice))
      expect([answer.searchParams.get('state'), answer.searchParams.has('code')]).toEqual(['st&te=1', false])
      return answer.searchParams.get('error')
    }
    expect(await errorOf({}, { answer: 'deny' })).toBe('access_denied')
    expect(await errorOf({ code_challenge: undefined })).toBe('invalid_request')
    expect(await errorOf({ code_challenge_method: 'plain' })).toBe('invalid_request')
    expect(await errorOf({ code_challenge_method: undefined })).toBe('invalid_request')
    expect(await errorOf({ response_type: 'token' })).toBe('unsupported_response_type')
    expect(await errorOf({ scope: 'calendar moon' })).toBe('invalid_scope')
    expect(await errorOf({ prompt: 'none' })).toBe('interaction_required')
  })

  it('never redirects off this computer', async () => {
    const client = await connect({ signIn: true })
    for (const redirect_uri of [
      undefined,
      'https://evil.example/callback',
      'http://evil.example:80/callback',
      'http://127.0.0.1.evil.example:8080/',
      'http://user@127.0.0.1:8080/',
      'http://127.0.0.1:8080/#x',
      'https://127.0.0.1:8080/',
      'http://127.0.0.1/no-port',
      'custom:/callback',
      'javascript:alert(1)',
    ]) {
      const page = await fetch(requestAddress(client, { redirect_uri }), { redirect: 'manual' })
      expect([redirect_uri, page.status, page.headers.get('location')]).toEqual([redirect_uri, 400, null])
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
    const twice = `${requestAddress(client)}&redirect_uri=${encodeURIComponent('https://evil.example/')}`
    expect((await fetch(twice, { redirect: 'manual' })).status).toBe(400)
    expect((await fetch(requestAddress(client, { client_id: undefined }), { redirect: 'manual' })).status).toBe(400)
  })

  it('accepts one answer, from its own page', async () => {
    const client = await connect({ signIn: true })
    const { baseUrl } = client.sandbox
    const post = (form: URLSearchParams, headers: Record<string, string> = {}) =>
      fetch(`${baseUrl}/oauth/consent`, { method: 'POST', body: form, headers, redirect: 'manual' })
    const { form } = await openConsent(requestAddress(client))
    form.set('answer', 'allow')
    expect((await post(form, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(form, { origin: 'null' })).status).toBe(403)
    expect((await post(form, { 'sec-fetch-site': 'cross-site' })).status).toBe(400)
    expect((await post(new URLSearchParams({ answer: 'allow', person: 'you', scope: 'tasks' }))).status).toBe(400)
    const forged = new URLSearchParams(form)
    forged.set('ticket', randomBytes(24).toString('base64url'))
    expect((await post(forged)).status).toBe(400)
    expect((await post(form)).status).toBe(302)
    expect((await post(form)).status).toBe(400)
  })

  it('expires the page after ten minutes', async () => {
    let time = Date.parse('2026-01-05T08:00:00Z')
    const client = await connect({ signIn: true, now: () => time })
    const { form } = await openConsent(requestAddress(client))
    form.set('answer', 'allow')
    time += 601_000
    const answer = await fetch(`${client.sandbox.baseUrl}/oauth/consent`, { method: 'POST', body: form })
    expect(answer.status).toBe(400)
  })
})

describe('an authorization code', () => {
  it('works once, and a second use revokes its tokens', async () => {
    const client = await connect({ signIn: true })
    const code = await codeFrom(client)
    const first = await token(client, exchange(code))
    expect((await as(client, String(first.body.access_token)).get(events)).status).toBe(200)
    const second = await token(client, exchange(code))
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant'])
    expect((await as(client, String(first.body.access_token)).get(events)).status).toBe(401)
    const renewed = await token(client, {
      grant_type: 'refresh_token',
      client_id: 'A test',
      refresh_token: String(first.body.refresh_token),
    })
    expect(renewed.body.error).toBe('invalid_grant')
  })

  it('expires after a minute', async () => {
    let time = Date.parse('2026-01-05T08:00:00Z')
    const client = await connect({ signIn: true, now: () => time })
    const [early, late] = [await codeFrom(client), await codeFrom(client)]
    time += 60_000
    expect((await token(client, exchange(early))).status).toBe(200)
    time += 1
    expect((await token(client, exchange(late))).body.error).toBe('invalid_grant')
  })

  it('is bound to its client, redirect address, and verifier', async () => {
    const client = await connect({ signIn: true })
    const strangers: Array<Record<string, string>> = [
      { client_id: 'Another' },
      { redirect_uri: 'http://127.0.0.1:49998/callback' },
      { redirect_uri: `${redirect}/` },
      { code_verifier: randomBytes(32).toString('base64url') },
    ]
    for (const more of strangers) {
      const answer = await token(client, exchange(await codeFrom(client), more))
      expect([more, answer.status, answer.body.error]).toEqual([more, 400, 'invalid_grant'])
    }
    const { code_verifier: _none, ...without } = exchange(await codeFrom(client))
    expect((await token(client, without)).body.error).toBe('invalid_request')
    const malformed = await token(client, exchange(await codeFrom(client), { code_verifier: 'short' }))
    expect(malformed.body.error).toBe('invalid_request')
  })
})

describe('tokens', () => {
  it('are renewed by the refresh token, for the same or fewer scopes', async () => {
    const client = await connect({ signIn: true })
    const { refresh_token } = await signIn(client)
    const renew = (more: Record<string, string> = {}) =>
      token(client, { grant_type: 'refresh_token', client_id: 'A test', refresh_token, ...more })
    const whole = await renew()
    expect([whole.status, whole.body.scope, 'refresh_token' in whole.body]).toEqual([200, 'calendar tasks', false])
    const less = await renew({ scope: 'tasks' })
    expect((await as(client, String(less.body.access_token)).get(tasks)).status).toBe(200)
    expect((await as(client, String(less.body.access_token)).get(events)).status).toBe(403)
    expect((await renew({ scope: 'calendar search' })).body.error).toBe('invalid_scope')
    expect((await renew({ client_id: 'Another' })).body.error).toBe('invalid_grant')
    expect((await renew({ refresh_token: String(whole.body.access_token) })).body.error).toBe('invalid_grant')
  })

  it('expire after an hour, or at once when simulated', async () => {
    let time = Date.parse('2026-01-05T08:00:00Z')
    const client = await connect({ signIn: true, now: () => time })
    const hour = as(client, (await signIn(client)).access_token)
    await client.post('/sandbox/v1/sign-in', { accessSeconds: 5 })
    const short = await signIn(client)
    expect(short.expires_in).toBe(5)
    time += 5_000
    const refused = await as(client, short.access_token).get(events)
    expect([refused.status, refused.reason, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'authError',
      expect.stringContaining('invalid_token'),
    ])
    expect((await hour.get(events)).status).toBe(200)
    time += 3_600_000
    expect((await hour.get(events)).status).toBe(401)
  })

  it('end when revoked, by the app or a simulation', async () => {
    const client = await connect({ signIn: true })
    const [mine, other, minas] = [
      await signIn(client),
      await signIn(client),
      await signIn(client, {}, { person: 'mina' }),
    ]
    const statusOf = async ({ access_token }: { access_token: string }) =>
      (await as(client, access_token).get(events)).status
    const revoke = (form: Record<string, string>) =>
      fetch(`${client.sandbox.baseUrl}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(form) })
    expect((await revoke({ token: mine.refresh_token, client_id: 'A test' })).status).toBe(200)
    expect((await revoke({ token: 'unknown' })).status).toBe(200)
    expect((await revoke({})).status).toBe(400)
    const bare = await fetch(`${client.sandbox.baseUrl}/oauth/revoke?token=unknown`, { method: 'POST' })
    expect(bare.status, 'a token in the query, without a body').toBe(200)
    expect([await statusOf(mine), await statusOf(other), await statusOf(minas)]).toEqual([401, 200, 200])
    expect((await client.post('/sandbox/v1/revoke-sign-ins', { person: 'mina' })).body).toEqual({ revoked: 1 })
    expect([await statusOf(other), await statusOf(minas)]).toEqual([200, 401])
    expect((await client.post('/sandbox/v1/revoke-sign-ins')).body).toEqual({ revoked: 1 })
    expect(await statusOf(other)).toBe(401)
    expect((await client.post('/sandbox/v1/revoke-sign-ins', { person: 'nobody' })).status).toBe(404)
  })

  it('reject malformed requests as RFC 6749 requires', async () => {
    const client = await connect({ signIn: true })
    expect((await token(client, { grant_type: 'password', client_id: 'A test' })).body.error).toBe(
      'unsupported_grant_type',
    )
    expect((await token(client, {})).body.error).toBe('invalid_request')
    const anonymous = await token(client, { grant_type: 'refresh_token', refresh_token: 'x' })
    expect([anonymous.status, anonymous.body.error, anonymous.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      expect.stringMatching(/^Basic/),
    ])
    const json = await fetch(`${client.sandbox.baseUrl}/oauth/token`, { method: 'POST', body: '{}' })
    expect([json.status, json.headers.get('cache-control')]).toEqual([400, 'no-store'])
    const basic = { authorization: `Basic ${Buffer.from('A+test:secret').toString('base64')}` }
    const { client_id: _none, ...form } = exchange(await codeFrom(client))
    expect((await token(client, form, basic)).status).toBe(200)
  })
})

describe('a sandbox without sign-in', () => {
  it('has no authorization server, so its port alone gives no token', async () => {
    const client = await connect()
    const { baseUrl } = client.sandbox
    const form = { method: 'POST', body: new URLSearchParams({ answer: 'allow', person: 'you' }) }
    expect((await fetch(requestAddress(client))).status).toBe(401)
    for (const path of ['consent', 'token', 'revoke']) {
      expect((await fetch(`${baseUrl}/oauth/${path}`, form)).status).toBe(401)
      expect((await client.post(`/oauth/${path}`)).status).toBe(404)
    }
    for (const path of [
      '/oauth/authorize',
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
    ])
      expect((await client.get(path)).status).toBe(404)
    expect((await client.get('/sandbox/v1/people')).status).toBe(200)
  })
})
