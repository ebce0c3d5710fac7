import { safeParse } from '#shared/safe-parse'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SerialQueue } from '#shared/serial-queue'
import { openPrivate, privateFolder } from '../disk/private'
import { eventSchema, type LogEvent } from './events'

/** Maximum size of a file, in bytes, before the next one begins. The log has up to two files. */
const maxBytes = 256 * 1024

export interface LogOptions {
  /** The profile. */
  userData: string
  /** Epoch milliseconds. */
  now: () => number
  /** For tests. */
  maxBytes?: number
}

/**
 * A small log in the profile, with one line of JSON per event. Drops events that don’t fit the schema, or that can’t be written
 * to a full disk. Counts repeated events.
 */
export class LocalLog {
  readonly #folder: string
  readonly #now: () => number
  readonly #max: number
  readonly #queue = new SerialQueue()
  #size: number | undefined
  #last = ''
  #repeated = 0

  constructor({ userData, now, maxBytes: max = maxBytes }: LogOptions) {
    this.#folder = join(userData, 'logs')
    this.#now = now
    this.#max = max
  }

  add(event: LogEvent): void {
    const fits = safeParse(eventSchema, event)
    if (!fits.success) return
    const text = JSON.stringify(fits.data)
    if (text === this.#last) {
      this.#repeated++
      return
    }
    this.#flushRepeated()
    this.#last = text
    this.#write({ at: this.#time(), ...fits.data })
  }

  /** The lines that were written, oldest first. */
  async read(): Promise<string> {
    this.#flushRepeated()
    await this.#queue.idle()
    const parts = [this.#path(1), this.#path(0)].map((path) => readFile(path, 'utf8').catch(() => ''))
    return (await Promise.all(parts)).join('')
  }

  async close(): Promise<void> {
    this.#flushRepeated()
    await this.#queue.idle()
  }

  #flushRepeated(): void {
    if (this.#repeated > 0) this.#write({ at: this.#time(), what: 'repeated', times: this.#repeated })
    this.#repeated = 0
  }

  readonly #time = (): string => new Date(this.#now()).toISOString()
  readonly #path = (age: 0 | 1): string => join(this.#folder, age === 0 ? 'log.jsonl' : 'log.1.jsonl')

  #write(line: object): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    void this.#queue.run(() => this.#append(bytes)).catch(() => (this.#size = undefined))
  }

  async #append(bytes: Buffer): Promise<void> {
    if (this.#size === undefined) {
      await privateFolder(this.#folder)
      this.#size = await stat(this.#path(0)).then(
        ({ size }) => size,
        () => 0,
      )
    }
    if (this.#size > 0 && this.#size + bytes.length > this.#max) {
      await rm(this.#path(1), { force: true })
      await rename(this.#path(0), this.#path(1))
      this.#size = 0
    }
    const file = await openPrivate(this.#path(0), 'a')
    try {
      await file.writeFile(bytes)
      this.#size += bytes.length
    } finally {
      await file.close()
    }
  }
}
