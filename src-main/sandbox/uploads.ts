import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, type WriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { basename, join } from 'node:path'
import { unpackedBody } from './compression'
import type { Upload } from './operation'
import { Problem, badRequest, invalidParameter } from './problems'
import { MultipartReader } from './multipart'

/** Number of bytes of a file to inspect, and maximum length of its metadata. */
const startBytes = 256 * 1024
const metadataBytes = 1024 * 1024
const unfinished = '.part'

/** An upload in progress, with the JSON that preceded it. */
export interface Received {
  upload: Upload
  /** Metadata as JSON text. */
  json: string
  /** Deletes the file, unless the handler keeps it. */
  end(): void
}

/** Files uploaded by clients, in a folder next to the database, or in memory without one. */
export class Uploads {
  readonly #folder: string | undefined
  readonly #memory = new Map<string, Buffer>()

  constructor(dataDir: string | undefined) {
    this.#folder = dataDir && join(dataDir, 'uploads')
    if (!this.#folder || !existsSync(this.#folder)) return
    for (const name of readdirSync(this.#folder))
      if (name.endsWith(unfinished)) rmSync(join(this.#folder, name), { force: true })
  }

  /** Removes every file. */
  clear(): void {
    this.#memory.clear()
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true })
  }

  /**
   * Reads an upload while it arrives: `uploadType=media` is the plain file, `multipart` is JSON and the file.
   * @throws Problem 400 for another format, 413 above the limit. Leaves nothing behind
   */
  async receive(incoming: IncomingMessage, uploadType: string | undefined, maxBytes: number): Promise<Received> {
    const contentType = incoming.headers['content-type'] ?? 'application/octet-stream'
    const multipart = uploadType === 'multipart' || (uploadType === undefined && /^multipart\//i.test(contentType))
    if (uploadType !== undefined && uploadType !== 'media' && uploadType !== 'multipart')
      throw invalidParameter(
        `Invalid value for uploadType: ${uploadType}. It must be media or multipart.`,
        'uploadType',
      )
    if (Number(incoming.headers['content-length'] ?? 0) > maxBytes + metadataBytes) throw tooLarge()
    const sink = this.#sink(maxBytes)
    try {
      const read = multipart
        ? await readMultipart(incoming, contentType, sink)
        : { json: '', contentType: await readBare(incoming, contentType, sink) }
      await sink.close()
      const said = read.contentType.split(';')[0]!.trim() || 'application/octet-stream'
      const upload: Upload = {
        name: sink.name,
        bytes: sink.bytes,
        contentType: said,
        start: sink.start(),
        keep: sink.keep,
      }
      return {
        upload,
        json: multipart ? read.json : JSON.stringify({ assetIdentifier: bareIdentifier(said) }),
        end: sink.end,
      }
    } catch (error) {
      await sink.close()
      sink.end()
      throw error
    }
  }

  #sink(maxBytes: number): Sink {
    const name = `asset-${randomBytes(12).toString('hex')}`
    return this.#folder ? fileSink(this.#folder, name, maxBytes) : memorySink(this.#memory, name, maxBytes)
  }
}

const tooLarge = (): Problem => new Problem(413, 'uploadTooLarge', 'Request Too Large')

/** Names a file without metadata by its type. */
function bareIdentifier(contentType: string): { name: string; type: string } {
  const [family = '', kind = 'bin'] = contentType.split('/')
  const type = { image: 'IMAGE', video: 'VIDEO', audio: 'AUDIO' }[family] ?? 'HTML'
  return { name: `upload.${kind.replace(/[^a-z0-9]/gi, '') || 'bin'}`, type }
}

interface Sink {
  name: string
  bytes: number
  write(chunk: Buffer): Promise<void>
  start(): Buffer
  close(): Promise<void>
  keep(): void
  end(): void
}

/** Counts bytes and keeps the start of a file. The kind of sink decides where the bytes go. */
function sinkOf(name: string, maxBytes: number, to: Omit<Sink, 'bytes' | 'start' | 'name'>): Sink {
  const begun: Buffer[] = []
  let kept = false
  const sink: Sink = {
    name,
    bytes: 0,
    async write(chunk) {
      if (sink.bytes < startBytes) begun.push(chunk.subarray(0, startBytes - sink.bytes))
      sink.bytes += chunk.length
      if (sink.bytes > maxBytes) throw tooLarge()
      await to.write(chunk)
    },
    start: () => Buffer.concat(begun),
    close: () => to.close(),
    keep() {
      kept = true
      to.keep()
    },
    end() {
      if (!kept) to.end()
    },
  }
  return sink
}

function memorySink(memory: Map<string, Buffer>, name: string, maxBytes: number): Sink {
  const chunks: Buffer[] = []
  return sinkOf(name, maxBytes, {
    write: (chunk) => Promise.resolve(void chunks.push(chunk)),
    close: () => Promise.resolve(),
    keep: () => void memory.set(name, Buffer.concat(chunks)),
    end: () => void (chunks.length = 0),
  })
}

function fileSink(folder: string, name: string, maxBytes: number): Sink {
  const path = join(folder, basename(name))
  mkdirSync(folder, { recursive: true })
  let stream: WriteStream | undefined
  let failed: Error | undefined
  const opened = (): WriteStream => {
    stream ??= createWriteStream(path + unfinished).on('error', (error) => (failed = error))
    return stream
  }
  return sinkOf(name, maxBytes, {
    async write(chunk) {
      if (failed) throw failed
      if (!opened().write(chunk)) await once(opened(), 'drain')
    },
    async close() {
      const open = opened()
      if (open.closed) return
      open.end()
      if (!open.closed) await once(open, 'close')
      if (failed) throw failed
    },
    keep: () => renameSync(path + unfinished, path),
    end: () => rmSync(path + unfinished, { force: true }),
  })
}

async function readBare(incoming: IncomingMessage, contentType: string, sink: Sink): Promise<string> {
  for await (const chunk of unpackedBody(incoming)) await sink.write(chunk)
  return contentType
}

/** @throws Problem 400 `parseError` for invalid UTF-8 */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem(400, 'parseError', 'Parse Error')
  }
}

/** JSON first, then the file: `multipart/related` (RFC 2387). */
async function readMultipart(
  incoming: IncomingMessage,
  contentType: string,
  sink: Sink,
): Promise<{ json: string; contentType: string }> {
  const boundary = /^multipart\/.*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  if (!boundary) throw badRequest('A multipart upload needs a boundary.')
  const reader = new MultipartReader((boundary[1] ?? boundary[2])!)
  const json: Buffer[] = []
  let part = 0
  let length = 0
  let fileType = ''
  const take = async (chunk: Buffer): Promise<void> => {
    for (const event of reader.push(chunk)) {
      if (event.kind === 'part') {
        part++
        if (part === 1 && !/json/i.test(event.headers.get('content-type') ?? 'json'))
          throw badRequest('The first part of a multipart upload must be JSON.')
        if (part === 2) fileType = event.headers.get('content-type') ?? ''
        if (part === 2 && /base64/i.test(event.headers.get('content-transfer-encoding') ?? ''))
          throw badRequest('The file must come as it is, not in base64.')
        if (part > 2) throw badRequest('A multipart upload has two parts.')
      } else if (part === 1) {
        length += event.bytes.length
        if (length > metadataBytes) throw tooLarge()
        json.push(event.bytes)
      } else await sink.write(event.bytes)
    }
  }
  for await (const chunk of unpackedBody(incoming)) await take(chunk)
  if (!reader.ended || part !== 2) throw badRequest('The multipart upload is incomplete: it needs JSON and a file.')
  return { json: textOf(Buffer.concat(json)), contentType: fileType }
}
