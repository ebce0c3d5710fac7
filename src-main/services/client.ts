import { FaultError, type Fault } from '#shared/fault'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { unitsOf } from '#shared/wire/quotas'
import {
  operation,
  type Operation,
  type OperationId,
  type Operations,
  type ServiceName,
  type Versions,
} from '#shared/wire/services'
import { entrySchemaOf, schemaMismatch, type SchemaMismatch } from '#shared/wire/shape'
import { translateBody, word, type Vocabulary } from '#shared/wire/vocabulary'
import { faultOfAnswer, nonServiceResponse } from '../http/faults'
import { receive, send, type Fetch, type HttpRequest, type HttpResponse } from '../http/send'
import { checkedBaseUrl } from '../http/address'
import { pathAndQuery } from './address'
import { uploadBody, type UploadFile } from './upload'

export interface ClientOptions {
  /** Base address per service, without the service's own path. */
  baseUrl: (service: ServiceName) => string
  /** Versions of services that have several. Default: the newest. */
  versions?: Versions
  /** Vocabulary of the services. Default: `neutral`. */
  vocabulary?: Vocabulary
  /**
   * The current bearer token.
   * @throws FaultError `signInExpired` without one
   */
  token: () => string | Promise<string>
  /**
   * A token newer than the one just rejected.
   * @throws FaultError `signInExpired` if there is none
   */
  renew?: (refused: string) => Promise<string>
  /** Waits until the quota allows a call, see QuotaKeeper. Without it, there are no limits. */
  quota?: {
    take: (service: ServiceName, units: number, signal?: AbortSignal) => Promise<void>
    daySpent: (service: ServiceName) => void
  }
  fetch: Fetch
  now: () => number
}

export interface CallOptions<O extends OperationId = OperationId> {
  body?: Operations[O]['request']
  ifMatch?: string
  ifNoneMatch?: string
  /** A file to upload, for operations that support it. */
  file?: UploadFile
  signal?: AbortSignal
  /** Milliseconds. */
  timeout?: number
}

export interface CallAnswer<T> {
  /** Undefined if the operation has no body, and on 304. */
  body: T
  status: number
  etag?: string
  /**
   * The service's clock when the request was sent, in epoch milliseconds. Subtracts the duration of the request, because a slow
   * service dates an answer long after reading its content.
   */
  date?: number
  /** Invalid list entries, which are left out of `body`. */
  unreadable?: readonly UnreadableEntry[]
}

export interface UnreadableEntry {
  /** ID of the entry, if it has one. */
  id?: string
  /** The field that is wrong. */
  path: string
}

export interface DownloadHead {
  contentType: string
  /** Size of the complete file in bytes, if known. */
  total?: number
  /** True if the response starts at `from`, false if it's the complete file. */
  partial: boolean
  etag?: string
}

export interface DownloadOptions {
  /** First byte, to resume an interrupted download. */
  from?: number
  /** Version of the partial file. If it has changed, the complete file is sent. */
  etag?: string
  signal?: AbortSignal
  /** Maximum time without a byte, in milliseconds. */
  timeout?: number
}

type Params<O extends OperationId> = Operations[O]['params']

export interface Client {
  /** Versions of the services. Defaults to the newest ones. */
  readonly versions: Versions
  /** Calls one operation of the wire tables. @throws FaultError with one of the closed codes. */
  call<O extends OperationId>(
    id: O,
    params: Params<O>,
    options?: CallOptions<O>,
  ): Promise<CallAnswer<Operations[O]['response']>>
  /** The pages of a list operation, one after the other. Stop by leaving the loop. */
  pages<O extends OperationId>(
    id: O,
    params: Params<O>,
    options?: CallOptions<O>,
  ): AsyncGenerator<CallAnswer<Operations[O]['response']>>
  /**
   * Downloads a file.
   * @throws FaultError, including `invalid` if there is no file
   */
  download<O extends OperationId, T>(
    id: O,
    params: Params<O>,
    take: (head: DownloadHead, chunks: AsyncIterable<Uint8Array>) => Promise<T>,
    options?: DownloadOptions,
  ): Promise<T>
}

