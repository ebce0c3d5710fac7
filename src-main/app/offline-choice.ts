import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { savePrivate } from '../disk/private'

const choiceSchema = z.object({ offline: z.boolean() })

/** Persists offline mode: a restart must not put someone online who chose to be offline. */
export class OfflineChoice {
  readonly #path: string
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#path = join(folder, 'offline.json')
  }

  /** Returns false (online) if nothing was chosen, or it can't be read. */
  async read(): Promise<boolean> {
    try {
      return choiceSchema.parse(JSON.parse(await readFile(this.#path, 'utf8'))).offline
    } catch {
      return false
    }
  }

  /** Serializes writes. On a full disk, the choice lasts until the app quits. */
  async keep(offline: boolean): Promise<void> {
    this.#writing = this.#writing.then(() =>
      savePrivate(this.#path, [JSON.stringify({ offline })]).catch(() => undefined),
    )
    await this.#writing
  }
}
