import { mkdir, readdir, stat } from 'node:fs/promises'
import { storageFault } from '#shared/storage-words'

/** Location of run files: with their records, or in another folder, which may be unavailable. */
export interface FilePlace {
  readonly root: string
  /** Reads the setting again, because another process may have changed it. */
  reread(): Promise<void>
  /** @throws FaultError `storage` if the location is unavailable */
  need(): Promise<void>
  /** Remembers to delete an account's files once they're reachable. */
  noteRemoved(account: string): Promise<void>
}

/** Location next to the run records, in a folder that's created if missing. */
export const besides = (root: string): FilePlace => ({
  root,
  reread: () => Promise.resolve(),
  need: () => Promise.resolve(),
  noteRemoved: () => Promise.resolve(),
})

/** Names of subfolders, or none if the folder doesn't exist. @throws FaultError `storage` */
export async function foldersIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path, { withFileTypes: true })).flatMap((one) => (one.isDirectory() ? one.name : []))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw storageFault(error, 'Nothing changed.')
  }
}

/** Creates a folder unless it exists, without its parents. @throws as `mkdir` */
export async function madeIn(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  })
}

export const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
