import type { FileHandle } from 'node:fs/promises'

/**
 * Writes all bytes from a position on. A disk that has room for some of them takes those and says nothing.
 * @throws as the system says it, `ENOSPC` where it takes none
 */
export async function writeWhole(file: Pick<FileHandle, 'write'>, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written)
    if (bytesWritten === 0) throw Object.assign(new Error('No space'), { code: 'ENOSPC' })
    written += bytesWritten
  }
}
