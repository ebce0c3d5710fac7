import { readFile } from 'node:fs/promises'
import { protocol, type Session } from 'electron'
import { packagedFile, typeOfFile } from './packaged-file'

export const appOrigin = 'app://flightplan'

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

/** Serves the built renderer and nothing else. @returns settled once it was asked for the page and has answered */
export function serveRenderer(session: Session, folder: string): Promise<void> {
  const answer = async (request: Request): Promise<Response> => {
    const file = request.method === 'GET' ? packagedFile(folder, request.url) : undefined
    if (!file) return new Response('Not found', { status: 404 })
    try {
      const body = await readFile(file)
      return new Response(body, {
        headers: {
          'content-type': typeOfFile(file)!,
          'content-security-policy': contentSecurityPolicy,
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-cache',
        },
      })
    } catch {
      return new Response('Not found', { status: 404 })
    }
  }
  return new Promise((answered) => {
    session.protocol.handle('app', (request) =>
      // Not before the answer has left.
      answer(request).finally(() => setImmediate(answered)),
    )
  })
}
