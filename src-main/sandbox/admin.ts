import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { operation, operationIds, type OperationId } from '#shared/wire/services'
import { parseBody } from './bodies'
import { syncEpochKey } from './cursors'
import { execute } from './execute'
import type { RequestLog } from './log'
import type { Handlers, Service } from './operation'
import type { Bearers } from './oauth/bearers'
import { people, personById } from './people'
import { Problem, invalid, notFound, problemBody } from './problems'
import { queryOf } from './parameters'
import { orderRuns } from './reporting/orders'
import { dumpState } from './state'
import { loadTrafficking } from './trafficking/load'
import type { Trouble, Troubles } from './trouble'
import { Conferences } from './calendar/conferences'

export interface AdminContext {
  service: Service
  handlers: Handlers
  bearers: Bearers
  troubles: Troubles
  log: RequestLog
  reset(seed: 'demo' | 'empty', scale: number): Record<string, string>
}

/** Handles a request under the admin path (see this folder's README). Undefined for an unknown path. */
export function answerAdmin(
  context: AdminContext,
  method: string,
  path: string,
  query: URLSearchParams,
  text: string,
): Json | undefined {
  const { service, bearers, troubles, log } = context
  const { store } = service
  const you = people[0]!
  const body = parseBody(text)
  const personal = /^\/as\/([\w-]+)$/.exec(path)
  if (personal && method === 'POST') return runAs(context, personal[1]!, body)
  switch (`${method} ${path}`) {
    case 'POST /trouble':
      troubles.order(readTrouble(body))
      return { pending: troubles.pending.length }
    case 'GET /trouble':
      return { pending: troubles.pending.map((trouble) => ({ ...trouble })) as Json }
    case 'DELETE /trouble':
      troubles.clear()
      return { pending: 0 }
    case 'POST /quota':
      troubles.quota = { perMinute: positive(body, 'perMinute'), perDay: positive(body, 'perDay') }
      return { ...troubles.quota }
    case 'POST /expire-sync-tokens':
      expireSyncTokens(service)
      return {}
    case 'POST /expire-bearer':
      bearers.expire(you)
      return {}
    case 'POST /renew-bearer':
      return { token: bearers.renew(you) }
    case 'POST /sign-in':
      bearers.signIns.accessSeconds = positive(body, 'accessSeconds') ?? bearers.signIns.accessSeconds
      return { accessSeconds: bearers.signIns.accessSeconds }
    case 'POST /revoke-sign-ins': {
      const person = body.person === undefined ? undefined : personById(String(body.person))
      if (body.person !== undefined && !person) throw notFound(`No such person: ${String(body.person)}`)
      return { revoked: bearers.signIns.revokeAll(person) }
    }
    case 'POST /reports':
      return { ...orderRuns(store, body) }
    case 'GET /people':
      return { people: people.map((person) => ({ ...person, token: bearers.tokenOf(person) })) }
    case 'GET /log':
      return { entries: log.since(Number(query.get('since') ?? 0)).map((entry) => ({ ...entry })) as Json }
    case 'GET /state':
      return dumpState(service, personById(query.get('person') ?? 'you') ?? you)
    case 'GET /mails':
      return { mails: store.all<JsonObject>('SELECT * FROM mails ORDER BY number') }
    case 'POST /load':
      return loadTrafficking(service, body)
    case 'POST /reset': {
      const seed = body.seed ?? 'demo'
      if (seed !== 'demo' && seed !== 'empty') throw invalid('seed must be demo or empty', 'seed')
      expireSyncTokens(service)
      return { ids: context.reset(seed, positive(body, 'scale') ?? 1) }
    }
    default:
      return undefined
  }
}

function expireSyncTokens({ store }: Service): void {
  store.setMeta(syncEpochKey, String(Number(store.meta(syncEpochKey) ?? 0) + 1))
}

function positive(body: JsonObject, name: string): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !(value > 0)) throw invalid(`${name} must be a number above 0`, name)
  return value
}

function readTrouble(body: JsonObject): Trouble {
  const { operation: id = '*', count = 1, drop, reason, half, html } = body
  if (typeof id !== 'string') throw invalid('operation must be an operation id, a prefix of one, or *', 'operation')
  if (id !== '*' && !operationIds.some((known) => known.startsWith(id)))
    throw invalid(`No such operation: ${id}`, 'operation')
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1)
    throw invalid('count must be a whole number above 0', 'count')
  if (drop !== undefined && drop !== 'before' && drop !== 'after') throw invalid('drop must be before or after', 'drop')
  if (reason !== undefined && typeof reason !== 'string') throw invalid('reason must be text', 'reason')
  const status = positive(body, 'status')
  if (status !== undefined && (status < 400 || status > 599)) throw invalid('status must be 400 to 599', 'status')
  return {
    operation: id,
    count,
    latencyMs: positive(body, 'latencyMs'),
    status,
    reason,
    retryAfter: positive(body, 'retryAfter'),
    drop,
    half: half === true,
    html: html === true,
  }
}

/** Runs an operation as another person, as if that person had called it now. */
function runAs(context: AdminContext, personId: string, body: JsonObject): Json {
  const person = personById(personId)
  if (!person) throw notFound(`No such person: ${personId}`)
  const id = body.operation
  if (typeof id !== 'string' || !operationIds.includes(id as OperationId))
    throw invalid('No such operation', 'operation')
  const { service, method } = operation(id as OperationId)
  const params = isJsonObject(body.params) ? body.params : {}
  const path: Record<string, string> = {}
  const rest: JsonObject = {}
  for (const [name, value] of Object.entries(params)) {
    if (method.pathParams[name]) path[name] = String(value)
    else rest[name] = value
  }
  for (const name of Object.keys(method.pathParams)) if (!path[name]) throw invalid(`Missing ${name}`, name)
  try {
    context.service.of(Conferences).settleDue()
    const answer = execute(context.service, context.handlers, {
      id: id as OperationId,
      person,
      path,
      query: queryOf(rest),
      body: isJsonObject(body.body) ? body.body : {},
      ifMatch: typeof body.ifMatch === 'string' ? body.ifMatch : undefined,
    })
    return { status: answer.status, body: answer.body ?? null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { status: error.status, body: problemBody(error, service) }
  }
}