/** Maximum number of pages of a list. More means an endless loop. */
const maxPages = 2_000

/** Creates a client for every operation in the wire tables. */
export function createClient(options: ClientOptions): Client {
  const { vocabulary = 'neutral' } = options

  /** The request of a row, ready but for the service's address and the token. */
  function requestOf(row: Operation, params: Record<string, unknown>, extra: CallOptions): HttpRequest {
    const { table, method } = row
    const headers: Record<string, string> = { accept: 'application/json' }
    const { path, upload } = pathAndQuery(method, params, vocabulary, extra.file !== undefined)
    if (extra.ifMatch) headers['if-match'] = extra.ifMatch
    if (extra.ifNoneMatch) headers['if-none-match'] = extra.ifNoneMatch
    const given = extra.body as JsonObject | undefined
    const said =
      method.request && given && vocabulary === 'public' ? translateBody(table, method.request, given, 'public') : given
    const request = { method: method.httpMethod, headers, signal: extra.signal, timeout: extra.timeout }
    if (upload && extra.file) {
      const { contentType, body } = uploadBody(said ?? {}, extra.file)
      return { ...request, url: path, headers: { ...headers, 'content-type': contentType }, body }
    }
    if (method.request === undefined || said === undefined) return { ...request, url: path }
    headers['content-type'] = 'application/json; charset=utf-8'
    return { ...request, url: path, body: JSON.stringify(said) }
  }

  /** Sends a request with a token, and again with a newer one if it's rejected. `faultIn` finds the fault in an answer. */
  async function signed<T>(
    { service, method }: Operation,
    request: HttpRequest,
    exchange: (request: HttpRequest) => Promise<T>,
    faultIn: (answer: T) => FaultError | undefined,
  ): Promise<T> {
    const sent = async (token?: string): Promise<T> => {
      const url = checkedBaseUrl(options.baseUrl(service)).href.replace(/\/$/, '') + request.url
      await options.quota?.take(service, unitsOf(service, method.httpMethod), request.signal)
      const headers = token === undefined ? request.headers : { ...request.headers, authorization: `Bearer ${token}` }
      return exchange({ ...request, url, headers })
    }
    if (!method.scopes?.length) return sent()
    // Before the address, because the sandbox may have to start first and has no address until then.
    const token = await options.token()
    const answer = await sent(token)
    const refused = faultIn(answer)?.fault.code === 'signInExpired'
    // A stream can't be sent again, so the caller must retry.
    if (!refused || !options.renew || request.body instanceof ReadableStream) return answer
    return sent(await options.renew(token))
  }

  function faultOf(row: Operation, answer: { status: number; headers: Headers; text: string }): FaultError {
    const fault: Fault = faultOfAnswer(row.method.id, answer, options.now())
    // Other calls don't need the quota of reports.
    if (fault.code === 'quotaSpent' && fault.reason !== 'quotaExceeded') options.quota?.daySpent(row.service)
    if (vocabulary === 'neutral' || fault.location === undefined) return new FaultError(fault)
    const neutral = <T extends { location?: string }>(said: T): T =>
      said.location === undefined ? said : { ...said, location: word(said.location, 'neutral') }
    return new FaultError({ ...neutral(fault), ...(fault.parts && { parts: fault.parts.map(neutral) }) })
  }

  async function call<O extends OperationId>(
    id: O,
    params: Params<O>,
    extra: CallOptions<O> = {},
  ): Promise<CallAnswer<Operations[O]['response']>> {
    const row = operation(id, options.versions)
    const { table, method } = row
    const request = requestOf(row, params as Record<string, unknown>, extra as CallOptions)
    const refusal = (answer: HttpResponse): FaultError | undefined =>
      answer.status === 304 || (answer.status >= 200 && answer.status <= 299) ? undefined : faultOf(row, answer)
    const asked = options.now()
    const answer = await signed(row, request, (ready) => send(options.fetch, ready), refusal)
    const took = Math.max(0, options.now() - asked)
    const fault = refusal(answer)
    if (fault) throw fault
    // The request wasn't conditional. Treating a 304 as an empty list would delete every row.
    if (answer.status === 304 && !extra.ifNoneMatch) {
      throw new FaultError({
        code: 'badAnswer',
        operation: id,
        status: 304,
        message: 'The service returned “not modified” unexpectedly.',
      })
    }
    const etag = answer.headers.get('etag')
    const date = Date.parse(answer.headers.get('date') ?? '') - took
    let body: JsonObject | undefined
    // If no body is expected, a captive portal's page must not pass for a completed deletion.
    const isEmpty = answer.text.trim() === ''
    // A report that is still running may come with this status alone.
    if (answer.status === 202 && isEmpty) body = {}
    else if (answer.status !== 304 && (method.response !== undefined || !isEmpty)) body = parsed(id, answer)
    if (body && method.response !== undefined) {
      if (vocabulary === 'public') body = translateBody(table, method.response, body, 'neutral') as JsonObject
    }
    const { unreadable } = body && method.response !== undefined ? checkShape(row, body) : {}
    return {
      body: body as Operations[O]['response'],
      status: answer.status,
      ...(unreadable && { unreadable }),
      ...(etag === null ? {} : { etag }),
      ...(Number.isNaN(date) ? {} : { date }),
    }
  }

  async function* pages<O extends OperationId>(
    id: O,
    params: Params<O>,
    extra: CallOptions<O> = {},
  ): AsyncGenerator<CallAnswer<Operations[O]['response']>> {
    let pageToken: string | undefined
    const seen = new Set<string>()
    do {
      const page = await call(id, pageToken === undefined ? params : ({ ...params, pageToken } as Params<O>), extra)
      yield page
      const next = (page.body as { nextPageToken?: string } | undefined)?.nextPageToken
      if (next !== undefined && (seen.has(next) || seen.size >= maxPages)) throw repeatsPages(id)
      if (next) seen.add(next)
      pageToken = next === '' ? undefined : next
    } while (pageToken !== undefined)
  }

  async function download<O extends OperationId, T>(
    id: O,
    params: Params<O>,
    take: (head: DownloadHead, chunks: AsyncIterable<Uint8Array>) => Promise<T>,
    extra: DownloadOptions = {},
  ): Promise<T> {
    const row = operation(id, options.versions)
    if (!row.method.download) throw new RangeError(`${id} has no file`)
    const { from = 0, etag, signal, timeout } = extra
    const request = requestOf(row, { ...(params as object), alt: 'media' }, { signal, timeout })
    const rest = from > 0 ? { range: `bytes=${from}-`, ...(etag ? { 'if-range': etag } : {}) } : {}
    // A compressed file has no known size, and its ranges are those of other bytes.
    const headers = { ...request.headers, accept: '*/*', 'accept-encoding': 'identity', ...rest }
    const answer = await signed<{ taken?: T; fault?: FaultError }>(
      row,
      { ...request, headers },
      (ready) =>
        receive(options.fetch, ready, async (head, chunks) => {
          const { status } = head
          if (status === 200 || status === 206) {
            checkFile(id, head, from)
            return { taken: await take(downloadHead(head), wholly(id, head.headers, chunks)) }
          }
          return { fault: faultOf(row, { status, headers: head.headers, text: await allText(chunks) }) }
        }),
      ({ fault }) => fault,
    )
    if (answer.fault) throw answer.fault
    return answer.taken as T
  }

  return { versions: options.versions ?? {}, call, pages, download }
}

