import { randomUUID } from 'node:crypto'
import type { Json } from '#shared/json'

export interface UploadFile {
  contentType: string
  /** All bytes, or chunks read from a file. */
  bytes: Uint8Array | AsyncIterable<Uint8Array>
}

/** A `multipart/related` body: the metadata as JSON, then the file (creativeAssets.insert). */
export function uploadBody(
  metadata: Json,
  file: UploadFile,
): { contentType: string; body: Uint8Array | ReadableStream<Uint8Array> } {
  const boundary = `flightplan-${randomUUID()}`
  const head = Buffer.from(
    `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n` +
      `--${boundary}\r\nContent-Type: ${file.contentType}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const { bytes } = file
  const body =
    bytes instanceof Uint8Array ? new Uint8Array(Buffer.concat([head, bytes, tail])) : streamOf(head, bytes, tail)
  return { contentType: `multipart/related; boundary=${boundary}`, body }
}

function streamOf(head: Uint8Array, bytes: AsyncIterable<Uint8Array>, tail: Uint8Array): ReadableStream<Uint8Array> {
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head
    yield* bytes
    yield tail
  }
  const pieces = all()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}
