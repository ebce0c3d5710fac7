import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Notification {
  channelId: string
  /** `sync` announces the channel. Any other state means that there are changes to pull. */
  state: string
}

/**
 * Receives notifications of watch channels on the loopback address: a POST without a body whose headers name a channel and
 * hold its token. Rejects unknown channels and foreign Host headers.
 */
export class Receiver {
  #server: Server | undefined
  #port = 0

  /** @param tokenOf returns the token of an open channel @param path unguessable, so that no one else can find the receiver */
  constructor(
    private readonly options: {
      path: string
      tokenOf: (channelId: string) => string | undefined
      notified: (notification: Notification) => void
    },
  ) {}

  get address(): string {
    return `http://127.0.0.1:${this.#port}${this.options.path}`
  }

  async open(): Promise<void> {
    const server = createServer((request, response) => this.#answer(request, response))
    server.requestTimeout = 10_000
    server.headersTimeout = 10_000
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume()
    const end = (status: number): void => void response.writeHead(status, { 'Content-Length': 0 }).end()
    if (request.headers.host !== `127.0.0.1:${this.#port}`) return end(403)
    if (request.url !== this.options.path) return end(404)
    if (request.method !== 'POST') return end(405)
    const channelId = header(request, 'x-goog-channel-id')
    const expected = channelId === undefined ? undefined : this.options.tokenOf(channelId)
    if (channelId === undefined || expected === undefined) return end(404)
    if (!same(header(request, 'x-goog-channel-token') ?? '', expected)) return end(403)
    end(204)
    this.options.notified({ channelId, state: header(request, 'x-goog-resource-state') ?? 'exists' })
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
