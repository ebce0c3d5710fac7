import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { FaultError } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { privateFolder, savePrivate } from '../disk/private'
import type { Library } from './library'

const definitionSchema = z.object({
  id: z.string().min(1).max(80),
  name: z.string().max(1_000),
  /** The request as it is sent to the service. */
  request: z.record(z.string(), z.unknown()),
  /** Epoch milliseconds. */
  changed: z.number().int(),
})
export type SearchDefinition = z.infer<typeof definitionSchema>
const fileSchema = z.object({ version: z.literal(1), definitions: z.array(definitionSchema).max(10_000) })

/** Definitions of search reports: the service keeps none, so they are kept on this computer, a file for each account. */
export class SearchDefinitions {
  readonly #library: Library
  readonly #now: () => number
  #writing: Promise<unknown> = Promise.resolve()

  constructor(library: Library, now: () => number) {
    this.#library = library
    this.#now = now
  }

  /** By name. @throws FaultError `storage` where the file cannot be read or is none */
  async list(accountId: string): Promise<SearchDefinition[]> {
    const found = await this.#read(accountId)
    return found.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
  }

  /** A new one without an id. @throws FaultError `storage` */
  keep(
    accountId: string,
    wanted: Omit<SearchDefinition, 'id' | 'changed'> & { id?: string },
  ): Promise<SearchDefinition> {
    return this.#change(accountId, (all) => {
      const kept = { ...wanted, id: wanted.id ?? randomUUID(), changed: this.#now() }
      return { all: [...all.filter(({ id }) => id !== kept.id), kept], answer: kept }
    })
  }

  /** @throws FaultError `storage` */
  remove(accountId: string, definitionId: string): Promise<null> {
    return this.#change(accountId, (all) => ({ all: all.filter(({ id }) => id !== definitionId), answer: null }))
  }

  async #read(accountId: string): Promise<SearchDefinition[]> {
    let text
    try {
      text = await readFile(this.#path(accountId), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw storageFault(error, 'Nothing was changed.')
    }
    const read = fileSchema.safeParse(jsonOf(text))
    if (read.success) return read.data.definitions
    // Written over, what a later version knows would be lost.
    throw new FaultError({
      code: 'storage',
      message: `${this.#path(accountId)} cannot be read. It is as it was; move it away to start anew.`,
    })
  }

  #change<T>(
    accountId: string,
    change: (all: SearchDefinition[]) => { all: SearchDefinition[]; answer: T },
  ): Promise<T> {
    const work = async (): Promise<T> => {
      const { all, answer } = change(await this.#read(accountId))
      const path = this.#path(accountId)
      await privateFolder(dirname(path)).catch((error: unknown) => {
        throw storageFault(error, 'It was not kept.')
      })
      await savePrivate(path, [JSON.stringify({ version: 1, definitions: all })])
      return answer
    }
    const next = this.#writing.then(work, work)
    this.#writing = next.catch(() => undefined)
    return next
  }

  #path(accountId: string): string {
    return this.#library.accountFile(accountId, 'search-reports.json')
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
