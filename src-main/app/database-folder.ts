import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { storageFault } from '#shared/storage-words'
import { partName } from '../exports/left-parts'

/** Minimum free space for a new database, in bytes. */
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
   * Moves aside databases that can’t be opened, and deletes those moved in an earlier run. A second call in this run, for
   * another account, moves nothing, because the folder then has new ones. Returns their location, or null if there were none.
   * @throws FaultError `storage` if the disk is full or fails, so that the databases aren't damaged
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
