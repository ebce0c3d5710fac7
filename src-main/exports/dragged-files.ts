import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SerialQueue } from '#shared/serial-queue'
import { storageFault } from '#shared/storage-words'
import { safeFileName, saveFile } from './save-file'

/**
 * Files that are dragged out of the window. The other app may copy a file a little later, so each one stays until the second
 * drag after it, or until the app ends.
 */
export class DraggedFiles {
  readonly #folder: string
  readonly #writes = new SerialQueue()
  #last: { folder: string; path: string } | undefined

  constructor(userData: string) {
    this.#folder = join(userData, 'dragged')
  }

  /** Deletes all files. One that another app keeps open is left for the next time. */
  async clear(): Promise<void> {
    this.#last = undefined
    await remove(this.#folder)
  }

  /** Writes the file to drag next. @throws FaultError `storage` */
  write(name: string, extension: string, chunks: Iterable<string>): Promise<void> {
    return this.#writes.run(async () => {
      const folder = randomUUID()
      const before = this.#last?.folder
      await mkdir(join(this.#folder, folder), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw storageFault(error, 'The event wasn’t exported.')
      })
      const path = join(this.#folder, folder, safeFileName(name, extension))
      await saveFile(path, chunks, undefined, 0o600)
      this.#last = { folder, path }
      for (const other of await readdir(this.#folder))
        if (other !== folder && other !== before) await remove(join(this.#folder, other))
    })
  }

  /** The path of the file that was written last. */
  get path(): string | undefined {
    return this.#last?.path
  }
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true }).catch(() => undefined)
