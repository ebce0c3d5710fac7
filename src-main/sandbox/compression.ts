import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { constants, createGunzip, gzip } from 'node:zlib'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Problem } from './problems'

/**
 * The unpacked chunks of a body: Java’s and .NET’s clients compress. Leaves the connection open for an error response, however
 * much of the body was read.
 * @throws Problem 400 `parseError` for a damaged body, 415 for an unknown compression
 */
export async function* unpackedBody(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  const coding = incoming.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (coding === 'identity') return yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new Problem(415, 'unsupportedMediaType', 'Unsupported content encoding.')
  const unpacker = createGunzip()
  incoming.on('error', (error) => unpacker.destroy(error)).pipe(unpacker)
  try {
    yield* unpacker as AsyncIterable<Buffer>
  } catch (error) {
    throw String((error as NodeJS.ErrnoException).code).startsWith('Z_')
      ? new Problem(400, 'parseError', 'Parse Error')
      : error
  }
}

const packed = promisify(gzip)
/** Minimum size of a compressed response, in bytes. */
const minSize = 1024

/** Compresses a response if the client accepts that. */
export async function compressed(request: Request, response: Response): Promise<Response> {
  if (response === RESPONSE_ALREADY_SENT) return response
  response.headers.append('Vary', 'Accept-Encoding')
  if (!response.body || response.status === 206 || !acceptsGzip(request.headers.get('accept-encoding') ?? ''))
    return response
  const bytes = Buffer.from(await response.arrayBuffer())
  if (bytes.length < minSize) return new Response(bytes, response)
  const { headers } = response
  headers.set('Content-Encoding', 'gzip')
  // Ranges are those of the uncompressed file: a weak etag can't request one.
  if (headers.has('Accept-Ranges') && headers.has('ETag')) headers.set('ETag', `W/${headers.get('ETag')}`)
  return new Response(await packed(bytes, { level: constants.Z_BEST_SPEED }), response)
}

/** RFC 9110, section 12.5.3. */
function acceptsGzip(header: string): boolean {
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((entry) => {
        const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
      }),
  )
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}
