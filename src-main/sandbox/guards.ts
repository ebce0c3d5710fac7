import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, forbidden, invalidCredentials, loginRequired, problemBody } from './problems'
import type { Person } from './operation'
import type { Bearers } from './people'

/**
 * Only this computer, by this address: a foreign Host means that a name was rebound to the loopback address, a foreign
 * Origin that a web page is asking. @throws Problem 403
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

/** Who calls. @throws Problem 401. `evenExpired` is for the admin path, which renews tokens. */
export function guardBearer(authorization: string | undefined, bearers: Bearers, evenExpired = false): Person {
  if (authorization === undefined || authorization.trim() === '') throw loginRequired()
  const token = /^Bearer +([^\s]+)$/i.exec(authorization.trim())?.[1]
  const person = token === undefined ? undefined : bearers.owner(token)
  if (!person || (bearers.isExpired(person) && !evenExpired)) throw invalidCredentials()
  return person
}

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
