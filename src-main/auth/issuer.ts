import './web-crypto'
import {
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
  type AuthorizationServer,
} from 'oauth4webapi'
import { FaultError } from '#shared/fault'
import { isJsonObject } from '#shared/json'
import { checkedBaseUrl, isLoopback } from '../http/address'
import { nonServiceResponse } from '../http/faults'
import { send, type Fetch } from '../http/send'

/** Milliseconds without progress in an exchange with a sign-in service. */
const patience = 30_000

/** Endpoints of a sign-in: stored with the tokens, so that they are sent nowhere else. */
export interface Endpoints {
  issuer: string
  token: string
  revocation?: string
}

/** Request options of the library: our own fetch, which follows no redirects and respects offline mode. */
export function requestOptions(
  fetch: Fetch,
  issuer: string,
  { signal, timeout = patience }: { signal?: AbortSignal; timeout?: number } = {},
): {
  [customFetch]: (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: unknown },
  ) => Promise<Response>
  [allowInsecureRequests]: boolean
} {
  return {
    [customFetch]: async (url, { method, headers, body }) => {
      const text = body === undefined || body === null ? undefined : String(body)
      const answer = await send(fetch, { method, url, headers, body: text, signal, timeout })
      if (answer.status === 429 || answer.status >= 500) throw unavailable(url, answer.status)
      // A captive portal may send any error. Taking its 401 as the service's would end the sign-in.
      if (method === 'POST' && answer.status >= 400 && !isTokenError(answer.text))
        throw new FaultError({
          code: 'badAnswer',
          status: answer.status,
          message: nonServiceResponse(answer.text, answer.status),
        })
      return new Response(answer.text === '' ? null : answer.text, { status: answer.status, headers: answer.headers })
    },
    // Plain HTTP on loopback only; every endpoint is checked for it as well.
    [allowInsecureRequests]: isLoopback(new URL(issuer).hostname),
  }
}

/** True for an error in the form of RFC 6749 (5.2) and RFC 7009. */
function isTokenError(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return isJsonObject(body) && typeof body['error'] === 'string'
  } catch {
    return false
  }
}

/** The library doesn't recognize these responses, which only ask to retry later. */
const unavailable = (url: string, status: number): FaultError =>
  new FaultError({
    code: 'unavailable',
    status,
    message: `${new URL(url).host} can’t sign you in right now (${status}).`,
  })

/** @throws FaultError `invalid` for an endpoint that uses neither TLS nor loopback */
function checkEndpoint(name: string, address: string | undefined): void {
  const url = address === undefined ? undefined : parsed(address)
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) return
  throw new FaultError({ code: 'invalid', message: `The sign-in service has no secure address for ${name}.` })
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}

/**
 * Metadata of an issuer, by RFC 8414 or OpenID discovery.
 * @throws FaultError `invalid` if there is none or it isn't safe to use, or as `send`
 */
export async function readIssuer(fetch: Fetch, issuer: string, signal?: AbortSignal): Promise<AuthorizationServer> {
  const url = checkedIssuer(issuer)
  const options = requestOptions(fetch, url.href, { signal })
  for (const algorithm of ['oauth2', 'oidc'] as const) {
    const response = await discoveryRequest(url, { algorithm, ...options })
    if (response.status === 404 || response.status === 401 || response.status === 403) continue
    const server = await processDiscoveryResponse(url, response).catch(() => {
      throw new FaultError({
        code: 'invalid',
        message: `${url.host} has sign-in details that don’t match its address.`,
      })
    })
    checkEndpoint('signing in', server.authorization_endpoint)
    checkEndpoint('tokens', server.token_endpoint)
    if (server.revocation_endpoint !== undefined) checkEndpoint('signing out', server.revocation_endpoint)
    return server
  }
  throw new FaultError({ code: 'invalid', message: `${url.host} doesn’t publish sign-in details.` })
}

/** @throws FaultError `invalid` */
function checkedIssuer(issuer: string): URL {
  try {
    return checkedBaseUrl(issuer)
  } catch (error) {
    throw new FaultError({
      code: 'invalid',
      message: error instanceof Error ? error.message : 'Enter a valid address.',
    })
  }
}

export function endpointsOf(server: AuthorizationServer): Endpoints {
  return {
    issuer: server.issuer,
    token: server.token_endpoint!,
    ...(server.revocation_endpoint === undefined ? {} : { revocation: server.revocation_endpoint }),
  }
}
