import type { ChildProcess } from '../ipc/child-process'
import { readAway } from '../ipc/read-away'
import type { ReadRecords } from './batch-text'
import type { Facts, FileReading } from './file-facts'

/** What a process that runs `read-process` is asked once. */
export type ReadOrder = { svg: string } | { rows: string } | { facts: string; reading: FileReading }

/** Milliseconds that the whole file of a run may take. */
const longest = 30 * 60_000

/** Files that others wrote, each read in a process of its own. */
export class FilesAway {
  readonly #start: () => ChildProcess<ReadOrder>
  readonly #limit: number | undefined

  /** @param limit milliseconds that one file of rows may take */
  constructor(start: () => ChildProcess<ReadOrder>, limit?: number) {
    this.#start = start
    this.#limit = limit
  }

  /** A picture that the window drew, once it was checked. @throws FaultError `invalid` */
  svg(text: string): Promise<string> {
    return readAway(this.#start(), { svg: text }, { unchanged: 'Nothing was written.' })
  }

  /** Header and rows of a file. @throws FaultError `invalid` | `storage` */
  rows(path: string): Promise<ReadRecords> {
    const options = { unchanged: 'Nothing was read.', ...(this.#limit !== undefined && { limit: this.#limit }) }
    return readAway(this.#start(), { rows: path }, options)
  }

  readonly facts: Facts = (path, { signal, ...reading }) =>
    readAway(
      this.#start(),
      { facts: path, reading },
      { ...(signal && { signal }), unchanged: 'What came so far is kept.', limit: longest },
    )
}
