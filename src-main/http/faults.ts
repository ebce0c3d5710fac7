import { isJsonObject } from '#shared/json'
import type { Fault, FaultCode } from '#shared/fault'

/** What a service's error means for us. The reason decides; the status only where a reason is missing or unknown. */
const byReason: Readonly<Record<string, FaultCode>> = {
  authError: 'signInExpired',
  expired: 'signInExpired',
  rateLimitExceeded: 'rateLimited',
  userRateLimitExceeded: 'rateLimited',
  quotaExceeded: 'rateLimited',
  dailyLimitExceeded: 'quotaSpent',
  RATE_LIMIT_EXCEEDED: 'rateLimited',
  insufficientPermissions: 'forbidden',
  forbidden: 'forbidden',
  forbiddenForNonOrganizer: 'forbidden',
  requiredAccessLevel: 'forbidden',
  cannotChangeOwnAcl: 'forbidden',
  notFound: 'notFound',
  deleted: 'gone',
  fullSyncRequired: 'cursorExpired',
  updatedMinTooLongAgo: 'cursorExpired',
  conditionNotMet: 'preconditionFailed',
  duplicate: 'duplicate',
  conflict: 'conflict',
  backendError: 'unavailable',
  internalError: 'unavailable',
}

/** Reasons that mean one thing on one status only: `required` is a missing sign-in on 401, a missing field on 400. */
const byStatus: Readonly<Record<number, FaultCode>> = {
  400: 'invalid',
  401: 'signInExpired',
  403: 'forbidden',
  404: 'notFound',
  405: 'invalid',
  408: 'unavailable',
  409: 'conflict',
  410: 'gone',
  412: 'preconditionFailed',
  413: 'invalid',
  415: 'invalid',
  429: 'rateLimited',
}

/** Statuses on which the reason never changes the meaning. */
const statusDecides = new Set([400, 401, 412, 413, 429])

/** Reads an error answer. `now` is epoch milliseconds, for a Retry-After that is a date. */
export function faultOfAnswer(
  operation: string,
  answer: { status: number; headers: Headers; text: string },
  now: number,
): Fault {
  const error = errorBody(answer.text)
  const first = Array.isArray(error?.['errors']) ? error['errors'].find(isJsonObject) : undefined
  const reason = text(first?.['reason'])
  const message = text(error?.['message']) ?? text(first?.['message']) ?? `The service answered ${answer.status}.`
  return {
    code: codeOf(answer.status, reason),
    message,
    status: answer.status,
    operation,
    ...(reason === undefined ? {} : { reason }),
    ...optional('location', text(first?.['location'])),
    ...optional('retryAfter', retryAfter(answer.headers.get('retry-after'), now)),
  }
}

function codeOf(status: number, reason: string | undefined): FaultCode {
  if (status === 400 && reason === 'invalid') return 'invalid'
  const meant = reason && !statusDecides.has(status) ? byReason[reason] : undefined
  return meant ?? byStatus[status] ?? (status >= 500 ? 'unavailable' : 'invalid')
}

/** Milliseconds of a Retry-After header (seconds or a date), at most a day; undefined for nonsense. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  if (!Number.isFinite(wait)) return undefined
  return Math.min(Math.max(wait, 0), 86_400_000)
}

function errorBody(body: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    const error = isJsonObject(parsed) ? parsed['error'] : undefined
    return isJsonObject(error) ? error : undefined
  } catch {
    return undefined
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>)
}
