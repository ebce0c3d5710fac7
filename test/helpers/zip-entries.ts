import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'

interface Entry {
  fileName: string
}
interface Zip {
  eachEntry(): AsyncIterable<Entry>
  openReadStreamPromise(entry: Entry): Promise<Readable>
}
// The package has no types.
const yauzl = createRequire(import.meta.url)('yauzl') as { fromBufferPromise(bytes: Uint8Array): Promise<Zip> }

/** An archive's files by path, as text. */
export async function zipEntries(bytes: Uint8Array): Promise<Map<string, string>> {
  const zip = await yauzl.fromBufferPromise(bytes)
  const texts = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    texts.set(entry.fileName, Buffer.concat(chunks).toString())
  }
  return texts
}
