import { protocol, type Session } from 'electron'
import { rendererFile } from './renderer-files'

/** Declares a standard, secure scheme, so that IndexedDB and modules work without file://. Call before the app is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
}

/**
 * Serves the built renderer and nothing else.
 * @returns a promise that resolves once the page has been served
 */
export function serveRenderer(session: Session, folder: string): Promise<void> {
  const answer = async (request: Request): Promise<Response> => {
    const file = request.method === 'GET' ? await rendererFile(folder, request.url) : undefined
    return file ? new Response(file.body, { headers: file.headers }) : new Response('Not found', { status: 404 })
  }
  return new Promise((answered) => {
    session.protocol.handle('app', (request) =>
      // Not before the answer has left.
      answer(request).finally(() => setImmediate(answered)),
    )
  })
}
