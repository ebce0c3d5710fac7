import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { compressed, unpackedBody } from './compression'
import { guardAddress, refuse } from './guards'
import { isLongGet, methodOf, withQuery } from './overrides'
import { Problem, badRequest } from './problems'
import { createRouter, type RouterContext } from './routes'

/** Maximum size of a request’s address and headers, in bytes: a list takes up to 1,000 IDs. */
const maxHeaderSize = 64 * 1024

/** Starts an HTTP server on the loopback address. Resolves once it listens. */
export async function listen(context: RouterContext, port: number): Promise<{ server: Server; port: number }> {
  const router = createRouter(context)
  const listener = getRequestListener(async (request, env) => compressed(request, await router.fetch(request, env)), {
    overrideGlobalObjects: false,
  })
  let bound = port
  const server = createServer({ maxHeaderSize }, (incoming, outgoing) => {
    // Clients read the service's clock from this header. Node would send the computer's.
    outgoing.setHeader('date', new Date(context.service.store.now).toUTCString())
    try {
      guardAddress(incoming, bound)
      const origin = `http://${incoming.headers.host}`
      // Clients with a proxy send a whole address (RFC 9112, section 3.2.2).
      if (incoming.url?.startsWith(`${origin}/`)) incoming.url = incoming.url.slice(origin.length)
      if (!incoming.url?.startsWith('/')) throw badRequest('The request target must be a path.')
      const isLong = isLongGet(incoming)
      incoming.method = methodOf(incoming)
      if (isLong) return void withQueryOfBody(incoming).then(() => listener(incoming, outgoing), failed(outgoing))
    } catch (error) {
      return failed(outgoing)(error)
    }
    void listener(incoming, outgoing)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  if (address && typeof address === 'object') bound = address.port
  return { server, port: bound }
}

const failed =
  (outgoing: ServerResponse) =>
  (error: unknown): void => {
    if (error instanceof Problem) refuse(outgoing, error)
    else outgoing.destroy()
  }

/** Maximum size of a query in a body, in bytes. */
const queryLimit = 1024 * 1024

/** Appends the body to the query. Clients send addresses that are too long this way. @throws Problem 413 */
async function withQueryOfBody(incoming: IncomingMessage): Promise<void> {
  let query = ''
  for await (const chunk of unpackedBody(incoming)) {
    query += chunk.toString('latin1')
    if (query.length > queryLimit) throw new Problem(413, 'uploadTooLarge', 'Request Too Large')
  }
  incoming.url = withQuery(incoming.url!, query)
}

/** Closes the server and all connections, idle or not. Resolves when none is left. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
