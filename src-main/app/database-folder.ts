import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { storageFault } from '#shared/storage-words'
import { partName } from '../exports/left-parts'

/** Free space that a new database needs at least, in bytes. */
const spaceNeeded = 4 * 1_048_576

/** The folder of all local databases, which belongs to Chromium. */
export class DatabaseFolder {
  readonly #userData: string
  readonly #aside: string
  #moved: Promise<string | null> | undefined

  constructor(userData: string) {
    this.#userData = userData
    this.#aside = join(userData, 'IndexedDB damaged')
  }

  /**
   * Moves aside databases that can’t be opened, and deletes those of an earlier run. Called again in this run, for another
   * account, it moves nothing: by then, the folder has new ones. Returns where they are, or null if there were none.
   * @throws FaultError `storage` if the disk is full or fails, which is then the reason, and not damage
   */
  setAside(): Promise<string | null> {
    this.#moved ??= this.#move().catch((error: unknown) => {
      this.#moved = undefined
      throw storageFault(error, 'Nothing changed.')
    })
    return this.#moved
  }

  /** Deletes databases that were moved aside. */
  forget(): Promise<void> {
    return rm(this.#aside, { recursive: true, force: true })
  }

  async #move(): Promise<string | null> {
    const folder = join(this.#userData, 'IndexedDB')
    const exists = await stat(folder).then(
      () => true,
      () => false,
    )
    if (!exists) return null
    await this.#probe()
    await this.forget()
    await rename(folder, this.#aside)
    return this.#aside
  }

  /** Writes to the disk. */
  async #probe(): Promise<void> {
    const path = join(this.#userData, partName('space'))
    try {
      const file = await open(path, 'wx', 0o600)
      try {
        await file.writeFile(Buffer.alloc(spaceNeeded))
        await file.sync()
      } finally {
        await file.close()
      }
    } finally {
      await rm(path, { force: true })
    }
  }
}