function downloadHead({ status, headers }: { status: number; headers: Headers }): DownloadHead {
  const etag = isCompressed(headers) ? null : headers.get('etag')
  const range = /\/(\d+)$/.exec(headers.get('content-range') ?? '')
  const length = isCompressed(headers) ? null : headers.get('content-length')
  const total = status === 206 ? range?.[1] : (length ?? undefined)
  return {
    contentType: headers.get('content-type') ?? 'application/octet-stream',
    partial: status === 206,
    ...(total === undefined ? {} : { total: Number(total) }),
    ...(etag === null ? {} : { etag }),
  }
}

/** A list whose pages don't end. */
export const repeatsPages = (operation: OperationId): FaultError =>
  new FaultError({
    code: 'badAnswer',
    operation,
    message: 'The service keeps returning the same pages. Try again later.',
  })

const isCompressed = (headers: Headers): boolean => (headers.get('content-encoding') ?? 'identity') !== 'identity'

/** @throws FaultError `badAnswer` for a different range than requested, or a web page instead of a file */
function checkFile(id: string, { status, headers }: { status: number; headers: Headers }, from: number): void {
  const wrong = (message: string): FaultError => new FaultError({ code: 'badAnswer', operation: id, status, message })
  if (/^text\/html\b/i.test(headers.get('content-type') ?? ''))
    throw wrong('Got a web page instead of a file. You may need to sign in to this network.')
  if (status !== 206) return
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? []
  const toEnd = total === '*' || Number(last) + 1 === Number(total)
  if (first === undefined || Number(first) !== from || !toEnd || isCompressed(headers))
    throw wrong('The service returned the wrong part of the file.')
}

