import type { ChildProcess } from '../ipc/child-process'
import { readInProcess } from '../ipc/read-in-process'
import type { ReadRecords } from './batch-text'
import type { ReadFileFacts, FileReading } from './file-facts'

/** The one order of a process that runs `read-process`. */
export type ReadOrder = { svg: string } | { rows: string } | { facts: string; reading: FileReading }

/** Milliseconds that the whole file of a run may take. */
const longest = 30 * 60_000

/** Reads files that others wrote, each in a separate process. */
export class UntrustedFiles {
  readonly #start: () => ChildProcess<ReadOrder>
  readonly #limit: number | undefined

  /** @param limit milliseconds that one file of rows may take */
  constructor(start: () => ChildProcess<ReadOrder>, limit?: number) {
    this.#start = start
    this.#limit = limit
  }

  /** A picture that the window drew, once it was checked. @throws FaultError `invalid` */
  svg(text: string): Promise<string> {
    return readInProcess(this.#start(), { svg: text }, { unchanged: 'Nothing was written.' })
  }

  /** Header and rows of a file. @throws FaultError `invalid` | `storage` */
  rows(path: string): Promise<ReadRecords> {
    const options = { unchanged: 'Nothing was read.', ...(this.#limit !== undefined && { limit: this.#limit }) }
    return readInProcess(this.#start(), { rows: path }, options)
  }

  readonly facts: ReadFileFacts = (path, { signal, ...reading }) =>
    readInProcess(
      this.#start(),
      { facts: path, reading },
      { ...(signal && { signal }), unchanged: 'The downloaded part is saved.', limit: longest },
    )
}
