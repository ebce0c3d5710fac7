// A setup file for window tests: the driver and the browser are on one machine, so compressing what they say to each other
// only costs processor time, which was a fifth of that of a page test's process.
import http, { type RequestOptions } from 'node:http'

const patched = globalThis as { flightplanUncompressed?: true }

// Files of a worker share its process.
if (!patched.flightplanUncompressed) {
  patched.flightplanUncompressed = true
  const request = http.request as (...args: unknown[]) => http.ClientRequest
  const uncompressed = (...args: unknown[]): http.ClientRequest => {
    const headers = (args[0] as RequestOptions).headers as Record<string, unknown> | undefined
    // What isn't offered isn't used.
    if (headers) delete headers['Sec-WebSocket-Extensions']
    return request(...args)
  }
  http.request = uncompressed as typeof http.request
}
