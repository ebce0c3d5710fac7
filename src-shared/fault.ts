/**
 * What can go wrong on the way to a service, as plain data that crosses IPC. Decisions look at `code` alone; the
 * service's own words are for people. The list is closed: a new code makes the compiler ask every decision for its case.
 */
export const faultCodes = [
  'offline', // the offline switch is on, or there is no network: nothing was sent
  'unreachable', // connection refused, DNS, TLS: nothing was committed
  'answerLost', // sent, but the answer never came or was cut: the outcome is unknown
  'aborted', // cancelled on this side
  'signInExpired', // 401: the queue freezes until the person signs in again
  'forbidden', // no right to do this
  'rateLimited', // wait and try again (429, 403 with a rate reason)
  'quotaSpent', // stop until the quota renews
  'unavailable', // 5xx: wait and try again
  'notFound', // 404
  'gone', // 410 on a resource: it is already deleted
  'cursorExpired', // 410 on a list: start over without the token
  'preconditionFailed', // 412: the record moved
  'duplicate', // 409: the id is taken
  'conflict', // 409: simultaneous writes, read and try again
  'invalid', // 400: the service refuses this content
  'badAnswer', // an answer that is not what the table says (HTML, cut JSON, wrong shape)
  'storage', // this computer could not keep it (disk full, database closed)
] as const

export type FaultCode = (typeof faultCodes)[number]

export interface Fault {
  readonly code: FaultCode
  /** One sentence for people: the service's words where it gave any. */
  readonly message: string
  readonly status?: number
  /** The service's own reason, for example `rateLimitExceeded`. */
  readonly reason?: string
  /** The parameter, header or field that the service blames. */
  readonly location?: string
  readonly operation?: string
  /** Milliseconds the service asked us to wait. */
  readonly retryAfter?: number
}

export class FaultError extends Error {
  readonly fault: Fault
  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.message, options)
    this.name = 'FaultError'
    this.fault = fault
  }
}

export function faultOf(error: unknown): Fault {
  if (error instanceof FaultError) return error.fault
  return { code: 'badAnswer', message: error instanceof Error ? error.message : String(error) }
}

/** Whether waiting and sending the same thing again can help. */
export const transient: Record<FaultCode, boolean> = {
  offline: true,
  unreachable: true,
  answerLost: true,
  aborted: true,
  signInExpired: false,
  forbidden: false,
  rateLimited: true,
  quotaSpent: true,
  unavailable: true,
  notFound: false,
  gone: false,
  cursorExpired: false,
  preconditionFailed: false,
  duplicate: false,
  conflict: true,
  invalid: false,
  badAnswer: true,
  storage: true,
}
