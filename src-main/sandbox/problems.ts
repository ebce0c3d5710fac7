import type { JsonObject } from '#shared/json'
import { translateSentence, type Vocabulary } from '#shared/wire/vocabulary'

interface RateLimitScope {
  domain?: string
  location?: string
  locationType?: 'parameter' | 'header'
  headers?: Record<string, string>
  /** The location is the caller's own text, so it isn't translated to the service's names. */
  verbatim?: boolean
  /** One error for each failed member of a request, instead of a general one. */
  members?: ReadonlyArray<{ reason: string; message: string; location: string }>
}

/** An error response: status, the service's reason, and the location. Nothing was written. */
export class Problem extends Error {
  readonly status: number
  readonly reason: string
  readonly blame: RateLimitScope
  constructor(status: number, reason: string, message: string, blame: RateLimitScope = {}) {
    super(message)
    this.status = status
    this.reason = reason
    this.blame = blame
  }
}

const statusNames: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

/** The error body. Every service except the calendar also has the status as a name. */
export function problemBody(problem: Problem, service?: string, vocabulary: Vocabulary = 'neutral'): JsonObject {
  const { status, reason, message, blame } = problem
  const { domain = 'global', locationType = 'parameter' } = blame
  const say = (text: string, location?: string): string =>
    vocabulary === 'public' && !blame.verbatim ? translateSentence(text, location, 'public') : text
  const detailOf = (one: { reason: string; message: string; location?: string }): JsonObject => ({
    domain,
    reason: one.reason,
    message: say(one.message, one.location),
    ...(one.location ? { locationType, location: say(one.location, one.location) } : {}),
  })
  const blamed = blame.members ?? [{ reason, message, location: blame.location }]
  const error: JsonObject = { code: status, message: say(message, blame.location), errors: blamed.map(detailOf) }
  if (service && service !== 'calendar' && statusNames[status]) error.status = statusNames[status]
  return { error }
}

export const badRequest = (message: string): Problem => new Problem(400, 'badRequest', message)
export const invalid = (message: string, location?: string): Problem =>
  new Problem(400, 'invalid', message, location ? { location } : {})
export const invalidParameter = (message: string, location: string): Problem =>
  new Problem(400, 'invalidParameter', message, { location })
export const required = (location: string, message = `Required: ${location}`): Problem =>
  new Problem(400, 'required', message, { location })
export const notFound = (message = 'Not Found'): Problem => new Problem(404, 'notFound', message)
export const forbidden = (message = 'Forbidden'): Problem => new Problem(403, 'forbidden', message)
export const duplicate = (): Problem => new Problem(409, 'duplicate', 'The requested identifier already exists.')
export const deleted = (): Problem => new Problem(410, 'deleted', 'Resource has been deleted')

export const conditionNotMet = (): Problem =>
  new Problem(412, 'conditionNotMet', 'Precondition Failed', { locationType: 'header', location: 'If-Match' })

export const fullSyncRequired = (): Problem =>
  new Problem(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.', {
    domain: 'calendar',
    location: 'syncToken',
  })

const challenge = { 'WWW-Authenticate': 'Bearer realm="flightplan sandbox"' }

export const loginRequired = (): Problem =>
  new Problem(401, 'required', 'Login Required', {
    locationType: 'header',
    location: 'Authorization',
    headers: challenge,
  })

export const invalidCredentials = (): Problem =>
  new Problem(401, 'authError', 'Invalid Credentials', {
    locationType: 'header',
    location: 'Authorization',
    headers: { 'WWW-Authenticate': `${challenge['WWW-Authenticate']}, error="invalid_token"` },
  })
