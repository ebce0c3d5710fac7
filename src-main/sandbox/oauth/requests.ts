import { randomBytes } from 'node:crypto'
import { people } from '../people'
import type { Person } from '../operation'
import { knownScopes, readScopes } from './scopes'

/** A request for consent, for which a page is shown. */
export interface ConsentRequest {
  client: string
  redirect: string
  challenge: string
  scopes: readonly string[]
  state: string | undefined
  /** Address of this service. */
  issuer: string
  /** Person preselected on the page. */
  person: Person
}

/** A request whose redirect address can't be trusted, so that the error is shown on a page. */
export class UnsafeRequest extends Error {}

/** A request that is refused at its redirect address (RFC 6749, 4.1.2.1). */
export class RefusedRequest extends Error {
  readonly location: string
  constructor(code: string, message: string, redirect: string, state: string | undefined, issuer: string) {
    super(message)
    this.location = withAnswer(redirect, { error: code, error_description: message, state, iss: issuer })
  }
}

/** True for a plain HTTP address on this computer with a port (RFC 8252, 7.3). */
function isLoopbackRedirect(text: string): boolean {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return false
  }
  const here = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  return url.protocol === 'http:' && here && url.port !== '' && url.hash === '' && !url.username && !url.password
}

export function withAnswer(redirect: string, answer: Record<string, string | undefined>): string {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/**
 * Reads an authorization request. Ignores unknown parameters, as RFC 6749 requires.
 * @throws UnsafeRequest for a page, RefusedRequest for a redirect
 */
export function readRequest(query: URLSearchParams, issuer: string): ConsentRequest {
  const one = (name: string): string | undefined => {
    const values = query.getAll(name)
    if (values.length > 1) throw new UnsafeRequest(`The parameter ${name} is there more than once.`)
    return values[0] === '' ? undefined : values[0]
  }
  const client = one('client_id')
  const redirect = one('redirect_uri')
  if (!client || client.length > 200 || /[\u0000-\u001f\u007f]/.test(client))
    throw new UnsafeRequest('The app does not say who it is (client_id).')
  if (!redirect || !isLoopbackRedirect(redirect))
    throw new UnsafeRequest('The answer may only go to an app on this computer (redirect_uri).')
  const state = one('state')
  const refuse = (code: string, message: string): RefusedRequest =>
    new RefusedRequest(code, message, redirect, state, issuer)
  if (one('response_type') !== 'code') throw refuse('unsupported_response_type', 'response_type must be code')
  const challenge = one('code_challenge')
  if (!challenge || !/^[\w-]{43}$/.test(challenge) || one('code_challenge_method') !== 'S256')
    throw refuse('invalid_request', 'PKCE with S256 is required (code_challenge, code_challenge_method)')
  const scopes = readScopes(one('scope') ?? knownScopes.join(' '))
  if (!scopes || scopes.length === 0) throw refuse('invalid_scope', 'A scope is unknown')
  if (one('prompt') === 'none') throw refuse('interaction_required', 'Nobody was asked yet')
  const hint = one('login_hint')?.toLowerCase()
  const person = people.find(({ id, email }) => id === hint || email === hint) ?? people[0]!
  return { client, redirect, challenge, scopes, state, issuer, person }
}

const ticketLife = 600_000
const maxTickets = 100

/**
 * Requests that wait for a user. Pages of other origins can't know the form's ticket, and it's valid for one response.
 */
export class Tickets {
  readonly #open = new Map<string, { request: ConsentRequest; until: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  issue(request: ConsentRequest): string {
    const [oldest] = this.#open.keys()
    if (this.#open.size >= maxTickets && oldest !== undefined) this.#open.delete(oldest)
    const ticket = randomBytes(24).toString('base64url')
    this.#open.set(ticket, { request, until: this.#now() + ticketLife })
    return ticket
  }

  /** Returns a ticket's request, and invalidates the ticket. */
  take(ticket: string): ConsentRequest | undefined {
    const found = this.#open.get(ticket)
    this.#open.delete(ticket)
    return found && found.until >= this.#now() ? found.request : undefined
  }
}
