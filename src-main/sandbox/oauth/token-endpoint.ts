import { readScopes } from './scopes'
import type { SignIns, Tokens } from './sign-ins'

type ErrorCode = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'unsupported_grant_type'

/** An error answer of the token endpoint (RFC 6749, 5.2). */
export class TokenError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export interface TokenAnswer {
  body: Record<string, string | number>
  /** Granted scopes, by their names in the tables. */
  scopes: readonly string[]
}

/** Tokens for a code or a refresh token. @throws TokenError */
export function answerTokenRequest(
  signIns: SignIns,
  form: URLSearchParams,
  authorization: string | undefined,
): TokenAnswer {
  const names = [...form.keys()]
  if (new Set(names).size !== names.length) throw new TokenError('invalid_request', 'A parameter is there twice')
  const need = (name: string): string => {
    const value = form.get(name)
    if (!value) throw new TokenError('invalid_request', `${name} is required`)
    return value
  }
  const grant = need('grant_type')
  const client = clientOf(form, authorization, true)
  if (grant === 'authorization_code') {
    const verifier = need('code_verifier')
    if (!/^[\w.~-]{43,128}$/.test(verifier)) throw new TokenError('invalid_request', 'code_verifier is malformed')
    return written(signIns.redeem(need('code'), client, need('redirect_uri'), verifier))
  }
  if (grant === 'refresh_token') {
    const scope = form.get('scope')
    const wanted = scope ? readScopes(scope) : undefined
    if (scope && !wanted) throw new TokenError('invalid_scope', 'A scope is unknown')
    return written(signIns.refresh(need('refresh_token'), client, wanted))
  }
  throw new TokenError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
}

function written(tokens: Tokens | undefined | 'scope'): TokenAnswer {
  if (tokens === 'scope') throw new TokenError('invalid_scope', 'More was asked for than was allowed')
  if (!tokens)
    throw new TokenError('invalid_grant', 'The code or token is expired, revoked, used, or not for this client')
  const { access, refresh, seconds, scopes } = tokens
  const body = { access_token: access, token_type: 'Bearer', expires_in: seconds }
  return { body: refresh === undefined ? body : { ...body, refresh_token: refresh }, scopes }
}

/** Identifies the client. Any name is accepted, because desktop apps can't keep a secret. @throws TokenError */
export function clientOf(form: URLSearchParams, authorization: string | undefined, wanted: boolean): string {
  const basic = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1]
  const name = basic === undefined ? form.get('client_id') : basicUser(basic)
  if (!name && wanted) throw new TokenError('invalid_client', 'client_id is required')
  return name ?? ''
}

function basicUser(credentials: string): string {
  const [user = ''] = Buffer.from(credentials, 'base64').toString('utf8').split(':')
  try {
    return decodeURIComponent(user.replaceAll('+', ' '))
  } catch {
    throw new TokenError('invalid_client', 'The Authorization header cannot be read')
  }
}
