import { safeParse } from '#shared/safe-parse'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { FaultError } from '#shared/fault'
import { SerialQueue } from '#shared/serial-queue'
import { storageFault } from '#shared/storage-words'
import { privateFolder, savePrivate } from './private'

export interface KeptFileOptions<T> {
  /** Value without a file. */
  missing: T
  /** Sentences for the user if the file can't be read. Without them, an unreadable file counts as missing. */
  whenUnreadable?: {
    /** Sentence about what's safe if the disk fails. */
    disk: string
    /** Message if the content is invalid. */
    content: (path: string) => string
  }
}

/** JSON file of the app: validated when it's read, written whole and flushed, one write after another. */
export class KeptFile<T> {
  readonly #path: string
  readonly #schema: z.ZodType<T>
  readonly #options: KeptFileOptions<T>
  readonly #order = new SerialQueue()

  constructor(path: string, schema: z.ZodType<T>, options: KeptFileOptions<T>) {
    this.#path = path
    this.#schema = schema
    this.#options = options
  }

  /** Waits for pending writes. @throws FaultError `storage` if `whenUnreadable` is set and the file is unreadable */
  read(): Promise<T> {
    return this.#order.run(() => this.#read())
  }

  /** @throws FaultError `storage` */
  write(value: T): Promise<void> {
    return this.#order.run(() => this.#save(value))
  }

  /** Saves the value that `change` returns for the current one. @throws FaultError `storage`, or the error of `change` */
  change(change: (kept: T) => T): Promise<T> {
    return this.#order.run(async () => {
      const next = change(await this.#read())
      await this.#save(next)
      return next
    })
  }

  /** Resolves when all writes requested so far are done. */
  settled(): Promise<void> {
    return this.#order.idle()
  }

  async #read(): Promise<T> {
    const { missing, whenUnreadable } = this.#options
    let text
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      if (!whenUnreadable || (error as NodeJS.ErrnoException).code === 'ENOENT') return structuredClone(missing)
      throw storageFault(error, whenUnreadable.disk)
    }
    const read = safeParse(this.#schema, jsonOf(text))
    if (read.success) return read.data
    if (!whenUnreadable) return structuredClone(missing)
    // Overwriting the file would lose data of a newer version.
    throw new FaultError({ code: 'storage', message: whenUnreadable.content(this.#path) })
  }

  async #save(value: T): Promise<void> {
    await privateFolder(dirname(this.#path)).catch((error: unknown) => {
      throw storageFault(error, 'Nothing was saved.')
    })
    await savePrivate(this.#path, [JSON.stringify(value)])
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
