import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { checkedBaseUrl } from '../http/address'

/** Where updates come from, and who must have signed them. */
export interface FeedSource {
  /** The folder of the feed, with a slash at its end. */
  folder: URL
  /** Ed25519. */
  publicKey: KeyObject
}

const fileSchema = z.object({ url: z.string().max(2_000), publicKey: z.string().max(2_000) })

/** The file that was added when the app was packaged. Undefined if there is none or it can't be used. */
export async function builtInFeed(path: string): Promise<FeedSource | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const { url, publicKey } = fileSchema.parse(JSON.parse(text))
    return feedSource(url, publicKey)
  } catch (error) {
    console.error(`Ignored the built-in update server: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/**
 * @param publicKey in PEM
 * @throws RangeError or an error of the key
 */
export function feedSource(url: string, publicKey: string): FeedSource {
  const folder = checkedBaseUrl(url.endsWith('/') ? url : `${url}/`)
  const key = createPublicKey(publicKey)
  if (key.asymmetricKeyType !== 'ed25519') throw new RangeError('The update key must be an Ed25519 key.')
  return { folder, publicKey: key }
}
