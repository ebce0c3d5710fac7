import { isJsonObject, type JsonObject } from '#shared/json'
import type { Fault, FaultCode, FaultPart } from '#shared/fault'

/** Faults by the services' reasons, in the older error format and in `ErrorInfo` of the newer one. */
const byReason: Readonly<Record<string, FaultCode>> = {
  authError: 'signInExpired',
  expired: 'signInExpired',
  ACCESS_TOKEN_EXPIRED: 'signInExpired',
  CREDENTIALS_MISSING: 'signInExpired',
  rateLimitExceeded: 'rateLimited',
  userRateLimitExceeded: 'rateLimited',
  quotaExceeded: 'rateLimited',
  RATE_LIMIT_EXCEEDED: 'rateLimited',
  RESOURCE_QUOTA_EXCEEDED: 'rateLimited',
  dailyLimitExceeded: 'quotaSpent',
  insufficientPermissions: 'forbidden',
  forbidden: 'forbidden',
  forbiddenForNonOrganizer: 'forbidden',
  requiredAccessLevel: 'forbidden',
  cannotChangeOwnAcl: 'forbidden',
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: 'forbidden',
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

/** `quotaExceeded` by operation. Trafficking limits the reports of a day, and tasks the records of a list, without a daily quota. */
const byOperation: readonly [RegExp, FaultCode][] = [
  [/^trafficking\.reports\.run$/, 'quotaSpent'],
  [/^tasks\.\w+\.(insert|move|patch|update)$/, 'limitReached'],
]

/** The `status` of the newer error form. */
const byName: Readonly<Record<string, FaultCode>> = {
  RESOURCE_EXHAUSTED: 'rateLimited',
  UNAUTHENTICATED: 'signInExpired',
  PERMISSION_DENIED: 'forbidden',
  NOT_FOUND: 'notFound',
  ALREADY_EXISTS: 'duplicate',
  ABORTED: 'conflict',
  INVALID_ARGUMENT: 'invalid',
  FAILED_PRECONDITION: 'invalid',
  OUT_OF_RANGE: 'invalid',
  UNIMPLEMENTED: 'invalid',
  CANCELLED: 'unavailable',
  DEADLINE_EXCEEDED: 'unavailable',
  UNAVAILABLE: 'unavailable',
  INTERNAL: 'unavailable',
  UNKNOWN: 'unavailable',
  DATA_LOSS: 'unavailable',
}

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

/** Statuses whose meaning a reason changes only for a used up quota. `required` means a sign-in on 401, and a field on 400. */
const statusDecides = new Set([400, 401, 412, 413, 429])

/** These limits apply with any status. */
const limits = new Set<FaultCode>(['rateLimited', 'quotaSpent'])

/** Names of daily limits: `1/d/{project}`, `QueriesPerDayPerProject`, “per day”. */
const daily = /\bper[ _]?day|PerDay|\bdaily|\/d(ay)?\b/i

/** Parameters of a list that are tokens. If one is rejected, it's dropped, and the list starts over. */
const tokenPlaces = new Set(['syncToken', 'pageToken'])
const tokenWords =
  /\b(invalid|bad|unreadable|expired)\b.*\b(sync|page)[ _]?token\b|\b(sync|page)[ _]?token\b.*\b(invalid|expired|unreadable|not valid|no longer)/i

/**
 * Statuses that mean the same from any sender. All services report errors as JSON, so any other body comes from something in
 * between, such as a captive portal. Trusting it would confirm a deletion that never happened, reject an edit
 * permanently, or end a sign-in.
 */
const senderIndependent = new Set([408, 413, 416, 429, 431])
const onlyTheService = (status: number): boolean => status < 500 && !senderIndependent.has(status)

/** The relevant parts of an error body, in both formats. */
interface ErrorWords {
  message?: string
  reason?: string
  /** `status` of the newer form. */
  name?: string
  location?: string
  parts?: FaultPart[]
  /** True if it is about a daily limit. */
  daily: boolean
  /** Milliseconds. */
  retryDelay?: number
}

/** Reads an error response. @param now epoch milliseconds, for a Retry-After with a date */
export function faultOfAnswer(
  operation: string,
  answer: { status: number; headers: Headers; text: string },
  now: number,
): Fault {
  const { status, headers } = answer
  const error = errorBody(answer.text)
  if (!error && onlyTheService(status) && !isChallenge(status, headers))
    return { code: 'badAnswer', status, operation, message: nonServiceResponse(answer.text, status) }
  const words = wordsOf(error ?? {})
  const wait = retryAfter(headers.get('retry-after'), now) ?? words.retryDelay
  return {
    code: codeOf(operation, status, words),
    message: words.message ?? `The service returned status ${status}.`,
    status,
    operation,
    ...optional('reason', words.reason ?? words.name),
    ...optional('location', words.location),
    ...optional('parts', words.parts),
    ...optional('retryAfter', wait),
  }
}

/** Message for a response that isn't from the service, such as a web page. */
export function nonServiceResponse(body: string, status: number): string {
  return /^\s*</.test(body)
    ? 'Got a web page instead of a response. You may need to sign in to this network.'
    : `Got a response (${status}) that isn’t from the service. A proxy may be in the way.`
}

/** RFC 6750: a rejected token may be reported in this header alone. */
const isChallenge = (status: number, headers: Headers): boolean =>
  status === 401 && /^\s*bearer\b/i.test(headers.get('www-authenticate') ?? '')

function codeOf(operation: string, status: number, { reason, name, location, message, daily }: ErrorWords): FaultCode {
  const own = reason === 'quotaExceeded' && !daily ? byOperation.find(([of]) => of.test(operation))?.[1] : undefined
  const said = own ?? (reason && byReason[reason]) ?? (name && byName[name])
  if (status === 400 && (tokenPlaces.has(location ?? '') || tokenWords.test(message ?? ''))) return 'cursorExpired'
  const limited = limits.has(said as FaultCode) || status === 429
  if (limited && status !== 400) return daily || said === 'quotaSpent' ? 'quotaSpent' : 'rateLimited'
  if (status >= 500) return 'unavailable'
  return (!statusDecides.has(status) && said) || (byStatus[status] ?? 'invalid')
}

function wordsOf(error: JsonObject): ErrorWords {
  const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
  const errors = list(error['errors'])
  const [first] = errors
  const located = errors.filter((one) => text(one['location']) !== undefined)
  const details = list(error['details'])
  const detail = (type: string): JsonObject | undefined =>
    details.find((one) => String(one['@type'] ?? '').endsWith(`.${type}`))
  const info = detail('ErrorInfo')
  const [violation] = list(detail('BadRequest')?.['fieldViolations'])
  const quotas = list(detail('QuotaFailure')?.['violations'])
  const limit = [
    ...Object.values(isJsonObject(info?.['metadata']) ? info['metadata'] : {}),
    ...quotas.flatMap(Object.values),
  ]
  return {
    message: text(error['message']) ?? text(first?.['message']) ?? text(violation?.['description']),
    reason: text(first?.['reason']) ?? text(info?.['reason']),
    name: text(error['status']),
    location: text(first?.['location']) ?? camelCase(text(violation?.['field'])),
    parts: located.length > 0 ? located.map(partOf) : undefined,
    daily: limit.some((word) => typeof word === 'string' && daily.test(word)),
    retryDelay: seconds(detail('RetryInfo')?.['retryDelay']),
  }
}

const partOf = (error: JsonObject): FaultPart => ({
  message: text(error['message']) ?? 'The service didn’t give a reason.',
  ...optional('reason', text(error['reason'])),
  ...optional('location', text(error['location'])),
})

/** Milliseconds of a Retry-After header (seconds or a date), at most a day. Undefined if it's invalid. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  if (!Number.isFinite(wait)) return undefined
  return Math.min(Math.max(wait, 0), maxWait)
}

const maxWait = 86_400_000

/** Milliseconds of a duration in the newer format, such as `12s` or `0.5s`. */
function seconds(value: unknown): number | undefined {
  const [, count] = /^(\d+(?:\.\d+)?)s$/.exec(typeof value === 'string' ? value : '') ?? []
  return count === undefined ? undefined : Math.min(Math.ceil(Number(count) * 1000), maxWait)
}

function errorBody(body: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    const error = isJsonObject(parsed) ? parsed['error'] : undefined
    return isJsonObject(error) ? error : undefined
  } catch {
    return undefined
  }
}

/** Converts a field name with underscores to the tables' form. */
const camelCase = (field: string | undefined): string | undefined =>
  field?.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>)
}
