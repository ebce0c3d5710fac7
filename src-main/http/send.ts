import { FaultError, type FaultCode } from '#shared/fault'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array | ReadableStream<Uint8Array>
  signal?: AbortSignal
  /** Milliseconds for the whole exchange. */
  timeout?: number
}

export interface HttpResponse {
  status: number
  headers: Headers
  text: string
}

const defaultTimeout = 60_000
/** An answer larger than this is not one of our services'. */
const largestAnswer = 256 * 1024 * 1024

/** Error codes of refused or impossible connections: nothing reached the service. */
const neverSent =
  /bad port|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ECONNABORTED|CERT|ERR_(CONNECTION_REFUSED|NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|NETWORK_CHANGED|PROXY|TUNNEL|SSL|CERT|BLOCKED)/

/**
 * One exchange. Redirects are refused, so that a token never follows one to another host.
 * @throws FaultError `unreachable` (nothing was sent), `answerLost` (the outcome is unknown), `aborted`.
 */
export async function send(fetch: Fetch, request: HttpRequest): Promise<HttpResponse> {
  return exchange(fetch, request, async (response) => {
    const length = Number(response.headers.get('content-length') ?? 0)
    if (length > largestAnswer)
      throw new FaultError({ code: 'badAnswer', message: 'The answer is too large to be right.' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
}

/**
 * The same for an answer that is a file: `take` gets the head and the bytes as they come, and the time limit is for each
 * piece, not for the whole.
 */
export async function receive<T>(
  fetch: Fetch,
  request: HttpRequest,
  take: (head: { status: number; headers: Headers }, chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const watch = new AbortController()
  const timeout = request.timeout ?? defaultTimeout
  let timer: ReturnType<typeof setTimeout> | undefined
  const awake = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => watch.abort(new DOMException('No byte came in time.', 'TimeoutError')), timeout)
  }
  awake()
  const signals = request.signal ? [request.signal, watch.signal] : [watch.signal]
  try {
    return await exchange(fetch, request, (response) => take(response, piecesOf(response, awake)), anySignal(signals))
  } finally {
    clearTimeout(timer)
  }
}

async function* piecesOf(response: Response, came: () => void): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      came()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function exchange<T>(
  fetch: Fetch,
  request: HttpRequest,
  take: (response: Response) => Promise<T>,
  limit = withTimeout(request),
): Promise<T> {
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body as RequestInit['body'],
      redirect: 'error',
      signal: limit,
      credentials: 'omit',
      // A stream is sent while it is read: half duplex is the only kind that there is.
      ...(request.body instanceof ReadableStream ? { duplex: 'half' } : {}),
    })
    return await take(response)
  } catch (error) {
    if (error instanceof FaultError) throw error
    throw new FaultError({ code: codeOf(error, request.signal), message: messageOf(error, request) }, { cause: error })
  }
}

function withTimeout(request: HttpRequest): AbortSignal {
  const timeout = AbortSignal.timeout(request.timeout ?? defaultTimeout)
  return request.signal ? anySignal([request.signal, timeout]) : timeout
}

function codeOf(error: unknown, signal: AbortSignal | undefined): FaultCode {
  if (signal?.aborted) return 'aborted'
  return neverSent.test(describe(error)) ? 'unreachable' : 'answerLost'
}

function messageOf(error: unknown, request: HttpRequest): string {
  const { host } = new URL(request.url)
  if (error instanceof Error && error.name === 'TimeoutError') return `${host} did not answer in time.`
  if (neverSent.test(describe(error))) return `${host} cannot be reached.`
  return `The connection to ${host} broke before the answer was complete.`
}

/** The messages and codes of an error and its causes, one line. */
function describe(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at instanceof Error && parts.length < 8; at = at.cause) {
    parts.push(at.name, at.message, String((at as { code?: unknown }).code ?? ''))
    if (at instanceof AggregateError) parts.push(...at.errors.map(describe))
  }
  return parts.join(' ')
}

/** AbortSignal.any, which Node 18 lacks. */
function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason)
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
  }
  return controller.signal
}
