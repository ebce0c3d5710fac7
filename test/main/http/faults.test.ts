import { describe, expect, it } from 'vitest'
import type { Fault } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { faultOfAnswer } from '../../../src-main/http/faults'

const fault = (status: number, body: JsonObject | string, headers: Record<string, string> = {}): Fault =>
  faultOfAnswer(
    'x',
    { status, headers: new Headers(headers), text: typeof body === 'string' ? body : JSON.stringify(body) },
    0,
  )
const type = (name: string): string => `type.googleapis.com/google.rpc.${name}`
const info = (reason: string, metadata: JsonObject = {}): JsonObject => ({
  '@type': type('ErrorInfo'),
  reason,
  domain: 'services.example',
  metadata,
})
const newer = (status: number, name: string, ...details: JsonObject[]): Fault =>
  fault(status, { error: { code: status, message: 'words', status: name, details } })
const older = (status: number, reason: string, more: JsonObject = {}): Fault =>
  fault(status, { error: { code: status, errors: [{ domain: 'global', reason, message: 'words', ...more }] } })

describe('the newer error format', () => {
  it.each([
    [400, 'INVALID_ARGUMENT', 'invalid'],
    [400, 'FAILED_PRECONDITION', 'invalid'],
    [401, 'UNAUTHENTICATED', 'signInExpired'],
    [403, 'PERMISSION_DENIED', 'forbidden'],
    [403, 'RESOURCE_EXHAUSTED', 'rateLimited'],
    [404, 'NOT_FOUND', 'notFound'],
    [409, 'ABORTED', 'conflict'],
    [409, 'ALREADY_EXISTS', 'duplicate'],
    [412, 'FAILED_PRECONDITION', 'preconditionFailed'],
    [429, 'RESOURCE_EXHAUSTED', 'rateLimited'],
    [500, 'INTERNAL', 'unavailable'],
    [500, 'NOT_FOUND', 'unavailable'],
    [503, 'UNAVAILABLE', 'unavailable'],
    [503, 'RESOURCE_EXHAUSTED', 'rateLimited'],
    [504, 'DEADLINE_EXCEEDED', 'unavailable'],
  ] as const)('maps %i %s to %s', (status, name, code) => {
    expect(newer(status, name)).toMatchObject({ code, message: 'words', reason: name })
  })

  it('prefers the detailed reason over the status, also for 403', () => {
    expect(newer(403, 'PERMISSION_DENIED', info('RATE_LIMIT_EXCEEDED'))).toMatchObject({
      code: 'rateLimited',
      reason: 'RATE_LIMIT_EXCEEDED',
    })
    expect(newer(403, 'PERMISSION_DENIED', info('ACCESS_TOKEN_SCOPE_INSUFFICIENT')).code).toBe('forbidden')
    expect(newer(401, 'UNAUTHENTICATED', info('ACCESS_TOKEN_EXPIRED')).code).toBe('signInExpired')
  })

  it.each<[string, JsonObject]>([
    ["the limit's unit", info('RATE_LIMIT_EXCEEDED', { quota_unit: '1/d/{project}' })],
    ["the limit's name", info('RATE_LIMIT_EXCEEDED', { quota_limit: 'QueriesPerDayPerProject' })],
    [
      'a violated quota',
      { '@type': type('QuotaFailure'), violations: [{ subject: 'x', description: 'calls per day' }] },
    ],
  ])('detects a daily limit by %s', (_name, detail) => {
    expect(newer(429, 'RESOURCE_EXHAUSTED', detail).code).toBe('quotaSpent')
    const minute = info('RATE_LIMIT_EXCEEDED', { quota_unit: '1/min/{project}', quota_limit: 'PerMinutePerUser' })
    expect(newer(429, 'RESOURCE_EXHAUSTED', minute).code).toBe('rateLimited')
  })

  it('has the retry delay and the field at fault', () => {
    const delay = (retryDelay: string): JsonObject => ({ '@type': type('RetryInfo'), retryDelay })
    expect(newer(429, 'RESOURCE_EXHAUSTED', delay('12s')).retryAfter).toBe(12_000)
    expect(newer(429, 'RESOURCE_EXHAUSTED', delay('0.25s')).retryAfter).toBe(250)
    expect(newer(429, 'RESOURCE_EXHAUSTED', delay('999999999s')).retryAfter).toBe(86_400_000)
    for (const nonsense of ['soon', '-3s', '', '12'])
      expect(newer(429, 'RESOURCE_EXHAUSTED', delay(nonsense)).retryAfter).toBeUndefined()
    const fields = { '@type': type('BadRequest'), fieldViolations: [{ field: 'due_date', description: 'no date' }] }
    expect(newer(400, 'INVALID_ARGUMENT', fields).location).toBe('dueDate')
    expect(fault(400, { error: { status: 'INVALID_ARGUMENT', details: [fields] } }).message).toBe('no date')
  })

  it('with unexpected types is read as far as possible', () => {
    expect(fault(403, { error: { code: 'x', status: 7, details: [null, 3, { '@type': 5 }] } }).code).toBe('forbidden')
    expect(newer(429, 'RESOURCE_EXHAUSTED', { '@type': type('ErrorInfo'), metadata: 'x' }).code).toBe('rateLimited')
  })
})

describe("a list's invalid page token", () => {
  it.each([
    older(400, 'invalid', { message: 'Invalid sync token value.', locationType: 'parameter', location: 'syncToken' }),
    older(400, 'invalid', { message: 'Invalid page token value.', locationType: 'parameter', location: 'pageToken' }),
    older(400, 'badRequest', { message: 'Sync token is no longer valid, a full sync is required.' }),
    newer(400, 'INVALID_ARGUMENT', { '@type': type('BadRequest'), fieldViolations: [{ field: 'page_token' }] }),
  ])('restarts the list: $message $location', ({ code }) => {
    expect(code).toBe('cursorExpired')
  })

  it("isn't confused with other invalid requests", () => {
    expect(older(400, 'invalid', { location: 'timeMin' }).code).toBe('invalid')
    expect(older(400, 'required', { message: 'Required parameter: calendarId' }).code).toBe('invalid')
  })
})

const page = '<!DOCTYPE html><html><body>Welcome to our hotel</body></html>'

describe('an error in another format', () => {
  it.each([401, 402, 403, 404, 405, 407, 409, 410, 412, 451])('with %i says nothing about a record', (status) => {
    for (const body of [page, '', 'Not Found', '{}', '[]', '{"error":"nope"}', '{"error":null}'])
      expect([body, fault(status, body).code]).toEqual([body, 'badAnswer'])
    expect(fault(status, page).message).toContain('web page')
  })

  it("is understood if it's about waiting or request size", () => {
    expect(fault(400, page).code).toBe('badAnswer')
    expect(fault(302, '').code).toBe('badAnswer')
    expect(fault(413, page).code).toBe('invalid')
    expect(fault(429, page).code).toBe('rateLimited')
    expect(fault(502, page).code).toBe('unavailable')
    expect(fault(503, '', { 'retry-after': '7' })).toMatchObject({ code: 'unavailable', retryAfter: 7_000 })
  })

  it('rejects a token if it has the header of RFC 6750', () => {
    expect(fault(401, '', { 'www-authenticate': 'Bearer error="invalid_token"' }).code).toBe('signInExpired')
    expect(fault(401, page, { 'www-authenticate': 'Basic realm="hotel"' }).code).toBe('badAnswer')
  })
})
