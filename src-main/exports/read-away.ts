import { FaultError, type Fault } from '#shared/fault'
import type { ChildProcess } from '../ipc/child-process'
import type { ReadCalendar } from './ics-read'

/** A process that runs `read-process`. */
export type ReaderProcess = ChildProcess<{ path: string; zone: string }>

type Reply = { ok: true; read: ReadCalendar } | { ok: false; fault: Fault }

const fault = (code: 'aborted' | 'invalid', what: string): FaultError =>
  new FaultError({ code, message: `${what} Nothing was imported.` })

/**
 * Reads calendar files in a process of their own, one at a time, within a time limit. A file that takes too long or too
 * much memory costs that process and nothing else.
 */
export class CalendarReader {
  readonly #start: () => ReaderProcess
  readonly #limit: number
  #cancel: ((reason: FaultError) => void) | undefined

  /** @param limit milliseconds that one file may take */
  constructor(start: () => ReaderProcess, limit = 120_000) {
    this.#start = start
    this.#limit = limit
  }

  /** A second file ends the first one. @throws FaultError `invalid` | `storage` | `aborted` */
  async read(path: string, zone: string): Promise<ReadCalendar> {
    this.cancel()
    const reader = this.#start()
    const seconds = Math.round(this.#limit / 1_000)
    let timer: ReturnType<typeof setTimeout> | undefined
    let cancel: ((reason: FaultError) => void) | undefined
    try {
      return await new Promise<ReadCalendar>((resolve, reject) => {
        this.#cancel = cancel = reject
        timer = setTimeout(
          () => reject(fault('invalid', `Reading the file took longer than ${seconds} seconds.`)),
          this.#limit,
        )
        reader.onMessage((message) => {
          const reply = message as Reply
          if (reply.ok) resolve(reply.read)
          else reject(new FaultError(reply.fault))
        })
        reader.onExit(() => reject(fault('invalid', 'The file needs more memory than it may take, or cannot be read.')))
        reader.post({ path, zone })
      })
    } finally {
      clearTimeout(timer)
      // A second file may be under way by now.
      if (this.#cancel === cancel) this.#cancel = undefined
      reader.kill()
    }
  }

  cancel(): void {
    this.#cancel?.(fault('aborted', 'Cancelled.'))
  }
}
