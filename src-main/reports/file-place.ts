import { mkdir, readdir, stat } from 'node:fs/promises'
import { storageFault } from '#shared/storage-words'

/** Where files of runs are kept: with their runs, or in another folder, which may not be there. */
export interface FilePlace {
  readonly root: string
  /** Another process may have changed it. */
  reread(): Promise<void>
  /** @throws FaultError `storage` where nothing can be kept there now */
  need(): Promise<void>
  /** Files of an account that are there still are to go once they can. */
  owe(account: string): Promise<void>
}

/** With their runs, in a folder that is made where it is missing. */
export const besides = (root: string): FilePlace => ({
  root,
  reread: () => Promise.resolve(),
  need: () => Promise.resolve(),
  owe: () => Promise.resolve(),
})

/** Names of folders in a folder; none where it is not there. @throws FaultError `storage` */
export async function foldersIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path, { withFileTypes: true })).flatMap((one) => (one.isDirectory() ? one.name : []))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw storageFault(error, 'Nothing changed.')
  }
}

/** Makes one folder, unless it is there. @throws as `mkdir` */
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
