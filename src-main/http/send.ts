import { FaultError, type FaultCode } from '#shared/fault'
import { Cut, fetchUntil, piecesUntil } from './cut'

/** Fetch with `cache`, which Node's types lack, but the app's fetch has. */
export type Fetch = (url: string, init: RequestInit & { cache?: 'no-store' }) => Promise<Response>

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array | ReadableStream<Uint8Array>
  signal?: AbortSignal
  /**
   * Maximum time without progress, in milliseconds: until the response head, and then until each chunk. Default: a
   * minute.
   */
  timeout?: number
  /** Minimum progress of a response per interval after its head; see `slowest`. */
  pace?: Pace
  /** Maximum size of an unpacked response, in bytes. Default: 256 MiB. */
  maxSize?: number
}

export interface Pace {
  bytes: number
  /** Milliseconds. */
  within: number
}

export interface HttpResponse {
  status: number
  headers: Headers
  text: string
}

const defaultTimeout = 60_000
/**
 * The timeout applies to each chunk, so that a slow connection gets half a megabyte through at 4 KB per second. Because
 * a trickling response could pass it forever, it must also deliver 64 KiB (220 bytes per second) every five minutes.
 */
const slowest: Pace = { bytes: 64 * 1024, within: 5 * 60_000 }
/**
 * Minimum upload speed, in bytes per second. A body sent at once shows no progress, so its timeout grows with its size.
 */
const slowestUpload = 1024
/** Maximum response size, in bytes. No service sends more. */
const maxResponseSize = 256 * 1024 * 1024
/** Maximum delay of a timer. Longer ones would fire at once. */
const maxWait = 2 ** 31 - 1

/** Error codes of refused or impossible connections: nothing reached the service. */
const neverSent =
  /bad port|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ECONNABORTED|CERT|ERR_(CONNECTION_REFUSED|NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|NETWORK_CHANGED|PROXY|TUNNEL|SSL|CERT|BLOCKED)/

/**
 * One exchange. Refuses redirects, so that a token never follows one to another host, and bypasses caches.
 * @throws FaultError `unreachable` (nothing was sent), `answerLost` (the outcome is unknown), `aborted`
 */
export function send(fetch: Fetch, request: HttpRequest): Promise<HttpResponse> {
  return receive(fetch, request, async ({ status, headers }, chunks) => {
    const tooLarge = (): FaultError => new FaultError({ code: 'badAnswer', message: 'The response is too large.' })
    const { maxSize = maxResponseSize } = request
    if (Number(headers.get('content-length') ?? 0) > maxSize) throw tooLarge()
    const decoder = new TextDecoder()
    const parts: string[] = []
    let bytes = 0
    for await (const chunk of chunks) {
      if ((bytes += chunk.length) > maxSize) throw tooLarge()
      parts.push(decoder.decode(chunk, { stream: true }))
    }
    parts.push(decoder.decode())
    return { status, headers, text: parts.join('') }
  })
}

/** Like `send`, for a response that is a file. Calls `take` with the head and the chunks as they arrive. */
export async function receive<T>(
  fetch: Fetch,
  request: HttpRequest,
  take: (head: { status: number; headers: Headers }, chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const cut = new Cut()
  cut.follow(request.signal)
  const watch = new Watch(cut, request)
  const { body } = request
  try {
    const fetching = fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: (body instanceof ReadableStream ? outgoing(body, watch) : body) as RequestInit['body'],
      redirect: 'error',
      // A captive portal's page in the cache could replace the service's responses for a day.
      cache: 'no-store',
      signal: cut.signal,
      credentials: 'omit',
      // Required for streams. Half duplex is the only supported mode.
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    })
    const response = await fetchUntil(cut, fetching)
    watch.head()
    return await take(response, incoming(piecesUntil(cut, response.body), watch))
  } catch (error) {
    if (error instanceof FaultError) throw error
    throw new FaultError({ code: codeOf(error, request.signal), message: messageOf(error, request) }, { cause: error })
  } finally {
    watch.end()
    cut.end()
  }
}

/** Cuts an exchange that makes no progress, or too little. */
class Watch {
  readonly #cut: Cut
  readonly #timeout: number
  readonly #pace: Pace
  #piece: ReturnType<typeof setTimeout>
  #window: ReturnType<typeof setInterval> | undefined
  #bytes = 0
  #over = false

  constructor(cut: Cut, { body, timeout = defaultTimeout, pace = slowest }: HttpRequest) {
    this.#cut = cut
    this.#timeout = timeout
    this.#pace = pace
    const size = body instanceof ReadableStream ? 0 : (body?.length ?? 0)
    this.#piece = this.#timer(timeout + (size / slowestUpload) * 1000)
  }

  /** Called when the response has begun. */
  head(): void {
    clearTimeout(this.#piece)
    const { bytes, within } = this.#pace
    this.#window = setInterval(() => {
      if (this.#bytes < bytes) this.#late()
      this.#bytes = 0
    }, within)
  }

  /** Starts waiting for the next chunk. */
  wait(): void {
    clearTimeout(this.#piece)
    // Once the response is complete, the rest of the upload doesn't matter.
    if (this.#over) return
    this.#piece = this.#timer(this.#timeout)
  }

  /** Counts received bytes. Processing them may take any time. */
  came(bytes: number): void {
    clearTimeout(this.#piece)
    this.#bytes += bytes
  }

  end(): void {
    this.#over = true
    clearTimeout(this.#piece)
    clearInterval(this.#window)
  }

  #timer(wait: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#late(), Math.min(wait, maxWait))
  }

  #late(): void {
    this.#cut.now(new DOMException('The request timed out.', 'TimeoutError'))
  }
}

async function* incoming(pieces: AsyncGenerator<Uint8Array>, watch: Watch): AsyncGenerator<Uint8Array> {
  watch.wait()
  for await (const piece of pieces) {
    watch.came(piece.length)
    yield piece
    watch.wait()
  }
}

/** A streamed body. Each chunk sent counts as progress. */
function outgoing(body: ReadableStream<Uint8Array>, watch: Watch): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      watch.wait()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function codeOf(error: unknown, signal: AbortSignal | undefined): FaultCode {
  if (signal?.aborted) return 'aborted'
  return neverSent.test(describe(error)) ? 'unreachable' : 'answerLost'
}

function messageOf(error: unknown, request: HttpRequest): string {
  const { host } = new URL(request.url)
  if (error instanceof Error && error.name === 'TimeoutError') return `${host} didn’t respond in time.`
  if (neverSent.test(describe(error))) return `Can’t reach ${host}.`
  return `The connection to ${host} was lost before the response was complete.`
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
