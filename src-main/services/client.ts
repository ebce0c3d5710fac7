import { FaultError } from '#shared/fault'
import { isJsonObject } from '#shared/json'
import { operation, type OperationId, type Operations, type ServiceName } from '#shared/wire/services'
import { faultOfAnswer } from '../http/faults'
import { send, type Fetch } from '../http/send'
import { checkedBaseUrl } from '../http/address'
import { pathAndQuery } from './address'

export interface ClientOptions {
  /** Base address per service, without the service's own path. */
  baseUrl: (service: ServiceName) => string
  /** The bearer token to send now. @throws FaultError `signInExpired` when there is none. */
  token: () => string | Promise<string>
  fetch: Fetch
  now: () => number
}

export interface CallOptions<O extends OperationId = OperationId> {
  body?: Operations[O]['request']
  ifMatch?: string
  ifNoneMatch?: string
  signal?: AbortSignal
  timeout?: number
}

export interface CallAnswer<T> {
  /** Undefined where the table says that there is no body, and on 304. */
  body: T
  status: number
  etag?: string
  /** The service's clock, epoch milliseconds. */
  date?: number
}

type Params<O extends OperationId> = Operations[O]['params']

export interface Client {
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
}

/** A client of every service in the wire tables: what an operation looks like is read from its row. */
export function createClient(options: ClientOptions): Client {
  async function call<O extends OperationId>(
    id: O,
    params: Params<O>,
    extra: CallOptions<O> = {},
  ): Promise<CallAnswer<Operations[O]['response']>> {
    const { service, method } = operation(id)
    const path = pathAndQuery(method, params as Record<string, unknown>)
    const token = await options.token()
    const url = checkedBaseUrl(options.baseUrl(service)).href.replace(/\/$/, '') + path
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const body = method.request === undefined || extra.body === undefined ? undefined : JSON.stringify(extra.body)
    if (body !== undefined) headers['content-type'] = 'application/json; charset=utf-8'
    if (extra.ifMatch) headers['if-match'] = extra.ifMatch
    if (extra.ifNoneMatch) headers['if-none-match'] = extra.ifNoneMatch
    const answer = await send(options.fetch, {
      method: method.httpMethod,
      url,
      headers,
      body,
      signal: extra.signal,
      timeout: extra.timeout,
    })
    if (answer.status !== 304 && (answer.status < 200 || answer.status > 299)) {
      throw new FaultError(faultOfAnswer(id, answer, options.now()))
    }
    // Nothing was asked that could be unchanged: taken as an empty list, it would sweep away every row.
    if (answer.status === 304 && !extra.ifNoneMatch) {
      throw new FaultError({
        code: 'badAnswer',
        operation: id,
        status: 304,
        message: 'The service answered “unchanged” unasked.',
      })
    }
    const etag = answer.headers.get('etag')
    const date = Date.parse(answer.headers.get('date') ?? '')
    return {
      body: (answer.status === 304 || method.response === undefined
        ? undefined
        : parsed(id, answer.text)) as Operations[O]['response'],
      status: answer.status,
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
    do {
      const page = await call(id, pageToken === undefined ? params : ({ ...params, pageToken } as Params<O>), extra)
      yield page
      const next = (page.body as { nextPageToken?: string } | undefined)?.nextPageToken
      if (next !== undefined && next === pageToken)
        throw new FaultError({ code: 'badAnswer', message: `${id} repeats a page.` })
      pageToken = next === '' ? undefined : next
    } while (pageToken !== undefined)
  }

  return { call, pages }
}

/** A JSON object, without the keys that reach into prototypes. @throws FaultError `badAnswer` */
function parsed(id: string, text: string): unknown {
  let value: unknown
  try {
    value = text.includes('__proto__')
      ? JSON.parse(text, (key, item: unknown) => (key === '__proto__' ? undefined : item))
      : JSON.parse(text)
  } catch (error) {
    const html = /^\s*</.test(text)
    throw new FaultError(
      {
        code: 'badAnswer',
        operation: id,
        message: html
          ? 'A web page came back instead of an answer. Is there a network sign-in page in between?'
          : 'The answer could not be read.',
      },
      { cause: error },
    )
  }
  if (!isJsonObject(value))
    throw new FaultError({ code: 'badAnswer', operation: id, message: 'The answer is not an object.' })
  return value
}
