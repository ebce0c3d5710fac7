import { FaultError, type FaultCode } from '#shared/fault'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
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
  const timeout = AbortSignal.timeout(request.timeout ?? defaultTimeout)
  const signal = request.signal ? anySignal([request.signal, timeout]) : timeout
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      redirect: 'error',
      signal,
      credentials: 'omit',
    })
    const length = Number(response.headers.get('content-length') ?? 0)
    if (length > largestAnswer)
      throw new FaultError({ code: 'badAnswer', message: 'The answer is too large to be right.' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    if (error instanceof FaultError) throw error
    throw new FaultError({ code: codeOf(error, request.signal), message: messageOf(error, request) }, { cause: error })
  }
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
