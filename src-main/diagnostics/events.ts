import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { faultCodes } from '#shared/fault'
import { requests, type RequestName } from '#shared/ipc/contract'
import { serviceNames } from '#shared/wire/services'

const names = <T extends string>(list: readonly string[]): z.ZodEnum<Record<T, T>> =>
  z.enum(list as [T, ...T[]]) as never
const count = z.number().int().min(0).max(1_000_000_000)
/** Words that Electron and Node define, such as `oom` or `linux`. */
const word = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/)
const version = z.string().regex(/^\d{1,5}(\.\d{1,5}){0,3}(-[a-z]{1,10}(\.\d{1,5})?)?$/)
const service = names(serviceNames)
const code = z.enum(faultCodes)
const status = z.number().int().min(100).max(599)
/** System errors such as `ENOSPC`, and reasons that decide the meaning of an error. Other reasons are a service’s own text. */
const reason = z.union([
  z.string().regex(/^E[A-Z]{2,15}$/),
  z.enum([
    'rateLimitExceeded',
    'userRateLimitExceeded',
    'quotaExceeded',
    'dailyLimitExceeded',
    'insufficientPermissions',
    'fullSyncRequired',
    'conditionNotMet',
    'backendError',
    'authError',
    'QuotaExceededError',
    'VersionError',
  ]),
])
const maybeTrouble = { code: code.optional(), status: status.optional(), reason: reason.optional() }
/** Position of the account in the list: neither its ID nor its name. */
const account = count

/**
 * Everything that the log can contain. Each value is a number or comes from a closed list, so titles, addresses, and tokens
 * don’t fit.
 */
export const eventSchema = z.discriminatedUnion('what', [
  z.strictObject({
    what: z.literal('start'),
    version,
    electron: version.optional(),
    platform: word,
    arch: word,
    safeMode: z.boolean(),
  }),
  z.strictObject({
    what: z.literal('account'),
    account,
    kind: z.enum(['sandbox', 'service']),
    services: z.array(service),
    signIn: z.enum(['in', 'out', 'expired']),
  }),
  z.strictObject({ what: z.literal('journal'), pending: count, unknown: count, damaged: count }),
  /** The result of checking a service for changes, when it differs from the last one. */
  z.strictObject({ what: z.literal('pull'), account, service, ok: z.boolean(), ...maybeTrouble }),
  z.strictObject({
    what: z.literal('push'),
    account,
    service,
    outcome: z.enum(['confirmed', 'merged', 'conflict', 'refused', 'retry', 'frozen']),
    ...maybeTrouble,
  }),
  z.strictObject({
    what: z.literal('request'),
    request: names<RequestName>(Object.keys(requests)),
    ...maybeTrouble,
  }),
  z.strictObject({
    what: z.literal('error'),
    where: z.enum(['main', 'window']),
    name: z.string().regex(/^[A-Z][A-Za-z]{0,30}(Error|Exception|Failure)$|^Error$/),
    frames: z.array(z.string().regex(/^[\w-]{1,60}\.(cjs|mjs|js|ts):\d{1,9}:\d{1,9}$/)).max(8),
  }),
  z.strictObject({
    what: z.literal('window'),
    happened: z.enum(['crashed', 'hung', 'gave up']),
    reason: word.optional(),
  }),
  z.strictObject({ what: z.literal('helper process'), type: word, reason: word }),
  z.strictObject({ what: z.literal('offline mode'), on: z.boolean() }),
  z.strictObject({
    what: z.literal('backup'),
    ok: z.boolean(),
    code: z
      .string()
      .regex(/^E[A-Z]{2,15}$/)
      .optional(),
  }),
  z.strictObject({
    what: z.literal('update'),
    happened: z.enum(['ready', 'failed', 'installed', 'deferred']),
    code: code.optional(),
  }),
  z.strictObject({ what: z.literal('resume') }),
  z.strictObject({ what: z.literal('quit') }),
])

export type LogEvent = z.output<typeof eventSchema>

/** Loggable parts of an unexpected error: its kind, and places in the app’s own scripts. */
export function errorEvent(where: 'main' | 'window', error: { name?: unknown; stack?: unknown }): LogEvent {
  const stack = typeof error.stack === 'string' ? error.stack.slice(0, 20_000) : ''
  const frames = [...stack.matchAll(/^\s+at .*?([\w-]+\.(?:cjs|mjs|js|ts):\d+:\d+)\)?$/gm)].map(([, at]) => at!)
  const event = { what: 'error', where, name: error.name, frames: frames.slice(0, 8) }
  const fits = safeParse(eventSchema, event)
  return fits.success ? fits.data : { what: 'error', where, name: 'Error', frames: [] }
}

/** The parts of a fault that may be logged. */
export function troubleOf(fault: {
  code: z.output<typeof code>
  status?: number | undefined
  reason?: string | undefined
}): {
  code: z.output<typeof code>
  status?: number
  reason?: z.output<typeof reason>
} {
  const known = safeParse(reason, fault.reason)
  const inRange = safeParse(status, fault.status)
  return {
    code: fault.code,
    ...(inRange.success && { status: inRange.data }),
    ...(known.success && { reason: known.data }),
  }
}
