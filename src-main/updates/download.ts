import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { FaultError, type FaultCode } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { openPrivate } from '../disk/private'
import { Cut, fetchUntil, piecesUntil } from '../http/cut'
import type { Fetch } from '../http/send'

export interface DownloadLimits {
  /** Milliseconds without a byte after which a download ends. */
  stall: number
  /** Milliseconds for a whole download of this size in bytes, so that none drips forever: at least 20 KB per second. */
  total: (bytes: number) => number
}
const usual: DownloadLimits = { stall: 60_000, total: (bytes) => 60_000 + bytes / 20 }

/**
 * Reads a small file of the update server.
 * @throws FaultError `unreachable` | `badAnswer` | `offline`
 */
export async function downloadText(
  fetch: Fetch,
  url: URL,
  maxBytes: number,
  limits: DownloadLimits = usual,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  await download(fetch, url, { stall: limits.stall, total: limits.total(maxBytes) }, (chunk) => {
    bytes += chunk.length
    if (bytes > maxBytes) throw problem('badAnswer', 'The list of updates is too large.')
    chunks.push(chunk)
  })
  return Buffer.concat(chunks)
}

/**
 * Downloads a file completely, with the given size and checksum, or leaves nothing.
 * @throws FaultError `unreachable` | `badAnswer` | `storage` | `offline`
 */
export async function downloadFile(
  fetch: Fetch,
  url: URL,
  path: string,
  { sha512, size }: { sha512: string; size: number },
  limits: DownloadLimits = usual,
): Promise<void> {
  const hash = createHash('sha512')
  let bytes = 0
  let whole = false
  try {
    const file = await openPrivate(path, 'w').catch((error: unknown) => {
      throw storageFault(error, unchanged)
    })
    try {
      await download(fetch, url, { stall: limits.stall, total: limits.total(size) }, async (chunk) => {
        bytes += chunk.length
        if (bytes > size) throw problem('badAnswer', 'The update is larger than announced.')
        hash.update(chunk)
        await file.writeFile(chunk).catch((error: unknown) => {
          throw storageFault(error, unchanged)
        })
      })
      if (bytes < size) throw problem('unreachable', 'The update wasn’t downloaded completely.')
      if (hash.digest('base64') !== sha512) throw problem('badAnswer', 'The downloaded update is damaged.')
      await file.sync()
      whole = true
    } finally {
      await file.close()
    }
  } finally {
    if (!whole) await rm(path, { force: true })
  }
}

const unchanged = 'The update wasn’t downloaded.'

/** Redirects aren't followed: the feed's own server must have everything. */
async function download(
  fetch: Fetch,
  url: URL,
  { stall, total }: { stall: number; total: number },
  take: (chunk: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const cut = new Cut()
  const late = (): void => cut.now(new DOMException('The download stalled.', 'TimeoutError'))
  const end = setTimeout(late, total)
  let timer = setTimeout(late, stall)
  const advance = (): void => {
    clearTimeout(timer)
    timer = setTimeout(late, stall)
  }
  let began = false
  try {
    const init = { redirect: 'manual', credentials: 'omit', cache: 'no-store', signal: cut.signal } as const
    const response = await fetchUntil(cut, fetch(url.href, init))
    if (response.status >= 300 && response.status < 400)
      throw problem('badAnswer', 'The update server redirects to another address.')
    if (response.status !== 200) throw problem('badAnswer', `The update server returned status ${response.status}.`)
    began = true
    for await (const chunk of piecesUntil(cut, response.body)) {
      advance()
      await take(chunk)
    }
  } catch (error) {
    if (error instanceof FaultError) throw error
    const words = began ? 'The update wasn’t downloaded completely.' : 'Can’t reach the update server.'
    throw new FaultError({ code: 'unreachable', message: words }, { cause: error })
  } finally {
    clearTimeout(timer)
    clearTimeout(end)
    cut.now(new DOMException('The request has ended.', 'AbortError'))
  }
}

const problem = (code: FaultCode, message: string): FaultError => new FaultError({ code, message })
