import { Readable } from 'node:stream'
import { Hono, type Context } from 'hono'
import { getPath } from 'hono/utils/url'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Json, JsonObject } from '#shared/json'
import { serviceNames, tableOf, versionsOf, type OperationId, type ServiceName } from '#shared/wire/services'
import type { Method, ServiceTable } from '#shared/wire/table'
import { translateBody, translatePath, translateQuery, type Vocabulary } from '#shared/wire/vocabulary'
import { batchAnswer, batchedCalls, type BatchedCall } from './batch'
import { parseBody } from './bodies'
import { unpackedBody } from './compression'
import { execute, serviceOfPath, type Answer } from './execute'
import { guardBearer } from './guards'
import { checkWordsOfQuery, foreignField, unknownField } from './foreign-words'
import type { RequestLog } from './log'
import type { Handlers, Media, Person, Service } from './operation'
import type { Bearers } from './oauth/bearers'
import { addOAuth } from './oauth/routes'
import { people } from './people'
import { readRange } from './ranges'
import { Problem, badRequest, notFound, problemBody } from './problems'
import type { Trouble, Troubles } from './trouble'
import type { Received } from './uploads'
import { Conferences } from './calendar/conferences'
import { Uploads } from './uploads'

export interface RouterContext {
  service: Service
  handlers: Handlers
  bearers: Bearers
  /** True if apps can sign in to it in a browser. */
  signIn: boolean
  troubles: Troubles
  log: RequestLog
  /** Handles the admin path. Undefined for an unknown path. */
  admin(method: string, path: string, query: URLSearchParams, body: string): Json | undefined
}

type Env = { Bindings: HttpBindings }

export const adminPath = '/sandbox/v1'
const bodyLimit = 10 * 1024 * 1024

/** Every row of the wire tables as a route. @throws Error when an operation has no handler. */
export function createRouter(context: RouterContext): Hono<Env> {
  // An at sign in an address may be encoded, even where it isn't part of a parameter: `users/@me`.
  const router = new Hono<Env>({ getPath: (request) => getPath(request).replaceAll('%40', '@') })
  const methodsOf = new Map<string, { service: ServiceName; methods: string[] }>()
  for (const service of serviceNames) {
    for (const table of versionsOf(service).map((version) => tableOf(service, version))) {
      for (const method of table.methods) {
        if (!context.handlers[method.id as OperationId]) throw new Error(`No handler for ${method.id}`)
        for (const path of routesOf(method, context.service.vocabulary)) {
          router.on(method.httpMethod, path, (c) => answer(context, c, { service, table, method }))
          const known = methodsOf.get(path) ?? { service, methods: [] }
          methodsOf.set(path, { ...known, methods: [...known.methods, method.httpMethod] })
        }
        const upload = method.upload && placesOf(translatePath(method.upload.simple.path, context.service.vocabulary))
        if (upload) {
          router.on(method.httpMethod, upload, (c) => answer(context, c, { service, table, method, upload: true }))
          methodsOf.set(upload, { service, methods: [method.httpMethod] })
        }
      }
    }
  }
  for (const [path, { service, methods }] of methodsOf) {
    router.all(path, (c) =>
      refused(
        context,
        c,
        service,
        new Problem(405, 'httpMethodNotAllowed', 'Method Not Allowed', {
          headers: { Allow: methods.sort().join(', ') },
        }),
      ),
    )
  }
  if (context.signIn)
    addOAuth(router, {
      bearers: context.bearers,
      log: context.log,
      vocabulary: context.service.vocabulary,
      now: () => context.service.store.now,
    })
  router.post('/batch/:service/:version', (c) => answerBatch(c, router))
  router.all(`${adminPath}/*`, (c) => answerAdmin(context, c))
  router.notFound((c) => refused(context, c, serviceOfPath(c.req.path), notFound()))
  router.onError((error, c) => problemAnswer(c, serviceOfPath(c.req.path), asProblem(error)))
  return router
}

