import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { FaultError } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { privateFolder, savePrivate } from '../disk/private'
import type { Library } from './library'

const maxEntries = 10_000

/** List in one file per account, written atomically. Changes are serialized. */
export class StoredList<T> {
  readonly #library: Library
  readonly #name: string
  readonly #field: string
  readonly #file: z.ZodType<{ version: 1; [field: string]: unknown }>
  #writing: Promise<unknown> = Promise.resolve()

  /** `name`: file name. `field`: property that contains the list. */
  constructor(library: Library, name: string, field: string, entry: z.ZodType<T>) {
    this.#library = library
    this.#name = name
    this.#field = field
    this.#file = z.object({ version: z.literal(1), [field]: z.array(entry).max(maxEntries) }) as never
  }

  /** @throws FaultError `storage` if the file can't be read or is invalid */
  async list(accountId: string): Promise<T[]> {
    const path = this.#library.accountFile(accountId, this.#name)
    let text
    try {
      text = await readFile(path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw storageFault(error, 'Nothing changed.')
    }
    const read = this.#file.safeParse(jsonOf(text))
    if (read.success) return read.data[this.#field] as T[]
    // Overwriting it would lose what a later version stored.
    throw new FaultError({
      code: 'storage',
      message: `Couldn’t read ${path}. The file is unchanged. Move it elsewhere to start over.`,
    })
  }

  /** Saves the list that `change` returns. @throws FaultError `storage`; `invalid` if it's too long */
  change<A>(accountId: string, change: (all: T[]) => { all: T[]; answer: A }): Promise<A> {
    const work = async (): Promise<A> => {
      const { all, answer } = change(await this.list(accountId))
      // A longer list would fail validation on the next read.
      if (all.length > maxEntries)
        throw new FaultError({
          code: 'invalid',
          message: `You can save up to ${maxEntries.toLocaleString('en')} entries. Nothing changed.`,
        })
      const path = this.#library.accountFile(accountId, this.#name)
      await privateFolder(dirname(path)).catch((error: unknown) => {
        throw storageFault(error, 'The change isn’t saved.')
      })
      await savePrivate(path, [JSON.stringify({ version: 1, [this.#field]: all })])
      return answer
    }
    const next = this.#writing.then(work, work)
    this.#writing = next.catch(() => undefined)
    return next
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
