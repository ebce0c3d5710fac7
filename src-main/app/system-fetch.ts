import { Readable } from 'node:stream'
import type { ClientRequest, ClientRequestConstructorOptions, IncomingMessage } from 'electron'
import type { Fetch } from '../http/send'

/**
 * Partition for main's requests: in memory, with the system's proxies. The page's own session can't reach the network.
 */
export const networkPartition = 'network'

/** Statuses that have no body. */
const bare = new Set([101, 204, 205, 304])

/**
 * A fetch over Chromium's network, with the system's proxies and certificates. Electron's own fetch loses its signal in a
 * garbage collection, so a hanging connection is never closed, and a host gets only six. Here the signal holds the
 * request. `request` is `net.request`.
 * @throws Error `net::ERR_…`, and the reason of an aborted signal
 */
export function systemFetch(request: (options: ClientRequestConstructorOptions) => ClientRequest): Fetch {
  return async (url, { method, headers, body, signal, redirect, credentials, cache }) => {
    signal?.throwIfAborted()
    const sent = request({ url, method, redirect, credentials, cache })
    new Headers(headers).forEach((value, name) => sent.setHeader(name, value))
    return new Promise<Response>((resolve, reject) => {
      const abort = (): void => {
        reject(signal?.reason as Error)
        sent.abort()
      }
      signal?.addEventListener('abort', abort, { once: true })
      sent.on('error', reject)
      // In manual mode, a redirect ends the request, and the caller decides what to do.
      sent.on('redirect', (status, _method, location) => {
        if (redirect === 'manual') resolve(new Response(null, { status, headers: { location } }))
      })
      sent.on('abort', () => reject(new Error('net::ERR_ABORTED')))
      sent.on('response', (answer) => {
        // An exception in an Electron listener would end the app, not the request.
        try {
          resolve(responseOf(answer))
        } catch (error) {
          reject(new Error('net::ERR_INVALID_HTTP_RESPONSE', { cause: error }))
          sent.abort()
        }
      })
      write(sent, body).catch((error: unknown) => {
        reject(error as Error)
        sent.abort()
      })
    })
  }
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status } = answer
  const headers = headersOf(answer)
  // Electron's answer is a Node stream, although its types don't say so.
  const stream = answer as unknown as Readable
  // Readers get the error. After the last byte, nobody reads it, and an unhandled one would end the process.
  stream.on('error', () => undefined)
  if (bare.has(status)) stream.resume()
  const body = bare.has(status) ? null : (Readable.toWeb(stream) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}

/** Headers that fetch would expose. */
function headersOf(answer: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    try {
      headers.set(name, Array.isArray(value) ? value.join(', ') : value)
    } catch {
      // Skip headers with bytes beyond Latin-1, which some network appliances write.
    }
  }
  return headers
}

/** Streams a body, or sends it at once with its length. */
async function write(sent: ClientRequest, body: RequestInit['body']): Promise<void> {
  if (body instanceof ReadableStream) {
    sent.chunkedEncoding = true
    const closed = new Promise<never>((_, reject) => sent.once('close', () => reject(new Error('net::ERR_ABORTED'))))
    closed.catch(() => undefined)
    for await (const chunk of body as ReadableStream<Uint8Array>) {
      const written = new Promise<void>((resolve) => sent.write(Buffer.from(chunk), undefined, () => resolve()))
      await Promise.race([written, closed])
    }
  } else if (body instanceof Uint8Array) sent.write(Buffer.from(body))
  else if (typeof body === 'string' && body !== '') sent.write(body)
  sent.end()
}
