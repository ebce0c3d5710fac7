import { chmod, lstat, mkdir, open, readdir, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { saveFile } from '../exports/save-file'

/**
 * Modes with which only the owner may read the app's own files, wherever the profile is. Windows has no such modes, but its user
 * profiles are private.
 */
const folderMode = 0o700
const fileMode = 0o600

/** Creates the folder and its missing parents. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: folderMode })
}

/** Writes a file completely or not at all, and flushes it. @throws FaultError `storage` */
export async function savePrivate(path: string, chunks: Iterable<string | Uint8Array>): Promise<void> {
  await saveFile(path, chunks, undefined, fileMode)
}

/** Flushes a folder, so that new, renamed, and deleted names survive a power cut. Not every system supports this. */
export async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close().catch(() => undefined)
}

/** Opens a file with the `flags` of `fs.open`. A new file belongs only to its owner. */
export const openPrivate = (path: string, flags: string): Promise<FileHandle> => open(path, flags, fileMode)

/**
 * Restricts a file or a complete folder to its owner, because an earlier version allowed others to read it. Doesn't
 * follow links.
 */
export async function restrict(path: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    const found = await lstat(path)
    if (found.isDirectory()) {
      await chmod(path, folderMode)
      await Promise.all((await readdir(path)).map((name) => restrict(join(path, name))))
    } else if (found.isFile()) await chmod(path, fileMode)
  } catch {
    // The file is missing or belongs to someone else, so there's nothing to fix.
  }
}
