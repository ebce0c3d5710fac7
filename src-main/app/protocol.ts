import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol, type Session } from 'electron'

export const appOrigin = 'app://flightplan'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** The renderer does no network at all; scripts come from the package, styles too, and HTML only through a policy. */
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

/** Before the app is ready: a standard, secure scheme, so that IndexedDB and modules work without file://. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
}

/** The packaged file an address names, or undefined when it names anything else. */
export function packagedFile(folder: string, address: string): string | undefined {
  let path: string
  try {
    const url = new URL(address)
    if (url.protocol !== 'app:' || url.host !== 'flightplan') return undefined
    path = decodeURIComponent(url.pathname)
  } catch {
    return undefined
  }
  if (path.includes('\0') || path.includes('\\') || path.split('/').includes('..')) return undefined
  const file = normalize(join(folder, path === '/' ? 'index.html' : path))
  if (!file.startsWith(folder + sep) || types[extname(file)] === undefined) return undefined
  return file
}

/** Serves the built renderer and nothing else. */
export function serveRenderer(session: Session, folder: string): void {
  session.protocol.handle('app', async (request) => {
    const file = request.method === 'GET' ? packagedFile(folder, request.url) : undefined
    if (!file) return new Response('Not found', { status: 404 })
    try {
      const body = await readFile(file)
      return new Response(body, {
        headers: {
          'content-type': types[extname(file)]!,
          'content-security-policy': contentSecurityPolicy,
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-cache',
        },
      })
    } catch {
      return new Response('Not found', { status: 404 })
    }
  })
}
