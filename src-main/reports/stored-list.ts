import { z } from 'zod'
import { FaultError } from '#shared/fault'
import { KeptFile } from '../disk/kept-file'
import type { Library } from './library'

const maxEntries = 10_000

/** List in one file per account, written atomically. Changes are serialized. */
export class StoredList<T> {
  readonly #library: Library
  readonly #name: string
  readonly #field: string
  readonly #schema: z.ZodType<{ version: 1; [field: string]: unknown }>
  readonly #files = new Map<string, KeptFile<{ version: 1; [field: string]: unknown }>>()

  /** `name`: file name. `field`: property that contains the list. */
  constructor(library: Library, name: string, field: string, entry: z.ZodType<T>) {
    this.#library = library
    this.#name = name
    this.#field = field
    this.#schema = z.object({ version: z.literal(1), [field]: z.array(entry).max(maxEntries) }) as never
  }

  /** @throws FaultError `storage` if the file can't be read or is invalid */
  async list(accountId: string): Promise<T[]> {
    return [...((await this.#file(accountId).read())[this.#field] as T[])]
  }

  /** Saves the list that `change` returns. @throws FaultError `storage`; `invalid` if it's too long */
  async change<A>(accountId: string, change: (all: T[]) => { all: T[]; answer: A }): Promise<A> {
    let result: { all: T[]; answer: A } | undefined
    await this.#file(accountId).change((kept) => {
      result = change(kept[this.#field] as T[])
      // A longer list would fail validation on the next read.
      if (result.all.length > maxEntries)
        throw new FaultError({
          code: 'invalid',
          message: `You can save up to ${maxEntries.toLocaleString('en')} entries. Nothing changed.`,
        })
      return { version: 1, [this.#field]: result.all }
    })
    return result!.answer
  }

  #file(accountId: string): KeptFile<{ version: 1; [field: string]: unknown }> {
    const path = this.#library.accountFile(accountId, this.#name)
    const file =
      this.#files.get(path) ??
      new KeptFile(path, this.#schema, {
        missing: { version: 1, [this.#field]: [] },
        whenUnreadable: {
          disk: 'Nothing changed.',
          content: (place) => `Couldn’t read ${place}. The file is unchanged. Move it elsewhere to start over.`,
        },
      })
    this.#files.set(path, file)
    return file
  }
}
