import './web-crypto'
import {
  ClientSecretBasic,
  ClientSecretPost,
  None,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  validateAuthResponse,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { FaultError } from '#shared/fault'
import type { Vocabulary } from '#shared/wire/vocabulary'
import type { Fetch } from '../http/send'
import { receiveCallback } from './callback'
import { signInFault } from './faults'
import { endpointsOf, readIssuer, requestOptions, type Endpoints } from './issuer'
import { scopeText } from './scopes'

/** Tokens of a sign-in. They never leave main, and only the vault stores them. */
export interface Tokens {
  access: string
  refresh?: string
  /** Epoch milliseconds. Absent if the service doesn't say. */
  expires?: number
  /** Granted scopes, by the service's names. */
  scope?: string
  clientId: string
  endpoints: Endpoints
  /** Origins of the services that these tokens may be sent to. */
  audience: readonly string[]
}

/** The app as the service knows it. */
export interface AppIdentity {
  clientId: string
  clientSecret?: string
}

export interface AuthorizeRequest extends AppIdentity {
  issuer: string
  /** In the names of the wire tables. */
  scopes: readonly string[]
  scopeBase?: string
  vocabulary: Vocabulary
  /** Origins of the services that the tokens are for. */
  audience: readonly string[]
  /** Email address of the expected user. */
  hint?: string
}

export interface AuthorizeContext {
  fetch: Fetch
  now: () => number
  /** Shows an address in the user's own browser. */
  openBrowser: (address: string) => Promise<void>
  /** Aborts with a FaultError as its reason if the user cancels or takes too long. */
  signal: AbortSignal
  /** Checks new tokens before they're used. @throws FaultError to have them revoked and deleted */
  accept: (tokens: Tokens) => Promise<void>
}

/**
 * Authorization code flow with PKCE in the user's browser (RFC 7636, RFC 8252). Creates a single-use state and
 * verifier.
 * @throws FaultError
 */
export async function authorize(request: AuthorizeRequest, context: AuthorizeContext): Promise<Tokens> {
  const { fetch, now, openBrowser, signal, accept } = context
  try {
    const server = await readIssuer(fetch, request.issuer, signal)
    const state = generateRandomState()
    const verifier = generateRandomCodeVerifier()
    const receiver = await receiveCallback(state, signal)
    try {
      const { redirectUri } = receiver
      const opened = openBrowser(await authorizationAddress(server, request, { redirectUri, state, verifier })).catch(
        () => {
          throw new FaultError({
            code: 'unreachable',
            message: 'Couldn’t open your browser. Check that your system has a default browser, then try again.',
          })
        },
      )
      // On some systems, opening a browser resolves only when the browser is closed.
      const callback = await Promise.race([receiver.answer, opened.then(() => receiver.answer)])
      try {
        const client: Client = { client_id: request.clientId }
        const answer = await authorizationCodeGrantRequest(
          server,
          client,
          clientAuth(server, request),
          validateAuthResponse(server, client, callback.parameters, state),
          redirectUri,
          verifier,
          requestOptions(fetch, server.issuer, { signal }),
        )
        const result = await processAuthorizationCodeResponse(server, client, answer)
        const tokens = tokensOf(result, now(), {
          clientId: request.clientId,
          endpoints: endpointsOf(server),
          audience: request.audience,
        })
        try {
          await accept(tokens)
          if (signal.aborted) throw signal.reason
        } catch (error) {
          await revoke(fetch, tokens, request.clientSecret)
          throw error
        }
        callback.show(true, 'You can close this window and go back to Flightplan.')
        return tokens
      } catch (error) {
        const problem = signInFault(error)
        callback.show(false, `${problem.message} You can close this window.`)
        throw problem
      }
    } finally {
      receiver.close()
    }
  } catch (error) {
    throw signal.aborted ? signInFault(signal.reason) : signInFault(error)
  }
}

async function authorizationAddress(
  server: AuthorizationServer,
  request: AuthorizeRequest,
  { redirectUri, state, verifier }: { redirectUri: string; state: string; verifier: string },
): Promise<string> {
  const { vocabulary, scopeBase: base } = request
  const url = new URL(server.authorization_endpoint!)
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: redirectUri,
    scope: scopeText(request.scopes, { vocabulary, base, supported: server.scopes_supported }),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    login_hint: request.hint,
    // The public services only issue a refresh token if requested like this.
    ...(vocabulary === 'public' ? { access_type: 'offline', prompt: 'consent' } : {}),
  }
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value)
  return url.href
}