/** The token of a call may also be in its query (RFC 6750, section 2.3). */
function authorizationOf(c: Context<Env>): string | undefined {
  const token = c.req.query('access_token') ?? c.req.query('oauth_token')
  return c.req.header('authorization') ?? (token && `Bearer ${token}`)
}

interface Row {
  service: ServiceName
  table: ServiceTable
  method: Method
  /** True if the body is a file, with or without metadata. */
  upload?: boolean
}

/** Path in the router's syntax: `:name` instead of `{name}`. */
const placesOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** The addresses of an operation: downloads also under `/download`, as the public services have them. */
function routesOf(method: Method, vocabulary: Vocabulary): string[] {
  const path = placesOf(translatePath(method.path, vocabulary))
  return method.download ? [path, `/download${path}`] : [path]
}

async function answer(
  context: RouterContext,
  c: Context<Env>,
  { service, table, method, upload }: Row,
): Promise<Response> {
  const { store, vocabulary } = context.service
  const id = method.id as OperationId
  let person: Person | undefined
  let trouble: Trouble | undefined
  let response: Response
  let received: Received | undefined
  try {
    person = method.scopes?.length
      ? guardBearer(authorizationOf(c), context.bearers, { scopes: method.scopes })
      : people[0]!
    if (upload)
      received = await context.service
        .of(Uploads)
        .receive(c.env.incoming, c.req.query('uploadType'), method.upload!.maxBytes)
    const text = received ? received.json : await readText(c)
    trouble = context.troubles.next(id)
    if (trouble?.latencyMs) await new Promise((resolve) => setTimeout(resolve, trouble!.latencyMs))
    if (trouble?.drop === 'before') return logged(context, c, id, person, dropped(c), trouble)
    if (trouble?.html) return logged(context, c, id, person, c.html(portalPage), trouble)
    if (trouble?.status) throw troubleProblem(trouble)
    spendQuota(context, c.req.method, person, store.now)
    const query = new URL(c.req.url).searchParams
    const given = parseBody(text)
    const said = vocabulary === 'public'
    const body = said && method.request ? neutralBody(table, method.request, given) : given
    if (said) checkWordsOfQuery(method, query)
    const request = {
      id,
      versions: { [service]: table.version },
      person,
      path: c.req.param() as Record<string, string>,
      query: said ? new URLSearchParams(translateQuery(method, query, 'neutral')) : query,
      body,
      upload: received?.upload,
      ifMatch: c.req.header('if-match'),
      ifNoneMatch: c.req.header('if-none-match'),
    }
    context.service.of(Conferences).settleDue()
    const result = execute(context.service, context.handlers, request)
    if (trouble?.drop === 'after') return logged(context, c, id, person, dropped(c), trouble)
    if (said && method.response && result.body)
      result.body = translateBody(table, method.response, result.body, 'public') as JsonObject
    if (trouble?.half) return logged(context, c, id, person, halved(c, result), trouble)
    response = written(c, result)
  } catch (error) {
    response = problemAnswer(c, service, asProblem(error), vocabulary)
  } finally {
    received?.end()
  }
  return logged(context, c, id, person, response, trouble)
}

/**
 * Translates a body from public to neutral naming.
 * @throws Problem 400 for a name that isn't public
 */
function neutralBody(table: ServiceTable, schema: string, given: JsonObject): JsonObject {
  const body = translateBody(table, schema, given, 'neutral') as JsonObject
  // The calendar service ignores unknown fields.
  const foreign = table.service !== 'calendar' && foreignField(given, translateBody(table, schema, body, 'public'))
  if (foreign) throw unknownField(foreign)
  return body
}

function refused(
  context: RouterContext,
  c: Context<Env>,
  service: ServiceName | undefined,
  problem: Problem,
): Response {
  let response: Response
  try {
    guardBearer(authorizationOf(c), context.bearers)
    response = problemAnswer(c, service, problem)
  } catch (error) {
    response = problemAnswer(c, service, asProblem(error))
  }
  return logged(context, c, undefined, undefined, response)
}

