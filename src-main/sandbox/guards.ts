import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, forbidden, invalidCredentials, loginRequired, problemBody } from './problems'
import type { Person } from './operation'
import type { Bearers } from './oauth/bearers'
import { covers } from './oauth/scopes'

/**
 * Admits only requests from this computer to this address. A foreign Host means DNS rebinding, and a foreign Origin a request by
 * a web page. @throws Problem 403
 */
export function guardAddress(incoming: IncomingMessage, port: number): void {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
  const host = incoming.headers.host?.toLowerCase()
  if (!host || !own.includes(host)) throw forbidden('Foreign Host header.')
  const { origin } = incoming.headers
  if (origin !== undefined && !own.some((address) => origin.toLowerCase() === `http://${address}`)) {
    throw forbidden('Foreign Origin header.')
  }
}

export interface Wanted {
  /** Permissions, of which the token needs one. */
  scopes?: readonly string[]
  /** True for the admin path, which only accepts the service's own tokens, even expired ones, because it renews them. */
  admin?: boolean
}

/** Identifies the caller. @throws Problem 401; 403 `insufficientPermissions` if the token doesn't allow this */
export function guardBearer(authorization: string | undefined, bearers: Bearers, wanted: Wanted = {}): Person {
  if (authorization === undefined || authorization.trim() === '') throw loginRequired()
  const token = /^Bearer +([^\s]+)$/i.exec(authorization.trim())?.[1]
  const holder = token === undefined ? undefined : bearers.holder(token)
  if (!holder || (holder.expired && !(wanted.admin && holder.scopes === 'all'))) throw invalidCredentials()
  const { person, scopes } = holder
  if (scopes === 'all') return person
  const allows = (scope: string): boolean => scopes.some((held) => covers(held, scope))
  if (wanted.admin || (wanted.scopes && !wanted.scopes.some(allows))) throw insufficient()
  return person
}

const insufficient = (): Problem =>
  new Problem(403, 'insufficientPermissions', 'Insufficient Permission: this sign-in does not allow that.')

/** Answers with a problem outside the router. */
export function refuse(outgoing: ServerResponse, problem: Problem): void {
  const body = JSON.stringify(problemBody(problem))
  outgoing.writeHead(problem.status, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': Buffer.byteLength(body),
    ...problem.blame.headers,
  })
  outgoing.end(body)
}
