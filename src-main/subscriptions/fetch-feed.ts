import { FaultError, type FaultCode } from '#shared/fault'
import { Cut, fetchUntil, piecesUntil } from '../http/cut'
import type { Fetch } from '../http/send'
import { webAddresses, type Resolve } from './local-network'

/** How feeds are reached. */
export interface FeedNetwork {
  fetch: Fetch
  resolve: Resolve
  /** A fetch that connects to these addresses only. */
  pinned: (addresses: readonly string[]) => Fetch
  /** True if a proxy connects to a URL. Then only the proxy knows its addresses. */
  usesProxy: (url: string) => Promise<boolean>
}

export interface FeedRequest {
  url: string
  /** The user entered an address in the local network, so it may be read. Addresses that it redirects to may not. */
  local: boolean
  /** What the server said about the copy on this computer. */
  etag?: string | undefined
  modified?: string | undefined
}

export type FeedAnswer =
  | { kind: 'unchanged' }
  | { kind: 'new'; bytes: Uint8Array; etag?: string | undefined; modified?: string | undefined }

export interface FeedLimits {
  /** Bytes, after decompression. */
  size: number
  redirects: number
  /** Milliseconds until the first and between two chunks, and for everything together. */
  stall: number
  total: number
}

export const feedLimits: FeedLimits = { size: 20_000_000, redirects: 5, stall: 20_000, total: 60_000 }

/** Validators longer than this are a server's mistake. */
const maxValidator = 500

/**
 * Downloads a calendar, unless it's unchanged. Sends no credentials. Messages name the server but not the address, which
 * may be a secret.
 * @throws FaultError `offline` | `unreachable` | `badAnswer` | `forbidden`
 */
export async function fetchFeed(
  network: FeedNetwork,
  request: FeedRequest,
  limits: FeedLimits = feedLimits,
): Promise<FeedAnswer> {
  const cut = new Cut()
  const total = setTimeout(() => cut.now(timeout()), limits.total)
  let stall: ReturnType<typeof setTimeout> | undefined
  const advance = (): void => {
    clearTimeout(stall)
    stall = setTimeout(() => cut.now(timeout()), limits.stall)
  }
  let url = new URL(request.url)
  const own = request.local ? url.hostname : undefined
  try {
    for (let redirects = 0; ; redirects++) {
      const fetch = url.hostname === own ? network.fetch : await cut.race(fetchOf(url, network))
      if (!fetch)
        throw problem(
          'forbidden',
          redirects > 0
            ? `The address redirects to ${url.host} on a local network, which isn’t allowed. Use another address.`
            : `${url.host} is on a local network. If you trust it, enter the address yourself.`,
        )
      advance()
      const response = await fetchUntil(
        cut,
        fetch(url.href, {
          headers: headersOf(request),
          redirect: 'manual',
          credentials: 'omit',
          cache: 'no-store',
          signal: cut.signal,
        }),
      )
      const next = redirectOf(response, url)
      if (next) {
        if (redirects === limits.redirects)
          throw problem('badAnswer', `${url.host} redirects too many times. Check the address.`)
        url = next
        continue
      }
      return await answerOf(response, url.host, request, limits.size, cut, advance)
    }
  } catch (error) {
    if (error instanceof FaultError) throw error
    const late = error instanceof Error && error.name === 'TimeoutError'
    const message = late ? `${url.host} didn’t respond in time.` : `Can’t reach ${url.host}.`
    throw new FaultError({ code: 'unreachable', message }, { cause: error })
  } finally {
    clearTimeout(total)
    clearTimeout(stall)
    cut.now(new DOMException('The request has ended.', 'AbortError'))
  }
}

/** A fetch for a URL on the web, which the name can't lead elsewhere after the check. Undefined in a local network. */
async function fetchOf({ href, hostname }: URL, network: FeedNetwork): Promise<Fetch | undefined> {
  const addresses = await webAddresses(hostname, network.resolve)
  if (!addresses) return undefined
  return (await network.usesProxy(href)) ? network.fetch : network.pinned(addresses)
}

const problem = (code: FaultCode, message: string): FaultError => new FaultError({ code, message })
const timeout = (): DOMException => new DOMException('The request timed out.', 'TimeoutError')

function headersOf({ etag, modified }: FeedRequest): Record<string, string> {
  return {
    accept: 'text/calendar, */*;q=0.5',
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(etag === undefined && modified !== undefined && { 'if-modified-since': modified }),
  }
}

/** Where a response redirects to. @throws FaultError if that can't be a calendar */
function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = headers.get('location')
  let to: URL | undefined
  try {
    to = location === null ? undefined : new URL(location, from)
  } catch {
    // Refused below.
  }
  if (!to || (to.protocol !== 'https:' && to.protocol !== 'http:') || to.username !== '' || to.password !== '')
    throw problem('badAnswer', `${from.host} redirects to an address that can’t be a calendar. Check the address.`)
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw problem('badAnswer', `${from.host} redirects to an address without encryption. Use another address.`)
  return to
}

async function answerOf(
  response: Response,
  host: string,
  { etag, modified }: FeedRequest,
  size: number,
  cut: Cut,
  advance: () => void,
): Promise<FeedAnswer> {
  const { status, headers } = response
  if (status === 304 && (etag !== undefined || modified !== undefined)) return { kind: 'unchanged' }
  if (status === 401 || status === 403)
    throw problem('badAnswer', `${host} requires sign-in. Use the calendar’s private or public address instead.`)
  if (status === 404 || status === 410)
    throw problem('badAnswer', `${host} has no calendar at this address. Check the address.`)
  if (status !== 200) throw problem('badAnswer', `${host} returned status ${status}. Try again later.`)
  const tooLarge = (): FaultError =>
    problem(
      'badAnswer',
      `The calendar from ${host} is larger than ${Math.round(size / 1_000_000)} MB, the most that Flightplan can show.`,
    )
  if (Number(headers.get('content-length') ?? 0) > size) throw tooLarge()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of piecesUntil(cut, response.body)) {
    advance()
    if ((bytes += chunk.length) > size) throw tooLarge()
    chunks.push(chunk)
  }
  return {
    kind: 'new',
    bytes: Buffer.concat(chunks),
    etag: validator(headers.get('etag')),
    modified: validator(headers.get('last-modified')),
  }
}

const validator = (value: string | null): string | undefined =>
  value !== null && value.length <= maxValidator ? value : undefined
