import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { serviceWord, type Vocabulary } from '#shared/wire/vocabulary'
import type { RequestLog } from '../log'
import { personById } from '../people'
import type { Bearers } from './bearers'
import { consentPage, problemPage } from './consent-page'
import { RefusedRequest, Tickets, UnsafeRequest, readRequest, withAnswer, type ConsentRequest } from './requests'
import { knownScopes } from './scopes'
import { TokenError, answerTokenRequest, clientOf } from './token-endpoint'

type Env = { Bindings: HttpBindings }

export interface OAuthContext {
  bearers: Bearers
  log: RequestLog
  /** Vocabulary of permissions in answers. Requests may use either one. */
  vocabulary: Vocabulary
  /** Epoch milliseconds. */
  now: () => number
}

const bodyLimit = 64 * 1024
const uncached = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** The authorization server: metadata, consent page, and tokens. None of its routes requires a bearer token. */
export function addOAuth(router: Hono<Env>, { bearers, log, vocabulary, now }: OAuthContext): void {
  const { signIns } = bearers
  const tickets = new Tickets(now)
  const said = (scope: string): string => serviceWord(scope, vocabulary)
  const noted = (c: Context<Env>, response: Response): Response => {
    const { method, path } = c.req
    log.add({ time: now(), method, path, status: response.status, requestId: log.nextId() })
    return response
  }
  const showConsent = (c: Context<Env>, request: ConsentRequest, complaint?: string): Response => {
    const nonce = randomBytes(12).toString('base64')
    // form-action also applies to the redirect of a form, so it must include the app's address.
    const target = new URL(request.redirect).origin
    const ticket = tickets.issue(request)
    return html(c, 200, nonce, consentPage({ request, ticket, nonce, complaint }), `'self' ${target}`)
  }
  const problem = (c: Context<Env>, message: string): Response => {
    const nonce = randomBytes(12).toString('base64')
    return html(c, 400, nonce, problemPage(message, nonce), "'none'")
  }

  for (const name of ['oauth-authorization-server', 'openid-configuration'])
    router.get(`/.well-known/${name}`, (c) =>
      noted(c, c.json(metadata(issuerOf(c), knownScopes.map(said)), 200, uncached)),
    )

  router.get('/oauth/authorize', (c) => {
    try {
      return noted(c, showConsent(c, readRequest(new URL(c.req.url).searchParams, issuerOf(c))))
    } catch (error) {
      if (error instanceof UnsafeRequest) return noted(c, problem(c, error.message))
      if (error instanceof RefusedRequest) return noted(c, c.redirect(error.location, 302))
      throw error
    }
  })

  router.post('/oauth/consent', async (c) => {
    const form = await readForm(c)
    const site = c.req.header('sec-fetch-site')
    const request = site && site !== 'same-origin' ? undefined : tickets.take(form?.get('ticket') ?? '')
    if (!form || !request) return noted(c, problem(c, 'This page was answered already, or it is too old.'))
    const { client, redirect, challenge, state, issuer: iss } = request
    const back = (answer: Record<string, string>): Response =>
      noted(c, c.redirect(withAnswer(redirect, { ...answer, state, iss }), 302))
    if (form.get('answer') !== 'allow')
      return back({ error: 'access_denied', error_description: 'The person declined' })
    const person = personById(form.get('person') ?? '')
    const scopes = request.scopes.filter((scope) => form.getAll('scope').includes(scope))
    if (!person || scopes.length === 0)
      return noted(c, showConsent(c, person ? { ...request, person } : request, 'Choose a person and what to allow.'))
    return back({ code: signIns.issueCode({ client, redirect, challenge, person, scopes }) })
  })

  router.post('/oauth/token', async (c) => {
    try {
      const form = await readForm(c)
      if (!form) throw new TokenError('invalid_request', 'The body must be a form (application/x-www-form-urlencoded)')
      const answer = answerTokenRequest(signIns, form, c.req.header('authorization'))
      const scope = answer.scopes.map(said).join(' ')
      return noted(c, c.json({ ...answer.body, scope }, 200, uncached))
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
      return noted(c, tokenProblem(c, error))
    }
  })

  router.post('/oauth/revoke', async (c) => {
    try {
      const form = (await readForm(c)) ?? new URLSearchParams()
      // Widely used clients put the token into the query and send no body.
      const token = form.get('token') ?? c.req.query('token')
      if (!token) throw new TokenError('invalid_request', 'token is required')
      clientOf(form, c.req.header('authorization'), false)
      signIns.revoke(token)
      return noted(c, c.body(null, 200, uncached))
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
      return noted(c, tokenProblem(c, error))
    }
  })
}

/** The address under which this service was reached; its Host was checked before. */
const issuerOf = (c: Context<Env>): string => `http://${c.req.header('host')}`

const metadata = (issuer: string, scopes: readonly string[]): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
  scopes_supported: scopes,
  authorization_response_iss_parameter_supported: true,
})

function tokenProblem(c: Context<Env>, { code, message }: TokenError): Response {
  const status = code === 'invalid_client' ? 401 : 400
  const challenge: Record<string, string> =
    status === 401 ? { 'WWW-Authenticate': 'Basic realm="flightplan sandbox"' } : {}
  return c.json({ error: code, error_description: message }, status, { ...uncached, ...challenge })
}

function html(c: Context<Env>, status: 200 | 400, nonce: string, body: string, formAction: string): Response {
  return c.body(body, status, {
    ...uncached,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // Not no-referrer: a form would then be sent with the Origin "null", which is refused.
    'Referrer-Policy': 'same-origin',
  })
}

/** Reads the fields of a form. Undefined for anything else, and for more than anyone would send. */
async function readForm(c: Context<Env>): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of c.env.incoming) {
    size += (chunk as Buffer).length
    if (size > bodyLimit) return undefined
    chunks.push(chunk as Buffer)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}
