import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from './problems'

interface Overridable {
  method?: string
  headers: IncomingHttpHeaders
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Method of a call. Clients that can't send every method send POST and a header. @throws Problem 405
 */
export function methodOf({ method, headers }: Overridable): string | undefined {
  const meant = headers['x-http-method-override']
  if (method !== 'POST' || typeof meant !== 'string' || meant === '') return method
  const named = methods.find((name) => name === meant.trim().toUpperCase())
  if (!named)
    throw new Problem(405, 'httpMethodNotAllowed', 'Method Not Allowed', { headers: { Allow: methods.join(', ') } })
  return named
}

/** True if the body of a call is its query. Clients send addresses that are too long this way. @throws Problem 405 */
export function isLongGet(call: Overridable): boolean {
  const contentType = call.headers['content-type']?.trim().toLowerCase()
  const isForm = contentType?.startsWith('application/x-www-form-urlencoded') ?? false
  return isForm && call.method === 'POST' && methodOf(call) === 'GET'
}

export const withQuery = (target: string, query: string): string =>
  query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`
