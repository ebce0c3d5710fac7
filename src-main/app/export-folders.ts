import { join } from 'node:path'
import { z } from 'zod'
import { KeptFile } from '../disk/kept-file'
import { clearLeftParts } from '../exports/left-parts'

const maxFolders = 200

/** Folders with exported files, so that the next start can delete partial files in them. */
export class ExportFolders {
  readonly #file: KeptFile<string[]>

  constructor(userData: string) {
    this.#file = new KeptFile(join(userData, 'export-folders.json'), z.array(z.string()).max(10_000), { missing: [] })
  }

  /** Notes a folder before something is written there. If that fails, the export continues. */
  async note(folder: string): Promise<void> {
    if ((await this.#file.read()).at(-1) === folder) return
    const noted = this.#file.change((known) => [...known.filter((one) => one !== folder), folder].slice(-maxFolders))
    await noted.catch(() => undefined)
  }

  /** Deletes partial files of ended Flightplan processes. No other program uses such names. */
  async clear(): Promise<void> {
    for (const folder of await this.#file.read()) await clearLeftParts(folder).catch(() => undefined)
  }
}
