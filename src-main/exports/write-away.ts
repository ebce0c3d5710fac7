import { FaultError, type Fault } from '#shared/fault'
import type { TableHead, TablePage } from '#shared/reports/export-table'
import type { ChildProcess } from '../ipc/child-process'
import type { Exported, ExportOptions } from './export-file'

export type WriteOptions = Omit<ExportOptions, 'signal' | 'onrows'>
export type WriteOrder = { head: TableHead } | TablePage | { path: string; options: WriteOptions } | { stop: true }
export type WriteSaid = { done: number; of: number } | { written: Exported } | { fault: Fault }

/** A process that runs `write-process`. */
export type WriterProcess = ChildProcess<WriteOrder>

interface Writing {
  process: WriterProcess
  path: string
  options: WriteOptions
  ended: Promise<Exported>
}

/** Exports tables of the window, each collected and written in its own process. */
export class TableWriter {
  readonly #start: () => WriterProcess
  readonly #onprogress: (progress: { id: number; done: number; of: number }) => void
  readonly #under = new Map<number, Writing>()
  #id = 0

  constructor(start: () => WriterProcess, onprogress: (progress: { id: number; done: number; of: number }) => void) {
    this.#start = start
    this.#onprogress = onprogress
  }

  /**
   * Starts an export whose rows follow. Calls `done` when it ends, whatever the outcome.
   * @returns the number of the export
   */
  begin(path: string, head: TableHead, options: WriteOptions, done = (): void => undefined): number {
    const id = ++this.#id
    const process = this.#start()
    const ended = new Promise<Exported>((resolve, reject) => {
      process.onMessage((message) => {
        const said = message as WriteSaid
        if ('done' in said) this.#onprogress({ id, ...said })
        else if ('written' in said) resolve(said.written)
        else reject(new FaultError(said.fault))
      })
      process.onExit(() => reject(died()))
    }).finally(() => {
      this.#under.delete(id)
      process.kill()
      done()
    })
    // The process may exit before anyone awaits the result.
    ended.catch(() => undefined)
    this.#under.set(id, { process, path, options, ended })
    process.post({ head })
    return id
  }

  /** @throws FaultError `gone` if the export was stopped or its process died */
  rows(id: number, page: TablePage): void {
    this.#found(id).process.post(page)
  }

  /**
   * Writes the rows received so far.
   * @throws FaultError like `exportTable`
   */
  async end(id: number): Promise<Exported> {
    const { process, path, options, ended } = this.#found(id)
    process.post({ path, options })
    return ended
  }

  /** Stops an export: undoes a running write, or drops collected rows. */
  async stop(id: number): Promise<void> {
    const writing = this.#under.get(id)
    if (!writing) return
    writing.process.post({ stop: true })
    // A process that only collects rows would never exit.
    const timer = setTimeout(() => writing.process.kill(), 2_000)
    await writing.ended.catch(() => undefined)
    clearTimeout(timer)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#under.keys()].map((id) => this.stop(id)))
  }

  #found(id: number): Writing {
    const found = this.#under.get(id)
    if (found) return found
    throw new FaultError({
      code: 'gone',
      message: 'The export stopped before the file was complete. Nothing was saved.',
    })
  }
}

const died = (): FaultError =>
  new FaultError({
    code: 'invalid',
    message: 'The export ran out of memory or was stopped. Nothing was saved.',
  })
