import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Proxy {
  readonly baseUrl: string
  /** Requests that arrived, as `METHOD /path`. */
  readonly seen: string[]
  /** Handles a request instead of the service if it returns true. Without a response, the request hangs. */
  instead: ((incoming: IncomingMessage, outgoing: ServerResponse) => boolean) | undefined
  close(): Promise<void>
}

/** A proxy between the app and a local service that can simulate network faults. */
export async function startProxy(service: string): Promise<Proxy> {
  const target = new URL(service)
  const seen: string[] = []
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => undefined)
    seen.push(`${incoming.method} ${incoming.url}`)
    if (proxy.instead?.(incoming, outgoing)) return
    const { method, url: path, headers } = incoming
    const passed = request({ ...address, method, path, headers: { ...headers, host: target.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  const address = { hostname: target.hostname, port: target.port }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: Proxy = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    instead: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}
