import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Proxy {
  readonly baseUrl: string
  /** Requests that reached it, as `METHOD /path`. */
  readonly seen: string[]
  /** Answers in the service's place where it returns true; a request that it only keeps is never answered. */
  instead: ((incoming: IncomingMessage, outgoing: ServerResponse) => boolean) | undefined
  close(): Promise<void>
}

/** A network between the app and a service on loopback, which can be made to do what networks do. */
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
