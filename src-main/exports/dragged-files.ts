import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { safeFileName, saveFile } from './save-file'

/**
 * Files that are dragged out of the window. What they are dropped on may copy them a little later, so each stays until the
 * second drag after it, or until the app ends.
 */
export class DraggedFiles {
  readonly #folder: string
  #last: { folder: string; path: string } | undefined

  constructor(userData: string) {
    this.#folder = join(userData, 'dragged')
  }

  /** Deletes what an ended process left. */
  async clear(): Promise<void> {
    this.#last = undefined
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Writes the file to drag next. @throws FaultError `storage` */
  async write(name: string, extension: string, chunks: Iterable<string>): Promise<void> {
    const folder = randomUUID()
    const before = this.#last?.folder
    await mkdir(join(this.#folder, folder), { recursive: true, mode: 0o700 })
    const path = join(this.#folder, folder, safeFileName(name, extension))
    await saveFile(path, chunks, undefined, 0o600)
    this.#last = { folder, path }
    for (const other of await readdir(this.#folder))
      if (other !== folder && other !== before) await rm(join(this.#folder, other), { recursive: true, force: true })
  }

  /** The path of the file that was written last. */
  get path(): string | undefined {
    return this.#last?.path
  }
}
