import type { ChildProcess } from '../ipc/child-process'
import { readInProcess } from '../ipc/read-in-process'
import type { ReadCalendar } from './ics-read'

/** Reads calendar files in a process of their own, one at a time, within a time limit. */
export class CalendarReader {
  readonly #start: () => ChildProcess
  readonly #limit: number | undefined
  #control: AbortController | undefined

  /** @param limit maximum time per file, in milliseconds */
  constructor(start: () => ChildProcess, limit?: number) {
    this.#start = start
    this.#limit = limit
  }

  /** A second file ends the first one. @throws FaultError `invalid` | `storage` | `aborted` */
  async read(path: string, zone: string): Promise<ReadCalendar> {
    this.cancel()
    const { signal } = (this.#control = new AbortController())
    const options = {
      signal,
      unchanged: 'Nothing was imported.',
      ...(this.#limit !== undefined && { limit: this.#limit }),
    }
    return readInProcess(this.#start(), { path, zone }, options)
  }

  cancel(): void {
    this.#control?.abort()
  }
}