/**
 * Exchanges the refresh token for new tokens, which may include a new refresh token.
 * @throws FaultError `signInExpired`, or as `send`
 */
export async function refresh(
  fetch: Fetch,
  tokens: Tokens,
  clientSecret: string | undefined,
  now: () => number,
): Promise<Tokens> {
  const { endpoints, clientId, audience } = tokens
  if (tokens.refresh === undefined)
    throw new FaultError({ code: 'signInExpired', message: 'Your session has expired. Sign in again.' })
  try {
    const server = serverOf(endpoints)
    const client: Client = { client_id: clientId }
    const answer = await refreshTokenGrantRequest(
      server,
      client,
      clientAuth(server, { clientId, clientSecret }),
      tokens.refresh,
      requestOptions(fetch, endpoints.issuer),
    )
    const result = await processRefreshTokenResponse(server, client, answer)
    const {
      refresh = tokens.refresh,
      scope = tokens.scope,
      ...fresh
    } = tokensOf(result, now(), {
      clientId,
      endpoints,
      audience,
    })
    return { ...fresh, refresh, scope }
  } catch (error) {
    throw signInFault(error)
  }
}

/** Revokes tokens at the service (RFC 7009), if it supports that. Failures have no effect. */
export async function revoke(fetch: Fetch, tokens: Tokens, clientSecret: string | undefined): Promise<void> {
  const { endpoints, clientId } = tokens
  if (endpoints.revocation === undefined) return
  try {
    const server = serverOf(endpoints)
    const auth = clientAuth(server, { clientId, clientSecret })
    const options = requestOptions(fetch, endpoints.issuer, { timeout: 10_000 })
    const token = tokens.refresh ?? tokens.access
    await processRevocationResponse(await revocationRequest(server, { client_id: clientId }, auth, token, options))
  } catch {
    // The app is offline, or the service doesn't know the tokens. They're deleted here anyway.
  }
}

const serverOf = ({ issuer, token, revocation }: Endpoints): AuthorizationServer => ({
  issuer,
  token_endpoint: token,
  ...(revocation === undefined ? {} : { revocation_endpoint: revocation }),
})

/** Native apps can't keep a secret, but some services issue one and require it. */
function clientAuth(server: AuthorizationServer, { clientSecret }: AppIdentity): ClientAuth {
  if (!clientSecret) return None()
  const methods = server.token_endpoint_auth_methods_supported
  return methods && !methods.includes('client_secret_post')
    ? ClientSecretBasic(clientSecret)
    : ClientSecretPost(clientSecret)
}

function tokensOf(
  result: TokenEndpointResponse,
  now: number,
  belongs: Pick<Tokens, 'clientId' | 'endpoints' | 'audience'>,
): Tokens {
  // The library only accepts token types `bearer` and `dpop`, and `dpop` wasn't requested.
  if (result.token_type !== 'bearer')
    throw new FaultError({ code: 'badAnswer', message: 'The service returned an unsupported type of token.' })
  return {
    access: result.access_token,
    ...(result.refresh_token === undefined ? {} : { refresh: result.refresh_token }),
    ...(result.expires_in === undefined ? {} : { expires: now + result.expires_in * 1000 }),
    ...(result.scope === undefined ? {} : { scope: result.scope }),
    ...belongs,
  }
}
