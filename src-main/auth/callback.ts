import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FaultError } from '#shared/fault'
import { resultPage } from './pages'

const path = '/callback'

/** The response received through the browser. Its page waits until `show` reports the outcome. */
export interface Callback {
  parameters: URLSearchParams
  show(good: boolean, text: string): void
}

export interface CallbackReceiver {
  redirectUri: string
  /** Resolves with the first response that has the right state. @throws the reason of an aborted signal */
  answer: Promise<Callback>
  close(): void
}

/**
 * Listens on 127.0.0.1 and a random port for the one response that has `state` (RFC 8252, 7.3 and 8.3). Rejects other
 * requests with a plain page and no effect. Closes after the response.
 */
export async function receiveCallback(state: string, signal: AbortSignal): Promise<CallbackReceiver> {
  let accept!: (callback: Callback) => void
  let fail!: (reason: unknown) => void
  const answer = new Promise<Callback>((resolve, reject) => {
    accept = resolve
    fail = reject
  })
  // Callers get the rejection later. Until then, while the browser opens, no one awaits it.
  answer.catch(() => undefined)
  let taken = false
  let port = 0

  const server = createServer((request, response) => {
    const url = refusedOr(request, port, state)
    if (typeof url === 'number') return write(response, url, false, 'Sign-in not completed', refusalText)
    if (taken) return write(response, 410, false, 'Sign-in not completed', refusalText)
    taken = true
    // No new connection from here on; this one stays until its page is written.
    server.close()
    accept({
      parameters: url.searchParams,
      show: (good, text) => write(response, 200, good, good ? 'You’re signed in' : 'Sign-in failed', text),
    })
  })
  server.headersTimeout = 10_000
  server.maxConnections = 20

  const close = (): void => {
    signal.removeEventListener('abort', close)
    server.close()
    if (!signal.aborted) return
    // After a response, its page still needs the result.
    if (!taken) server.closeAllConnections()
    fail(signal.reason)
  }
  if (signal.aborted) throw signal.reason
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  }).catch((error: unknown) => {
    throw new FaultError(
      {
        code: 'storage',
        message: 'Couldn’t start signing in, because no local port is free. Restart Flightplan, then try again.',
      },
      { cause: error },
    )
  })
  port = (server.address() as AddressInfo).port
  signal.addEventListener('abort', close)
  if (signal.aborted) close()
  return { redirectUri: `http://127.0.0.1:${port}${path}`, answer, close }
}

const refusalText = 'Flightplan wasn’t expecting this sign-in. Sign in again from Flightplan.'

/** Address of a request that answers this sign-in, or the status to reject it with. */
function refusedOr(request: IncomingMessage, port: number, state: string): URL | number {
  // A foreign name in Host means DNS rebinding by a web page.
  if (request.headers.host !== `127.0.0.1:${port}`) return 403
  if (request.method !== 'GET') return 405
  if (!request.url?.startsWith('/')) return 400
  let url: URL
  try {
    url = new URL(`http://127.0.0.1:${port}${request.url}`)
  } catch {
    return 400
  }
  if (url.pathname !== path) return 404
  const states = url.searchParams.getAll('state')
  return states.length === 1 && states[0] === state ? url : 400
}

function write(response: ServerResponse, status: number, good: boolean, title: string, text: string): void {
  if (response.headersSent || response.destroyed) return
  const nonce = randomBytes(12).toString('base64')
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Cache-Control': 'no-store',
    // The address holds the code.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    Connection: 'close',
    ...(status === 405 ? { Allow: 'GET' } : {}),
  })
  response.end(resultPage(good, title, text, nonce))
}
