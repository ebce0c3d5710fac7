import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FaultError } from '#shared/fault'
import { safeStem } from '#shared/reports/file-names'
import { storageFault } from '#shared/storage-words'
import { partName } from './left-parts'

/**
 * Writes a temporary sibling, flushes it, and renames it, so that a file with the final name is always complete. A failed or
 * canceled write leaves nothing. `mode` is subject to the umask. `place` renames the file. @returns the number of bytes
 * @throws FaultError `storage` | `aborted`
 */
export async function saveFile(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
  mode = 0o666,
  place: (from: string, to: string) => Promise<void> = rename,
): Promise<number> {
  const beside = join(dirname(path), partName(basename(path)))
  let bytes = 0
  try {
    // wx: a name that exists, a link that someone put there, is never followed.
    const file = await open(beside, 'wx', mode)
    try {
      for await (const chunk of chunks) {
        if (signal?.aborted) throw new FaultError({ code: 'aborted', message: 'Canceled. Nothing was saved.' })
        const data = Buffer.from(chunk)
        await file.writeFile(data)
        bytes += data.length
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await place(beside, path)
    return bytes
  } catch (error) {
    await rm(beside, { force: true })
    throw storageFault(error, 'Nothing was saved, and any existing file is unchanged.')
  }
}

/** A file name that's valid on every system and stays in its folder. `extension` includes the dot. */
export const safeFileName = (name: string, extension: string): string =>
  `${safeStem(name.replace(new RegExp(`\\${extension}$`, 'i'), ''))}${extension}`