/** Maximum number of calls in a batch. */
const batchLimits: Partial<Record<ServiceName, number>> = { calendar: 50 }
const usualBatchLimit = 1000

/** Answers the calls of a batch one after another, each with its own status. */
async function answerBatch(c: Context<Env>, router: Hono<Env>): Promise<Response> {
  const service = serviceOfPath(`${c.req.path.slice('/batch'.length)}/`)
  try {
    if (!service) throw notFound()
    const calls = batchedCalls(c.req.header('content-type') ?? '', await readText(c))
    const limit = batchLimits[service] ?? usualBatchLimit
    if (calls.length > limit) throw badRequest(`A batch has at most ${limit} calls.`)
    const answers: [BatchedCall, Response][] = []
    for (const call of calls) {
      const response = await answerCall(c, router, service, call)
      // A simulated connection error in one call ends the whole connection.
      if (response === RESPONSE_ALREADY_SENT) return response
      answers.push([call, response])
    }
    return await batchAnswer(answers)
  } catch (error) {
    return problemAnswer(c, service, asProblem(error))
  }
}

async function answerCall(
  c: Context<Env>,
  router: Hono<Env>,
  service: ServiceName,
  { method, target, headers: own, body }: BatchedCall,
): Promise<Response> {
  const url = URL.canParse(target, c.req.url) ? new URL(target, c.req.url) : undefined
  if (!url || serviceOfPath(url.pathname) !== service)
    return problemAnswer(c, service, badRequest('A batch takes calls of its own service only, without uploads.'))
  const authorization = c.req.header('authorization')
  const headers = { ...(authorization !== undefined && { authorization }), ...own }
  // Handlers read the body from here.
  const incoming = Object.assign(Readable.from(body === '' ? [] : [Buffer.from(body)]), {
    headers,
    socket: c.env.incoming.socket,
  })
  const env = { ...c.env, incoming: incoming as unknown as HttpBindings['incoming'] }
  let request: Request
  try {
    request = new Request(new URL(url.pathname + url.search, c.req.url), { method, headers })
  } catch {
    return problemAnswer(c, service, badRequest('A call of the batch has an invalid method or header.'))
  }
  return router.fetch(request, env)
}

async function answerAdmin(context: RouterContext, c: Context<Env>): Promise<Response> {
  try {
    guardBearer(c.req.header('authorization'), context.bearers, { admin: true })
    const body = await readText(c)
    const path = c.req.path.slice(adminPath.length)
    const result = context.admin(c.req.method, path, new URL(c.req.url).searchParams, body)
    if (result === undefined) throw notFound()
    return c.body(JSON.stringify(result), 200, jsonType)
  } catch (error) {
    return problemAnswer(c, undefined, asProblem(error))
  }
}

/**
 * Reads the body as text.
 * @throws Problem 413, 415 for an unknown compression, or 400 `parseError` for invalid UTF-8, which couldn't be stored intact
 */
