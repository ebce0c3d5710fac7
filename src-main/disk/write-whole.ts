import type { FileHandle } from 'node:fs/promises'

/**
 * Writes all bytes from a position on. A nearly full disk may write only some of them without an error.
 * @throws the system's error, such as `ENOSPC`
 */
export async function writeWhole(file: Pick<FileHandle, 'write'>, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written)
    if (bytesWritten === 0) throw Object.assign(new Error('No space'), { code: 'ENOSPC' })
    written += bytesWritten
  }
}
