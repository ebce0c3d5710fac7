import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { savePrivate } from '../disk/private'
import type { OpenChannel } from '../watch/channels'

const channelsSchema = z.array(z.object({ accountId: z.string(), id: z.string(), resourceId: z.string() }))

/** Open watch channels, stored so that the next start can stop those that a crash left open. */
export class OpenChannels {
  readonly #path: string
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#path = join(folder, 'open-channels.json')
  }

  async read(): Promise<OpenChannel[]> {
    try {
      return channelsSchema.parse(JSON.parse(await readFile(this.#path, 'utf8')))
    } catch {
      return []
    }
  }

  /** Serializes writes. A channel whose note is lost expires on its own. */
  keep(open: readonly OpenChannel[]): void {
    this.#writing = this.#writing.then(() => savePrivate(this.#path, [JSON.stringify(open)]).catch(() => undefined))
  }

  async settled(): Promise<void> {
    await this.#writing
  }
}
