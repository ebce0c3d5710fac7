import { readFile } from 'node:fs/promises'
import { packagedFile, typeOfFile } from './packaged-file'

export const appOrigin = 'app://flightplan'

/**
 * The renderer has no network access. Scripts and styles come from the package, and HTML passes through a trusted-types
 * policy.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "worker-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types flightplan svelte-trusted-html',
].join('; ')

/** A file of the built renderer with its headers. Undefined for any other address. */
export async function rendererFile(
  folder: string,
  address: string,
): Promise<{ body: Buffer; headers: Record<string, string> } | undefined> {
  const file = packagedFile(folder, address)
  const body = file && (await readFile(file).catch(() => undefined))
  if (!body) return undefined
  return {
    body,
    headers: {
      'content-type': typeOfFile(file)!,
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    },
  }
}
