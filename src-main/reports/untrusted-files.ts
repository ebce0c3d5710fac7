import type { ChildProcess } from '../ipc/child-process'
import { readInProcess } from '../ipc/read-in-process'
import type { ReadRecords } from './batch-text'
import type { ReadFileFacts, FileReading } from './file-facts'

/** Task of a `read-process`, which does only one. */
export type ReadOrder = { svg: string } | { rows: string } | { facts: string; reading: FileReading }

/** Timeout for a run's complete file, in milliseconds. */
const timeoutMs = 30 * 60_000

/** Reads untrusted files, each in a separate process. */
export class UntrustedFiles {
  readonly #start: () => ChildProcess
  readonly #limit: number | undefined

  /** @param limit timeout for a file of rows, in milliseconds */
  constructor(start: () => ChildProcess, limit?: number) {
    this.#start = start
    this.#limit = limit
  }

  /** Validates a picture that the window drew. @throws FaultError `invalid` */
  svg(text: string): Promise<string> {
    return readInProcess(this.#start(), { svg: text }, { unchanged: 'Nothing was saved.' })
  }

  /** Reads the header and rows of a file. @throws FaultError `invalid` | `storage` */
  rows(path: string): Promise<ReadRecords> {
    const options = { unchanged: 'Nothing was read.', ...(this.#limit !== undefined && { limit: this.#limit }) }
    return readInProcess(this.#start(), { rows: path }, options)
  }

  readonly facts: ReadFileFacts = (path, { signal, ...reading }) =>
    readInProcess(
      this.#start(),
      { facts: path, reading },
      { ...(signal && { signal }), unchanged: 'The downloaded part is saved.', limit: timeoutMs },
    )
}