async function readText(c: Context<Env>): Promise<string> {
  const { incoming } = c.env
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return ''
  const tooLarge = (): Problem => new Problem(413, 'uploadTooLarge', 'Request Too Large')
  if (Number(incoming.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of unpackedBody(incoming)) {
    size += chunk.length
    if (size > bodyLimit) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new Problem(400, 'parseError', 'Parse Error')
  }
}

const jsonType = {
  'Content-Type': 'application/json; charset=UTF-8',
  'Cache-Control': 'private, max-age=0, must-revalidate',
}
const portalPage =
  '<!doctype html><html><head><title>Welcome</title></head><body><h1>Please sign in to this network</h1></body></html>'

/** Formats responses readably unless the call disables that. */
const textOf = (c: Context<Env>, body: JsonObject): string =>
  JSON.stringify(body, null, c.req.query('prettyPrint') === 'false' ? undefined : 1)

function written(c: Context<Env>, answer: Answer): Response {
  if (answer.media) return download(c, answer.media)
  const headers: Record<string, string> = answer.etag ? { ETag: answer.etag } : {}
  if (answer.body === undefined) return c.body(null, answer.status as 204, headers)
  return c.body(textOf(c, answer.body), 200, { ...jsonType, ...headers })
}

/** Sends a file, complete or a single requested range (RFC 9110, section 14). */
function download(c: Context<Env>, { bytes, contentType, fileName, etag }: Media): Response {
  const headers: Record<string, string> = { 'Content-Type': contentType, 'Accept-Ranges': 'bytes' }
  if (etag) headers.ETag = etag
  if (fileName) headers['Content-Disposition'] = `attachment; filename="${fileName.replace(/[^\w .-]/g, '_')}"`
  const condition = c.req.header('if-range')
  const range =
    condition === undefined || condition === etag ? readRange(c.req.header('range'), bytes.length) : undefined
  if (range === 'unsatisfiable') return c.body(null, 416, { ...headers, 'Content-Range': `bytes */${bytes.length}` })
  if (!range) return c.body(new Uint8Array(bytes), 200, headers)
  headers['Content-Range'] = `bytes ${range.first}-${range.last}/${bytes.length}`
  return c.body(new Uint8Array(bytes.subarray(range.first, range.last + 1)), 206, headers)
}

function problemAnswer(
  c: Context<Env>,
  service: ServiceName | undefined,
  problem: Problem,
  vocabulary?: Vocabulary,
): Response {
  const headers: Record<string, string> = { ...jsonType, ...problem.blame.headers }
  // The rest of an oversized body isn't read, so the connection can't be reused.
  if (problem.status === 413) headers.Connection = 'close'
  return c.body(textOf(c, problemBody(problem, service, vocabulary)), problem.status as 400, headers)
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(500, 'backendError', error instanceof Error ? `Backend Error: ${error.message}` : 'Backend Error')
}

function troubleProblem(trouble: Trouble): Problem {
  const { status = 503, retryAfter } = trouble
  const reason =
    trouble.reason ?? (status >= 500 ? 'backendError' : status === 429 ? 'rateLimitExceeded' : 'badRequest')
  const domain = /limit|quota/i.test(reason) ? 'usageLimits' : 'global'
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) }
  return new Problem(status, reason, `Simulated error: ${reason}`, { domain, headers })
}

function spendQuota(context: RouterContext, method: string, person: Person, now: number): void {
  const spent = context.troubles.spend(person.id, method === 'PATCH' ? 3 : 1, now)
  if (spent === 'minute')
    throw new Problem(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded', { domain: 'usageLimits' })
  if (spent === 'day') throw new Problem(403, 'dailyLimitExceeded', 'Daily Limit Exceeded', { domain: 'usageLimits' })
}

function dropped(c: Context<Env>): Response {
  c.env.incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}

function halved(c: Context<Env>, answer: Answer): Response {
  const { outgoing, incoming } = c.env
  const bytes = Buffer.from(answer.media?.bytes ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)))
  outgoing.writeHead(answer.status, { ...jsonType, 'Content-Length': Math.max(bytes.length, 2) })
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => incoming.socket.destroy())
  return RESPONSE_ALREADY_SENT
}

function logged(
  context: RouterContext,
  c: Context<Env>,
  operation: string | undefined,
  person: Person | undefined,
  response: Response,
  trouble?: Trouble,
): Response {
  const requestId = c.req.header('x-request-id') ?? context.log.nextId()
  const happened =
    trouble && (trouble.drop ? `drop ${trouble.drop}` : trouble.half ? 'half' : trouble.html ? 'html' : undefined)
  context.log.add({
    time: context.service.store.now,
    method: c.req.method,
    path: c.req.path,
    operation,
    person: person?.id,
    status: response === RESPONSE_ALREADY_SENT ? 0 : response.status,
    requestId,
    trouble: happened,
  })
  if (response !== RESPONSE_ALREADY_SENT) response.headers.set('X-Request-Id', requestId)
  return response
}
