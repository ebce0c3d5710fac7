/**
 * Everything that can go wrong on the way to a service, as plain data for IPC. Decisions depend only on `code`. The
 * service's own text is for display. The list is closed: a new code makes the compiler check every decision.
 */
export const faultCodes = [
  'offline', // offline mode, or no network: nothing was sent
  'unreachable', // connection refused, DNS, TLS: nothing was committed
  'answerLost', // sent, but the response never arrived or was cut off: the outcome is unknown
  'aborted', // canceled on this side
  'signInExpired', // 401: the queue freezes until the user signs in again
  'forbidden', // no right to do this
  'rateLimited', // wait and try again (429, 403 with a rate reason)
  'quotaSpent', // stop until the quota renews
  'limitReached', // too many records there, or too many at a time: try again a few times, then ask
  'unavailable', // 5xx: wait and try again
  'notFound', // 404
  'gone', // 410 on a resource: it is already deleted
  'cursorExpired', // 410 on a list: start over without the token
  'preconditionFailed', // 412: the record moved
  'duplicate', // 409: the ID is taken
  'conflict', // 409: simultaneous writes, read and try again
  'invalid', // 400: the service rejects this content
  'badAnswer', // a response that doesn't match the table (HTML, truncated JSON, wrong shape)
  'storage', // this computer couldn't save it (disk full, database closed)
  'mistake', // a bug of ours: nothing was sent, and a retry would fail again
] as const

export type FaultCode = (typeof faultCodes)[number]

/** The service's answer about one part of a batch. */
export interface FaultPart {
  readonly message: string
  readonly reason?: string
  readonly location?: string
}

export interface Fault {
  readonly code: FaultCode
  /** One sentence for users, in the service's words if available. */
  readonly message: string
  readonly status?: number
  /** The service's own reason, for example `rateLimitExceeded`. */
  readonly reason?: string
  /** The parameter, header or field that the service blames. */
  readonly location?: string
  readonly operation?: string
  /** Individual errors that the service reported, with what they concern. */
  readonly parts?: readonly FaultPart[]
  /** Delay that the service requested, in milliseconds. */
  readonly retryAfter?: number
}

/** A message that another sentence may follow. Services end theirs with a period or without. */
export const asSentence = (message: string): string => (/[.!?…]$/.test(message) ? message : `${message}.`)

export class FaultError extends Error {
  readonly fault: Fault
  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.message, options)
    this.name = 'FaultError'
    this.fault = fault
  }
}

/** Converts a thrown error to a fault. An error that isn't a fault is a bug of ours. */
export function faultOf(error: unknown): Fault {
  if (error instanceof FaultError) return error.fault
  return { code: 'mistake', message: error instanceof Error ? error.message : String(error) }
}

export interface FaultMeaning {
  /** True if repeating the same request can help. */
  retry: boolean
  /** Scope of the fault: this entry, everything for this service, or all requests. */
  concerns: 'entry' | 'service' | 'everything'
  /** True if a failed write may have been committed. */
  mayHaveArrived: boolean
}

const helpless: FaultMeaning = { retry: false, concerns: 'entry', mayHaveArrived: false }

/** Meaning of each fault for all decisions. A server error may concern a single record: see the lane. */
export const faults: Readonly<Record<FaultCode, FaultMeaning>> = {
  offline: { retry: true, concerns: 'everything', mayHaveArrived: false },
  unreachable: { retry: true, concerns: 'service', mayHaveArrived: false },
  answerLost: { retry: true, concerns: 'entry', mayHaveArrived: true },
  aborted: { retry: true, concerns: 'entry', mayHaveArrived: true },
  signInExpired: { retry: false, concerns: 'service', mayHaveArrived: false },
  forbidden: helpless,
  rateLimited: { retry: true, concerns: 'service', mayHaveArrived: false },
  quotaSpent: { retry: true, concerns: 'service', mayHaveArrived: false },
  limitReached: { retry: true, concerns: 'entry', mayHaveArrived: false },
  unavailable: { retry: true, concerns: 'entry', mayHaveArrived: true },
  notFound: helpless,
  gone: helpless,
  cursorExpired: helpless,
  preconditionFailed: helpless,
  duplicate: helpless,
  conflict: { retry: true, concerns: 'entry', mayHaveArrived: false },
  invalid: helpless,
  badAnswer: { retry: true, concerns: 'entry', mayHaveArrived: true },
  storage: { retry: true, concerns: 'everything', mayHaveArrived: false },
  mistake: helpless,
}
