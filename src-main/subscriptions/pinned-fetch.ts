import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import * as tls from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Fetch } from '../http/send'

/**
 * A fetch of GET requests that connects to these addresses only, whatever the name of the host means by then. Follows no
 * redirects, and sends no cookies.
 */
export const pinnedFetch =
  (addresses: readonly string[]): Fetch =>
  (url, { headers, signal }) =>
    new Promise((resolve, reject) => {
      const secure = url.startsWith('https:')
      const request = (secure ? requestHttps : requestHttp)(url, {
        headers: { 'accept-encoding': 'gzip', ...Object.fromEntries(new Headers(headers)) },
        agent: false,
        // By default, Node gives up on an address after 250 ms, although the next one may not work at all.
        ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 3_000 },
        lookup: lookupIn(addresses),
        ...(secure && { ca: trusted() }),
        ...(signal && { signal }),
      })
      let received: IncomingMessage | undefined
      request.on('error', (error) => {
        // Otherwise, what arrived of a body without a length counts as all of it.
        received?.destroy(error)
        reject(error)
      })
      request.once('response', (message) => {
        received = message
        try {
          resolve(responseOf(message))
        } catch (error) {
          message.destroy()
          reject(error instanceof Error ? error : new TypeError('The response is invalid.'))
        }
      })
      request.end()
    })

const lookupIn =
  (addresses: readonly string[]): LookupFunction =>
  (hostname, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (!first) done(Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' }), '')
    else if (all) done(null, found)
    else done(null, first.address, first.family)
  }

const withoutBody = [204, 205, 304]

/** @throws RangeError for a status that isn't one */
function responseOf(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0
  const headers = new Headers()
  for (let at = 0; at < message.rawHeaders.length; at += 2)
    headers.append(message.rawHeaders[at]!, message.rawHeaders[at + 1]!)
  if (withoutBody.includes(status)) {
    message.resume()
    return new Response(null, { status, headers })
  }
  return new Response(Readable.toWeb(decoded(message)) as ReadableStream<Uint8Array>, { status, headers })
}

const decoders = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

function decoded(message: IncomingMessage): Readable {
  const decoder = decoders.get(message.headers['content-encoding']?.toLowerCase() ?? '')?.()
  if (!decoder) return message
  message.once('error', (error) => decoder.destroy(error))
  decoder.once('close', () => message.destroy())
  return message.pipe(decoder)
}

/** Certificates that this system trusts, where Node knows them, as the rest of the app does. */
function trusted(): string[] | undefined {
  const read = (tls as { getCACertificates?: (type: 'default' | 'system') => string[] }).getCACertificates
  return read && [...new Set([...read('default'), ...read('system')])]
}
