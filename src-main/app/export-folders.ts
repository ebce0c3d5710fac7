import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { savePrivate } from '../disk/private'
import { clearLeftParts } from '../exports/left-parts'

const maxFolders = 200
const listSchema = z.array(z.string()).max(10_000)

/** Folders with exported files, so that the next start can delete partial files in them. */
export class ExportFolders {
  readonly #path: string
  #known: string[] | undefined
  #order: Promise<unknown> = Promise.resolve()

  constructor(userData: string) {
    this.#path = join(userData, 'export-folders.json')
  }

  /** Notes a folder before something is written there. If that fails, the export continues. */
  note(folder: string): Promise<void> {
    return this.#inOrder(async () => {
      const known = await this.#read()
      if (known.at(-1) === folder) return
      this.#known = [...known.filter((one) => one !== folder), folder].slice(-maxFolders)
      await savePrivate(this.#path, [JSON.stringify(this.#known)])
    })
  }

  /** Deletes partial files of ended Flightplan processes. No other program uses such names. */
  clear(): Promise<void> {
    return this.#inOrder(async () => {
      for (const folder of await this.#read()) await clearLeftParts(folder)
    })
  }

  async #read(): Promise<string[]> {
    if (this.#known) return this.#known
    try {
      this.#known = listSchema.parse(JSON.parse(await readFile(this.#path, 'utf8')))
    } catch {
      this.#known = []
    }
    return this.#known
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const next = this.#order.then(work).catch(() => undefined)
    this.#order = next
    return next
  }
}