/**
 * The chunks of a file, with as many bytes as announced.
 * @throws FaultError `answerLost` for fewer or more
 */
async function* wholly(id: string, headers: Headers, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const length = headers.get('content-length')
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    yield chunk
  }
  // A compressed body is longer after unpacking.
  if (length === null || isCompressed(headers) || bytes === Number(length)) return
  throw new FaultError({
    code: 'answerLost',
    operation: id,
    message: 'The connection was lost before the file was complete.',
  })
}

/** An error's body; a service's is short. */
async function allText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > 100_000) break
  }
  return text
}

/**
 * Checks an answer against the schema, because all later code trusts it. Invalid entries of a list are removed, so that
 * one doesn't affect the others. @throws FaultError `badAnswer` that names the field
 */
function checkShape({ table, method }: Operation, body: JsonObject): { unreadable?: UnreadableEntry[] } {
  const { id, items, response } = method
  const wrong = schemaMismatch(table, response!, body, items)
  if (wrong) {
    const where = wrong.path === '' ? 'It' : `Its field ${wrong.path}`
    const message = `The service returned an invalid response. ${where} should be ${wrong.wanted}. Try again later.`
    throw new FaultError({ code: 'badAnswer', operation: id, message, ...(wrong.path && { location: wrong.path }) })
  }
  const schema = items === undefined ? undefined : entrySchemaOf(table, response!, items)
  const list = items === undefined ? undefined : body[items]
  if (schema === undefined || !Array.isArray(list)) return {}
  const judged = list.map((entry) => schemaMismatch(table, schema, entry))
  if (judged.every((one) => one === undefined)) return {}
  body[items!] = list.filter((_, index) => judged[index] === undefined)
  return { unreadable: judged.flatMap((one, index) => (one ? [unreadableEntry(list[index], one)] : [])) }
}

function unreadableEntry(entry: Json | undefined, { path }: SchemaMismatch): UnreadableEntry {
  const id = isJsonObject(entry) ? entry['id'] : undefined
  return { path, ...(typeof id === 'string' && { id }) }
}

/** `__proto__` unchanged, or with escapes. */
const mayHavePrototypeKey = /__proto__|\\u00(?:5f|70|72|6f|74)/i

/** A JSON object, without the keys that reach into prototypes. @throws FaultError `badAnswer` */
function parsed(id: string, { text, status }: HttpResponse): JsonObject {
  let value: unknown
  try {
    // Only then, because a reviver takes several times as long.
    value = mayHavePrototypeKey.test(text)
      ? JSON.parse(text, (key, item: unknown) => (key === '__proto__' ? undefined : item))
      : JSON.parse(text)
  } catch (error) {
    const message = /^\s*</.test(text) ? nonServiceResponse(text, status) : 'Couldn’t read the response.'
    throw new FaultError({ code: 'badAnswer', operation: id, status, message }, { cause: error })
  }
  if (!isJsonObject(value))
    throw new FaultError({ code: 'badAnswer', operation: id, message: 'The response isn’t an object.' })
  return value
}
